//! `pageboy browser doctor` on this machine and with stand-ins for broken browsers; the deadline of a start.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ended, Running, processes_with};
use crate::stage::pageboy;

/// Writes a shell script that stands in for a browser.
fn stand_in(folder: &TempDir, text: &str) -> PathBuf {
    let program = folder.path().join("browser");
    std::fs::write(&program, format!("#!/bin/sh\n{text}\n")).expect("a file");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    program
}

fn doctor(flags: &[&str], browser: Option<&Path>) -> Ended {
    let mut command = pageboy();
    command.args(["browser", "doctor"]).args(flags);
    if let Some(browser) = browser {
        command.env("PAGEBOY_BROWSER", browser);
    }
    Running::start(&mut command).end_within(Duration::from_secs(90))
}

/// Returns the finding of a check.
#[track_caller]
fn finding(ended: &Ended, check: &str) -> Value {
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout));
    let findings = report["findings"].as_array().expect("findings");
    let found = findings.iter().find(|finding| finding["check"] == check);
    found.unwrap_or_else(|| panic!("no `{check}` in {report}")).clone()
}

#[test]
fn nothing_hinders_where_the_tests_run() {
    let ended = doctor(&[], None);
    assert_eq!(ended.exit(), 0, "{}{}", ended.stdout, ended.stderr);
    let lines: Vec<_> = ended.stdout.lines().collect();
    for check in ["browser", "version", "temporary files", "fonts", "start", "leftovers"] {
        assert!(lines.iter().any(|line| line.split_at(9).1.starts_with(check)), "{check}: {}", ended.stdout);
    }
    assert!(ended.stdout.contains(crate::browser::program()), "{}", ended.stdout);
    assert!(ended.stdout.ends_with(".\n") && ended.stdout.contains("Scripts can run here"), "{}", ended.stdout);
    assert!(!ended.stdout.contains('\u{1b}'), "no colors are needed to read it");
}

#[test]
fn an_old_browser_with_a_missing_library_gets_a_mend_for_each() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = stand_in(
        &folder,
        "[ \"$1\" = --version ] && { echo 'Chromium 99.0.4844.51'; exit; }\n\
         echo \"$0: error while loading shared libraries: libnss3.so: cannot open shared object file\" >&2\nexit 127",
    );
    let ended = doctor(&["--json"], Some(&program));
    assert_eq!(ended.exit(), 5, "{}{}", ended.stdout, ended.stderr);
    let version = finding(&ended, "version");
    assert_eq!(version["level"], "problem", "{version}");
    assert!(version["message"].as_str().is_some_and(|message| message.contains("99.0.4844.51")), "{version}");
    let start = finding(&ended, "start");
    assert_eq!(start["level"], "problem", "{start}");
    assert!(start["mend"].as_str().is_some_and(|mend| mend.contains("nss")), "{start}");
    assert_eq!(finding(&ended, "leftovers")["level"], "ok");
}

#[test]
fn a_chosen_browser_that_is_not_there_is_a_problem_with_a_mend() {
    let ended = doctor(&["--json"], Some(Path::new("/nowhere/chromium")));
    assert_eq!(ended.exit(), 5, "{}", ended.stderr);
    let browser = finding(&ended, "browser");
    assert!(browser["message"].as_str().is_some_and(|message| message.contains("/nowhere/chromium")), "{browser}");
    assert!(browser["mend"].as_str().is_some_and(|mend| mend.contains("unset PAGEBOY_BROWSER")), "{browser}");
    assert!(ended.stdout.contains("\"fonts\""), "the rest is looked at nevertheless: {}", ended.stdout);
}

#[test]
fn the_time_of_a_run_bounds_the_start_of_its_browser() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = stand_in(&folder, "exec sleep 3141.59");
    std::fs::write(folder.path().join("s.rhai"), "1").expect("a file");
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", silent.local_addr().expect("its address"));
    for (flags, words) in [(&[][..], "starting the browser"), (&["--connect", &endpoint], "attaching to the browser")] {
        let mut command = pageboy();
        command.current_dir(folder.path()).env("PAGEBOY_BROWSER", &program).env("TMPDIR", folder.path());
        command.args(["run", "s.rhai", "--timeout", "700ms"]).args(flags);
        let began = Instant::now();
        let ended = Running::start(&mut command).end_within(Duration::from_secs(20));
        assert_eq!(ended.exit(), 4, "{}", ended.stderr);
        assert!(ended.stderr.contains("budget::time") && ended.stderr.contains(words), "{}", ended.stderr);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
    assert_eq!(processes_with("3141.59"), Vec::<String>::new());
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 2, "only the script and the stand-in are left");
}

#[test]
fn an_interrupt_while_the_browser_starts_ends_everything_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = stand_in(&folder, ": > \"${0%/*}/started\"\nexec sleep 2718.28");
    std::fs::write(folder.path().join("s.rhai"), "1").expect("a file");
    let mut command = pageboy();
    command.current_dir(folder.path()).env("PAGEBOY_BROWSER", &program).env("TMPDIR", folder.path());
    let running = Running::start(command.args(["run", "s.rhai"]));
    let began = Instant::now();
    while !folder.path().join("started").exists() {
        assert!(began.elapsed() < Duration::from_secs(20), "the stand-in was not started");
        std::thread::sleep(Duration::from_millis(5));
    }
    running.interrupt();
    let interrupted = Instant::now();
    let ended = running.end_within(Duration::from_secs(20));
    assert!(interrupted.elapsed() < Duration::from_secs(2), "{:?}", interrupted.elapsed());
    assert!(ended.stderr.contains("cancelled"), "{}", ended.stderr);
    assert_eq!(processes_with("2718.28"), Vec::<String>::new());
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 3, "no profile is left");
}
