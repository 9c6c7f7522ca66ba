//! The loud harness: a page, a script, and what must come of it.
//!
//! ```text
//! let outcome = Stage::page("form.html").script(r#"find("button", "Save").click()"#).ok();
//! Stage::page("form.html").script(r#"click("ref_99")"#).fails("ref::unknown");
//! ```
//!
//! The page is opened by line 1 of the script; the test's own lines count from 2.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::browser;
use crate::outcome::Outcome;
use crate::process::{Ended, Running, processes_with};
use crate::site;

/// A run of `pageboy run` that is being set up.
#[derive(Debug)]
#[must_use = "nothing runs before `ok`, `fails`, `run` or `rendered`"]
pub struct Stage {
    opening: String,
    script: String,
    flags: Vec<String>,
    whose: Whose,
    may_evaluate: bool,
    alone: bool,
    deadline: Duration,
}

/// Which browser a run uses. This is the one place that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Shared,
    Own,
}

impl Stage {
    /// A run that has opened a file of `tests/pages`, or with a leading slash any path of the site.
    pub fn page(path: &str) -> Self {
        let url = if path.starts_with('/') { site::url(path) } else { site::url(&format!("/pages/{path}")) };
        Self { opening: format!("open(\"{url}\");"), ..Self::blank() }
    }

    /// A run that has opened nothing.
    pub fn blank() -> Self {
        Self {
            opening: String::new(),
            script: String::new(),
            flags: Vec::new(),
            whose: Whose::Shared,
            may_evaluate: true,
            alone: false,
            deadline: Duration::from_secs(75),
        }
    }

    pub fn script(mut self, script: &str) -> Self {
        script.clone_into(&mut self.script);
        self
    }

    pub fn arg(self, name: &str, value: &str) -> Self {
        self.flag("--arg").flag(&format!("{name}={value}"))
    }

    pub fn flag(mut self, flag: &str) -> Self {
        self.flags.push(flag.to_owned());
        self
    }

    /// A browser of its own, for pages that crash or hang and for tests of its start and end.
    pub fn own_browser(mut self) -> Self {
        self.whose = Whose::Own;
        self
    }

    /// Without `--allow-js`.
    pub fn without_js(mut self) -> Self {
        self.may_evaluate = false;
        self
    }

    /// For a test that holds the guard of [`alone`].
    pub fn while_alone(mut self) -> Self {
        self.alone = true;
        self
    }

    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Runs and asserts that the script went through.
    #[track_caller]
    pub fn ok(self) -> Outcome {
        let outcome = self.run();
        assert!(outcome.error().is_none(), "the script failed:\n{outcome}");
        assert!(outcome.is_ok(), "no error, and yet not ok:\n{outcome}");
        assert_eq!(outcome.exit(), 0, "exit code of a script that went through:\n{outcome}");
        outcome
    }

    /// Runs and asserts that the script failed with this code.
    #[track_caller]
    pub fn fails(self, code: &str) -> Outcome {
        let outcome = self.run();
        assert_eq!(outcome.code(), Some(code), "wrong error:\n{outcome}");
        assert!(!outcome.is_ok(), "an error, and yet ok:\n{outcome}");
        assert_eq!(outcome.exit(), exit_code_of(code), "exit code:\n{outcome}");
        assert!(!outcome.message().is_empty(), "an error says what happened:\n{outcome}");
        assert!(!outcome.help().is_empty(), "an error says what to do next:\n{outcome}");
        outcome
    }

    /// Runs with `--json` and returns whatever came of it.
    #[track_caller]
    #[must_use = "assert the outcome"]
    pub fn run(self) -> Outcome {
        let set = self.flag("--json").set_up();
        let text = set.text.clone();
        Outcome::read(text, set.finish())
    }

    /// Runs as a person would, without `--json`: value and rows on stdout, reports on stderr.
    #[track_caller]
    #[must_use = "assert what was printed"]
    pub fn rendered(self) -> Ended {
        self.set_up().finish()
    }

    /// Starts the run and leaves it to the test to end it.
    #[track_caller]
    pub fn set_up(self) -> Set {
        let folder = tempfile::Builder::new().prefix("pageboy-run-").tempdir().expect("a temporary folder");
        let own_temp = folder.path().join("tmp");
        std::fs::create_dir(&own_temp).expect("a folder in a fresh folder");
        let text = if self.opening.is_empty() { self.script } else { format!("{}\n{}", self.opening, self.script) };
        std::fs::write(folder.path().join("script.rhai"), &text).expect("a file in a fresh folder");
        let mut command = pageboy();
        command.current_dir(folder.path()).env("TMPDIR", &own_temp).args(["run", "script.rhai"]);
        if self.may_evaluate {
            command.arg("--allow-js");
        }
        if self.whose == Whose::Shared {
            command.args(["--isolated", "--connect", browser::shared()]);
        }
        command.args(&self.flags);
        let turn = (!self.alone).then(|| MACHINE.read().unwrap_or_else(PoisonError::into_inner));
        Set { running: Running::start(&mut command), folder, own_temp, text, deadline: self.deadline, turn }
    }
}

/// Runs share the machine; a test that measures time has it alone.
static MACHINE: RwLock<()> = RwLock::new(());

/// Waits until no other run is under way, and keeps others from starting until the guard is dropped.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}

/// A run under way, in a folder of its own.
#[derive(Debug)]
pub struct Set {
    pub running: Running,
    folder: TempDir,
    own_temp: PathBuf,
    text: String,
    deadline: Duration,
    turn: Option<RwLockReadGuard<'static, ()>>,
}

impl Set {
    /// Waits for the end and checks that nothing is left: no process that knows the run's temporary folder,
    /// and no file in it.
    #[track_caller]
    pub fn finish(self) -> Ended {
        let ended = self.running.end_within(self.deadline);
        assert_nothing_left(&self.own_temp, &ended);
        drop(self.folder);
        drop(self.turn);
        ended
    }

    pub fn temp(&self) -> &Path {
        &self.own_temp
    }
}

/// The command line program, without color and without what the surroundings may set.
pub fn pageboy() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pageboy"));
    command.env("NO_COLOR", "1").env_remove("FORCE_COLOR").env_remove("CLICOLOR_FORCE").env_remove("RUST_BACKTRACE");
    command
}

#[track_caller]
fn assert_nothing_left(temp: &Path, ended: &Ended) {
    let context = format!("--- stdout\n{}\n--- stderr\n{}", ended.stdout, ended.stderr);
    // A killed process is still listed until the kernel has taken it down.
    let start = Instant::now();
    let mut processes = processes_with(&temp.display().to_string());
    while !processes.is_empty() && start.elapsed() < Duration::from_millis(300) {
        thread::sleep(Duration::from_millis(5));
        processes = processes_with(&temp.display().to_string());
    }
    assert!(processes.is_empty(), "processes are left behind: {processes:#?}\n{context}");
    let files: Vec<_> = std::fs::read_dir(temp).expect("readable").flatten().map(|entry| entry.path()).collect();
    assert!(files.is_empty(), "files are left behind: {files:#?}\n{context}");
}

/// The exit code of each error, as the contract lists them by family.
fn exit_code_of(code: &str) -> i32 {
    match code {
        "script::parse" | "script::unknown_function" | "usage" => 2,
        "script::file" => 6,
        "script::limit" => 4,
        _ => match code.split("::").next().unwrap_or(code) {
            "script" => 1,
            "args" => 2,
            "policy" | "budget" => 4,
            "browser" => 5,
            "io" => 6,
            "internal" => 70,
            _ => 3,
        },
    }
}
