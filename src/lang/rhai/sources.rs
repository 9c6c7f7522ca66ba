//! The sources of a run: main script and modules, where their calls stand and which closures they hold. Finds
//! the file that a position lies in: Rhai names the wrong one for closures that are passed to a module.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rhai::{AST, EvalAltResult, NativeCallContext, Position};

use super::spans::{Place, Spans};
use crate::lang::protocol::StackFrame;
use crate::script::{Script, Site};

/// One script with what is known about it.
#[derive(Debug)]
pub struct Source {
    pub script: Script,
    pub spans: Spans,
    pub ast: AST,
}

/// All scripts of a run by name.
#[derive(Debug, Default)]
pub struct Sources {
    main: RefCell<String>,
    all: RefCell<HashMap<String, Rc<Source>>>,
    /// Scripts in the order of their loading: the main script first.
    order: RefCell<Vec<Rc<Source>>>,
}

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

impl Sources {
    /// Adds a script; the first is the main script.
    pub fn add(&self, source: Source) -> Rc<Source> {
        let source = Rc::new(source);
        if self.order.borrow().is_empty() {
            self.main.replace(source.script.name.clone());
        }
        self.all.borrow_mut().insert(source.script.name.clone(), Rc::clone(&source));
        self.order.borrow_mut().push(Rc::clone(&source));
        source
    }

    pub fn get(&self, name: &str) -> Option<Rc<Source>> {
        self.all.borrow().get(name).cloned()
    }

    pub fn len(&self) -> usize {
        self.order.borrow().len()
    }

    pub fn main(&self) -> String {
        self.main.borrow().clone()
    }

    /// Returns the place of the call of a native function.
    pub fn of_call(&self, context: &NativeCallContext) -> Located {
        let home = context.call_source().map_or_else(|| self.main(), str::to_owned);
        self.locate(&home, context.call_position(), Some(context.fn_name()))
    }

    /// Returns the site at a position: the whole call where a call's name stands there, else the token.
    /// `home` is the likely script; with the name of the called function, the others are searched too.
    pub fn locate(&self, home: &str, position: Position, name: Option<&str>) -> Located {
        let Some(place) = place(position) else { return Located::default() };
        let calls = |source: &Rc<Source>| {
            source.spans.call(place).is_some_and(|call| name.is_none_or(|name| call.name == name))
        };
        let likely = self.get(home);
        let called = likely
            .clone()
            .filter(&calls)
            .or_else(|| name.and_then(|_| self.order.borrow().iter().find(|source| calls(source)).cloned()));
        if let Some(source) = called
            && let Some(call) = source.spans.call(place)
        {
            let script = &source.script.name;
            return Located {
                site: Some(call.span.site(script)),
                arguments: call.arguments.iter().map(|argument| argument.site(script)).collect(),
            };
        }
        // A function that is called through a pointer stands under another name: `f.call(…)`, `list.map(f)`.
        let site = likely.map(|source| {
            let span = source.spans.call(place).map_or_else(|| source.spans.token(place), |call| call.span);
            span.site(&source.script.name)
        });
        Located { site, arguments: Vec::new() }
    }

    /// Follows an error from the script `home` inwards to the place it came from.
    pub fn trace(&self, home: &str, error: &EvalAltResult) -> Trace {
        let mut home = home.to_owned();
        let mut stack = Vec::new();
        let mut error = error;
        loop {
            let (function, inside, inner, position) = match error {
                EvalAltResult::ErrorInFunctionCall(name, source, inner, position) => {
                    (name.as_str(), self.home_of(name, source), inner, *position)
                }
                EvalAltResult::ErrorInModule(name, inner, position) => {
                    ("import", Some(name.clone()).filter(|name| self.get(name).is_some()), inner, *position)
                }
                _ => break,
            };
            if let Some((line, column)) = place(position) {
                let function = if is_closure(function) { "closure" } else { function };
                stack.push(StackFrame { script: home.clone(), line, column, function: function.to_owned() });
            }
            home = inside.unwrap_or(home);
            error = inner;
        }
        stack.reverse();
        Trace { located: self.locate(&home, error.position(), None), stack }
    }

    /// Returns the script that a function's body lies in: the one that Rhai names, if it holds such a function,
    /// else the first that does. A closure's name stands in one script only, unless two scripts hold the same
    /// closure at the same place, and Rhai names the caller of a closure instead of its home.
    fn home_of(&self, function: &str, source: &str) -> Option<String> {
        let holds = |source: &Rc<Source>| source.ast.iter_functions().any(|known| known.name == function);
        let named = self.get(source).filter(|source| !is_closure(function) && holds(source));
        let home = named.or_else(|| self.order.borrow().iter().find(|source| holds(source)).cloned());
        home.map(|source| source.script.name.clone())
    }
}

fn is_closure(name: &str) -> bool {
    name.starts_with("anon$")
}

/// Returns line and column; `None` for errors without a place.
pub fn place(position: Position) -> Option<Place> {
    Some((position.line()?, position.position().unwrap_or(1).max(1)))
}
