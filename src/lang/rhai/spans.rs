//! Where calls and their arguments stand. Rhai tells only where the name of a called function starts; this finds
//! the whole call and cuts its arguments.

use std::collections::HashMap;
use std::ops::Range;

use super::lexer::{self, Kind, Token};
use crate::script::Site;

/// A place: line and column of a first character.
pub type Place = (usize, usize);

/// From the first character to behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub start: Place,
    pub end: Place,
}

/// One call in a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub name: String,
    /// The module's alias in `forms::fill(…)`, with those before it in `a::b::fill(…)`.
    pub namespace: Option<String>,
    /// Whether it is written as `receiver.name(…)`; the receiver is the first argument then.
    pub is_method: bool,
    pub span: Span,
    pub arguments: Vec<Span>,
}

/// A function that a script defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    /// The type of `this` in `fn int.name()`.
    pub of: Option<String>,
    pub parameters: Vec<String>,
    /// Whether only its own script may call it.
    pub is_private: bool,
    pub place: Place,
}

/// All calls of one script by the place of their name.
#[derive(Debug, Default)]
pub struct Spans {
    calls: HashMap<Place, Call>,
    definitions: Vec<Definition>,
    tokens: Vec<Token>,
    /// For each bracket the index of its partner.
    pairs: HashMap<usize, usize>,
}

/// An entry of a literal map: `name: value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub name: Span,
    pub value: Span,
}

impl Spans {
    /// Finds the calls of a script.
    pub fn of(source: &str) -> Self {
        let tokens = lexer::tokens(source);
        let pairs = pairs(source, &tokens);
        let mut calls = HashMap::new();
        for index in 0..tokens.len() {
            if let Some((place, call)) = call(source, &tokens, &pairs, index) {
                calls.insert(place, call);
            }
        }
        let definitions = (0..tokens.len()).filter_map(|index| definition(source, &tokens, &pairs, index)).collect();
        Self { calls, definitions, tokens, pairs }
    }

    /// Returns the functions that the script defines, in the order of the text.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// Returns the call whose name starts at this place.
    pub fn call(&self, place: Place) -> Option<&Call> {
        self.calls.get(&place)
    }

    /// Returns all calls in the order of the text.
    pub fn calls(&self) -> Vec<(Place, &Call)> {
        let mut calls: Vec<_> = self.calls.iter().map(|(place, call)| (*place, call)).collect();
        calls.sort_by_key(|(place, _)| *place);
        calls
    }

    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Returns the tokens of a span.
    pub fn within(&self, span: Span) -> &[Token] {
        self.range(span).and_then(|range| self.tokens.get(range)).unwrap_or(&[])
    }

    fn range(&self, span: Span) -> Option<Range<usize>> {
        let start = self.index(span.start)?;
        let length = self.tokens.get(start..)?.iter().take_while(|token| (token.line, token.column) < span.end).count();
        Some(start..start + length)
    }

    /// Returns the index of the token that starts at a place.
    pub fn index(&self, place: Place) -> Option<usize> {
        self.tokens.binary_search_by_key(&place, |token| (token.line, token.column)).ok()
    }

    /// Returns the token before a place.
    pub fn before(&self, place: Place) -> Option<&Token> {
        self.tokens.get(self.index(place)?.checked_sub(1)?)
    }

    /// Returns the expression that ends with a token and that a dot follows.
    pub fn receiver(&self, source: &str, last: usize) -> Option<Span> {
        let first = receiver(source, &self.tokens, &self.pairs, last);
        Some(span(self.tokens.get(first)?, self.tokens.get(last)?))
    }

    /// Returns the bracket that closes this one.
    pub fn closing(&self, open: &Token) -> Option<&Token> {
        self.tokens.get(*self.pairs.get(&self.index((open.line, open.column))?)?)
    }

