//! The same session for plain code: each call blocks until it is done.
//!
//! Invariant: nothing else in the library blocks on async work.

use tokio::runtime::Runtime;

use crate::error::{Error, Resource, Result};
use crate::script::Script;
use crate::{ConnectOptions, LaunchOptions, Outcome, RunOptions};

/// A live browser for code that is not async. Not to be used inside an async runtime.
#[derive(Debug)]
pub struct Session {
    inner: crate::Session,
    runtime: Runtime,
}

impl Session {
    /// As [`crate::Session::launch`].
    ///
    /// # Errors
    /// As there, and `io::failed` when no runtime can be started.
    pub fn launch(options: LaunchOptions) -> Result<Self> {
        let runtime = runtime()?;
        let inner = runtime.block_on(crate::Session::launch(options))?;
        Ok(Self { inner, runtime })
    }

    /// As [`crate::Session::connect`].
    ///
    /// # Errors
    /// As there, and `io::failed` when no runtime can be started.
    pub fn connect(options: ConnectOptions) -> Result<Self> {
        let runtime = runtime()?;
        let inner = runtime.block_on(crate::Session::connect(options))?;
        Ok(Self { inner, runtime })
    }

    /// As [`crate::Session::run`].
    pub fn run(&mut self, script: &Script, options: RunOptions) -> Outcome {
        self.runtime.block_on(self.inner.run(script, options))
    }

    /// As [`crate::Session::close`].
    ///
    /// # Errors
    /// As there.
    pub fn close(self) -> Result<()> {
        self.runtime.block_on(self.inner.close())
    }
}

/// Starts the runtime that the session's tasks live on.
///
/// # Errors
/// `io::failed`.
pub(crate) fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Error::IoSystem { what: Resource::Threads, reason: error.to_string() })
}
