//! Splits a Rhai script into tokens with their places. It is tolerant: it also reads scripts that do not parse,
//! because the mending of parse errors needs the token before the fault.
//!
//! Invariant: iterative; the depth of a script costs no stack.

use std::ops::Range;

/// What a token is, as far as spans and checks care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name that is no keyword.
    Name,
    Keyword,
    Number,
    /// A string or character literal, or one piece of an interpolated string.
    Text,
    /// One bracket, comma, operator …
    Sign,
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    /// Bytes of the source.
    pub bytes: Range<usize>,
    /// Counted from 1; columns count characters.
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Token {
    /// Returns the token's text.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.bytes.clone()).unwrap_or("")
    }
}

const KEYWORDS: &[&str] = &[
    "let", "const", "if", "else", "switch", "do", "while", "until", "loop", "for", "in", "continue", "break", "fn",
    "private", "return", "throw", "try", "catch", "import", "export", "as", "global", "this", "true", "false",
];

/// The longest sign first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "**=", "..=", "===", "!==", "??", "?.", "?[", "#{", "${", "::", "=>", "==", "!=", "<=", ">=", "&&",
    "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>", "..", "->", "++", "--",
];

/// Returns all tokens of a script, without blanks and comments.
pub fn tokens(source: &str) -> Vec<Token> {
    Lexer { source, at: 0, line: 1, column: 1, braces: Vec::new(), tokens: Vec::new() }.run()
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: usize,
    column: usize,
    /// One entry for each open brace: whether it opened an interpolation.
    braces: Vec<bool>,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn run(mut self) -> Vec<Token> {
        // A first line for the shell: `#!/usr/bin/env …`.
        if self.source.starts_with("#!") {
            self.skip_while(|character| character != '\n');
        }
        while let Some(character) = self.peek() {
            let rest = self.rest();
            if character.is_whitespace() {
                self.skip(1);
            } else if rest.starts_with("//") {
                self.skip_while(|character| character != '\n');
            } else if rest.starts_with("/*") {
                self.block_comment();
            } else {
                self.token(character);
            }
        }
        self.tokens
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, characters: usize) {
        for character in self.rest().chars().take(characters) {
            self.at += character.len_utf8();
            if character == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        let count = self.rest().chars().take_while(|&character| wanted(character)).count();
        self.skip(count);
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.skip(2);
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.skip(2);
                if depth == 0 {
                    return;
                }
            } else if rest.is_empty() {
                return;
            } else {
                self.skip(1);
            }
        }
    }

    fn token(&mut self, character: char) {
        let (at, line, column) = (self.at, self.line, self.column);
        let kind = match character {
            '"' => self.quoted('"'),
            '\'' => self.quoted('\''),
            '`' => {
                self.skip(1);
                self.back_ticked()
            }
            '#' if raw_hashes(self.rest()).is_some() => self.raw(),
            _ if character.is_ascii_digit() => self.number(),
            _ if character == '_' || character.is_alphabetic() => self.word(),
            _ => self.sign(character),
        };
        self.push(kind, at, line, column);
        if kind == Kind::Sign && self.source.get(at..self.at) == Some("}") && self.braces.pop() == Some(true) {
            let (at, line, column) = (self.at, self.line, self.column);
            let kind = self.back_ticked();
            self.push(kind, at, line, column);
        }
    }

    fn push(&mut self, kind: Kind, at: usize, line: usize, column: usize) {
        let bytes = at..self.at;
        self.tokens.push(Token { kind, bytes, line, column, end_line: self.line, end_column: self.column });
    }

    fn quoted(&mut self, quote: char) -> Kind {
        self.skip(1);
        while let Some(character) = self.peek() {
            match character {
                '\\' => self.skip(2),
                '\n' => break,
                _ if character == quote => {
                    self.skip(1);
                    // A doubled quote stands for one quote.
                    if quote == '"' && self.peek() == Some('"') {
                        self.skip(1);
                    } else {
                        break;
                    }
                }
                _ => self.skip(1),
            }
        }
        Kind::Text
    }

    /// Reads text up to the closing back-tick or to the next `${`, which is left to be the next token.
    fn back_ticked(&mut self) -> Kind {
        loop {
            let rest = self.rest();
            if rest.starts_with("``") {
                self.skip(2);
            } else if rest.starts_with('`') {
                self.skip(1);
                return Kind::Text;
            } else if rest.starts_with("${") || rest.is_empty() {
                return Kind::Text;
            } else {
                self.skip(1);
            }
        }
    }

    fn raw(&mut self) -> Kind {
        let hashes = raw_hashes(self.rest()).unwrap_or(1);
        let close = format!("\"{}", "#".repeat(hashes));
        let body = self.rest().get(hashes + 1..).unwrap_or("");
        let length = body.find(&close).map_or(body.len(), |at| at + close.len());
        let characters = self.rest().get(..hashes + 1 + length).unwrap_or("").chars().count();
        self.skip(characters);
        Kind::Text
    }

    fn number(&mut self) -> Kind {
        let hexadecimal = self.rest().starts_with("0x");
        let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        self.skip_while(word);
        let mut after = self.rest().chars();
        if !hexadecimal && after.next() == Some('.') && after.next().is_some_and(|next| next.is_ascii_digit()) {
            self.skip(1);
            self.skip_while(word);
        }
        let signed = self.rest().starts_with(['+', '-']);
        let exponent = self.source.get(..self.at).is_some_and(|before| before.ends_with(['e', 'E']));
        if !hexadecimal && signed && exponent {
            self.skip(1);
            self.skip_while(word);
        }
        Kind::Number
    }

    fn word(&mut self) -> Kind {
        let at = self.at;
        self.skip_while(|character| character == '_' || character.is_alphanumeric());
        let word = self.source.get(at..self.at).unwrap_or("");
        if KEYWORDS.contains(&word) { Kind::Keyword } else { Kind::Name }
    }

    fn sign(&mut self, character: char) -> Kind {
        let sign = SIGNS.iter().find(|sign| self.rest().starts_with(**sign));
        match sign {
            Some(sign) => self.skip(sign.len()),
            None => self.skip(1),
        }
        match sign.copied() {
            Some("${") => self.braces.push(true),
            Some("#{") => self.braces.push(false),
            None if character == '{' => self.braces.push(false),
            _ => {}
        }
        Kind::Sign
    }
}

