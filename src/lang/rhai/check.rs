//! What can be known before a script runs: unknown functions and options, wrong numbers and kinds of arguments,
//! functions that take the name of one of ours. A script that will fail fails before its first click.

use std::collections::HashMap;
use std::rc::Rc;

use super::choices;
use super::compile::Doubtful;
use super::conditions;
use super::elsewhere;
use super::fields;
use super::given::Given;
use super::lexer::Kind;
use super::link::Record;
use super::literals;
use super::names::Names;
use super::sources::{Located, Source};
use super::spans::{Call, Definition, Place, Span};
use crate::host::table;
use crate::lang::fault::Fault;

/// What is wrong with one script.
#[derive(Debug, Default)]
pub struct Checked {
    pub faults: Vec<Record>,
    /// What depends on the other scripts of the run.
    pub unsure: Vec<Unsure>,
}

/// A call that is wrong unless it means something that stands elsewhere.
#[derive(Debug, Clone)]
pub struct Unsure {
    pub name: String,
    /// Whether it may call a closure that is kept in a map.
    pub is_method: bool,
    pub record: Record,
}

/// What is known of a call once all scripts are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    InOrder,
    Doubted,
    Wrong,
}

impl Unsure {
    /// Decides by all scripts of the run.
    pub fn verdict(&self, sources: &[&Source]) -> Verdict {
        let is_elsewhere = |source: &&Source| {
            let script = self.record.located.site.as_ref().map(|site| site.script.as_str());
            script != Some(source.script.name.as_str()) && source.defines(&self.name)
        };
        if self.is_method && sources.iter().any(|source| fields::makes(source, &self.name)) {
            return Verdict::InOrder;
        }
        // The functions of an importing script can be called in a module.
        if matches!(self.record.fault, Fault::UnknownFunction { .. }) && sources.iter().any(is_elsewhere) {
            return Verdict::InOrder;
        }
        match self.is_method && fields::may_hide(sources) {
            true if sources.iter().any(|source| fields::mentions(source, &self.name)) => Verdict::InOrder,
            true => Verdict::Doubted,
            false => Verdict::Wrong,
        }
    }
}

/// Checks one script as far as it could be read; `modules` are its imports by alias.
pub fn script(
    names: &Names,
    source: &Source,
    modules: &HashMap<String, Vec<Rc<Source>>>,
    doubtful: &Doubtful,
) -> Checked {
    let is_read = |place: Place| doubtful.unread.is_none_or(|unread| place < unread);
    let guessed = in_guessed(source, doubtful);
    let given = Given::of(source);
    let mut checked = Checked { faults: shadowed(source, names), unsure: Vec::new() };
    let is_seen = |record: &Record| record.located.site.as_ref().is_none_or(|site| is_read((site.line, site.column)));
    let uses = given.faults().into_iter().chain(conditions::faults(source, &given));
    checked.faults.extend(uses.chain(choices::faults(source, &given)).filter(is_seen));
    let mut wrong: Vec<Span> = Vec::new();
    for (place, call) in source.spans.calls() {
        // Where the reading broke off inside the call, nobody knows its arguments.
        if !is_read(call.span.end) || doubtful.names.contains(&call.name) {
            continue;
        }
        let fault = match &call.namespace {
            Some(alias) => modules.get(alias).and_then(|modules| in_modules(modules, alias, call)).map(|f| (f, None)),
            None => plain(source, names, &given, call),
        };
        // What is called on something that does not exist says nothing by itself.
        let follows = call.is_method
            && call.arguments.first().is_some_and(|receiver| {
                wrong.iter().any(|span| span.start == receiver.start && span.end <= receiver.end)
            });
        if fault.is_some() {
            wrong.push(call.span);
        }
        let records = match fault {
            _ if follows => Vec::new(),
            Some((fault, fix)) => {
                let located = located(source, place, call, &fault);
                vec![Record::new(fault, located).fixed(fix)]
            }
            None => literals::faults(source, &given, call),
        };
        let is_method = call.is_method && !fields::is_on_plain_value(source, call);
        for record in records {
            let is_unknown = matches!(record.fault, Fault::UnknownFunction { .. }) && call.namespace.is_none();
            // What its arguments are, nobody knows.
            if guessed.contains(&place) && !is_unknown {
                continue;
            }
            if is_method || is_unknown {
                checked.unsure.push(Unsure { name: call.name.clone(), is_method, record });
            } else {
                checked.faults.push(record);
            }
        }
    }
    checked
}

/// Returns the calls, by the places of their names, with something in their brackets that was mended.
fn in_guessed(source: &Source, doubtful: &Doubtful) -> Vec<Place> {
    let calls = source.spans.calls();
    let innermost = |place: &Place| {
        let around = calls.iter().filter(|(name, call)| name < place && *place < call.span.end);
        around.map(|(name, _)| *name).max()
    };
    doubtful.guessed.iter().filter_map(innermost).collect()
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
    // `fn array.find(…)` leaves ours alone, which are called on refs.
    let takes_place = |of: &Option<String>| of.as_ref().is_none_or(|of| of.eq_ignore_ascii_case("string"));
    let definitions = source.spans.definitions().iter();
    let definitions = definitions.filter(|known| is_ours(&known.name) && takes_place(&known.of));
    let fault = |Definition { name, place, .. }: &Definition| {
        let fault = Fault::parse(
            format!("a script may not define `{name}`: pageboy has a function of this name"),
            format!("give it another name, such as `my_{name}`"),
        );
        let site = source.spans.token(*place).site(&source.script.name);
        Record::new(fault, Located { site: Some(site), arguments: Vec::new() })
    };
    definitions.map(fault).collect()
}

