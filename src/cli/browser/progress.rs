//! Showing how far a download is: one line that changes on a terminal, else a line now and then.

use std::io::{self, IsTerminal, Write};

use crate::cdp::download::Progress;

const MEGABYTE: u64 = 1_000_000;

/// How many percent, or megabytes where the size is not known, lie between two lines that stay.
const STRIDE: u64 = 10;

/// Shows the progress of one download.
#[derive(Debug)]
pub struct Display<W> {
    out: W,
    /// Whether a line can be written over.
    terminal: bool,
    /// What was shown last, so that it is not shown twice.
    shown: Option<u64>,
}

impl Display<io::Stderr> {
    pub fn stderr() -> Self {
        Self { out: io::stderr(), terminal: io::stderr().is_terminal(), shown: None }
    }
}

impl<W: Write> Display<W> {
    pub fn show(&mut self, progress: &Progress) {
        let written = match progress {
            Progress::Version(version) => writeln!(self.out, "downloading Chrome for Testing {version}"),
            Progress::Received { bytes, whole } => self.received(*bytes, whole.filter(|whole| *whole > 0)),
            Progress::Unpacking if self.terminal => writeln!(self.out, "\nunpacking"),
            Progress::Unpacking => writeln!(self.out, "unpacking"),
        };
        // Who does not look needs no telling; the download goes on.
        drop(written.and_then(|()| self.out.flush()));
    }

    fn received(&mut self, bytes: u64, whole: Option<u64>) -> io::Result<()> {
        let megabytes = bytes / MEGABYTE;
        let percent = whole.map(|whole| bytes.saturating_mul(100) / whole);
        let mark = percent.unwrap_or(megabytes);
        let mark = if self.terminal { mark } else { mark / STRIDE * STRIDE };
        if self.shown == Some(mark) {
            return Ok(());
        }
        self.shown = Some(mark);
        let text = match (whole, percent) {
            (Some(whole), Some(percent)) => format!("{megabytes} of {} MB ({percent} %)", whole.div_ceil(MEGABYTE)),
            _ => format!("{megabytes} MB"),
        };
        if self.terminal { write!(self.out, "\r  {text}\u{1b}[K") } else { writeln!(self.out, "  {text}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(terminal: bool, whole: Option<u64>) -> String {
        let mut display = Display { out: Vec::new(), terminal, shown: None };
        display.show(&Progress::Version("1.2".into()));
        for bytes in (0..=160).map(|megabytes| megabytes * MEGABYTE) {
            display.show(&Progress::Received { bytes, whole });
        }
        display.show(&Progress::Unpacking);
        String::from_utf8(display.out).unwrap()
    }

    #[test]
    fn lines_that_stay_are_few() {
        let text = shown(false, Some(160 * MEGABYTE));
        assert_eq!(text.lines().count(), 13, "{text}");
        assert!(text.starts_with("downloading Chrome for Testing 1.2\n  0 of 160 MB (0 %)\n"), "{text}");
        assert!(text.ends_with("  160 of 160 MB (100 %)\nunpacking\n"), "{text}");
        assert!(shown(false, None).contains("\n  150 MB\n"));
    }

    #[test]
    fn on_a_terminal_one_line_changes() {
        let text = shown(true, Some(160 * MEGABYTE));
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("\r  80 of 160 MB (50 %)"), "{text}");
        assert!(shown(true, Some(0)).contains("\r  160 MB"));
    }
}
