//! Attaching: each page and each frame in another process gets its session and its domains as soon as it
//! appears, and each document its isolated world, before anything can go wrong in it.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::isolated::prepare;
use super::settle::Live;
use super::world::{FrameFacts, OnDialog};
use crate::budget::{Budget, Layer};
use crate::cdp::protocol::emulation::SetFocusEmulationEnabledParams;
use crate::cdp::protocol::page::{
    EnableParams, GetFrameTreeParams, HandleJavaScriptDialogParams, SetLifecycleEventsEnabledParams,
};
use crate::cdp::protocol::target::{AttachToTargetParams, SetAutoAttachParams};
use crate::cdp::{CdpSession, Connection, Failure, SessionEnd, SessionId, TargetInfo};

/// A tab that was discarded or is paused by a debugger never answers; its own task gives up after this time.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);

/// Attaches what appears and answers dialogs by the policy, until the connection ends.
pub async fn steward(connection: Connection, live: Arc<Live>) {
    let mut changes = live.changes();
    loop {
        changes.mark_unchanged();
        let (arrivals, children, documents, crashed) = live.change_quietly(|world| {
            (world.take_arrivals(), world.take_children(), world.take_documents(), world.take_crashed())
        });
        for session in crashed {
            connection.fail_session(&session, SessionEnd::Crashed);
        }
        for info in arrivals {
            live.change(|world| world.add_tab(&info));
            tokio::spawn(adopt_tab(connection.clone(), Arc::clone(&live), info));
        }
        for child in children {
            tokio::spawn(adopt_frame(connection.session(child), Arc::clone(&live)));
        }
        for document in documents {
            tokio::spawn(prepare(connection.clone(), Arc::clone(&live), document, patience()));
        }
        answer_dialogs(&connection, &live);
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = connection.closed() => return,
        }
    }
}

fn answer_dialogs(connection: &Connection, live: &Live) {
    let open = live.read(|world| {
        let accept = match world.on_dialog {
            OnDialog::Fail => return Vec::new(),
            OnDialog::Accept => true,
            OnDialog::Dismiss => false,
        };
        let waiting = world.tabs().filter_map(|tab| Some((tab.session.clone()?, tab.dialog.clone()?)));
        waiting.map(|(session, dialog)| (session, dialog, accept)).collect()
    });
    for (session, dialog, accept) in open {
        let mut params = HandleJavaScriptDialogParams::new(accept);
        if accept && dialog.kind == "prompt" {
            params.prompt_text = Some(dialog.default);
        }
        // Marked as answered at once, so that it is answered once; the closing event says the same.
        live.change_quietly(|world| world.dialog_answered(&session));
        connection.session(session).post(params);
    }
}

async fn adopt_tab(connection: Connection, live: Arc<Live>, info: TargetInfo) {
    let budget = patience();
    // A tab that closes while it is being attached, or never answers, stays unready; calls on it say so.
    let Ok(session) = attach(&connection, &info.target_id, &budget).await else { return };
    live.change(|world| world.serve_tab(&info.target_id, &session));
    let page = connection.session(session);
    let eval = attach(&connection, &info.target_id, &budget);
    let (enabled, eval) = tokio::join!(enable(&page, &live, &budget), eval);
    if enabled.is_ok() {
        live.change(|world| world.tab_ready(&info.target_id, eval.ok()));
    }
}

async fn adopt_frame(session: CdpSession, live: Arc<Live>) {
    // A frame that went away meanwhile has nothing to enable; one that never answers is reported as unread.
    drop(enable(&session, &live, &patience()).await);
}

async fn attach(connection: &Connection, target: &str, budget: &Budget) -> Result<SessionId, Failure> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Attached {
        session_id: String,
    }
    let params = AttachToTargetParams { target_id: target.to_owned().into(), flatten: Some(true) };
    let attached: Attached = connection.browser().call(params, budget).await?.decode()?;
    Ok(attached.session_id.into())
}

/// Turns on what we listen to and takes over the frame tree. All commands travel together.
async fn enable(session: &CdpSession, live: &Live, budget: &Budget) -> Result<(), Failure> {
    let enabled = session.start(EnableParams::default());
    let lifecycle = session.start(SetLifecycleEventsEnabledParams::new(true));
    let tree = session.start(GetFrameTreeParams::default());
    let mut auto_attach = SetAutoAttachParams::new(true, false);
    auto_attach.flatten = Some(true);
    let children = session.start(auto_attach);
    // Without it a tab in the background is hidden, unfocused and never paints a frame.
    let focus = session.start(SetFocusEmulationEnabledParams::new(true));
    enabled.reply(budget).await?;
    lifecycle.reply(budget).await?;
    let tree = tree.reply(budget).await?;
    children.reply(budget).await?;
    // Frames in other processes do not know this command.
    drop(focus.reply(budget).await);
    let listed: FrameTreeReply = tree.decode()?;
    let Some(id) = session.id() else { return Ok(()) };
    live.change(|world| {
        let mut open = vec![(&listed.frame_tree, None)];
        while let Some((node, parent)) = open.pop() {
            let frame = &node.frame;
            let facts = FrameFacts {
                loader: &frame.loader_id,
                url: &frame.url,
                name: &frame.name,
                origin: &frame.security_origin,
            };
            world.frame_listed(id, &frame.id, parent.or(frame.parent_id.as_deref()), facts);
            open.extend(node.child_frames.iter().rev().map(|child| (child, Some(frame.id.as_str()))));
        }
        world.session_ready(id);
    });
    Ok(())
}

fn patience() -> Budget {
    Budget::new(CancellationToken::new()).child(ANSWERS_WITHIN, Layer::Call)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameTreeReply {
    frame_tree: FrameNode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameNode {
    frame: FrameOfTree,
    #[serde(default)]
    child_frames: Vec<Self>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameOfTree {
    id: String,
    parent_id: Option<String>,
    loader_id: String,
    url: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    security_origin: String,
}
