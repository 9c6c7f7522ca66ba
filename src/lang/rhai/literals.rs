//! What can be known of the arguments that stand literally in a call of ours: their kinds, and the keys of an options
//! map. Also what a literal most likely was meant to be.

use serde_json::{Map, Value};

use super::check::is_variable;
use super::fields;
use super::given::{Given, Gives};
use super::lexer::{Kind, Token};
use super::link::Record;
use super::names::Names;
use super::sources::{Located, Source};
use super::spans::{Call, Entry, Place, Span};
use crate::host::expected::{self, Takes};
use crate::host::function::{Function, is_selector, parameters};
use crate::host::{closest, table};
use crate::lang::IN_WORKER;
use crate::lang::fault::Fault;

/// Methods that change what they are called on and give nothing back.
const IN_PLACE: &[&str] = &["sort", "reverse", "push", "insert", "clear", "for_each"];

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
    let mut faults = Vec::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        let parameters: Vec<&str> = forms.iter().filter_map(|form| form.get(index)).map(String::as_str).collect();
        let Some(first) = parameters.first() else { continue };
        // A map of fields is no text, so a text there was to be a ref.
        let words: Vec<&&str> = parameters.iter().filter(|parameter| **parameter != "fields").collect();
        let takes =
            |kind: Takes| !words.is_empty() && words.iter().all(|parameter| callee.takes(parameter) == Some(kind));
        if takes(Takes::Closure) {
            faults.extend(no_closure(source, given, &callee, call, *argument));
        }
        if takes(Takes::Reference) && given.gives(*argument) == Some(Gives::References) {
            let hint = call_with(source, call, *argument, |list| format!("{list}[0]"));
            let hint = hint.unwrap_or_else(|| format!("{}(list[0])", callee.name));
            let hint = format!("take one of them: `{hint}`");
            faults.push(callee.wrong_kind(first, "an array of refs".into(), Some(hint)));
        }
        let Some(literal) = literal(source, *argument) else { continue };
        let fits = |parameter: &&str| callee.takes(parameter).is_none_or(|takes| literal.fits(takes));
        if !parameters.iter().any(fits) {
            let hint = as_locator(source, call).map(|call| format!("write `{call}`"));
            faults.push(callee.wrong_kind(first, literal.described(), hint));
        } else if parameters.iter().filter(fits_a_map(&callee)).all(|parameter| *parameter == "options")
            && let Literal::Json(Value::Object(_)) = literal
        {
            faults.extend(in_options(source, &callee, *argument));
        } else if let Literal::Json(Value::String(text)) = literal {
            faults.extend(parameters.iter().find_map(|parameter| wrong_word(callee.name, parameter, &text)));
            faults.extend(no_ref(&callee, &text).filter(|_| takes(Takes::Reference)));
        }
    }
    let located = source.call_located(call);
    faults.into_iter().map(|fault| Record { fault, located: located.clone() }).collect()
}

fn wrong_word(function: &str, parameter: &str, word: &str) -> Option<Fault> {
    Fault::of_word(expected::wrong_word(function, parameter, word)?)
}

/// `click("#id")`: other texts may be names, which the page knows better how to tell.
fn no_ref(callee: &Callee, text: &str) -> Option<Fault> {
    // These two say themselves that it is no ref.
    let row = callee.row.filter(|row| is_selector(text) && !matches!(row.name, "explain" | "lookup"))?;
    Some(Fault::RefUnknown { reference: text.to_owned(), instead: row.with_ref(text) })
}

/// `step("pay", click(r))` and `step("pay", { … })`: it would have run before the step begins.
fn no_closure(source: &Source, given: &Given<'_>, callee: &Callee, call: &Call, argument: Span) -> Option<Fault> {
    let first = source.spans.within(argument).first()?;
    let is_block = first.text(&source.script.text) == "{";
    let called = given.call(argument).filter(|inner| inner.namespace.is_none() && !source.defines(&inner.name));
    let called = called.and_then(|inner| table::function(&inner.name));
    let found = match called {
        Some(row) => format!("what `{}` gives", row.name),
        None if is_block => "a block".into(),
        None => return None,
    };
    let whole = call_with(source, call, argument, |body| format!("|| {body}"));
    let hint = whole.map_or_else(|| "write `||` before it".to_owned(), |call| format!("write `{call}`"));
    Some(callee.wrong_kind("|| …", found, Some(hint)))
}

