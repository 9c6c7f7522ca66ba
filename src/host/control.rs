//! Rows: the run itself. Arguments, output, checks, and the begin and end of control functions, whose closures
//! run in the engine.

use serde_json::{Value, json};

use super::args::Args;
use super::{Host, marks};
use crate::budget::{Budget, Layer};
use crate::error::{Error, Result};
use crate::page::settle::pause;

pub async fn arg(host: &mut Host, mut args: Args, _: Budget) -> Result<Value> {
    let name = args.string(0, "name")?;
    match host.run_args.get(&name) {
        Some(value) => Ok(value.as_str().into()),
        None if args.len() == 2 => Ok(args.take(1)),
        None => Err(Error::ArgMissing { name }),
    }
}

pub async fn args(host: &mut Host, _: Args, _: Budget) -> Result<Value> {
    Ok(json!(host.run_args))
}

pub async fn log(host: &mut Host, mut args: Args, _: Budget) -> Result<Value> {
    let text = match args.take(0) {
        Value::String(text) => text,
        Value::Null => "()".into(),
        other => match marks::tree_text(&other) {
            Some(text) => text.to_owned(),
            None => marks::unmarked(other).to_string(),
        },
    };
    host.print(&text)?;
    Ok(Value::Null)
}

pub async fn emit(host: &mut Host, mut args: Args, _: Budget) -> Result<Value> {
    let row = marks::unmarked(args.take(0));
    host.observer.row(&row);
    host.journal.rows.push(row);
    Ok(Value::Null)
}

pub async fn assert(_: &mut Host, mut args: Args, _: Budget) -> Result<Value> {
    match args.get(0) {
        Some(Value::Bool(true)) => Ok(Value::Null),
        Some(Value::Bool(false)) => {
            let message = if args.len() == 2 { Some(args.text(1, "message")?) } else { None };
            let problem = message.unwrap_or_else(|| "the assertion does not hold".to_owned());
            Err(Error::ScriptAssert { problem })
        }
        _ => {
            let found = args.take(0);
            Err(args.wrong_type("cond", &found, "true or false"))
        }
    }
}

pub async fn fail(_: &mut Host, args: Args, _: Budget) -> Result<Value> {
    Err(Error::ScriptAssert { problem: args.text(0, "message")? })
}

pub async fn sleep(_: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let moment = args.milliseconds(0, "ms")?;
    match pause(moment, &budget).await {
        Ok(()) => Ok(Value::Null),
        Err(_) => Err(budget
            .overrun()
            .unwrap_or_else(|| Error::InternalBug { problem: "a wait ended although its time was not up".into() })),
    }
}

pub async fn remaining(_: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    Ok(budget.remaining().map_or(Value::Null, |left| json!(crate::page::millis(left))))
}

pub async fn step_begin(host: &mut Host, args: Args, _: Budget) -> Result<Value> {
    let event = host.journal.step_begins(&args.text(0, "name")?);
    host.observer.step(&event);
    Ok(Value::Null)
}

pub async fn step_end(host: &mut Host, args: Args, _: Budget) -> Result<Value> {
    let ok = args.get(0).and_then(Value::as_bool).unwrap_or(false);
    if let Some(event) = host.journal.step_ends(ok) {
        host.observer.step(&event);
    }
    Ok(Value::Null)
}

pub async fn within_begin(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let granted = args.milliseconds(0, "ms")?;
    host.scopes.push(budget.child(granted, Layer::Within));
    Ok(Value::Null)
}

pub async fn within_end(host: &mut Host, _: Args, _: Budget) -> Result<Value> {
    host.scopes.pop();
    Ok(Value::Null)
}
