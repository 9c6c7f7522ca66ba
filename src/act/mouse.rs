//! Clicks.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::input::{Delivery, Input, deliver, unless_gone_on};
use super::outcome::{self, Deed, Mark};
use super::ready::{LOOK_AGAIN, Target, coverer, ready, seen_through};
use crate::budget::Budget;
use crate::cdp::protocol::input::{DispatchMouseEventParams, DispatchMouseEventType, MouseButton};
use crate::error::{Error, Result};
use crate::page::probe::{Facts, Landed, Point, Wants};
use crate::page::settle::pause;
use crate::page::{Element, Session, millis};

/// How long the browser takes to paint.
const A_FRAME: Duration = Duration::from_millis(16);

/// How a click is made.
#[derive(Debug, Clone)]
pub struct Click {
    pub button: Button,
    /// 2 for a double click.
    pub count: u8,
    /// Bits as in [`super::keys::Modifiers`].
    pub modifiers: i64,
    /// Where to press, from the corner of the element, in CSS pixels.
    pub position: Option<Point>,
    /// Skips the wait and every check.
    pub force: bool,
}

impl Default for Click {
    fn default() -> Self {
        Self { button: Button::Left, count: 1, modifiers: 0, position: None, force: false }
    }
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    Left,
    Middle,
    Right,
}

impl Button {
    /// The words that scripts use, in the order of the variants.
    pub const WORDS: [&'static str; 3] = ["left", "middle", "right"];

    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "left" => Some(Self::Left),
            "middle" => Some(Self::Middle),
            "right" => Some(Self::Right),
            _ => None,
        }
    }

    fn of_protocol(self) -> (MouseButton, i64) {
        match self {
            Self::Left => (MouseButton::Left, 1),
            Self::Right => (MouseButton::Right, 2),
            Self::Middle => (MouseButton::Middle, 4),
        }
    }
}

/// Clicks an element and reports what came of it: `{success, method, tag, rect, name, href, navigated, opened_tab,
/// dialog, download, changed, hint, rebound}`. Three round trips on a quiet page, and one to resolve the ref the first
/// time.
///
/// A press that would reach another element is swallowed in the page, and the element is looked at again until the
/// deadline: the pointer may have set something going on its way.
///
/// # Errors
/// As [`ready`]; `act::covered` or `act::moving` also when the page moves under every press, `act::unknown` when no
/// press was seen, `page::hung` when the page does not finish with it.
pub async fn click(page: &mut Session, element: &Element, click: &Click, budget: &Budget) -> Result<Value> {
    let mark = Mark::take(page);
    let (target, after) = press_verified(page, element, click, "press", budget).await?;
    let budget = &seen_through(budget);
    let method = if target.by_label { "label" } else { "mouse" };
    Ok(outcome::report(page, Some(&target), &mark, Deed { method, after, value: None }, budget).await)
}

/// Waits for the element, presses it and makes sure that the press reached it. Returns what the page script saw
/// afterwards; `None` when a dialog or a navigation came first.
pub(super) async fn press_verified(
    page: &mut Session,
    element: &Element,
    click: &Click,
    refuse: &'static str,
    budget: &Budget,
) -> Result<(Target, Option<Facts>)> {
    let watch = budget.remaining().unwrap_or(Duration::from_secs(5));
    let wants = Wants {
        refuse,
        watch: u64::try_from(watch.as_millis()).unwrap_or(u64::MAX).max(1),
        force: click.force,
        position: click.position,
        ..Wants::default()
    };
    let started = Instant::now();
    loop {
        let target = ready(page, element, wants.clone(), budget).await?;
        if page.has_other_processes() && !click.force && !target.facts.is_frame() {
            arrive(page, &target, budget).await?;
        }
        match press_once(page, &target, click, &seen_through(budget)).await? {
            Pressed::Landed(after) => return Ok((target, after.map(|after| *after))),
            Pressed::Swallowed(seen) => {
                page.verify(&target.element, &seen.after.sketch, budget).await?;
                if pause(LOOK_AGAIN, budget).await.is_err() {
                    let error = astray(page, &target, &seen, started, &seen_through(budget)).await;
                    return Err(budget.overrun().unwrap_or(error));
                }
            }
        }
    }
}

