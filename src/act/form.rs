//! Writing fields: fill, select, check. Every write is read back.

use std::time::Duration;

use serde_json::Value;

use super::input::{Delivery, Input, deliver, unless_gone_on};
use super::keyboard::{finish, focused, guard, held};
use super::keys;
use super::mouse::{Click, press_verified};
use super::outcome::{self, Deed, Mark};
use super::ready::{Target, coverer, patience, ready, seen_through};
use crate::budget::Budget;
use crate::error::{Error, NoOption, Result};
use crate::page::probe::{Choice, Kept, Lacking, Prepare, Prepared, Wants};
use crate::page::{Element, Session};

/// How long a page may take to show what it made of a value, before it counts as not kept.
const RENDERS_WITHIN: Duration = Duration::from_millis(400);

/// How long a checkbox that the page draws itself may take to change.
const TOGGLES_WITHIN: Duration = Duration::from_secs(1);

/// What stands for a value that may not be shown.
pub const MASK: &str = "••••";

/// Replaces what a field holds and reads it back. A native list selects the option instead. Returns the report of
/// [`super::mouse::click`] with `value`.
///
/// # Errors
/// As [`ready`]; `act::not_typable` and `act::readonly` at once; `args::value` for a value beyond the `min`, `max` or
/// `step` of the field, which is not touched; `act::not_kept` when the page kept something else
/// (marks that a mask puts in between do not count), `act::no_option`.
pub async fn fill(page: &mut Session, element: &Element, text: &str, submit: bool, budget: &Budget) -> Result<Value> {
    let mark = Mark::take(page);
    let prepare = Prepare { caret: "all", text: Some(text.to_owned()), guard: guard(budget) };
    let (target, prepared) = focused(page, element, "fill", &prepare, budget).await?;
    if prepared.beyond {
        let secret = prepared.sensitive || page.was_sensitive(&target.element);
        return Err(unfit(&target.element, "text", text, secret, prepared.rule));
    }
    let budget = &seen_through(budget);
    match put(page, target, prepared, mark, text, budget).await? {
        Put::Chosen(report) => Ok(report),
        Put::Written(written) => {
            let held = read_back(page, &written, "kept", budget).await?;
            written.finish(page, held, submit, budget).await
        }
    }
}

/// What a field got.
pub(super) enum Put {
    /// A list: the choice is read back already, this is its report.
    Chosen(Value),
    Written(Box<Written>),
}

/// A field that was written and is not read back yet.
pub(super) struct Written {
    pub target: Target,
    pub text: String,
    mark: Mark,
    method: &'static str,
    pub sent: Delivery,
}

impl Written {
    /// Submits where asked and reports. `held` is what the field was found to hold.
    pub async fn finish(self, page: &mut Session, held: Option<Kept>, submit: bool, budget: &Budget) -> Result<Value> {
        finish(page, self.target, &self.mark, held, self.method, submit, budget).await
    }

    /// Takes what the page says that the field holds, or says that it is something else.
    pub async fn judged(&self, page: &mut Session, kept: Kept, budget: &Budget) -> Result<Kept> {
        if kept.kept {
            return Ok(kept);
        }
        if kept.strayed {
            return Err(strayed(page, &self.target, budget).await);
        }
        if kept.gone {
            return Err(taken_away(&self.target.element));
        }
        let secret = kept.sensitive || page.was_sensitive(&self.target.element);
        Err(not_kept(&self.target, secret, &self.text, kept.value, kept.rule))
    }
}

/// Puts a value into a field that has the focus.
pub(super) async fn put(
    page: &mut Session,
    target: Target,
    prepared: Prepared,
    mark: Mark,
    text: &str,
    budget: &Budget,
) -> Result<Put> {
    let (sent, method) = match prepared.kind.as_deref() {
        Some("select") => return choose(page, target, &mark, &[text.to_owned()], budget).await.map(Put::Chosen),
        Some("set") => {
            if prepared.set != Some(true) {
                let secret = prepared.sensitive || page.was_sensitive(&target.element);
                return Err(not_kept(&target, secret, text, prepared.value, prepared.rule));
            }
            (Delivery::Done, "set")
        }
        _ => (write(page, &target, &prepared, text, budget).await?, "text"),
    };
    Ok(Put::Written(Box::new(Written { target, text: text.to_owned(), mark, method, sent })))
}

