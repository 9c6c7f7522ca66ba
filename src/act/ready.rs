//! The one place that waits until an element can be acted on: seen, at rest, enabled, in view and hit by input.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::budget::{Budget, Layer};
use crate::cdp::Failure;
use crate::cdp::protocol::dom::{BackendNodeId, GetContentQuadsParams, GetFrameOwnerParams, ResolveNodeParams};
use crate::error::{Error, Nearest, Result};
use crate::page::call::Failed;
use crate::page::probe::{Facts, Look, Point, Prepared, Ready, Rect, Refusal, Through, Wants, arguments};
use crate::page::settle::pause;
use crate::page::{Element, Session};

/// How long after the deadline the page may still say why an element was not ready.
const TO_EXPLAIN: Duration = Duration::from_millis(800);

/// What is kept back of the deadline for the answer to a question that waits in the page.
const TO_ANSWER: Duration = Duration::from_millis(100);

/// What an action has at least from the moment in which it begins.
const TO_FINISH: Duration = Duration::from_secs(1);

/// How long one look may wait in the page.
const LONGEST_LOOK: Duration = Duration::from_mins(1);

/// How long to wait before looking again where the page script does not: at what lies over a frame from outside, and
/// after a press that was swallowed.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Returns the budget for what follows once an element is ready: an action that began in the last moment is still
/// seen through, so that its end is known.
pub(super) fn seen_through(budget: &Budget) -> Budget {
    match budget.remaining() {
        Some(left) if left < TO_FINISH => Budget::new(budget.cancel_token()).child(TO_FINISH, Layer::Call),
        _ => budget.clone(),
    }
}

/// Returns how long the page script may wait for something, in milliseconds: `most`, or what the budget leaves.
pub(super) fn patience(most: Duration, budget: &Budget) -> u64 {
    let left = budget.remaining().map_or(most, |left| left.saturating_sub(TO_ANSWER));
    u64::try_from(left.min(most).as_millis()).unwrap_or(u64::MAX)
}

/// An element that can be acted on now.
#[derive(Debug)]
pub struct Target {
    pub element: Element,
    /// Where to press, in coordinates of the root frame of the element's session.
    pub point: Point,
    pub rect: Rect,
    pub facts: Facts,
    pub by_label: bool,
    pub prepared: Option<Prepared>,
}

/// Waits until an element can be acted on, compares its meaning and prepares it. One round trip where it is ready
/// at once and no frame in between belongs to another origin.
///
/// # Errors
/// `act::not_typable`, `act::readonly`, `args::value` at once; `act::hidden`, `act::disabled`, `act::covered`,
/// `act::moving` at the deadline; `ref::stale`, `ref::changed`; `dialog::open`, `page::*`, `budget::time`.
pub async fn ready(page: &mut Session, element: &Element, wants: Wants, budget: &Budget) -> Result<Target> {
    ready_after(page, element, wants, None, budget).await
}

/// A look that came with the answer to another question, and when it was asked for.
pub(super) struct FirstLook {
    pub look: Look,
    pub started: Instant,
}

/// As [`ready`], with a first look that came with another answer.
pub(super) async fn ready_after(
    page: &mut Session,
    element: &Element,
    mut wants: Wants,
    first: Option<FirstLook>,
    budget: &Budget,
) -> Result<Target> {
    let started = first.as_ref().map_or_else(Instant::now, |first| first.started);
    let mut first = first.map(|first| first.look);
    let mut element = element.clone();
    let mut problem = None;
    let asking = asking(budget);
    loop {
        wants.wait = look_wait(budget);
        match look(page, &element, &wants, first.take(), &asking).await {
            Ok(Looked::Ready(target)) => return Ok(*target),
            Ok(Looked::Not(seen)) => problem = Some(seen),
            Ok(Looked::Left) => {
                // The document went away under the call; the ref itself says what that means.
                element = page.resolve(&element.reference.to_string(), budget).await?;
                continue;
            }
            // A busy page may not answer once more after the deadline; what the last look saw is the answer then.
            Err(Error::PageHung { .. }) if problem.is_some() => {}
            Err(error) => return Err(budget.overrun().unwrap_or(error)),
        }
        if pause(LOOK_AGAIN, budget).await.is_err()
            && let Some(problem) = problem.take()
        {
            let error = explain(page, &element, problem, started, &asking).await;
            return Err(budget.overrun().unwrap_or(error));
        }
    }
}

