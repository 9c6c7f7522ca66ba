//! What can be known of the arguments that stand literally in a call of ours: their kinds, and the keys of an options
//! map; and how the call is written where it is clear what a literal was meant to be.

use serde_json::{Map, Value};

use super::fields;
use super::given::{Given, Gives};
use super::lexer::{Kind, Token};
use super::link::Record;
use super::names::Names;
use super::sources::Source;
use super::spans::{Call, Entry, Span};
use crate::host::expected::{self, Takes};
use crate::host::function::{Function, bare_ref, in_place_of_ref, parameters};
use crate::host::{closest, table};
use crate::lang::IN_WORKER;
use crate::lang::fault::Fault;
use crate::reference::Ref;

/// A function of ours, of the host or of the worker.
struct Callee {
    name: &'static str,
    signatures: Vec<&'static str>,
    options: &'static [(&'static str, &'static str)],
    row: Option<&'static Function>,
}

impl Callee {
    /// Returns the function of a call that surely is one of ours.
    fn of(source: &Source, call: &Call) -> Option<Self> {
        let is_method_of_others = call.is_method && Names::is_of_tree(&call.name);
        if call.namespace.is_some() || is_method_of_others || source.defines(&call.name) {
            return None;
        }
        if let Some(row) = table::function(&call.name) {
            let signatures = row.signatures.to_vec();
            return Some(Self { name: row.name, signatures, options: row.options, row: Some(row) });
        }
        let known = IN_WORKER.iter().find(|known| known.name == call.name)?;
        Some(Self { name: known.name, signatures: vec![known.signature], options: &[], row: None })
    }

    fn takes(&self, parameter: &str) -> Option<Takes> {
        Takes::of(self.name, parameter)
    }

    fn has_option(&self, name: &str) -> bool {
        self.row.is_some_and(|row| row.has_option(name))
    }

    fn wrong_kind(&self, parameter: &str, found: String, hint: Option<String>) -> Fault {
        Fault::ArgsType {
            function: self.name.into(),
            parameter: parameter.into(),
            found,
            expected: self.takes(parameter).map_or("another value", Takes::expected).into(),
            takes: self.signatures.join("` or `"),
            hint,
        }
    }
}

/// Returns what is wrong with the arguments of a call, as far as they stand there or are known.
pub fn faults(source: &Source, given: &Given<'_>, call: &Call) -> Vec<Record> {
    let Some(callee) = Callee::of(source, call) else { return Vec::new() };
    let count = call.arguments.len();
    let signatures: Vec<_> = callee.signatures.iter().map(|signature| parameters(signature)).collect();
    let forms: Vec<_> = signatures.iter().filter(|parameters| parameters.len() == count).collect();
    let reader = Reader { source, given, callee: &callee, call };
    if let [_, number] = call.arguments.as_slice()
        && reader.begins_with_map()
        && let Some(literal) = literal(source, *number).filter(Literal::is_number)
        && as_locator(source, call).is_some()
    {
        return vec![reader.wrong(*number, &["options"], &literal)];
    }
    let mut faults = Vec::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        let parameters: Vec<&str> = forms.iter().filter_map(|form| form.get(index)).map(String::as_str).collect();
        if !parameters.is_empty() {
            faults.extend(reader.argument(*argument, &parameters));
        }
    }
    faults
}

/// Returns whether the literal arguments of a call would do for a function of ours; of others nothing is known.
pub fn fits(source: &Source, call: &Call, function: &str) -> bool {
    let Some(row) = table::function(function) else { return true };
    row.signatures.iter().map(|signature| parameters(signature)).any(|form| {
        let would_do = |(parameter, argument): (&String, &Span)| {
            let takes = Takes::of(row.name, parameter);
            let found = literal(source, *argument);
            found.zip(takes).is_none_or(|(literal, takes)| literal.fits(takes))
        };
        form.len() == call.arguments.len() && form.iter().zip(&call.arguments).all(would_do)
    })
}

/// One call with what is known of the script around it.
struct Reader<'a> {
    source: &'a Source,
    given: &'a Given<'a>,
    callee: &'a Callee,
    call: &'a Call,
}

