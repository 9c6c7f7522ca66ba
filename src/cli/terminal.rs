//! Writing to the terminal: reports in the width and color that it has, and progress lines.

use std::io::{self, IsTerminal, Write};

use crate::error::Error;
use crate::run::Outcome;
use crate::run::diagnostic::Diagnostic;
use crate::run::render::{self, Style};

/// Writes an error that concerns no script to stderr.
pub fn report(error: &Error) {
    write(&render::report(&Diagnostic::of_error(error), style()));
}

/// Writes why a run failed to stderr, with the places in its scripts.
pub fn report_failure(outcome: &Outcome) {
    if let Some(failure) = outcome.failure() {
        write(&render::report(&Diagnostic::of_failure(failure, &outcome.scripts), style()));
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
