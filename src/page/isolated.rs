//! The isolated world of each document, in which the one page script runs. Page scripts can't see it or tamper
//! with its functions, and nothing is written into the page's DOM.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;

use super::call::{Failed, returned};
use super::settle::Live;
use super::world::{Document, World};
use super::{Session, probe};
use crate::budget::Budget;
use crate::cdp::js::runtime::{EvaluateParams, ExecutionContextId, ReleaseObjectParams};
use crate::cdp::protocol::page::CreateIsolatedWorldParams;
use crate::cdp::{CdpSession, Connection, Failure};
use crate::error::{Error, Result};

/// How many elements of a document stay at hand between two calls. Each keeps its node alive in the page.
const AT_HAND: usize = 500;

/// What is known of the isolated world of a document.
#[derive(Debug)]
pub(super) struct Isolated {
    loader: String,
    context: i64,
    /// The origin of the document as it sees itself: `null` in a sandbox.
    origin: String,
    /// The remote objects of elements that were resolved, by backend node id, the oldest first.
    objects: IndexMap<i64, String>,
}

impl Isolated {
    /// Takes the world that a script was put into; `told` is what that returned.
    fn new(loader: String, context: i64, told: &serde_json::Value) -> Self {
        Self { loader, context, origin: told.as_str().unwrap_or_default().to_owned(), objects: IndexMap::new() }
    }
}

impl World {
    fn isolated_of(&self, frame: &str, loader: &str) -> Option<&Isolated> {
        self.isolated.get(frame).filter(|made| made.loader == loader)
    }

    /// Returns the origin that the document of a frame told of itself.
    pub(super) fn told_origin(&self, frame: &str) -> Option<&str> {
        let made = self.isolated_of(frame, self.frame(frame)?.loader.as_deref()?)?;
        Some(made.origin.as_str()).filter(|origin| !origin.is_empty())
    }
}

/// Makes the isolated world of a document as soon as it appears, so that no call has to wait for it. A document that
/// goes away meanwhile has none.
pub(super) async fn prepare(connection: Connection, live: Arc<Live>, document: Document, budget: Budget) {
    let Document { session, frame, loader } = document;
    let is_made = |world: &World| world.isolated_of(&frame, &loader).is_some();
    if live.read(is_made) {
        return;
    }
    let session = connection.session(session);
    let made = async {
        let made: Made = session.call(creating(&frame), &budget).await?.decode()?;
        // Events come before later answers: were the document another one by now, the world would know.
        let current = live.read(|world| world.frame(&frame)?.loader.clone()).as_ref() == Some(&loader);
        if !current {
            return Ok::<_, Failure>(None);
        }
        let told = returned(&session.call(filling(made.execution_context_id), &budget).await?)?;
        Ok(Some(Isolated::new(loader.clone(), made.execution_context_id, &told)))
    };
    // Whoever needs the world of a document that could not be prepared makes it and hears why not.
    if let Ok(Some(made)) = made.await {
        live.change_quietly(|world| {
            if !is_made(world) {
                world.isolated.insert(frame.clone(), made);
            }
        });
    }
}

fn creating(frame: &str) -> CreateIsolatedWorldParams {
    let mut params = CreateIsolatedWorldParams::new(frame.to_owned());
    params.world_name = Some("pageboy".into());
    params
}

/// Puts the page script into a world, if it is not there.
fn filling(context: i64) -> EvaluateParams {
    in_world(context, probe::SOURCE)
}

