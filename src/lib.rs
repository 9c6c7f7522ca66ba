//! Run scripts that drive a real browser through stable element refs.
//!
//! A [`Session`] is a live browser with its tabs and its ref map; a [`Script`] runs in it and comes to an
//! [`Outcome`]. Scripts run in a second process, the worker, which by default is this program again: call
//! [`serve_worker`] at the top of `main`.
//!
//! ```no_run
//! # async fn example() -> Result<(), pageboy::Error> {
//! pageboy::serve_worker();
//! let mut session = pageboy::Session::launch(pageboy::LaunchOptions::default()).await?;
//! let script = pageboy::Script::from_text("title.rhai", "open(\"https://example.com/\").title");
//! let outcome = session.run(&script, pageboy::RunOptions::default()).await;
//! assert!(outcome.is_ok());
//! session.close().await
//! # }
//! ```
//!
//! The rooms, lower ones first: `error`, `script`, `reference`, `budget` · `cdp` · `page` · `act` · `host` · `lang`
//! · `run`, `session`, `blocking` · `cli`,
//! `demo`, `bench`. ARCHITECTURE.md describes them.

pub mod act;
#[doc(hidden)]
pub mod bench;
pub mod blocking;
pub mod budget;
pub mod cdp;
#[doc(hidden)]
pub mod cli;
pub mod demo;
pub mod error;
pub mod host;
pub mod lang;
pub mod page;
pub mod reference;
pub mod run;
pub mod script;
mod session;

pub use error::Error;
pub use host::Rights;
pub use run::Outcome;
pub use script::Script;
pub use session::{ConnectOptions, LaunchOptions, RunOptions, Session};

/// Serves as the script worker when this process was started as one, and then never returns; returns at once
/// otherwise. A program that embeds pageboy calls it first in `main`.
#[expect(clippy::exit, clippy::disallowed_methods, reason = "a worker has no `main` of its own to return to")]
pub fn serve_worker() {
    if std::env::args().nth(1).as_deref() == Some(lang::process::WorkerProgram::SUBCOMMAND) {
        std::process::exit(lang::worker::serve());
    }
}
