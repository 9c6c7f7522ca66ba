//! Says what is wrong with a script that does not parse, and how it is written in Rhai. Most such scripts carry
//! over a habit from another language, so the fix is told by the word that stands there.

use rhai::{LexError, ParseError, ParseErrorType};

use super::lexer::{Kind, Token};
use super::sources::place;
use super::spans::{Place, Span, Spans};
use crate::lang::fault::Fault;
use crate::script::{Script, Site};

/// Returns the fault and its place.
pub fn explain(script: &Script, spans: &Spans, error: &ParseError) -> (Fault, Site) {
    let text = &script.text;
    let tokens = spans.tokens();
    let last_line = text.lines().count().max(1);
    let end = (last_line, script.line(last_line).chars().count() + 1);
    let at = place(error.position()).unwrap_or(end);
    let index = tokens.iter().position(|token| (token.line, token.column) >= at).unwrap_or(tokens.len());
    let around = Around { text, tokens, index };
    let mut span = spans.token(at);
    if index == tokens.len() {
        span = around.after_previous().unwrap_or(span);
    }
    if let Some((habit, problem, hint)) = around.habit() {
        let token = tokens.get(habit).map(|token| (token.line, token.column));
        return (parse(problem, hint), spans.token(token.unwrap_or(at)).site(&script.name));
    }
    let (problem, hint) = match error.err_type() {
        ParseErrorType::MissingToken(token, _) if token == ";" && around.found() == "`==`" => {
            ("found `==`, expected `=`".into(), "write `=` to set a value".into())
        }
        ParseErrorType::MissingToken(token, _) if token == ";" => {
            // Rhai points at the statement that follows.
            let before = around.before();
            span = around.after_previous().unwrap_or(span);
            ("expected `;` between two statements".to_owned(), format!("add `;` after `{before}`"))
        }
        ParseErrorType::MissingToken(token, _) if token == "in" && around.found() == "`,`" => {
            ("`for` takes one name, or two in brackets".into(), "write `for (item, index) in list { … }`".into())
        }
        ParseErrorType::MissingToken(token, description) if token == "," && description.contains("iteration") => (
            "`for` takes no brackets around what it goes through".into(),
            format!("write `for {} in … {{ … }}`", around.before()),
        ),
        ParseErrorType::VariableExpected
            if around.found() == "`let`" && around.at(around.index.checked_sub(2)) == "for" =>
        {
            ("Rhai counts with a range".into(), "write `for i in 0..3 { … }`".into())
        }
        ParseErrorType::MissingToken(..) if around.found() == "`=`" && around.called(around.index).is_some() => {
            around.named_argument(around.before())
        }
        ParseErrorType::MissingToken(..) if around.found() == "`=`" => compares(),
        ParseErrorType::MissingToken(token, _) if matches!(token.as_str(), "," | ")") && around.ends_statement() => {
            around.still_open().unwrap_or_else(|| ("a bracket is still open".into(), "close it".into()))
        }
        ParseErrorType::MissingToken(token, description) => {
            let found = around.found();
            (
                format!("found {found}, expected `{token}` {}", description.trim().replace('\'', "`")),
                format!("add `{token}` here"),
            )
        }
        ParseErrorType::UnexpectedEOF => (
            "the script ends in the middle of a statement".into(),
            "close what is still open: `}`, `)` or a quote".into(),
        ),
        ParseErrorType::BadInput(LexError::UnterminatedString) => (
            "this string has no end".into(),
            "close it with `\"` on the same line, or use back-ticks for several lines".into(),
        ),
        ParseErrorType::VariableUndefined(name)
            if matches!(around.at(Some(around.index + 1)), "=") && around.called(around.index).is_some() =>
        {
            around.named_argument(name)
        }
        ParseErrorType::VariableUndefined(name) => return (undefined(&around, name), span.site(&script.name)),
        ParseErrorType::ModuleUndefined(name) => {
            let hint = if crate::lang::stdlib::names().any(|known| known == name) {
                format!("add `import \"{name}\" as {name};` at the top")
            } else {
                format!("add `import \"{name}.rhai\" as {name};` at the top")
            };
            (format!("there is no module `{name}`"), hint)
        }
        other if other.to_string().contains("typo of '=='") => compares(),
        ParseErrorType::ExprTooDeep => {
            let fault = Fault::Limit { limit: "nesting".into(), problem: "this expression is nested too deep".into() };
            return (fault, span.site(&script.name));
        }
        ParseErrorType::TooManyFunctions => {
            let fault = Fault::Limit { limit: "functions".into(), problem: "the script defines too many".into() };
            return (fault, span.site(&script.name));
        }
        ParseErrorType::LiteralTooLarge(what, most) => {
            let problem = format!("{} is above {most}", what.to_lowercase());
            return (Fault::Limit { limit: "literal size".into(), problem }, span.site(&script.name));
        }
        other if other.to_string().contains("'eval'") => {
            ("`eval` is not available".into(), "write the code in the script itself, or in a module".into())
        }
        ParseErrorType::Reserved(word) if !word.starts_with(char::is_alphabetic) => {
            (format!("`{word}` means nothing in Rhai"), "leave it out".into())
        }
        ParseErrorType::Reserved(word) if matches!(word.as_str(), "print" | "debug" | "type_of") => {
            (format!("`{word}` needs its argument in brackets"), format!("write `{word}(…)`"))
        }
        ParseErrorType::Reserved(word) => {
            (format!("`{word}` is a reserved word"), format!("use another name, such as `my_{word}`"))
        }
        ParseErrorType::UnknownOperator(operator) => {
            (format!("there is no operator `{operator}`"), "correct the marked place".into())
        }
        ParseErrorType::FnDuplicatedDefinition(name, _) => {
            (format!("`{name}` is defined twice"), "give one of them another name".into())
        }
        ParseErrorType::WrongFnDefinition => (
            "a function is defined inside a block".into(),
            "move `fn` to the top level, or use a closure: `let f = |x| …;` and `f.call(x)`".into(),
        ),
        ParseErrorType::AssignmentToConstant(name) => {
            (format!("`{name}` is a constant"), format!("declare it with `let {name}` to change it"))
        }
        ParseErrorType::MismatchedType(expected, found) if expected.contains("bool") => (
            format!("found {found}, expected true or false"),
            "compare it, as in `x != ()`, `x > 0` or `x != \"\"`".into(),
        ),
        ParseErrorType::MismatchedType(expected, found) => {
            (format!("found {found}, expected {expected}"), "correct the marked place".into())
        }
        other => (lowercase(&other.to_string()), "correct the marked place".into()),
    };
    (parse(problem, hint), span.site(&script.name))
}

