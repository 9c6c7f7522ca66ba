//! Conditions that are neither true nor false: `if find_all("x") { … }`. Rhai takes nothing but a bool for one, so what
//! surely gives something else fails when it is reached.

use super::given::{Given, Gives};
use super::lexer::{Kind, Token};
use super::link::Record;
use super::sources::Source;
use super::spans::{Call, Span};
use crate::host::table;
use crate::lang::fault::Fault;

/// What a function gives and the condition that was meant, with `CALL` for the call. Behind the bar stands the
/// condition under a `!`.
const GIVES: &[(&[&str], &str, &str, &str)] = &[
    (
        &["find_all", "query", "shadow_query", "refs", "tabs", "frames", "nearest"],
        "an array",
        "CALL.len() > 0",
        "CALL.len() == 0",
    ),
    (&["text", "title", "url"], "a text", "CALL != \"\"", "CALL == \"\""),
    (&["value"], "a text or `()`", "CALL != \"\"", "CALL == \"\""),
    (&["attr"], "a text or `()`", "CALL != ()", "CALL == ()"),
    (&["lookup"], "a node or `()`", "CALL != ()", "CALL == ()"),
    (&["dialog"], "a map or `()`", "CALL != ()", "CALL == ()"),
    (&["explain"], "a map", "CALL.actionable", "!CALL.actionable"),
    (&["click"], "a map", "CALL.success", "!CALL.success"),
    (&["len"], "a number", "CALL > 0", "CALL == 0"),
];

/// Returns the conditions of a script that are surely neither true nor false.
pub fn faults(source: &Source, given: &Given<'_>) -> Vec<Record> {
    let reader = Reader { source, given };
    let calls = source.spans.calls().into_iter().filter_map(|(_, call)| reader.call(call));
    let names = source.spans.tokens().iter().filter_map(|token| reader.variable(token));
    calls.chain(names).collect()
}

struct Reader<'a> {
    source: &'a Source,
    given: &'a Given<'a>,
}

