//! Commands on one session and their answers.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use chromiumoxide::Command;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::Connection;
use super::{Failure, SessionId};
use crate::budget::Budget;

/// One session of a connection: the browser itself, a page, or a frame or worker with a process of its own.
#[derive(Debug, Clone)]
pub struct CdpSession {
    connection: Connection,
    id: Option<SessionId>,
}

impl CdpSession {
    pub(super) fn new(connection: Connection, id: Option<SessionId>) -> Self {
        Self { connection, id }
    }

    /// Returns the session's id; `None` for the browser itself.
    pub fn id(&self) -> Option<&SessionId> {
        self.id.as_ref()
    }

    /// Sends one command and waits for its answer: one round trip.
    ///
    /// # Errors
    /// A budget that is spent already sends nothing.
    pub async fn call<C: Command>(&self, command: C, budget: &Budget) -> Result<Reply, Failure> {
        unspent(command.identifier(), budget)?;
        self.start(command).reply(budget).await
    }

    /// Sends one command whose parameters the generated types can't write; else as [`call`](Self::call).
    pub async fn call_json(&self, method: &'static str, params: &Value, budget: &Budget) -> Result<Reply, Failure> {
        unspent(method.into(), budget)?;
        self.send(method.into(), params).reply(budget).await
    }

    /// Sends a command now. Several started commands travel together, in order.
    pub fn start<C: Command>(&self, command: C) -> Pending {
        self.send(command.identifier(), command)
    }

    /// Sends a command whose parameters the generated types can't write; else as [`start`](Self::start).
    pub fn start_json(&self, method: &'static str, params: &Value) -> Pending {
        self.send(method.into(), params)
    }

    /// Sends a command whose answer nobody waits for. It never blocks, so it may be called where events are heard.
    pub fn post<C: Command>(&self, command: C) {
        drop(self.start(command));
    }

    fn send(&self, method: Cow<'static, str>, params: impl Serialize) -> Pending {
        let (id, answer) = self.connection.send(self.id.as_ref(), method.clone(), params);
        Pending { connection: self.connection.clone(), id, method, started: Instant::now(), answer }
    }
}

/// A command that was sent. Dropping it forgets the answer.
#[derive(Debug)]
#[must_use = "the answer of a started command is lost unless `reply` waits for it; `post` says that on purpose"]
pub struct Pending {
    connection: Connection,
    id: u64,
    method: Cow<'static, str>,
    started: Instant,
    answer: oneshot::Receiver<Result<Reply, Failure>>,
}

impl Pending {
    /// Waits for the answer, the deadline, the end of the run, of the session or of the connection.
    pub async fn reply(mut self, budget: &Budget) -> Result<Reply, Failure> {
        tokio::select! {
            // An answer that is there wins over a deadline that passed in the same moment.
            biased;
            answer = &mut self.answer => answer.unwrap_or_else(|_| Err(self.connection.closed_failure())),
            () = budget.spent() => Err(spent(self.method.clone(), self.started.elapsed(), budget)),
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.connection.forget(self.id);
    }
}

fn unspent(method: Cow<'static, str>, budget: &Budget) -> Result<(), Failure> {
    if budget.is_spent() { Err(spent(method, Duration::ZERO, budget)) } else { Ok(()) }
}

fn spent(method: Cow<'static, str>, waited: Duration, budget: &Budget) -> Failure {
    if budget.is_cancelled() { Failure::Cancelled { method } } else { Failure::NoAnswer { method, waited } }
}

/// The `result` of an answered command, as the browser wrote it.
pub struct Reply {
    method: Cow<'static, str>,
    /// The whole message: a big result is not copied out of it.
    text: String,
    result: Range<usize>,
}

impl Reply {
    pub(super) fn new(method: Cow<'static, str>, text: String, result: Range<usize>) -> Self {
        Self { method, text, result }
    }

    /// Returns the result as JSON text; `{}` where the browser left it out.
    pub fn json(&self) -> &str {
        match self.text.get(self.result.clone()) {
            None | Some("") => "{}",
            Some(json) => json,
        }
    }

    /// Reads the result, borrowing from it where `T` does.
    pub fn decode<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Failure> {
        serde_json::from_str(self.json())
            .map_err(|problem| Failure::Garbled { method: self.method.clone(), problem: problem.to_string() })
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Reply")
            .field("method", &self.method)
            .field("length", &self.result.len())
            .finish_non_exhaustive()
    }
}
