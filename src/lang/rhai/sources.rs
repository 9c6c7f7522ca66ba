//! The sources of a run: main script and modules, and where their calls stand.
//!
//! Invariant: no two scripts share a line number inside the engine. Rhai tells positions without a file, names the
//! caller's file for closures that are passed to a module, and takes two closures with the same text at the same
//! place for one. So each script is compiled behind as many empty lines as all scripts before it have, and a line
//! alone tells the script.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{AST, EvalAltResult, NativeCallContext, Position};

use super::spans::{Call, Place, Span, Spans};
use crate::lang::protocol::StackFrame;
use crate::script::{Script, Site};

/// The most lines of all scripts together: the engine counts them in 16 bits.
pub const MOST_LINES: usize = 65_000;

/// One script with what is known about it.
#[derive(Debug)]
pub struct Source {
    pub script: Script,
    pub spans: Spans,
    pub ast: AST,
    /// How many lines stand before its first one inside the engine.
    pub lines_before: usize,
}

/// All scripts of a run in the order of their loading: the main script first.
#[derive(Debug, Default)]
pub struct Sources(RefCell<Vec<Rc<Source>>>);

/// A place with the arguments of the call there.
#[derive(Debug, Clone, Default)]
pub struct Located {
    pub site: Option<Site>,
    pub arguments: Vec<Site>,
}

/// Where an error came from.
#[derive(Debug, Default)]
pub struct Trace {
    pub located: Located,
    /// Innermost first.
    pub stack: Vec<StackFrame>,
}

impl Source {
    pub fn defines(&self, function: &str) -> bool {
        self.spans.definitions().iter().any(|known| known.name == function)
    }

    /// Returns whether a call names a function alone, and one that the script does not define itself.
    pub fn is_plain(&self, call: &Call) -> bool {
        !call.is_method && call.namespace.is_none() && !self.defines(&call.name)
    }

    /// Returns a place that is no call.
    pub fn located(&self, span: Span) -> Located {
        Located { site: Some(span.site(&self.script.name)), arguments: Vec::new() }
    }

    /// Returns the place of a call with its arguments.
    pub fn call_located(&self, call: &Call) -> Located {
        let script = &self.script.name;
        let arguments = call.arguments.iter().map(|argument| argument.site(script)).collect();
        Located { site: Some(call.span.site(script)), arguments }
    }
}

impl Sources {
    /// Adds a script; the first is the main script.
    pub fn add(&self, source: Source) -> Rc<Source> {
        let source = Rc::new(source);
        self.0.borrow_mut().push(Rc::clone(&source));
        source
    }

    pub fn get(&self, name: &str) -> Option<Rc<Source>> {
        self.0.borrow().iter().find(|source| source.script.name == name).cloned()
    }

    /// Calls `look` for each script in the order of loading.
    pub fn each<T>(&self, look: impl FnMut(&Rc<Source>) -> T) -> Vec<T> {
        self.0.borrow().iter().map(look).collect()
    }

    /// Returns which script in the order of loading this is.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.0.borrow().iter().position(|source| source.script.name == name)
    }

    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Returns the name of the main script.
    pub fn main(&self) -> String {
        self.0.borrow().first().map(|source| source.script.name.clone()).unwrap_or_default()
    }

    /// Returns how many lines the scripts have together.
    pub fn lines(&self) -> usize {
        self.0.borrow().last().map_or(0, |last| last.lines_before + lines(&last.script))
    }

    /// Returns the script of a place inside the engine, and the place in that script.
    pub fn find(&self, (line, column): Place) -> Option<(Rc<Source>, Place)> {
        let all = self.0.borrow();
        let source = all.iter().rfind(|source| source.lines_before < line)?;
        Some((Rc::clone(source), (line - source.lines_before, column)))
    }

    /// Returns the place of the call of a native function.
    pub fn of_call(&self, context: &NativeCallContext) -> Located {
        self.locate(context.call_position(), Some(context.fn_name()))
    }

    /// Returns the site at a position; its arguments only where it is a call of `name`, if one is given.
    pub fn locate(&self, position: Position, name: Option<&str>) -> Located {
        let mut located = place(position).map(|place| self.at(place)).unwrap_or_default();
        let named = |(source, place): (Rc<Source>, Place)| source.spans.call(place).map(|call| call.name.clone());
        let found = place(position).and_then(|place| self.find(place)).and_then(named);
        // A function that is called through a pointer stands under another name: `f.call(…)`, `list.map(f)`.
        if name.is_some() && found.as_deref() != name {
            located.arguments.clear();
        }
        located
    }

    /// Returns the site at a place inside the engine: the call whose name starts there, else the token.
    pub fn at(&self, place: Place) -> Located {
        let Some((source, place)) = self.find(place) else { return Located::default() };
        match source.spans.call(place) {
            Some(call) => source.call_located(call),
            None => {
                let site = source.spans.token(place).site(&source.script.name);
                Located { site: Some(site), arguments: Vec::new() }
            }
        }
    }

    /// Follows an error inwards to the place it came from.
    pub fn trace(&self, error: &EvalAltResult) -> Trace {
        let mut stack = Vec::new();
        let mut error = error;
        loop {
            let (function, inner, position) = match error {
                EvalAltResult::ErrorInFunctionCall(name, _, inner, position) => (name.as_str(), inner, *position),
                EvalAltResult::ErrorInModule(_, inner, position) => ("import", inner, *position),
                _ => break,
            };
            if let Some((source, (line, column))) = place(position).and_then(|place| self.find(place)) {
                let function = if is_closure(function) { "closure" } else { function };
                let script = source.script.name.clone();
                stack.push(StackFrame { script, line, column, function: function.to_owned() });
            }
            error = inner;
        }
        stack.reverse();
        Trace { located: self.locate(error.position(), None), stack }
    }
}

/// Returns how many lines a script takes up inside the engine.
pub fn lines(script: &Script) -> usize {
    script.text.matches('\n').count() + 1
}

pub fn is_closure(name: &str) -> bool {
    name.starts_with("anon$")
}

/// Returns line and column inside the engine; `None` for errors without a place.
pub fn place(position: Position) -> Option<Place> {
    Some((position.line()?, position.position().unwrap_or(1).max(1)))
}
