//! `step`, `within`, `retry` and `error_of`: they run a closure of the script, so they live beside it; the host sees
//! where they begin and end.

use std::rc::Rc;
use std::time::Duration;

use rhai::{Dynamic, Engine, EvalAltResult, FnPtr, NativeCallContext, Position};
use serde_json::Value;

use super::link::{Link, Stop};
use super::modules::Modules;
use super::names::Names;
use super::{value, words};
use crate::host::expected::Takes;
use crate::lang::IN_WORKER;
use crate::lang::fault::Fault;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// How long `retry` waits before the second attempt; the wait doubles each time.
const FIRST_WAIT_MS: u64 = 100;

/// Registers the functions.
pub fn register(engine: &mut Engine, link: &Rc<Link>, modules: &Rc<Modules>) {
    let line = Rc::clone(link);
    engine.register_fn("step", move |context: NativeCallContext, name: Dynamic, body: Dynamic| {
        let name = argument(&line, &context, "name", &name, "a string", |name| name.clone().into_string().ok())?;
        step(&line, &context, &name, &closure(&line, &context, &body)?)
    });
    let line = Rc::clone(link);
    engine.register_fn("within", move |context: NativeCallContext, ms: Dynamic, body: Dynamic| {
        let ms = argument(&line, &context, "ms", &ms, "a number of milliseconds", whole)?;
        within(&line, &context, ms, &closure(&line, &context, &body)?)
    });
    let line = Rc::clone(link);
    engine.register_fn("retry", move |context: NativeCallContext, times: Dynamic, body: Dynamic| {
        let times = argument(&line, &context, "n", &times, "a number of attempts", |times| times.as_int().ok())?;
        retry(&line, &context, times, &closure(&line, &context, &body)?)
    });
    let (line, modules) = (Rc::clone(link), Rc::clone(modules));
    engine.register_fn("error_of", move |context: NativeCallContext, caught: Dynamic| {
        error_of(&line, modules.names(context.engine()), caught)
    });
}

fn step(link: &Link, context: &NativeCallContext, name: &str, body: &FnPtr) -> Outcome<Dynamic> {
    let located = link.sources().of_call(context);
    link.call("step_begin", vec![name.into()], &located)?;
    let result = body.call_raw(context, None, []);
    finish(result, |ok| link.ask("step_end", vec![ok.into()], &located))
}

fn within(link: &Link, context: &NativeCallContext, ms: i64, body: &FnPtr) -> Outcome<Dynamic> {
    let located = link.sources().of_call(context);
    let Some(limit_ms) = u64::try_from(ms).ok().filter(|&ms| ms > 0) else {
        let fault = wrong("within", "ms", ms, "a number of milliseconds above 0");
        return Err(link.throw(fault, located));
    };
    link.call("within_begin", vec![limit_ms.into()], &located)?;
    let number = link.enter(Duration::from_millis(limit_ms));
    let result = body.call_raw(context, None, []);
    link.leave(number);
    let result = result.map_err(|error| match stopped_by(&error) {
        Some(Stop::Within(late)) if late == number => {
            let Some(late) = link.take_late() else {
                let trace = link.sources().trace(&error);
                let place = if trace.located.site.is_some() { trace.located } else { located.clone() };
                return link.throw(Fault::Within { limit_ms }, place);
            };
            // The host names the call that was under way, when it was this `within` that ended it.
            match late.refused {
                Some((error, limit)) if limit == limit_ms => EvalAltResult::ErrorRuntime(error, Position::NONE).into(),
                _ => link.throw(Fault::Within { limit_ms }, late.located),
            }
        }
        _ => error,
    });
    finish(result, |_| link.ask("within_end", Vec::new(), &located))
}

/// Reads a number of milliseconds. `NaN` becomes 0, what is too large the largest number.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and a fraction of a millisecond is nothing")]
fn whole(ms: &Dynamic) -> Option<i64> {
    ms.as_int().ok().or_else(|| Some(ms.as_float().ok()?.round() as i64))
}

fn closure(link: &Link, context: &NativeCallContext, body: &Dynamic) -> Outcome<FnPtr> {
    argument(link, context, "|| …", body, "a closure: `|| …`", |body| body.clone().try_cast())
}