/// Returns the budget for a question that waits in the page: the page answers a moment after the deadline.
pub(super) fn asking(budget: &Budget) -> Budget {
    match budget.remaining() {
        Some(left) => Budget::new(budget.cancel_token()).child(left + TO_EXPLAIN, Layer::Call),
        None => budget.clone(),
    }
}

/// Returns how long one look may wait in the page, in milliseconds.
pub(super) fn look_wait(budget: &Budget) -> u64 {
    let left = budget.remaining().unwrap_or(LONGEST_LOOK).min(LONGEST_LOOK);
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
}

/// What one look came to.
enum Looked {
    Ready(Box<Target>),
    Not(Problem),
    /// The document went away meanwhile.
    Left,
}

async fn look(
    page: &mut Session,
    element: &Element,
    wants: &Wants,
    first: Option<Look>,
    budget: &Budget,
) -> Result<Looked> {
    let look = match first {
        Some(look) => look,
        None => match page.probe::<Look>(element, "ready", &arguments(wants), budget).await? {
            Some(look) => look,
            None => return Ok(Looked::Left),
        },
    };
    match page.verify(element, &look.sketch(), budget).await {
        Ok(()) => {}
        // At the deadline there may be no time to read the page; then the reason for waiting is the better answer.
        Err(Error::PageHung { .. }) if !matches!(look, Look::Ready(_) | Look::Gone) => {}
        Err(error) => return Err(error),
    }
    Ok(Looked::Not(match look {
        Look::Ready(ready) => match outward(page, element, &ready, false, budget).await? {
            Outward::Clear { press, top } => {
                return Ok(Looked::Ready(Box::new(target(element.clone(), *ready, press, top))));
            }
            Outward::Covered(owner) => Problem::Covered { by: owner, inert: false },
        },
        Look::Refused { why, words, instead, .. } => return Err(refused(element, wants.refuse, why, words, instead)),
        Look::Gone => return Ok(Looked::Left),
        Look::Hidden { reason, .. } => Problem::Hidden(reason),
        Look::Disabled { .. } => Problem::Disabled,
        Look::Moving { .. } => Problem::Moving,
        Look::Covered { inert, .. } => Problem::Covered { by: element.clone(), inert },
    }))
}

fn target(element: Element, ready: Ready, point: Point, top: Point) -> Target {
    let Ready { facts, outer, mut rect, by_label, prepared, .. } = ready;
    rect.x += top.x - outer.x;
    rect.y += top.y - outer.y;
    Target { element, point, rect, facts, by_label, prepared }
}

/// Why an element can't be acted on yet.
enum Problem {
    Hidden(String),
    Disabled,
    Moving,
    /// `by` is the element in whose document the obstacle was seen.
    Covered {
        by: Element,
        inert: bool,
    },
}

async fn explain(page: &mut Session, element: &Element, problem: Problem, started: Instant, budget: &Budget) -> Error {
    let (reference, was) = (element.reference, element.was.clone());
    let waited_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match problem {
        Problem::Hidden(reason) => Error::ActHidden { reference, was, reason, waited_ms },
        Problem::Disabled => Error::ActDisabled { reference, was, waited_ms },
        Problem::Moving => Error::ActMoving { reference, was, waited_ms },
        Problem::Covered { by, inert } => {
            let coverer = coverer(page, &by, budget).await;
            Error::ActCovered { reference, was, coverer, inert, waited_ms }
        }
    }
}