/// Writes over the selection. Nothing is sent where an empty field shall be empty.
async fn write(page: &Session, target: &Target, prepared: &Prepared, text: &str, budget: &Budget) -> Result<Delivery> {
    let events = if !text.is_empty() {
        vec![Input::Text(text.to_owned())]
    } else if prepared.empty {
        return Ok(Delivery::Done);
    } else {
        // Frameworks notice a real key, and do not notice a value that a script took away.
        keys::strokes(&keys::parse("Backspace")?).into_iter().map(Input::Key).collect()
    };
    deliver(page, &target.element.session, events, budget).await
}

/// Returns what the field holds; `None` when the page went on to a dialog or another document, which the report says.
/// `how` is the question: `kept`, or `keptAndLeft` where another field comes next.
pub(super) async fn read_back(
    page: &mut Session,
    written: &Written,
    how: &'static str,
    budget: &Budget,
) -> Result<Option<Kept>> {
    let arguments = [Value::from(written.text.as_str()), render_patience(budget)];
    match held(page, &written.target.element, written.sent, how, &arguments, budget).await? {
        Some(kept) => written.judged(page, kept, budget).await.map(Some),
        None => Ok(None),
    }
}

/// Returns how long a page may take to show what it made of a value, as the page script counts.
pub(super) fn render_patience(budget: &Budget) -> Value {
    patience(RENDERS_WITHIN, budget).into()
}

/// Says where the focus went while a field was written.
pub(super) async fn strayed(page: &mut Session, target: &Target, budget: &Budget) -> Error {
    let other = match coverer(page, &target.element, budget).await {
        Some(other) => format!("{} {} `{}`", other.role, crate::script::quoted(&other.name), other.reference),
        None => "another element".to_owned(),
    };
    Error::ActUnknown {
        reference: Some(target.element.reference),
        was: target.element.was.clone(),
        evidence: format!("the page moved the focus to {other} meanwhile, where nothing was written"),
    }
}

/// Says that a field was on the page when it was written and is not any more.
pub(super) fn taken_away(element: &Element) -> Error {
    Error::ActUnknown {
        reference: Some(element.reference),
        was: element.was.clone(),
        evidence: "the page took the field away after it was written".into(),
    }
}

/// Says that a field does not take a text, before it is written.
pub(super) fn unfit(element: &Element, parameter: &str, text: &str, secret: bool, rule: Option<String>) -> Error {
    let (reference, was) = (element.reference, &element.was);
    let rule = rule.unwrap_or_else(|| "another text".into());
    Error::ArgsValue {
        function: "fill".into(),
        parameter: parameter.into(),
        found: if secret { MASK.to_owned() } else { crate::script::quoted(text) },
        expected: format!("{rule} for {was} `{reference}`"),
    }
}

fn not_kept(target: &Target, sensitive: bool, wanted: &str, kept: Option<String>, expected: Option<String>) -> Error {
    let shown = |text: &str| if sensitive { MASK.to_owned() } else { text.to_owned() };
    Error::ActNotKept {
        reference: target.element.reference,
        was: target.element.was.clone(),
        wanted: shown(wanted),
        kept: shown(&kept.unwrap_or_default()),
        expected,
    }
}

/// Selects options of a native list by label or value; a list of several selects exactly these.
///
/// # Errors
/// As [`ready`]; `act::no_option` for a missing, disabled or ambiguous option, before anything is touched;
/// `act::not_kept`; `args::value` where the element is no native list, or takes one option only.
pub async fn select(page: &mut Session, element: &Element, options: &[String], budget: &Budget) -> Result<Value> {
    let mark = Mark::take(page);
    let wants = Wants { refuse: "select", tolerant: true, ..Wants::default() };
    let target = ready(page, element, wants, budget).await?;
    let budget = &seen_through(budget);
    choose(page, target, &mark, options, budget).await
}