/// Returns a call with one argument written in another way, if it stands on one line and is short.
fn call_with(source: &Source, call: &Call, argument: Span, written: impl Fn(&str) -> String) -> Option<String> {
    const LONGEST: usize = 90;
    let part = |start, end| source.script.part(&Span { start, end }.site(&source.script.name));
    let (head, tail) = (part(call.span.start, argument.start), part(argument.end, call.span.end));
    let text = format!("{head}{}{tail}", written(part(argument.start, argument.end)));
    (!text.contains('\n') && text.chars().count() <= LONGEST).then_some(text)
}

/// Returns `find("button", "Save", #{ timeout: 1 })` and the like as a call with all in one map.
pub fn as_locator(source: &Source, call: &Call) -> Option<String> {
    if call.is_method || !matches!(call.name.as_str(), "find" | "find_all" | "wait_for") {
        return None;
    }
    let part = |span: &Span| source.script.part(&span.site(&source.script.name));
    let is_map = |span: &&Span| matches!(literal(source, **span), Some(Literal::Json(Value::Object(_))));
    let options = call.arguments.last().filter(is_map);
    let words = call.arguments.get(..call.arguments.len() - usize::from(options.is_some()))?;
    let mut entries = match words {
        [role, name] => vec![format!("role: {}", part(role)), format!("name: {}", part(name))],
        [word] => {
            let is_role = fields::plain_text(part(word)).is_some_and(|word| expected::known_role(word).is_ok());
            vec![format!("{}: {}", if is_role { "role" } else { "name" }, part(word))]
        }
        _ => return None,
    };
    let inside = options.and_then(|map| part(map).strip_prefix("#{")?.strip_suffix('}')).map(str::trim);
    entries.extend(inside.filter(|inside| !inside.is_empty()).map(str::to_owned));
    let written = format!("{}(#{{{}}})", call.name, entries.join(", "));
    if written.contains('\n') { Some(format!("{}(#{{role: …, name: …, …}})", call.name)) } else { Some(written) }
}

fn fits_a_map(callee: &Callee) -> impl Fn(&&&str) -> bool {
    |parameter| callee.takes(parameter).is_none_or(|takes| takes.fits(&Value::Object(Map::new())))
}

