//! Starting a browser of our own and ending it without a trace.
//!
//! Invariant: a launched browser has a process group and a profile folder of its own, and no open port. Both end
//! with the [`BrowserProcess`]; should this process be killed, the end of the pipe ends Chromium.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::net::unix::pipe;
use tokio::process::Command;
use tokio::sync::{oneshot, watch};

use super::arguments::{Situation, arguments};
use super::ending::{Ending, watch_over};
use super::profile::Profile;
use super::room::{SHARED_MEMORY, shared_memory};
use super::{Carrier, Connection, protocol, wire};
use crate::budget::{Budget, Layer};
use crate::error::Error;

/// How long a browser may take until it answers its first command.
const START: Duration = Duration::from_secs(30);

/// How long a browser may take to end after `Browser.close`, and its processes after a kill.
const CLOSE: Duration = Duration::from_secs(3);

/// How long the last words on stderr are waited for after a failed start.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How to start a browser.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The browser's program, as [`find`](super::find::find) returns it.
    pub program: PathBuf,
    /// Whether people see its window.
    pub headed: bool,
    /// Outer width and height of the window in CSS pixels.
    pub window: (u32, u32),
    /// More arguments, which win over ours.
    pub arguments: Vec<String>,
}

impl LaunchOptions {
    /// Starts `program` without a window, 1280 × 800.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), headed: false, window: (1280, 800), arguments: Vec::new() }
    }
}

/// A browser that we launched. [`close`](Self::close) ends it in order; dropping it kills its process group and
/// removes its profile before `drop` returns.
#[derive(Debug)]
pub struct BrowserProcess {
    /// Also the id of the process group.
    pid: Pid,
    ending: watch::Receiver<Ending>,
    /// `None` once it was removed.
    profile: Option<Profile>,
}

impl BrowserProcess {
    /// Starts a browser and waits until it answers, for 30 s at most.
    ///
    /// # Errors
    /// `browser::launch` with what Chromium wrote about it, `budget::time` where a deadline of the run came first.
    pub async fn launch(options: LaunchOptions, budget: &Budget) -> Result<(Carrier, Self), Error> {
        let what = format!("starting `{}`", options.program.display());
        let failed = |reason: String| Error::BrowserLaunch { what: what.clone(), reason };
        let (mut carrier, browser) = Self::spawn(&options).map_err(|problem| failed(problem.to_string()))?;
        let budget = budget.child(START, Layer::Call);
        let answered = tokio::select! {
            answered = greet(&mut carrier) => answered,
            () = budget.spent() => match budget.overrun() {
                Some(overrun) => return Err(overrun),
                None => Err(format!("no answer for {} s", START.as_secs())),
            },
        };
        match answered {
            Ok(()) => Ok((carrier, browser)),
            Err(problem) => Err(failed(browser.last_words(problem).await)),
        }
    }

    fn spawn(options: &LaunchOptions) -> io::Result<(Carrier, Self)> {
        let profile = Profile::create()?;
        let (commands_out, commands_in) = wide_pipe()?;
        let (answers_out, answers_in) = wide_pipe()?;
        let mut command = Command::new(&options.program);
        command
            .args(arguments(&Situation {
                headed: options.headed,
                window: options.window,
                profile: profile.path(),
                root: rustix::process::geteuid().is_root(),
                little_shared_memory: shared_memory().is_none_or(|room| room < SHARED_MEMORY),
                more: &options.arguments,
            }))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(folder) = profile.temporary_folder() {
            command.env("TMPDIR", folder);
        }
        command
            .fd_mappings(vec![
                FdMapping { parent_fd: commands_out, child_fd: 3 },
                FdMapping { parent_fd: answers_in, child_fd: 4 },
            ])
            .map_err(io::Error::other)?;
        let mut child = command.spawn()?;
        // The command holds the child's ends of the pipes; the end of the browser shows only when they are closed.
        drop(command);
        let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let (Some(pid), Some(stderr)) = (pid, child.stderr.take()) else {
            return Err(io::Error::other("it ended at once"));
        };
        let (ending_sender, ending) = watch::channel(Ending::default());
        let (exit_sender, exit) = oneshot::channel();
        tokio::spawn(watch_over(child, stderr, ending_sender, exit_sender));
        let browser = Self { pid, ending, profile: Some(profile) };
        let sender = pipe::Sender::from_owned_fd(commands_in)?;
        let receiver = pipe::Receiver::from_owned_fd(answers_out)?;
        let carrier = Carrier { exit: Some(exit), ..Carrier::pipe(receiver, sender) };
        Ok((carrier, browser))
    }

