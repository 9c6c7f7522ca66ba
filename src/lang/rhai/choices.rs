//! One of several: `find("button").first()`, `find("button")[0]`, `find_all("row").last()`. `find` gives the ref of the
//! only match, and `nth` says which one of several is meant.

use super::fields::plain_text;
use super::given::{Given, Gives};
use super::link::Record;
use super::literals;
use super::sources::Source;
use super::spans::{Call, Span};
use crate::lang::fault::Fault;

/// Returns how `.first()`, `.last()` and `.nth(2)` are written, where what they are called on is known.
pub fn of_method(source: &Source, given: &Given<'_>, call: &Call) -> Option<String> {
    let receiver = *call.arguments.first().filter(|_| call.is_method)?;
    let nth = match (call.name.as_str(), call.arguments.as_slice()) {
        ("first", [_]) => "0",
        ("last", [_]) => "-1",
        ("nth" | "at" | "eq", [_, nth]) => part(source, *nth),
        _ => return None,
    };
    written(source, given, receiver, nth)
}

/// Returns what is wrong with `find("button")[0]`.
pub fn faults(source: &Source, given: &Given<'_>) -> Vec<Record> {
    let tokens = source.spans.tokens();
    let text = &source.script.text;
    let fault = |at: usize| {
        let open = tokens.get(at).filter(|open| open.text(text) == "[")?;
        let receiver = source.spans.receiver(text, at.checked_sub(1)?)?;
        (given.gives(receiver)? == Gives::Reference).then_some(())?;
        let close = source.spans.closing(open)?;
        let end = (close.line, close.column);
        let nth = part(source, Span { start: (open.end_line, open.end_column), end });
        let span = Span { start: receiver.start, end: (close.end_line, close.end_column) };
        let instead = written(source, given, receiver, nth);
        let instead = instead.unwrap_or_else(|| part(source, receiver).to_owned());
        let hint = format!("write `{instead}`");
        let fix = given.line_with(span, &instead);
        Some(Record::new(Fault::parse("this is one ref, not a list of them", hint), source.located(span)).fixed(fix))
    };
    (0..tokens.len()).filter_map(fault).collect()
}

fn written(source: &Source, given: &Given<'_>, receiver: Span, nth: &str) -> Option<String> {
    if given.gives(receiver) == Some(Gives::References) {
        return Some(format!("{}[{nth}]", part(source, receiver)));
    }
    let call = given.call(receiver).filter(|call| call.name == "find" && call.namespace.is_none())?;
    let words = call.arguments.iter().map(|argument| part(source, *argument)).collect::<Vec<_>>();
    if nth.starts_with('-') {
        return Some(format!("find_all({})[{nth}]", words.join(", ")));
    }
    let entries = match words.as_slice() {
        // Whether the only word of a variable is a role, nobody knows.
        [word] if !word.starts_with("#{") => {
            vec![plain_text(word).and_then(|_| literals::locator_entries(source, &call.arguments))?.join(", ")]
        }
        _ => literals::locator_entries(source, &call.arguments)?,
    };
    let instead = format!("find(#{{{}, nth: {nth}}})", entries.join(", "));
    (!instead.contains('\n')).then_some(instead)
}

fn part(source: &Source, span: Span) -> &str {
    source.script.part(&span.site(&source.script.name))
}
