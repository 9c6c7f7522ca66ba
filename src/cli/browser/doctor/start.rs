//! A real start of the browser, as `pageboy run` does it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::finding::Finding;
use super::libraries;
use crate::budget::Budget;
use crate::cdp::LaunchOptions;
use crate::cli::browser::system::System;
use crate::error::Error;
use crate::page::Browser;
use crate::script::Script;
use crate::session::{RunOptions, Session};

const CHECK: &str = "start";

/// A start that takes longer than this is worth a word.
const SLOW: Duration = Duration::from_secs(5);

/// What is run: a tree of a page without content goes through every process of a run.
const SCRIPT: &str = "open(\"about:blank\"); tree().text.len()";

/// Starts the browser, reads an empty page with a script and closes it again.
pub async fn check(program: &Path, system: &System, budget: &Budget) -> Finding {
    match start(program, budget).await {
        Ok((started, whole)) if started > SLOW => Finding::note(
            CHECK,
            format!("the browser took {} to start, with a script {} in all", seconds(started), seconds(whole)),
            "the machine is busy or its disk is slow; give runs a longer `--timeout`",
        ),
        Ok((started, whole)) => Finding::ok(
            CHECK,
            format!("the browser started in {} and ran a script; {} in all", seconds(started), seconds(whole)),
        ),
        Err(error) => Finding::problem(CHECK, error.to_string(), mend(&error.to_string(), system)),
    }
}

async fn start(program: &Path, budget: &Budget) -> Result<(Duration, Duration), Error> {
    let began = Instant::now();
    let mut session = Session::start(Browser::Launch(LaunchOptions::new(program)), budget).await?;
    let started = began.elapsed();
    let script = Script::from_text("doctor", SCRIPT);
    let outcome = session.run_within(&script, RunOptions::default(), budget).await;
    session.close().await?;
    let whole = began.elapsed();
    outcome.result.map(|_| (started, whole)).map_err(|failure| failure.error)
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Says what to do about a start that failed for this reason.
pub fn mend(reason: &str, system: &System) -> String {
    let missing = libraries::missing(reason);
    if !missing.is_empty() {
        return libraries::mend(&missing, system);
    }
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&["No usable sandbox", "namespace", "setuid sandbox", "SUID sandbox", "zygote_host"]) {
        return "allow user namespaces: see the finding `sandbox`\n\
            in a container: start it with `--security-opt seccomp=unconfined` or as a user that may make namespaces"
            .into();
    }
    if has(&["No space left", "disk full"]) {
        return "make room in the folder for temporary files, or set TMPDIR to one with room".into();
    }
    if has(&["Exec format error"]) {
        return format!("install a browser for this machine ({})", std::env::consts::ARCH);
    }
    if has(&["Permission denied"]) {
        return "check that you may run the program and write to the folder for temporary files".into();
    }
    "see the findings above; the browser itself says more when it is started with `--headless=new about:blank`".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_known_reason_has_its_mend() {
        let debian = System::new("ID=debian\nVERSION_ID=12", true, None, |_| true);
        for (reason, words) in [
            (
                "x: error while loading shared libraries: libnss3.so: cannot open shared object",
                "apt-get install -y libnss3",
            ),
            ("No usable sandbox! If you are running on Ubuntu 23.10+", "user namespaces"),
            ("Failed to move to new namespace: PID namespaces supported, Operation not permitted", "seccomp"),
            ("Exec format error (os error 8)", "for this machine"),
            ("No space left on device (os error 28)", "TMPDIR"),
            ("Permission denied (os error 13)", "may run"),
            ("something odd", "--headless=new"),
        ] {
            let said = mend(reason, &debian);
            assert!(said.contains(words), "{reason}: {said}");
        }
    }
}
