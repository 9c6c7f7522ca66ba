//! One connection to a browser, shared by all its sessions: numbers the commands, matches the answers, and fails
//! who waits when a session or the connection ends.
//!
//! Invariant: one task reads, one task writes; nothing else touches the carrier.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::carrier::{Carrier, Sink};
use super::events::Event;
use super::reader::Reader;
use super::session::{CdpSession, Reply};
use super::{Failure, SessionId, wire};

/// How many commands are written in one go at most.
const BATCH: usize = 256;

type Answer = oneshot::Sender<Result<Reply, Failure>>;

/// A connection to a browser; cheap to clone. It closes when its last clone, and with it its last session, is gone.
#[derive(Clone)]
pub struct Connection {
    handle: Arc<Handle>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").field("closed", &self.closed_reason()).finish_non_exhaustive()
    }
}

/// Ends the connection when the last [`Connection`] is dropped; the tasks hold only what is inside.
struct Handle {
    shared: Arc<Shared>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.end("it was closed on this side");
    }
}

pub(super) struct Shared {
    table: Mutex<Table>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    next_id: AtomicU64,
    pub(super) received_bytes: AtomicU64,
    pub(super) ended: CancellationToken,
}

#[derive(Default)]
struct Table {
    waiters: HashMap<u64, Waiter>,
    /// Why the connection ended; nobody may begin to wait any more.
    ended: Option<String>,
}

struct Waiter {
    session: Option<SessionId>,
    method: Cow<'static, str>,
    answer: Answer,
}

/// How a session ended while commands waited on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionEnd {
    /// Its process died.
    Crashed,
    /// Its target is gone or went to another process.
    Detached,
}

impl Connection {
    /// Starts the reader and the writer on the current tokio runtime.
    ///
    /// `on_event` runs on the reader, in wire order and before any later answer is delivered, so a fold over the
    /// events is never behind an answer. It must not block; it may `post` commands and call
    /// [`fail_session`](Self::fail_session). A fold that holds a clone of the connection keeps it open until
    /// [`close`](Self::close), or until the browser ends it.
    pub fn start(carrier: Carrier, on_event: impl FnMut(Event) + Send + 'static) -> Self {
        let (outgoing, queue) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            table: Mutex::default(),
            outgoing,
            next_id: AtomicU64::new(1),
            received_bytes: AtomicU64::new(0),
            ended: CancellationToken::new(),
        });
        let reader = Reader::new(Arc::clone(&shared), on_event);
        tokio::spawn(reader.run(carrier.source, carrier.exit));
        tokio::spawn(write(carrier.sink, queue, Arc::clone(&shared)));
        Self { handle: Arc::new(Handle { shared }) }
    }

    /// Returns the session of the browser itself.
    pub fn browser(&self) -> CdpSession {
        CdpSession::new(self.clone(), None)
    }

    pub fn session(&self, id: SessionId) -> CdpSession {
        CdpSession::new(self.clone(), Some(id))
    }

    /// Fails everybody who waits on a session. `Inspector.targetCrashed` and `Target.detachedFromTarget` do so by
    /// themselves, after the event was handed on.
    pub fn fail_session(&self, id: &SessionId, why: SessionEnd) {
        self.handle.shared.fail_session(id, why);
    }

    /// Ends the connection; everybody who waits fails with [`Failure::Closed`]. The browser stays.
    pub fn close(&self) {
        self.handle.shared.end("it was closed on this side");
    }

    pub fn is_closed(&self) -> bool {
        self.handle.shared.ended.is_cancelled()
    }

    /// Resolves when the connection has ended.
    pub async fn closed(&self) {
        self.handle.shared.ended.cancelled().await;
    }

    /// Returns why the connection ended; `None` while it is open.
    pub fn closed_reason(&self) -> Option<String> {
        self.handle.shared.table().ended.clone()
    }

    /// Returns how many commands were sent and how many bytes were received.
    pub fn counters(&self) -> (u64, u64) {
        let shared = &self.handle.shared;
        (shared.next_id.load(Ordering::Relaxed) - 1, shared.received_bytes.load(Ordering::Relaxed))
    }

    pub(super) fn send(
        &self,
        session: Option<&SessionId>,
        method: Cow<'static, str>,
        params: impl Serialize,
    ) -> (u64, oneshot::Receiver<Result<Reply, Failure>>) {
        self.handle.shared.send(session, method, params)
    }

    pub(super) fn forget(&self, id: u64) {
        self.handle.shared.table().waiters.remove(&id);
    }

    pub(super) fn closed_failure(&self) -> Failure {
        self.handle.shared.closed_failure()
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.handle.shared.table().waiters.len()
    }
}

