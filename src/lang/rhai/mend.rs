//! Mends a copy of a script that does not parse, so that what is wrong behind the fault is found too. The copy is read
//! again and never run.
//!
//! Invariant: a mended copy has its lines and columns where the script has them.

use std::ops::Range;

use rhai::ParseErrorType;

use super::habits::Around;
use super::lexer::{Kind, Token};
use crate::lang::IN_WORKER;

/// A copy of a script under mending.
pub struct Copy<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// The names that mending brought in.
    pub variables: &'a [String],
}

/// A copy that was mended.
pub struct Mended {
    pub text: String,
    /// A name that the copy uses and that the parser must take for a variable.
    pub variable: Option<String>,
    /// The bytes of the copy that were wrong and how they are written, where that is certain.
    pub instead: Option<(Range<usize>, String)>,
}

impl Copy<'_> {
    /// Mends the fault at a token; `None` where it can't be known what was meant.
    pub fn mended(&self, error: &ParseErrorType, index: usize) -> Option<Mended> {
        if let Some(mended) = self.habit(index) {
            return Some(mended);
        }
        match error {
            // `find(role = "button")`
            ParseErrorType::VariableUndefined(name) if self.at(index) == name && self.at(index + 1) == "=" => {
                self.blanked(index, index + 1)
            }
            ParseErrorType::VariableUndefined(name) if self.at(index) == name => self.renamed(index),
            ParseErrorType::ModuleUndefined(name) if self.at(index) == name && self.at(index + 1) == "::" => {
                self.renamed_to(index, index + 2)
            }
            ParseErrorType::Reserved(word) if self.at(index) == word && is_word(word) => self.renamed(index),
            ParseErrorType::MissingToken(token, _) if token == ";" => self.semicolon(index),
            _ => None,
        }
    }

    fn habit(&self, index: usize) -> Option<Mended> {
        let token = self.tokens.get(index)?;
        let word = token.text(self.text);
        let instead = match word {
            _ if token.kind == Kind::Text => {
                let inside = word.strip_prefix('\'')?.strip_suffix('\'')?;
                let quote = ['"', '`'].into_iter().find(|&quote| !inside.contains(quote))?;
                return self.replaced(token.bytes.clone(), &format!("{quote}{inside}{quote}"));
            }
            // A variable of the same length stays one token, as the word is.
            "null" | "nil" | "undefined" => {
                let mended = self.renamed(index)?;
                return Some(Mended { instead: Some((token.bytes.clone(), "()".into())), ..mended });
            }
            "var" | "local" => "let",
            "function" | "func" | "def" if self.at(index + 1) != "(" => "fn",
            "and" | "===" | "!==" => match word {
                "and" => "&&",
                "===" => "==",
                _ => "!=",
            },
            "or" => "||",
            "not" => "!",
            "goto" => "open",
            "await" | "async" | "mut" => "",
            "new" | "finally" | "++" | "--" => return self.blanked(index, index),
            "==" => "=",
            "#" => return self.without_rest_of_line(token),
            "=>" => return self.closure(index),
            ":" if self.is_typed(index) => {
                let bytes = token.bytes.start..self.tokens.get(index + 1)?.bytes.end;
                return self.replaced(bytes, "");
            }
            ":" => {
                return self.map(index).or_else(|| {
                    let brace = self.brace(index).and_then(|open| self.tokens.get(open));
                    let instead = brace.map(|brace| (brace.bytes.clone(), "#{".into()));
                    Some(Mended { instead, ..self.blanked(index.checked_sub(1)?, index)? })
                });
            }
            "?" => return self.without_choice(index),
            _ => return None,
        };
        self.replaced(token.bytes.clone(), instead)
    }

    fn at(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    /// Puts a text in place of another, filled up with blanks.
    fn replaced(&self, bytes: Range<usize>, instead: &str) -> Option<Mended> {
        let old = self.text.get(bytes.clone())?;
        let width = old.chars().count();
        if old.contains('\n') || instead.chars().count() > width {
            return None;
        }
        let (head, tail) = (self.text.get(..bytes.start)?, self.text.get(bytes.end..)?);
        let text = format!("{head}{instead:width$}{tail}");
        Some(Mended { text, variable: None, instead: Some((bytes, instead.to_owned())) })
    }

    /// Blanks out tokens of one line, to read on behind them.
    fn blanked(&self, first: usize, last: usize) -> Option<Mended> {
        let (first, last) = (self.tokens.get(first)?, self.tokens.get(last)?);
        let mended = self.replaced(first.bytes.start..last.bytes.end, "")?;
        Some(Mended { instead: None, ..mended })
    }

    /// Gives a name another one that the script does not use, of the same length.
    fn renamed(&self, index: usize) -> Option<Mended> {
        self.renamed_to(index, index)
    }

    fn renamed_to(&self, first: usize, last: usize) -> Option<Mended> {
        let bytes = self.tokens.get(first)?.bytes.start..self.tokens.get(last)?.bytes.end;
        let width = self.text.get(bytes.clone())?.chars().count();
        let is_free = |name: &String| {
            self.variables.contains(name) || !self.tokens.iter().any(|token| token.text(self.text) == name)
        };
        let name = ('a'..='z').map(|letter| letter.to_string().repeat(width)).find(is_free)?;
        let mended = self.replaced(bytes, &name)?;
        Some(Mended { variable: Some(name), instead: None, ..mended })
    }

    /// `a` and a line end, or a blank, in place of `a;`.
    fn semicolon(&self, index: usize) -> Option<Mended> {
        let end = self.tokens.get(index.checked_sub(1)?)?.bytes.end;
        let (head, tail) = (self.text.get(..end)?, self.text.get(end..)?);
        let tail = match tail.chars().next() {
            Some(' ' | '\t') => tail.get(1..)?,
            None | Some('\n' | '\r') => tail,
            Some(_) => return None,
        };
        Some(Mended { text: format!("{head};{tail}"), variable: None, instead: Some((end..end, ";".into())) })
    }

    fn without_rest_of_line(&self, token: &Token) -> Option<Mended> {
        let bytes = token.bytes.clone();
        let length = self.text.get(bytes.start..)?.lines().next()?.len();
        let mended = self.replaced(bytes.start..bytes.start + length, "")?;
        Some(Mended { instead: Some((bytes, "//".into())), ..mended })
    }

    /// `x => …` or `(x, y) => …`
    fn closure(&self, index: usize) -> Option<Mended> {
        let arrow = self.tokens.get(index)?;
        let before = self.tokens.get(index.checked_sub(1)?)?;
        if before.kind == Kind::Name {
            return self.bars(before.bytes.start..arrow.bytes.end, index - 1, before.text(self.text), index);
        }
        let first = (0..index).rev().find(|&at| self.at(at) == "(")?;
        let open = self.tokens.get(first)?;
        let inside = self.text.get(open.bytes.end..before.bytes.start).filter(|_| before.text(self.text) == ")")?;
        self.bars(open.bytes.start..arrow.bytes.end, first, inside, index)
    }

    /// Puts the bars of a closure around its parameters; `first` and `arrow` are the tokens around them. The control
    /// functions pass nothing: what takes something there is only sure to be in order where it is not used.
    fn bars(&self, bytes: Range<usize>, first: usize, parameters: &str, arrow: usize) -> Option<Mended> {
        let around = Around { text: self.text, tokens: self.tokens, index: first };
        let is_control = around.called(first).is_some_and(|call| IN_WORKER.iter().any(|known| known.name == call));
        if !is_control || parameters.is_empty() {
            return self.replaced(bytes, &format!("|{parameters}|"));
        }
        let uses = |name: &Token| {
            let is_name = |other: &Token| other.text(self.text) == name.text(self.text);
            name.kind == Kind::Name && self.tokens.iter().skip(arrow).any(is_name)
        };
        if self.tokens.get(first..arrow)?.iter().any(uses) {
            let mended = self.replaced(bytes, &format!("|{parameters}|"))?;
            return Some(Mended { instead: None, ..mended });
        }
        self.replaced(bytes, "||")
    }

    /// `let x: int`
    fn is_typed(&self, index: usize) -> bool {
        let before = index.checked_sub(2).map_or("", |at| self.at(at));
        matches!(before, "let" | "const" | "(" | ",")
            && !matches!(self.at(index + 2), ":" | "(")
            && self.tokens.get(index + 1).is_some_and(|kind| kind.kind == Kind::Name)
            && matches!(self.at(index + 2), "=" | "," | ")" | ";")
            && (0..index).rev().map(|at| self.at(at)).find(|text| matches!(*text, "(" | "{" | ";")) != Some("{")
    }

    /// `{a: 1}`: the sign goes where a blank stands beside the brace, else into the first key.
    fn map(&self, index: usize) -> Option<Mended> {
        let open = self.brace(index)?;
        let brace = self.tokens.get(open)?.bytes.clone();
        let mended = if self.text.get(..brace.start)?.ends_with(' ') {
            self.replaced(brace.start - 1..brace.end, "#{")
        } else if self.text.get(brace.end..)?.starts_with(' ') {
            self.replaced(brace.start..brace.end + 1, "#{")
        } else {
            let key = self.tokens.get(open + 1).filter(|key| key.bytes.start == brace.end)?;
            let text = key.text(self.text);
            let quote = if key.kind == Kind::Text { "\"" } else { "" };
            let mut short = text.strip_prefix(quote)?.strip_suffix(quote)?.chars();
            short.next_back().filter(|_| !short.as_str().is_empty() && !text.contains('\\'))?;
            self.replaced(brace.start..key.bytes.end, &format!("#{{{quote}{}{quote}", short.as_str()))
        }?;
        Some(Mended { instead: Some((brace, "#{".into())), ..mended })
    }

    /// Returns the brace around a key and its value.
    fn brace(&self, index: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let open = (0..index).rev().find(|&at| {
            depth += match self.at(at) {
                "}" | ")" | "]" => -1,
                "{" | "(" | "[" | "#{" => 1,
                _ => 0,
            };
            depth > 0
        })?;
        (self.at(open) == "{").then_some(open)
    }

    /// `c ? a : b` up to where the statement or the argument ends.
    fn without_choice(&self, index: usize) -> Option<Mended> {
        let mut depth = 0_i32;
        let end = (index..self.tokens.len()).find(|&at| {
            depth += match self.at(at) {
                "(" | "[" | "{" | "#{" => 1,
                ")" | "]" | "}" => -1,
                _ => 0,
            };
            depth < 0 || (depth == 0 && matches!(self.at(at), ";" | ","))
        })?;
        self.blanked(index, end.checked_sub(1)?)
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::*;

    fn mended(text: &str, word: &str) -> Option<String> {
        let tokens = tokens(text);
        let index = tokens.iter().position(|token| token.text(text) == word).expect("the word is there");
        Copy { text, tokens: &tokens, variables: &[] }.habit(index).map(|mended| mended.text)
    }

    #[test]
    fn keeps_every_column() {
        for (text, word, expected) in [
            ("click('Save');", "'Save'", "click(\"Save\");"),
            ("let a = null;", "null", "let a = aaaa;"),
            ("let f = x => x;", "=>", "let f = |x|  x;"),
            ("let f = (a, b) => a;", "=>", "let f = |a, b|    a;"),
            ("f({ab: 1})", ":", "f(#{a: 1})"),
            ("let m = {a: 1};", ":", "let m =#{a: 1};"),
            ("let x: int = 1;", ":", "let x      = 1;"),
            ("let x = c ? f(1, 2) : 3;", "?", "let x = c              ;"),
            ("f({a: 1})", ":", "f({   1})"),
            ("find(role: \"a\")", ":", "find(      \"a\")"),
            ("a # b é\nc", "#", "a      \nc"),
        ] {
            assert_eq!(mended(text, word).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(mended("match x { }", "x"), None);
    }

    #[test]
    fn names_stay_as_long_as_they_were() {
        let text = "aa + nope";
        let tokens = tokens(text);
        let copy = Copy { text, tokens: &tokens, variables: &[] };
        let mended = copy.mended(&ParseErrorType::VariableUndefined("nope".into()), 2).expect("it can be mended");
        assert_eq!((mended.text.as_str(), mended.variable.as_deref()), ("aa + aaaa", Some("aaaa")));
        let mended = Copy { text: "a\nb", tokens: &super::super::lexer::tokens("a\nb"), variables: &[] }
            .semicolon(1)
            .expect("it can be mended");
        assert_eq!(mended.text, "a;\nb");
    }
}
