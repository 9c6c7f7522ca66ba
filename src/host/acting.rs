//! Rows: input. Each resolves its ref, waits until the element is ready, acts once and reports.

use std::time::Duration;

use serde_json::Value;

use super::Host;
use super::args::{Args, Options, one_of};
use super::expected;
use crate::act::form;
use crate::act::keyboard::{self, Typing};
use crate::act::keys::Modifiers;
use crate::act::mouse::{self, Button, Click};
use crate::budget::{Budget, Layer};
use crate::error::{Error, Result};
use crate::page::Element;
use crate::page::probe::Point;

pub async fn click(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let options = args.options(1)?;
    let budget = timed(host, &options, budget)?;
    let count = options.count("count")?.unwrap_or(1);
    let click = Click {
        button: options.word("button", &Button::WORDS)?.and_then(Button::from_word).unwrap_or(Button::Left),
        count: u8::try_from(count)
            .ok()
            .filter(|count| (1..=3).contains(count))
            .ok_or_else(|| args.wrong_value("count", &format!("the number `{count}`"), "1, 2 or 3"))?,
        modifiers: modifiers(&args, &options)?,
        position: position(&args, &options)?,
        force: options.bool("force")?.unwrap_or(false),
    };
    let element = resolve(host, &args, &budget).await?;
    mouse::click(&mut host.page, &element, &click, &budget).await
}

pub async fn type_text(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let text = args.text(1, "text")?;
    let options = args.options(2)?;
    let budget = timed(host, &options, budget)?;
    let how = Typing {
        delay: options.milliseconds("delay")?.unwrap_or(Duration::ZERO),
        submit: options.bool("submit")?.unwrap_or(false),
    };
    let element = resolve(host, &args, &budget).await?;
    keyboard::type_text(&mut host.page, &element, &text, how, &budget).await
}

pub async fn fill(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let is_map = args.is_options(0);
    // A ref or node alone is no map of fields, and a map of fields takes no text.
    let fits = if is_map { args.len() <= 2 } else { args.len() >= 2 };
    if !fits {
        return Err(args.wrong_count());
    }
    if is_map {
        return super::filling::fill_fields(host, args, budget).await;
    }
    let options = args.options(2)?;
    if let Some(option) = ["within", "frame"].into_iter().find(|option| options.get(option).is_some()) {
        return Err(args.wrong_value(option, "given for a single field", "none: its ref is enough"));
    }
    let budget = timed(host, &options, budget)?;
    let submit = options.bool("submit")?.unwrap_or(false);
    // Several options of a list with multiple choice.
    if let Some(Value::Array(_)) = args.get(1) {
        let wanted = wanted_options(&args, 1, "text")?;
        let element = resolve(host, &args, &budget).await?;
        return form::select(&mut host.page, &element, &wanted, &budget).await;
    }
    let text = args.text(1, "text")?;
    let element = resolve(host, &args, &budget).await?;
    let filled = form::fill(&mut host.page, &element, &text, submit, &budget).await;
    or_check(host, &element, &[text], filled).await
}

pub async fn select(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let budget = timed(host, &args.options(2)?, budget)?;
    let wanted = wanted_options(&args, 1, "option")?;
    let element = resolve(host, &args, &budget).await?;
    let selected = form::select(&mut host.page, &element, &wanted, &budget).await;
    or_check(host, &element, &wanted, selected).await
}

/// Names the call that does it where an option was to be chosen among radio buttons.
async fn or_check(host: &mut Host, element: &Element, wanted: &[String], result: Result<Value>) -> Result<Value> {
    let (Err(Error::ListExpected { .. } | Error::ActNotTypable { .. }), [wanted]) = (&result, wanted) else {
        return result;
    };
    let look = super::waiting::reading(host, &host.budget());
    match super::fields::for_radios(host, &element.reference.to_string(), wanted, &look).await? {
        Some(error) => Err(error),
        None => result,
    }
}

pub async fn check(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    tick(host, &args, true, budget).await
}

pub async fn uncheck(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    tick(host, &args, false, budget).await
}

async fn tick(host: &mut Host, args: &Args, on: bool, budget: Budget) -> Result<Value> {
    let budget = timed(host, &args.options(1)?, budget)?;
    let element = resolve(host, args, &budget).await?;
    form::check(&mut host.page, &element, on, &budget).await
}

pub async fn press(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    if args.len() == 1 {
        let chord = expected::chord(&args.string(0, "keys")?)?;
        return keyboard::press(&mut host.page, None, &chord, &budget).await;
    }
    let chord = expected::chord_on_element(&args.string(1, "keys")?)?;
    let element = resolve(host, &args, &budget).await?;
    keyboard::press(&mut host.page, Some(&element), &chord, &budget).await
}

/// Resolves the ref. A short timeout limits the wait until the element is ready; a page that is merely busy gets a
/// moment more to say where the element is.
async fn resolve(host: &mut Host, args: &Args, budget: &Budget) -> Result<Element> {
    const AT_LEAST: Duration = Duration::from_secs(2);
    let text = args.reference(0, "ref")?;
    let floor = host.budget().child(AT_LEAST, Layer::Call);
    let budget = if budget.remaining() < floor.remaining() { &floor } else { budget };
    host.page.resolve(&text, budget).await
}

/// Returns the call's budget with the timeout of its options.
fn timed(host: &Host, options: &Options, budget: Budget) -> Result<Budget> {
    Ok(host.timed(options.milliseconds("timeout")?, budget))
}

fn modifiers(args: &Args, options: &Options) -> Result<i64> {
    let words = match options.get("modifiers") {
        None => return Ok(0),
        Some(Value::Array(words)) => words.clone(),
        Some(word) => vec![word.clone()],
    };
    let bit = |word: &Value| {
        let text = word.as_str().unwrap_or_default();
        Modifiers::from_word(text)
            .ok_or_else(|| args.wrong_value("modifiers", &super::describe(word), &one_of(&Modifiers::WORDS)))
    };
    words.iter().map(bit).try_fold(0, |bits, bit| Ok::<i64, Error>(bits | bit?))
}

fn position(args: &Args, options: &Options) -> Result<Option<Point>> {
    let Some(given) = options.get("position") else { return Ok(None) };
    let axis = |name: &str| given.get(name).and_then(Value::as_f64);
    match (axis("x"), axis("y")) {
        (Some(x), Some(y)) => Ok(Some(Point { x, y })),
        _ => Err(args.wrong_type("position", given, "a map `#{x, y}` in CSS pixels from the element's corner")),
    }
}

/// Reads one option or several, as labels or values.
fn wanted_options(args: &Args, index: usize, parameter: &str) -> Result<Vec<String>> {
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(args.wrong_type(parameter, other, "an option's label or value, or an array of them")),
    };
    match args.get(index) {
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(value) => Ok(vec![text(value)?]),
        None => Ok(Vec::new()),
    }
}