    /// Returns the entries of a literal map, `#{` and `}` included in its span.
    pub fn entries(&self, source: &str, map: Span) -> Vec<Entry> {
        let Some(range) = self.range(map).filter(|range| range.len() >= 2) else { return Vec::new() };
        let text = |at: usize| self.tokens.get(at).map_or("", |token| token.text(source));
        if text(range.start) != "#{" || self.pairs.get(&range.start) != Some(&(range.end - 1)) {
            return Vec::new();
        }
        let entries = arguments(source, &self.tokens, &self.pairs, range.start, range.end - 1);
        let entry = |entry: Span| {
            let tokens = self.range(entry)?;
            let (key, first) = (self.tokens.get(tokens.start)?, self.tokens.get(tokens.start + 2)?);
            let last = self.tokens.get(tokens.end.checked_sub(1)?)?;
            let name = key.text(source).trim_matches('"').to_owned();
            (text(tokens.start + 1) == ":").then(|| Entry { key: name, name: Span::of(key), value: span(first, last) })
        };
        entries.into_iter().filter_map(entry).collect()
    }

    /// Returns the span of the token at this place, or of one character where there is none.
    pub fn token(&self, place: Place) -> Span {
        match self.tokens.iter().find(|token| (token.line, token.column) == place) {
            Some(token) => Span::of(token),
            None => Span { start: place, end: (place.0, place.1 + 1) },
        }
    }
}

impl Span {
    pub fn of(token: &Token) -> Self {
        span(token, token)
    }

    /// Returns the span as a place in a script.
    pub fn site(&self, script: &str) -> Site {
        Site {
            script: script.to_owned(),
            line: self.start.0,
            column: self.start.1,
            end_line: self.end.0,
            end_column: self.end.1,
        }
    }
}

fn span(first: &Token, last: &Token) -> Span {
    Span { start: (first.line, first.column), end: (last.end_line, last.end_column) }
}

/// Returns for each bracket the index of its partner.
fn pairs(source: &str, tokens: &[Token]) -> HashMap<usize, usize> {
    let mut open = Vec::new();
    let mut pairs = HashMap::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Sign) {
        match token.text(source) {
            "(" | "[" | "{" | "#{" | "${" | "?[" => open.push(index),
            ")" | "]" | "}" => {
                if let Some(start) = open.pop() {
                    pairs.insert(start, index);
                    pairs.insert(index, start);
                }
            }
            _ => {}
        }
    }
    pairs
}

fn call(source: &str, tokens: &[Token], pairs: &HashMap<usize, usize>, index: usize) -> Option<(Place, Call)> {
    let name = tokens.get(index)?;
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text(source));
    let before = |steps: usize| index.checked_sub(steps).map_or("", text);
    // `name!(…)` calls with the caller's scope; the bracket follows one token later.
    let open = if text(index + 1) == "!" { index + 2 } else { index + 1 };
    if name.kind != Kind::Name || text(open) != "(" || before(1) == "fn" {
        return None;
    }
    // `fn int.double()` defines a method.
    if before(1) == "." && before(3) == "fn" {
        return None;
    }
    let close = *pairs.get(&open)?;
    let is_method = matches!(before(1), "." | "?.");
    let path = || tokens.get(qualified(source, tokens, index)..index - 1).unwrap_or(&[]);
    let namespace = (before(1) == "::").then(|| path().iter().map(|token| token.text(source)).collect::<String>());
    let mut arguments = arguments(source, tokens, pairs, open, close);
    let mut first = index;
    if namespace.is_some() {
        first = qualified(source, tokens, index);
    } else if is_method {
        let end = index.checked_sub(2)?;
        first = receiver(source, tokens, pairs, end);
        arguments.insert(0, span(tokens.get(first)?, tokens.get(end)?));
    }
    let span = span(tokens.get(first)?, tokens.get(close)?);
    let call = Call { name: name.text(source).to_owned(), namespace, is_method, span, arguments };
    Some(((name.line, name.column), call))
}

