//! Joins an error with the text of the scripts: a miette diagnostic with the failing call underlined.
//!
//! Invariant: nothing is worded here that the error can word itself; only labels are.

use std::fmt;

use miette::{LabeledSpan, NamedSource, Severity, SourceCode};

use super::failure::Failure;
use super::modules::Scripts;
use crate::error::{Error, NoOption};
use crate::lang::protocol::StackFrame;
use crate::script::{Script, Site};

/// The most callers that a report shows; recursion may be deep.
const MOST_CALLERS: usize = 5;

/// A failure for people.
#[derive(Debug)]
pub struct Diagnostic {
    message: String,
    code: Option<&'static str>,
    help: Option<String>,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
    severity: Severity,
    /// Callers and minting calls in other scripts.
    related: Vec<Self>,
}

impl Diagnostic {
    /// Builds the diagnostic of a failed run.
    pub fn of_failure(failure: &Failure, scripts: &Scripts) -> Self {
        let error = &failure.error;
        let mut diagnostic = Self::of_error(error);
        let Some((site, script)) = failure.site.as_ref().and_then(|site| Some((site, scripts.get(&site.script)?)))
        else {
            return diagnostic;
        };
        diagnostic.show(script);
        diagnostic.mark_failure(failure, site, script);
        diagnostic.mark_minting(error, site, scripts);
        diagnostic.mark_callers(failure, site, scripts);
        diagnostic
    }

    /// Builds the diagnostic of an error that has no place in a script.
    pub fn of_error(error: &Error) -> Self {
        Self {
            message: error.to_string(),
            code: Some(error.code()),
            help: Some(error.help()),
            source: None,
            labels: Vec::new(),
            severity: Severity::Error,
            related: Vec::new(),
        }
    }

    fn beside(message: String, script: &Script, label: LabeledSpan) -> Self {
        let mut diagnostic = Self {
            message,
            code: None,
            help: None,
            source: None,
            labels: vec![label],
            severity: Severity::Advice,
            related: Vec::new(),
        };
        diagnostic.show(script);
        diagnostic
    }

    fn show(&mut self, script: &Script) {
        self.source = Some(NamedSource::new(&script.name, script.text.clone()));
    }

    fn mark_failure(&mut self, failure: &Failure, site: &Site, script: &Script) {
        let argument = failure.argument.as_ref().filter(|argument| argument.script == site.script);
        let call = first_line(site, script);
        let start = script.offset(site.line, site.column);
        let mut mark = |label: String, span: miette::SourceSpan| {
            // The head of the excerpt names the place of the primary label: where the call starts.
            self.labels.push(if span.offset() == start {
                LabeledSpan::new_primary_with_span(Some(label), span)
            } else {
                LabeledSpan::new_with_span(Some(label), span)
            });
        };
        let call = match argument {
            Some(argument) => {
                mark(argument_label(&failure.error), bytes(argument, script));
                around(&call, argument)
            }
            None => call,
        };
        let span = trimmed(&call, script);
        if !span.is_empty() {
            mark(call_label(&failure.error).to_owned(), span);
        }
    }

    /// Marks the call that minted the ref: `ref_12 was minted by this tree()`.
    fn mark_minting(&mut self, error: &Error, site: &Site, scripts: &Scripts) {
        let (Some(minted), Some(reference)) = (error.minted(), reference(error)) else { return };
        let Some(script) = scripts.get(&minted.script) else { return };
        let call = first_line(minted, script);
        let span = trimmed(&call, script);
        let written = script.text.get(span.offset()..span.offset() + span.len()).unwrap_or("");
        let call = if written.chars().count() <= 40 { written } else { "call" };
        let label = LabeledSpan::new_with_span(Some(format!("{reference} was minted by this {call}")), span);
        if minted.script == site.script {
            self.labels.push(label);
        } else {
            self.related.push(Self::beside(format!("{reference} was minted here"), script, label));
        }
    }

    fn mark_callers(&mut self, failure: &Failure, site: &Site, scripts: &Scripts) {
        for frame in failure.stack.iter().take(MOST_CALLERS) {
            let Some(script) = scripts.get(&frame.script) else { continue };
            let word = caller_label(frame);
            let label = LabeledSpan::new_with_span(Some(word), caller_span(frame, script));
            // A caller on the failing line would only be drawn over it.
            if frame.script == site.script && frame.line == site.line {
                continue;
            }
            if frame.script == site.script {
                self.labels.push(label);
            } else {
                self.related.push(Self::beside(format!("in the call to `{}`", frame.function), script, label));
            }
        }
        let more = failure.stack.len().saturating_sub(MOST_CALLERS);
        if more > 0
            && let Some(help) = &mut self.help
        {
            *help = format!("{help}\n({more} more calls led here)");
        }
    }
}

