//! The table that comes out: a line for each piece of work.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Table {
    /// The browser's product and version.
    pub browser: String,
    /// Whether pageboy was built with optimisation; without, its figures say little.
    pub optimized: bool,
    pub lines: Vec<Line>,
}

impl Table {
    pub(super) fn new(browser: String) -> Self {
        Self { browser, optimized: !cfg!(debug_assertions), lines: Vec::new() }
    }
}

/// One piece of work.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    pub work: String,
    pub unit: Unit,
    /// What pageboy took; the median of `samples`.
    pub pageboy: f64,
    /// What the raw messages took, where there are any for this work.
    pub raw: Option<f64>,
    /// `pageboy / raw`.
    pub ratio: Option<f64>,
    pub samples: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Unit {
    #[serde(rename = "ms")]
    Milliseconds,
    #[serde(rename = "MB")]
    Megabytes,
    #[serde(rename = "characters")]
    Characters,
}

impl Line {
    /// Makes the line of a timed piece of work from its samples on both sides.
    pub(super) fn timed(work: impl Into<String>, pageboy: &[Duration], raw: &[Duration]) -> Self {
        let (ours, theirs) = (median(pageboy), median(raw));
        Self {
            work: work.into(),
            unit: Unit::Milliseconds,
            pageboy: ours,
            raw: Some(theirs),
            ratio: Some(ours / theirs),
            samples: pageboy.len(),
        }
    }

    /// Makes the line of a size that raw messages don't have.
    pub(super) fn size(work: impl Into<String>, unit: Unit, pageboy: f64) -> Self {
        Self { work: work.into(), unit, pageboy, raw: None, ratio: None, samples: 1 }
    }

    /// Returns the head of the printed table.
    pub fn head() -> String {
        format!("{:<44} {:>12} {:>12} {:>7}", "work", "pageboy", "raw CDP", "ratio")
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = |value: f64| match self.unit {
            Unit::Milliseconds if value < 100.0 => format!("{value:.2} ms"),
            Unit::Milliseconds => format!("{value:.0} ms"),
            Unit::Megabytes => format!("{value:.1} MB"),
            Unit::Characters => format!("{value:.0} chars"),
        };
        let raw = self.raw.map_or_else(String::new, figure);
        let ratio = self.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}×"));
        let text = format!("{:<44} {:>12} {raw:>12} {ratio:>7}", self.work, figure(self.pageboy));
        formatter.write_str(text.trim_end())
    }
}

/// Returns the median in milliseconds; not a number where there are no samples.
fn median(samples: &[Duration]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let middle = |at: usize| sorted.get(at).map_or(f64::NAN, |sample| sample.as_secs_f64() * 1000.0);
    match sorted.len() {
        0 => f64::NAN,
        even if even % 2 == 0 => f64::midpoint(middle(even / 2 - 1), middle(even / 2)),
        odd => middle(odd / 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(samples: &[u64]) -> Vec<Duration> {
        samples.iter().copied().map(Duration::from_millis).collect()
    }

    #[test]
    fn a_line_holds_medians_and_their_ratio() {
        let line = Line::timed("click", &millis(&[9, 2, 4]), &millis(&[1, 3, 100, 2]));
        assert_eq!((line.pageboy, line.raw, line.ratio, line.samples), (4.0, Some(2.5), Some(1.6), 3));
        assert_eq!(line.to_string(), format!("{:<44} {:>12} {:>12} {:>7}", "click", "4.00 ms", "2.50 ms", "1.60×"));
    }

    #[test]
    fn a_size_stands_alone() {
        let line = Line::size("text", Unit::Characters, 15_900.0);
        assert_eq!(line.to_string(), format!("{:<44} {:>12}", "text", "15900 chars"));
        assert_eq!(serde_json::to_value(&line).unwrap()["unit"], "characters");
    }
}