impl Reader<'_> {
    /// Returns what is wrong with one argument; `parameters` are those of the forms that the call may have.
    fn argument(&self, argument: Span, parameters: &[&str]) -> Vec<Record> {
        let callee = self.callee;
        let first = parameters.first().copied().unwrap_or_default();
        // A map of fields is no text, so a text there was to be a ref.
        let words: Vec<&&str> = parameters.iter().filter(|parameter| **parameter != "fields").collect();
        let takes =
            |kind: Takes| !words.is_empty() && words.iter().all(|parameter| callee.takes(parameter) == Some(kind));
        let mut faults = Vec::new();
        if takes(Takes::Closure) {
            faults.extend(self.no_closure(argument));
        }
        if takes(Takes::Reference) && self.given.gives(argument) == Some(Gives::References) {
            let hint = self.with(argument, &format!("{}[0]", self.part(argument)));
            let hint = hint.unwrap_or_else(|| format!("{}(list[0])", callee.name));
            let hint = format!("take one of them: `{hint}`");
            faults.push(self.told(callee.wrong_kind(first, "an array of refs".into(), Some(hint))));
        }
        let Some(literal) = literal(self.source, argument) else { return faults };
        let fits = |parameter: &&str| callee.takes(parameter).is_none_or(|takes| literal.fits(takes));
        if !parameters.iter().any(fits) {
            faults.push(self.wrong(argument, parameters, &literal));
        } else if parameters.iter().filter(fits_a_map(callee)).all(|parameter| *parameter == "options")
            && let Literal::Json(Value::Object(_)) = literal
        {
            faults.extend(self.in_options(argument));
        } else if let Literal::Json(Value::String(text)) = literal {
            faults.extend(parameters.iter().find_map(|parameter| self.wrong_word(parameter, &text, argument)));
            if takes(Takes::Reference) {
                faults.extend(self.no_ref(&text, argument));
            }
        }
        faults
    }

    fn told(&self, fault: Fault) -> Record {
        Record::new(fault, self.source.call_located(self.call))
    }

    fn part(&self, span: Span) -> &str {
        self.source.script.part(&span.site(&self.source.script.name))
    }

    fn begins_with_map(&self) -> bool {
        self.call.arguments.first().is_some_and(|first| self.part(*first).starts_with("#{"))
    }

    /// Says that a literal is of no kind that will do here, and how what was meant is written.
    fn wrong(&self, argument: Span, parameters: &[&str], literal: &Literal) -> Record {
        let callee = self.callee;
        // Where a number may also be meant for the last form, the options, it is a time.
        let parameter = parameters.iter().find(|parameter| **parameter == "options" && literal.is_number());
        let parameter = parameter.or(parameters.first()).copied().unwrap_or_default();
        let meant = callee.takes(parameter).and_then(|takes| match literal {
            Literal::Json(Value::Array(_)) if takes == Takes::Reference => self.only_ref(argument),
            Literal::Json(number @ Value::Number(_)) if takes == Takes::Reference => {
                number.as_u64().map(|number| format!("\"ref_{number}\""))
            }
            Literal::Json(value) => takes.written(value),
            Literal::Closure => None,
        });
        // What `type(ref, text, 50)` means, a timeout or a delay, nobody knows.
        let is_timeout = callee.has_option("timeout") && !callee.has_option("delay") && !self.begins_with_map();
        let meant = meant.filter(|_| parameter != "options" || is_timeout);
        if let Some(instead) = meant {
            let hint = self.with(argument, &instead).unwrap_or(instead.clone());
            let fault = callee.wrong_kind(parameter, literal.described(), Some(format!("write `{hint}`")));
            return self.told(fault).fixed(self.given.line_with(argument, &instead));
        }
        if matches!(literal, Literal::Closure) && callee.name == "wait_for" {
            let hint = Some(self.condition(argument));
            return self.told(callee.wrong_kind(parameter, literal.described(), hint));
        }
        let whole = as_locator(self.source, self.call);
        let hint = whole.as_ref().map(|call| format!("write `{call}`"));
        let fix =
            whole.filter(|whole| !whole.contains('…')).and_then(|whole| self.given.line_with(self.call.span, &whole));
        self.told(callee.wrong_kind(parameter, literal.described(), hint)).fixed(fix)
    }

    /// `[ref_12]`
    fn only_ref(&self, array: Span) -> Option<String> {
        match self.source.spans.within(array) {
            [_, item, _] => {
                let text = item.text(&self.source.script.text);
                let reference = bare_ref(fields::plain_text(text).unwrap_or(text))?;
                Some(format!("\"{reference}\""))
            }
            _ => None,
        }
    }

    /// `wait_for(|| find_all("x").len() > 3)`
    fn condition(&self, closure: Span) -> String {
        let tokens = self.source.spans.within(closure);
        let word = |at: usize| tokens.get(at).map_or("", |token| token.text(&self.source.script.text));
        let body = tokens.get(1).filter(|_| word(0) == "||" && word(1) != "{");
        let body = body.map(|first| self.part(Span { start: (first.line, first.column), end: closure.end }));
        let body = body.filter(|body| !body.contains('\n')).unwrap_or("…");
        format!(
            "it waits for what is named: `wait_for(text)`, `wait_for(#{{…}})`; for a condition of your own write \
             `within(10000, || {{ while !({body}) {{ sleep(100); }} }})`"
        )
    }

    fn wrong_word(&self, parameter: &str, word: &str, at: Span) -> Option<Record> {
        let on_element = parameter == "keys" && self.call.arguments.len() == 2;
        let error = if on_element {
            expected::chord_on_element(word).err()
        } else {
            expected::wrong_word(self.callee.name, parameter, word)
        };
        let fault = Fault::of_word(error?)?;
        let joined = if parameter == "keys" { expected::joined(word) } else { None };
        let fix = joined.and_then(|keys| self.given.line_with(at, &format!("\"{keys}\"")));
        Some(self.told(fault).fixed(fix))
    }

    /// `click("Delete")`: a text that can be no ref.
    fn no_ref(&self, text: &str, at: Span) -> Option<Record> {
        // These two say themselves that it is no ref.
        let is_asked = matches!(self.callee.name, "explain" | "lookup");
        if is_asked || text.is_empty() || text.parse::<Ref>().is_ok() {
            return None;
        }
        let meant = in_place_of_ref(text);
        let row = self.callee.row.and_then(|row| row.with_ref(text));
        let instead = self.with(at, &meant).or(row);
        let fix = bare_ref(text).and_then(|_| self.given.line_with(at, &meant));
        Some(self.told(Fault::RefUnknown { reference: text.to_owned(), instead }).fixed(fix))
    }

    /// `step("pay", click(r))` and `step("pay", { … })`: it would have run before the step begins. Or a closure that
    /// waits for something to be passed.
    fn no_closure(&self, argument: Span) -> Option<Record> {
        let tokens = self.source.spans.within(argument);
        let word = |token: &Token| token.text(&self.source.script.text);
        let first = tokens.first()?;
        if word(first) == "|" {
            return self.with_parameters(tokens);
        }
        let called = self.given.call(argument);
        let called = called.filter(|inner| inner.namespace.is_none() && !self.source.defines(&inner.name));
        let called = called.and_then(|inner| table::function(&inner.name));
        let found = match called {
            Some(row) => format!("what `{}` gives", row.name),
            None if word(first) == "{" => "a block".into(),
            None => return None,
        };
        let instead = format!("|| {}", self.part(argument));
        let whole = self.with(argument, &instead);
        let hint = whole.map_or_else(|| "write `||` before it".to_owned(), |call| format!("write `{call}`"));
        let start = Span { start: argument.start, end: argument.start };
        let fault = self.callee.wrong_kind("|| …", found, Some(hint));
        Some(self.told(fault).fixed(self.given.line_with(start, "|| ")))
    }

    /// `retry(3, |attempt| …)`
    fn with_parameters(&self, closure: &[Token]) -> Option<Record> {
        let word = |token: &Token| token.text(&self.source.script.text);
        let close = closure.iter().skip(1).position(|token| word(token) == "|")? + 1;
        let (parameters, body) = (closure.get(1..close)?, closure.get(close + 1..)?);
        let is_used = |name: &Token| name.kind == Kind::Name && body.iter().any(|token| word(token) == word(name));
        let (open, end) = (closure.first()?, closure.get(close)?);
        let bars = Span { start: (open.line, open.column), end: (end.end_line, end.end_column) };
        let fix = self.given.line_with(bars, "||").filter(|_| !parameters.iter().any(is_used));
        let found = format!("a closure that takes `{}`", self.part(bars).trim_matches('|'));
        let hint = Some(format!("`{}` passes nothing to it: write `|| …`", self.callee.name));
        Some(self.told(self.callee.wrong_kind("|| …", found, hint)).fixed(fix))
    }

    /// Returns the call with one argument written in another way, if it stands on one line and is short.
    fn with(&self, argument: Span, written: &str) -> Option<String> {
        const LONGEST: usize = 90;
        let part = |start, end| self.part(Span { start, end });
        let (head, tail) = (part(self.call.span.start, argument.start), part(argument.end, self.call.span.end));
        let text = format!("{head}{written}{tail}");
        (!text.contains('\n') && text.chars().count() <= LONGEST).then_some(text)
    }

    /// Checks the keys of a literal options map and the values that stand literally behind them.
    fn in_options(&self, map: Span) -> Vec<Record> {
        let entries = self.source.spans.entries(&self.source.script.text, map);
        entries.into_iter().filter_map(|entry| self.option(entry)).collect()
    }

    fn option(&self, Entry { key, value, .. }: Entry) -> Option<Record> {
        let callee = self.callee;
        let known: Vec<&str> = callee.options.iter().map(|(name, _)| *name).collect();
        if !known.contains(&key.as_str()) {
            let suggestion = closest(&key, &known).map(str::to_owned);
            let known = known.iter().map(|&name| name.to_owned()).collect();
            return Some(self.told(Fault::ArgsOption { function: callee.name.into(), option: key, suggestion, known }));
        }
        if key == "frame" && self.given.gives(value) == Some(Gives::Reference) {
            return Some(self.told(Fault::of_word(expected::ref_as_frame(callee.row?, self.part(value)))?));
        }
        let literal = literal(self.source, value)?;
        let takes = Takes::of_option(&key);
        if let Literal::Json(Value::String(word)) = &literal {
            let no_ref = || self.no_ref(word, value).filter(|_| takes == Some(Takes::Reference));
            if let Some(fault) = self.wrong_word(&key, word, value).or_else(no_ref) {
                return Some(fault);
            }
        }
        let takes = takes.filter(|takes| !literal.is_nothing() && !literal.fits(*takes))?;
        let meant = match &literal {
            Literal::Json(found) => takes.written(found),
            Literal::Closure => None,
        };
        let fault = Fault::ArgsType {
            function: callee.name.into(),
            found: literal.described(),
            expected: takes.expected().into(),
            takes: callee.signatures.join("` or `"),
            hint: meant.as_ref().map(|meant| format!("write `{key}: {meant}`")),
            parameter: key,
        };
        Some(self.told(fault).fixed(meant.and_then(|meant| self.given.line_with(value, &meant))))
    }
}

