//! Compiling one script. The parser stops at the first fault; a copy that is mended there is read again, so that a
//! script is told all its faults at once.

use rhai::{AST, Engine, Scope};

use super::link::Record;
use super::mend::Copy;
use super::parse::{self, Explained};
use super::sources::{Located, place};
use super::spans::{Place, Spans};
use crate::script::Script;

/// How many faults of one script are told at once.
const MOST_FAULTS: usize = 50;

/// What came of compiling a script.
pub struct Compiled {
    /// Empty where something is wrong.
    pub ast: AST,
    pub findings: Vec<Record>,
    /// Where the parser gave up for good.
    pub unread: Option<Place>,
}

/// Compiles a script behind so many empty lines.
pub fn script(engine: &Engine, script: &Script, lines_before: usize) -> Compiled {
    let mut copy = script.clone();
    let (mut scope, mut variables) = (Scope::new(), Vec::new());
    let mut findings: Vec<Record> = Vec::new();
    loop {
        let error = match engine.compile_with_scope(&scope, format!("{}{}", "\n".repeat(lines_before), copy.text)) {
            Ok(ast) => {
                let ast = if findings.is_empty() { ast } else { AST::empty() };
                return Compiled { ast, findings, unread: None };
            }
            Err(error) => error,
        };
        let spans = Spans::of(&copy.text);
        let at = place(error.position()).map(|(line, column)| (line.saturating_sub(lines_before), column));
        let Explained { fault, site, token } = parse::explain(&copy, script, &spans, error.err_type(), at);
        let here = (site.line, site.column);
        let is_known = findings.iter().any(|known| known.fault == fault && known.located.site.as_ref() == Some(&site));
        if !is_known {
            findings.push(Record { fault, located: Located { site: Some(site), arguments: Vec::new() } });
        }
        let copied = Copy { text: &copy.text, tokens: spans.tokens(), variables: &variables };
        let mended = copied.mended(error.err_type(), token);
        match mended.filter(|_| !is_known && findings.len() < MOST_FAULTS) {
            Some(mended) => {
                copy.text = mended.text;
                if let Some(name) = mended.variable.filter(|name| !variables.contains(name)) {
                    scope.push(name.clone(), ());
                    variables.push(name);
                }
            }
            None => return Compiled { ast: AST::empty(), findings, unread: Some(here) },
        }
    }
}
