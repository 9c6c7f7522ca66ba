//! Compiling one script. The parser stops at the first fault; a copy that is mended there is read again, so that a
//! script is told all its faults at once.

use std::ops::Range;

use rhai::{AST, Engine, ParseErrorType, Scope};

use super::link::Record;
use super::mend::{Copy, Mended};
use super::parse::{self, Explained};
use super::slips::Slip;
use super::sources::{Located, place};
use super::spans::{Place, Spans};
use crate::script::Script;

/// How many faults of one script are told at once.
const MOST_FAULTS: usize = 50;

/// What came of compiling a script.
pub struct Compiled {
    /// Empty where something is wrong.
    pub ast: AST,
    /// The text that was read: the script itself, or its mended copy.
    pub text: String,
    pub findings: Vec<Record>,
    pub doubtful: Doubtful,
}

/// What can't be told from a copy that was mended.
#[derive(Debug, Default)]
pub struct Doubtful {
    /// Where the parser gave up for good.
    pub unread: Option<Place>,
    /// Names that mending brought in.
    pub names: Vec<String>,
    /// Where something was mended: the copy has what fits there, not what was meant.
    pub guessed: Vec<Place>,
}

/// Compiles a script behind so many empty lines.
pub fn script(engine: &Engine, script: &Script, lines_before: usize) -> Compiled {
    let mut copy = script.clone();
    // The engine is not shown a first line for the shell.
    if copy.text.starts_with("#!") {
        let end = copy.text.find('\n').unwrap_or(copy.text.len());
        copy.text.replace_range(..end, "");
    }
    let (mut scope, mut names, mut undeclared) = (Scope::new(), Vec::new(), Vec::new());
    let (mut odd, mut guessed) = (Vec::new(), Vec::new());
    let mut findings: Vec<Record> = Vec::new();
    loop {
        let error = match engine.compile_with_scope(&scope, format!("{}{}", "\n".repeat(lines_before), copy.text)) {
            Ok(ast) => {
                let ast = if findings.is_empty() { ast } else { AST::empty() };
                names.extend(undeclared);
                return Compiled {
                    ast,
                    text: copy.text,
                    findings,
                    doubtful: Doubtful { unread: None, names, guessed },
                };
            }
            Err(error) => error,
        };
        let spans = Spans::of(&copy.text);
        let at = place(error.position()).map(|(line, column)| (line.saturating_sub(lines_before), column));
        let Explained { fault, site, token, slip } = parse::explain(&copy, script, &spans, error.err_type(), at);
        let here = (site.line, site.column);
        let is_slip = slip.is_some();
        let (mended, instead) = match slip {
            Some(Slip { mended, instead, names: told, .. }) => {
                undeclared.extend(told);
                let mended = mended.map(|text| Mended { text, variable: None, instead: None });
                // A variable stands for any value.
                let is_value = matches!(error.err_type(), ParseErrorType::VariableUndefined(_)) && instead.is_some();
                let copied = Copy { text: &copy.text, tokens: spans.tokens(), variables: &names };
                (mended.or_else(|| copied.mended(error.err_type(), token).filter(|_| is_value)), instead)
            }
            None => {
                let copied = Copy { text: &copy.text, tokens: spans.tokens(), variables: &names };
                let mended = copied.mended(error.err_type(), token);
                let instead = mended.as_ref().and_then(|mended| mended.instead.clone());
                (mended, instead)
            }
        };
        let fix = instead.and_then(|(bytes, instead)| fixed(script, &copy.text, &bytes, &instead));
        let is_known = findings.iter().any(|known| known.fault == fault && known.located.site.as_ref() == Some(&site));
        // A variable that lacks its `let` was told where it is set.
        let is_told = matches!(error.err_type(), ParseErrorType::VariableUndefined(name) if undeclared.contains(name))
            && mended.as_ref().is_some_and(|mended| mended.variable.is_some());
        // What has no function or variable is read as a statement of its own; that it lacks its `;` says nothing.
        let is_behind = matches!(error.err_type(), ParseErrorType::MissingToken(token, _) if token == ";")
            && (odd.contains(&here) || spans.tokens().get(token).is_some_and(|t| odd.contains(&(t.line, t.column))));
        if is_slip || matches!(error.err_type(), ParseErrorType::VariableUndefined(_)) {
            odd.push(here);
        }
        // A name that nothing has is a name all the same.
        let is_name = mended.as_ref().is_some_and(|mended| mended.variable.is_some());
        if is_slip || !is_name {
            guessed.push(here);
        }
        if !is_known && !is_told && !is_behind {
            findings.push(Record::new(fault, Located { site: Some(site), arguments: Vec::new() }).fixed(fix));
        }
        match mended.filter(|_| !is_known && findings.len() < MOST_FAULTS) {
            Some(mended) => {
                copy.text = mended.text;
                if let Some(name) = mended.variable.filter(|name| !names.contains(name)) {
                    scope.push(name.clone(), ());
                    names.push(name);
                }
            }
            None => {
                names.extend(undeclared);
                let doubtful = Doubtful { unread: Some(here), names, guessed };
                return Compiled { ast: AST::empty(), text: copy.text, findings, doubtful };
            }
        }
    }
}

/// Returns the line of a script as it should be; `bytes` are those of a copy with the same lines and columns.
fn fixed(script: &Script, copy: &str, bytes: &Range<usize>, instead: &str) -> Option<String> {
    let before = copy.get(..bytes.start)?;
    let line = script.line(before.matches('\n').count() + 1);
    let skipped = before.rsplit('\n').next()?.chars().count();
    let wrong = copy.get(bytes.clone())?.chars().count();
    let head: String = line.chars().take(skipped).collect();
    let tail: String = line.chars().skip(skipped + wrong).collect();
    // A word that is left out leaves no gap.
    let tail = if instead.is_empty() && (head.is_empty() || head.ends_with(' ')) { tail.trim_start() } else { &tail };
    Some(format!("{head}{instead}{tail}").trim().to_owned())
}
