//! A case of `tests/cases`: its description and the one Rhai script that its path becomes. What the script
//! hands out with `emit` is judged afterwards, in `judge.rs`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::site;

/// The description of a case, `case.json`, as far as a machine needs it.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub goal: String,
    start: String,
    pub limits: Option<Limits>,
    pub path: Vec<Step>,
    pub expect: Expect,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub max_seconds: u64,
}

/// One verb of a path with what it needs.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Step {
    Tree {
        fails: Option<Codes>,
    },
    Bind(Bind),
    Click {
        on: Option<Target>,
        r#ref: Option<String>,
        fails: Option<Codes>,
        may_fail: Option<Codes>,
    },
    Type {
        on: Option<Target>,
        r#ref: Option<String>,
        text: String,
        fails: Option<Codes>,
    },
    Fill {
        on: Option<Target>,
        r#ref: Option<String>,
        value: Value,
        fails: Option<Codes>,
    },
    Wait {
        js: Option<String>,
        ms: u32,
    },
    Goto {
        url: String,
        fails: Option<Codes>,
        may_fail: Option<Codes>,
    },
    Dialog {
        accept: bool,
        text: Option<String>,
        #[serde(default)]
        optional: bool,
    },
    Tab {
        r#match: String,
    },
    Check(Expect),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bind {
    r#ref: String,
    role: String,
    name: String,
    under: Option<Target>,
    frame: Option<String>,
}

/// What an element is known by.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Target {
    role: Option<String>,
    name: Option<String>,
    text: Option<String>,
    css: Option<String>,
    under: Option<Box<Self>>,
}

/// What must hold, at a `check` or at the end.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    js: Option<String>,
    pub error_code: Option<String>,
    pub tree_contains: Vec<String>,
    pub tree_lacks: Vec<String>,
    pub tree_count: std::collections::BTreeMap<String, usize>,
    pub tree_order: Vec<String>,
    pub tree_text_contains: Vec<String>,
    pub tree_text_lacks: Vec<String>,
}

/// One error code or several, any of which will do.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Codes {
    One(String),
    Several(Vec<String>),
}

/// Functions that every translated path may use. A page that navigates may fail an evaluation; then the next
/// round asks again.
const PRELUDE: &str = r#"
fn wait_until(code, ms) {
    let last = "it stayed false";
    for round in 0..(ms / 50) {
        try { if eval_js(code) { return; } } catch (e) { last = error_of(e).message; }
        sleep(50);
    }
    fail("not so within " + ms + " ms: " + code + " (" + last + ")");
}
fn tab_with(part) {
    for round in 0..100 {
        for open in tabs() { if open.url.contains(part) { return open.tab; } }
        sleep(50);
    }
    fail("no tab with " + part);
}
fn frame_with(part) {
    for inner in frames() { if inner.url.contains(part) { return inner.frame; } }
    fail("no frame with " + part);
}
"#;

impl Case {
    #[track_caller]
    pub fn read(id: &str) -> Self {
        let path = folder().join(id).join("case.json");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let case: Self = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(case.id, id, "a case is named after its folder");
        case
    }

    fn url(&self, page: &str) -> String {
        if page.contains("://") { page.to_owned() } else { site::url(&format!("/{}/{page}", self.id)) }
    }

    /// Translates the path. Each row of the script is `#{step, …}`; the last one, `#{step: "end", …}`.
    pub fn script(&self) -> String {
        let mut script = format!("// {}\n{PRELUDE}\nopen({});\n", self.goal, literal(&self.url(&self.start)));
        for (number, step) in self.path.iter().enumerate() {
            let (setting, call) = self.call(step);
            if let Some(setting) = setting {
                let _ = writeln!(script, "let target_{number} = {setting};");
            }
            let call = call.replace("TARGET", &format!("target_{number}")).replace("STEP", &number.to_string());
            match step.outcomes() {
                None => {
                    let _ = writeln!(script, "{call}");
                }
                Some(_) => {
                    let _ = writeln!(
                        script,
                        "let caught_{number} = ();\n\
                         try {{ {call} }} catch (e) {{ caught_{number} = error_of(e); }}\n\
                         emit(#{{step: {number}, caught: caught_{number}}});"
                    );
                }
            }
        }
        script.push_str(&self.expect.row("\"end\""));
        script
    }

