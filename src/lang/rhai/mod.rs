//! Rhai: runs one script against the line to the parent.

mod bind;
mod check;
mod choices;
mod compile;
mod conditions;
mod control;
mod doubts;
mod elsewhere;
mod engine;
mod fields;
mod given;
mod habits;
mod lexer;
mod link;
mod literals;
mod mend;
mod modules;
mod names;
mod parse;
mod slips;
mod sources;
mod spans;
mod strings;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod words;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rhai::{AST, Dynamic, Engine, EvalAltResult, Map, Scope};

use self::lexer::Token;
pub use self::link::Exchange;
use self::link::{Link, Record, Stop};
use self::modules::Modules;
use self::names::Names;
use self::sources::{Source, Sources, Trace};
use self::spans::{Span, Spans};
use crate::lang::fault::Fault;
use crate::lang::protocol::{End, Ended, StackFrame, Start};
use crate::script::{Script, Site};

/// Runs a script to its end, once the parent lets it start. Setting `stop` ends it at its next step.
pub fn run(start: Start, exchange: Exchange, stop: Arc<AtomicBool>) -> End {
    let sources = Rc::new(Sources::default());
    let link = Rc::new(Link::new(exchange, stop, Rc::clone(&sources)));
    let modules = Rc::new(Modules::new(&link, &start.limits));
    let engine = engine::build(&start.limits, &link, &modules);
    let result = modules.load(&engine, start.script).and_then(|source| {
        let doubts = modules.doubts().into_iter().map(ended_at);
        let faults = modules.findings();
        if !faults.is_empty() {
            let faults = faults.into_iter().map(ended_at).collect();
            return Ok(End::Faulty { faults, doubts: doubts.collect() });
        }
        link.ready(doubts.collect())?;
        let value = engine.eval_ast_with_scope::<Dynamic>(&mut Scope::new(), &program(&engine, &source)?)?;
        Ok(End::Ok(value::result(&value)))
    });
    result.unwrap_or_else(|error| End::Error(ended(&link, modules.names(&engine), &error)))
}

fn ended_at(Record { fault, located, fix }: Record) -> Ended {
    Ended { fault, site: located.site, arguments: located.arguments, stack: Vec::new(), fix }
}

/// Returns where the entry of a literal map stands: its name and its value.
pub fn entry(script: &Script, map: &Site, key: &str) -> Option<(Site, Site)> {
    let spans = Spans::of(&script.text);
    let map = Span { start: (map.line, map.column), end: (map.end_line, map.end_column) };
    let entry = spans.entries(&script.text, map).into_iter().find(|entry| entry.key == key)?;
    Some((entry.name.site(&script.name), entry.value.site(&script.name)))
}

/// Returns where a text stands literally in a part of a script, if it does so once.
pub fn literal(script: &Script, part: &Site, wanted: &str) -> Option<Site> {
    let spans = Spans::of(&script.text);
    let part = Span { start: (part.line, part.column), end: (part.end_line, part.end_column) };
    let is_wanted = |token: &&Token| token.text(&script.text) == format!("\"{wanted}\"");
    match spans.within(part).iter().filter(is_wanted).collect::<Vec<_>>().as_slice() {
        [only] => Some(Span::of(only).site(&script.name)),
        _ => None,
    }
}

/// Returns what is run of the main script. Rhai takes the last statement for the script's value, also behind a `;`:
/// then nobody asked for what a `click(…);` gives, and `()` stands in its place. An early `return` keeps its value.
fn program(engine: &Engine, source: &Source) -> Result<AST, Box<EvalAltResult>> {
    let is_statement = source.spans.tokens().last().is_some_and(|token| token.text(&source.script.text) == ";");
    if !is_statement {
        return Ok(source.ast.clone());
    }
    let mut program = source.ast.merge(&engine.compile("()").map_err(|error| Box::new(EvalAltResult::from(error)))?);
    program.set_source(&source.script.name);
    Ok(program)
}

/// Says what ended the script and where.
fn ended(link: &Link, names: &Names, error: &EvalAltResult) -> Ended {
    let Trace { located, mut stack } = link.sources().trace(error);
    let inner = control::innermost(error);
    let record = match inner {
        EvalAltResult::ErrorRuntime(thrown, _) => thrown.read_lock::<Map>().and_then(|map| {
            // An error that was caught and thrown again is told where it came from first.
            link.recorded(&map).or_else(|| first_caught(link, names, &map))
        }),
        EvalAltResult::ErrorTerminated(token, _) => match token.clone().try_cast::<Stop>() {
            Some(Stop::Record(number)) => link.record_at(number),
            _ => None,
        },
        _ => None,
    };
    let (fault, located) = match record {
        Some(record) => {
            let is_thrown = matches!(inner, EvalAltResult::ErrorRuntime(..));
            if let (Some(first), Some(again)) = (&record.located.site, &located.site)
                && is_thrown
                && first != again
            {
                let (script, line, column) = (again.script.clone(), again.line, again.column);
                stack.insert(0, StackFrame { script, line, column, function: "throw".into() });
            }
            let located = if record.located.site.is_some() { record.located } else { located };
            (record.fault, located)
        }
        None if matches!(inner, EvalAltResult::ErrorTerminated(..)) => (Fault::Cancelled, located),
        None => (foreign_closure(link, inner).unwrap_or_else(|| words::of_engine(inner, names)), located),
    };
    Ended { fault, site: located.site, arguments: located.arguments, stack, fix: None }
}

/// Words what Rhai says when a closure is called that a function of a module made and gave away: it can't be found.
fn foreign_closure(link: &Link, error: &EvalAltResult) -> Option<Fault> {
    let EvalAltResult::ErrorFunctionNotFound(signature, _) = error else { return None };
    let (name, given) = signature.split_once(" (")?;
    let given = given.split(", ").filter(|kind| *kind != ")").count();
    let made_in = |source: &Rc<Source>| {
        let fits = source.ast.iter_functions().any(|known| known.name == name && known.params.len() == given);
        (fits && sources::is_closure(name)).then(|| source.script.name.clone())
    };
    let home = link.sources().each(made_in).into_iter().flatten().next()?;
    Some(Fault::hinted(
        format!("this closure was made in `{home}`, and no other script can call it"),
        "write the closure where it is passed on, or call it inside the module",
    ))
}

/// Returns one of Rhai's own errors that the script caught and threw again.
fn first_caught(link: &Link, names: &Names, map: &Map) -> Option<Record> {
    let caught = words::of_caught(map, names)?;
    let located = caught.place.map(|place| link.sources().at(place)).unwrap_or_default();
    Some(Record::new(caught.fault, located))
}
