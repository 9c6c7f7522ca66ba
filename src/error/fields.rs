//! What is said of several fields at once: which keys can't be used and why, and where filling stopped.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Error, Nearest, NoOption};
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
        elsewhere: Option<Elsewhere>,
    },
    /// It is an option of the call and not a field.
    Option {
        value: String,
    },
    Ambiguous {
        matches: Vec<Nearest>,
    },
    /// It names one, and the field or the value does not allow it.
    Unusable(Box<Error>),
}

/// Another tab that may have the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    pub tab: String,
    /// Whether it was seen to have it.
    pub is_seen: bool,
}

impl FieldProblem {
    pub fn code(&self) -> &'static str {
        match &self.fault {
            FieldFault::None { .. } => "find::none",
            FieldFault::Option { .. } => "args::option",
            FieldFault::Ambiguous { .. } => "find::ambiguous",
            FieldFault::Unusable(error) => error.code(),
        }
    }

    pub fn message(&self) -> String {
        let key = crate::script::own(&self.key);
        match &self.fault {
            FieldFault::None { elsewhere: Some(Elsewhere { tab, is_seen: true }), .. } => {
                format!("no field of this tab is named {key}, one of `{tab}` is")
            }
            FieldFault::None { .. } => format!("no field is named {key}"),
            FieldFault::Option { .. } => format!("{key} is an option and stands among the fields"),
            FieldFault::Ambiguous { matches } => format!("{} fields are named {key}", matches.len()),
            FieldFault::Unusable(error) => error.to_string(),
        }
    }

    pub fn help(&self) -> String {
        match &self.fault {
            FieldFault::None { elsewhere: Some(Elsewhere { tab, is_seen: true }), .. } => {
                format!("call `tab(\"{tab}\")` first")
            }
            FieldFault::None { nearest, elsewhere } => {
                let step = "name it by its label, placeholder, `name` attribute or ref";
                let step = match elsewhere {
                    Some(Elsewhere { tab, .. }) => {
                        format!("{step}; if it stands in another tab, call `tab(\"{tab}\")` first")
                    }
                    None => step.to_owned(),
                };
                super::help::with_refs(&step, "fields of the page:", nearest)
            }
            FieldFault::Option { value } => {
                format!("write options behind the fields: `fill(#{{…}}, #{{{}: {value}}})`", self.key)
            }
            FieldFault::Ambiguous { matches } => {
                super::help::with_refs("use the ref of the one you mean as the key", "in page order:", matches)
            }
            FieldFault::Unusable(error) => error.help(),
        }
    }

    /// Returns what is wrong with the key, or its value, in a few words.
    pub fn label(&self) -> String {
        match &self.fault {
            FieldFault::None { .. } => "no field has this name".into(),
            FieldFault::Ambiguous { matches } => format!("{} fields have this name", matches.len()),
            FieldFault::Option { .. } => "this is an option".into(),
            FieldFault::Unusable(error) => match &**error {
                Error::ArgsValue { expected, .. } | Error::ArgsType { expected, .. } => format!("expected {expected}"),
                Error::ActNoOption { reason: NoOption::Missing, .. } => "no such option".into(),
                Error::ActNoOption { reason: NoOption::Disabled, .. } => "this option is disabled".into(),
                Error::ActNoOption { reason: NoOption::Ambiguous, .. } => "several options read like this".into(),
                Error::ActDisabled { .. } => "this field is disabled".into(),
                Error::ActReadonly { .. } => "this field is read-only".into(),
                Error::ActNotTypable { kind, .. } => format!("this is {kind}"),
                other => other.code().into(),
            },
        }
    }

    pub fn nearest(&self) -> &[Nearest] {
        match &self.fault {
            FieldFault::None { nearest, .. } | FieldFault::Ambiguous { matches: nearest } => nearest,
            FieldFault::Option { .. } => &[],
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

/// Returns the error of the only problem.
pub(super) fn only(problems: &[FieldProblem]) -> Option<&Error> {
    match problems {
        [FieldProblem { fault: FieldFault::Unusable(error), .. }] => Some(error),
        _ => None,
    }
}

/// Writes the problems, and the facts of the only one beside them.
pub(super) fn problems<S: Serializer>(problems: &[FieldProblem], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = only(problems).map(Error::facts).unwrap_or_default();
    map.insert("problems".into(), serde_json::to_value(problems).unwrap_or(Value::Null));
    map.remove("waited_ms");
    map.serialize(serializer)
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
