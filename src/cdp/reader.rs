//! The task that reads a connection: hands the events on and the answers out.
//!
//! Invariant: messages are handled strictly in wire order, and an event is finished with before a later answer is
//! delivered.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::oneshot;

use super::carrier::Source;
use super::connection::{SessionEnd, Shared};
use super::events::{Event, EventKind};
use super::{SessionId, wire};

/// How long the reader goes on after the browser's process ended (answers may still lie in the pipe), and how long
/// it waits for the way the process ended after the pipe did.
const DRAIN: Duration = Duration::from_millis(30);

/// The task that reads. Whatever ends it, also a panic of `on_event`, ends the connection.
pub(super) struct Reader<F> {
    shared: Arc<Shared>,
    on_event: F,
}

impl<F> Drop for Reader<F> {
    fn drop(&mut self) {
        self.shared.end("its reader stopped");
    }
}

impl<F: FnMut(Event) + Send> Reader<F> {
    pub fn new(shared: Arc<Shared>, on_event: F) -> Self {
        Self { shared, on_event }
    }

    pub async fn run(mut self, mut source: Source, exit: Option<oneshot::Receiver<String>>) {
        let ended = self.shared.ended.clone();
        let reason = tokio::select! {
            () = ended.cancelled() => return,
            reason = self.read(&mut source, exit) => reason,
        };
        self.shared.end(&reason);
    }

    /// Reads until the carrier or the browser's process ends, and says why it did.
    async fn read(&mut self, source: &mut Source, mut exit: Option<oneshot::Receiver<String>>) -> String {
        loop {
            tokio::select! {
                biased;
                next = source.next() => match self.take(next) {
                    Ok(()) => {}
                    Err(reason) => {
                        let Some(exit) = exit else { return reason };
                        return match tokio::time::timeout(DRAIN, exit).await {
                            Ok(Ok(how)) => how,
                            _ => reason,
                        };
                    }
                },
                how = exited(&mut exit) => {
                    while let Ok(next) = tokio::time::timeout(DRAIN, source.next()).await {
                        if self.take(next).is_err() {
                            break;
                        }
                    }
                    return how;
                }
            }
        }
    }

    fn take(&mut self, next: std::io::Result<Option<Vec<u8>>>) -> Result<(), String> {
        match next {
            Ok(Some(message)) => self.deliver(message),
            Ok(None) => Err("the browser closed it".into()),
            Err(problem) => Err(problem.to_string()),
        }
    }

    /// Handles one message. After one that is no protocol message nothing behind it can be trusted, so that the
    /// connection ends: whoever waits learns it at once and not at the deadline.
    fn deliver(&mut self, message: Vec<u8>) -> Result<(), String> {
        self.shared.received_bytes.fetch_add(message.len() as u64, Ordering::Relaxed);
        let text = wire::text(message);
        let garbled = |problem| format!("the browser sent something that is no protocol message: {problem}");
        match wire::parse(&text).map_err(garbled)? {
            wire::Message::Reply { id, outcome } => self.shared.answer(id, text, outcome),
            wire::Message::Event { method, session, params } => {
                let Some(kind) = EventKind::read(method, params) else { return Ok(()) };
                let session = session.map(SessionId::from);
                let over = match (&kind, &session) {
                    (EventKind::DetachedFromTarget { session }, _) => Some((session.clone(), SessionEnd::Detached)),
                    (EventKind::Crashed, Some(session)) => Some((session.clone(), SessionEnd::Crashed)),
                    _ => None,
                };
                (self.on_event)(Event { session, kind });
                // After the fold, so that whoever wakes up finds a fold that knows.
                if let Some((session, why)) = over {
                    self.shared.fail_session(&session, why);
                }
            }
        }
        Ok(())
    }
}

/// Resolves when the browser's process ended; never where it is not ours, or where nobody watches it any more.
async fn exited(exit: &mut Option<oneshot::Receiver<String>>) -> String {
    if let Some(receiver) = exit {
        if let Ok(how) = receiver.await {
            return how;
        }
        *exit = None;
    }
    std::future::pending().await
}
