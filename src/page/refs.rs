//! The ref map: which element each ref names, what it meant, and where it was minted.
//!
//! Invariant: a number is handed out once; an entry is never changed to name another element.

use std::collections::HashMap;
use std::sync::Arc;

use super::meaning::{Meaning, Same};
use super::tree::Rect;
use crate::reference::Ref;
use crate::script::Site;

/// What identifies an element. A backend node id alone is not enough: ids start anew in each process, and after
/// a cross-site navigation old ids name other live elements (measured: 60 of 60, Chromium 156).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub frame: Arc<str>,
    pub loader: Arc<str>,
    pub backend: i64,
}

/// What is remembered of a ref.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: Key,
    /// The target id of its tab.
    pub tab: Arc<str>,
    pub meaning: Meaning,
    /// What it meant when the ref was minted, where the meaning was taken anew since: an element that means again what
    /// it meant is valid again.
    pub minted_meaning: Option<Meaning>,
    /// The ref of the nearest listed container, when it has one.
    pub container: Option<Ref>,
    pub rect: Option<Rect>,
    /// Where the script got it; until then, where the page was read.
    pub minted: Option<Site>,
    /// Whether the script has got it.
    pub handed_out: bool,
    /// The cheap sketch of the element when its meaning was last found unchanged, and how many parents up its row
    /// stood then.
    pub fingerprint: Option<(Option<usize>, String)>,
    /// Set while the next reading takes the meaning anew, after an action of the script changed the element.
    pub retake: bool,
    /// How many calls had acted when the element was last seen alive.
    pub seen: usize,
}

impl Entry {
    /// Returns what the element may mean, the latest first.
    fn meanings(&self) -> impl Iterator<Item = &Meaning> {
        std::iter::once(&self.meaning).chain(&self.minted_meaning)
    }

    /// Returns whether the element means what it may mean. `again` tells what it means now, looking at what the earlier
    /// meaning looked at.
    pub fn means(&self, mut again: impl FnMut(&Meaning) -> Option<Meaning>) -> bool {
        self.meanings().any(|meaning| again(meaning).is_some_and(|now| meaning.same(&now) != Same::Different))
    }
}

/// All refs of a session.
#[derive(Debug, Default)]
pub struct RefMap {
    entries: Vec<Entry>,
    by_key: HashMap<Key, Vec<Ref>>,
    /// The calls that acted on the page, in order.
    acts: Vec<String>,
}

impl RefMap {
    pub fn get(&self, reference: Ref) -> Option<&Entry> {
        self.entries.get(index(reference)?)
    }

    pub fn get_mut(&mut self, reference: Ref) -> Option<&mut Entry> {
        self.entries.get_mut(index(reference)?)
    }

    /// Returns whether the element was ever handed out.
    pub fn has(&self, key: &Key) -> bool {
        self.by_key.contains_key(key)
    }

    /// Returns the ref of an element that still means what it meant when that ref was minted, or what an action of the
    /// script made of it. `again` tells what the element means now, looking at what the earlier meaning looked at,
    /// `holds_the_same` whether its row still holds the same item.
    pub fn find(
        &self,
        key: &Key,
        mut again: impl FnMut(&Meaning) -> Option<Meaning>,
        holds_the_same: impl Fn(&Meaning) -> bool,
    ) -> Option<Ref> {
        let mut same = |reference: &Ref| {
            self.get(*reference)
                .is_some_and(|entry| entry.means(&mut again) || entry.retake && holds_the_same(&entry.meaning))
        };
        self.by_key.get(key)?.iter().rev().copied().find(|reference| same(reference))
    }

    /// Takes over where an element that has a ref is now.
    pub fn refresh(&mut self, reference: Ref, rect: Option<Rect>, container: Option<Ref>) {
        let seen = self.acts.len();
        if let Some(entry) = self.get_mut(reference) {
            entry.seen = seen;
            entry.rect = rect;
            entry.container = container;
        }
    }

    /// Takes the meaning anew where that was asked for.
    pub fn retake(&mut self, reference: Ref, meaning: impl FnOnce() -> Option<Meaning>) {
        if let Some(entry) = self.get_mut(reference).filter(|entry| entry.retake)
            && let Some(meaning) = meaning()
        {
            let before = std::mem::replace(&mut entry.meaning, meaning);
            entry.minted_meaning.get_or_insert(before);
            entry.retake = false;
        }
    }

    /// Mints a ref.
    pub fn mint(&mut self, mut entry: Entry) -> Ref {
        entry.seen = self.acts.len();
        // Earlier refs of the element mean something else by now, so their sketches prove nothing any more.
        for earlier in self.by_key.get(&entry.key).into_iter().flatten().copied().collect::<Vec<Ref>>() {
            if let Some(earlier) = self.get_mut(earlier) {
                earlier.fingerprint = None;
            }
        }
        let reference = Ref(u32::try_from(self.entries.len() + 1).unwrap_or(u32::MAX));
        self.by_key.entry(entry.key.clone()).or_default().push(reference);
        self.entries.push(entry);
        reference
    }

    /// Remembers which call gave a ref to the script; reading the page mints many more than that.
    pub fn hand_out(&mut self, reference: Ref, site: Option<&Site>) {
        if let Some(entry) = self.get_mut(reference).filter(|entry| !entry.handed_out) {
            entry.handed_out = true;
            entry.minted = site.cloned();
        }
    }

    /// Returns roles and names from the outermost container down to the element.
    pub fn path(&self, entry: &Entry) -> Vec<String> {
        /// Deeper than any tree that people read; ends the walk when containers changed places meanwhile.
        const DEEPEST: usize = 200;
        let mut path = vec![entry.meaning.to_path()];
        let mut at = entry.container;
        while let Some(container) = at.and_then(|reference| self.get(reference))
            && path.len() < DEEPEST
        {
            path.push(container.meaning.to_path());
            at = container.container;
        }
        path.reverse();
        path
    }

    /// Remembers that a call of the script acted on the page.
    pub fn acted(&mut self, call: String) {
        self.acts.push(call);
    }

    /// Says that the element of a ref was just found alive.
    pub fn seen(&mut self, reference: Ref) {
        let seen = self.acts.len();
        if let Some(entry) = self.get_mut(reference) {
            entry.seen = seen;
        }
    }

    /// Returns the call that ended an element, when only one has acted since it was last seen alive.
    pub fn culprit(&self, reference: Ref) -> Option<&str> {
        match self.acts.get(self.get(reference)?.seen..)? {
            [only] => Some(only),
            _ => None,
        }
    }
}

fn index(reference: Ref) -> Option<usize> {
    usize::try_from(reference.0).ok()?.checked_sub(1)
}
