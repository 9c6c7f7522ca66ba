//! The library's face: a browser session that scripts run in, one after the other.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::budget::Budget;
use crate::cdp;
use crate::error::{Error, Result};
use crate::host::observe::{Observer, Silent};
use crate::host::{Grant, Host, Rights};
use crate::lang::limits::Limits;
use crate::lang::process::WorkerProgram;
use crate::page::{self, Browser};
use crate::run::{self, Outcome, Prepared};
use crate::script::Script;

/// A live browser. It keeps its tabs and refs from one run to the next.
///
/// Close it with [`close`](Self::close); when it is dropped, a browser that it launched is killed.
#[derive(Debug)]
pub struct Session {
    /// Absent only while a run has it.
    page: Option<page::Session>,
    worker: WorkerProgram,
    cancel: CancellationToken,
}

/// How to start a browser.
#[derive(Debug, Clone, Default)]
pub struct LaunchOptions {
    /// The browser's program; by default the first Chrome or Chromium that is found.
    pub program: Option<PathBuf>,
    /// Whether people see its window.
    pub headed: bool,
}

/// How to attach to a running browser.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// `ws://…`, or `http://host:port` of its debugging port.
    pub endpoint: String,
    /// Works in a browser context of its own: no cookies or storage are shared, and its tabs close at the end.
    pub isolated: bool,
}

/// How to run a script.
#[derive(Default)]
pub struct RunOptions {
    /// What the script may do beyond opening http and https addresses and acting on them.
    pub rights: Rights,
    /// What `arg(name, otherwise)` reads.
    pub args: BTreeMap<String, String>,
    /// The time that the run may take; none by default.
    pub timeout: Option<Duration>,
    /// The folder that modules are imported from; without it only the standard library.
    pub modules_root: Option<PathBuf>,
    /// Hears what the run prints, emits and does while it goes on.
    pub observer: Option<Box<dyn Observer>>,
}

impl RunOptions {
    /// Adds an argument for `arg(name, otherwise)`.
    #[must_use]
    pub fn arg(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.args.insert(name.into(), value.into());
        self
    }
}

impl fmt::Debug for RunOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("RunOptions");
        debug.field("rights", &self.rights).field("args", &self.args).field("timeout", &self.timeout);
        debug.field("modules_root", &self.modules_root).finish_non_exhaustive()
    }
}

impl Session {
    /// Starts a browser of its own, without a window by default.
    ///
    /// # Errors
    /// `browser::missing`, `browser::launch`, `browser::gone`.
    pub async fn launch(options: LaunchOptions) -> Result<Self> {
        let program = cdp::find::find(options.program.as_deref())?;
        let mut launch = cdp::LaunchOptions::new(program);
        launch.headed = options.headed;
        Self::start(Browser::Launch(launch), &Budget::new(CancellationToken::new())).await
    }

    /// Attaches to a running browser and opens a tab of its own in it.
    ///
    /// # Errors
    /// `browser::launch` for an endpoint that can't be attached to, `browser::gone`.
    pub async fn connect(options: ConnectOptions) -> Result<Self> {
        let browser = Browser::Connect { endpoint: options.endpoint, isolated: options.isolated };
        Self::start(browser, &Budget::new(CancellationToken::new())).await
    }

    /// Starts a session by the deadline of `budget`, whose cancel signal is the session's from then on.
    pub(crate) async fn start(browser: Browser, budget: &Budget) -> Result<Self> {
        let worker = WorkerProgram::current()?;
        Ok(Self { page: Some(page::Session::start(browser, budget).await?), worker, cancel: budget.cancel_token() })
    }

    /// Runs scripts in another program than this one: for a process that can't serve as worker itself.
    pub fn set_worker(&mut self, worker: WorkerProgram) {
        self.worker = worker;
    }

    /// Returns the signal that ends a run from outside. A session whose run was cancelled can only be closed.
    pub fn cancel_token(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// Runs a script. What goes wrong stands in the outcome.
    pub async fn run(&mut self, script: &Script, options: RunOptions) -> Outcome {
        let budget = Budget::of_run(self.cancel.clone(), options.timeout);
        self.run_within(script, options, &budget).await
    }

    /// Runs a script in a budget that may have begun with the start of the browser; `options.timeout` is not heeded.
    pub(crate) async fn run_within(&mut self, script: &Script, options: RunOptions, budget: &Budget) -> Outcome {
        match prepare(script, &options, &self.worker, budget).await {
            Ok(prepared) => self.run_prepared(prepared, script, options, budget).await,
            Err(outcome) => *outcome,
        }
    }

    /// Runs a script that was prepared with the same options, in a budget that began then.
    pub(crate) async fn run_prepared(
        &mut self,
        prepared: Prepared,
        script: &Script,
        options: RunOptions,
        budget: &Budget,
    ) -> Outcome {
        let Some(page) = self.page.take() else {
            let problem = "a run of this session was dropped before it ended".to_owned();
            return Outcome::failed(script, Error::BrowserGone { reason: problem });
        };
        let grant = Grant { rights: options.rights, args: options.args };
        let observer = options.observer.unwrap_or_else(|| Box::new(Silent));
        let mut host = Host::new(page, grant, budget.clone(), observer);
        let outcome = run::run(prepared, &mut host, budget).await;
        self.page = Some(host.finish());
        outcome
    }

    /// Ends the session: closes the tabs that it opened, or stops the browser that it launched and removes its
    /// profile.
    ///
    /// # Errors
    /// `browser::gone` when something of the browser was left behind.
    pub async fn close(mut self) -> Result<()> {
        match self.page.take() {
            // A cancelled run wants to be gone at once: dropping kills the browser and removes its profile.
            Some(page) if !self.cancel.is_cancelled() => page.close().await,
            _ => Ok(()),
        }
    }
}

/// Lets a worker read and check a script, so that one that can't start needs no browser.
///
/// # Errors
/// The outcome of a script that can't start.
pub(crate) async fn prepare(
    script: &Script,
    options: &RunOptions,
    worker: &WorkerProgram,
    budget: &Budget,
) -> Result<Prepared, Box<Outcome>> {
    let settings = run::RunOptions {
        worker: worker.clone(),
        limits: Limits::trusted(),
        modules_root: options.modules_root.clone(),
        budget: budget.clone(),
    };
    run::prepare(script, &settings).await
}
