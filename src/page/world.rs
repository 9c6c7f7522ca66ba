//! What is known of the browser: tabs, the CDP sessions that serve them, frames and their documents. `fold` keeps it
//! up to date by the events.
//!
//! Invariant: frames are keyed by frame id, and the session that serves a frame may change (a frame that
//! navigates to another site moves to another process and keeps its id).

use std::collections::HashMap;

use indexmap::IndexMap;

use super::isolated::Isolated;
use crate::cdp::{SessionId, TargetInfo};

/// The state of the browser as the events tell it.
#[derive(Debug, Default)]
pub struct World {
    pub(super) tabs: IndexMap<String, Tab>,
    pub(super) sessions: HashMap<SessionId, Served>,
    pub(super) frames: IndexMap<String, Frame>,
    /// Ended documents, so that a stale ref can say by which call it ended.
    pub(super) ended: HashMap<(String, String), Option<String>>,
    /// The call that is under way, such as `click("ref_3")`.
    pub(super) call: Option<String>,
    /// The browser context whose pages are ours; `None` for all.
    pub(super) context: Option<String>,
    /// Pages that appeared and wait to be attached.
    pub(super) arrivals: Vec<TargetInfo>,
    /// Child targets that were attached and wait for their domains to be enabled.
    pub(super) children: Vec<SessionId>,
    /// Documents that appeared and wait for their isolated world.
    pub(super) documents: Vec<Document>,
    /// The isolated world of the document in each frame.
    pub(super) isolated: HashMap<String, Isolated>,
    /// Sessions of pages that crashed, whose waiters must be told.
    pub(super) crashed: Vec<SessionId>,
    pub(super) downloads: Vec<Download>,
    /// What happens to dialogs of every tab.
    pub on_dialog: OnDialog,
    labels: usize,
}

/// A page target.
#[derive(Debug, Clone)]
pub struct Tab {
    /// The name that scripts use: `tab_1`.
    pub label: String,
    pub target: String,
    pub opener: Option<String>,
    pub session: Option<SessionId>,
    /// A session of its own for the script's JavaScript, attached when the target appears, so that code that
    /// hangs can be terminated and never blocks the page's session.
    pub eval_session: Option<SessionId>,
    pub dialog: Option<Dialog>,
    /// The dialog that opened last, answered or not.
    pub last_dialog: Option<Dialog>,
    pub crashed: bool,
    pub closed: bool,
    /// A call got no answer: the page may be busy or hung.
    pub silent: bool,
    pub ready: bool,
    pub title: String,
    /// Counts dialogs, so that a call can tell whether one opened while it ran.
    pub dialogs_seen: u64,
}

/// A JavaScript dialog that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    pub kind: String,
    pub message: String,
    pub default: String,
}

/// What happens to a dialog as soon as it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDialog {
    Accept,
    Dismiss,
    /// It stays open, and each page call fails with `dialog::open`.
    #[default]
    Fail,
}

/// Which tab and frame a CDP session serves.
#[derive(Debug, Clone)]
pub(super) struct Served {
    pub(super) tab: String,
    pub(super) root: String,
    ready: bool,
}

impl Served {
    pub(super) fn new(tab: &str, root: &str) -> Self {
        Self { tab: tab.to_owned(), root: root.to_owned(), ready: false }
    }
}

/// A frame and the document in it.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The name that scripts use: `frame_1`.
    pub label: String,
    pub tab: String,
    pub parent: Option<String>,
    /// `None` while the frame moves to another process.
    pub session: Option<SessionId>,
    pub loader: Option<String>,
    pub url: String,
    pub name: String,
    pub origin: String,
    pub loading: Loading,
    /// A navigation that started and has not committed or ended.
    pub navigating: Option<Navigating>,
    /// How many documents this frame has committed since it is known.
    pub commits: u64,
    /// How many navigations its document has asked for.
    pub requests: u64,
    /// The address of the last of them.
    pub requested: String,
    /// How many navigations ended without a document: nothing came, or a file to save.
    pub fruitless: u64,
    /// Set when the frame shows the browser's own error page instead of this address.
    pub unreachable: Option<String>,
    pub gone: bool,
    /// The call during which the frame went away.
    pub gone_by: Option<String>,
    /// The frame around and the document of it with which this frame went away. It comes back with that document.
    pub(super) went_with: Option<(String, String)>,
    /// It was waited for once and did not come; nothing waits for it again.
    pub(super) is_late: bool,
}

/// A document of a frame, and the session that serves it.
#[derive(Debug, Clone)]
pub struct Document {
    pub session: SessionId,
    pub frame: String,
    pub loader: String,
}

/// How far the document of a frame has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Loading {
    #[default]
    Committed,
    DomReady,
    Loaded,
}

/// A navigation under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Navigating {
    pub url: String,
    pub loader: Option<String>,
}

