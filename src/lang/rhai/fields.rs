//! Which functions a script may keep in maps: `map.greet(1)` calls a closure that stands in the map under `greet`, and
//! Rhai looks for it only then. Where a key is computed, nobody knows before the run what it names.

use super::lexer::{Kind, Token};
use super::sources::Source;
use super::spans::{Call, Span};
use crate::host::table;

/// Functions that only call what is passed to them: a closure in their brackets is kept nowhere.
const CALLERS: &[&str] = &[
    "step",
    "within",
    "retry",
    "map",
    "filter",
    "find_map",
    "reduce",
    "reduce_rev",
    "some",
    "all",
    "for_each",
    "sort",
    "retain",
    "drain",
    "dedup",
    "index_of",
    "find",
    "zip",
];

/// Functions of ours that give back what the closure in their brackets gives.
const PASSING_ON: &[&str] = &["step", "within", "retry"];

/// Returns whether the script makes an entry of this name in some map.
pub fn makes(source: &Source, name: &str) -> bool {
    let (text, tokens) = (&source.script.text, source.spans.tokens());
    let sign = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |token| token.text(text));
    tokens.iter().enumerate().any(|(index, token)| {
        let next = sign(Some(index + 1));
        match token.kind {
            Kind::Name => token.text(text) == name && matches!(next, ":" | "="),
            Kind::Text if plain_text(token.text(text)) == Some(name) => {
                next == ":" || (next == "]" && sign(Some(index + 2)) == "=") || is_set(source, token)
            }
            _ => false,
        }
    })
}

/// Returns whether a text is the key in `map.set("name", …)` or `set(map, "name", …)`.
fn is_set(source: &Source, key: &Token) -> bool {
    let calls = source.spans.calls();
    let is_key = |call: &Call| call.arguments.get(1) == Some(&Span::of(key));
    calls.iter().any(|(_, call)| call.name == "set" && is_key(call))
}

/// Returns whether a name stands somewhere as a text: a computed key is most likely taken from there.
pub fn mentions(source: &Source, name: &str) -> bool {
    let text = &source.script.text;
    source.spans.tokens().iter().any(|token| token.kind == Kind::Text && plain_text(token.text(text)) == Some(name))
}

/// Returns whether the scripts of a run together may keep a function under a key that stands nowhere literally.
pub fn may_hide(sources: &[&Source]) -> bool {
    let imports_unseen = sources.iter().any(|source| imports_unseen(source));
    let has_computed = sources.iter().any(|source| has_computed_keys(source));
    let has_functions = sources.iter().any(|source| keeps_functions(source));
    imports_unseen || (has_computed && has_functions)
}

/// Returns whether what a method is called on surely holds no function: a literal, or what one of our functions gave.
pub fn is_on_plain_value(source: &Source, call: &Call) -> bool {
    let text = &source.script.text;
    let Some(&receiver) = call.arguments.first().filter(|_| call.is_method) else { return false };
    let tokens = source.spans.within(receiver);
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return false };
    let is_array = first.text(text) == "[" && source.spans.closing(first) == Some(last);
    let is_literal = matches!(first.kind, Kind::Text | Kind::Number) && matches!(last.kind, Kind::Text | Kind::Number);
    is_array || is_literal || gives_plain_value(source, receiver)
}

/// `find("button", "Save")`, also as a method: what the host gives is data.
fn gives_plain_value(source: &Source, receiver: Span) -> bool {
    let is_last = |call: &&Call| call.span.end == receiver.end && call.span.start == receiver.start;
    let calls = source.spans.calls();
    calls.iter().map(|(_, call)| *call).find(is_last).is_some_and(|call| {
        let is_ours = table::function(&call.name).is_some() && !PASSING_ON.contains(&call.name.as_str());
        // `m.find(…)` may be a closure that is kept in `m`, or the method of an array.
        let is_plain = !call.is_method || is_on_plain_value(source, call);
        is_ours && is_plain && call.namespace.is_none() && !source.defines(&call.name)
    })
}

