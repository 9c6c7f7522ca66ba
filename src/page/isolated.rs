//! The isolated world of each document, in which the one page script runs. Page scripts can't see it or tamper
//! with its functions, and nothing is written into the page's DOM.

use std::sync::Arc;

use serde::Deserialize;

use super::call::{Failed, returned};
use super::settle::Live;
use super::world::Document;
use super::{Session, probe};
use crate::budget::Budget;
use crate::cdp::js::runtime::{EvaluateParams, ExecutionContextId};
use crate::cdp::protocol::page::CreateIsolatedWorldParams;
use crate::cdp::{CdpSession, Connection, Failure};
use crate::error::{Error, Result};

/// Makes the isolated world of a document as soon as it appears, so that no call has to wait for it. A document that
/// goes away meanwhile has none.
pub(super) async fn prepare(connection: Connection, live: Arc<Live>, document: Document, budget: Budget) {
    let Document { session, frame, loader } = document;
    let key = (frame, loader);
    if live.read(|world| world.isolated.contains_key(&key)) {
        return;
    }
    let session = connection.session(session);
    let made = async {
        let made: Made = session.call(creating(&key.0), &budget).await?.decode()?;
        // Events come before later answers: were the document another one by now, the world would know.
        let current = live.read(|world| world.frame(&key.0)?.loader.clone()).as_ref() == Some(&key.1);
        if current {
            session.call(filling(made.execution_context_id), &budget).await?;
        }
        Ok::<_, Failure>(current.then_some(made.execution_context_id))
    };
    // Whoever needs the world of a document that could not be prepared makes it and hears why not.
    if let Ok(Some(context)) = made.await {
        live.change_quietly(|world| world.isolated.insert(key, context));
    }
}

fn creating(frame: &str) -> CreateIsolatedWorldParams {
    let mut params = CreateIsolatedWorldParams::new(frame.to_owned());
    params.world_name = Some("pageboy".into());
    params
}

/// Puts the page script into a world, if it is not there.
fn filling(context: i64) -> EvaluateParams {
    let mut script = EvaluateParams::new(probe::SOURCE);
    script.context_id = Some(ExecutionContextId::new(context));
    script.return_by_value = Some(true);
    script
}

impl Session {
    /// Returns the execution context of the isolated world of a frame's document. It is made when the
    /// document appears; asked for earlier it costs two round trips.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn world(&self, frame: &str, budget: &Budget) -> Result<(CdpSession, i64)> {
        self.prepare_worlds(&[frame.to_owned()], budget).await?;
        match (self.session_of_frame(frame), self.known_world(frame)) {
            (Ok(session), Some(context)) => Ok((session, context)),
            _ => Err(Error::BrowserProtocol {
                method: "Page.createIsolatedWorld".into(),
                problem: "the frame went away or is loading".into(),
            }),
        }
    }

    /// Makes the isolated worlds of documents that are new, all at once. A document that goes away meanwhile is
    /// passed over.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn prepare_worlds(&self, frames: &[String], budget: &Budget) -> Result<()> {
        let mut making = Vec::new();
        for frame in frames {
            let Some((session, key)) = self.document_key(frame) else { continue };
            if self.live.read(|world| world.isolated.contains_key(&key)) {
                continue;
            }
            let pending = session.start(creating(frame));
            making.push((session, key, pending));
        }
        let mut scripts = Vec::new();
        for (session, key, pending) in making {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    let made: Made = reply.decode().map_err(|failure| self.explain(failure, budget))?;
                    let context = made.execution_context_id;
                    scripts.push((key, context, session.start(filling(context))));
                }
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        for (key, context, pending) in scripts {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    returned(&reply).map_err(|failure| self.explain(failure, budget))?;
                    self.live.change_quietly(|world| world.isolated.insert(key, context));
                }
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        Ok(())
    }

    /// Returns the execution context of a frame's document, when it has been made.
    pub fn known_world(&self, frame: &str) -> Option<i64> {
        let (_, key) = self.document_key(frame)?;
        self.live.read(|world| world.isolated.get(&key).copied())
    }

    /// Forgets the worlds of a frame, after the browser said that one is gone.
    pub fn forget_world(&self, frame: &str) {
        self.live.change_quietly(|world| world.isolated.retain(|(known, _), _| known != frame));
    }

    /// Evaluates an expression in the isolated world of a frame.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn evaluate(&self, frame: &str, expression: &str, budget: &Budget) -> Result<serde_json::Value> {
        self.refuse_in_dialog()?;
        loop {
            let (session, context) = self.world(frame, budget).await?;
            let mut params = EvaluateParams::new(expression);
            params.context_id = Some(ExecutionContextId::new(context));
            params.return_by_value = Some(true);
            params.await_promise = Some(true);
            match self.answered(session.start(params), budget).await {
                Ok(reply) => return returned(&reply).map_err(|failure| self.explain(failure, budget)),
                // The document was replaced meanwhile; the new one is asked.
                Err(Failed::Command(Failure::Refused { message, .. }))
                    if message.contains("context") && !budget.is_spent() =>
                {
                    self.forget_world(frame);
                    self.wait_for_frames(budget).await;
                }
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
    }

    /// Returns the session of a frame, and its frame and loader id.
    fn document_key(&self, frame: &str) -> Option<(CdpSession, (String, String))> {
        let (session, loader) = self.live.read(|world| {
            let known = world.frame(frame)?;
            Some((known.session.clone()?, known.loader.clone()?))
        })?;
        Some((self.cdp(&session), (frame.to_owned(), loader)))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Made {
    execution_context_id: i64,
}
