//! What surely gives a ref, or a list of refs, and what scripts then do with it that Rhai does with the text of the ref
//! instead of the element: `find("Save").name`, `r.clear()`.

use std::collections::HashMap;

use super::fields::plain_text;
use super::habits::Around;
use super::lexer::{Kind, Token};
use super::link::Record;
use super::sources::{Located, Source};
use super::spans::{Call, Place, Span};
use crate::host::table;
use crate::lang::fault::Fault;
use crate::reference::Ref;

/// What an expression gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    Reference,
    References,
}

/// The facts of a node, which a ref does not have.
const FACTS: &[&str] =
    &["ref", "role", "name", "text", "value", "states", "frame", "tag", "rect", "href", "input_type", "id", "label"];

/// Methods that change the text of a ref and nothing on the page, with what was meant.
const WRITES: &[(&str, &str)] = &[("clear", "fill(REF, \"\")"), ("append", "type(REF, …)"), ("push", "type(REF, …)")];

/// Methods that look at the text of a ref and hardly ever are meant to.
const READS: &[&str] = &[
    "contains",
    "starts_with",
    "ends_with",
    "index_of",
    "trim",
    "to_upper",
    "to_lower",
    "len",
    "is_empty",
    "parse_int",
    "parse_float",
    "lines",
];

/// A script with what its calls and variables give.
pub struct Given<'a> {
    source: &'a Source,
    /// The calls by the place where they start, the shortest first.
    calls: HashMap<Place, Vec<&'a Call>>,
    variables: HashMap<&'a str, Gives>,
}

impl<'a> Given<'a> {
    pub fn of(source: &'a Source) -> Self {
        let mut calls: HashMap<Place, Vec<&Call>> = HashMap::new();
        for (_, call) in source.spans.calls() {
            calls.entry(call.span.start).or_default().push(call);
        }
        for calls in calls.values_mut() {
            calls.sort_by_key(|call| call.span.end);
        }
        let mut given = Self { source, calls, variables: HashMap::new() };
        given.read_variables();
        given
    }

    /// Returns what stands in a span gives, where that is sure.
    pub fn gives(&self, span: Span) -> Option<Gives> {
        let tokens = self.source.spans.within(span);
        if let [only] = tokens
            && only.kind == Kind::Name
        {
            return self.variables.get(self.text(only)).copied();
        }
        if let Some(call) = self.call(span) {
            return self.called(call);
        }
        let (gives, end) = self.expression(self.source.spans.index(span.start)?)?;
        let last = self.source.spans.tokens().get(end.checked_sub(1)?)?;
        ((last.end_line, last.end_column) == span.end).then_some(gives)
    }