/// Reads `fn name(a, b)` or `fn int.name(a, b)` at the token of the name.
fn definition(source: &str, tokens: &[Token], pairs: &HashMap<usize, usize>, index: usize) -> Option<Definition> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text(source));
    let before = |steps: usize| index.checked_sub(steps).map_or("", text);
    let name = tokens.get(index)?;
    let of = (before(1) == "." && before(3) == "fn").then(|| before(2).trim_matches('"').to_owned());
    let word = if of.is_some() { 3 } else { 1 };
    if before(word) != "fn" || name.kind != Kind::Name || text(index + 1) != "(" {
        return None;
    }
    let close = *pairs.get(&(index + 1))?;
    let inside = tokens.get(index + 2..close)?;
    let parameters = inside.iter().filter(|token| token.kind == Kind::Name);
    Some(Definition {
        name: name.text(source).to_owned(),
        parameters: parameters.map(|token| token.text(source).to_owned()).collect(),
        is_private: before(word + 1) == "private",
        of,
        place: (name.line, name.column),
    })
}

/// Cuts what stands between two brackets at its commas.
fn arguments(source: &str, tokens: &[Token], pairs: &HashMap<usize, usize>, open: usize, close: usize) -> Vec<Span> {
    let mut arguments = Vec::new();
    let mut first = open + 1;
    let mut at = first;
    while at < close {
        let text = tokens.get(at).map_or("", |token| token.text(source));
        if text == "|" && at == first {
            // The parameters of a closure hold commas of their own.
            let end = (at + 1..close).find(|&index| tokens.get(index).is_some_and(|token| token.text(source) == "|"));
            at = end.unwrap_or(at) + 1;
        } else if text == "," {
            push_argument(&mut arguments, tokens, first, at);
            at += 1;
            first = at;
        } else {
            at = pairs.get(&at).filter(|&&end| end > at).map_or(at, |&end| end) + 1;
        }
    }
    push_argument(&mut arguments, tokens, first, close);
    arguments
}

fn push_argument(arguments: &mut Vec<Span>, tokens: &[Token], first: usize, end: usize) {
    if first < end
        && let (Some(start), Some(last)) = (tokens.get(first), tokens.get(end - 1))
    {
        arguments.push(span(start, last));
    }
}

/// Returns the first token of `a::b::name`.
fn qualified(source: &str, tokens: &[Token], mut index: usize) -> usize {
    while index >= 2 && tokens.get(index - 1).is_some_and(|token| token.text(source) == "::") {
        index -= 2;
    }
    index
}

/// Returns the first token of the expression that ends at `index` and that a dot follows.
fn receiver(source: &str, tokens: &[Token], pairs: &HashMap<usize, usize>, index: usize) -> usize {
    let mut at = index;
    loop {
        let Some(token) = tokens.get(at) else { return index };
        let text = token.text(source);
        if token.kind == Kind::Text {
            // An interpolated string is several pieces of text with braces between them.
            while let Some(earlier) = interpolated(source, tokens, pairs, at) {
                at = earlier;
            }
        } else if matches!(text, ")" | "]" | "}") {
            let Some(&open) = pairs.get(&at) else { return at };
            at = open;
            if text != "}" {
                // What a call or an index stands behind belongs to it.
                let is_callee = |token: &Token| {
                    token.kind == Kind::Name || token.text(source) == "this" || matches!(token.text(source), ")" | "]")
                };
                if let Some(before) = at.checked_sub(1)
                    && tokens.get(before).is_some_and(is_callee)
                {
                    at = before;
                    continue;
                }
            }
        }
        match at.checked_sub(1).and_then(|before| Some((before, tokens.get(before)?.text(source)))) {
            Some((dot, "." | "?." | "::")) if dot > 0 => at = dot - 1,
            _ => return at,
        }
    }
}