    /// Returns the id of the browser's main process, which is also that of its process group.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Ends the browser: asks it, waits 3 s, then kills its process group; then removes its profile.
    ///
    /// # Errors
    /// `io::failed` when the profile can't be removed.
    pub async fn close(mut self, connection: &Connection) -> Result<(), Error> {
        connection.browser().post(protocol::browser::CloseParams::default());
        if !self.over_within(CLOSE).await {
            self.kill();
            self.over_within(CLOSE).await;
        }
        self.remove_profile().map_err(|(path, problem)| Error::IoFailed {
            path: path.display().to_string(),
            reason: problem.to_string(),
        })
    }

    async fn over_within(&mut self, time: Duration) -> bool {
        tokio::time::timeout(time, self.ending.wait_for(Ending::is_over)).await.is_ok_and(|over| over.is_ok())
    }

    /// Kills every process of the group, unless it is known that none is left (the id may be someone else's then).
    fn kill(&self) {
        if self.ending.borrow().is_over() {
            return;
        }
        if let Err(problem) = kill_process_group(self.pid, Signal::KILL) {
            tracing::debug!(%problem, "the browser's process group is gone already");
        }
    }

    /// Waits, without reaping it, until the main process is dead, for 3 s at most.
    fn wait_until_dead(&self) {
        let (alive, dead) = std::sync::mpsc::channel::<()>();
        let pid = self.pid;
        std::thread::spawn(move || {
            // An error says that the process was reaped already.
            if let Err(problem) = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                tracing::trace!(%problem, "the browser is gone already");
            }
            drop(alive);
        });
        if dead.recv_timeout(CLOSE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            tracing::warn!(pid = pid.as_raw_nonzero(), "the browser does not die");
        }
    }

    fn remove_profile(&mut self) -> Result<(), (PathBuf, io::Error)> {
        self.profile.take().map_or(Ok(()), |mut profile| profile.remove())
    }

    /// Returns, in one line, why the start failed: what Chromium wrote before it ended, or `problem` where it still
    /// runs or wrote nothing.
    async fn last_words(mut self, problem: String) -> String {
        self.over_within(LAST_WORDS).await;
        let ending = self.ending.borrow();
        match ending.reason() {
            Some(reason) if ending.exit.is_some() => reason,
            Some(reason) => format!("{problem}; its last words are: {reason}"),
            None => problem,
        }
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        if self.profile.is_none() {
            return;
        }
        self.kill();
        self.wait_until_dead();
        if let Err((path, problem)) = self.remove_profile() {
            tracing::warn!(path = %path.display(), %problem, "a temporary profile is left behind");
        }
    }
}

/// Sends one command on a fresh carrier and waits for its answer, so that a browser that starts is told from one
/// that fails.
async fn greet(carrier: &mut Carrier) -> Result<(), String> {
    let command = wire::command(0, None, "Browser.getVersion", serde_json::json!({}))?;
    let gone = |problem: io::Error| problem.to_string();
    carrier.sink.send(&mut vec![command]).await.map_err(gone)?;
    let answer = carrier.source.next().await.map_err(gone)?.ok_or("it ended at once")?;
    match wire::parse(&wire::text(answer))? {
        wire::Message::Reply { outcome: Ok(_), .. } => Ok(()),
        wire::Message::Reply { outcome: Err(refusal), .. } => Err(refusal.message),
        wire::Message::Event { method, .. } => Err(format!("it began with the event `{method}`")),
    }
}

/// Makes a pipe, as wide as it can be without privileges where the system allows to choose: the tree of a big page
/// then takes fewer turns of both processes.
fn wide_pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (out, into) = io::pipe()?;
    widen(&into);
    Ok((out.into(), into.into()))
}

#[cfg(target_os = "linux")]
fn widen(pipe: impl AsFd) {
    if let Err(problem) = rustix::pipe::fcntl_setpipe_size(pipe, super::pipe::CHUNK) {
        tracing::debug!(%problem, "a pipe keeps its size");
    }
}

#[cfg(not(target_os = "linux"))]
fn widen(_pipe: impl AsFd) {}