impl Shared {
    /// Locks the table. A panic elsewhere can't leave it half changed, so a poisoned lock is as good as any.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(
        &self,
        session: Option<&SessionId>,
        method: Cow<'static, str>,
        params: impl Serialize,
    ) -> (u64, oneshot::Receiver<Result<Reply, Failure>>) {
        let (answer, receiver) = oneshot::channel();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let command = match wire::command(id, session.map(AsRef::as_ref), &method, params) {
            Ok(command) => command,
            Err(problem) => {
                reply(answer, Err(Failure::Garbled { method, problem }));
                return (id, receiver);
            }
        };
        let mut table = self.table();
        if let Some(reason) = &table.ended {
            reply(answer, Err(Failure::Closed { reason: reason.clone() }));
            return (id, receiver);
        }
        table.waiters.insert(id, Waiter { session: session.cloned(), method, answer });
        drop(table);
        if self.outgoing.send(command).is_err() {
            self.end("nothing can be sent any more");
        }
        (id, receiver)
    }

    pub(super) fn answer(&self, id: u64, text: String, outcome: Result<std::ops::Range<usize>, wire::Refusal>) {
        // Nobody waits any more after a deadline, and nobody ever did for a posted command.
        let Some(waiter) = self.table().waiters.remove(&id) else { return };
        let Waiter { method, answer, .. } = waiter;
        reply(
            answer,
            match outcome {
                Ok(result) => Ok(Reply::new(method, text, result)),
                Err(refusal) => Err(refused(method, refusal)),
            },
        );
    }

    pub(super) fn fail_session(&self, id: &SessionId, why: SessionEnd) {
        let of_session = |waiter: &Waiter| waiter.session.as_ref() == Some(id);
        let gone: Vec<Waiter> =
            self.table().waiters.extract_if(|_, waiter| of_session(waiter)).map(|(_, waiter)| waiter).collect();
        for Waiter { method, answer, .. } in gone {
            reply(
                answer,
                Err(match why {
                    SessionEnd::Crashed => Failure::Crashed { method },
                    SessionEnd::Detached => Failure::Detached { method },
                }),
            );
        }
    }

    /// Ends the connection once; the first reason stays.
    pub(super) fn end(&self, reason: &str) {
        let mut table = self.table();
        if table.ended.is_some() {
            return;
        }
        table.ended = Some(reason.to_owned());
        let waiters = std::mem::take(&mut table.waiters);
        drop(table);
        for waiter in waiters.into_values() {
            reply(waiter.answer, Err(Failure::Closed { reason: reason.to_owned() }));
        }
        self.ended.cancel();
    }

    fn closed_failure(&self) -> Failure {
        Failure::Closed { reason: self.table().ended.clone().unwrap_or_else(|| "its reader stopped".into()) }
    }
}

fn reply(answer: Answer, outcome: Result<Reply, Failure>) {
    if answer.send(outcome).is_err() {
        tracing::trace!("an answer came when nobody waited any more");
    }
}

/// Chromium's code for a session that it does not know (any more).
const SESSION_NOT_FOUND: i64 = -32001;

fn refused(method: Cow<'static, str>, refusal: wire::Refusal) -> Failure {
    let wire::Refusal { code, message, data } = refusal;
    match (code, data) {
        (SESSION_NOT_FOUND, _) => Failure::Detached { method },
        (_, None) => Failure::Refused { method, code, message },
        (_, Some(data)) => Failure::Refused { method, code, message: format!("{message}: {data}") },
    }
}

/// The task that writes.
async fn write(mut sink: Sink, mut queue: mpsc::UnboundedReceiver<Vec<u8>>, shared: Arc<Shared>) {
    let sending = async {
        let mut batch = Vec::new();
        while queue.recv_many(&mut batch, BATCH).await > 0 {
            sink.send(&mut batch).await?;
        }
        Ok::<(), std::io::Error>(())
    };
    let sent = tokio::select! {
        () = shared.ended.cancelled() => return,
        sent = sending => sent,
    };
    if let Err(problem) = sent {
        shared.end(&format!("a command can't be sent: {problem}"));
    }
}

#[cfg(test)]
mod tests;
