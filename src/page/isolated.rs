//! The isolated world of each document, in which the one page script runs. Page scripts can't see it or tamper
//! with its functions, and nothing is written into the page's DOM.

use std::collections::HashMap;

use serde::Deserialize;

use super::Session;
use crate::budget::Budget;
use crate::cdp::CdpSession;
use crate::cdp::js::runtime::EvaluateParams;
use crate::cdp::protocol::page::CreateIsolatedWorldParams;
use crate::error::{Error, Result};

/// The script; it defines `globalThis.pageboy`.
const PROBE: &str = include_str!("probe.js");

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
        let known = self.live.read(|world| {
            let frame = world.frame(frame)?;
            Some((frame.session.clone()?, frame.loader.clone()?))
        });
        let Some((session, loader)) = known else {
            return Err(Error::BrowserProtocol {
                method: "Page.createIsolatedWorld".into(),
                problem: "the frame has no document".into(),
            });
        };
        let session = self.connection.session(session);
        let key = (frame.to_owned(), loader);
        if let Some(&context) = self.worlds.contexts.get(&key) {
            return Ok((session, context));
        }
        let mut params = CreateIsolatedWorldParams::new(frame.to_owned());
        params.world_name = Some("pageboy".into());
        let reply = self.page_call(&session, params, budget).await?;
        let made: Made = reply.decode().map_err(|failure| self.explain(failure, budget))?;
        let mut script = EvaluateParams::new(PROBE);
        script.context_id = Some(crate::cdp::js::runtime::ExecutionContextId::new(made.execution_context_id));
        script.return_by_value = Some(true);
        self.page_call(&session, script, budget).await?;
        self.worlds.contexts.insert(key, made.execution_context_id);
        Ok((session, made.execution_context_id))
    }

    /// Forgets the world of a frame's document, after the browser said that it is gone.
    pub fn forget_world(&mut self, frame: &str) {
        self.worlds.contexts.retain(|(known, _), _| known != frame);
    }

    /// Evaluates an expression in the isolated world of a frame.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn evaluate(&mut self, frame: &str, expression: &str, budget: &Budget) -> Result<serde_json::Value> {
        let (session, context) = self.world(frame, budget).await?;
        let mut params = EvaluateParams::new(expression);
        params.context_id = Some(crate::cdp::js::runtime::ExecutionContextId::new(context));
        params.return_by_value = Some(true);
        params.await_promise = Some(true);
        let reply = self.page_call(&session, params, budget).await?;
        super::call::returned(&reply).map_err(|failure| self.explain(failure, budget))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Made {
    execution_context_id: i64,
}
