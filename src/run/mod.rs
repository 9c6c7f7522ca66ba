//! A run: a script in its worker, a host that answers its calls, an outcome.
//!
//! Invariant: the worker is gone when a run ends, whatever the script did.

mod blame;
#[cfg(test)]
mod catalogue;
pub mod diagnostic;
pub mod drive;
mod excerpt;
pub mod failure;
pub mod modules;
pub mod outcome;
pub mod render;

use std::path::PathBuf;
use std::time::Instant;

use self::drive::Ask;
pub use self::drive::Prepared;
pub use self::failure::Failure;
pub use self::outcome::Outcome;
use crate::budget::Budget;
use crate::error::Error;
use crate::host::Host;
use crate::lang::limits::Limits;
use crate::lang::process::WorkerProgram;
use crate::script::Script;

/// How a script is run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    pub worker: WorkerProgram,
    pub limits: Limits,
    /// The folder that modules are imported from, usually the script's own; without it only the standard library.
    pub modules_root: Option<PathBuf>,
    /// The run's deadline and cancel signal; the host has the same.
    pub budget: Budget,
}

/// Lets a worker read and check a script and its modules, without a browser.
///
/// # Errors
/// The outcome of a script that can't start.
pub async fn prepare(script: &Script, options: &RunOptions) -> Result<Prepared, Box<Outcome>> {
    Prepared::start(script, options).await.map_err(|refused| Outcome::refused(*refused).into())
}

/// Runs a script against a host. Never fails as such: what goes wrong stands in the outcome.
pub async fn run(prepared: Prepared, host: &mut Host, budget: &Budget) -> Outcome {
    let started = Instant::now();
    for doubt in prepared.doubts() {
        host.notice(&doubt.in_one_line());
    }
    let (result, scripts) = prepared
        .run(budget, async |ask| match ask {
            Ask::Call { name, args, site } => host.call(&name, args, site).await,
            Ask::Print(text) => host.print(&text).map(|()| serde_json::Value::Null),
        })
        .await;
    if !matches!(&result, Err(Failure { error: Error::DialogOpen { .. }, .. })) {
        host.conclude();
    }
    let session = host.session_facts();
    let mut outcome = Outcome::new(result, host.journal(), session, scripts);
    outcome.stats.ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    outcome.stats.messages = host.messages();
    outcome
}
