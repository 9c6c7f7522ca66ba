//! Says what is wrong with a script that does not parse, and how it is written in Rhai: the parser's errors in our
//! words.

use rhai::{LexError, ParseErrorType};

use super::habits::Around;
use super::lexer::{Kind, Token};
use super::slips::{self, Slip};
use super::spans::{Place, Span, Spans};
use crate::lang::fault::Fault;
use crate::script::{Script, Site};

/// What is wrong with a script, where, and the index of the token that it is about.
#[derive(Debug)]
pub struct Explained {
    pub fault: Fault,
    pub site: Site,
    pub token: usize,
    /// What was meant, where that is clear.
    pub slip: Option<Slip>,
}

/// Explains an error of the parser; `at` is its place in the script, the script's end without one. `written` is the
/// script as its author wrote it, with the same lines and columns.
pub fn explain(
    script: &Script,
    written: &Script,
    spans: &Spans,
    error: &ParseErrorType,
    at: Option<Place>,
) -> Explained {
    let text = &script.text;
    let tokens = spans.tokens();
    let last_line = text.lines().count().max(1);
    let end = (last_line, script.line(last_line).chars().count() + 1);
    let at = at.unwrap_or(end);
    let index = tokens.iter().position(|token| (token.line, token.column) >= at).unwrap_or(tokens.len());
    let around = Around { text, tokens, index };
    if let Some(slip) = slips::slip(&around, written, error) {
        let fault = Fault::parse(slip.problem.as_str(), slip.hint.as_str());
        return Explained { fault, site: slip.span.site(&script.name), token: index, slip: Some(slip) };
    }
    if let Some((habit, problem, hint)) = around.habit() {
        let token = tokens.get(habit).map(|token| (token.line, token.column));
        let site = spans.token(token.unwrap_or(at)).site(&script.name);
        return Explained { fault: Fault::parse(problem, hint), site, token: habit, slip: None };
    }
    let (fault, span) = word(&around, written, spans, error, at);
    Explained { fault, site: span.site(&script.name), token: index, slip: None }
}

/// Words the parser's own error where no habit explains it, and says what to mark.
fn word(around: &Around<'_>, written: &Script, spans: &Spans, error: &ParseErrorType, at: Place) -> (Fault, Span) {
    let mut span = spans.token(at);
    if around.index == around.tokens.len() {
        span = around.after_previous().unwrap_or(span);
    }
    let (problem, hint) = match error {
        ParseErrorType::MissingToken(token, _) if token == ";" && around.found() == "`==`" => {
            ("found `==`, expected `=`".into(), "write `=` to set a value".into())
        }
        ParseErrorType::MissingToken(token, _) if token == ";" => {
            // Rhai points at the statement that follows.
            span = around.after_previous().unwrap_or(span);
            let before = written.part(&span.site(&written.name));
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
        ParseErrorType::VariableExpected => (
            format!("found {}, expected the name of a variable", around.found()),
            "`let` declares one variable, whose name starts with a letter: `let name = …;`".into(),
        ),
        ParseErrorType::MissingToken(..) if around.found() == "`=`" && around.called(around.index).is_some() => {
            around.named_argument(around.before())
        }
        ParseErrorType::MissingToken(..) if around.found() == "`=`" => compares(),
        ParseErrorType::MissingToken(token, _) if matches!(token.as_str(), "," | ")") && around.ends_statement() => {
            around.still_open().unwrap_or_else(|| ("a bracket is still open".into(), "close it".into()))
        }
        ParseErrorType::MissingToken(..) | ParseErrorType::UnexpectedEOF
            if around.index == around.tokens.len()
                && let Some(open) = around.still_open() =>
        {
            open
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
        ParseErrorType::BadInput(LexError::UnexpectedInput(found)) if found == "try" => (
            "`try` is a statement, which stands in no expression".into(),
            "write `let x = (); try { x = …; } catch (e) { x = …; }`".into(),
        ),
        ParseErrorType::BadInput(LexError::UnexpectedInput(found)) if found.chars().all(char::is_alphabetic) => {
            let name = |token: &Token| {
                let (start, end) = ((token.line, token.column), (token.end_line, token.end_column));
                token.kind == Kind::Name && start <= at && at < end
            };
            if let Some(token) = around.tokens.iter().find(|token| name(token)) {
                span = Span::of(token);
            }
            let problem = format!("`{found}` can't stand in a name");
            (problem, "names are made of the letters a to z and A to Z, digits and `_`; texts stand in quotes".into())
        }
        ParseErrorType::VariableUndefined(name)
            if matches!(around.at(Some(around.index + 1)), "=") && around.called(around.index).is_some() =>
        {
            around.named_argument(name)
        }
        ParseErrorType::VariableUndefined(name) => return (undefined(around, name), span),
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
            return (fault, span);
        }
        ParseErrorType::TooManyFunctions => {
            let fault = Fault::Limit { limit: "functions".into(), problem: "the script defines too many".into() };
            return (fault, span);
        }
        ParseErrorType::LiteralTooLarge(what, most) => {
            let problem = format!("{} is above {most}", what.to_lowercase());
            return (Fault::Limit { limit: "literal size".into(), problem }, span);
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
            let help = format!("use another name, such as `my_{word}`; the key of a map is read as `m[\"{word}\"]`");
            (format!("`{word}` is a reserved word"), help)
        }
        ParseErrorType::UnknownOperator(operator) => {
            (format!("there is no operator `{operator}`"), "correct the marked place".into())
        }
        ParseErrorType::FnDuplicatedDefinition(name, _) => {
            (format!("`{name}` is defined twice"), "give one of them another name".into())
        }
        ParseErrorType::FnMissingBody(name) => {
            ("the body of a function stands in `{` and `}`".into(), format!("write `fn {name}(…) {{ … }}`"))
        }
        ParseErrorType::WrongFnDefinition => (
            "a function is defined inside a block".into(),
            "move `fn` to the top level, or use a closure: `let f = |x| …;` and `f.call(x)`".into(),
        ),
        ParseErrorType::AssignmentToConstant(name) if name.is_empty() => (
            "only a variable can be set".into(),
            "to compare, write `==`; the key of a map and its value stand in `#{ key: value }`".into(),
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
        _ if matches!(around.at(Some(around.index)), ")" | "]" | "}")
            && let Some(open) = around.still_open() =>
        {
            open
        }
        other => (lowercase(&other.to_string()), "correct the marked place".into()),
    };
    (Fault::parse(problem, hint), span)
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
        "console" => "write `log(value)`".into(),
        "page" | "browser" | "document" | "window" | "driver" | "cy" | "context" => {
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
    Fault::parse(problem, hint)
}

/// Lowers the first letter, as all messages start.
pub fn lowercase(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
