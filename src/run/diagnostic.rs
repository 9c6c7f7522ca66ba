//! Joins an error with the text of the scripts: a miette diagnostic with the failing call underlined.
//!
//! Invariant: nothing is worded here that the error can word itself; only labels are.

use std::fmt;

use miette::{LabeledSpan, Severity, SourceCode};

use super::blame::keys;
use super::excerpt::Excerpt;
use super::failure::Failure;
use super::modules::Scripts;
use crate::error::{Change, Error, NoOption};
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
    source: Option<Excerpt>,
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
        if failure.is_doubt {
            // It has no code: nothing ends with it.
            diagnostic.code = None;
            diagnostic.severity = Severity::Warning;
        }
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

    fn beside(message: String, script: &Script) -> Self {
        let mut diagnostic = Self {
            message,
            code: None,
            help: None,
            source: None,
            labels: Vec::new(),
            severity: Severity::Advice,
            related: Vec::new(),
        };
        diagnostic.show(script);
        diagnostic
    }

    fn show(&mut self, script: &Script) {
        self.source = Some(Excerpt::of(script));
    }

    fn mark_failure(&mut self, failure: &Failure, site: &Site, script: &Script) {
        let argument = failure.argument.as_ref().filter(|argument| argument.script == site.script);
        let start = script.offset(site.line, site.column);
        let mut mark = |label: String, span: miette::SourceSpan| {
            // The head of the excerpt names the place of the primary label: where the call starts.
            self.labels.push(if span.offset() == start {
                LabeledSpan::new_primary_with_span(Some(label), span)
            } else {
                LabeledSpan::new_with_span(Some(label), span)
            });
        };
        let keys = argument.map(|argument| keys(&failure.error, argument, script)).unwrap_or_default();
        if let Some(argument) = argument.filter(|_| keys.is_empty()) {
            mark(argument_label(&failure.error), bytes(argument, script));
        }
        for (key, label) in keys {
            mark(label, bytes(&key, script));
        }
        let span = beside_argument(site, argument, script);
        if !span.is_empty() {
            mark(call_label(&failure.error).to_owned(), span);
        }
    }

    /// Marks the call that minted the ref: `ref_12 was minted by this tree()`.
    fn mark_minting(&mut self, error: &Error, site: &Site, scripts: &Scripts) {
        let (Some(minted), Some(reference)) = (error.minted(), reference(error)) else { return };
        let Some(script) = scripts.get(&minted.script) else { return };
        let span = beside_argument(minted, None, script);
        let written = script.text.get(span.offset()..span.offset() + span.len()).unwrap_or("");
        let call = if written.chars().count() <= 40 { written } else { "call" };
        let label = LabeledSpan::new_with_span(Some(format!("{reference} was minted by this {call}")), span);
        if minted.script == site.script {
            self.labels.push(label);
        } else {
            let mut other = Self::beside(format!("{reference} was minted here"), script);
            other.labels.push(label);
            self.related.push(other);
        }
    }

    /// Marks the calls that led to the failing one: in its script, and each other script in an excerpt of its own.
    fn mark_callers(&mut self, failure: &Failure, site: &Site, scripts: &Scripts) {
        let mut others: Vec<(&Script, Vec<&StackFrame>)> = Vec::new();
        // The outermost call says what the script asked for, however deep it went.
        let more = failure.stack.len().saturating_sub(MOST_CALLERS);
        let outermost = failure.stack.last().filter(|_| more > 0);
        let nearest = MOST_CALLERS - usize::from(outermost.is_some());
        for frame in failure.stack.iter().take(nearest).chain(outermost) {
            let Some(script) = scripts.get(&frame.script) else { continue };
            if frame.script != site.script {
                match others.iter_mut().find(|(other, _)| other.name == script.name) {
                    Some((_, frames)) => frames.push(frame),
                    None => others.push((script, vec![frame])),
                }
            } else if frame.line != site.line {
                // A caller on the failing line would only be drawn over it.
                self.label_caller(frame, script);
            }
        }
        for (script, frames) in others {
            let message = match frames.as_slice() {
                [only] => format!("in {}", caller_name(only)),
                _ => "in these calls".into(),
            };
            let mut other = Self::beside(message, script);
            for frame in frames {
                other.label_caller(frame, script);
            }
            self.related.push(other);
        }
        if more > 0
            && let Some(help) = &mut self.help
        {
            *help = format!("{help}\n({more} more calls led here)");
        }
    }

    /// Marks a caller, once for each place: a method that calls a closure stands twice in the stack.
    fn label_caller(&mut self, frame: &StackFrame, script: &Script) {
        let span = caller_span(frame, script);
        if !self.labels.iter().any(|known| *known.inner() == span) {
            self.labels.push(LabeledSpan::new_with_span(Some(caller_label(frame)), span));
        }
    }
}

