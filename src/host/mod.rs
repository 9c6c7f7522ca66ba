//! The host: what a script can do, and the one door to it.

pub mod function;
mod journal;
pub mod observe;
pub mod table;

use serde_json::{Map, Value};

pub use self::journal::{Journal, Step};
use self::observe::Observer;
use crate::error::{Error, Result};
use crate::script::Site;

/// The records of one run.
pub struct Host {
    journal: Journal,
    observer: Box<dyn Observer>,
}

impl Host {
    pub fn new(observer: Box<dyn Observer>) -> Self {
        Self { journal: Journal::default(), observer }
    }

    /// Calls a function by name: the one door.
    pub async fn call(&mut self, name: &str, args: Vec<Value>, _site: Option<Site>) -> Result<Value> {
        let function = table::function(name).ok_or_else(|| Error::ScriptUnknownFunction {
            function: name.into(), suggestion: None, takes: None })?;
        let written = journal::written(name, &args);
        let record = self.journal.record(function, &written, std::time::Duration::ZERO, &Ok(Value::Null));
        self.observer.call(&record);
        Ok(Value::Null)
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

    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Returns what the outcome says of the session: its current tab.
    pub fn session_facts(&self) -> Map<String, Value> {
        Map::new()
    }
}