fn parse(problem: impl Into<String>, hint: impl Into<String>) -> Fault {
    Fault::Parse { problem: problem.into(), hint: Some(hint.into()) }
}

fn compares() -> (String, String) {
    ("`=` sets a value, it does not compare".into(), "to compare, write `==`".into())
}

/// Returns the fault for a name that no variable has.
fn undefined(around: &Around<'_>, name: &str) -> Fault {
    let names = around.names();
    let problem = format!("there is no variable `{name}` here");
    let hint = match name {
        "None" | "nil" | "undefined" | "NULL" => "write `()` for no value".to_owned(),
        "True" | "False" => format!("write `{}`", name.to_lowercase()),
        "page" | "browser" | "document" | "window" => {
            "functions stand alone: `click(ref)`, `tree()`, `eval_js(…)`".into()
        }
        _ if super::bind::callable().any(|row| row.name == name) => format!("call the function: `{name}()`"),
        _ if names.contains(&name) && !around.in_function() => {
            format!("it is declared further down or in another block: declare `{name}` before, outside of it")
        }
        _ if names.contains(&name) => {
            format!("a function sees only its parameters: pass `{name}` to it, or use a closure")
        }
        _ => {
            let distance = |other: &str| strsim::damerau_levenshtein(other, name);
            let limit = if name.chars().count() >= 4 { 2 } else { 1 };
            let is_near =
                |other: &&&str| other.chars().count() > 1 && name.chars().count() > 1 && distance(other) <= limit;
            match names.iter().filter(is_near).min_by_key(|other| distance(other)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "declare it with `let` first".into(),
            }
        }
    };
    parse(problem, hint)
}

/// The tokens around the place of a fault.
struct Around<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The first token at or behind the fault.
    index: usize,
}

