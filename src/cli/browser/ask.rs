//! Asking another program something, by a deadline.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// What a program said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    pub stdout: String,
    pub stderr: String,
    /// How it ended, such as `exit status: 127`, where that was not well.
    pub failure: Option<String>,
}

/// Runs a program that answers and ends by itself. It is killed at the deadline.
///
/// # Errors
/// Why there is no answer, in words.
pub async fn ask(program: &Path, arguments: &[&str], time: Duration) -> Result<Answer, String> {
    let asked = tokio::process::Command::new(program)
        .args(arguments)
        // What is read are fixed words, which other languages replace.
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(time, asked)
        .await
        .map_err(|_| format!("no answer for {} s", time.as_secs()))?
        .map_err(|problem| problem.to_string())?;
    Ok(Answer {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        failure: (!output.status.success()).then(|| output.status.to_string()),
    })
}
