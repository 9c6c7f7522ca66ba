//! What a run tells while it goes on: printed text, rows, steps and calls. Faces show it, reports keep it.

use serde::Serialize;
use serde_json::Value;

/// Hears what happens in a run, in order.
pub trait Observer: Send {
    /// The script printed a text; a line end is not part of it.
    fn printed(&mut self, _text: &str) {}
    /// The script emitted a row.
    fn row(&mut self, _row: &Value) {}
    fn step(&mut self, _event: &StepEvent) {}
    /// Something that is no error, and yet hardly what the script was meant to do.
    fn notice(&mut self, _text: &str) {}
    fn call(&mut self, _record: &CallRecord) {}
}

/// An observer that wants to hear nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Observer for Silent {}

/// A step began or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepEvent {
    pub name: String,
    /// How many steps contain it.
    pub depth: usize,
    /// `None` when it begins.
    pub ended: Option<StepEnd>,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StepEnd {
    pub ok: bool,
    pub ms: u64,
}

/// One host call, as a line of `--timings`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallRecord {
    pub call: String,
    /// The call with its arguments, short and without what is typed.
    #[serde(skip)]
    pub written: String,
    /// Milliseconds, with fractions.
    pub ms: f64,
    /// Size of the text that was handed to the script, in characters.
    pub chars: usize,
    pub ok: bool,
    /// The error's code.
    pub error: Option<String>,
    /// Milliseconds since 1970 at the end of the call.
    pub at: u64,
}

/// One entry of the effects ledger.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effected {
    pub call: String,
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    pub outcome: Outcome,
    pub ms: u64,
}

/// Whether an action happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Done,
    NotDone,
    Unknown,
}
