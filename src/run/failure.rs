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
        let findings = Self::findings_to_json(&self.findings, scripts);
        // The first of them is this failure.
        if let Some(fix) = findings.first().and_then(|first| first.get("fix")) {
            map.insert("fix".into(), fix.clone());
        }
        map.insert("findings".into(), json!(findings));
        map
    }

    /// Returns place, message and help as one line.
    pub fn in_one_line(&self) -> String {
        let place = self.site.as_ref().map(|site| format!("{}:{}:{} ", site.script, site.line, site.column));
        format!("{}{} ({})", place.unwrap_or_default(), self.error, self.error.help().replace('\n', " "))
    }

    /// Returns the faults of a script that could not start. What is certain of several on one line is mended in the
    /// `fix` of each of them.
    pub fn findings_to_json(findings: &[Self], scripts: &Scripts) -> Vec<Map<String, Value>> {
        let mut maps: Vec<_> = findings.iter().map(|finding| finding.finding_to_json(scripts)).collect();
        let line = |finding: &Self| finding.site.as_ref().map(|site| (site.script.clone(), site.line));
        let edits: Vec<_> = maps.iter().map(edit).collect();
        for (finding, map) in findings.iter().zip(&mut maps) {
            let on_line = findings.iter().zip(&edits).filter(|(other, _)| line(other) == line(finding));
            let together: Vec<Edit> = on_line.filter_map(|(_, edit)| edit.clone()).collect();
            let excerpt = map.get("excerpt").and_then(Value::as_str).unwrap_or_default().trim();
            if map.get("fix").is_some_and(Value::is_string)
                && let Some(fix) = applied(excerpt, together)
            {
                map.insert("fix".into(), fix.into());
            }
        }
        maps
    }

    /// Returns a fault of a script that could not start. Every key is always there.
    fn finding_to_json(&self, scripts: &Scripts) -> Map<String, Value> {
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

/// What a fix puts in place of some bytes of its line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Edit {
    start: usize,
    end: usize,
    instead: String,
}

/// Returns the one place in which a fix differs from its line.
fn edit(finding: &Map<String, Value>) -> Option<Edit> {
    let text = |key: &str| finding.get(key).and_then(Value::as_str).map(str::trim);
    let (line, fix) = (text("excerpt")?, text("fix")?);
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum::<usize>()
    };
    let start = same(&mut line.chars().zip(fix.chars()));
    let (rest, fixed) = (line.get(start..)?, fix.get(start..)?);
    let tail = same(&mut rest.chars().rev().zip(fixed.chars().rev()));
    let instead = fixed.get(..fixed.len() - tail)?.to_owned();
    Some(Edit { start, end: line.len() - tail, instead })
}

/// Returns a line with all edits; `None` where they concern the same place in different ways.
fn applied(line: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort();
    edits.dedup();
    let is_apart = |pair: &[Edit]| matches!(pair, [one, other] if one.end <= other.start && one.start < other.start);
    if !edits.windows(2).all(is_apart) {
        return None;
    }
    let mut fixed = line.to_owned();
    for Edit { start, end, instead } in edits.iter().rev() {
        line.get(*start..*end)?;
        fixed.replace_range(start..end, instead);
    }
    Some(fixed)
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
    fn several_fixes_of_a_line_come_together() {
        let line = "step(\"é\", async () => { await click(r); });";
        let finding = |fix: &str| {
            let map = json!({ "excerpt": format!("  {line}"), "fix": fix });
            map.as_object().and_then(edit).expect("they differ")
        };
        let edits = vec![
            finding("step(\"é\", () => { await click(r); });"),
            finding("step(\"é\", async || { await click(r); });"),
            finding("step(\"é\", async () => { click(r); });"),
        ];
        assert_eq!(applied(line, edits.clone()).as_deref(), Some("step(\"é\", || { click(r); });"));
        let other = Edit { instead: "x".into(), ..edits[0].clone() };
        assert_eq!(applied(line, vec![edits[0].clone(), other]), None);
    }

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
