//! Why an element can't be acted on, without acting: the judge of the actions, asked without scrolling.

use std::time::Duration;

use serde_json::{Value, json};

use super::ready::{Outward, coverer, outward, patience};
use crate::budget::Budget;
use crate::error::{Error, Result, StaleCause};
use crate::page::probe::{Examined, Look, Refusal};
use crate::page::{Element, Session};
use crate::script::quoted;

/// How long an element may take to show that it rests.
const RESTS_WITHIN: Duration = Duration::from_millis(250);

/// What is known of a ref.
struct Told {
    alive: bool,
    cause: Option<&'static str>,
    reasons: Vec<String>,
    text: String,
}

/// Says whether the element behind a ref is alive and can be acted on, and why not: `{alive, cause, actionable,
/// reasons, text}`. Sends no input and leaves the page scrolled as it is.
///
/// # Errors
/// `dialog::open`, `page::*`, `browser::gone`: what keeps the page from being asked. What is wrong with the ref is
/// the answer.
pub async fn explain(page: &mut Session, text: &str, budget: &Budget) -> Result<Value> {
    let told = match examine(page, text, budget).await {
        Ok((element, examined)) => live(page, &element, &examined, budget).await,
        Err(error) => dead(page, text, error)?,
    };
    Ok(json!({
        "alive": told.alive,
        "cause": told.cause,
        "actionable": told.alive && told.cause.is_none() && told.reasons.is_empty(),
        "reasons": told.reasons,
        "text": told.text,
    }))
}

async fn examine(page: &mut Session, text: &str, budget: &Budget) -> Result<(Element, Examined)> {
    loop {
        let element = page.resolve(text, budget).await?;
        let arguments = [Value::from(patience(RESTS_WITHIN, budget))];
        // A document that goes away meanwhile is told by the ref itself.
        if let Some(examined) = page.probe::<Examined>(&element, "examine", &arguments, budget).await? {
            page.verify(&element, &examined.look.sketch(), budget).await?;
            return Ok((element, examined));
        }
    }
}

/// Words what is wrong with a ref; an error that says nothing of the ref stays one.
fn dead(page: &Session, text: &str, error: Error) -> Result<Told> {
    let (alive, cause) = match &error {
        Error::RefStale { cause, .. } => (
            false,
            match cause {
                StaleCause::Removed => "removed",
                StaleCause::Replaced => "replaced",
                StaleCause::DocumentReplaced => "document_replaced",
                StaleCause::FrameGone => "frame_gone",
            },
        ),
        Error::RefChanged { .. } => (true, "changed"),
        Error::RefUnknown { .. } => (false, "unknown"),
        Error::RefOtherTab { .. } => (page.has_document(text), "other_tab"),
        Error::TabClosed { .. } => (false, "tab_closed"),
        _ => return Err(error),
    };
    let text = format!("{}. Next: {}", sentence(&error.to_string()), error.help());
    Ok(Told { alive, cause: Some(cause), reasons: Vec::new(), text })
}

async fn live(page: &mut Session, element: &Element, examined: &Examined, budget: &Budget) -> Told {
    let over_frame = match &examined.look {
        // A page that goes away while it is asked is found out by whatever comes next.
        Look::Ready(ready) if !examined.outside => outward(page, element, ready, true, budget).await.ok(),
        _ => None,
    };
    let covered = match (&examined.look, over_frame) {
        (Look::Covered { inert, .. }, _) => Some((*inert, coverer(page, element, budget).await)),
        (_, Some(Outward::Covered(frame))) => Some((false, coverer(page, &frame, budget).await)),
        _ => None,
    };
    let mut reasons = Vec::new();
    let mut next = Vec::new();
    let mut stands = |reason: String, step: &str| {
        reasons.push(reason);
        next.push(step.to_owned());
    };
    match &examined.look {
        Look::Hidden { reason, .. } => {
            stands(format!("hidden: {reason}"), "open what contains it first (a menu, a tab, a section)");
        }
        Look::Moving { .. } => stands("moving".to_owned(), "wait until it comes to rest; actions do so by themselves"),
        Look::Refused { why: Refusal::Option, .. } => stands(
            "hidden: it is an option of a drop-down list".to_owned(),
            "choose it with `select(ref, option)` on the list",
        ),
        Look::Gone | Look::Ready(_) | Look::Disabled { .. } | Look::Covered { .. } | Look::Refused { .. } => {}
    }
    if let Some((inert, top)) = covered {
        let (word, place) = if inert { ("inert", "behind") } else { ("covered", "by") };
        match top {
            Some(top) => stands(
                format!("{word} {place} {} {} {}", top.reference, top.role, quoted(&top.name)),
                &format!("close or answer `{}` first", top.reference),
            ),
            None => stands(word.to_owned(), "close what lies on top first"),
        }
    }
    if examined.disabled {
        stands("disabled".to_owned(), "do what enables it first");
    }
    if examined.readonly {
        stands("readonly".to_owned(), "it can be clicked but not written: use the control that sets it");
    }
    let subject = format!("{} `{}`", element.was, element.reference);
    let text = if reasons.is_empty() {
        format!("{} is on the page and can be acted on.", sentence(&subject))
    } else {
        format!(
            "{} is on the page but can't be acted on: {}. Next: {}.",
            sentence(&subject),
            reasons.join("; "),
            next.join("; ")
        )
    };
    Told { alive: true, cause: None, reasons, text }
}

/// Returns the text with its first letter large.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