/// What became of one press.
enum Pressed {
    /// It reached its element. What the page script saw afterwards; `None` when a dialog or a navigation came first.
    Landed(Option<Box<Facts>>),
    /// It would have reached another element, and was kept from it.
    Swallowed(Box<Landed>),
}

async fn press_once(page: &Session, target: &Target, click: &Click, budget: &Budget) -> Result<Pressed> {
    let sent = deliver(page, &target.element.session, presses(target.point, click), budget).await?;
    if sent != Delivery::Done {
        return Ok(Pressed::Landed(None));
    }
    let after = page.probe::<Landed>(&target.element, "landed", &[], budget).await;
    match unless_gone_on(page, after)? {
        Some(after @ Landed { landed: Some(false), .. }) => Ok(Pressed::Swallowed(Box::new(after))),
        Some(Landed { landed: None, .. }) if !click.force && !target.facts.is_frame() => {
            Err(unknown(target, "its frame saw no press"))
        }
        Some(Landed { strayed: true, .. }) => Err(unknown(
            target,
            "the first press did; then the page changed, and the next one, which would have reached another element, \
             was held back",
        )),
        Some(landed) => {
            let mut after = landed.after;
            after.unclicked = !landed.clicked;
            Ok(Pressed::Landed(Some(Box::new(after))))
        }
        None => Ok(Pressed::Landed(None)),
    }
}

/// Moves the pointer to the target until its document hears of it.
///
/// The browser routes input between processes by what was painted last. After a scroll that is an older picture for
/// some frames, and a press could reach a frame that has just left the place (seen in Chromium 156).
async fn arrive(page: &Session, target: &Target, budget: &Budget) -> Result<()> {
    let moved = || presses(target.point, &Click::default()).into_iter().take(1).collect();
    loop {
        if deliver(page, &target.element.session, moved(), budget).await? != Delivery::Done {
            return Ok(());
        }
        match page.probe::<bool>(&target.element, "met", &[], budget).await? {
            Some(false) => {}
            Some(true) | None => return Ok(()),
        }
        if pause(A_FRAME, budget).await.is_err() {
            let (reference, was) = (target.element.reference, target.element.was.clone());
            let elsewhere =
                Error::ActCovered { reference, was, coverer: None, inert: false, waited_ms: millis(budget.granted()) };
            return Err(budget.overrun().unwrap_or(elsewhere));
        }
    }
}

fn unknown(target: &Target, evidence: &str) -> Error {
    let (reference, was) = (Some(target.element.reference), target.element.was.clone());
    Error::ActUnknown { reference, was, evidence: evidence.to_owned() }
}

/// Says why the last press was swallowed.
async fn astray(page: &mut Session, target: &Target, seen: &Landed, started: Instant, budget: &Budget) -> Error {
    let (reference, was) = (target.element.reference, target.element.was.clone());
    let waited_ms = millis(started.elapsed());
    if seen.moved {
        return Error::ActMoving { reference, was, waited_ms };
    }
    let coverer = coverer(page, &target.element, budget).await;
    Error::ActCovered { reference, was, coverer, inert: false, waited_ms }
}

/// Presses without a watch, to move the focus as a person would.
pub(super) async fn press(page: &Session, target: &Target, budget: &Budget) -> Result<Delivery> {
    deliver(page, &target.element.session, presses(target.point, &Click::default()), budget).await
}

/// Returns the events of a click: the pointer comes, presses and lets go.
fn presses(point: Point, click: &Click) -> Vec<Input> {
    let (button, bit) = click.button.of_protocol();
    let event = |kind: DispatchMouseEventType, count: u8, buttons: i64| {
        let mut params = DispatchMouseEventParams::new(kind.clone(), point.x, point.y);
        params.modifiers = Some(click.modifiers);
        params.button =
            Some(if kind == DispatchMouseEventType::MouseMoved { MouseButton::None } else { button.clone() });
        params.buttons = Some(buttons);
        params.click_count = Some(i64::from(count));
        Input::Mouse(params)
    };
    let mut events = vec![event(DispatchMouseEventType::MouseMoved, 0, 0)];
    for count in 1..=click.count.max(1) {
        events.push(event(DispatchMouseEventType::MousePressed, count, bit));
        events.push(event(DispatchMouseEventType::MouseReleased, count, 0));
    }
    events
}
