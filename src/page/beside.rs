//! The words that stand beside a field without a label, and whether they are meant for it or for another field.
//!
//! Invariant: words that may just as well belong to another field are nobody's.

use std::collections::HashSet;

use super::tree::{Hidden, Rect, Tree};

/// How many nodes may stand between a field and the words beside it.
const REACH: usize = 12;

/// By how much one field has to be nearer to words than another one, in CSS pixels.
const NEARER: f64 = 6.0;

/// What it counts to stand on another line than the field, in CSS pixels.
const LINE: f64 = 20.0;

/// On which side of a field words stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

/// The fields of a tree, as what words may stand beside.
#[derive(Debug)]
pub struct Beside<'a> {
    tree: &'a Tree,
    /// In tree order.
    fields: Vec<u32>,
    labelled: HashSet<u32>,
}

impl<'a> Beside<'a> {
    /// Takes the fields in tree order, and those that have a label: they need no words.
    pub fn new(tree: &'a Tree, fields: Vec<u32>, labelled: HashSet<u32>) -> Self {
        Self { tree, fields, labelled }
    }

    /// Returns the words for a field, best first. Those on the `usual` side may stand in a container with other
    /// fields, those on the other side only in one of its own.
    pub fn words(&self, field: u32, usual: Side) -> [Option<&'a str>; 2] {
        let other = if usual == Side::Before { Side::After } else { Side::Before };
        let first = self.on(usual, field).and_then(|at| Some((at, self.claim(field, at, usual)?)));
        let second = self.on(other, field).filter(|&at| self.claim(field, at, other) == Some(Claim::Own));
        let text = |at: u32| self.tree.get(at).map(|node| &*node.name);
        match (first, second) {
            (Some((first, Claim::Shared)), Some(second)) => [text(second), text(first)],
            (first, second) => [first.and_then(|(at, _)| text(at)), second.and_then(text)],
        }
    }

    /// Returns the nearest line of text on one side, with no other field between.
    fn on(&self, side: Side, field: u32) -> Option<u32> {
        let is_free = |at: &u32| self.fields.binary_search(at).is_err();
        let is_words = |at: &u32| self.is_words(*at);
        match side {
            Side::Before => (0..field).rev().take(REACH).take_while(is_free).find(is_words),
            Side::After => (self.tree.get(field)?.end..u32::MAX).take(REACH).take_while(is_free).find(is_words),
        }
    }

    /// Whether it is a line of text that people see: its first piece, which holds all of it. What a button reads
    /// is about the button.
    fn is_words(&self, at: u32) -> bool {
        let is_seen = self
            .tree
            .get(at)
            .is_some_and(|node| node.is_text && !node.continues && !node.hidden.is_some_and(Hidden::is_left_out));
        let above = |role: &str| matches!(role, "button" | "link" | "option" | "menuitem" | "tab");
        is_seen && !self.tree.ancestors(at).take(3).filter_map(|up| self.tree.get(up)).any(|node| above(node.role))
    }

    /// Returns whether words are meant for a field; `None` where they are not, or where that is not certain.
    fn claim(&self, field: u32, words: u32, side: Side) -> Option<Claim> {
        let (around, inside) = self
            .tree
            .ancestors(words)
            .map(|above| (above, self.inside(above)))
            .find(|(_, inside)| !inside.is_empty())?;
        // The smallest box that holds words and a field holds them together.
        inside.binary_search(&field).ok()?;
        if inside.len() == 1 {
            return Some(Claim::Own);
        }
        let rivals = || inside.iter().copied().filter(|other| *other != field && !self.labelled.contains(other));
        let rect = |at: u32| self.tree.get(at)?.rect;
        if let (Some(here), Some(own)) = (rect(words), rect(field)) {
            let own = distance(&here, &own);
            let rival = rivals().filter_map(rect).map(|rival| distance(&here, &rival)).fold(f64::INFINITY, f64::min);
            if rival + NEARER < own {
                return None;
            }
            if own + NEARER < rival {
                return Some(Claim::Shared);
            }
        }
        let contested = rivals().any(|rival| if side == Side::Before { rival < words } else { rival > words });
        let (first, last) = self.ends(around);
        let settled = match side {
            Side::Before => first && !last,
            Side::After => last,
        };
        (!contested || settled).then_some(Claim::Shared)
    }

    /// Returns whether a box begins with words, and whether it ends with some, rather than with a field.
    fn ends(&self, around: u32) -> (bool, bool) {
        let Some(node) = self.tree.get(around) else { return (false, false) };
        let kind = |at: u32| {
            if self.fields.binary_search(&at).is_ok() {
                return Some(false);
            }
            // A heading is above all of the fields.
            let is_heading =
                self.tree.ancestors(at).take(2).any(|up| self.tree.get(up).is_some_and(|node| node.role == "heading"));
            (self.is_words(at) && !is_heading).then_some(true)
        };
        let first = (around + 1..node.end).find_map(kind).unwrap_or(false);
        let last = (around + 1..node.end).rev().find_map(kind).unwrap_or(false);
        (first, last)
    }

    fn inside(&self, at: u32) -> &[u32] {
        let end = self.tree.get(at).map_or(at, |node| node.end);
        let from = self.fields.partition_point(|&field| field <= at);
        let to = self.fields.partition_point(|&field| field < end);
        self.fields.get(from..to).unwrap_or_default()
    }
}

/// How certain words belong to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// They stand in a box with no other field.
    Own,
    /// They stand in a box with others, and none of these can mean them.
    Shared,
}

/// Returns how far words stand from a field as people see it.
fn distance(words: &Rect, field: &Rect) -> f64 {
    let gap = |from: f64, to: f64, other_from: f64, other_to: f64| (other_from - to).max(from - other_to).max(0.0);
    let across = gap(words.x, words.x + words.width, field.x, field.x + field.width);
    let down = gap(words.y, words.y + words.height, field.y, field.y + field.height);
    let shared = (words.y + words.height).min(field.y + field.height) - words.y.max(field.y);
    if shared * 2.0 >= words.height.min(field.height) { across } else { across + down + LINE }
}
