//! The host: what a script can do, and the one door to it.
//!
//! Invariant: a row's body is reached only through [`Host::call`], which checks the number of arguments, the
//! rights and the budget, and keeps the journal. A row can't forget a check.

mod acting;
mod args;
mod control;
pub mod expected;
mod fields;
mod filling;
pub mod function;
mod javascript;
mod journal;
pub mod marks;
mod missing;
pub mod observe;
mod reading;
mod refs;
mod rights;
pub mod table;
mod travel;
mod trees;
mod waiting;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use self::args::Args;
pub use self::args::{closest, describe};
use self::function::Effect;
pub use self::journal::{Journal, Step, written};
use self::observe::Observer;
pub use self::rights::Rights;
use crate::budget::{Budget, Layer};
use crate::error::{Error, Result};
use crate::page::Session;
use crate::reference::Ref;
use crate::script::Site;

/// A browser session with the rights, the budget and the records of one run.
pub struct Host {
    pub(crate) page: Session,
    rights: Rights,
    /// What `arg(name, otherwise)` reads.
    run_args: BTreeMap<String, String>,
    budget: Budget,
    /// The open `within`s, each with its own budget.
    scopes: Vec<Budget>,
    journal: Journal,
    observer: Box<dyn Observer>,
    noticed: BTreeSet<String>,
    /// How many messages the session had sent when the run began.
    sent_before: u64,
}

/// What a run brings along.
#[derive(Debug, Clone, Default)]
pub struct Grant {
    pub rights: Rights,
    pub args: BTreeMap<String, String>,
}

impl Host {
    pub fn new(page: Session, grant: Grant, budget: Budget, observer: Box<dyn Observer>) -> Self {
        let sent_before = page.messages_sent();
        Self {
            page,
            sent_before,
            rights: grant.rights,
            run_args: grant.args,
            budget,
            scopes: Vec::new(),
            journal: Journal::default(),
            observer,
            noticed: BTreeSet::new(),
        }
    }

    /// Returns how many CDP messages the run has sent so far.
    pub fn messages(&self) -> u64 {
        self.page.messages_sent().saturating_sub(self.sent_before)
    }

    /// Calls a function by name: the one door.
    ///
    /// # Errors
    /// Every code that the function's row names, and `args::*`, `policy::*`, `budget::*`,
    /// `script::unknown_function`.
    pub async fn call(&mut self, name: &str, args: Vec<Value>, site: Option<Site>) -> Result<Value> {
        let Some(function) = table::function(name) else {
            return Err(Error::ScriptUnknownFunction {
                function: name.to_owned(),
                suggestion: None,
                takes: None,
                hint: None,
            });
        };
        let written = written(name, &args);
        let started = Instant::now();
        let dialogs = function.effect == Effect::Act;
        let result = self.admitted(function, args, site, &written).await;
        if dialogs && result.is_ok() {
            self.page.acted(&written);
        }
        if let Ok(value) = &result {
            self.hand_out(value);
        }
        let record = self.journal.record(function, &written, started.elapsed(), &result);
        if function.effect != Effect::Engine {
            self.observer.call(&record);
        }
        result
    }

    /// Remembers which refs the script gets from a call.
    fn hand_out(&mut self, value: &Value) {
        let reference = |value: &Value| {
            let text = value.as_str().or_else(|| value.get("ref")?.as_str())?;
            text.parse::<Ref>().ok()
        };
        if marks::tree_text(value).is_some() {
            let shown = self.page.latest_tree().into_iter().flat_map(|tree| tree.references());
            self.page.hand_out(shown.collect::<Vec<Ref>>());
        } else if let Value::Array(items) = value {
            self.page.hand_out(items.iter().filter_map(reference));
        } else {
            self.page.hand_out(reference(value));
        }
    }

