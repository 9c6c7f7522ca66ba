//! What ended a script, as the worker tells it. The parent turns it into an [`Error`].

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Why a run ended, in the worker's terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A host call failed; the parent knows the error by this number.
    Host {
        id: u64,
    },
    /// The parent asked the worker to stop.
    Cancelled,
    Parse {
        problem: String,
        hint: Option<String>,
    },
    UnknownFunction {
        function: String,
        suggestion: Option<String>,
        takes: Option<String>,
        hint: Option<String>,
    },
    ArgsCount {
        function: String,
        found: usize,
        takes: String,
        hint: Option<String>,
    },
    ArgsType {
        function: String,
        parameter: String,
        found: String,
        expected: String,
        takes: String,
        hint: Option<String>,
    },
    ArgsValue {
        function: String,
        parameter: String,
        found: String,
        expected: String,
    },
    ArgsOption {
        function: String,
        option: String,
        suggestion: Option<String>,
        known: Vec<String>,
    },
    RoleUnknown {
        role: String,
        suggestion: Option<String>,
    },
    /// A literal text that can be no ref.
    RefUnknown {
        reference: String,
        instead: Option<String>,
    },
    /// The script threw a value or broke a rule of the language.
    Script {
        problem: String,
        hint: Option<String>,
    },
    Limit {
        limit: String,
        problem: String,
    },
    /// The time of a `within` was up.
    Within {
        limit_ms: u64,
    },
}

impl Fault {
    /// Returns the error; `None` where only the parent knows it (`Host`, `Cancelled`).
    pub fn error(&self) -> Option<Error> {
        Some(match self.clone() {
            Self::Host { .. } | Self::Cancelled => return None,
            Self::Parse { problem, hint } => Error::ScriptParse { problem, hint },
            Self::UnknownFunction { function, suggestion, takes, hint } => {
                Error::ScriptUnknownFunction { function, suggestion, takes, hint }
            }
            Self::ArgsCount { function, found, takes, hint } => Error::ArgsCount { function, found, takes, hint },
            Self::ArgsType { function, parameter, found, expected, takes, hint } => {
                Error::ArgsType { function, parameter, found, expected, takes, hint }
            }
            Self::ArgsValue { function, parameter, found, expected } => {
                Error::ArgsValue { function, parameter, found, expected }
            }
            Self::ArgsOption { function, option, suggestion, known } => {
                Error::ArgsOption { function, option, suggestion, known }
            }
            Self::RoleUnknown { role, suggestion } => Error::RoleUnknown { role, suggestion },
            Self::RefUnknown { reference, instead } => Error::RefUnknown { reference, instead, nearest: Vec::new() },
            Self::Script { problem, hint } => Error::ScriptError { problem, hint },
            Self::Limit { limit, problem } => Error::ScriptLimit { limit, problem },
            Self::Within { limit_ms } => Error::BudgetTime { layer: "this `within`".into(), limit_ms, during: None },
        })
    }

    /// Returns the fault for a word that a closed list does not have.
    pub fn of_word(error: Error) -> Option<Self> {
        match error {
            Error::RoleUnknown { role, suggestion } => Some(Self::RoleUnknown { role, suggestion }),
            Error::ArgsValue { function, parameter, found, expected } => {
                Some(Self::ArgsValue { function, parameter, found, expected })
            }
            _ => None,
        }
    }

    /// Returns a fault of a script that can't start, with the next step.
    pub fn parse(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Parse { problem: problem.into(), hint: Some(hint.into()) }
    }

    /// Returns a fault of the language without a hint.
    pub fn script(problem: impl Into<String>) -> Self {
        Self::Script { problem: problem.into(), hint: None }
    }

    /// Returns a fault of the language with the next step.
    pub fn hinted(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Script { problem: problem.into(), hint: Some(hint.into()) }
    }
}