pub(super) async fn choose(
    page: &mut Session,
    target: Target,
    mark: &Mark,
    options: &[String],
    budget: &Budget,
) -> Result<Value> {
    let (reference, was) = (target.element.reference, target.element.was.clone());
    let choice = page.probe::<Choice>(&target.element, "choose", &[Value::from(options)], budget).await;
    // What the page went on to, the report says.
    let choice = unless_gone_on(page, choice)?.unwrap_or(Choice::Chosen { value: None, after: Box::default() });
    match choice {
        Choice::Chosen { value, after } => {
            let deed = Deed { method: "set", after: Some(*after), value: Some(value) };
            Ok(outcome::report(page, Some(&target), mark, deed, budget).await)
        }
        Choice::NotKept { labels, held } => {
            Err(Error::ActNotKept { reference, was, wanted: labels.join(", "), kept: held.join(", "), expected: None })
        }
        Choice::NoOption(lacking) => Err(no_option(&target.element, lacking)),
        Choice::Single => Err(Error::ArgsValue {
            function: "select".into(),
            parameter: "option".into(),
            found: format!("{} options", options.len()),
            expected: "one option: this list takes no more".into(),
        }),
    }
}

/// Words why an option can't be chosen, as the page script tells it.
pub(super) fn no_option(element: &Element, lacking: Lacking) -> Error {
    let Lacking { reason, wanted, mut options, more } = lacking;
    if more > 0 {
        options.push(format!("… {more} more"));
    }
    let reason = match reason.as_str() {
        "disabled" => NoOption::Disabled,
        "ambiguous" => NoOption::Ambiguous,
        _ => NoOption::Missing,
    };
    Error::ActNoOption { reference: element.reference, was: element.was.clone(), wanted, reason, options }
}

/// Ticks or clears a checkbox, radio button or switch; does nothing where it is so already.
///
/// # Errors
/// As [`super::mouse::click`]; `args::value` where it is none of these, or a radio button shall be cleared;
/// `act::not_kept` when the page keeps the other state.
pub async fn check(page: &mut Session, element: &Element, on: bool, budget: &Budget) -> Result<Value> {
    let mark = Mark::take(page);
    let verb = if on { "check" } else { "uncheck" };
    let wanted = if on { "true" } else { "false" };
    let now = page.probe::<String>(element, "ticked", &[], budget).await?;
    if now.as_deref() == Some(wanted) {
        let wants = Wants { refuse: verb, force: true, ..Wants::default() };
        let target = ready(page, element, wants, budget).await?;
        let deed = Deed { method: "none", after: None, value: None };
        return Ok(outcome::report(page, Some(&target), &mark, deed, budget).await);
    }
    let (target, after) = press_verified(page, element, &Click::default(), verb, budget).await?;
    let budget = &seen_through(budget);
    if after.as_ref().is_some_and(|after| after.sketch.connected) {
        let arguments = [Value::from(wanted), Value::from(patience(TOGGLES_WITHIN, budget))];
        let kept = page.probe::<String>(&target.element, "ticked", &arguments, budget).await;
        if let Some(kept) = unless_gone_on(page, kept)?.filter(|kept| kept != wanted) {
            let word = |state: &str| if state == "true" { "checked" } else { "not checked" }.to_owned();
            return Err(Error::ActNotKept {
                reference: target.element.reference,
                was: target.element.was.clone(),
                wanted: word(wanted),
                kept: word(&kept),
                expected: None,
            });
        }
    }
    let method = if target.by_label { "label" } else { "mouse" };
    Ok(outcome::report(page, Some(&target), &mark, Deed { method, after, value: None }, budget).await)
}