/// Evaluates an expression by value in a world.
pub(super) fn in_world(context: i64, expression: &str) -> EvaluateParams {
    let mut params = EvaluateParams::new(expression);
    params.context_id = Some(ExecutionContextId::new(context));
    params.return_by_value = Some(true);
    params
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
            let Some((session, loader)) = self.document_in(frame) else { continue };
            if self.known_world(frame).is_some() {
                continue;
            }
            let pending = session.start(creating(frame));
            making.push((session, (frame, loader), pending));
        }
        let mut scripts = Vec::new();
        for (session, document, pending) in making {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    let made: Made = reply.decode().map_err(|failure| self.explain(failure, budget))?;
                    let context = made.execution_context_id;
                    scripts.push((document, context, session.start(filling(context))));
                }
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        for ((frame, loader), context, pending) in scripts {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    let told = returned(&reply).map_err(|failure| self.explain(failure, budget))?;
                    let made = Isolated::new(loader, context, &told);
                    self.live.change_quietly(|world| world.isolated.insert(frame.clone(), made));
                }
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        Ok(())
    }

    /// Returns the execution context of a frame's document, when it has been made.
    pub fn known_world(&self, frame: &str) -> Option<i64> {
        let (_, loader) = self.document_in(frame)?;
        self.live.read(|world| Some(world.isolated_of(frame, &loader)?.context))
    }

    /// Forgets the world of a frame and the elements at hand in it, after the browser said that one is gone.
    pub fn forget_world(&self, frame: &str) {
        self.live.change_quietly(|world| world.isolated.remove(frame));
    }

    /// Returns the remote object of an element that was resolved before in the document that a frame shows.
    pub(super) fn at_hand(&self, frame: &str, backend: i64) -> Option<String> {
        self.live.read(|world| {
            let loader = world.frame(frame)?.loader.as_deref()?;
            world.isolated_of(frame, loader)?.objects.get(&backend).cloned()
        })
    }

    /// Keeps the remote object of an element, so that its next call needs no message to resolve it.
    pub(super) fn keep_at_hand(&self, frame: &str, backend: i64, object: &str) {
        self.live.change_quietly(|world| {
            if let Some(made) = world.isolated.get_mut(frame) {
                made.objects.insert(backend, object.to_owned());
            }
        });
    }

    /// Lets go of the elements that were resolved longest ago, where there are too many. Not to be called while some
    /// are in use.
    pub(super) fn let_go(&self, session: &CdpSession, frame: &str) {
        let oldest: Vec<String> = self.live.change_quietly(|world| {
            let Some(made) = world.isolated.get_mut(frame) else { return Vec::new() };
            let over = made.objects.len().saturating_sub(AT_HAND);
            made.objects.drain(..over).map(|(_, object)| object).collect()
        });
        for object in oldest {
            session.post(ReleaseObjectParams::new(object));
        }
    }

    /// Evaluates an expression in the isolated world of a frame.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn evaluate(&self, frame: &str, expression: &str, budget: &Budget) -> Result<serde_json::Value> {
        self.refuse_in_dialog()?;
        loop {
            let (session, context) = self.world(frame, budget).await?;
            let mut params = in_world(context, expression);
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

    /// Evaluates an expression in the isolated worlds that frames have, all at once. `None` for a frame that has none,
    /// whose document went away, or where a dialog opened.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn evaluate_where_ready(
        &self,
        frames: &[String],
        expression: &str,
        budget: &Budget,
    ) -> Result<Vec<Option<serde_json::Value>>> {
        let ask = |frame: &String| {
            let (session, context) = (self.session_of_frame(frame).ok()?, self.known_world(frame)?);
            let mut params = in_world(context, expression);
            params.await_promise = Some(true);
            Some(session.start(params))
        };
        let asked: Vec<_> = frames.iter().map(ask).collect();
        let mut answers = Vec::with_capacity(asked.len());
        for pending in asked {
            let Some(pending) = pending else {
                answers.push(None);
                continue;
            };
            answers.push(match self.answered(pending, budget).await {
                Ok(reply) => Some(returned(&reply).map_err(|failure| self.explain(failure, budget))?),
                Err(Failed::Dialog(_) | Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => None,
                Err(failed) => return Err(self.word(failed, budget)),
            });
        }
        Ok(answers)
    }

    /// Returns the session of a frame, and the loader id of its document.
    fn document_in(&self, frame: &str) -> Option<(CdpSession, String)> {
        let (session, loader) = self.live.read(|world| {
            let known = world.frame(frame)?;
            Some((known.session.clone()?, known.loader.clone()?))
        })?;
        Some((self.cdp(&session), loader))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Made {
    execution_context_id: i64,
}
