//! The records of a run: printed text, rows, steps, the effects ledger and the count of calls.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Map, Value};

use super::function::{Effect, Function};
use super::observe::{CallRecord, Effected, Outcome, StepEnd, StepEvent};
use crate::error::{Error, Result};

/// The most that a script may print, in bytes.
const MOST_PRINTED: usize = 16 << 20;

/// What happened in a run so far.
#[derive(Debug, Default)]
pub struct Journal {
    pub printed: String,
    pub rows: Vec<Value>,
    pub effects: Vec<Effected>,
    /// The effects of the call under way, where it does several things.
    parts: Vec<Effected>,
    /// Ended and open steps in the order in which they began.
    steps: Vec<Step>,
    open: Vec<usize>,
    pub calls: u64,
    pub failed_calls: u64,
    /// Time inside host calls.
    pub host_time: Duration,
}

/// One `step` of the script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub name: String,
    pub depth: usize,
    /// `None` while it runs.
    pub ok: Option<bool>,
    pub ms: u64,
    #[serde(skip)]
    began: Option<std::time::Instant>,
}

impl Journal {
    pub fn print(&mut self, text: &str) -> Result<()> {
        if self.printed.len() + text.len() + 1 > MOST_PRINTED {
            return Err(Error::BudgetOutput { limit_bytes: MOST_PRINTED });
        }
        self.printed.push_str(text);
        self.printed.push('\n');
        Ok(())
    }

    pub fn step_begins(&mut self, name: &str) -> StepEvent {
        let depth = self.open.len();
        self.open.push(self.steps.len());
        let began = Some(std::time::Instant::now());
        self.steps.push(Step { name: name.to_owned(), depth, ok: None, ms: 0, began });
        StepEvent { name: name.to_owned(), depth, ended: None }
    }

    /// Ends the innermost open step; `None` when none is open.
    pub fn step_ends(&mut self, ok: bool) -> Option<StepEvent> {
        let step = self.steps.get_mut(self.open.pop()?)?;
        step.ok = Some(ok);
        step.ms = step.began.map_or(0, |began| millis(began.elapsed()));
        Some(StepEvent { name: step.name.clone(), depth: step.depth, ended: Some(StepEnd { ok, ms: step.ms }) })
    }

    /// Returns the steps so far; one that did not end has the time that it took until now.
    pub fn steps(&self) -> Vec<Step> {
        let timed = |step: &Step| match (step.ok, step.began) {
            (None, Some(began)) => Step { ms: millis(began.elapsed()), ..step.clone() },
            _ => step.clone(),
        };
        self.steps.iter().map(timed).collect()
    }

    /// Returns the name of the innermost open step.
    pub fn current_step(&self) -> Option<&str> {
        self.steps.get(*self.open.last()?).map(|step| step.name.as_str())
    }

    /// Takes one of several effects of the call under way; they stand in place of the call itself.
    pub(super) fn part(&mut self, effect: Effected) {
        self.parts.push(effect);
    }

    pub(super) fn record(
        &mut self,
        function: &Function,
        written: &str,
        took: Duration,
        result: &Result<Value>,
    ) -> CallRecord {
        let error = result.as_ref().err();
        if function.effect != Effect::Engine {
            self.calls += 1;
            self.failed_calls += u64::from(error.is_some());
            self.host_time += took;
        }
        if !self.parts.is_empty() {
            self.effects.append(&mut self.parts);
        } else if matches!(function.effect, Effect::Act | Effect::Eval) {
            let outcome = match error {
                None => Outcome::Done,
                Some(error) => outcome_of(error),
            };
            let reference = written.split_once("(\"ref_").and_then(|(_, rest)| rest.split_once('"'));
            self.effects.push(Effected {
                call: written.to_owned(),
                reference: reference.map(|(number, _)| format!("ref_{number}")),
                outcome,
                ms: millis(took),
            });
        }
        CallRecord {
            call: function.name.to_owned(),
            written: written.to_owned(),
            ms: took.as_secs_f64() * 1000.0,
            chars: result.as_ref().map_or(0, text_size),
            ok: error.is_none(),
            error: error.map(|error| error.code().to_owned()),
            at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis),
        }
    }
}

/// Says whether an action that ended with this error happened: input is sent only after every check, so all but
/// these errors mean that nothing was done.
pub(super) fn outcome_of(error: &Error) -> Outcome {
    match error.code() {
        "act::unknown" | "page::hung" | "page::crashed" | "browser::gone" | "budget::time" | "browser::protocol" => {
            Outcome::Unknown
        }
        "act::not_kept" | "wait::timeout" => Outcome::Done,
        _ => Outcome::NotDone,
    }
}

/// Returns the number of characters that the script gets to read.
fn text_size(value: &Value) -> usize {
    match value {
        Value::Null => 0,
        Value::String(text) => text.chars().count(),
        other => match super::marks::tree_text(other) {
            Some(text) => text.chars().count(),
            None => other.to_string().chars().count(),
        },
    }
}

