//! The parent's end: starts a worker process, talks to it, and says what became of it when it dies. It trusts nothing
//! that the worker says.
//!
//! Invariant: every wait for the worker ends with its answer, its death, or a deadline of the caller.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde::Serialize;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::protocol::{self, Frames, FromWorker, ToWorker};
use crate::error::{Error, Resource};

/// How much of the worker's standard error is kept.
const COMPLAINT_BYTES: usize = 64 * 1024;

/// How long a worker that closed its stream may take to end.
const FAREWELL: Duration = Duration::from_millis(200);

/// The program that serves as worker: it must call [`serve_worker`](crate::serve_worker).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerProgram {
    pub program: PathBuf,
    pub args: Vec<String>,
}

impl WorkerProgram {
    /// The hidden subcommand under which a program serves as worker.
    pub const SUBCOMMAND: &str = "__worker";

    /// Returns the running program itself, which must then serve as worker under [`SUBCOMMAND`](Self::SUBCOMMAND).
    ///
    /// # Errors
    /// `io::failed` when the system does not tell the program's path.
    pub fn current() -> Result<Self, Error> {
        let program = std::env::current_exe()
            .map_err(|error| Error::IoSystem { what: Resource::Program, reason: error.to_string() })?;
        Ok(Self { program, args: vec![Self::SUBCOMMAND.into()] })
    }
}

/// A worker process. Dropping it kills the process.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    input: ChildStdin,
    output: Frames<ChildStdout>,
    complaint: Option<JoinHandle<String>>,
}

impl Worker {
    /// Starts a worker with an empty environment.
    ///
    /// # Errors
    /// `internal::bug` when the program does not start.
    pub fn start(worker: &WorkerProgram) -> Result<Self, Error> {
        let fail = |problem: &str| bug(format!("the worker `{}` did not start: {problem}", worker.program.display()));
        let mut child = Command::new(&worker.program)
            .args(&worker.args)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| fail(&error.to_string()))?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(fail("it has no streams"));
        };
        let complaint = tokio::spawn(async move {
            let mut text = Vec::new();
            // What was read before the stream broke still tells what happened.
            drop(errors.take(COMPLAINT_BYTES as u64).read_to_end(&mut text).await);
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Self { child, input, output: Frames::new(output), complaint: Some(complaint) })
    }

    /// Sends a message. Waits while the worker does not read.
    ///
    /// # Errors
    /// What became of the worker: `script::limit` or `internal::bug`.
    pub async fn send(&mut self, message: &impl Serialize) -> Result<(), Error> {
        match protocol::send(&mut self.input, message).await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fate(&error.to_string(), false).await),
        }
    }

    /// Returns the next message. Dropping it half way loses nothing.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn next(&mut self) -> Result<FromWorker, Error> {
        match self.output.next().await {
            Ok(Some(message)) => Ok(message),
            Ok(None) => Err(self.fate("it closed its stream", false).await),
            Err(error) => {
                // What it says makes no sense, so nothing that it may still do counts.
                self.child.start_kill().ok();
                Err(self.fate(&error.to_string(), true).await)
            }
        }
    }

    /// Asks the worker to end its run. It answers with `end`, if it still can.
    pub async fn cancel(&mut self) {
        // A worker that is gone needs no asking; the caller reads its end either way.
        drop(protocol::send(&mut self.input, &ToWorker::Cancel {}).await);
    }

    /// Kills the worker and waits for its end.
    pub async fn kill(mut self) {
        // It fails only when the process has ended already.
        drop(self.child.kill().await);
    }

    /// Finds out why the worker does not answer as it should.
    async fn fate(&mut self, symptom: &str, is_garbled: bool) -> Error {
        let status = match timeout(FAREWELL, self.child.wait()).await {
            Ok(Ok(status)) => Some(status),
            _ => {
                drop(self.child.kill().await);
                None
            }
        };
        let complaint = match self.complaint.take() {
            Some(task) => timeout(FAREWELL, task).await.ok().and_then(Result::ok).unwrap_or_default(),
            None => String::new(),
        };
        diagnose(status, &complaint, symptom, is_garbled)
    }
}

fn diagnose(status: Option<ExitStatus>, complaint: &str, symptom: &str, is_garbled: bool) -> Error {
    let limit = |limit: &str, problem: &str| Error::ScriptLimit { limit: limit.into(), problem: problem.into() };
    if complaint.contains("overflowed its stack") {
        return limit("stack", "values or calls are nested too deep");
    }
    if complaint.contains("memory allocation of") {
        return limit("memory", "the script asked for too much");
    }
    if killed_by(status, 9) && !is_garbled {
        return limit("memory", "the system ended the script's process");
    }
    let end = status.map_or_else(|| "it did not end".to_owned(), |status| status.to_string());
    let last: Vec<_> = complaint.lines().rev().take(3).collect();
    let last: Vec<_> = last.into_iter().rev().collect();
    let said = if last.is_empty() { String::new() } else { format!(": {}", last.join(" / ")) };
    bug(format!("the worker failed ({symptom}; {end}){said}"))
}

#[cfg(unix)]
fn killed_by(status: Option<ExitStatus>, signal: i32) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.and_then(|status| status.signal()) == Some(signal)
}

#[cfg(not(unix))]
fn killed_by(_: Option<ExitStatus>, _: i32) -> bool {
    false
}

fn bug(problem: String) -> Error {
    Error::InternalBug { problem }
}
