//! What runs and most likely does something else than was meant: `${name}` in plain quotes, the value of a method that
//! has none, an address without a scheme.

use super::check::is_variable;
use super::fields;
use super::given::{Given, Gives};
use super::lexer::{Kind, Token};
use super::link::Record;
use super::slips::scheme_of_host;
use super::sources::{Located, Source};
use super::spans::{Call, Place, Span};
use crate::lang::fault::Fault;
use crate::script::quoted;

/// Methods that change what they are called on and give nothing back.
const IN_PLACE: &[&str] = &["sort", "reverse", "push", "insert", "clear", "for_each"];

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
    let given = Given::of(source);
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
        Some(Record::new(fault, Located { site: Some(site), arguments: Vec::new() }))
    });
    let methods = calls.iter().filter_map(|(_, call)| {
        // A function of the script or a closure in a map may have the name.
        let is_other = |source: &&Source| fields::makes(source, &call.name) || source.defines(&call.name);
        let is_own = !call.is_method || all.iter().any(is_other) || fields::may_hide(all);
        let (problem, hint) = without_value(source, call).or_else(|| with_index(source, call)).filter(|_| !is_own)?;
        let fault = Fault::parse(problem, hint);
        Some(Record::new(fault, source.call_located(call)))
    });
    let addresses = calls.iter().filter_map(|(_, call)| without_scheme(source, call));
    let times = calls.iter().filter_map(|(_, call)| odd_time(source, call));
    let braces = source.spans.tokens().iter().filter(|token| !is_code((token.line, token.column)));
    let braces = braces.filter_map(|token| in_braces(source, token));
    let refs = calls.iter().filter_map(|(_, call)| ref_as_text(source, &given, call));
    let lost = lost(source);
    in_quotes
        .chain(lost)
        .chain(methods)
        .chain(refs)
        .chain(times)
        .chain(addresses)
        .chain(braces)
        .chain(given.doubts())
        .collect()
}

/// `wait_for(find("Save"))`
fn ref_as_text(source: &Source, given: &Given<'_>, call: &Call) -> Option<Record> {
    let is_ours = source.is_plain(call);
    let text = *call.arguments.first().filter(|_| is_ours)?;
    let is_ref = given.gives(text) == Some(Gives::Reference);
    let shown = given.shown(text);
    let hint = match call.name.as_str() {
        "wait_for" if is_ref => format!("write `wait_for(#{{ref: {shown}}})`"),
        "find" | "find_all" if is_ref => format!("a ref needs no `{}`: use it as it is", call.name),
        _ => return None,
    };
    let fault = Fault::parse(format!("`{}` looks for a text, and this is a ref", call.name), hint);
    Some(Record::new(fault, source.located(text)))
}

/// `wait_for(2000)`, `sleep(0.5)`
fn odd_time(source: &Source, call: &Call) -> Option<Record> {
    let is_ours = source.is_plain(call);
    let [given] = *call.arguments.as_slice() else { return None };
    let written = source.script.part(&given.site(&source.script.name));
    let number: f64 = written.parse().ok().filter(|_| is_ours)?;
    let (problem, hint) = match call.name.as_str() {
        "wait_for" => {
            (format!("`wait_for` waits for the text {written}"), format!("to pause, write `sleep({written})`"))
        }
        "sleep" if number.fract() != 0.0 && number < 60.0 => (
            format!("`sleep` takes milliseconds, and {written} of them are none"),
            format!("write `sleep({})`", number * 1000.0),
        ),
        _ => return None,
    };
    Some(Record::new(Fault::parse(problem, hint), source.located(given)))
}

/// `open("example.com/cart")`
fn without_scheme(source: &Source, call: &Call) -> Option<Record> {
    let is_ours = matches!(call.name.as_str(), "open" | "new_tab") && source.is_plain(call);
    let address = call.arguments.first().filter(|_| is_ours)?;
    let text = fields::plain_text(source.script.part(&address.site(&source.script.name)))?;
    let scheme = scheme_of_host(text)?;
    let problem = format!("{} has no scheme, so it is taken relative to the current page", quoted(text));
    let fault = Fault::parse(problem, format!("write `{}(\"{scheme}://{text}\")`", call.name));
    Some(Record::new(fault, source.located(*address)))
}

/// `"hello {name}"`
fn in_braces(source: &Source, token: &Token) -> Option<Record> {
    let text = &source.script.text;
    let inside = token.text(text).strip_prefix('"')?;
    let named = inside.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    let name = named.into_iter().find(|name| is_variable(source, name))?;
    let braces = format!("{{{name}}}");
    // `${name}` is told by itself, and what is looked for or replaced is meant like that.
    let is_meant =
        inside.contains(&format!("${braces}"))
            || source.spans.calls().iter().any(|(_, call)| {
                OF_PARTS.contains(&call.name.as_str()) && source.spans.within(call.span).contains(token)
            });
    let is_replaced =
        source.spans.tokens().iter().any(|other| other != token && other.text(text) == format!("\"{braces}\""));
    if is_meant || is_replaced {
        return None;
    }
    let fault = Fault::parse(
        format!("`{braces}` stands in plain quotes, where it is not filled in"),
        format!("write `${braces}`, with back-ticks in place of the quotes"),
    );
    Some(Record::new(fault, source.located(Span::of(token))))
}

/// `catch (e) { e.code }`: the value of `try` is that of the whole, the one of `catch` is not.
fn lost(source: &Source) -> impl Iterator<Item = Record> {
    let (text, tokens) = (source.script.text.as_str(), source.spans.tokens());
    let sign = |at: usize| tokens.get(at).map_or("", |token| token.text(text));
    let blocks = (0..tokens.len()).filter_map(move |at| match sign(at) {
        "catch" if sign(at + 1) == "(" => Some(at + 4),
        "catch" => Some(at + 1),
        _ => None,
    });
    let last_expression = move |open: usize| {
        let mut depth = 0_usize;
        let mut start = open + 1;
        for at in open..tokens.len() {
            match sign(at) {
                "{" | "#{" | "${" | "(" | "[" | "?[" => depth += 1,
                "}" | ")" | "]" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            match (depth, sign(at)) {
                (0, _) => return tokens.get(start..at).filter(|tail| !tail.is_empty()),
                (1, ";" | "}") => start = at + 1,
                _ => {}
            }
        }
        None
    };
    let blocks = blocks.filter(move |&open| sign(open) == "{").filter_map(last_expression);
    blocks.filter_map(move |tail| {
        let [first, .., last] = tail else { return tail.first().map(|only| value_lost(source, only, only)) };
        // Calls are made for what they do, and assignments and the like keep the value.
        let does = |token: &Token| {
            let written = token.text(text);
            matches!(written, "let" | "const" | "return" | "throw" | "break" | "continue" | "import")
                || written.ends_with('=') && !matches!(written, "==" | "!=" | "<=" | ">=")
        };
        let is_kept = last.text(text) == ")" || tail.iter().any(does);
        (!is_kept).then(|| value_lost(source, first, last))
    })
}

fn value_lost(source: &Source, first: &Token, last: &Token) -> Record {
    let fault = Fault::parse(
        "a `catch` block has no value: this one is lost",
        "write `return …;`, or assign it to a variable that is declared before `try`",
    );
    let span = Span { start: Span::of(first).start, end: Span::of(last).end };
    Record::new(fault, source.located(span))
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