    /// Returns what must be looked up first, and the call itself, in which `TARGET` stands for it.
    fn call(&self, step: &Step) -> (Option<String>, String) {
        let place = |on: &Option<Target>, reference: &Option<String>| match (on, reference) {
            (Some(target), None) => (Some(target.locator()), "TARGET".to_owned()),
            (None, Some(name)) => (None, variable(name)),
            _ => panic!("{}: a step names its element by `on` or `ref`", self.id),
        };
        match step {
            Step::Tree { .. } => (None, "tree();".into()),
            Step::Bind(bind) => (None, format!("let {} = {};", variable(&bind.r#ref), bind.locator())),
            Step::Click { on, r#ref, .. } => {
                let (setting, place) = place(on, r#ref);
                (setting, format!("click({place});"))
            }
            Step::Type { on, r#ref, text, .. } => {
                let (setting, place) = place(on, r#ref);
                (setting, format!("type({place}, {});", literal(text)))
            }
            Step::Fill { on, r#ref, value, .. } => {
                let (setting, place) = place(on, r#ref);
                match value {
                    Value::String(text) => (setting, format!("fill({place}, {});", literal(text))),
                    Value::Array(options) => {
                        let options: Vec<_> = options.iter().filter_map(Value::as_str).map(literal).collect();
                        (setting, format!("select({place}, [{}]);", options.join(", ")))
                    }
                    other => panic!("{}: no text and no list: {other}", self.id),
                }
            }
            Step::Wait { js: Some(code), ms } => (None, format!("wait_until({}, {ms});", truth(code))),
            Step::Wait { js: None, ms } => (None, format!("sleep({ms});")),
            Step::Goto { url, .. } => (None, format!("open({});", literal(&self.url(url)))),
            Step::Dialog { accept, text, optional } => {
                let answer = match (accept, text) {
                    (true, Some(text)) => format!("accept({});", literal(text)),
                    (true, None) => "accept();".into(),
                    (false, _) => "dismiss();".into(),
                };
                (None, if *optional { format!("if dialog() != () {{ {answer} }}") } else { answer })
            }
            Step::Tab { r#match } => (None, format!("tab(tab_with({}));", literal(r#match))),
            Step::Check(expect) => (None, expect.row("STEP")),
        }
    }
}

impl Step {
    /// Returns the codes that this step may end with, and whether it must.
    pub fn outcomes(&self) -> Option<(&Codes, bool)> {
        let (fails, may_fail) = match self {
            Self::Tree { fails } | Self::Type { fails, .. } | Self::Fill { fails, .. } => (fails, &None),
            Self::Click { fails, may_fail, .. } | Self::Goto { fails, may_fail, .. } => (fails, may_fail),
            _ => return None,
        };
        fails.as_ref().map(|codes| (codes, true)).or_else(|| may_fail.as_ref().map(|codes| (codes, false)))
    }
}

impl Bind {
    fn locator(&self) -> String {
        let mut options = format!("role: {}, name: {}", literal(&self.role), literal(&self.name));
        if let Some(under) = &self.under {
            let _ = write!(options, ", within: {}", under.locator());
        }
        if let Some(frame) = &self.frame {
            let _ = write!(options, ", frame: frame_with({})", literal(frame));
        }
        format!("find(#{{{options}}})")
    }
}

impl Target {
    fn locator(&self) -> String {
        if let Some(css) = &self.css {
            return format!("query({})[0]", literal(css));
        }
        if let (Some(role), Some(name), None, None) = (&self.role, &self.name, &self.text, &self.under) {
            return format!("find({}, {})", literal(role), literal(name));
        }
        let texts = [("role", &self.role), ("name", &self.name), ("text", &self.text)];
        let mut options: Vec<_> =
            texts.iter().filter_map(|(key, text)| Some(format!("{key}: {}", literal(text.as_deref()?)))).collect();
        options.extend(self.under.as_ref().map(|under| format!("within: {}", under.locator())));
        format!("find(#{{{}}})", options.join(", "))
    }
}

impl Expect {
    pub fn needs_tree(&self) -> bool {
        let Self { tree_contains, tree_lacks, tree_count, tree_order, tree_text_contains, tree_text_lacks, .. } = self;
        let lists = [tree_contains, tree_lacks, tree_order, tree_text_contains, tree_text_lacks];
        !tree_count.is_empty() || lists.iter().any(|list| !list.is_empty())
    }

    /// Returns the call that hands out what is needed to judge this expectation.
    fn row(&self, step: &str) -> String {
        let mut row = format!("emit(#{{step: {step}");
        if let Some(code) = &self.js {
            let _ = write!(row, ", js: eval_js({})", truth(code));
        }
        if self.needs_tree() {
            row.push_str(", tree: tree().text");
        }
        row.push_str("});");
        row
    }
}

impl Codes {
    /// Returns the codes of today: those of the case files are older.
    pub fn today(&self) -> Vec<&str> {
        match self {
            Self::One(code) => today(code),
            Self::Several(codes) => codes.iter().flat_map(|code| today(code)).collect(),
        }
    }
}

fn today(code: &str) -> Vec<&str> {
    match code {
        "ref::stale" => vec!["ref::stale", "ref::changed"],
        "input::not_typable" => vec!["act::not_typable", "act::readonly", "act::disabled"],
        "input::rejected" => vec!["act::not_kept"],
        "target::obscured" => vec!["act::covered"],
        "target::disabled" => vec!["act::disabled"],
        "target::not_visible" => vec!["act::hidden"],
        "select::no_option" => vec!["act::no_option"],
        "select::ambiguous" => vec!["find::ambiguous", "act::no_option"],
        _ => vec![code],
    }
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// A name that no keyword of Rhai can be.
fn variable(name: &str) -> String {
    format!("bound_{name}")
}

/// JavaScript that gives `true` or `false`, as a Rhai string.
fn truth(code: &str) -> String {
    literal(&format!("!!({code})"))
}

/// A Rhai string literal.
pub fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[test]
fn every_path_becomes_a_script_that_parses() {
    let engine = rhai::Engine::new_raw();
    for entry in std::fs::read_dir(folder()).expect("the cases").flatten().filter(|entry| entry.path().is_dir()) {
        let id = entry.file_name().to_string_lossy().into_owned();
        let script = Case::read(&id).script();
        engine.compile(&script).unwrap_or_else(|error| panic!("{id}: {error}\n{script}"));
    }
}

#[test]
fn a_literal_says_what_was_meant() {
    let engine = rhai::Engine::new_raw();
    for text in ["a \"b\" \\ c", "two\nlines\t", "Café 👩🏽‍🚀 שלום", "${x} `y`"] {
        assert_eq!(engine.eval::<String>(&literal(text)).expect("a string"), text);
    }
}
