//! What came of a run: the outcome object of `--json`, the exit code, what stood on stderr.

use std::fmt;

use serde_json::Value;

use crate::line::Line;
use crate::process::Ended;

/// The outcome of a run with `--json`.
#[derive(Debug)]
pub struct Outcome {
    script: String,
    json: Value,
    ended: Ended,
}

impl Outcome {
    /// Reads stdout, which must be one JSON object and nothing else.
    #[track_caller]
    pub fn read(script: String, ended: Ended) -> Self {
        let json = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| {
            panic!(
                "stdout is not one JSON object: {error}\n--- stdout\n{}\n--- stderr\n{}\n--- exit {}\n{}",
                ended.stdout,
                ended.stderr,
                ended.exit(),
                numbered(&script)
            )
        });
        Self { script, json, ended }
    }

    pub fn json(&self) -> &Value {
        &self.json
    }

    pub fn is_ok(&self) -> bool {
        self.json["ok"] == true
    }

    pub fn value(&self) -> &Value {
        &self.json["value"]
    }

    /// Returns a string value.
    #[track_caller]
    pub fn text(&self) -> &str {
        self.value().as_str().unwrap_or_else(|| panic!("the value is no string:\n{self}"))
    }

    /// Returns the lines of a value that is the text of a tree.
    #[track_caller]
    pub fn lines(&self) -> Vec<Line> {
        Line::read_all(self.text())
    }

    /// Returns what the script handed out with `emit`.
    #[track_caller]
    pub fn rows(&self) -> &[Value] {
        self.json["rows"].as_array().unwrap_or_else(|| panic!("`rows` is no array:\n{self}"))
    }

    #[track_caller]
    pub fn printed(&self) -> &str {
        self.json["printed"].as_str().unwrap_or_else(|| panic!("`printed` is no string:\n{self}"))
    }

    /// Returns the error object.
    pub fn error(&self) -> Option<&Value> {
        Some(&self.json["error"]).filter(|error| !error.is_null())
    }

    pub fn code(&self) -> Option<&str> {
        self.json["error"]["code"].as_str()
    }

    pub fn message(&self) -> &str {
        self.json["error"]["message"].as_str().unwrap_or_default()
    }

    pub fn help(&self) -> &str {
        self.json["error"]["help"].as_str().unwrap_or_default()
    }

    /// Returns a fact of the error, such as `cause`.
    pub fn fact(&self, name: &str) -> &Value {
        &self.json["error"][name]
    }

    /// Returns the part of the script that the error underlines, from the positions that the outcome gives.
    #[track_caller]
    pub fn underlined(&self) -> String {
        let at = |name: &str| {
            let number = self.json["error"][name].as_u64().unwrap_or_else(|| panic!("no `{name}`:\n{self}"));
            usize::try_from(number).expect("a small number")
        };
        let (line, column, end_line, end_column) = (at("line"), at("column"), at("end_line"), at("end_column"));
        let rows: Vec<&str> = self.script.lines().collect();
        assert!(line >= 1 && line <= end_line && end_line <= rows.len(), "lines outside of the script:\n{self}");
        let mut out = Vec::new();
        for (number, row) in (line..=end_line).zip(&rows[line - 1..end_line]) {
            let from = if number == line { column - 1 } else { 0 };
            let to = if number == end_line { end_column - 1 } else { row.chars().count() };
            out.push(row.chars().skip(from).take(to.saturating_sub(from)).collect::<String>());
        }
        out.join("\n")
    }

    /// Returns the nearest refs as `role "name"`, best first.
    pub fn nearest(&self) -> Vec<String> {
        let list = self.json["error"]["nearest"].as_array().map_or(&[][..], Vec::as_slice);
        let text = |near: &Value, key: &str| near[key].as_str().unwrap_or_default().to_owned();
        list.iter().map(|near| format!("{} {:?}", text(near, "role"), text(near, "name"))).collect()
    }

    pub fn exit(&self) -> i32 {
        self.ended.exit()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string_pretty(&self.json).unwrap_or_default();
        write!(
            formatter,
            "--- outcome\n{json}\n--- stderr\n{}\n--- exit {}\n--- script\n{}",
            self.ended.stderr,
            self.ended.exit(),
            numbered(&self.script)
        )
    }
}

fn numbered(script: &str) -> String {
    script.lines().zip(1..).map(|(line, number)| format!("{number:>3} {line}\n")).collect()
}
