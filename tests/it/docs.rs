//! What the README shows is true: its commands exist, its scripts parse, its example runs.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process::Running;
use crate::stage::pageboy;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("README.md")
}

/// Returns the fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(named)) => open = Some(if named.trim() == language { String::new() } else { "\0".into() }),
            (Some(_), Some(_)) => found.extend(open.take().filter(|block| !block.starts_with('\0'))),
            (Some(block), None) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

#[test]
fn every_script_of_the_readme_parses() {
    let scripts = blocks(&readme(), "rhai");
    assert!(!scripts.is_empty(), "the README shows a script");
    let engine = rhai::Engine::new_raw();
    for script in scripts {
        engine.compile(&script).unwrap_or_else(|error| panic!("{error}\n{script}"));
    }
}

#[test]
fn every_command_of_the_readme_exists() {
    let shell = ["sh", "console", "bash"].iter().flat_map(|language| blocks(&readme(), language)).collect::<String>();
    let commands = shell.lines().filter_map(|line| {
        let line = line.trim_start_matches("$ ");
        let ours = line.strip_prefix("pageboy ").or_else(|| line.split_once(" -- ").map(|(_, ours)| ours))?;
        Some(ours.split(' ').next().unwrap_or_default().to_owned())
    });
    let commands: Vec<_> = commands.collect();
    assert!(commands.contains(&"demo".to_owned()) && commands.contains(&"browser".to_owned()), "{commands:?}");
    for command in commands {
        let ended = Running::start(pageboy().args([&command, "--help"])).end_within(Duration::from_secs(20));
        assert_eq!(ended.exit(), 0, "pageboy {command} --help: {}", ended.stderr);
    }
}

#[test]
fn the_tests_are_run_as_the_readme_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ci = std::fs::read_to_string(root.join(".ci/run")).expect(".ci/run");
    let command = ci.lines().find(|line| line.contains("cargo test")).expect("a test command");
    assert!(readme().contains(command), "the README does not name `{command}`");
}

#[test]
fn the_embedding_example_runs() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--example", "embed"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    // The profile that is built already.
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let ended = Running::start(&mut command).end_within(Duration::from_mins(4));
    assert_eq!(ended.exit(), 0, "{}\n{}", ended.stdout, ended.stderr);
}
