//! Plain facts about the current tab and its documents.

use std::time::Duration;

use super::Session;
use crate::budget::{Budget, Layer};
use crate::cdp::{CdpSession, SessionId};
use crate::error::Result;

impl Session {
    /// Returns the target id of the current tab, which is also the frame id of its main frame.
    pub fn target(&self) -> &str {
        &self.current
    }

    pub fn cdp(&self, id: &SessionId) -> CdpSession {
        self.connection.session(id.clone())
    }

    /// Returns the session of the page, also of a crashed one: it can be navigated.
    ///
    /// # Errors
    /// `tab::closed`, `browser::gone`.
    pub fn reachable(&self) -> Result<CdpSession> {
        let tab = self.tab()?;
        match &tab.session {
            Some(id) => Ok(self.cdp(id)),
            None => Err(self.tab_closed(tab.label)),
        }
    }

    /// Returns the address of the main frame, with its fragment.
    ///
    /// # Errors
    /// `tab::closed`, `browser::gone`.
    pub fn url(&self) -> Result<String> {
        self.tab()?;
        Ok(self.live.read(|world| world.frame(&self.current).map_or_else(String::new, |frame| frame.url.clone())))
    }

    /// Returns how many documents the main frame has shown; a change of the fragment counts.
    pub fn commits(&self) -> u64 {
        self.live.read(|world| world.frame(&self.current).map_or(0, |frame| frame.commits))
    }

    /// Returns how many documents all frames of the current tab have committed.
    pub fn commits_of_all(&self) -> u64 {
        self.live.read(|world| world.frames_of(&self.current).iter().map(|(_, frame)| frame.commits).sum())
    }

    /// Returns the address that the current tab is on its way to. Until the server there has answered, Chromium holds
    /// back what the page is asked (measured, Chromium 156: a link to a server that takes 8 s).
    pub fn leaving(&self) -> Option<String> {
        self.live.read(|world| Some(world.frame(&self.current)?.navigating.as_ref()?.url.clone()))
    }

    /// Returns the address that the browser could not show, when it shows its error page instead.
    pub fn unreachable(&self) -> Option<String> {
        self.live.read(|world| world.frame(&self.current)?.unreachable.clone())
    }

    /// Keeps the title that the document itself told; the browser's own events about titles come late.
    pub fn told_title(&self, title: &str) {
        self.live.change(|world| {
            if let Some(tab) = world.tab_mut(&self.current) {
                title.clone_into(&mut tab.title);
            }
        });
    }

    /// Takes the tab for usable again: a navigation gives a crashed page a new process.
    pub fn leave_crash(&self) {
        self.live.change(|world| {
            if let Some(tab) = world.tab_mut(&self.current) {
                tab.crashed = false;
            }
        });
    }

    /// Returns whether the page left a call without an answer since its last document.
    pub fn is_silent(&self) -> bool {
        self.live.read(|world| world.tab(&self.current).is_some_and(|tab| tab.silent))
    }

    /// Waits until each frame of the tab is attached, so that none is missing right after a load. A frame that
    /// takes too long is reported as unread by the tree.
    pub async fn wait_for_frames(&self, budget: &Budget) {
        const ATTACHED_WITHIN: Duration = Duration::from_secs(2);
        let budget = budget.child(ATTACHED_WITHIN, Layer::Call);
        let attached = |world: &super::world::World| world.is_settled(&self.current).then_some(());
        // The tree says which frame is missing, so a late one is no error here.
        if self.live.until(&budget, attached).await.is_err() {
            self.live.change_quietly(|world| world.give_up_late_frames(&self.current));
        }
    }
}
