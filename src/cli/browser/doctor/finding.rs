//! What a check found, and how people read it.

use std::fmt;

use serde::Serialize;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Ok,
    /// Worth knowing; scripts run nevertheless.
    Note,
    /// Scripts can't run, or go wrong.
    Problem,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at, such as `version`.
    pub check: &'static str,
    pub level: Level,
    pub message: String,
    /// What to do about it, a line for each step or choice.
    pub mend: Option<String>,
}

impl Finding {
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, message: message.into(), mend: None }
    }

    pub fn note(check: &'static str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { check, level: Level::Note, message: message.into(), mend: Some(mend.into()) }
    }

    pub fn problem(check: &'static str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { check, level: Level::Problem, message: message.into(), mend: Some(mend.into()) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Ok => "ok",
            Level::Note => "note",
            Level::Problem => "problem",
        };
        write!(f, "{level:<8} {:<17} {}", self.check, self.message)?;
        for line in self.mend.iter().flat_map(|mend| mend.lines()) {
            write!(f, "\n{:26} → {line}", "")?;
        }
        Ok(())
    }
}

/// Everything that was found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Whether nothing hinders.
    pub ok: bool,
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn new(findings: Vec<Finding>) -> Self {
        Self { ok: findings.iter().all(|finding| finding.level != Level::Problem), findings }
    }

    /// Says in one line how it stands.
    pub fn summary(&self) -> String {
        let count = |level| self.findings.iter().filter(|finding| finding.level == level).count();
        let words = |number: usize, word: &str| match number {
            1 => format!("1 {word}"),
            number => format!("{number} {word}s"),
        };
        match (count(Level::Problem), count(Level::Note)) {
            (0, 0) => "Scripts can run here.".into(),
            (0, notes) => format!("Scripts can run here; {}.", words(notes, "note")),
            (problems, _) => format!("Scripts can't run here as they should: {}.", words(problems, "problem")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_line_with_its_mend_below() {
        let finding = Finding::problem("fonts", "none", "install some\nor others");
        assert_eq!(
            finding.to_string(),
            "problem  fonts             none\n                           → install some\n                           → or others"
        );
    }

    #[test]
    fn only_problems_hinder() {
        let note = Report::new(vec![Finding::ok("a", "x"), Finding::note("b", "y", "z")]);
        assert_eq!((note.ok, note.summary().as_str()), (true, "Scripts can run here; 1 note."));
        let problem = Report::new(vec![Finding::problem("a", "x", "y"), Finding::problem("b", "x", "y")]);
        assert_eq!((problem.ok, problem.summary().contains("2 problems")), (false, true));
        assert!(Report::new(Vec::new()).ok);
    }

    #[test]
    fn every_key_is_in_the_json() {
        let json = serde_json::to_string(&Report::new(vec![Finding::ok("a", "x")])).unwrap();
        assert_eq!(json, r#"{"ok":true,"findings":[{"check":"a","level":"ok","message":"x","mend":null}]}"#);
    }
}