/// Returns what lay in the way at the last look from `element`, with its ref. The error is still worth having when
/// the page can't name it.
pub async fn coverer(page: &mut Session, element: &Element, budget: &Budget) -> Option<Nearest> {
    let backend = page.obstacle(element, budget).await.ok()??;
    page.shown(element, backend, budget).await.ok()?
}

pub(super) fn refused(element: &Element, verb: &str, why: Refusal, words: String, instead: Option<String>) -> Error {
    let (reference, was) = (element.reference, element.was.clone());
    let value = |expected: &str| Error::ArgsValue {
        function: verb.into(),
        parameter: "ref".into(),
        found: format!("{was} `{reference}`, {words}"),
        expected: expected.into(),
    };
    match (why, verb) {
        (Refusal::Readonly, _) => Error::ActReadonly { reference, was },
        (Refusal::Option, _) => Error::ActHidden {
            reference,
            was,
            reason: "it is an option of a drop-down list; `select(ref, option)` on the list chooses it".into(),
            waited_ms: 0,
        },
        (Refusal::Radio, _) => value("a checkbox or a switch; a radio button is cleared by `check` on another one"),
        (Refusal::Kind, "check" | "uncheck") => value("a checkbox, radio button or switch"),
        (Refusal::Kind, _) => {
            let call = |name: String| match name.as_str() {
                "fill" | "type" => format!("{name}(\"{reference}\", text)"),
                "select" => format!("select(\"{reference}\", option)"),
                _ => format!("{name}(\"{reference}\")"),
            };
            // Text fields name no other function: for most verbs they are the right thing.
            let instead = instead.or_else(|| (verb == "select" && words == "a text field").then(|| "fill".into()));
            if verb == "select" {
                let instead = instead.filter(|name| matches!(name.as_str(), "fill" | "type" | "check")).map(call);
                return Error::ListExpected { reference, was, kind: words, instead };
            }
            Error::ActNotTypable { reference, was, kind: words, instead: instead.map(call) }
        }
    }
}

/// A point followed out of all frames.
pub(super) enum Outward {
    /// Where to press, for the element's session, and the same point in the viewport of the tab.
    Clear { press: Point, top: Point },
    /// Something lies over one of the frames; the element is the iframe below it.
    Covered(Element),
}

/// Follows the point through the frames around that the page script can't read from inside: those of another
/// origin. Input to a frame in another process does not pass the hit test of the page around it, so each of them
/// is asked. Two or three round trips for each such frame, none without one. With `still` nothing is scrolled, and
/// what could be brought into view counts as reached.
pub(super) async fn outward(
    page: &mut Session,
    element: &Element,
    ready: &Ready,
    still: bool,
    budget: &Budget,
) -> Result<Outward> {
    let mut point = ready.outer;
    let mut press = ready.outer;
    let mut turned = ready.turned;
    let mut inside = true;
    let mut frame = above(page, &element.frame, ready.levels);
    while let Some(child) = frame.take()
        && let Some(parent) = page.live().read(|world| world.frame(&child)?.parent.clone())
    {
        let Some(owner) = owner(page, element, &child, &parent, budget).await? else { break };
        let asked = page.probe::<Through>(&owner, "through", &[json!(point), still.into()], budget).await?;
        let Some(step) = asked else { break };
        let inner = point;
        point = step.outer;
        let mut clear = !step.covered;
        if step.turned
            && let Some(quad) = quad(page, &owner, budget).await?
        {
            point = within(quad, inner.x / step.inner.x.max(1.0), inner.y / step.inner.y.max(1.0));
            clear = reaches(page, &owner, point, budget).await?;
        }
        if !clear {
            return Ok(Outward::Covered(owner));
        }
        inside &= owner.session.id() == element.session.id();
        if inside {
            press = point;
            turned |= step.turned;
        }
        frame = above(page, &parent, step.levels);
    }
    if turned && let Some(quad) = quad(page, element, budget).await? {
        press = within(quad, 0.5, 0.5);
        if !reaches(page, element, press, budget).await? {
            return Ok(Outward::Covered(element.clone()));
        }
    }
    Ok(Outward::Clear { press, top: point })
}

