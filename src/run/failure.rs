//! An error of a run with its place in the scripts.

use serde_json::{Map, Value, json};

use super::modules::Scripts;
use crate::error::{Error, StaleCause};
use crate::lang::protocol::StackFrame;
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
    /// The failing line as it should be, where the worker knows it.
    pub fix: Option<String>,
    /// All that is wrong with a script that could not start, this fault first.
    pub findings: Vec<Self>,
    /// Whether it keeps no script from running: it most likely does something else than was meant.
    pub is_doubt: bool,
}

impl Failure {
    /// Returns a failure without a place.
    pub fn nowhere(error: Error) -> Self {
        Self { error, site: None, argument: None, stack: Vec::new(), fix: None, findings: Vec::new(), is_doubt: false }
    }

    /// Returns the first of the faults of a script that can't start, with all of them.
    pub fn of_findings(findings: Vec<Self>) -> Self {
        match findings.first().cloned() {
            Some(first) => Self { findings, ..first },
            None => Self::nowhere(Error::InternalBug { problem: "a script was refused without a reason".into() }),
        }
    }

    /// Returns the failure as it stands in the outcome. Every key is always there.
    pub fn to_json(&self, scripts: &Scripts) -> Map<String, Value> {
        let mut map = self.error.to_map();
        map.extend(self.place_to_json(scripts));
        map.insert("stack".into(), json!(self.stack));
        map.insert("nearest".into(), json!(self.error.nearest()));
        let findings: Vec<_> = self.findings.iter().map(|finding| finding.finding_to_json(scripts)).collect();
        map.insert("findings".into(), json!(findings));
        map
    }

    /// Returns place, message and help as one line.
    pub fn in_one_line(&self) -> String {
        let place = self.site.as_ref().map(|site| format!("{}:{}:{} ", site.script, site.line, site.column));
        format!("{}{} ({})", place.unwrap_or_default(), self.error, self.error.help().replace('\n', " "))
    }

    /// Returns a fault of a script that could not start. Every key is always there.
    pub fn finding_to_json(&self, scripts: &Scripts) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("severity".into(), if self.is_doubt { "note" } else { "error" }.into());
        map.insert("code".into(), self.error.code().into());
        map.insert("message".into(), self.error.to_string().into());
        map.insert("help".into(), self.error.help().into());
        map.extend(self.place_to_json(scripts));
        map
    }

    fn place_to_json(&self, scripts: &Scripts) -> Map<String, Value> {
        let mut map = Map::new();
        let site = self.site.as_ref();
        let script = site.and_then(|site| scripts.get(&site.script));
        let excerpt = site.zip(script).map(|(site, script)| script.line(site.line).trim_end().to_owned());
        map.insert("script".into(), json!(site.map(|site| &site.script)));
        map.insert("line".into(), json!(site.map(|site| site.line)));
        map.insert("column".into(), json!(site.map(|site| site.column)));
        map.insert("end_line".into(), json!(site.map(|site| site.end_line)));
        map.insert("end_column".into(), json!(site.map(|site| site.end_column)));
        map.insert("excerpt".into(), json!(excerpt));
        map.insert("fix".into(), json!(script.and_then(|script| self.fix(script))));
        map
    }

    /// Returns the failing line as it should be, where that is certain.
    fn fix(&self, script: &Script) -> Option<String> {
        if self.fix.is_some() {
            return self.fix.clone();
        }
        match &self.error {
            Error::ScriptUnknownFunction { function, suggestion: Some(suggestion), .. } => {
                // Of `forms::fill` only the name behind the colons is marked.
                let name = |path: &str| path.rsplit("::").next().unwrap_or(path).to_owned();
                replace(script, self.site.as_ref()?, &name(function), &name(suggestion))
            }
            Error::ArgsOption { option: wrong, suggestion: Some(suggestion), .. }
            | Error::RoleUnknown { role: wrong, suggestion: Some(suggestion) } => {
                replace(script, self.argument.as_ref().or(self.site.as_ref())?, wrong, suggestion)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixes_the_line_where_that_is_certain() {
        let script = Script::from_text("a", "  clik(\"clik\"); // clik");
        let site = Site { script: "a".into(), line: 1, column: 3, end_line: 1, end_column: 15 };
        let error = Error::ScriptUnknownFunction {
            function: "clik".into(),
            suggestion: Some("click".into()),
            takes: None,
            hint: None,
        };
        let failure = Failure { site: Some(site), ..Failure::nowhere(error) };
        assert_eq!(failure.fix(&script).as_deref(), Some("click(\"clik\"); // clik"));
    }
}