/// Returns how many `#` open the raw string that starts here, if one does.
fn raw_hashes(rest: &str) -> Option<usize> {
    let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
    (hashes > 0 && rest.as_bytes().get(hashes) == Some(&b'"')).then_some(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.text(source)).collect()
    }

    #[test]
    fn splits_literals_names_and_signs() {
        assert_eq!(words(r#"let a = "x\"y""z"; // end"#), ["let", "a", "=", r#""x\"y""z""#, ";"]);
        assert_eq!(words("0..5 1.5e-3 0xff.x 1_000"), ["0", "..", "5", "1.5e-3", "0xff", ".", "x", "1_000"]);
        assert_eq!(words("a?.b ?? #{c: 'd'}"), ["a", "?.", "b", "??", "#{", "c", ":", "'d'", "}"]);
        assert_eq!(words("/* a /* b */ c */ d"), ["d"]);
        assert_eq!(words(r##"f(#"a "b" c"#)"##), ["f", "(", r##"#"a "b" c"#"##, ")"]);
    }

    #[test]
    fn follows_interpolations_and_their_nested_braces() {
        let source = "f(`a ${ if x { `q ${y}` } else { 1 } } b`, 2)";
        assert_eq!(
            words(source),
            [
                "f", "(", "`a ", "${", "if", "x", "{", "`q ", "${", "y", "}", "`", "}", "else", "{", "1", "}", "}",
                " b`", ",", "2", ")"
            ]
        );
    }

    #[test]
    fn counts_lines_and_characters() {
        let source = "ä(\n  `x\ny`)";
        let found = tokens(source);
        let last = found.last().expect("there are tokens");
        assert_eq!((last.line, last.column), (3, 3));
        let text = &found[2];
        assert_eq!((text.line, text.column, text.end_line, text.end_column), (2, 3, 3, 3));
        assert_eq!(found[1].column, 2);
    }

    #[test]
    fn ends_with_open_strings_and_comments() {
        assert_eq!(words("\"abc\nd"), ["\"abc", "d"]);
        assert_eq!(words("`abc"), ["`abc"]);
        assert!(words("/* abc").is_empty());
    }
}