/// Returns `find("button", "Save", #{ timeout: 1 })`, `find("button", "Save", 1)` and the like as a call with all in
/// one map.
pub fn as_locator(source: &Source, call: &Call) -> Option<String> {
    if call.is_method || !matches!(call.name.as_str(), "find" | "find_all" | "wait_for") {
        return None;
    }
    let part = |span: &Span| source.script.part(&span.site(&source.script.name));
    let last = call.arguments.last()?;
    let options = match literal(source, *last) {
        Some(Literal::Json(Value::Object(_))) => {
            part(last).strip_prefix("#{").and_then(|rest| rest.strip_suffix('}')).map(|inside| inside.trim().to_owned())
        }
        Some(Literal::Json(Value::Number(number))) if call.name != "find_all" => {
            let is_behind_map = call.arguments.first().is_some_and(|first| part(first).starts_with("#{"));
            (call.arguments.len() == 3 || is_behind_map).then(|| format!("timeout: {number}"))
        }
        _ => None,
    };
    let words = call.arguments.get(..call.arguments.len() - usize::from(options.is_some()))?;
    let mut entries = locator_entries(source, words)?;
    entries.extend(options.filter(|inside| !inside.is_empty()));
    let written = format!("{}(#{{{}}})", call.name, entries.join(", "));
    if written.contains('\n') { Some(format!("{}(#{{role: …, name: …, …}})", call.name)) } else { Some(written) }
}