/// Returns the piece of text before the interpolation that ends right before `at`.
fn interpolated(source: &str, tokens: &[Token], pairs: &HashMap<usize, usize>, at: usize) -> Option<usize> {
    let brace = at.checked_sub(1)?;
    let adjacent = tokens.get(brace)?.bytes.end == tokens.get(at)?.bytes.start;
    let open = *pairs.get(&brace)?;
    (adjacent && open < brace && tokens.get(open)?.text(source) == "${").then(|| open.checked_sub(1)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns call and arguments of the call of `name`, as text.
    fn cut<'a>(source: &'a str, name: &str) -> (&'a str, Vec<&'a str>) {
        let script = crate::script::Script::from_text("t", source);
        let slice = |span: &Span| {
            let (start, end) = (script.offset(span.start.0, span.start.1), script.offset(span.end.0, span.end.1));
            &source[start..end]
        };
        let spans = Spans::of(source);
        let (_, call) = spans.calls().into_iter().find(|(_, call)| call.name == name).expect("the call is there");
        (slice(&call.span), call.arguments.iter().map(slice).collect())
    }

    #[test]
    fn cuts_arguments() {
        assert_eq!(
            cut("type( coupon , \"SAVE10\");", "type"),
            ("type( coupon , \"SAVE10\")", vec!["coupon", "\"SAVE10\""])
        );
        assert_eq!(cut("x(\n  a, // first\n  [1, 2], #{k: f(1, 2)})", "x").1, ["a", "[1, 2]", "#{k: f(1, 2)}"]);
        assert_eq!(cut("retry(3, |a, b| a + b)", "retry").1, ["3", "|a, b| a + b"]);
        assert_eq!(cut("step(`n ${i + 1}`, || { click(r); })", "step").1, ["`n ${i + 1}`", "|| { click(r); }"]);
        assert_eq!(cut("url()", "url"), ("url()", vec![]));
        assert_eq!(cut("f(a, )", "f").1, ["a"]);
    }

    #[test]
    fn finds_receivers() {
        assert_eq!(cut("let a = \"ref_1\".click();", "click"), ("\"ref_1\".click()", vec!["\"ref_1\""]));
        assert_eq!(cut("return items[i + 1].node.type(\"x\", 2)", "type").1, ["items[i + 1].node", "\"x\"", "2"]);
        assert_eq!(cut("x = tree().find(\"a\").click()", "click").1, ["tree().find(\"a\")"]);
        assert_eq!(cut("if (a + b).hover() {}", "hover").0, "(a + b).hover()");
        assert_eq!(cut("f(`ref_${n}`.click())", "click").1, ["`ref_${n}`"]);
        assert_eq!(cut("1 + `a ${b} c ${d} e`.len()", "len").1, ["`a ${b} c ${d} e`"]);
        assert_eq!(cut("#{a: 1}.x()", "x").1, ["#{a: 1}"]);
        assert_eq!(cut("m::list(1)[0].x()", "x").1, ["m::list(1)[0]"]);
    }

    #[test]
    fn knows_namespaces_and_leaves_definitions_out() {
        let source = "import \"forms\" as forms; forms::fill(1); fn own(a) { if (a) { b(c) } }";
        let spans = Spans::of(source);
        let names: Vec<_> = spans.calls().iter().map(|(_, call)| call.name.clone()).collect();
        assert_eq!(names, ["fill", "b"]);
        assert_eq!(cut(source, "fill").0, "forms::fill(1)");
        assert_eq!(spans.calls()[0].1.namespace.as_deref(), Some("forms"));
    }

    #[test]
    fn reads_definitions_and_the_entries_of_maps() {
        let source = "private fn own(a, b) { }\nclick(r, #{ \"count\": 1 + 1, on: |a, b| f(a, b) });";
        let spans = Spans::of(source);
        let own = &spans.definitions()[0];
        assert_eq!((own.name.as_str(), own.is_private), ("own", true));
        assert_eq!(own.parameters, ["a", "b"]);
        let calls = spans.calls();
        let entries = spans.entries(source, calls[0].1.arguments[1]);
        let found: Vec<_> = entries.iter().map(|entry| (entry.key.as_str(), entry.value.start.1)).collect();
        assert_eq!(found, [("count", 22), ("on", 33)]);
        assert!(spans.entries(source, calls[0].1.arguments[0]).is_empty());
    }

    #[test]
    fn a_token_has_a_span_and_an_empty_place_one_character() {
        let spans = Spans::of("abc + 1");
        assert_eq!(spans.token((1, 1)).end, (1, 4));
        assert_eq!(spans.token((1, 4)).end, (1, 5));
    }
}
