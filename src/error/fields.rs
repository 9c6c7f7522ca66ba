//! What is said of several fields at once: which keys can't be used and why, and where filling stopped.

use serde::{Serialize, Serializer};
use serde_json::json;

use super::{Error, Nearest};
use crate::reference::Ref;

/// A field as the script named it and as the page calls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldName {
    pub key: String,
    pub label: String,
    #[serde(rename = "ref")]
    pub reference: Ref,
}

/// A key of `fill(#{…})` that can't be used.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldProblem {
    pub key: String,
    pub fault: FieldFault,
}

/// Why a key can't be used.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldFault {
    /// It names no field; `nearest` are fields that it may have meant.
    None {
        nearest: Vec<Nearest>,
    },
    Ambiguous {
        matches: Vec<Nearest>,
    },
    /// It names one, and the field or the value does not allow it.
    Unusable(Box<Error>),
}

impl FieldProblem {
    pub fn code(&self) -> &'static str {
        match &self.fault {
            FieldFault::None { .. } => "find::none",
            FieldFault::Ambiguous { .. } => "find::ambiguous",
            FieldFault::Unusable(error) => error.code(),
        }
    }

    pub fn message(&self) -> String {
        let key = crate::script::own(&self.key);
        match &self.fault {
            FieldFault::None { .. } => format!("no field is named {key}"),
            FieldFault::Ambiguous { matches } => format!("{} fields are named {key}", matches.len()),
            FieldFault::Unusable(error) => error.to_string(),
        }
    }

    pub fn help(&self) -> String {
        match &self.fault {
            FieldFault::None { nearest } => super::help::with_refs(
                "name it by its label, placeholder, `name` attribute or ref",
                "fields of the page:",
                nearest,
            ),
            FieldFault::Ambiguous { matches } => {
                super::help::with_refs("use the ref of the one you mean as the key", "in page order:", matches)
            }
            FieldFault::Unusable(error) => error.help(),
        }
    }

    pub fn nearest(&self) -> &[Nearest] {
        match &self.fault {
            FieldFault::None { nearest } | FieldFault::Ambiguous { matches: nearest } => nearest,
            FieldFault::Unusable(error) => error.nearest(),
        }
    }
}

impl Serialize for FieldProblem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "key": self.key,
            "code": self.code(),
            "message": self.message(),
            "help": self.help(),
            "nearest": self.nearest(),
        })
        .serialize(serializer)
    }
}

/// Writes the facts of an error among those of the one around it. By way of a map: serde would unfold the types of
/// nested errors without an end.
pub(super) fn facts<S: Serializer>(error: &Error, serializer: S) -> Result<S::Ok, S::Error> {
    error.facts().serialize(serializer)
}

/// Returns the code of several problems: what is not there counts before what is not clear, and that before the rest.
pub(super) fn code(problems: &[FieldProblem]) -> &'static str {
    let codes = || problems.iter().map(FieldProblem::code);
    let found = ["find::none", "find::ambiguous"].into_iter().find(|wanted| codes().any(|code| code == *wanted));
    found.or_else(|| codes().next()).unwrap_or("find::none")
}

/// Returns the next step for each problem, with its key where there are several.
pub(super) fn help(problems: &[FieldProblem]) -> String {
    match problems {
        [only] => only.help(),
        several => {
            let line = |problem: &FieldProblem| format!("{}: {}", crate::script::own(&problem.key), problem.help());
            several.iter().map(line).collect::<Vec<String>>().join("\n")
        }
    }
}