    async fn admitted(
        &mut self,
        function: &'static function::Function,
        args: Vec<Value>,
        site: Option<Site>,
        written: &str,
    ) -> Result<Value> {
        let args = Args::new(function, args)?;
        let name = match args.get(0) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        self.rights.check(function)?;
        let budget = self.budget();
        // Ending a control function must work when its time is up.
        if function.effect != Effect::Engine
            && let Some(error) = budget.overrun()
        {
            return Err(error);
        }
        self.page.begin_call(written, site);
        let budget = match function.deadline() {
            Some(granted) => budget.child(granted, Layer::Call),
            None => budget,
        };
        let result = (function.body)(self, args, budget).await;
        result.map_err(|error| match error {
            Error::RefUnknown { reference, nearest, .. } => {
                // `ref_99` was meant as a ref all the same.
                let is_name = |name: &String| *name == reference && name.parse::<Ref>().is_err();
                let instead = name.filter(is_name).and_then(|name| function.with_ref(&name));
                Error::RefUnknown { reference, instead, nearest }
            }
            // Functions that only engines call say nothing to a person.
            error if function.effect == Effect::Engine => error,
            error => error.during(written),
        })
    }

    /// Tells the person who watches something that is no error, once.
    pub(crate) fn notice(&mut self, text: &str) {
        if self.noticed.insert(text.to_owned()) {
            self.observer.notice(text);
        }
    }

    /// Says what the script left undone.
    pub fn conclude(&mut self) {
        let Some((dialog, tab)) = self.page.tab().ok().and_then(|tab| Some((tab.dialog?, tab.label))) else { return };
        let text = crate::script::quoted(&dialog.message);
        self.notice(&format!("the script ended with an open {} in `{tab}`: {text}", dialog.kind));
    }

    /// Returns the budget in force: the innermost `within`, or the run's.
    pub fn budget(&self) -> Budget {
        self.scopes.last().unwrap_or(&self.budget).clone()
    }

    /// Returns the frame id behind a label such as `frame_2`.
    fn frame_named(&self, function: &str, label: &str) -> Result<String> {
        if let Some(error) = expected::wrong_word(function, "frame", label) {
            return Err(error);
        }
        self.page.frame_by_label(label).ok_or_else(|| Error::ArgsValue {
            function: function.to_owned(),
            parameter: "frame".into(),
            found: crate::script::quoted(label),
            expected: frames_expected(&self.page.frames_like(label)),
        })
    }

    /// Returns the budget of a call: its own timeout where its options give one, else the default that it has.
    fn timed(&self, timeout: Option<Duration>, otherwise: Budget) -> Budget {
        match timeout {
            Some(timeout) => self.budget().child(timeout, Layer::Call),
            None => otherwise,
        }
    }

    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Takes a text that the script printed.
    ///
    /// # Errors
    /// `budget::output` past the cap.
    pub fn print(&mut self, text: &str) -> Result<()> {
        self.journal.print(text)?;
        self.observer.printed(text);
        Ok(())
    }

    /// Ends the run and returns the session, which lives on.
    pub fn finish(self) -> Session {
        self.page
    }

    /// Returns what the outcome says of the session: its current tab.
    pub fn session_facts(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        let tab = self.page.tab().ok();
        let url = self.page.url().ok();
        facts.insert("name".into(), Value::Null);
        facts.insert("tab".into(), tab.as_ref().map_or(Value::Null, |tab| tab.label.as_str().into()));
        facts.insert("url".into(), url.map_or(Value::Null, Value::from));
        facts.insert("title".into(), tab.map_or(Value::Null, |tab| tab.title.into()));
        facts
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Host").field("page", &self.page).field("rights", &self.rights).finish_non_exhaustive()
    }
}

/// Words which frames there are, the nearest first.
fn frames_expected(frames: &[String]) -> String {
    const LISTED: usize = 5;
    let listed = frames.get(..LISTED).unwrap_or(frames).join(", ");
    match frames.len().saturating_sub(LISTED) {
        0 => format!("the `frame` of one of `frames()`: {listed}"),
        more => format!("the `frame` of one of `frames()`: {listed} or one of {more} more"),
    }
}
