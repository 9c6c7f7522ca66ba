//! Frozen moments: the trees that scripts can ask again by their snapshot id, without reading the page again.
//!
//! Invariant: the newest moment of an open tab is always there; of the others only so many, and of large pages fewer.

use std::sync::Arc;

use super::Session;
use super::tree::Tree;
use crate::error::{Error, Result};

/// How many moments of one tab are kept.
pub const KEPT: usize = 8;

/// How many nodes all kept moments may have together, before the oldest go.
const MOST_NODES: usize = 400_000;

/// A tree with where and when it was read.
#[derive(Debug, Clone)]
pub struct Moment {
    /// What scripts call it.
    pub id: String,
    pub tree: Arc<Tree>,
    /// The origin of the top document.
    pub origin: String,
    /// Counts up in the session.
    pub number: u64,
    tab: String,
}

/// The moments of a session, oldest first.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    moments: Vec<Moment>,
    given: u64,
}

impl Shelf {
    /// Adds a moment of a tab and drops what is too much. `is_open` says which tabs are still there.
    fn add(&mut self, tree: Arc<Tree>, tab: &str, origin: String, is_open: impl Fn(&str) -> bool) -> Moment {
        self.given += 1;
        let moment =
            Moment { id: format!("snapshot_{}", self.given), tree, origin, number: self.given, tab: tab.to_owned() };
        self.moments.retain(|kept| is_open(&kept.tab));
        self.moments.push(moment.clone());
        let of_tab = |shelf: &Self| shelf.moments.iter().filter(|kept| kept.tab == tab).count();
        while of_tab(self) > KEPT {
            let Some(oldest) = self.moments.iter().position(|kept| kept.tab == tab) else { break };
            self.moments.remove(oldest);
        }
        while self.nodes() > MOST_NODES {
            let newer_too =
                |at: usize, moment: &Moment| self.moments.iter().skip(at + 1).any(|newer| newer.tab == moment.tab);
            let oldest = self.moments.iter().enumerate().position(|(at, moment)| newer_too(at, moment));
            let Some(oldest) = oldest else { break };
            self.moments.remove(oldest);
        }
        moment
    }

    fn nodes(&self) -> usize {
        self.moments.iter().map(|moment| moment.tree.nodes.len()).sum()
    }

    fn get(&self, id: &str) -> Option<&Moment> {
        self.moments.iter().find(|moment| moment.id == id)
    }

    fn latest(&self, tab: &str) -> Option<&Moment> {
        self.moments.iter().rev().find(|moment| moment.tab == tab)
    }
}

impl Session {
    /// Keeps a tree of the current tab for later questions.
    pub fn keep(&mut self, tree: &Arc<Tree>) -> Moment {
        let (origin, live) = (self.origin(), Arc::clone(&self.live));
        let is_open = |tab: &str| live.read(|world| world.tab(tab).is_some_and(|tab| !tab.closed));
        self.shelf.add(Arc::clone(tree), &self.current, origin, is_open)
    }

    /// Returns a kept moment.
    ///
    /// # Errors
    /// `snapshot::stale` when it is no longer kept.
    pub fn kept(&self, snapshot: &str) -> Result<Moment> {
        self.shelf.get(snapshot).cloned().ok_or_else(|| Error::SnapshotStale {
            snapshot: snapshot.to_owned(),
            latest: self.last_kept().map(|moment| moment.id),
        })
    }

    /// Returns the moment of the current tab that a script asked for last.
    pub fn last_kept(&self) -> Option<Moment> {
        self.shelf.latest(&self.current).cloned()
    }

    /// Returns whether a snapshot id was given to a script in this session, kept or not.
    pub fn was_kept(&self, snapshot: &str) -> bool {
        let number = snapshot.strip_prefix("snapshot_").and_then(|number| number.parse::<u64>().ok());
        number
            .is_some_and(|number| (1..=self.shelf.given).contains(&number) && snapshot == format!("snapshot_{number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing::tree;

    fn ids(shelf: &Shelf) -> Vec<u64> {
        shelf.moments.iter().map(|moment| moment.number).collect()
    }

    #[test]
    fn eight_moments_of_a_tab_are_kept_and_none_of_a_closed_one() {
        let mut shelf = Shelf::default();
        let tree = Arc::new(tree("<p>x</p>"));
        shelf.add(Arc::clone(&tree), "b", String::new(), |_| true);
        for _ in 0..9 {
            shelf.add(Arc::clone(&tree), "a", String::new(), |_| true);
        }
        assert_eq!(ids(&shelf), [1, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert!(shelf.get("snapshot_2").is_none() && shelf.get("snapshot_3").is_some());
        assert_eq!(shelf.latest("b").map(|moment| moment.number), Some(1));
        shelf.add(Arc::clone(&tree), "a", String::new(), |tab| tab == "a");
        assert_eq!(ids(&shelf), [4, 5, 6, 7, 8, 9, 10, 11]);
    }

    #[test]
    fn of_large_pages_fewer_are_kept_but_always_the_newest_of_a_tab() {
        let mut shelf = Shelf::default();
        let large = Arc::new(tree(&"<br>".repeat(MOST_NODES / 3)));
        shelf.add(Arc::clone(&large), "a", String::new(), |_| true);
        for _ in 0..5 {
            shelf.add(Arc::clone(&large), "b", String::new(), |_| true);
        }
        assert_eq!(ids(&shelf), [1, 6]);
    }
}
