//! The isolated world of each document, in which the one page script runs. Page scripts can't see it or tamper
//! with its functions, and nothing is written into the page's DOM.

use std::collections::HashMap;

use serde::Deserialize;

use super::call::{Failed, returned};
use super::{Session, probe};
use crate::budget::Budget;
use crate::cdp::js::runtime::{EvaluateParams, ExecutionContextId};
use crate::cdp::protocol::page::CreateIsolatedWorldParams;
use crate::cdp::{CdpSession, Failure};
use crate::error::{Error, Result};

/// Execution contexts by document: frame id and loader id.
#[derive(Debug, Default)]
pub struct Worlds {
    contexts: HashMap<(String, String), i64>,
}

impl Session {
    /// Returns the execution context of the isolated world of a frame's document. The first time in a document
    /// it costs two round trips, later none.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn world(&mut self, frame: &str, budget: &Budget) -> Result<(CdpSession, i64)> {
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
    pub async fn prepare_worlds(&mut self, frames: &[String], budget: &Budget) -> Result<()> {
        let mut making = Vec::new();
        for frame in frames {
            let Some((session, key)) = self.document_key(frame) else { continue };
            if self.worlds.contexts.contains_key(&key) {
                continue;
            }
            let mut params = CreateIsolatedWorldParams::new(frame.clone());
            params.world_name = Some("pageboy".into());
            let pending = session.start(params);
            making.push((session, key, pending));
        }
        let mut filling = Vec::new();
        for (session, key, pending) in making {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    let made: Made = reply.decode().map_err(|failure| self.explain(failure, budget))?;
                    let mut script = EvaluateParams::new(probe::SOURCE);
                    script.context_id = Some(ExecutionContextId::new(made.execution_context_id));
                    script.return_by_value = Some(true);
                    filling.push((key, made.execution_context_id, session.start(script)));
                }
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        for (key, context, pending) in filling {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    returned(&reply).map_err(|failure| self.explain(failure, budget))?;
                    self.worlds.contexts.insert(key, context);
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
        self.worlds.contexts.get(&key).copied()
    }

    /// Forgets the worlds of a frame, after the browser said that one is gone.
    pub fn forget_world(&mut self, frame: &str) {
        self.worlds.contexts.retain(|(known, _), _| known != frame);
    }

    /// Evaluates an expression in the isolated world of a frame.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn evaluate(&mut self, frame: &str, expression: &str, budget: &Budget) -> Result<serde_json::Value> {
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
