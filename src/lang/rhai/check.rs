//! What can be known before a script runs: unknown functions and options, wrong numbers and kinds of arguments,
//! functions that take the name of one of ours. A script that will fail fails before its first click.

use std::collections::HashMap;
use std::rc::Rc;

use super::compile::Doubtful;
use super::lexer::{Kind, Token};
use super::link::Record;
use super::literals;
use super::names::Names;
use super::sources::{Located, Source};
use super::spans::{Call, Definition, Place};
use crate::lang::fault::Fault;

/// Checks one script as far as it could be read; `modules` are its imports by alias. Returns all faults.
pub fn script(
    names: &Names,
    source: &Source,
    modules: &HashMap<String, Rc<Source>>,
    doubtful: &Doubtful,
) -> Vec<Record> {
    let is_read = |place: Place| doubtful.unread.is_none_or(|unread| place < unread);
    let mut faults = shadowed(source, names);
    for (place, call) in source.spans.calls() {
        // Where the reading broke off inside the call, nobody knows its arguments.
        if !is_read(call.span.end) || doubtful.names.contains(&call.name) {
            continue;
        }
        let fault = match &call.namespace {
            Some(alias) => modules.get(alias).and_then(|module| in_module(module, alias, call)),
            None => plain(source, names, call),
        };
        match fault {
            Some(fault) => {
                let located = located(source, place, call, &fault);
                faults.push(Record { fault, located });
            }
            None => faults.extend(literals::faults(source, call)),
        }
    }
    faults
}

/// An unknown name is marked alone; a wrong number of arguments concerns the whole call.
fn located(source: &Source, place: Place, call: &Call, fault: &Fault) -> Located {
    let script = &source.script.name;
    if matches!(fault, Fault::ArgsCount { .. }) {
        return source.call_located(call);
    }
    Located { site: Some(source.spans.token(place).site(script)), arguments: Vec::new() }
}

/// Refuses `fn click(x)`: it would silently take the place of the host's function.
fn shadowed(source: &Source, names: &Names) -> Vec<Record> {
    let is_ours = |name: &str| names.get(name).is_some_and(|known| known.is_ours);
    let definitions = source.spans.definitions().iter().filter(|definition| is_ours(&definition.name));
    let fault = |Definition { name, place, .. }: &Definition| {
        let fault = Fault::parse(
            format!("a script may not define `{name}`: pageboy has a function of this name"),
            format!("give it another name, such as `my_{name}`"),
        );
        let site = source.spans.token(*place).site(&source.script.name);
        Record { fault, located: Located { site: Some(site), arguments: Vec::new() } }
    };
    definitions.map(fault).collect()
}

fn plain(source: &Source, names: &Names, call: &Call) -> Option<Fault> {
    let own: Vec<_> = source.spans.definitions().iter().filter(|known| known.name == call.name).collect();
    let written = call.arguments.len();
    if !own.is_empty() {
        // In method style the receiver is `this`, unless a native function takes it as an argument.
        let given = if call.is_method { written - 1 } else { written };
        let fits = own.iter().any(|known| known.parameters.len() == given)
            || names.get(&call.name).is_some_and(|known| known.counts.contains(&written));
        let takes = || own.iter().map(|known| written_as(known)).collect::<Vec<_>>();
        return (!fits).then(|| count(call, given, &takes()));
    }
    let Some(known) = names.get(&call.name) else {
        return unknown(source, names, call);
    };
    if known.counts.contains(&written) || (call.is_method && may_be_field(source, &call.name)) {
        return None;
    }
    // The forms of a tree's methods are written without the tree.
    let found = if call.is_method && Names::is_of_tree(&call.name) { written - 1 } else { written };
    known.is_ours.then(|| count(call, found, &known.takes))
}

fn count(call: &Call, found: usize, takes: &[String]) -> Fault {
    Fault::ArgsCount { function: call.name.clone(), found, takes: takes.join("` or `") }
}

fn unknown(source: &Source, names: &Names, call: &Call) -> Option<Fault> {
    let name = &call.name;
    if call.is_method && may_be_field(source, name) {
        return None;
    }
    if !call.is_method && is_variable(source, name) {
        return Some(Fault::parse(
            format!("`{name}` is a variable, not a function"),
            format!("call a closure with `{name}.call(…)`"),
        ));
    }
    Some(unknown_function(names, source, name))
}

/// Returns the fault for a name that no function has.
fn unknown_function(names: &Names, source: &Source, name: &str) -> Fault {
    let own: Vec<_> = source.spans.definitions().iter().map(|known| known.name.as_str()).collect();
    let suggestion = names.nearest(name, &own);
    let takes = suggestion.as_deref().and_then(|name| names.form(name));
    Fault::UnknownFunction { function: name.to_owned(), suggestion, takes }
}

fn written_as(definition: &Definition) -> String {
    format!("{}({})", definition.name, definition.parameters.join(", "))
}

fn in_module(module: &Source, alias: &str, call: &Call) -> Option<Fault> {
    let functions: Vec<_> = module.spans.definitions().iter().filter(|known| !known.is_private).collect();
    let same: Vec<_> = functions.iter().filter(|known| known.name == call.name).collect();
    let written = call.arguments.len();
    if same.iter().any(|known| known.parameters.len() == written) {
        return None;
    }
    let takes = |name: &str| {
        let known = functions.iter().filter(|known| known.name == name);
        known.map(|known| format!("{alias}::{}", written_as(known))).collect::<Vec<_>>()
    };
    if !same.is_empty() {
        let function = format!("{alias}::{}", call.name);
        return Some(Fault::ArgsCount { function, found: written, takes: takes(&call.name).join("` or `") });
    }
    let distance = |name: &str| strsim::damerau_levenshtein(name, &call.name);
    let nearest = functions.iter().map(|known| known.name.as_str()).min_by_key(|name| distance(name));
    let nearest = nearest.filter(|name| distance(name) <= 3);
    Some(Fault::UnknownFunction {
        function: format!("{alias}::{}", call.name),
        suggestion: nearest.map(|name| format!("{alias}::{name}")),
        takes: nearest.and_then(|name| takes(name).into_iter().next()),
    })
}

/// Returns whether the script makes an entry of this name in some map: `x.name(…)` may call a closure kept there.
pub fn may_be_field(source: &Source, name: &str) -> bool {
    let (text, tokens) = (&source.script.text, source.spans.tokens());
    let sign = |token: Option<&Token>| token.map_or("", |token| token.text(text)).to_owned();
    tokens.iter().enumerate().any(|(index, token)| {
        let next = sign(tokens.get(index + 1));
        match token.kind {
            Kind::Name => token.text(text) == name && matches!(next.as_str(), ":" | "="),
            Kind::Text => token.text(text).trim_matches('"') == name && matches!(next.as_str(), ":" | "]"),
            _ => false,
        }
    })
}

/// Returns whether the script declares a variable or parameter of this name.
pub fn is_variable(source: &Source, name: &str) -> bool {
    let (text, tokens) = (&source.script.text, source.spans.tokens());
    tokens.windows(2).any(|pair| match pair {
        [before, token] => {
            token.kind == Kind::Name
                && token.text(text) == name
                && matches!(before.text(text), "let" | "const" | "for" | "|" | ",")
        }
        _ => false,
    })
}