/// Asks the outermost readable document whether a point leads to the element or its frame.
async fn reaches(page: &Session, element: &Element, point: Point, budget: &Budget) -> Result<bool> {
    Ok(page.probe::<bool>(element, "reaches", &arguments(&point), budget).await?.unwrap_or(true))
}

/// Returns the frame that is `levels` above another one.
fn above(page: &Session, frame: &str, levels: usize) -> Option<String> {
    page.live().read(|world| {
        let mut at = frame.to_owned();
        for _ in 0..levels {
            at = world.frame(&at)?.parent.clone()?;
        }
        Some(at)
    })
}

/// Returns the iframe element of a frame, for a look in the document around it. `None` when the frame is gone.
async fn owner(
    page: &mut Session,
    of: &Element,
    child: &str,
    parent: &str,
    budget: &Budget,
) -> Result<Option<Element>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Owner {
        backend_node_id: i64,
    }
    let (session, context) = page.world(parent, budget).await?;
    let asked = page.answered(session.start(GetFrameOwnerParams::new(child.to_owned())), budget).await;
    let backend = match asked {
        Ok(reply) => reply.decode::<Owner>().map_err(|failure| page.explain(failure, budget))?.backend_node_id,
        Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => return Ok(None),
        Err(failed) => return Err(page.word(failed, budget)),
    };
    let params = ResolveNodeParams {
        backend_node_id: Some(BackendNodeId::new(backend)),
        execution_context_id: Some(crate::cdp::js::runtime::ExecutionContextId::new(context)),
        object_group: Some("pageboy".into()),
        ..Default::default()
    };
    let resolved: serde_json::Value = match page.answered(session.start(params), budget).await {
        Ok(reply) => reply.decode().map_err(|failure| page.explain(failure, budget))?,
        Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => return Ok(None),
        Err(failed) => return Err(page.word(failed, budget)),
    };
    let object = resolved.pointer("/object/objectId").and_then(serde_json::Value::as_str);
    Ok(object.map(|object| Element {
        reference: of.reference,
        was: of.was.clone(),
        frame: parent.to_owned(),
        backend,
        session,
        object_id: object.to_owned(),
        row: None,
        numbered: false,
        told_by_name: false,
    }))
}

/// Returns the corners of an element as the browser sees them, through every transform: clockwise from the top left.
async fn quad(page: &Session, element: &Element, budget: &Budget) -> Result<Option<[Point; 4]>> {
    #[derive(Deserialize)]
    struct Quads {
        quads: Vec<[f64; 8]>,
    }
    let params = GetContentQuadsParams { object_id: Some(element.object_id.clone().into()), ..Default::default() };
    let reply = match page.answered(element.session.start(params), budget).await {
        Ok(reply) => reply,
        Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => return Ok(None),
        Err(failed) => return Err(page.word(failed, budget)),
    };
    let quads: Quads = reply.decode().map_err(|failure| page.explain(failure, budget))?;
    Ok(quads
        .quads
        .first()
        .map(|&[x1, y1, x2, y2, x3, y3, x4, y4]| [(x1, y1), (x2, y2), (x3, y3), (x4, y4)].map(|(x, y)| Point { x, y })))
}

/// Returns the point of a parallelogram at these parts of its width and height.
fn within([corner, right, _, down]: [Point; 4], across: f64, below: f64) -> Point {
    Point {
        x: corner.x + (right.x - corner.x) * across + (down.x - corner.x) * below,
        y: corner.y + (right.y - corner.y) * across + (down.y - corner.y) * below,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_points_in_turned_boxes() {
        let turned = [(10.0, 0.0), (20.0, 10.0), (10.0, 20.0), (0.0, 10.0)].map(|(x, y)| Point { x, y });
        assert_eq!(within(turned, 0.5, 0.5), Point { x: 10.0, y: 10.0 });
        assert_eq!(within(turned, 1.0, 0.0), Point { x: 20.0, y: 10.0 });
    }
}