fn caller_label(frame: &StackFrame) -> String {
    match frame.function.as_str() {
        "throw" => "thrown again here".into(),
        "import" => "imported here".into(),
        "closure" => "closure called here".into(),
        _ => "called here".into(),
    }
}

/// Returns what the argument at fault is, in a few words.
fn argument_label(error: &Error) -> String {
    match error {
        Error::RefStale { was, .. } => format!("stale ref used here, it was {was}"),
        Error::RefChanged { now, .. } => format!("this ref is {now} now"),
        Error::RefUnknown { .. } => "no ref of this session".into(),
        Error::RefOtherTab { tab, .. } => format!("this ref belongs to `{tab}`"),
        Error::ArgsType { found, expected, .. } => format!("this is {found}, expected {expected}"),
        Error::ArgsValue { expected, .. } => format!("expected {expected}"),
        Error::ArgsOption { .. } => "unknown option in here".into(),
        Error::ActNoOption { reason, .. } => match reason {
            NoOption::Missing => "no such option",
            NoOption::Disabled => "this option is disabled",
            NoOption::Ambiguous => "several options read like this",
        }
        .into(),
        Error::RoleUnknown { .. } => "no such role".into(),
        Error::TabUnknown { .. } => "no such tab".into(),
        Error::FieldsRefused { .. } => "these fields".into(),
        Error::FillStopped { field: Some(field), .. } => format!("{} failed", crate::script::quoted(&field.key)),
        Error::ListExpected { kind, .. } => format!("this is {kind}"),
        Error::NavFailed { .. } => "this address".into(),
        Error::ActHidden { was, .. }
        | Error::ActDisabled { was, .. }
        | Error::ActCovered { was, .. }
        | Error::ActMoving { was, .. }
        | Error::ActNotTypable { was, .. }
        | Error::ActReadonly { was, .. } => was.clone(),
        _ => "here".into(),
    }
}

fn call_label(error: &Error) -> &'static str {
    match error {
        Error::ScriptUnknownFunction { .. } => "no such function",
        Error::ScriptAssert { .. } => "ended here",
        Error::BudgetTime { .. } => "time ran out here",
        Error::RunCancelled { .. } => "cancelled here",
        Error::ScriptParse { .. } => "here",
        Error::ArgsCount { .. } => "this call",
        _ => "failed here",
    }
}

/// Returns the ref that a minting call can be named for.
fn reference(error: &Error) -> Option<String> {
    match error {
        Error::RefStale { reference, .. }
        | Error::RefChanged { reference, .. }
        | Error::RefOtherTab { reference, .. } => Some(reference.to_string()),
        _ => None,
    }
}

fn is_on_one_line(site: &Site) -> bool {
    site.line == site.end_line
}

/// Cuts a site that runs over several lines, such as a call with a closure, at the end of its first.
fn first_line(site: &Site, script: &Script) -> Site {
    if is_on_one_line(site) {
        return site.clone();
    }
    let end_column = script.line(site.line).chars().count() + 1;
    Site { end_line: site.line, end_column, ..site.clone() }
}

/// Returns what stands of a call before the argument, or behind it where the argument is the receiver, so that
/// both can be underlined.
fn around(call: &Site, argument: &Site) -> Site {
    let (start, end) = ((argument.line, argument.column), (argument.end_line, argument.end_column));
    if start == (call.line, call.column) {
        return Site { line: end.0, column: end.1, ..call.clone() };
    }
    let end_column = if start.0 == call.line { start.1 } else { call.end_column };
    Site { end_line: call.line, end_column, ..call.clone() }
}

fn bytes(site: &Site, script: &Script) -> miette::SourceSpan {
    let start = script.offset(site.line, site.column);
    let end = script.offset(site.end_line, site.end_column);
    (start, end.saturating_sub(start)).into()
}

/// Returns the bytes of a site without blanks at its end.
fn trimmed(site: &Site, script: &Script) -> miette::SourceSpan {
    let span = bytes(site, script);
    let text = script.text.get(span.offset()..span.offset() + span.len()).unwrap_or("");
    (span.offset(), text.trim_end().len()).into()
}

/// Returns the bytes of the word at a caller's place.
fn caller_span(frame: &StackFrame, script: &Script) -> miette::SourceSpan {
    let start = script.offset(frame.line, frame.column);
    let rest = script.text.get(start..).unwrap_or("");
    let word = rest.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap_or(rest.len());
    (start, word.max(1).min(rest.len())).into()
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        Some(Box::new(self.related.iter().map(|related| related as &dyn miette::Diagnostic)))
    }
}
