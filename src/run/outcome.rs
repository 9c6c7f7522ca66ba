//! What a run came to, as programs read it.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use serde_json::{Map, Value};

use super::drive::Refused;
use super::failure::Failure;
use super::modules::Scripts;
use crate::error::Error;
use crate::host::observe::Effected;
use crate::host::{Journal, Step, marks};
use crate::script::Script;

/// The result of a run with its records. Serialises to the outcome object; every key is always there.
#[derive(Debug)]
pub struct Outcome {
    /// The script's value, or why it failed.
    pub result: Result<Value, Failure>,
    /// What people read in place of the value: the text of a tree.
    pub shown: Option<String>,
    pub printed: String,
    pub rows: Vec<Value>,
    pub effects: Vec<Effected>,
    pub steps: Vec<Step>,
    pub session: Map<String, Value>,
    pub stats: Stats,
    /// The scripts that took part, for reports.
    pub scripts: Scripts,
}

/// Figures of a run.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// From the start of the script to its end.
    pub ms: u64,
    pub calls: u64,
    pub failed_calls: u64,
    /// Time inside host calls.
    pub host_ms: u64,
    /// CDP messages that were sent to the browser.
    pub messages: u64,
}

/// What keeps the browser from the rest of the network: nothing yet.
const BOUNDARY: &str = "none";

/// What keeps the script from the rest of the machine: a process that is given nothing.
const SCRIPT_SANDBOX: &str = "process";

impl Outcome {
    /// Joins the result with the records of the host.
    pub fn new(
        result: Result<Value, Failure>,
        journal: &Journal,
        session: Map<String, Value>,
        scripts: Scripts,
    ) -> Self {
        let shown = result.as_ref().ok().and_then(marks::tree_text).map(str::to_owned);
        Self {
            result: result.map(marks::unmarked),
            shown,
            printed: journal.printed.clone(),
            rows: journal.rows.clone(),
            effects: journal.effects.clone(),
            steps: journal.steps(),
            session,
            stats: Stats {
                ms: 0,
                calls: journal.calls,
                failed_calls: journal.failed_calls,
                host_ms: u64::try_from(journal.host_time.as_millis()).unwrap_or(u64::MAX),
                messages: 0,
            },
            scripts,
        }
    }

    /// Returns the outcome of a run that could not start.
    pub fn failed(script: &Script, error: Error) -> Self {
        let scripts = Scripts::new(script, None, script.text.len());
        Self::refused(Refused { failure: Failure::nowhere(error), scripts })
    }

    /// Returns the outcome of a script that can't start.
    pub fn refused(refused: Refused) -> Self {
        let nothing = ["name", "tab", "url", "title"].map(|key| (key.to_owned(), Value::Null));
        Self::new(Err(refused.failure), &Journal::default(), nothing.into_iter().collect(), refused.scripts)
    }

    pub fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    pub fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err()
    }

    /// Returns the exit code of a process that ends with this outcome.
    pub fn exit_code(&self) -> u8 {
        self.failure().map_or(0, |failure| failure.error.exit_code())
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut outcome = serializer.serialize_struct("Outcome", 13)?;
        outcome.serialize_field("ok", &self.is_ok())?;
        outcome.serialize_field("value", &self.result.as_ref().ok())?;
        outcome.serialize_field("rows", &self.rows)?;
        outcome.serialize_field("printed", &self.printed)?;
        outcome.serialize_field("error", &self.failure().map(|failure| failure.to_json(&self.scripts)))?;
        outcome.serialize_field("effects", &self.effects)?;
        // Nothing is rebound yet without being asked for, and nothing can ask for it.
        outcome.serialize_field("rebinds", &[(); 0])?;
        outcome.serialize_field("steps", &self.steps)?;
        outcome.serialize_field("session", &self.session)?;
        outcome.serialize_field("boundary", BOUNDARY)?;
        outcome.serialize_field("script_sandbox", SCRIPT_SANDBOX)?;
        outcome.serialize_field("stats", &self.stats)?;
        outcome.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::script::Site;

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    #[test]
    fn every_key_is_always_there() {
        let script = Script::from_text("a.rhai", "url();\n  fail(\"no\")\n");
        let site = Site { script: "a.rhai".into(), line: 2, column: 3, end_line: 2, end_column: 13 };
        let error = Error::ScriptAssert { problem: "no".into() };
        let failure = Failure { site: Some(site), ..Failure::nowhere(error.clone()) };
        let scripts = || Scripts::new(&script, None, 100);
        let outcome = |result| json!(Outcome::new(result, &Journal::default(), Map::new(), scripts()));

        let good = outcome(Ok(json!(7)));
        let bad = outcome(Err(failure));
        let all = [
            "ok",
            "value",
            "rows",
            "printed",
            "error",
            "effects",
            "rebinds",
            "steps",
            "session",
            "boundary",
            "script_sandbox",
            "stats",
        ];
        assert_eq!(keys(&good), all);
        assert_eq!(keys(&bad), all);
        assert_eq!((&good["ok"], &good["value"], &good["error"]), (&json!(true), &json!(7), &Value::Null));
        assert_eq!((&bad["ok"], &bad["value"]), (&json!(false), &Value::Null));

        let nowhere = json!(Outcome::failed(&script, error));
        let mut placed = keys(&bad["error"]);
        let mut unplaced = keys(&nowhere["error"]);
        placed.sort_unstable();
        unplaced.sort_unstable();
        assert_eq!(placed, unplaced);
        for key in [
            "code",
            "message",
            "help",
            "script",
            "line",
            "column",
            "end_line",
            "end_column",
            "excerpt",
            "stack",
            "nearest",
            "fix",
        ] {
            assert!(placed.contains(&key), "{key}");
        }
        assert_eq!(bad["error"]["excerpt"], "  fail(\"no\")");
    }
}
