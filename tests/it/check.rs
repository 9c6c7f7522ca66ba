//! `pageboy check`, and the same checks before a run: no browser is started for a script that can't run.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::process::{Ended, Running};
use crate::stage::pageboy;

const FAULTY: &str = "import \"lib\" as lib;\nclik(\"ref_1\");\nlet a = 'Save';\nclick(find(\"button\", \"Save\"), #{cout: 2});\n\
    let t = tree();\nlog(nope);\nlib::press_all(1);\n";

const LIBRARY: &str = "fn press_all(list, f) {\n  titel();\n}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("faulty.rhai", FAULTY), ("lib.rhai", LIBRARY), ("good.rhai", "log(title());\n")] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Runs pageboy in a folder, without any browser.
#[track_caller]
fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let mut command = pageboy();
    command.current_dir(folder).args(arguments).env("PAGEBOY_BROWSER", "/nowhere/chromium");
    Running::start(&mut command).end_within(Duration::from_secs(30))
}

#[track_caller]
fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", ended.stdout, ended.stderr))
}

/// Returns place and code of each finding.
fn places(findings: &Value) -> Vec<String> {
    let place = |found: &Value| format!("{}:{}:{} {}", found["script"], found["line"], found["column"], found["code"]);
    findings.as_array().into_iter().flatten().map(|found| place(found).replace('"', "")).collect()
}

const PLACES: [&str; 6] = [
    "faulty.rhai:2:1 script::unknown_function",
    "faulty.rhai:3:9 script::parse",
    "faulty.rhai:4:1 args::option",
    "faulty.rhai:6:5 script::parse",
    "faulty.rhai:7:1 args::count",
    "lib.rhai:2:3 script::unknown_function",
];

#[test]
fn check_tells_all_findings_in_order() {
    let folder = folder();
    let ended = run(folder.path(), &["check", "faulty.rhai"]);
    assert_eq!(ended.exit(), 2, "{}", ended.stderr);
    for part in
        ["did you mean `click(ref)`?", "no such option", "use double quotes: \"Save\"", "lib.rhai:2:3", "6 findings"]
    {
        assert!(ended.stderr.contains(part), "{part}: {}", ended.stderr);
    }
    let ended = run(folder.path(), &["check", "faulty.rhai", "--json"]);
    assert_eq!(ended.exit(), 2);
    let found = json(&ended);
    assert_eq!((&found["ok"], places(&found["findings"])), (&json!(false), PLACES.map(str::to_owned).to_vec()));
    let keys =
        ["severity", "code", "message", "help", "script", "line", "column", "end_line", "end_column", "excerpt", "fix"];
    for finding in found["findings"].as_array().expect("an array") {
        assert_eq!(finding.as_object().expect("an object").len(), keys.len());
        assert!(keys.iter().all(|key| finding.get(key).is_some()), "{finding}");
    }
    assert_eq!(found["findings"][0]["fix"], "click(\"ref_1\");");
    assert_eq!(found["findings"][2]["fix"], "click(find(\"button\", \"Save\"), #{count: 2});");
}

#[test]
fn a_script_in_order_is_ok_also_on_stdin() {
    let folder = folder();
    let ended = run(folder.path(), &["check", "good.rhai"]);
    assert_eq!((ended.exit(), ended.stdout.as_str(), ended.stderr.as_str()), (0, "ok\n", ""));
    let ended = run(folder.path(), &["check", "--json", "good.rhai"]);
    assert_eq!((ended.exit(), json(&ended)), (0, json!({"ok": true, "findings": []})));
    for (file, exit) in [("good.rhai", 0), ("faulty.rhai", 2)] {
        let line = format!("exec {} check - < {file}", env!("CARGO_BIN_EXE_pageboy"));
        let mut shell = std::process::Command::new("/bin/sh");
        shell.current_dir(folder.path()).args(["-c", &line]);
        let ended = Running::start(&mut shell).end_within(Duration::from_secs(30));
        assert_eq!(ended.exit(), exit, "{}{}", ended.stdout, ended.stderr);
    }
    let ended = run(folder.path(), &["check", "none.rhai", "--json"]);
    assert_eq!((ended.exit(), &json(&ended)["findings"][0]["code"]), (6, &json!("script::file")));
}

#[test]
fn what_a_run_only_notes_is_no_reason_to_fail() {
    let folder = folder();
    std::fs::write(folder.path().join("doubt.rhai"), "let v = 1;\nlog(\"v is ${v}\");\n").expect("a file");
    let ended = run(folder.path(), &["check", "doubt.rhai"]);
    assert_eq!((ended.exit(), ended.stdout.as_str()), (0, "ok\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("doubt.rhai:2:5") && ended.stderr.ends_with("1 note\n"), "{}", ended.stderr);
    let ended = run(folder.path(), &["check", "doubt.rhai", "--json"]);
    let found = json(&ended);
    assert_eq!((ended.exit(), &found["ok"]), (0, &json!(true)));
    assert_eq!((&found["findings"][0]["severity"], &found["findings"][0]["line"]), (&json!("note"), &json!(2)));
    std::fs::write(folder.path().join("both.rhai"), "let v = 1;\nlog(\"v is ${v}\");\nclik(v);\n").expect("a file");
    let ended = run(folder.path(), &["check", "both.rhai"]);
    assert_eq!(ended.exit(), 2);
    assert!(ended.stderr.ends_with("1 finding, 1 note\n"), "{}", ended.stderr);
}

#[test]
fn a_run_reads_its_script_from_stdin_as_check_does() {
    let folder = folder();
    for (script, exit, words) in [("click(\"#id\");", 3, "stdin:1:1"), ("", 6, "`stdin` can't be read: it is empty")] {
        let line = format!("printf '%s' '{script}' | {} run -", env!("CARGO_BIN_EXE_pageboy"));
        let mut shell = std::process::Command::new("/bin/sh");
        shell.current_dir(folder.path()).args(["-c", &line]);
        let ended = Running::start(&mut shell).end_within(Duration::from_secs(30));
        assert_eq!(ended.exit(), exit, "{}", ended.stderr);
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
}

#[test]
fn the_scripts_of_the_project_are_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let scripts = std::fs::read_dir(&root).expect("the folder is there").flatten();
    for script in scripts.filter(|entry| entry.path().extension().is_some_and(|end| end == "rhai")) {
        let ended = run(&root, &["check", &script.file_name().to_string_lossy()]);
        assert_eq!(ended.exit(), 0, "{}", ended.stderr);
    }
}

#[test]
fn a_run_tells_all_findings_and_starts_no_browser() {
    let folder = folder();
    // A browser that is not there, and one that does not answer, would be another error.
    for more in [&[][..], &["--connect", "http://127.0.0.1:1"]] {
        let arguments = [&["run", "faulty.rhai", "--json"], more].concat();
        let ended = run(folder.path(), &arguments);
        let outcome = json(&ended);
        assert_eq!((ended.exit(), &outcome["error"]["code"]), (2, &json!("script::unknown_function")), "{outcome}");
        assert_eq!(places(&outcome["error"]["findings"]), PLACES);
        let ended = run(folder.path(), &[&["run", "faulty.rhai"], more].concat());
        assert_eq!(ended.exit(), 2);
        assert!(ended.stderr.contains("faulty.rhai:2:1") && ended.stderr.contains("lib.rhai:2:3"), "{}", ended.stderr);
        let ended = run(folder.path(), &[&["run", "good.rhai", "--json"], more].concat());
        assert_eq!((ended.exit(), &json(&ended)["error"]["findings"]), (5, &json!([])));
    }
}