impl Reader<'_> {
    fn call(&self, call: &Call) -> Option<Record> {
        let place = self.place(call.span)?;
        // `m.text()` may be a closure that is kept in `m`; `list.len()` is Rhai's own.
        let is_of_ref =
            || call.arguments.first().and_then(|receiver| self.given.gives(*receiver)) == Some(Gives::Reference);
        let is_ours = table::function(&call.name).is_some() && (!call.is_method || is_of_ref());
        let is_own = call.namespace.is_some() || self.source.defines(&call.name);
        if is_own || !(is_ours || call.name == "len" && call.is_method) || self.takes_closure(call) {
            return None;
        }
        let written = self.given.shown(call.span);
        let is_long = written == "ref";
        if matches!(call.name.as_str(), "find" | "wait_for") {
            let (_, rest) = written.split_once('(').filter(|_| !is_long)?;
            let sign = if place.is_denied { "== 0" } else { "> 0" };
            let asked = format!("find_all({rest}.len() {sign}");
            let hint = match call.name.as_str() {
                "find" => format!("it fails where nothing matches; to ask, write `{asked}`"),
                _ => format!("leave the condition out: it waits, and fails in the end; to ask, write `{asked}`"),
            };
            // `find_all` does not wait, so it knows no `timeout`.
            let fix = (call.name == "find" && !rest.contains("timeout")).then_some(asked);
            return Some(self.told(&place, "a ref", hint, fix));
        }
        let (_, gives, meant, denied) = GIVES.iter().find(|(names, ..)| names.contains(&call.name.as_str()))?;
        let meant = if place.is_denied { denied } else { meant };
        let instead = meant.replace("CALL", if is_long { "…" } else { &written });
        let fix = (!is_long).then(|| instead.clone());
        Some(self.told(&place, gives, format!("write `{instead}`"), fix))
    }

    fn variable(&self, token: &Token) -> Option<Record> {
        let name = self.text(token);
        let gives = (token.kind == Kind::Name).then(|| self.given.gives(Span::of(token))).flatten()?;
        let place = self.place(Span::of(token))?;
        let sign = if place.is_denied { "== 0" } else { "> 0" };
        match gives {
            Gives::Reference => {
                let hint = "`find` fails where nothing matches; to ask, write `find_all(…).len() > 0`".to_owned();
                Some(self.told(&place, "a ref", hint, None))
            }
            Gives::References => {
                let instead = format!("{name}.len() {sign}");
                Some(self.told(&place, "an array of refs", format!("write `{instead}`"), Some(instead)))
            }
        }
    }

    fn told(&self, place: &Condition, gives: &str, hint: String, fix: Option<String>) -> Record {
        let problem = format!("a condition is true or false, and this is {gives}");
        let fix = fix.and_then(|instead| self.given.line_with(place.span, &instead));
        Record::new(Fault::parse(problem, hint), self.source.located(place.span)).fixed(fix)
    }

    /// `find(list, |item| …)` looks in an array.
    fn takes_closure(&self, call: &Call) -> bool {
        call.arguments.iter().any(|argument| {
            let first = self.source.spans.within(*argument).first();
            first.is_some_and(|first| matches!(self.text(first), "|" | "||"))
        })
    }

    /// Returns the condition that an expression is all by itself; `None` where it is none.
    fn place(&self, expression: Span) -> Option<Condition> {
        let tokens = self.source.spans.tokens();
        let first = self.source.spans.index(expression.start)?;
        let end = first + self.source.spans.within(expression).len();
        let at = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |token| self.text(token));
        let (mut before, mut after) = (first.checked_sub(1), end);
        let is_denied = at(before) == "!";
        let mut start = expression.start;
        if is_denied {
            start = before.and_then(|index| tokens.get(index)).map(|token| (token.line, token.column))?;
            before = before?.checked_sub(1);
        }
        let span = Span { start, end: expression.end };
        let follows = |after: usize| at(Some(after));
        if matches!(follows(after), "." | "?." | "[" | "?[" | "::" | "(") {
            return None;
        }
        // What stands in brackets of its own is the condition in them.
        while at(before) == "(" && follows(after) == ")" && !self.is_call(before?) {
            before = before?.checked_sub(1);
            after += 1;
        }
        let is_asserted =
            at(before) == "(" && at(before?.checked_sub(1)) == "assert" && matches!(follows(after), "," | ")");
        let is_operand = self.is_operator(before) || matches!(follows(after), "&&" | "||");
        let begins = matches!(at(before), "if" | "while" | "until");
        let ends = matches!(follows(after), "{" | "&&" | "||" | ";" | ")" | "," | "}" | "");
        let is_condition = is_asserted
            || (begins && ends)
            || (is_operand
                && ends
                && (self.is_operator(before) || matches!(at(before), "(" | "=" | "," | "return" | ";" | "{")))
            || (is_denied && ends);
        is_condition.then_some(Condition { span, is_denied })
    }

    /// Returns whether a bracket opens the arguments of a call.
    fn is_call(&self, open: usize) -> bool {
        let before = open.checked_sub(1).and_then(|index| self.source.spans.tokens().get(index));
        before.is_some_and(|before| before.kind == Kind::Name)
    }

    /// `&&` or `||`, which also begins a closure where no value stands before it.
    fn is_operator(&self, index: Option<usize>) -> bool {
        let tokens = self.source.spans.tokens();
        let Some(token) = index.and_then(|index| tokens.get(index)) else { return false };
        let before = index.and_then(|index| tokens.get(index.checked_sub(1)?));
        let is_value = before.is_some_and(|before| {
            matches!(before.kind, Kind::Name | Kind::Number | Kind::Text)
                || matches!(self.text(before), ")" | "]" | "}" | "true" | "false" | "this")
        });
        self.text(token) == "&&" || self.text(token) == "||" && is_value
    }

    fn text(&self, token: &Token) -> &str {
        token.text(&self.source.script.text)
    }
}

/// A condition with the `!` before it.
struct Condition {
    span: Span,
    is_denied: bool,
}
