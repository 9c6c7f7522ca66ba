//! What scripts carry over from other languages, told by the word that stands where the parser gave up, and how it is
//! written in Rhai.

use super::lexer::{Kind, Token};
use super::spans::{Place, Span};
use crate::host::table;
use crate::lang::IN_WORKER;

/// The tokens around the place of a fault.
pub struct Around<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// The first token at or behind the fault.
    pub index: usize,
}

impl<'a> Around<'a> {
    pub fn at(&self, index: Option<usize>) -> &'a str {
        index.and_then(|index| self.tokens.get(index)).map_or("", |token| token.text(self.text))
    }

    pub fn before(&self) -> &'a str {
        self.at(self.index.checked_sub(1))
    }

    pub fn found(&self) -> String {
        match self.at(Some(self.index)) {
            "" => "the end of the script".into(),
            text => format!("`{text}`"),
        }
    }

    pub fn after_previous(&self) -> Option<Span> {
        let previous = self.tokens.get(self.index.checked_sub(1)?)?;
        let end: Place = (previous.end_line, previous.end_column);
        Some(Span { start: (previous.line, previous.column), end })
    }

    /// Returns the variables and parameters that the script declares.
    pub fn names(&self) -> Vec<&'a str> {
        let mut names = Vec::new();
        let mut in_list = false;
        for (index, token) in self.tokens.iter().enumerate() {
            let text = token.text(self.text);
            let before = |steps: usize| self.at(index.checked_sub(steps));
            match text {
                "(" => in_list = before(1) == "for" || before(2) == "fn",
                ")" => in_list = false,
                // What follows a value is the operator.
                "|" => {
                    in_list = !in_list && matches!(before(1), "" | "(" | "," | "=" | "{" | ";" | ":" | "[" | "return");
                }
                _ if token.kind != Kind::Name => {}
                _ if matches!(before(1), "let" | "const" | "for" | "as") => names.push(text),
                _ if in_list && matches!(before(1), "(" | "," | "|") => names.push(text),
                _ => {}
            }
        }
        names
    }

    /// Returns whether the fault stands in the body of a function.
    pub fn in_function(&self) -> bool {
        let mut blocks = Vec::new();
        let mut is_next = false;
        for token in self.tokens.iter().take(self.index) {
            match token.text(self.text) {
                "fn" => is_next = true,
                "{" => blocks.push(std::mem::take(&mut is_next)),
                "#{" | "${" => blocks.push(false),
                "}" => drop(blocks.pop()),
                _ => {}
            }
        }
        blocks.contains(&true)
    }

    /// Returns the index of the innermost bracket that is open before the token.
    pub fn open_bracket(&self, index: usize) -> Option<usize> {
        let mut depth = 0_i32;
        (0..index.min(self.tokens.len())).rev().find(|&at| match self.at(Some(at)) {
            ")" | "]" | "}" => {
                depth += 1;
                false
            }
            "(" | "[" | "{" | "#{" | "${" | "?[" => {
                depth -= 1;
                depth < 0
            }
            _ => false,
        })
    }

    /// Returns the function between whose brackets the token stands.
    pub fn called(&self, index: usize) -> Option<&'a str> {
        let open = self.open_bracket(index).filter(|&open| self.at(Some(open)) == "(")?;
        let name = self.tokens.get(open.checked_sub(1)?)?;
        // The parameters of a definition are no call.
        (name.kind == Kind::Name && self.at(open.checked_sub(2)) != "fn").then(|| name.text(self.text))
    }

    /// `find(role = "button")`
    pub fn named_argument(&self, name: &str) -> (String, String) {
        let function = self.called(self.index).unwrap_or("find");
        let row = table::function(function);
        let has_option = row.is_none_or(|row| row.options.iter().any(|(option, _)| *option == name));
        // Behind other arguments the map is the last one of them.
        let has_others = (0..self.index).rev().take(4).any(|at| self.at(Some(at)) == ",");
        let fits = |form: &&&str| form.contains("#{…}") && (form.contains(", #{…}") || !has_others);
        let in_map = row.and_then(|row| {
            let mut forms = row.signatures.iter().rev();
            forms.clone().find(fits).or_else(|| forms.find(|form| form.contains("#{…}")))
        });
        let in_map = in_map.map(|form| form.replace("#{…}", &format!("#{{{name}: …}}")));
        let hint = match (in_map, row) {
            (Some(form), _) if has_option => format!("options stand in a map: `{form}`"),
            (_, Some(row)) => format!("leave the name out: `{}`", row.takes()),
            _ => format!("options stand in a map: `{function}(#{{{name}: …}})`"),
        };
        ("arguments have no names in Rhai".into(), hint)
    }

    /// Returns whether what is found can't go on inside brackets.
    pub fn ends_statement(&self) -> bool {
        matches!(self.at(Some(self.index)), "" | ";" | "}" | "let" | "const" | "if" | "for" | "while" | "return" | "fn")
    }

    pub fn still_open(&self) -> Option<(String, String)> {
        let open = self.unclosed().or_else(|| self.open_bracket(self.index))?;
        let bracket = self.at(Some(open));
        let name = match self.tokens.get(open.checked_sub(1).unwrap_or(open)) {
            Some(token) if token.kind == Kind::Name && bracket == "(" => token.text(self.text),
            _ => "",
        };
        let line = self.tokens.get(open).map_or(0, |token| token.line);
        let here = self.tokens.get(self.index).or(self.tokens.last()).map_or(0, |token| token.line);
        let place = if line == here { String::new() } else { format!(" of line {line}") };
        let problem = format!("found {}, but `{name}{bracket}`{place} is still open", self.found());
        // `step("a", || {` lacks `});`. At the end of the script all that is open lacks its partner.
        let is_end = self.index >= self.tokens.len();
        let mut missing = String::from(closing(bracket));
        let (mut around, mut last) = (self.open_bracket(open), line);
        while let Some(outer) = around.and_then(|at| self.tokens.get(at)) {
            if (outer.line != last && !is_end) || line == here {
                break;
            }
            if outer.line != last {
                missing.push_str(if missing.ends_with(')') { "; " } else { " " });
            }
            missing.push_str(closing(outer.text(self.text)));
            (around, last) = (around.and_then(|at| self.open_bracket(at)), outer.line);
        }
        let ends_statement = if missing.ends_with(')') && line != here { ";" } else { "" };
        let hint = match (line == here, is_end) {
            (true, _) => "before it",
            (false, true) => "at the end",
            (false, false) => "where it ends",
        };
        Some((problem, format!("add `{missing}{ends_statement}` {hint}")))
    }

    /// Returns the bracket whose own line stands further right than the line of the one that closes it: by the look of
    /// the text it lacks its partner.
    fn unclosed(&self) -> Option<usize> {
        let indent = |line: usize| {
            self.text.lines().nth(line.saturating_sub(1)).map_or(0, |line| line.len() - line.trim_start().len())
        };
        let mut open: Vec<usize> = Vec::new();
        let mut last_line = 0;
        for (index, token) in self.tokens.iter().enumerate().take(self.index + 1) {
            let is_first = token.line > last_line;
            last_line = token.end_line;
            let innermost = open.last().and_then(|&at| Some((at, self.tokens.get(at)?)));
            match token.text(self.text) {
                "(" | "[" | "{" | "#{" | "${" | "?[" => open.push(index),
                ")" | "]" | "}" => {
                    if let Some((at, _)) =
                        innermost.filter(|(_, opener)| is_first && indent(token.line) < indent(opener.line))
                    {
                        return Some(at);
                    }
                    open.pop();
                }
                _ => {}
            }
        }
        None
    }

    /// Looks for a habit from another language right at the fault or just before it: the index of its token, what
    /// is wrong and how it is written.
    pub fn habit(&self) -> Option<(usize, String, String)> {
        let before = [self.index.checked_sub(1), self.index.checked_sub(2)];
        let places = before.into_iter().flatten();
        let places = [self.index].into_iter().chain(places).chain([self.index + 1, self.index + 2]).chain(self.arrow());
        places.into_iter().find_map(|index| {
            let token = self.tokens.get(index)?;
            let word = token.text(self.text);
            let next = self.at(Some(index + 1));
            let (problem, hint) = self.known(token, word, next, index)?;
            Some((index, problem, hint))
        })
    }

    /// Returns the arrow of `(a, b) => …` when the fault stands between the brackets.
    fn arrow(&self) -> Option<usize> {
        let open = self.open_bracket(self.index).filter(|&open| self.at(Some(open)) == "(")?;
        let mut depth = 0_i32;
        let close = (open..self.tokens.len()).find(|&at| {
            depth += match self.at(Some(at)) {
                "(" | "[" | "{" | "#{" | "${" => 1,
                ")" | "]" | "}" => -1,
                _ => 0,
            };
            depth == 0
        })?;
        (self.at(Some(close + 1)) == "=>").then_some(close + 1)
    }

    fn known(&self, token: &Token, word: &str, next: &str, index: usize) -> Option<(String, String)> {
        let is_here = index == self.index;
        // In `{name: 1}` the engine may complain about the name first.
        let is_near = is_here || index == self.index + 1;
        // `end`, `pass` and the like are names as good as any where an operator, a comma or a bracket follows.
        let ends_here = next.is_empty();
        let is_used = !ends_here && !next.starts_with(|first: char| first.is_alphanumeric() || first == '_');
        let said = |problem: String, hint: &str| Some((problem, hint.to_owned()));
        let no_word = |hint: &str| said(format!("Rhai has no `{word}`"), hint);
        match word {
            _ if index > self.index + 1 && word != "=>" => None,
            _ if token.kind == Kind::Text && is_single_quoted(word) => {
                let inside = word.trim_matches('\'');
                Some(("single quotes hold one character".into(), format!("use double quotes: \"{inside}\"")))
            }
            _ if token.kind == Kind::Text => None,
            "null" | "nil" | "undefined" => no_word("write `()` for no value"),
            "await" | "async" => no_word("leave it out: every call waits by itself"),
            "new" => no_word("write a map `#{…}` or call the function directly"),
            "match" => no_word("use `switch x { 1 => …, _ => … }`"),
            "var" => no_word("use `let`"),
            "goto" => no_word("to load a page, use `open(url)`"),
            "def" | "function" | "func" if !matches!(next, "(" | "." | "=") || word == "function" => {
                if next == "(" {
                    no_word("write a closure: `|| …`")
                } else {
                    no_word("use `fn name(x) { … }` at the top level")
                }
            }
            "elif" | "elsif" | "elseif" => no_word("use `else if` behind the block of an `if`"),
            "unless" if is_here => no_word("use `if !(…) { … }`"),
            "mut" => no_word("leave it out: every `let` can change"),
            "finally" | "except" => no_word("use `try { … } catch (e) { … }`"),
            "and" if is_here => no_word("use `&&`"),
            "or" if is_here => no_word("use `||`"),
            "not" => no_word("use `!`"),
            "local" if is_here && !ends_here && !is_used => no_word("use `let`"),
            "then" | "end" | "pass" if is_here && !is_used => no_word("blocks stand in `{` and `}`"),
            "===" => no_word("use `==`"),
            "!==" => no_word("use `!=`"),
            "++" => no_word("use `x += 1`"),
            "--" => no_word("use `x -= 1`"),
            "=>" if !self.in_switch(index) => no_word(&self.as_closure(index)),
            "->" => no_word("leave the result type out"),
            "#" => said("`#` starts no comment".into(), "comments start with `//`; maps are written `#{…}`"),
            "?" if is_here => no_word("use `if c { a } else { b }`"),
            ":" if is_near && self.called(index).is_some() => Some(self.named_argument(self.at(index.checked_sub(1)))),
            ":" if is_near && self.is_typed(index) => {
                said("variables have no type in Rhai".into(), "leave out the colon and the type")
            }
            ":" if is_near && self.is_map(index) => {
                said("an object map starts with `#{`".into(), "write `#{name: value}`")
            }
            _ => None,
        }
    }

    /// Says how `(a, b) => …` is written, seen from the arrow.
    fn as_closure(&self, arrow: usize) -> String {
        let before = arrow.checked_sub(1);
        let open = before.filter(|_| self.at(before) == ")").and_then(|close| self.open_bracket(close));
        let parameters: String = match open {
            Some(open) => {
                self.tokens.get(open + 1..arrow - 1).unwrap_or(&[]).iter().map(|t| t.text(self.text)).collect()
            }
            None => self.at(before).to_owned(),
        };
        let first = open.or(before).unwrap_or(arrow);
        match self.called(first).filter(|call| IN_WORKER.iter().any(|known| known.name == *call)) {
            Some(call) if !parameters.is_empty() => format!("`{call}` passes nothing to its closure: write `|| …`"),
            _ => format!("write a closure: `|{}| …`", parameters.replace(',', ", ")),
        }
    }

    /// Returns whether `switch` stands open before the token.
    fn in_switch(&self, index: usize) -> bool {
        self.tokens.iter().take(index).any(|token| token.text(self.text) == "switch")
    }

    /// `let x: int`
    fn is_typed(&self, index: usize) -> bool {
        matches!(self.at(index.checked_sub(2)), "let" | "const" | "(" | ",")
            && self.at(index.checked_sub(2)) != "{"
            && !self.is_map(index)
    }

    /// `{a: 1}`, also at a later entry.
    fn is_map(&self, index: usize) -> bool {
        let mut depth = 0_i32;
        for at in (0..index).rev() {
            match self.at(Some(at)) {
                "}" | ")" | "]" => depth += 1,
                "{" if depth == 0 => return true,
                "(" | "[" | "#{" | ";" if depth == 0 => return false,
                "{" | "(" | "[" | "#{" => depth -= 1,
                _ => {}
            }
        }
        false
    }
}

fn closing(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "[" | "?[" => "]",
        _ => "}",
    }
}

/// Returns whether single quotes hold something other than one character.
fn is_single_quoted(word: &str) -> bool {
    word.starts_with('\'') && word.chars().count() != 3 && !word.starts_with("'\\")
}
