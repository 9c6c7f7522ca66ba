//! What is known of the browser: tabs, the CDP sessions that serve them, frames and their documents. A fold
//! over the events in wire order; it asks nothing and waits for nothing.
//!
//! Invariant: frames are keyed by frame id, and the session that serves a frame may change (a frame that
//! navigates to another site moves to another process and keeps its id).

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::cdp::{Event, EventKind, FrameNavigated, SessionId, TargetInfo};

/// The state of the browser as the events tell it.
#[derive(Debug, Default)]
pub struct World {
    tabs: IndexMap<String, Tab>,
    sessions: HashMap<SessionId, Served>,
    frames: IndexMap<String, Frame>,
    /// Ended documents, so that a stale ref can say by which call it ended.
    ended: HashMap<(String, String), Option<String>>,
    /// The call that is under way, such as `click("ref_3")`.
    call: Option<String>,
    /// The browser context whose pages are ours; `None` for all.
    context: Option<String>,
    /// Pages that appeared and wait to be attached.
    arrivals: Vec<TargetInfo>,
    /// Child targets that were attached and wait for their domains to be enabled.
    children: Vec<SessionId>,
    /// Sessions of pages that crashed, whose waiters must be told.
    crashed: Vec<SessionId>,
    downloads: Vec<Download>,
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
struct Served {
    tab: String,
    root: String,
    ready: bool,
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
    /// Set when the frame shows the browser's own error page instead of this address.
    pub unreachable: Option<String>,
    pub gone: bool,
    /// The call during which the frame went away.
    pub gone_by: Option<String>,
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

    /// Returns whether every frame of the tab has a session whose domains are enabled.
    pub fn is_settled(&self, target: &str) -> bool {
        self.tabs.get(target).is_some_and(|tab| tab.ready)
            && self.frames_of(target).iter().all(|(_, frame)| {
                let served = frame.session.as_ref().and_then(|session| self.sessions.get(session));
                served.is_some_and(|served| served.ready) && frame.loader.is_some()
            })
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
        let served = Served { tab: target.to_owned(), root: target.to_owned(), ready: false };
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
        }
    }

    /// Takes one event into account.
    pub fn fold(&mut self, event: Event) {
        let session = event.session;
        match event.kind {
            EventKind::TargetCreated(info) => {
                let ours = self.context.is_none() || self.context == info.browser_context_id;
                if ours && info.kind == "page" && !self.tabs.contains_key(&info.target_id) {
                    self.arrivals.push(info);
                }
            }
            EventKind::TargetInfoChanged(info) => {
                if let Some(tab) = self.tabs.get_mut(&info.target_id) {
                    tab.title = info.title;
                }
            }
            EventKind::TargetDestroyed { target_id } => self.close_tab(&target_id),
            EventKind::TargetCrashed { target_id } => self.crash(&target_id),
            EventKind::AttachedToTarget { session: child, target, .. } => {
                if let Some(parent) = session {
                    self.attach_child(&parent, child, &target);
                }
            }
            EventKind::DetachedFromTarget { session: child } => self.detach(&child),
            kind => {
                if let Some(session) = session {
                    self.fold_page(&session, kind);
                }
            }
        }
    }

    fn fold_page(&mut self, session: &SessionId, kind: EventKind) {
        let Some(served) = self.sessions.get(session) else { return };
        let (tab, root) = (served.tab.clone(), served.root.clone());
        match kind {
            EventKind::Crashed => {
                if root == tab {
                    self.crash(&tab);
                }
            }
            EventKind::FrameAttached { frame, parent } => {
                let entry = self.frame_entry(&frame, &tab, Some(&parent));
                entry.session = Some(session.clone());
            }
            EventKind::FrameDetached { frame, reason } => {
                if reason == "swap" {
                    if let Some(entry) = self.frames.get_mut(&frame)
                        && entry.session.as_ref() == Some(session)
                    {
                        entry.session = None;
                    }
                } else {
                    self.frame_gone(&frame);
                }
            }
            EventKind::FrameNavigated(navigated) => self.navigated(session, &tab, navigated),
            EventKind::NavigatedWithinDocument { frame, url, .. } => {
                if let Some(entry) = self.frames.get_mut(&frame) {
                    entry.url = url;
                    entry.navigating = None;
                    entry.commits += 1;
                }
            }
            EventKind::FrameRequestedNavigation { frame, url, disposition, .. } => {
                if disposition == "currentTab"
                    && let Some(entry) = self.frames.get_mut(&frame)
                {
                    entry.navigating = Some(Navigating { url, loader: None });
                }
            }
            EventKind::FrameStartedNavigating { frame, url, loader, navigation_type } => {
                if let Some(entry) = self.frames.get_mut(&frame)
                    && !matches!(navigation_type.as_str(), "sameDocument" | "historySameDocument")
                {
                    entry.navigating = Some(Navigating { url, loader: Some(loader) });
                }
            }
            EventKind::FrameStoppedLoading { frame } => {
                if let Some(entry) = self.frames.get_mut(&frame) {
                    entry.navigating = None;
                }
            }
            EventKind::LifecycleEvent { frame, loader, name } => self.lifecycle(&frame, &loader, &name),
            EventKind::DialogOpening { kind, message, default_prompt, .. } => {
                if let Some(tab) = self.tabs.get_mut(&tab) {
                    tab.dialog = Some(Dialog { kind, message, default: default_prompt });
                    tab.dialogs_seen += 1;
                }
            }
            EventKind::DialogClosed { .. } => {
                if let Some(tab) = self.tabs.get_mut(&tab) {
                    tab.dialog = None;
                }
            }
            EventKind::DownloadWillBegin { frame, url, suggested_filename, .. } => {
                if let Some(entry) = self.frames.get_mut(&frame) {
                    entry.navigating = None;
                }
                self.downloads.push(Download { tab, url, file: suggested_filename });
            }
            _ => {}
        }
    }