/// A download that the page started.
#[derive(Debug, Clone)]
pub struct Download {
    pub tab: String,
    pub frame: String,
    pub url: String,
    pub file: String,
}

impl World {
    pub fn tab(&self, target: &str) -> Option<&Tab> {
        self.tabs.get(target)
    }

    pub fn tab_mut(&mut self, target: &str) -> Option<&mut Tab> {
        self.tabs.get_mut(target)
    }

    pub fn tab_by_label(&self, label: &str) -> Option<&Tab> {
        self.tabs.values().find(|tab| tab.label == label)
    }

    /// Returns the tabs in the order in which they appeared, closed ones included.
    pub fn tabs(&self) -> impl Iterator<Item = &Tab> {
        self.tabs.values()
    }

    pub fn frame(&self, id: &str) -> Option<&Frame> {
        self.frames.get(id)
    }

    /// Returns the live frames of a tab, parents before children.
    pub fn frames_of(&self, target: &str) -> Vec<(&str, &Frame)> {
        let mut ordered = Vec::new();
        let mut open = vec![target];
        let live = |frame: &&Frame| !frame.gone && frame.tab == target;
        while let Some(id) = open.pop() {
            if let Some((id, frame)) = self.frames.get_key_value(id).filter(|(_, frame)| live(frame)) {
                ordered.push((id.as_str(), frame));
            }
            let children = self.frames.iter().filter(|(_, frame)| live(frame) && frame.parent.as_deref() == Some(id));
            open.extend(children.map(|(child, _)| child.as_str()).rev());
        }
        ordered
    }

    /// Returns the sessions that serve frames of a tab, the page's own first.
    pub fn sessions_of(&self, target: &str) -> Vec<SessionId> {
        let mut sessions: Vec<SessionId> = Vec::new();
        for (_, frame) in self.frames_of(target) {
            if let Some(session) = &frame.session
                && !sessions.contains(session)
            {
                sessions.push(session.clone());
            }
        }
        sessions
    }

    /// Returns the tab that a session belongs to.
    pub fn tab_of_session(&self, session: &SessionId) -> Option<&str> {
        self.sessions.get(session).map(|served| served.tab.as_str())
    }

    /// Returns the origin of a frame's document, `null` in a sandbox. Until the document tells it itself: documents that
    /// are written into a frame (`about:srcdoc`, `about:blank`) have the origin of the frame around them; Chromium tells
    /// `://` for these.
    pub fn origin(&self, id: &str) -> &str {
        if let Some(told) = self.told_origin(id) {
            return told;
        }
        let mut at = self.frames.get(id);
        while let Some(frame) = at {
            if frame.origin != "://" && !frame.origin.is_empty() {
                return &frame.origin;
            }
            at = frame.parent.as_deref().and_then(|parent| self.frames.get(parent));
        }
        ""
    }

    /// Takes over the address that a document itself tells. A frame that was attached while its document committed
    /// is listed with an empty one (Chromium 156).
    pub fn told_url(&mut self, id: &str, url: &str) {
        if let Some(frame) = self.frames.get_mut(id).filter(|frame| frame.url.is_empty()) {
            url.clone_into(&mut frame.url);
            if let Ok(parsed) = url::Url::parse(url) {
                frame.origin = parsed.origin().ascii_serialization();
            }
        }
    }

    /// Returns whether every frame of the tab has a session whose domains are enabled.
    pub fn is_settled(&self, target: &str) -> bool {
        self.tabs.get(target).is_some_and(|tab| tab.ready)
            && self.frames_of(target).iter().all(|(_, frame)| {
                let served = frame.session.as_ref().and_then(|session| self.sessions.get(session));
                (served.is_some_and(|served| served.ready) && frame.loader.is_some())
                    || frame.is_late
                    || self.waits_to_be_seen(frame)
            })
    }

    /// Returns whether a frame has no document because it is lazy: the load event of the document around it came
    /// without it.
    fn waits_to_be_seen(&self, frame: &Frame) -> bool {
        let around = frame.parent.as_deref().and_then(|parent| self.frame(parent));
        let is_loaded = around.is_some_and(|around| around.loading >= Loading::Loaded);
        is_loaded && frame.loader.is_none() && frame.session.is_some() && frame.navigating.is_none()
    }

    /// Gives up waiting for the frames of a tab that have not come.
    pub fn give_up_late_frames(&mut self, target: &str) {
        let missing = |frame: &&mut Frame| frame.tab == target && frame.loader.is_none();
        self.frames.values_mut().filter(missing).for_each(|frame| frame.is_late = true);
    }

    /// Returns whether a document has come into a frame, even where another one has taken its place.
    pub fn has_shown(&self, frame: &str, loader: &str) -> bool {
        let shown = self.frame(frame).is_some_and(|known| known.loader.as_deref() == Some(loader));
        shown || self.ended.contains_key(&(frame.to_owned(), loader.to_owned()))
    }

