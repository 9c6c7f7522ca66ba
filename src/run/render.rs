//! Draws a diagnostic. Whether there is a terminal, and how wide it is, the caller knows.

use miette::{GraphicalReportHandler, GraphicalTheme};

use super::diagnostic::Diagnostic;

/// How a report is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Only for a terminal that wants it.
    pub color: bool,
    /// In characters.
    pub width: usize,
}

impl Style {
    /// Returns the style for files, pipes and tests.
    pub const fn plain() -> Self {
        Self { color: false, width: 100 }
    }
}

/// Returns the report as text that ends with a line end.
pub fn report(diagnostic: &Diagnostic, style: Style) -> String {
    let theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(style.width)
        .with_wrap_lines(true)
        .with_break_words(false)
        .without_syntax_highlighting();
    let mut text = String::new();
    // Writing to a String can't fail; what the handler refuses to draw is still said in words.
    if handler.render_report(&mut text, diagnostic).is_err() {
        text = format!("{diagnostic}\n");
    }
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