/// Reads an argument.
///
/// # Errors
/// `args::type` when `read` gives nothing.
fn argument<T>(
    link: &Link,
    context: &NativeCallContext,
    parameter: &str,
    value: &Dynamic,
    expected: &str,
    read: impl FnOnce(&Dynamic) -> Option<T>,
) -> Outcome<T> {
    read(value).ok_or_else(|| {
        let function = context.fn_name();
        let takes = IN_WORKER.iter().find(|known| known.name == function).map(|known| known.signature.to_owned());
        let written = || Takes::of(function, parameter)?.written(&value::argument(value).ok()?);
        let hint =
            takes.as_ref().zip(written()).map(|(form, meant)| format!("write `{}`", form.replace(parameter, &meant)));
        let fault = Fault::ArgsType {
            function: function.to_owned(),
            parameter: parameter.to_owned(),
            found: value::describe(value),
            expected: expected.to_owned(),
            takes: takes.unwrap_or_default(),
            hint,
        };
        link.throw(fault, link.sources().of_call(context))
    })
}

fn retry(link: &Link, context: &NativeCallContext, times: i64, body: &FnPtr) -> Outcome<Dynamic> {
    let located = link.sources().of_call(context);
    let Some(times) = u64::try_from(times).ok().filter(|&times| times > 0) else {
        return Err(link.throw(wrong("retry", "n", times, "a number of attempts above 0"), located));
    };
    let mut wait_ms = FIRST_WAIT_MS;
    let mut attempt = 1;
    loop {
        match body.call_raw(context, None, []) {
            Err(error) if attempt < times && is_catchable(&error) => {
                link.call("sleep", vec![wait_ms.into()], &located)?;
                wait_ms = wait_ms.saturating_mul(2);
                attempt += 1;
            }
            result => return result,
        }
    }
}

/// Tells the host the end, except when the run itself is over. The closure's error counts more than the end's.
fn finish(result: Outcome<Dynamic>, end: impl FnOnce(bool) -> Outcome<Value>) -> Outcome<Dynamic> {
    match result {
        Ok(value) => end(true).map(|_| value),
        Err(error) if matches!(stopped_by(&error), Some(Stop::Cancelled | Stop::Record(_))) => Err(error),
        Err(error) => match end(false) {
            Err(late) if !is_catchable(&late) => Err(late),
            // A second error on the way out of the first says nothing new.
            _ => Err(error),
        },
    }
}

fn wrong(function: &str, parameter: &str, found: i64, expected: &str) -> Fault {
    Fault::ArgsValue {
        function: function.into(),
        parameter: parameter.into(),
        found: found.to_string(),
        expected: expected.into(),
    }
}

pub fn innermost(error: &EvalAltResult) -> &EvalAltResult {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) | EvalAltResult::ErrorInModule(_, inner, _) => {
            innermost(inner)
        }
        error => error,
    }
}

fn is_catchable(error: &EvalAltResult) -> bool {
    innermost(error).is_catchable()
}

fn stopped_by(error: &EvalAltResult) -> Option<Stop> {
    match innermost(error) {
        EvalAltResult::ErrorTerminated(token, _) => token.clone().try_cast(),
        _ => None,
    }
}

/// Returns any caught value as the map of a host error.
fn error_of(link: &Link, names: &Names, caught: Dynamic) -> Dynamic {
    if is_host_error(&caught) {
        return caught;
    }
    if let Some(map) = caught.read_lock::<rhai::Map>().and_then(|map| of_rhai(link, names, &map)) {
        return map;
    }
    let mut map = value::map(entries(&words::of_thrown(&caught)));
    if let Some(mut map) = map.write_lock::<rhai::Map>() {
        // What the script threw stays at hand.
        map.insert("thrown".into(), caught);
    }
    map
}

fn of_rhai(link: &Link, names: &Names, map: &rhai::Map) -> Option<Dynamic> {
    let caught = words::of_caught(map, names)?;
    let mut entries = entries(&caught.fault);
    let (script, place) = caught
        .place
        .and_then(|place| link.sources().find(place))
        .map(|(source, place)| (source.script.name.clone(), place))
        .unzip();
    let (line, column) = place.unzip();
    entries.insert("script".into(), script.into());
    entries.insert("line".into(), line.into());
    entries.insert("column".into(), column.into());
    Some(value::map(entries))
}

fn is_host_error(caught: &Dynamic) -> bool {
    caught.read_lock::<rhai::Map>().is_some_and(|map| map.get("code").is_some_and(Dynamic::is_string))
}

fn entries(fault: &Fault) -> serde_json::Map<String, Value> {
    fault.error().map(|error| error.to_map()).unwrap_or_default()
}