/// Returns `role: "button"`, `name: "Save"` for the words of a locator.
pub fn locator_entries(source: &Source, words: &[Span]) -> Option<Vec<String>> {
    let part = |span: &Span| source.script.part(&span.site(&source.script.name));
    match words {
        [role, name] => Some(vec![format!("role: {}", part(role)), format!("name: {}", part(name))]),
        [map] if part(map).starts_with("#{") => {
            let inside = part(map).strip_prefix("#{")?.strip_suffix('}')?.trim().trim_end_matches(',');
            Some(vec![inside.to_owned()])
        }
        [word] => {
            let is_role = fields::plain_text(part(word)).is_some_and(|word| expected::known_role(word).is_ok());
            Some(vec![format!("{}: {}", if is_role { "role" } else { "name" }, part(word))])
        }
        _ => None,
    }
}

fn fits_a_map(callee: &Callee) -> impl Fn(&&&str) -> bool {
    |parameter| callee.takes(parameter).is_none_or(|takes| takes.fits(&Value::Object(Map::new())))
}

/// A value that stands literally in a script.
enum Literal {
    /// Texts, numbers, flags and `()` as they are; arrays and maps without their items.
    Json(Value),
    Closure,
}

impl Literal {
    fn fits(&self, takes: Takes) -> bool {
        match self {
            Self::Json(value) => takes.fits(value),
            Self::Closure => matches!(takes, Takes::Closure | Takes::Anything),
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Json(Value::Number(_)))
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Json(Value::Null))
    }

    fn described(&self) -> String {
        match self {
            Self::Json(Value::Array(_)) => "an array".into(),
            Self::Json(value) => crate::host::describe(value),
            Self::Closure => "a closure".into(),
        }
    }
}

