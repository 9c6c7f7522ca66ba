//! One moment of a tab from the browser: a snapshot of each session and the flags of each frame, all in flight
//! together.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;

use super::Session;
use super::call::Failed;
use super::isolated::in_world;
use super::snapshot::{self, Capture, FrameMeta};
use super::tree::Tree;
use crate::budget::{Budget, Layer};
use crate::cdp::protocol::dom::GetFrameOwnerParams;
use crate::cdp::{Failure, Pending, Reply, SessionId};
use crate::error::{Error, Result};

/// How long a frame in another process may take; then the tree says that it does not answer.
const FRAME_ANSWERS_WITHIN: Duration = Duration::from_secs(3);

/// Frames that are being asked, by session.
struct Asked {
    session: SessionId,
    snapshot: Pending,
    flags: Vec<(String, Pending)>,
}

/// Captures the current tab. One round trip, and two more for documents that are new.
///
/// # Errors
/// As [`Session::page_call`]. A frame that can't be read is no error; the tree says so in its place.
pub(super) async fn capture(page: &mut Session, budget: &Budget) -> Result<Tree> {
    let target = page.current.clone();
    let main = page.page()?;
    let frames = page.frame_ids();
    page.prepare_worlds(&frames, budget).await?;
    let mut metas = page.frame_metas(budget).await?;
    let sessions = page.live.read(|world| world.sessions_of(&target));
    let mut asked = Vec::new();
    for id in sessions {
        let session = page.cdp(&id);
        let snapshot = session.start_json("DOMSnapshot.captureSnapshot", &snapshot::parameters());
        let served = page.live.read(|world| {
            let here = world.frames_of(&target).into_iter().filter(|(_, frame)| frame.session.as_ref() == Some(&id));
            here.map(|(frame, _)| frame.to_owned()).collect::<Vec<String>>()
        });
        let flags = served.into_iter().filter_map(|frame| {
            let context = page.known_world(&frame)?;
            Some((frame, session.start(in_world(context, snapshot::FLAGS))))
        });
        asked.push(Asked { flags: flags.collect(), session: id, snapshot });
    }
    let mut replies: Vec<(Reply, Vec<(String, Reply)>)> = Vec::new();
    for Asked { session, snapshot, flags } in asked {
        let is_main = main.id() == Some(&session);
        // One frame that is stuck must not cost the page around it.
        let patience = budget.child(FRAME_ANSWERS_WITHIN, Layer::Call);
        let budget = if is_main { budget } else { &patience };
        let snapshot = match page.answered(snapshot, budget).await {
            Ok(reply) => reply,
            // A frame in another process may be stuck or gone; the rest of the page is readable all the same.
            Err(Failed::Command(failure)) if !is_main && !matches!(failure, Failure::Closed { .. }) => {
                unread(page, &mut metas, &session, &failure);
                continue;
            }
            Err(failed) => return Err(page.word(failed, budget)),
        };
        let mut told = Vec::new();
        for (frame, pending) in flags {
            match page.answered(pending, budget).await {
                Ok(reply) => told.push((frame, reply)),
                // The document was replaced meanwhile: its flags are lost, and the next reading has new ones.
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => page.forget_world(&frame),
                Err(failed) => return Err(page.word(failed, budget)),
            }
        }
        replies.push((snapshot, told));
    }
    let flags: Vec<Vec<(&str, &str)>> = replies
        .iter()
        .map(|(_, told)| told.iter().map(|(frame, reply)| (frame.as_str(), reply.json())).collect())
        .collect();
    let captures: Vec<Capture<'_>> =
        replies.iter().zip(&flags).map(|((snapshot, _), flags)| Capture { json: snapshot.json(), flags }).collect();
    snapshot::join(&captures, &metas)
        .map_err(|problem| Error::BrowserProtocol { method: "DOMSnapshot.captureSnapshot".into(), problem })
}

fn unread(page: &Session, metas: &mut HashMap<String, FrameMeta>, session: &SessionId, failure: &Failure) {
    let reason = match failure {
        Failure::NoAnswer { .. } => "it does not answer",
        Failure::Crashed { .. } => "it crashed",
        _ => "it went away",
    };
    let lost = page.live.read(|world| {
        let frames = world.frames_of(&page.current);
        let here = frames.into_iter().filter(|(_, frame)| frame.session.as_ref() == Some(session));
        here.map(|(id, _)| id.to_owned()).collect::<Vec<String>>()
    });
    for frame in lost {
        if let Some(meta) = metas.get_mut(&frame) {
            meta.unread = Some(reason.to_owned());
        }
    }
}

impl Session {
    /// Returns what is known of each frame of the tab, by frame id. A frame of another process is asked for its
    /// owner once.
    async fn frame_metas(&mut self, budget: &Budget) -> Result<HashMap<String, FrameMeta>> {
        let (metas, missing) = self.live.read(|world| {
            let mut metas = HashMap::new();
            let mut missing: Vec<(String, String, SessionId)> = Vec::new();
            for (id, frame) in world.frames_of(&self.current) {
                let parent = frame.parent.as_deref().and_then(|parent| Some((parent, world.frame(parent)?)));
                if let Some((parent, known)) = parent
                    && known.session != frame.session
                    && let Some(session) = &known.session
                    && !self.owners.contains_key(id)
                {
                    missing.push((id.to_owned(), parent.to_owned(), session.clone()));
                }
                metas.insert(
                    id.to_owned(),
                    FrameMeta {
                        label: frame.label.clone(),
                        loader_id: frame.loader.clone().unwrap_or_default(),
                        url: frame.url.clone(),
                        owner: None,
                        unread: match (&frame.session, &frame.loader) {
                            (None, _) => Some("it is not attached yet".to_owned()),
                            (_, None) => Some("it has not loaded yet".to_owned()),
                            _ => None,
                        },
                    },
                );
            }
            (metas, missing)
        });
        let ask = |(frame, parent, session): (String, String, SessionId)| {
            let pending = self.cdp(&session).start(GetFrameOwnerParams::new(frame.clone()));
            (frame, parent, pending)
        };
        let asked: Vec<(String, String, Pending)> = missing.into_iter().map(ask).collect();
        for (frame, parent, pending) in asked {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    let owner: Owner = reply.decode().map_err(|failure| self.explain(failure, budget))?;
                    self.owners.insert(frame, (parent, owner.backend_node_id));
                }
                // The frame was taken out of the page meanwhile.
                Err(Failed::Command(Failure::Refused { .. } | Failure::Detached { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        Ok(metas
            .into_iter()
            .map(|(id, meta)| {
                let owner = self.owners.get(&id).cloned();
                (id, FrameMeta { owner, ..meta })
            })
            .collect())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Owner {
    backend_node_id: i64,
}
