//! The fold of the browser's events, in wire order, into the [`World`]. It asks nothing and waits for nothing.

use super::world::{Dialog, Document, Download, Frame, Loading, Navigating, Served, World};
use crate::cdp::{Event, EventKind, FrameNavigated, SessionId, TargetInfo};

impl World {
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
            EventKind::Crashed if root == tab => {
                self.crash(&tab);
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
                    entry.requests += 1;
                    entry.requested.clone_from(&url);
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
                if let Some(entry) = self.frames.get_mut(&frame)
                    && entry.navigating.take().is_some()
                {
                    entry.fruitless += 1;
                }
            }
            EventKind::LifecycleEvent { frame, loader, name } => self.lifecycle(&frame, &loader, &name),
            EventKind::DialogOpening { kind, message, default_prompt, .. } => {
                if let Some(tab) = self.tabs.get_mut(&tab) {
                    let dialog = Dialog { kind, message, default: default_prompt };
                    tab.last_dialog = Some(dialog.clone());
                    tab.dialog = Some(dialog);
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
                self.downloads.push(Download { tab, frame, url, file: suggested_filename });
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
        entry.is_late = false;
        entry.loading = if restored { Loading::Loaded } else { Loading::Committed };
        entry.navigating = None;
        entry.commits += 1;
        if let Some(before) = before.filter(|before| *before != loader) {
            self.part_with_frames_in(&frame, &before);
            self.ended.insert((frame.clone(), before), call);
        }
        // A document restored from the back/forward cache is the old one again, with its loader, node ids and frames.
        let came_back = Some((frame.clone(), loader.clone()));
        for inner in self.frames.values_mut().filter(|inner| inner.gone && inner.went_with == came_back) {
            inner.gone = false;
        }
        self.ended.remove(&(frame.clone(), loader.clone()));
        self.documents.push(Document { session: session.clone(), frame: frame.clone(), loader });
        if frame == tab
            && let Some(tab) = self.tabs.get_mut(tab)
        {
            tab.crashed = false;
            tab.silent = false;
        }
    }

    /// The frames in a document go away with it; the browser says nothing of each.
    fn part_with_frames_in(&mut self, frame: &str, loader: &str) {
        let document = Some((frame.to_owned(), loader.to_owned()));
        self.take_away(self.frames_in(frame), |inner| inner.went_with.clone_from(&document));
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
        let served = Served::new(&tab, &target.target_id);
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
        self.take_away(vec![id.to_owned()], |frame| frame.session = None);
    }

    /// Marks live frames and all frames in them as gone.
    fn take_away(&mut self, mut gone: Vec<String>, alter: impl Fn(&mut Frame)) {
        while let Some(id) = gone.pop() {
            if let Some(frame) = self.frames.get_mut(&id).filter(|frame| !frame.gone) {
                frame.gone = true;
                frame.navigating = None;
                frame.gone_by.clone_from(&self.call);
                alter(frame);
                gone.extend(self.frames_in(&id));
            }
        }
    }

    fn frames_in(&self, around: &str) -> Vec<String> {
        let inside = self.frames.iter().filter(|(_, frame)| frame.parent.as_deref() == Some(around));
        inside.map(|(id, _)| id.clone()).collect()
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
        for child in self.frames_in(target) {
            self.frame_gone(&child);
        }
    }
}