/// Reads an argument that is nothing but a literal.
fn literal(source: &Source, span: Span) -> Option<Literal> {
    let text = &source.script.text;
    let tokens = source.spans.within(span);
    let word = |token: &Token| token.text(text);
    let first = tokens.first()?;
    let closes = |close: &str| {
        let ends = source.spans.closing(first).is_some_and(|end| tokens.last() == Some(end));
        ends && tokens.last().is_some_and(|last| word(last) == close)
    };
    Some(match (word(first), tokens) {
        ("|" | "||", _) => Literal::Closure,
        ("[", _) if closes("]") => Literal::Json(Value::Array(Vec::new())),
        ("#{", _) if closes("}") => Literal::Json(Value::Object(Map::new())),
        ("(", [_, close]) if word(close) == ")" => Literal::Json(Value::Null),
        ("-", [_, number]) if number.kind == Kind::Number => Literal::Json(number_of(&format!("-{}", word(number)))?),
        ("true" | "false", [flag]) => Literal::Json((word(flag) == "true").into()),
        (_, [only]) if only.kind == Kind::Number => Literal::Json(number_of(word(only))?),
        (_, [only]) if only.kind == Kind::Text => {
            let text = fields::plain_text(word(only)).unwrap_or_else(|| word(only).trim_matches(['"', '`', '#', '\'']));
            Literal::Json(text.into())
        }
        _ => return None,
    })
}

fn number_of(text: &str) -> Option<Value> {
    let plain = text.replace('_', "");
    plain.parse::<i64>().map(Value::from).or_else(|_| plain.parse::<f64>().map(Value::from)).ok()
}