impl<'a> Around<'a> {
    fn at(&self, index: Option<usize>) -> &'a str {
        index.and_then(|index| self.tokens.get(index)).map_or("", |token| token.text(self.text))
    }

    fn before(&self) -> &'a str {
        self.at(self.index.checked_sub(1))
    }

    fn found(&self) -> String {
        match self.at(Some(self.index)) {
            "" => "the end of the script".into(),
            text => format!("`{text}`"),
        }
    }

    fn after_previous(&self) -> Option<Span> {
        let previous = self.tokens.get(self.index.checked_sub(1)?)?;
        let end: Place = (previous.end_line, previous.end_column);
        Some(Span { start: (previous.line, previous.column), end })
    }

    /// Returns the variables and parameters that the script declares.
    fn names(&self) -> Vec<&'a str> {
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
    fn in_function(&self) -> bool {
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
    fn open_bracket(&self, index: usize) -> Option<usize> {
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
    fn called(&self, index: usize) -> Option<&'a str> {
        let open = self.open_bracket(index).filter(|&open| self.at(Some(open)) == "(")?;
        let name = self.tokens.get(open.checked_sub(1)?)?;
        // The parameters of a definition are no call.
        (name.kind == Kind::Name && self.at(open.checked_sub(2)) != "fn").then(|| name.text(self.text))
    }

    /// `find(role = "button")`
    fn named_argument(&self, name: &str) -> (String, String) {
        let function = self.called(self.index).unwrap_or("find");
        let hint = format!("options stand in a map: `{function}(#{{{name}: …}})`");
        ("arguments have no names in Rhai".into(), hint)
    }

    /// Returns whether what is found can't go on inside brackets.
    fn ends_statement(&self) -> bool {
        matches!(self.at(Some(self.index)), "" | ";" | "}" | "let" | "const" | "if" | "for" | "while" | "return" | "fn")
    }

    fn still_open(&self) -> Option<(String, String)> {
        let open = self.open_bracket(self.index)?;
        let bracket = self.at(Some(open));
        let close = match bracket {
            "(" => ")",
            "[" | "?[" => "]",
            _ => "}",
        };
        let name = match self.tokens.get(open.checked_sub(1).unwrap_or(open)) {
            Some(token) if token.kind == Kind::Name && bracket == "(" => token.text(self.text),
            _ => "",
        };
        let problem = format!("found {}, but `{name}{bracket}` is still open", self.found());
        Some((problem, format!("add `{close}` before it")))
    }

    /// Looks for a habit from another language right at the fault or just before it: the index of its token, what
    /// is wrong and how it is written.
    fn habit(&self) -> Option<(usize, String, String)> {
        let before = [self.index.checked_sub(1), self.index.checked_sub(2)];
        let places = before.into_iter().flatten();
        let places = [self.index].into_iter().chain(places).chain([self.index + 1, self.index + 2]);
        places.into_iter().find_map(|index| {
            let token = self.tokens.get(index)?;
            let word = token.text(self.text);
            let next = self.at(Some(index + 1));
            let (problem, hint) = self.known(token, word, next, index)?;
            Some((index, problem, hint))
        })
    }

    fn known(&self, token: &Token, word: &str, next: &str, index: usize) -> Option<(String, String)> {
        let is_here = index == self.index;
        // In `{name: 1}` the engine may complain about the name first.
        let is_near = is_here || index == self.index + 1;
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
                    no_word("write a closure: `|x| …`")
                } else {
                    no_word("use `fn name(x) { … }` at the top level")
                }
            }
            "elif" | "elsif" | "elseif" => no_word("use `else if`"),
            "mut" => no_word("leave it out: every `let` can change"),
            "finally" | "except" => no_word("use `try { … } catch (e) { … }`"),
            "and" if is_here => no_word("use `&&`"),
            "or" if is_here => no_word("use `||`"),
            "not" => no_word("use `!`"),
            "then" | "end" | "local" | "pass" if is_here => no_word("blocks stand in `{` and `}`"),
            "===" => no_word("use `==`"),
            "!==" => no_word("use `!=`"),
            "++" => no_word("use `x += 1`"),
            "--" => no_word("use `x -= 1`"),
            "=>" if !self.in_switch(index) => no_word("write a closure: `|x| …`"),
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

/// Returns whether single quotes hold something other than one character.
fn is_single_quoted(word: &str) -> bool {
    word.starts_with('\'') && word.chars().count() != 3 && !word.starts_with("'\\")
}

/// Lowers the first letter, as all messages start.
pub fn lowercase(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