/// A fault with the line as it should be.
type Found = (Fault, Option<String>);

fn plain(source: &Source, names: &Names, given: &Given<'_>, call: &Call) -> Option<Found> {
    let own: Vec<_> = source.spans.definitions().iter().filter(|known| known.name == call.name).collect();
    let written = call.arguments.len();
    if !own.is_empty() {
        // In method style the receiver is `this`, unless a native function takes it as an argument.
        let count_given = if call.is_method { written - 1 } else { written };
        let fits = own.iter().any(|known| known.parameters.len() == count_given)
            || names.get(&call.name).is_some_and(|known| known.counts.contains(&written));
        let takes = || own.iter().map(|known| written_as(known)).collect::<Vec<_>>();
        return (!fits).then(|| (count(call, count_given, &takes(), None), None));
    }
    let Some(known) = names.get(&call.name) else {
        return unknown(source, names, given, call);
    };
    // Only the method of a tree takes one argument more: the tree.
    let is_find = !call.is_method && Names::is_of_tree(&call.name);
    let row = table::function(&call.name).filter(|_| is_find);
    if known.counts.contains(&written) && row.is_none_or(|row| written <= row.arity.1) {
        return None;
    }
    // The forms of a tree's methods are written without the tree.
    let found = if call.is_method && Names::is_of_tree(&call.name) { written - 1 } else { written };
    let whole = literals::as_locator(source, call);
    let hint = whole.as_ref().map(|call| format!("write `{call}`"));
    let fix = whole.filter(|whole| !whole.contains('…')).and_then(|whole| given.line_with(call.span, &whole));
    known.is_ours.then(|| (count(call, found, &known.takes, hint), fix))
}

fn count(call: &Call, found: usize, takes: &[String], hint: Option<String>) -> Fault {
    Fault::ArgsCount { function: call.name.clone(), found, takes: takes.join("` or `"), hint }
}

fn unknown(source: &Source, names: &Names, given: &Given<'_>, call: &Call) -> Option<Found> {
    let name = &call.name;
    if asks_for(source, name) {
        return None;
    }
    if !call.is_method && is_variable(source, name) {
        let problem = format!("`{name}` is a variable, not a function");
        return Some((Fault::parse(problem, format!("call a closure with `{name}.call(…)`")), None));
    }
    let own: Vec<_> = source.spans.definitions().iter().map(|known| known.name.as_str()).collect();
    let fits = |name: &str| literals::fits(source, call, name);
    let fault = names.unknown(name, call.arguments.len(), &own, fits);
    let is_own = |near: &String| own.contains(&near.as_str());
    if matches!(&fault, Fault::UnknownFunction { suggestion: Some(near), .. } if is_own(near)) {
        return Some((fault, None));
    }
    let meant = choices::of_method(source, given, call).map(|instead| (call.span, instead));
    let Some((span, instead)) = meant.or_else(|| written_here(source, call)) else { return Some((fault, None)) };
    let fix = given.line_with(span, &instead);
    let hint = Some(format!("write `{instead}`"));
    Some((Fault::UnknownFunction { function: name.clone(), suggestion: None, takes: None, hint }, fix))
}

/// Returns how a call of another tool is written here with its own arguments, and what that takes the place of.
fn written_here(source: &Source, call: &Call) -> Option<(Span, String)> {
    let part = |span: &Span| source.script.part(&span.site(&source.script.name));
    let calls = source.spans.calls();
    // `expect(title()).toBe("x")`
    let behind = calls.iter().map(|(_, other)| *other).find(|other| {
        other.is_method
            && other.arguments.first() == Some(&call.span)
            && matches!(call.name.as_str(), "expect" | "assertThat")
    });
    let (name, span) = behind.map_or((&call.name, call.span), |behind| (&behind.name, behind.span));
    let mut arguments: Vec<&str> = call.arguments.iter().map(part).collect();
    arguments.extend(behind.iter().flat_map(|behind| behind.arguments.iter().skip(1).map(part)));
    let written = elsewhere::written(name, &arguments)?;
    (!written.contains('\n')).then_some((span, written))
}

/// `if is_def_fn("name", 1) { … }`
fn asks_for(source: &Source, name: &str) -> bool {
    let text = &source.script.text;
    let calls = source.spans.calls();
    calls.iter().filter(|(_, call)| call.name == "is_def_fn").any(|(_, call)| {
        let tokens = call.arguments.iter().flat_map(|argument| source.spans.within(*argument));
        tokens.into_iter().any(|token| fields::plain_text(token.text(text)) == Some(name))
    })
}

fn written_as(definition: &Definition) -> String {
    format!("{}({})", definition.name, definition.parameters.join(", "))
}

/// One alias may stand for several modules, in blocks of their own.
fn in_modules(modules: &[Rc<Source>], alias: &str, call: &Call) -> Option<Fault> {
    let faults: Vec<_> = modules.iter().map(|module| in_module(module, alias, call)).collect();
    if faults.iter().any(Option::is_none) { None } else { faults.into_iter().flatten().next() }
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
        return Some(Fault::ArgsCount {
            function,
            found: written,
            takes: takes(&call.name).join("` or `"),
            hint: None,
        });
    }
    let distance = |name: &str| strsim::damerau_levenshtein(name, &call.name);
    let nearest = functions.iter().map(|known| known.name.as_str()).min_by_key(|name| distance(name));
    let nearest = nearest.filter(|name| distance(name) <= 3);
    Some(Fault::UnknownFunction {
        function: format!("{alias}::{}", call.name),
        suggestion: nearest.map(|name| format!("{alias}::{name}")),
        takes: nearest.and_then(|name| takes(name).into_iter().next()),
        hint: None,
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