/// Writes a call as it stands in records: refs and short texts as they are, long ones cut, what is looked for with its
/// entries, the fields of a form with their names, other maps as `#{…}`.
///
/// What is typed may be a secret, so the texts of acting calls are left out, also of calls that were a mistake:
/// `press(field, password)`. Only keys that have a name are told.
pub fn written(name: &str, args: &[Value]) -> String {
    let is_key = |text: &str| crate::act::keys::parse(text).is_ok();
    let is_typed = |at: usize, value: &Value| match name {
        "type" | "fill" | "select" => at >= 1,
        "press" => (at >= 1 || args.len() == 1) && !value.as_str().is_some_and(is_key),
        "accept" => true,
        // What stands in for an argument of the run may be as secret as the argument.
        "arg" => at >= 1,
        _ => false,
    };
    let argument = |(at, value): (usize, &Value)| match value {
        Value::Object(map) => match map.get("ref").and_then(Value::as_str) {
            Some(reference) if !is_locator(name) || map.contains_key("role") => format!("\"{reference}\""),
            _ if is_locator(name) => entries(map, |key| key != "value"),
            _ if name == "fill" && at == 0 => entries(map, |_| false),
            _ => "#{…}".into(),
        },
        Value::Array(_) => "[…]".into(),
        Value::Null => "()".into(),
        _ if is_typed(at, value) => "…".into(),
        Value::String(text) => short(text),
        other => other.to_string(),
    };
    let args: Vec<String> = args.iter().enumerate().map(argument).collect();
    format!("{name}({})", args.join(", "))
}

fn is_locator(function: &str) -> bool {
    matches!(function, "find" | "find_all" | "wait_for" | "tree_find" | "tree_find_all")
}

/// Writes a map with those values that may be told.
fn entries(map: &Map<String, Value>, is_told: impl Fn(&str) -> bool) -> String {
    let is_word = |key: &str| key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let entry = |(key, value): (&String, &Value)| {
        let value = match value {
            _ if !is_told(key) => "…".into(),
            Value::String(text) => short(text),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => "…".into(),
        };
        let key = if is_word(key) { key.clone() } else { short(key) };
        format!("{key}: {value}")
    };
    format!("#{{{}}}", map.iter().map(entry).collect::<Vec<String>>().join(", "))
}

/// Quotes a text and cuts it where it is long.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return crate::script::own(text);
    }
    let short: String = text.chars().take(LONGEST).collect();
    crate::script::quoted(&format!("{short}…"))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Journal, written};

    #[test]
    fn a_step_that_did_not_end_has_its_time_until_now() {
        let mut journal = Journal::default();
        journal.step_begins("pay");
        let moment = std::time::Duration::from_millis(3);
        let start = std::time::Instant::now();
        while start.elapsed() < moment {
            std::hint::spin_loop();
        }
        let steps = journal.steps();
        assert!(steps.iter().all(|step| step.ok.is_none() && step.ms >= 3), "{steps:?}");
    }

    #[test]
    fn writes_what_is_looked_for() {
        let locator = json!({"role": "link", "name": "Save", "nth": 1, "within": "ref_5"});
        let written_out = "find(#{role: \"link\", name: \"Save\", nth: 1, within: \"ref_5\"})";
        assert_eq!(written("find", &[locator]), written_out);
        assert_eq!(
            written("wait_for", &[json!({"ref": "ref_5", "value": "secret"})]),
            "wait_for(#{ref: \"ref_5\", value: …})"
        );
        assert_eq!(written("find", &[json!("x".repeat(70))]), format!("find(\"{}…\")", "x".repeat(60)));
    }

    #[test]
    fn writes_calls_without_what_was_typed() {
        assert_eq!(written("click", &[json!("ref_3"), json!({"count": 2})]), "click(\"ref_3\", #{…})");
        assert_eq!(written("fill", &[json!("ref_3"), json!("secret")]), "fill(\"ref_3\", …)");
        assert_eq!(written("click", &[json!({"ref": "ref_3", "role": "button"})]), "click(\"ref_3\")");
        assert_eq!(written("select", &[json!("ref_3"), json!("secret")]), "select(\"ref_3\", …)");
        assert_eq!(written("press", &[json!("ref_3"), json!("hunter2")]), "press(\"ref_3\", …)");
        assert_eq!(written("press", &[json!("hunter2")]), "press(…)");
        assert_eq!(written("press", &[json!("ref_3"), json!("Control+A")]), "press(\"ref_3\", \"Control+A\")");
        assert_eq!(written("press", &[json!("Enter")]), "press(\"Enter\")");
        assert_eq!(written("accept", &[json!("secret")]), "accept(…)");
        assert_eq!(written("sleep", &[json!(5)]), "sleep(5)");
        assert_eq!(written("arg", &[json!("key"), json!("secret")]), "arg(\"key\", …)");
        assert_eq!(written("fill", &[json!({"City": "secret", "I agree": true})]), "fill(#{City: …, \"I agree\": …})");
    }
}
