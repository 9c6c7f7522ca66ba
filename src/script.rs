//! A script's text, places in it, and how text of a page is quoted.

use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The text of a script and the name that reports use for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    pub name: String,
    pub text: String,
}

/// A place in a script: a call, an argument. Lines and columns count from 1, columns count characters;
/// the end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    pub script: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Script {
    /// Reads a script file. The name is the path as given.
    ///
    /// # Errors
    /// `script::file` when the path is missing, a directory, empty or not UTF-8.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let fail = |reason: &str| Error::ScriptFile { path: name.clone(), reason: reason.to_owned() };
        if path.is_dir() {
            return Err(fail("it is a directory"));
        }
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => fail("there is no such file"),
            _ => fail(&error.to_string()),
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            fail(&format!("byte {at} is not UTF-8"))
        })?;
        if text.trim().is_empty() {
            return Err(fail("it is empty"));
        }
        Ok(Self::from_text(name, text))
    }

    /// Takes a text as a script, without the byte order mark that some editors put before it and none shows.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Self { name: name.into(), text }
    }

    /// Returns the byte offset of a line and column, clamped to the text.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let mut start = 0;
        for (index, text) in self.text.split_inclusive('\n').enumerate() {
            if index + 1 == line {
                let inside = text.trim_end_matches(['\n', '\r']);
                let skip = column.saturating_sub(1);
                return start + inside.char_indices().nth(skip).map_or(inside.len(), |(at, _)| at);
            }
            start += text.len();
        }
        self.text.len()
    }

    /// Returns the text of a place.
    pub fn part(&self, site: &Site) -> &str {
        let (start, end) = (self.offset(site.line, site.column), self.offset(site.end_line, site.end_column));
        self.text.get(start..end).unwrap_or("")
    }

    /// Returns a line without its end, or the empty string past the last line.
    pub fn line(&self, line: usize) -> &str {
        self.text.lines().nth(line.saturating_sub(1)).unwrap_or("")
    }
}

/// Quotes text of a page so that it stands on one line and can't pass for anything but text: `"` and `\` are
/// escaped, whitespace is folded, control, bidi, zero-width and other invisible characters are written as
/// `\u{…}`, and `ref_N` is broken by an escape.
///
/// A page must not be able to forge a line or a ref of a tree.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut blank = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character.is_whitespace() {
            blank = true;
            continue;
        }
        if blank && out.len() > 1 {
            out.push(' ');
        }
        blank = false;
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            'r' if names_a_ref(text, at) => out.push_str("\\u{72}"),
            _ if is_invisible(character, out.chars().last(), characters.peek().map(|&(_, next)| next)) => {
                // Writing to a String can't fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Quotes a text that the script passed. One that is a ref and nothing else stays readable: it is the script's word,
/// and text of a page never stands there alone.
pub fn own(text: &str) -> String {
    match text.parse::<crate::reference::Ref>() {
        Ok(_) => format!("\"{text}\""),
        Err(_) => quoted(text),
    }
}

/// Quotes a text as [`quoted`] does, and every space as it is: breaks, tabs and spaces of other kinds are written as
/// escapes.
pub fn quoted_exactly(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            ' ' => out.push(' '),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            'r' if names_a_ref(text, at) => out.push_str("\\u{72}"),
            _ if character.is_whitespace()
                || is_invisible(character, out.chars().last(), characters.peek().map(|&(_, next)| next)) =>
            {
                // Writing to a String can't fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Returns whether `ref_` and a digit stand at `at`.
fn names_a_ref(text: &str, at: usize) -> bool {
    text.get(at..)
        .and_then(|rest| rest.strip_prefix("ref_"))
        .is_some_and(|rest| rest.starts_with(|character: char| character.is_ascii_digit()))
}

/// Returns the characters of a text that nobody sees or can tell from a space.
pub fn unseen(text: &str) -> String {
    let is_unseen =
        |character: &char| *character != ' ' && (character.is_whitespace() || is_invisible(*character, None, None));
    text.chars().filter(is_unseen).collect()
}

/// Returns whether a person can't see the character. Joiners between letters of emoji, Arabic or Indic text
/// stay as they are: there they are part of the writing.
fn is_invisible(character: char, before: Option<char>, after: Option<char>) -> bool {
    match character {
        '\u{200c}' | '\u{200d}' => {
            let joins = |side: Option<char>| side.is_some_and(|side| side > '\u{2ff}' && !side.is_whitespace());
            !(joins(before) && joins(after))
        }
        '\u{fe0f}' | '\u{fe0e}' => before.is_none_or(|side| side == '"' || side == ' '),
        _ => {
            character.is_control()
                || matches!(character,
                    '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                    | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}'
                    | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_so_that_nothing_can_be_forged() {
        assert_eq!(quoted("a \"b\" \\ c"), r#""a \"b\" \\ c""#);
        assert_eq!(quoted("  a\n\n\tb  "), r#""a b""#);
        assert_eq!(quoted("x [ref_12]"), r#""x [\u{72}ef_12]""#);
        assert_eq!(quoted("ref_ and prefer"), r#""ref_ and prefer""#);
        assert_eq!(quoted("a\u{202e}b\u{200b}c\u{7}"), r#""a\u{202e}b\u{200b}c\u{7}""#);
        assert_eq!(quoted("👩\u{200d}🚀 Launch"), "\"👩\u{200d}🚀 Launch\"");
        assert_eq!(quoted("a\u{200d}b"), r#""a\u{200d}b""#);
    }

    #[test]
    fn a_ref_that_the_script_passed_stays_readable() {
        assert_eq!(own("ref_56"), r#""ref_56""#);
        for text in ["ref_56 gone", "ref_056", " ref_1", "[ref_2]", "\u{202e}ref_3"] {
            assert!(own(text).contains("\\u{72}ef_"), "{text}");
        }
    }

    #[test]
    fn quotes_every_space_where_it_matters() {
        assert_eq!(quoted_exactly(" a  b\n\t\u{a0}\u{200b}\"ref_1"), r#"" a  b\n\t\u{a0}\u{200b}\"\u{72}ef_1""#);
    }

    #[test]
    fn finds_offsets_by_characters() {
        let script = Script::from_text("a", "äb\r\ncd");
        assert_eq!(script.offset(1, 2), 2);
        assert_eq!(script.offset(1, 9), 3);
        assert_eq!(script.offset(2, 2), 6);
        assert_eq!(script.offset(9, 1), 7);
        assert_eq!(script.line(2), "cd");
    }
}