fn caller_name(frame: &StackFrame) -> String {
    match frame.function.as_str() {
        "throw" => "what throws it again".into(),
        "import" => "the import".into(),
        "closure" => "the call of the closure".into(),
        function => format!("the call to `{function}`"),
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
        Error::ArgsOption { .. } => "no such option".into(),
        Error::ArgsCount { .. } => "this counts as the first argument".into(),
        Error::ArgMissing { .. } => "not given".into(),
        Error::FindNone { nth: Some(_), matches, .. } => format!("there are {matches}"),
        Error::FindNone { elsewhere: true, .. } => "nothing in here matches".into(),
        Error::FindNone { .. } => "nothing matches this".into(),
        Error::FindAmbiguous { total, .. } => format!("{total} elements match this"),
        Error::WaitTimeout { change, .. } => match change {
            Change::Appear => "did not appear",
            Change::Disappear => "did not go",
            Change::Reach => "was not reached",
            Change::Happen => "did not happen",
        }
        .into(),
        Error::SnapshotStale { .. } => "out of date".into(),
        Error::TabClosed { .. } => "this tab is closed".into(),
        Error::ActNotKept { .. } => "the page did not keep this".into(),
        Error::ActNoOption { reason, .. } => match reason {
            NoOption::Missing => "no such option",
            NoOption::Disabled => "this option is disabled",
            NoOption::Ambiguous => "several options read like this",
        }
        .into(),
        Error::RoleUnknown { .. } => "no such role".into(),
        Error::TabUnknown { .. } => "no such tab".into(),
        Error::FieldsRefused { .. } => "these fields".into(),
        Error::FillStopped { field: Some(field), .. } => format!("{} failed", crate::script::own(&field.key)),
        Error::ListExpected { kind, .. } => format!("this is {kind}"),
        Error::NavFailed { .. } | Error::PolicyOrigin { .. } => "this address".into(),
        Error::ActHidden { was, .. }
        | Error::ActDisabled { was, .. }
        | Error::ActCovered { was, .. }
        | Error::ActMoving { was, .. }
        | Error::ActNotTypable { was, .. }
        | Error::ActReadonly { was, .. }
        | Error::ActUnknown { was, .. } => was.clone(),
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
        Error::ScriptFile { .. } => "imported here",
        Error::ArgsCount { .. } => "this call",
        Error::ArgsType { .. } | Error::ArgsValue { .. } | Error::ArgsOption { .. } => "in this call",
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

/// Returns what stands of a call before the argument at fault, or behind it where that is the receiver, so that both
/// can be underlined. A call that runs over several lines, such as one with a closure, is cut at the end of its first.
fn beside_argument(call: &Site, argument: Option<&Site>, script: &Script) -> miette::SourceSpan {
    let (whole, argument) = (bytes(call, script), argument.map(|argument| bytes(argument, script)));
    let (mut start, mut end) = (whole.offset(), whole.offset() + whole.len());
    match argument {
        Some(argument) if argument.offset() == start => start += argument.len(),
        Some(argument) => end = argument.offset().clamp(start, end),
        None => {}
    }
    let text = script.text.get(start..end).unwrap_or("");
    let seen = text.trim_start();
    let seen_at = start + (text.len() - seen.len());
    (seen_at, seen.lines().next().unwrap_or("").trim_end().len()).into()
}

fn bytes(site: &Site, script: &Script) -> miette::SourceSpan {
    let start = script.offset(site.line, site.column);
    let end = script.offset(site.end_line, site.end_column);
    (start, end.saturating_sub(start)).into()
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
