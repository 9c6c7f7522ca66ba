//! What is close to an element that is gone, or to a locator that finds nothing: ranked by role, name, place in the
//! tree, position and frame, each with the reason.

use super::find::{self, Query};
use super::tree::{Node, Rect, Tree};
use crate::error::Nearest;

/// An element as it was.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub role: String,
    pub name: String,
    /// Roles and names from the outermost container down to the element.
    pub path: Vec<String>,
    pub rect: Option<Rect>,
    pub frame: String,
}

/// A live element that is close to one that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    pub shown: Nearest,
    /// Same role and name at the same place: most likely what replaced it.
    pub is_twin: bool,
}

/// Names are compared up to this many characters: more would cost much and tell little.
const COMPARED: usize = 48;

/// What a candidate is worth below this is no neighbour at all.
const LEAST: f64 = 0.25;

/// Returns up to `count` live elements, best first.
pub fn rank(tree: &Tree, wanted: &Wanted, count: usize) -> Vec<Near> {
    let name: String = wanted.name.to_lowercase().chars().take(COMPARED).collect();
    let frame = tree.frame_of(&wanted.frame);
    let containers = wanted.path.split_last().map_or(&[][..], |(_, containers)| containers);
    let mut scored: Vec<(f64, u32, bool)> = Vec::new();
    for (at, node) in candidates(tree) {
        let by_name = similarity(&name, &node.name);
        let same_role = node.role == wanted.role;
        if !same_role && by_name < 0.5 {
            continue;
        }
        let same_frame = frame == Some(node.frame);
        let place = place(tree, at, containers);
        let distance = wanted.rect.zip(node.rect).map_or(0.0, |(was, is)| closeness(&was, &is));
        let score = 0.25 * f64::from(u8::from(same_role))
            + 0.45 * by_name
            + 0.15 * place
            + 0.10 * distance
            + 0.05 * f64::from(u8::from(same_frame));
        let is_twin = same_role && node.name == wanted.name && same_frame && place >= 1.0;
        if score >= LEAST {
            scored.push((score + f64::from(u8::from(is_twin)), at, is_twin));
        }
    }
    best(scored, count)
        .into_iter()
        .filter_map(|(_, at, is_twin)| {
            let node = tree.get(at)?;
            let why = reason(node, wanted, is_twin);
            Some(Near { shown: Nearest { why, ..describe(tree, at)? }, is_twin })
        })
        .collect()
}

/// Returns up to `count` elements that a locator may have meant, best first.
pub fn like(tree: &Tree, query: &Query, count: usize) -> Vec<Nearest> {
    let role = query.role.as_deref().and_then(find::role);
    let text = query.name.as_deref().or(query.text.as_deref()).unwrap_or("");
    let name: String = text.to_lowercase().chars().take(COMPARED).collect();
    let mut scored = Vec::new();
    for (at, node) in candidates(tree) {
        let by_name = if name.is_empty() { 0.0 } else { similarity(&name, &node.name) };
        let same_role = role.is_some_and(|role| node.role == role);
        let score = by_name + if same_role { 0.4 } else { 0.0 };
        if by_name >= 0.4 || (same_role && (name.is_empty() || by_name >= 0.15)) {
            scored.push((score, at, same_role));
        }
    }
    best(scored, count)
        .into_iter()
        .filter_map(|(score, at, same_role)| {
            let why = match (same_role, score) {
                (true, score) if score >= 0.8 => "same role, similar name",
                (true, _) => "same role",
                (false, _) => "similar name",
            };
            Some(Nearest { why: why.into(), ..describe(tree, at)? })
        })
        .collect()
}

/// Returns an element as messages name it; `None` without a ref.
pub fn describe(tree: &Tree, at: u32) -> Option<Nearest> {
    let node = tree.get(at)?;
    Some(Nearest {
        reference: node.reference?,
        role: node.role.to_owned(),
        name: node.name.chars().take(120).collect(),
        why: String::new(),
    })
}

fn candidates(tree: &Tree) -> impl Iterator<Item = (u32, &Node)> {
    (0u32..).zip(&tree.nodes).filter(|(_, node)| node.listed && node.reference.is_some())
}

fn best(mut scored: Vec<(f64, u32, bool)>, count: usize) -> Vec<(f64, u32, bool)> {
    // Equal scores stay in page order.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(count);
    scored
}

/// Returns 1 for equal names, 0 for names that have nothing in common.
fn similarity(wanted: &str, name: &str) -> f64 {
    let name: String = name.to_lowercase().chars().take(COMPARED).collect();
    if wanted == name {
        return 1.0;
    }
    if wanted.is_empty() || name.is_empty() {
        return 0.0;
    }
    let contained = name.contains(wanted) || wanted.contains(&name);
    let close = strsim::normalized_damerau_levenshtein(wanted, &name);
    if contained { close.max(0.7) } else { close }
}

/// Returns which part of the old containers the candidate has, from the outermost on; 1 where all are the same.
fn place(tree: &Tree, at: u32, containers: &[String]) -> f64 {
    let mut path = tree.path(at);
    path.pop();
    if path == containers {
        return 1.0;
    }
    let longest = path.len().max(containers.len());
    let common = path.iter().zip(containers).take_while(|(a, b)| a == b).count();
    // Bounded by the depth of a page, so the loss of precision is of no account.
    #[expect(clippy::cast_precision_loss, reason = "depths are small numbers")]
    let share = common as f64 / longest.max(1) as f64;
    share.min(0.9)
}

/// Returns 1 for the same place on the page, falling to 0 within some screens.
fn closeness(was: &Rect, is: &Rect) -> f64 {
    let ((x, y), (u, v)) = (was.centre(), is.centre());
    1.0 / (1.0 + (x - u).hypot(y - v) / 200.0)
}

fn reason(node: &Node, wanted: &Wanted, is_twin: bool) -> String {
    let same_role = node.role == wanted.role;
    let same_name = node.name == wanted.name;
    match (is_twin, same_role, same_name) {
        (true, ..) => "same role and name at the same place",
        (_, true, true) => "same role and name elsewhere",
        (_, false, true) => "same name, other role",
        (_, true, false) => "same role, similar name or place",
        (_, false, false) => "similar name",
    }
    .into()
}