/// `import name as alias`
fn imports_unseen(source: &Source) -> bool {
    let (text, tokens) = (&source.script.text, source.spans.tokens());
    let is_unseen = |(index, token): (usize, &Token)| {
        let ends = |at: usize| tokens.get(at).is_none_or(|after| matches!(after.text(text), "as" | ";" | "}"));
        let path = tokens.get(index + 1).filter(|path| path.kind == Kind::Text && ends(index + 2));
        token.kind == Kind::Keyword
            && token.text(text) == "import"
            && path.and_then(|path| plain_text(path.text(text))).is_none()
    };
    tokens.iter().enumerate().any(is_unseen)
}

/// `map[name] = …`, `map.set(name, …)`
fn has_computed_keys(source: &Source) -> bool {
    let (text, tokens) = (&source.script.text, source.spans.tokens());
    let is_literal = |tokens: &[Token]| match tokens {
        [key] => key.kind == Kind::Number || (key.kind == Kind::Text && plain_text(key.text(text)).is_some()),
        _ => false,
    };
    let in_brackets = tokens.iter().enumerate().any(|(index, open)| {
        let inside = || {
            let close = source.spans.closing(open)?;
            let end = tokens.iter().skip(index).position(|token| token == close)? + index;
            let is_set = tokens.get(end + 1).is_some_and(|after| after.text(text) == "=");
            tokens.get(index + 1..end).filter(|_| is_set)
        };
        matches!(open.text(text), "[" | "?[") && inside().is_some_and(|inside| !is_literal(inside))
    });
    let calls = source.spans.calls();
    let is_set = |call: &Call| call.name == "set" && !source.defines("set");
    let in_calls = calls.iter().filter(|(_, call)| is_set(call)).any(|(_, call)| {
        let key = call.arguments.get(1);
        key.is_some_and(|key| !is_literal(source.spans.within(*key)))
    });
    in_brackets || in_calls
}

/// Returns whether a function may be kept: there is a closure that is not just passed to what calls it at once, or
/// the name of a function stands as a value.
fn keeps_functions(source: &Source) -> bool {
    let (text, tokens) = (&source.script.text, source.spans.tokens());
    let passed: Vec<_> = source
        .spans
        .calls()
        .into_iter()
        .filter(|(_, call)| CALLERS.contains(&call.name.as_str()) && !source.defines(&call.name))
        .flat_map(|(_, call)| call.arguments.iter().map(|argument| argument.start).collect::<Vec<_>>())
        .collect();
    tokens.iter().enumerate().any(|(index, token)| {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let sign = |token: Option<&Token>| token.map_or("", |token| token.text(text));
        let next = sign(tokens.get(index + 1));
        match token.text(text) {
            "|" | "||" => {
                // Behind a value it is an operator, and behind a name the second bar of a closure.
                let begins = before.is_none_or(|before| {
                    matches!(before.kind, Kind::Sign | Kind::Keyword)
                        && !matches!(before.text(text), ")" | "]" | "}" | "this" | "true" | "false")
                });
                begins && !passed.contains(&(token.line, token.column))
            }
            "Fn" => next == "(",
            name if token.kind == Kind::Name && source.defines(name) => {
                next != "(" && !matches!(sign(before), "fn" | ".")
            }
            _ => false,
        }
    })
}

/// Returns what a text literal holds where it stands there as it is.
pub fn plain_text(literal: &str) -> Option<&str> {
    let inside = |quote: char| literal.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(inside) = inside('"') {
        return (!inside.contains('\\')).then_some(inside);
    }
    if let Some(inside) = inside('`') {
        return Some(inside);
    }
    let raw = literal.trim_matches('#');
    (raw != literal).then(|| raw.strip_prefix('"')?.strip_suffix('"')).flatten()
}
