//! The text of a script as reports show it: lines and columns are counted as editors and `--json` count them.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::script::Script;

/// A script that excerpts are cut from.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
}

impl Excerpt {
    pub fn of(script: &Script) -> Self {
        // The renderer ends a line at a carriage return that stands alone; a script's lines do not end there.
        let text = script.text.replace("\r\n", "\0\n").replace('\r', " ").replace("\0\n", "\r\n");
        Self { name: script.name.clone(), text }
    }

    /// Returns how many characters stand before a place in its line.
    fn column(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or("");
        before.rsplit('\n').next().unwrap_or("").chars().count()
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.text.read_span(span, lines_before, lines_after)?;
        // The renderer counts bytes.
        let column = if read.column() == 0 { 0 } else { self.column(read.span().offset()) };
        let (data, at, line, lines) = (read.data(), *read.span(), read.line(), read.line_count());
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), data, at, line, column, lines)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_a_lone_carriage_return_ends_no_line() {
        let excerpt = Excerpt::of(&Script::from_text("a", "x;\r\n\tlet é = \"😀\";\rclik(1)"));
        let at = excerpt.text.find("clik").expect("it is there");
        let read = excerpt.read_span(&(at, 4).into(), 0, 0).expect("it is inside");
        assert_eq!((read.line(), read.column(), read.data()), (1, 14, b"clik".as_slice()));
        assert_eq!(read.name(), Some("a"));
    }
}