    /// Returns the call during which a document ended.
    pub fn ended_by(&self, frame: &str, loader: &str) -> Option<&str> {
        self.ended.get(&(frame.to_owned(), loader.to_owned())).and_then(|call| call.as_deref())
    }

    pub fn downloads(&self) -> &[Download] {
        &self.downloads
    }

    pub fn set_call(&mut self, call: Option<String>) {
        self.call = call;
    }

    /// From now on only pages of this browser context are taken in.
    pub fn only_context(&mut self, context: &str) {
        self.context = Some(context.to_owned());
    }

    /// Returns the sessions of tabs that crashed since the last look.
    pub fn take_crashed(&mut self) -> Vec<SessionId> {
        std::mem::take(&mut self.crashed)
    }

    /// Forgets the dialog of the tab that a session serves: its answer is on the way.
    pub fn dialog_answered(&mut self, session: &SessionId) {
        if let Some(tab) = self.sessions.get(session).map(|served| served.tab.clone())
            && let Some(tab) = self.tabs.get_mut(&tab)
        {
            tab.dialog = None;
        }
    }

    pub fn take_arrivals(&mut self) -> Vec<TargetInfo> {
        std::mem::take(&mut self.arrivals)
    }

    /// Returns the documents that appeared since the last look.
    pub fn take_documents(&mut self) -> Vec<Document> {
        std::mem::take(&mut self.documents)
    }

    pub fn take_children(&mut self) -> Vec<SessionId> {
        std::mem::take(&mut self.children)
    }

    /// Puts a new page into the list of tabs; its sessions follow.
    pub fn add_tab(&mut self, info: &TargetInfo) {
        let label = format!("tab_{}", self.tabs.len() + 1);
        self.tabs.entry(info.target_id.clone()).or_insert_with(|| Tab {
            label,
            target: info.target_id.clone(),
            opener: info.opener_id.clone(),
            session: None,
            eval_session: None,
            dialog: None,
            last_dialog: None,
            crashed: false,
            closed: false,
            silent: false,
            ready: false,
            title: info.title.clone(),
            dialogs_seen: 0,
        });
        // The main frame of a page has the id of its target.
        self.frame_entry(&info.target_id, &info.target_id, None);
    }

    pub fn serve_tab(&mut self, target: &str, session: &SessionId) {
        let served = Served::new(target, target);
        self.sessions.insert(session.clone(), served);
        if let Some(tab) = self.tabs.get_mut(target) {
            tab.session = Some(session.clone());
        }
        if let Some(frame) = self.frames.get_mut(target) {
            frame.session = Some(session.clone());
        }
    }

    /// Says that the session's domains are enabled and its frame tree is known.
    pub fn session_ready(&mut self, session: &SessionId) {
        if let Some(served) = self.sessions.get_mut(session) {
            served.ready = true;
        }
    }

    pub fn tab_ready(&mut self, target: &str, eval_session: Option<SessionId>) {
        if let Some(tab) = self.tabs.get_mut(target) {
            tab.ready = true;
            tab.eval_session = eval_session;
        }
    }

    /// Takes over a frame of `Page.getFrameTree`; what events said meanwhile is newer and stays.
    pub fn frame_listed(&mut self, session: &SessionId, id: &str, parent: Option<&str>, facts: FrameFacts<'_>) {
        let Some(tab) = self.sessions.get(session).map(|served| served.tab.clone()) else { return };
        let frame = self.frame_entry(id, &tab, parent);
        frame.session = Some(session.clone());
        if frame.loader.is_none() {
            frame.loader = Some(facts.loader.to_owned());
            facts.url.clone_into(&mut frame.url);
            facts.name.clone_into(&mut frame.name);
            facts.origin.clone_into(&mut frame.origin);
            let (session, frame, loader) = (session.clone(), id.to_owned(), facts.loader.to_owned());
            self.documents.push(Document { session, frame, loader });
        }
    }

    pub(super) fn frame_entry(&mut self, id: &str, tab: &str, parent: Option<&str>) -> &mut Frame {
        if !self.frames.contains_key(id) {
            self.labels += 1;
        }
        let label = self.labels;
        let entry = self.frames.entry(id.to_owned()).or_insert_with(|| Frame {
            label: format!("frame_{label}"),
            tab: tab.to_owned(),
            parent: None,
            session: None,
            loader: None,
            url: String::new(),
            name: String::new(),
            origin: String::new(),
            loading: Loading::default(),
            navigating: None,
            commits: 0,
            requests: 0,
            requested: String::new(),
            fruitless: 0,
            unreachable: None,
            gone: false,
            gone_by: None,
            went_with: None,
            is_late: false,
        });
        if let Some(parent) = parent {
            entry.parent = Some(parent.to_owned());
        }
        entry.gone = false;
        entry
    }
}

/// What `Page.getFrameTree` says of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameFacts<'a> {
    pub loader: &'a str,
    pub url: &'a str,
    pub name: &'a str,
    pub origin: &'a str,
}
