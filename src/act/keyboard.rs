//! Typing and pressing keys.

use std::time::Duration;

use serde_json::Value;

use super::form::strayed;
use super::input::{Delivery, Input, deliver, unless_gone_on, went_on};
use super::keys::{Chord, Modifiers, of_char, stroke, strokes, takes_out};
use super::mouse::press as press_mouse;
use super::outcome::{self, Deed, Mark};
use super::ready::{Target, patience, ready, seen_through};
use crate::budget::Budget;
use crate::error::{Change, Error, Result};
use crate::page::probe::{Facts, Kept, Landed, Prepare, Prepared, Wants, arguments};
use crate::page::settle::pause;
use crate::page::unsent::{Sending, Unsent};
use crate::page::{Element, Session, millis};

/// How many characters travel together. The page handles them in order; the limit keeps a long text stoppable.
const TOGETHER: usize = 64;

/// How long the options of a combobox may take to appear before it is submitted without one.
const OPTIONS_WITHIN: Duration = Duration::from_secs(2);

/// How long a writing without a deadline is guarded.
const LONGEST_WRITING: Duration = Duration::from_mins(1);

/// How long after its deadline a writing that began may end.
const TO_END: Duration = Duration::from_secs(1);

/// How a text is typed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Typing {
    /// A pause after each character.
    pub delay: Duration,
    /// Sends the form, or commits the option, afterwards.
    pub submit: bool,
}

/// Types a text at the end of what a field holds, with a key for each character of a US layout; other characters
/// are inserted one by one as they are seen. Text follows the focus where the page moves it on. Returns the report
/// of [`super::mouse::click`] with `value`, what the field holds now.
///
/// # Errors
/// As [`ready`]; `act::not_typable` and `act::readonly` at once.
pub async fn type_text(
    page: &mut Session,
    element: &Element,
    text: &str,
    how: Typing,
    budget: &Budget,
) -> Result<Value> {
    let mark = Mark::take(page);
    let mut prepare = Prepare { caret: "end", text: None, guard: guard(budget) };
    // A text with a tab asks for the next field itself.
    if text.contains('\t') {
        prepare.guard = 0;
    }
    let (target, prepared) = focused(page, element, "type", &prepare, budget).await?;
    let budget = &seen_through(budget);
    let mut sent = Delivery::Done;
    // Boxes that take one character move the focus on by themselves, some of them a moment later.
    let one_by_one = prepared.single || !how.delay.is_zero();
    let mut left = batches(pieces(text), if one_by_one { 1 } else { TOGETHER }).into_iter();
    while let Some(part) = left.next() {
        sent = deliver(page, &target.element.session, part, &seen_through(budget)).await?;
        if sent != Delivery::Done {
            break;
        }
        if prepared.single {
            // Whether the box is still there does not matter: the next key goes where the focus is.
            page.probe::<Value>(&target.element, "breathe", &[], budget).await?;
        }
        if left.len() > 0 && (budget.is_spent() || (!how.delay.is_zero() && pause(how.delay, budget).await.is_err())) {
            page.leave_guard(&target.element);
            return Err(budget.overrun().unwrap_or_else(|| Error::WaitTimeout {
                wanted: "the end of the typing".into(),
                change: Change::Happen,
                waited_ms: millis(budget.granted()),
                now: None,
                nearest: Vec::new(),
            }));
        }
    }
    let held = keyed(page, &target, sent, text.contains('\n'), budget).await?;
    if held.as_ref().is_some_and(|held| held.strayed) {
        return Err(strayed(page, &target, budget).await);
    }
    finish(page, target, &mark, held, "keys", how.submit, budget).await
}

/// Presses a key or chord, into an element that takes the focus first, or wherever the focus is.
///
/// # Errors
/// As [`ready`]; `policy::secret` for copying out of a sensitive field.
pub async fn press(page: &mut Session, element: Option<&Element>, chord: &Chord, budget: &Budget) -> Result<Value> {
    let mark = Mark::take(page);
    let Some(element) = element else {
        let session = page.page()?;
        if takes_out(chord) && page.focus_is_sensitive(budget).await? {
            return Err(Error::PolicySecret { function: "press".into() });
        }
        page.end_guard(budget).await?;
        let sent = deliver(page, &session, keys_of(chord), budget).await?;
        scrolls_rest(page, chord, sent, budget).await?;
        let unsent =
            if chord.is_enter() && sent == Delivery::Done { page.unsent_by_enter(budget).await? } else { None };
        let deed = Deed { method: "keys", after: None, value: None };
        let report = outcome::report(page, None, &mark, deed, budget).await;
        return Ok(with_hint(report, unsent.as_ref()));
    };
    let (target, prepared) =
        focused(page, element, "press", &Prepare { caret: "none", text: None, guard: 0 }, budget).await?;
    let budget = &seen_through(budget);
    if prepared.sensitive && takes_out(chord) {
        return Err(Error::PolicySecret { function: "press".into() });
    }
    let sent = deliver(page, &target.element.session, keys_of(chord), budget).await?;
    scrolls_rest(page, chord, sent, budget).await?;
    let held = keyed(page, &target, sent, chord.is_enter(), budget).await?;
    finish(page, target, &mark, held, "keys", false, budget).await
}

