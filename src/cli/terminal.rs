//! Writing to the terminal: reports in the width and color that it has, and progress lines.

use std::io::{self, IsTerminal, Write};

use crate::error::Error;
use crate::run::diagnostic::Diagnostic;
use crate::run::modules::Scripts;
use crate::run::render::{self, Style};
use crate::run::{Failure, Outcome};

/// Writes an error that concerns no script to stderr.
pub fn report(error: &Error) {
    write(&render::report(&Diagnostic::of_error(error), style()));
}

/// Writes why a run failed to stderr, with the places in its scripts.
pub fn report_failure(outcome: &Outcome) {
    if let Some(failure) = outcome.failure() {
        let all = if failure.findings.is_empty() { std::slice::from_ref(failure) } else { &failure.findings };
        report_each(all, &outcome.scripts);
    }
}

/// Writes what is wrong with a script and what is doubtful to stderr, and how much it is.
pub fn report_findings(findings: &[Failure], scripts: &Scripts) {
    report_each(findings, scripts);
    let doubts = findings.iter().filter(|finding| finding.is_doubt).count();
    let counts = [(findings.len() - doubts, "finding"), (doubts, "note")];
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, word)| format!("{count} {word}{}", plural(*count))).collect();
    if !told.is_empty() {
        write(&format!("\n{}\n", told.join(", ")));
    }
}

fn report_each(failures: &[Failure], scripts: &Scripts) {
    for (index, failure) in failures.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        write(&format!("{gap}{}", render::report(&Diagnostic::of_failure(failure, scripts), style())));
    }
}

fn write(text: &str) {
    // When nobody reads stderr, there is nobody left to tell.
    drop(io::stderr().lock().write_all(text.as_bytes()));
}

fn style() -> Style {
    let stderr = io::stderr();
    let mut style = Style::plain();
    if stderr.is_terminal() {
        style.color = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        style.width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(style.width);
    }
    style
}