    /// Returns the call that fills a span.
    pub fn call(&self, span: Span) -> Option<&'a Call> {
        self.calls.get(&span.start)?.iter().copied().find(|call| call.span == span)
    }

    /// Returns what is wrong with the use of refs.
    pub fn faults(&self) -> Vec<Record> {
        let tokens = self.source.spans.tokens();
        let properties = (1..tokens.len()).filter_map(|at| self.property(at));
        let methods = self.source.spans.calls();
        properties.chain(methods.iter().filter_map(|(_, call)| self.written(call))).collect()
    }

    /// Returns what looks at the text of a ref.
    pub fn doubts(&self) -> Vec<Record> {
        let read = |call: &Call| {
            let receiver = self.receiver(call).filter(|_| READS.contains(&call.name.as_str()))?;
            let problem =
                format!("`{}` looks at the text of the ref, such as \"ref_12\", not at the element", call.name);
            let fault = Fault::parse(problem, format!("write `text({receiver}).{}(…)`", call.name));
            Some(Record::new(fault, self.source.call_located(call)))
        };
        let calls = self.source.spans.calls();
        let asked = calls.iter().filter_map(|(_, call)| self.never_nothing(call));
        calls.iter().filter_map(|(_, call)| read(call)).chain(asked).collect()
    }

    /// `find("x") == ()`
    fn never_nothing(&self, call: &Call) -> Option<Record> {
        let tokens = self.source.spans.tokens();
        let end = self.source.spans.index(call.span.start)? + self.source.spans.within(call.span).len();
        let sign = |at: usize| tokens.get(at).map_or("", |token| self.text(token));
        let is_compared = matches!(sign(end), "==" | "!=") && sign(end + 1) == "(" && sign(end + 2) == ")";
        let shown = self.shown(call.span);
        let (_, rest) = shown.split_once('(')?;
        if call.name != "find" || !is_compared || self.called(call) != Some(Gives::Reference) {
            return None;
        }
        let sign = if sign(end) == "==" { "== 0" } else { "> 0" };
        let problem = "`find` never gives `()`: it fails where nothing matches";
        let fault = Fault::parse(problem, format!("to ask, write `find_all({rest}.len() {sign}`"));
        Some(Record::new(fault, self.source.call_located(call)))
    }

    /// `find("Save").name`, seen from the name of the property.
    fn property(&self, at: usize) -> Option<Record> {
        let tokens = self.source.spans.tokens();
        let sign = |index: usize| tokens.get(index).map_or("", |token| self.text(token));
        let name = tokens.get(at).filter(|name| name.kind == Kind::Name)?;
        let row = table::function(self.text(name)).filter(|row| row.takes_ref());
        if row.is_none() && !FACTS.contains(&self.text(name)) {
            return None;
        }
        if !matches!(sign(at - 1), "." | "?.") || sign(at + 1) == "(" {
            return None;
        }
        let receiver = self.source.spans.receiver(&self.source.script.text, at.checked_sub(2)?)?;
        (self.gives(receiver)? == Gives::Reference).then_some(())?;
        let (fact, shown) = (self.text(name), self.shown(receiver));
        let instead = match fact {
            "text" | "value" | "rect" => format!("{fact}({shown})"),
            "ref" => shown.clone(),
            "id" => format!("attr({shown}, \"id\")"),
            "label" => format!("node({shown}).name"),
            _ if row.is_some() => format!("{fact}({shown})"),
            _ => format!("node({shown}).{fact}"),
        };
        let span = Span { start: receiver.start, end: (name.end_line, name.end_column) };
        let problem = match row {
            Some(_) if !FACTS.contains(&fact) => format!("`{fact}` is a function: it is not called without brackets"),
            _ => format!("a ref is a text such as \"ref_12\", it has no `{fact}`"),
        };
        // A function may take more than the ref.
        let is_whole = row.is_none_or(|row| row.arity.0 <= 1);
        let instead = if is_whole { instead } else { format!("{fact}({shown}, …)") };
        let fix = self.line_with(span, &instead).filter(|_| shown != "ref" && is_whole);
        let fault = Fault::parse(problem, format!("write `{instead}`"));
        let site = span.site(&self.source.script.name);
        Some(Record::new(fault, Located { site: Some(site), arguments: Vec::new() }).fixed(fix))
    }

    /// `r.clear()`
    fn written(&self, call: &Call) -> Option<Record> {
        let (_, meant) = WRITES.iter().find(|(name, _)| *name == call.name)?;
        let receiver = self.receiver(call)?;
        let instead = meant.replace("REF", &receiver);
        let problem = format!("`{}` changes the text of the ref, and nothing on the page", call.name);
        let fix = self.line_with(call.span, &instead).filter(|_| receiver != "ref" && !instead.contains('…'));
        let fault = Fault::parse(problem, format!("write `{instead}`"));
        Some(Record::new(fault, self.source.call_located(call)).fixed(fix))
    }

    /// Returns the ref that a function of Rhai is called on, as it is written.
    fn receiver(&self, call: &Call) -> Option<String> {
        let receiver = *call.arguments.first()?;
        let is_other = call.namespace.is_some() || self.source.defines(&call.name);
        (!is_other && self.gives(receiver)? == Gives::Reference).then(|| self.shown(receiver))
    }

    /// Writes a part of the script, or `ref` where it is long.
    pub fn shown(&self, span: Span) -> String {
        const LONGEST: usize = 60;
        let text = self.source.script.part(&span.site(&self.source.script.name));
        if text.contains('\n') || text.chars().count() > LONGEST { "ref".into() } else { text.to_owned() }
    }

    /// Returns the line of a span with another text in its place.
    pub fn line_with(&self, span: Span, instead: &str) -> Option<String> {
        let line = self.source.script.line(span.start.0);
        let head: String = line.chars().take(span.start.1.checked_sub(1)?).collect();
        let tail: String = line.chars().skip(span.end.1.checked_sub(1)?).collect();
        (span.start.0 == span.end.0).then(|| format!("{head}{instead}{tail}").trim().to_owned())
    }

    fn text(&self, token: &Token) -> &'a str {
        token.text(&self.source.script.text)
    }

    /// Returns what the expression at a token gives and the index behind it.
    fn expression(&self, at: usize) -> Option<(Gives, usize)> {
        let tokens = self.source.spans.tokens();
        let first = tokens.get(at)?;
        let is_ref = |token: &Token| plain_text(self.text(token)).is_some_and(|text| text.parse::<Ref>().is_ok());
        if first.kind == Kind::Text && is_ref(first) {
            return Some((Gives::Reference, at + 1));
        }
        let call = *self.calls.get(&(first.line, first.column))?.last()?;
        let mut gives = self.called(call)?;
        let mut end =
            at + tokens.get(at..)?.iter().take_while(|token| (token.line, token.column) < call.span.end).count();
        while let Some(open) = tokens.get(end).filter(|open| self.text(open) == "[") {
            let close = self.source.spans.closing(open)?;
            gives = (gives == Gives::References).then_some(Gives::Reference)?;
            end = self.source.spans.index((close.line, close.column))? + 1;
        }
        Some((gives, end))
    }

    /// Returns what a call gives, where that is sure.
    pub fn called(&self, call: &Call) -> Option<Gives> {
        let is_other = call.namespace.is_some() || call.is_method || self.source.defines(&call.name);
        let is_closure = |argument: &Span| {
            let first = self.source.spans.within(*argument).first();
            first.is_some_and(|first| matches!(self.text(first), "|" | "||"))
        };
        // `find(list, |item| …)` looks in an array.
        if is_other || call.arguments.iter().any(is_closure) {
            return None;
        }
        match call.name.as_str() {
            "find" | "wait_for" => Some(Gives::Reference),
            "query" | "shadow_query" | "find_all" | "refs" => Some(Gives::References),
            _ => None,
        }
    }

    /// Reads `let r = find(…);` and `for r in find_all(…) {` where no other variable has the name and it keeps its
    /// value.
    fn read_variables(&mut self) {
        let (source, tokens) = (self.source, self.source.spans.tokens());
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text(&source.script.text));
        let mut declared: HashMap<&str, usize> = HashMap::new();
        for name in (Around { text: &source.script.text, tokens, index: 0 }).names() {
            *declared.entry(name).or_default() += 1;
        }
        let is_set = |at: usize| {
            let before = at.checked_sub(1).map_or("", text);
            matches!(text(at + 1), "=" | "+=") && !matches!(before, "let" | "const" | ".")
        };
        let changed: Vec<&str> = (0..tokens.len()).filter(|at| is_set(*at)).map(text).collect();
        for at in 0..tokens.len() {
            let name = text(at + 1);
            let found = match (text(at), text(at + 2)) {
                ("let" | "const", "=") => self.expression(at + 3).filter(|(_, end)| {
                    let line = tokens.get(end - 1).map(|last| last.end_line);
                    matches!(text(*end), ";" | "}" | "") || tokens.get(*end).map(|next| next.line) != line
                }),
                ("for", "in") => self
                    .expression(at + 3)
                    .filter(|(gives, end)| *gives == Gives::References && text(*end) == "{")
                    .map(|(_, end)| (Gives::Reference, end)),
                _ => None,
            };
            if let Some((gives, _)) = found
                && declared.get(name) == Some(&1)
                && !changed.contains(&name)
            {
                self.variables.insert(name, gives);
            }
        }
    }
}