/// Waits until what a key scrolled is at rest: a list may draw other rows then.
async fn scrolls_rest(page: &Session, chord: &Chord, sent: Delivery, budget: &Budget) -> Result<()> {
    if chord.may_scroll() && sent == Delivery::Done { page.scrolls_rest(budget).await } else { Ok(()) }
}

/// Adds to a report why the browser refused a form, unless there is more to say already.
pub(super) fn with_hint(mut report: Value, unsent: Option<&Unsent>) -> Value {
    if let Some(unsent) = unsent
        && let Some(hint) = report.get_mut("hint").filter(|hint| hint.is_null())
    {
        *hint = unsent.words().into();
    }
    report
}

fn keys_of(chord: &Chord) -> Vec<Input> {
    strokes(chord).into_iter().map(Input::Key).collect()
}

/// Waits for an element and gives it the focus, by a click where the page takes none otherwise.
pub(super) async fn focused(
    page: &mut Session,
    element: &Element,
    verb: &'static str,
    prepare: &Prepare,
    budget: &Budget,
) -> Result<(Target, Prepared)> {
    let target = ready(page, element, wants_focus(verb, prepare), budget).await?;
    focused_at(page, target, verb, prepare, budget).await
}

/// Returns how long the writing under `budget` may take, in milliseconds.
pub(super) fn guard(budget: &Budget) -> u64 {
    let left = budget.remaining().unwrap_or(LONGEST_WRITING) + TO_END;
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
}

/// Returns what an action needs of an element that gets the focus.
pub(super) fn wants_focus(verb: &'static str, prepare: &Prepare) -> Wants {
    Wants { refuse: verb, tolerant: true, prepare: Some(prepare.clone()), ..Wants::default() }
}

/// Makes sure that an element which is ready has the focus.
pub(super) async fn focused_at(
    page: &mut Session,
    mut target: Target,
    verb: &'static str,
    prepare: &Prepare,
    budget: &Budget,
) -> Result<(Target, Prepared)> {
    let budget = &seen_through(budget);
    let mut prepared = target.prepared.take();
    let is_left = |prepared: &Prepared| !prepared.focused && prepared.kind.as_deref() != Some("select");
    // Fields that take the focus from the pointer only. A key alone is no reason to press the mouse.
    if verb != "press" && prepared.as_ref().is_some_and(is_left) {
        press_mouse(page, &target, budget).await?;
        prepared = page.probe(&target.element, "prepare", &arguments(prepare), budget).await?;
    }
    match prepared {
        Some(prepared) if !is_left(&prepared) => Ok((target, prepared)),
        _ => Err(Error::ActNotTypable {
            reference: target.element.reference,
            was: target.element.was.clone(),
            kind: "an element that does not take the focus".into(),
            instead: None,
        }),
    }
}

/// As [`held`], after keys. Only an Enter among them may have sent a form.
async fn keyed(
    page: &mut Session,
    target: &Target,
    sent: Delivery,
    has_enter: bool,
    budget: &Budget,
) -> Result<Option<Kept>> {
    let mut kept = held(page, &target.element, sent, "keyed", &[], budget).await?;
    if let Some(kept) = kept.as_mut().filter(|_| !has_enter) {
        kept.after.unsent = None;
    }
    Ok(kept)
}

/// Returns what the field holds; `None` when the page went on to a dialog or another document. `how` is the question
/// to the page script.
pub(super) async fn held(
    page: &mut Session,
    element: &Element,
    sent: Delivery,
    how: &'static str,
    given: &[Value],
    budget: &Budget,
) -> Result<Option<Kept>> {
    let kept = match sent {
        Delivery::Done => page.probe(element, how, given, budget).await,
        Delivery::Dialog | Delivery::Gone => Ok(None),
    };
    let kept = unless_gone_on(page, kept)?;
    if kept.is_none() {
        page.leave_guard(element);
    }
    Ok(kept)
}

/// Submits where asked and reports.
pub(super) async fn finish(
    page: &mut Session,
    target: Target,
    mark: &Mark,
    held: Option<Kept>,
    method: &'static str,
    submits: bool,
    budget: &Budget,
) -> Result<Value> {
    let went_on = held.is_none();
    let (value, mut after) = held.map_or((None, None), |kept| (kept.value, Some(kept.after)));
    if submits && !went_on {
        let (sent, unsent) = submit(page, &target.element, budget).await?;
        after = match sent {
            Delivery::Done => look_back(page, &target, budget).await?.map(|after| Facts { unsent, ..after }),
            Delivery::Dialog | Delivery::Gone => None,
        };
    }
    Ok(outcome::report(page, Some(&target), mark, Deed { method, after, value: Some(value) }, budget).await)
}

async fn look_back(page: &Session, target: &Target, budget: &Budget) -> Result<Option<Facts>> {
    let landed = page.probe::<Landed>(&target.element, "landed", &[], budget).await;
    Ok(unless_gone_on(page, landed)?.map(|landed| landed.after))
}