/// Checks the keys of a literal options map and the values that stand literally behind them.
fn in_options(source: &Source, callee: &Callee, map: Span) -> Vec<Fault> {
    let known: Vec<&str> = callee.options.iter().map(|(name, _)| *name).collect();
    let fault = |Entry { key, value, .. }: Entry| {
        if !known.contains(&key.as_str()) {
            let suggestion = closest(&key, &known).map(str::to_owned);
            let known = known.iter().map(|&name| name.to_owned()).collect();
            return Some(Fault::ArgsOption { function: callee.name.into(), option: key, suggestion, known });
        }
        let literal = literal(source, value)?;
        if let Literal::Json(Value::String(word)) = &literal
            && let Some(fault) = wrong_word(callee.name, &key, word)
        {
            return Some(fault);
        }
        let takes = Takes::of_option(&key).filter(|takes| !literal.is_nothing() && !literal.fits(*takes))?;
        Some(Fault::ArgsType {
            function: callee.name.into(),
            parameter: key,
            found: literal.described(),
            expected: takes.expected().into(),
            takes: callee.signatures.join("` or `"),
            hint: None,
        })
    };
    source.spans.entries(&source.script.text, map).into_iter().filter_map(fault).collect()
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

/// Methods that look for a text, or put another in its place.
const OF_PARTS: &[&str] =
    &["replace", "contains", "starts_with", "ends_with", "index_of", "split", "split_rev", "remove", "trim", "assert"];

/// Returns the places that most likely do something else than was meant: `${name}` in plain quotes, and the value of
/// a method that has none. `all` are the scripts of the run.
pub fn doubts(source: &Source, all: &[&Source]) -> Vec<Record> {
    let text = &source.script.text;
    let calls = source.spans.calls();
    // JavaScript has template strings of its own.
    let is_code = |place: Place| {
        let around = |call: &Call| call.name == "eval_js" && call.span.start <= place && place < call.span.end;
        calls.iter().any(|(_, call)| around(call))
    };
    let placeholders = placeholders(source);
    let in_quotes = source.spans.tokens().iter().filter_map(|token| {
        let inside = token.text(text).strip_prefix('"').filter(|_| !is_code((token.line, token.column)))?;
        // Back-ticks inside the quotes: this is code of another language.
        let is_meant = |name: &str| inside.contains('`') || placeholders.contains(&name);
        let name = unfilled(inside).find(|name| is_variable(source, name) && !is_meant(name))?;
        let fault = Fault::parse(
            format!("`${{{name}}}` stands in plain quotes, where it is not filled in"),
            "use back-ticks in place of the quotes",
        );
        let site = Span::of(token).site(&source.script.name);
        Some(Record { fault, located: Located { site: Some(site), arguments: Vec::new() } })
    });
    let methods = calls.iter().filter_map(|(_, call)| {
        // A function of the script or a closure in a map may have the name.
        let is_other = |source: &&Source| fields::makes(source, &call.name) || source.defines(&call.name);
        let is_own = !call.is_method || all.iter().any(is_other) || fields::may_hide(all);
        let (problem, hint) = without_value(source, call).or_else(|| with_index(source, call)).filter(|_| !is_own)?;
        let fault = Fault::parse(problem, hint);
        Some(Record { fault, located: source.call_located(call) })
    });
    in_quotes.chain(methods).chain(Given::of(source).doubts()).collect()
}

/// `let sorted = list.sort();`
fn without_value(source: &Source, call: &Call) -> Option<(String, &'static str)> {
    let before = source.spans.before(call.span.start).map_or("", |token| token.text(&source.script.text));
    (matches!(before, "=" | "return") && IN_PLACE.contains(&call.name.as_str())).then(|| {
        let problem = format!("`{}` changes what it is called on and gives nothing back", call.name);
        (problem, "call it as a statement of its own, then use the changed value")
    })
}

/// `list.for_each(|item| …)`: the parameter is used, and the item in `this` is not.
fn with_index(source: &Source, call: &Call) -> Option<(String, &'static str)> {
    let text = &source.script.text;
    let [bar, parameter, body @ ..] = source.spans.within(*call.arguments.get(1)?) else { return None };
    let uses = |word: &str| body.iter().any(|token| token.text(text) == word);
    let takes_item = bar.text(text) == "|" && uses(parameter.text(text)) && !uses("this");
    (call.name == "for_each" && takes_item).then(|| {
        let problem = "`for_each` gives its closure the index, not the item".to_owned();
        (problem, "write `for item in list { … }`, or take the item from `this`")
    })
}

/// Returns the names that a script looks for or replaces as `${name}`: they are to stand in texts like that.
fn placeholders(source: &Source) -> Vec<&str> {
    let (text, tokens) = (source.script.text.as_str(), source.spans.tokens());
    let calls = source.spans.calls();
    let of_parts = calls.iter().filter(|(_, call)| OF_PARTS.contains(&call.name.as_str()));
    let arguments = of_parts.flat_map(|(_, call)| call.arguments.iter().skip(usize::from(call.is_method)));
    let passed = arguments.flat_map(|argument| source.spans.within(*argument));
    let sign = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |token| token.text(text));
    let compares = |index: Option<usize>| matches!(sign(index), "==" | "!=" | "in");
    let compared = tokens
        .iter()
        .enumerate()
        .filter(|(index, _)| compares(index.checked_sub(1)) || compares(Some(index + 1)))
        .map(|(_, token)| token);
    let texts = passed.chain(compared).filter(|token| token.kind == Kind::Text);
    texts.filter_map(|token| token.text(text).strip_prefix('"')).flat_map(unfilled).collect()
}

/// Returns the first name of each `${…}` in a text.
fn unfilled(text: &str) -> impl Iterator<Item = &str> {
    text.split("${").skip(1).filter(|rest| rest.contains('}')).filter_map(|rest| {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let end = rest.find(|character| !is_part(character))?;
        rest.get(..end).filter(|name| !name.is_empty())
    })
}