    fn navigated(&mut self, session: &SessionId, tab: &str, navigated: FrameNavigated) {
        // A document restored from the back/forward cache is loaded already and tells no milestones again.
        let restored = navigated.navigation_type == "BackForwardCacheRestore";
        let FrameNavigated { frame, parent, loader, name, url, url_fragment, security_origin, unreachable_url, .. } =
            navigated;
        let call = self.call.clone();
        let entry = self.frame_entry(&frame, tab, parent.as_deref());
        let before = entry.loader.replace(loader.clone());
        entry.session = Some(session.clone());
        // While the error page is shown, the address is the one that was asked for.
        entry.url = unreachable_url.clone().unwrap_or_else(|| format!("{url}{url_fragment}"));
        entry.name = name;
        entry.origin = security_origin;
        entry.unreachable = unreachable_url;
        entry.loading = if restored { Loading::Loaded } else { Loading::Committed };
        entry.navigating = None;
        entry.commits += 1;
        if let Some(before) = before.filter(|before| *before != loader) {
            self.ended.insert((frame.clone(), before), call);
        }
        // A document restored from the back/forward cache is the old one again, with its loader and node ids.
        self.ended.remove(&(frame.clone(), loader));
        if frame == tab
            && let Some(tab) = self.tabs.get_mut(tab)
        {
            tab.crashed = false;
            tab.silent = false;
        }
    }

    fn lifecycle(&mut self, frame: &str, loader: &str, name: &str) {
        let reached = match name {
            "DOMContentLoaded" => Loading::DomReady,
            "load" => Loading::Loaded,
            _ => return,
        };
        if let Some(entry) = self.frames.get_mut(frame)
            && entry.loader.as_deref() == Some(loader)
        {
            entry.loading = entry.loading.max(reached);
        }
    }

    fn attach_child(&mut self, parent: &SessionId, child: SessionId, target: &TargetInfo) {
        if target.kind != "iframe" {
            return;
        }
        let Some(tab) = self.sessions.get(parent).map(|served| served.tab.clone()) else { return };
        let served = Served { tab: tab.clone(), root: target.target_id.clone(), ready: false };
        self.sessions.insert(child.clone(), served);
        // The frame id of a frame in a process of its own is its target id.
        let entry = self.frame_entry(&target.target_id, &tab, target.parent_frame_id.as_deref());
        entry.session = Some(child.clone());
        let before = entry.loader.take();
        if let Some(before) = before {
            let call = self.call.clone();
            self.ended.insert((target.target_id.clone(), before), call);
        }
        self.children.push(child);
    }

    fn detach(&mut self, session: &SessionId) {
        let Some(served) = self.sessions.remove(session) else { return };
        if served.root == served.tab {
            return;
        }
        let orphans: Vec<String> = self
            .frames
            .iter()
            .filter(|(_, frame)| frame.session.as_ref() == Some(session))
            .map(|(id, _)| id.clone())
            .collect();
        for id in orphans {
            self.frame_gone(&id);
        }
    }

    fn frame_gone(&mut self, id: &str) {
        let mut gone = vec![id.to_owned()];
        while let Some(id) = gone.pop() {
            if let Some(frame) = self.frames.get_mut(&id)
                && !frame.gone
            {
                frame.gone = true;
                frame.session = None;
                frame.navigating = None;
                frame.gone_by.clone_from(&self.call);
                let children = self.frames.iter().filter(|(_, frame)| frame.parent.as_deref() == Some(&id));
                gone.extend(children.map(|(child, _)| child.clone()));
            }
        }
    }

    fn close_tab(&mut self, target: &str) {
        if let Some(tab) = self.tabs.get_mut(target) {
            tab.closed = true;
            tab.dialog = None;
        }
        self.arrivals.retain(|info| info.target_id != target);
        self.frame_gone(target);
    }

    fn crash(&mut self, target: &str) {
        if let Some(tab) = self.tabs.get_mut(target) {
            tab.crashed = true;
            tab.dialog = None;
            self.crashed.extend(tab.session.clone());
            self.crashed.extend(tab.eval_session.clone());
        } else {
            self.frame_gone(target);
            return;
        }
        let call = self.call.clone();
        if let Some(frame) = self.frames.get_mut(target)
            && let Some(before) = frame.loader.take()
        {
            self.ended.insert((target.to_owned(), before), call);
        }
        let children = self.frames.iter().filter(|(_, frame)| frame.parent.as_deref() == Some(target));
        for child in children.map(|(child, _)| child.clone()).collect::<Vec<_>>() {
            self.frame_gone(&child);
        }
    }

    fn frame_entry(&mut self, id: &str, tab: &str, parent: Option<&str>) -> &mut Frame {
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
            unreachable: None,
            gone: false,
            gone_by: None,
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
