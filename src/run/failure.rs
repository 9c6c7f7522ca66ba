//! An error of a run with its place in the scripts.

use serde_json::{Map, Value, json};

use super::modules::Scripts;
use crate::error::{Error, StaleCause};
use crate::host::table;
use crate::lang::protocol::StackFrame;
use crate::lang::rhai::parameters;
use crate::script::{Script, Site};

/// Why a run failed, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub error: Error,
    /// The failing call.
    pub site: Option<Site>,
    /// The argument of the call that is at fault.
    pub argument: Option<Site>,
    /// The calls that led there, innermost first.
    pub stack: Vec<StackFrame>,
}

impl Failure {
    /// Returns a failure without a place.
    pub fn nowhere(error: Error) -> Self {
        Self { error, site: None, argument: None, stack: Vec::new() }
    }

    /// Returns the failure as it stands in the outcome. Every key is always there.
    pub fn to_json(&self, scripts: &Scripts) -> Map<String, Value> {
        let mut map = self.error.to_map();
        let site = self.site.as_ref();
        let script = site.and_then(|site| scripts.get(&site.script));
        let excerpt = site.zip(script).map(|(site, script)| script.line(site.line).trim_end().to_owned());
        map.insert("script".into(), json!(site.map(|site| &site.script)));
        map.insert("line".into(), json!(site.map(|site| site.line)));
        map.insert("column".into(), json!(site.map(|site| site.column)));
        map.insert("end_line".into(), json!(site.map(|site| site.end_line)));
        map.insert("end_column".into(), json!(site.map(|site| site.end_column)));
        map.insert("excerpt".into(), json!(excerpt));
        map.insert("stack".into(), json!(self.stack));
        map.insert("nearest".into(), json!(self.error.nearest()));
        map.insert("fix".into(), json!(script.and_then(|script| self.fix(script))));
        map
    }

    /// Returns the failing line as it should be, where that is certain.
    fn fix(&self, script: &Script) -> Option<String> {
        match &self.error {
            Error::ScriptUnknownFunction { function, suggestion: Some(suggestion), .. } => {
                // Of `forms::fill` only the name behind the colons is marked.
                let name = |path: &str| path.rsplit("::").next().unwrap_or(path).to_owned();
                replace(script, self.site.as_ref()?, &name(function), &name(suggestion))
            }
            Error::ArgsOption { option, suggestion: Some(suggestion), .. } => {
                replace(script, self.site.as_ref()?, option, suggestion)
            }
            Error::RefStale { reference, cause: StaleCause::Replaced, nearest, .. } => {
                let twin = nearest.first()?.reference.to_string();
                replace(script, self.argument.as_ref()?, &reference.to_string(), &twin)
            }
            _ => None,
        }
    }
}

/// Returns the line of the site with one word of the site replaced.
fn replace(script: &Script, site: &Site, old: &str, new: &str) -> Option<String> {
    let line = script.line(site.line);
    let at = script.offset(site.line, site.column) - script.offset(site.line, 1);
    let (head, tail) = line.split_at_checked(at)?;
    tail.contains(old).then(|| format!("{head}{}", tail.replacen(old, new, 1)).trim().to_owned())
}

/// Returns the index of the argument that an error is about. `args` are the values of the call.
pub fn blamed(error: &Error, args: &[Value], count: usize) -> Option<usize> {
    let by_value = |wanted: &str| args.iter().position(|value| names(value, wanted));
    match error {
        Error::RefStale { reference, .. }
        | Error::RefChanged { reference, .. }
        | Error::RefOtherTab { reference, .. }
        | Error::ActHidden { reference, .. }
        | Error::ActDisabled { reference, .. }
        | Error::ActCovered { reference, .. }
        | Error::ActMoving { reference, .. }
        | Error::ActNotTypable { reference, .. }
        | Error::ActReadonly { reference, .. }
        | Error::ListExpected { reference, .. } => by_value(&reference.to_string()),
        Error::FieldsRefused { .. } | Error::FillStopped { .. } => Some(0),
        Error::RefUnknown { reference, .. } => by_value(reference),
        Error::RoleUnknown { role, .. } => by_value(role),
        Error::TabUnknown { tab, .. } => by_value(tab),
        Error::ActNoOption { wanted, .. } => by_value(wanted),
        Error::NavFailed { url, .. } | Error::PolicyOrigin { url, .. } => by_value(url),
        Error::ArgsType { parameter, takes, .. } => {
            parameter_index(takes, parameter).or_else(|| option_index(args, parameter))
        }
        Error::ArgsValue { function, parameter, .. } => table::function(function)
            .and_then(|row| row.signatures.iter().find_map(|signature| parameter_index(signature, parameter)))
            .or_else(|| option_index(args, parameter)),
        Error::ArgsOption { .. } => count.checked_sub(1),
        _ => None,
    }
}

fn parameter_index(takes: &str, parameter: &str) -> Option<usize> {
    takes.split("` or `").find_map(|signature| parameters(signature).iter().position(|name| name == parameter))
}

/// Returns the index of the map that has this key: the options, or the fields of `fill`.
fn option_index(args: &[Value], option: &str) -> Option<usize> {
    args.iter().rposition(|arg| arg.as_object().is_some_and(|map| map.contains_key(option)))
}

/// Returns whether a value is this text, a node of this ref, or holds one, also as a key.
fn names(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(items) => items.iter().any(|item| names(item, wanted)),
        Value::Object(map) => map.iter().any(|(key, value)| key == wanted || names(value, wanted)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Ref;

    #[test]
    fn blames_the_argument() {
        let readonly = Error::ActReadonly { reference: Ref(3), was: String::new() };
        assert_eq!(blamed(&readonly, &[json!("x"), json!({"ref": "ref_3"})], 2), Some(1));
        let kind = |parameter: &str| Error::ArgsType {
            function: "press".into(),
            parameter: parameter.into(),
            found: String::new(),
            expected: String::new(),
            takes: "press(keys)` or `press(ref, keys)".into(),
        };
        assert_eq!(blamed(&kind("ref"), &[], 2), Some(0));
        assert_eq!(blamed(&kind("nothing"), &[], 2), None);
        assert_eq!(blamed(&kind("nothing"), &[json!("x"), json!({"nothing": 1})], 2), Some(1));
    }

    #[test]
    fn fixes_the_line_where_that_is_certain() {
        let script = Script::from_text("a", "  clik(\"clik\"); // clik");
        let site = Site { script: "a".into(), line: 1, column: 3, end_line: 1, end_column: 15 };
        let error =
            Error::ScriptUnknownFunction { function: "clik".into(), suggestion: Some("click".into()), takes: None };
        let failure = Failure { site: Some(site), ..Failure::nowhere(error) };
        assert_eq!(failure.fix(&script).as_deref(), Some("click(\"clik\"); // clik"));
    }
}