/// Sends what was written on its way: a combobox commits its option, else the form is submitted, else Enter.
/// Also returns why the browser refused the form.
pub(super) async fn submit(page: &Session, element: &Element, budget: &Budget) -> Result<(Delivery, Option<Unsent>)> {
    let patience = Value::from(patience(OPTIONS_WITHIN, budget));
    let Sending { way, unsent } = match page.probe(element, "submit", &[patience], budget).await {
        Ok(Some(sending)) => sending,
        Ok(None) => return Ok((Delivery::Gone, None)),
        Err(error) if went_on(page, &error) => return Ok((Delivery::Dialog, None)),
        Err(error) => return Err(error),
    };
    let keys: &[&str] = match way.as_str() {
        "combobox" => &["ArrowDown", "Enter"],
        "enter" => &["Enter"],
        _ => &[],
    };
    for name in keys {
        let sent = deliver(page, &element.session, keys_of(&super::keys::parse(name)?), budget).await?;
        if sent != Delivery::Done {
            return Ok((sent, None));
        }
    }
    Ok((Delivery::Done, unsent))
}

/// A part of a text: one key, or characters that no key makes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Key(char),
    Text(String),
}

/// Splits a text into keys and inserted characters. Marks, joiners and modifiers stay with what they belong to: a
/// page that gets half an emoji breaks it.
fn pieces(text: &str) -> Vec<Piece> {
    let text = text.replace("\r\n", "\n");
    let mut pieces: Vec<Piece> = Vec::new();
    let mut joined = false;
    let mut regional = false;
    for character in text.chars() {
        if of_char(character).is_some() {
            pieces.push(Piece::Key(character));
            (joined, regional) = (false, false);
            continue;
        }
        let flag = ('\u{1f1e6}'..='\u{1f1ff}').contains(&character);
        let belongs = joined || is_attached(character) || (flag && regional);
        match pieces.last_mut() {
            Some(Piece::Text(last)) if belongs => last.push(character),
            _ => pieces.push(Piece::Text(character.to_string())),
        }
        joined = character == '\u{200d}';
        regional = flag && !regional;
    }
    pieces
}

/// Whether a character belongs to the one before it: combining marks, variation selectors, joiners, skin tones, tags.
fn is_attached(character: char) -> bool {
    matches!(u32::from(character),
        0x0300..=0x036f | 0x0483..=0x0489 | 0x0591..=0x05bd | 0x0610..=0x061a | 0x064b..=0x065f | 0x0670
        | 0x06d6..=0x06dc | 0x0900..=0x0903 | 0x093a..=0x094f | 0x0e31 | 0x0e34..=0x0e3a | 0x0e47..=0x0e4e
        | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200d | 0x20d0..=0x20ff | 0x3099 | 0x309a | 0xfe00..=0xfe0f
        | 0xfe20..=0xfe2f | 0x1f3fb..=0x1f3ff | 0xe0020..=0xe007f | 0xe0100..=0xe01ef)
}

/// Puts pieces together that may travel together. Keys and inserted text reach the page by different queues, so one
/// is answered before the other is sent.
fn batches(pieces: Vec<Piece>, together: usize) -> Vec<Vec<Input>> {
    let mut batches: Vec<(bool, usize, Vec<Input>)> = Vec::new();
    for piece in pieces {
        let (keys, inputs) = match piece {
            Piece::Key(character) => (
                true,
                of_char(character).map_or_else(Vec::new, |key| {
                    let held = if key.shifted { Modifiers::SHIFT } else { 0 };
                    stroke(&key, held).map(Input::Key).to_vec()
                }),
            ),
            Piece::Text(text) => (false, vec![Input::Text(text)]),
        };
        match batches.last_mut() {
            Some((same, count, batch)) if *same == keys && *count < together => {
                batch.extend(inputs);
                *count += 1;
            }
            _ => batches.push((keys, 1, inputs)),
        }
    }
    batches.into_iter().map(|(_, _, batch)| batch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let part = |piece| match piece {
            Piece::Key(character) => format!("key {character}"),
            Piece::Text(text) => text,
        };
        pieces(text).into_iter().map(part).collect()
    }

    #[test]
    fn keeps_together_what_people_see_as_one() {
        assert_eq!(parts("aé"), ["key a", "é"]);
        assert_eq!(parts("👩🏽‍🚀日"), ["👩🏽‍🚀", "日"]);
        assert_eq!(parts("🇵🇹🇩🇪"), ["🇵🇹", "🇩🇪"]);
        assert_eq!(parts("e\u{301}x"), ["key e", "\u{301}", "key x"]);
        assert_eq!(parts("a\r\nb"), ["key a", "key \n", "key b"]);
    }

    #[test]
    fn sends_keys_together_and_never_with_inserted_text() {
        let sizes = |text, together| -> Vec<usize> { batches(pieces(text), together).iter().map(Vec::len).collect() };
        assert_eq!(sizes("abcé日d", 64), [6, 2, 2]);
        assert_eq!(sizes("abc", 1), [2, 2, 2]);
    }
}
