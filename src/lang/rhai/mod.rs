//! Rhai: runs one script against the line to the parent.

mod bind;
mod check;
mod control;
mod engine;
mod lexer;
mod link;
mod modules;
mod names;
mod parse;
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

pub use self::bind::parameters;
pub use self::link::Exchange;
use self::link::{Link, Stop};
use self::modules::Modules;
use self::names::Names;
use self::sources::{Source, Sources, Trace};
use crate::lang::fault::Fault;
use crate::lang::protocol::{End, Ended, Start};

/// Runs a script to its end. Setting `stop` ends it at its next step.
pub fn run(start: Start, exchange: Exchange, stop: Arc<AtomicBool>) -> End {
    let sources = Rc::new(Sources::default());
    let link = Rc::new(Link::new(exchange, stop, Rc::clone(&sources)));
    let modules = Rc::new(Modules::new(&link, &start.limits));
    let engine = engine::build(&start.limits, &link, &modules);
    let main = start.script.name.clone();
    let result = modules
        .load(&engine, start.script)
        .and_then(|source| engine.eval_ast_with_scope::<Dynamic>(&mut Scope::new(), &program(&engine, &source)?));
    match result {
        Ok(value) => End::Ok(value::result(&value)),
        Err(error) => End::Error(ended(&link, modules.names(&engine), &main, &error)),
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
fn ended(link: &Link, names: &Names, main: &str, error: &EvalAltResult) -> Ended {
    let Trace { located, mut stack } = link.sources().trace(main, error);
    let inner = control::innermost(error);
    let record = match inner {
        EvalAltResult::ErrorRuntime(thrown, _) => thrown.read_lock::<Map>().and_then(|map| link.recorded(&map)),
        EvalAltResult::ErrorTerminated(token, _) => match token.clone().try_cast::<Stop>() {
            Some(Stop::Record(number)) => link.record_at(number),
            _ => None,
        },
        _ => None,
    };
    let (fault, located) = match record {
        Some(record) => {
            // An error that was caught and thrown again is told where it came from first.
            let is_thrown = matches!(inner, EvalAltResult::ErrorRuntime(..));
            if let (Some(first), Some(again)) = (&record.located.site, &located.site)
                && is_thrown
                && first != again
            {
                let frame = |site: &crate::script::Site| crate::lang::protocol::StackFrame {
                    script: site.script.clone(),
                    line: site.line,
                    column: site.column,
                    function: "throw".into(),
                };
                stack.insert(0, frame(again));
            }
            let located = if record.located.site.is_some() { record.located } else { located };
            (record.fault, located)
        }
        None if matches!(inner, EvalAltResult::ErrorTerminated(..)) => (Fault::Cancelled, located),
        None => (words::of_engine(inner, names), located),
    };
    Ended { fault, site: located.site, arguments: located.arguments, stack }
}
