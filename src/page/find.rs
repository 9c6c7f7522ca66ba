//! Finding elements by role, name and text.

use super::snapshot::{Role, folded};
use super::tree::{Node, Tree};

/// What to look for. Everything that is given must hold.
#[derive(Debug, Clone, Default)]
pub struct Query {
    pub role: Option<String>,
    pub name: Option<String>,
    /// Text inside it. Without a role, the innermost element around the text matches.
    pub text: Option<String>,
    /// Only the first level of matching counts.
    pub exact: bool,
    /// The id of the only frame to look in.
    pub frame: Option<String>,
    /// The node of the only subtree to look in, itself not included.
    pub within: Option<u32>,
}

/// How well a text matches; the best level that matches anywhere counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Exact,
    /// But for letter case.
    Folded,
    /// A part of it, whatever the letter case.
    Part,
}

/// A text that is looked for.
struct Wanted {
    text: String,
    lower: String,
    exact: bool,
}

impl Wanted {
    fn new(text: &str, exact: bool) -> Self {
        let text = folded(text);
        Self { lower: text.to_lowercase(), text, exact }
    }

    fn level(&self, found: &str) -> Option<Level> {
        if found == self.text {
            return Some(Level::Exact);
        }
        if self.exact || self.text.is_empty() || found.len() < self.text.len().min(self.lower.len()) / 2 {
            return None;
        }
        let lower = found.to_lowercase();
        match lower == self.lower {
            true => Some(Level::Folded),
            false => lower.contains(&self.lower).then_some(Level::Part),
        }
    }
}

/// Returns the matches in page order: those of the best level that matches at all.
pub fn search(tree: &Tree, query: &Query) -> Vec<u32> {
    let range = match query.within {
        Some(within) => within + 1..tree.get(within).map_or(within + 1, |node| node.end),
        None => 0..u32::try_from(tree.nodes.len()).unwrap_or(u32::MAX),
    };
    let frame = match &query.frame {
        Some(id) => match tree.frame_of(id) {
            Some(frame) => Some(frame),
            None => return Vec::new(),
        },
        None => None,
    };
    let inside = |node: &Node| frame.is_none_or(|frame| node.frame == frame);
    let role = match &query.role {
        Some(word) => match role(word) {
            Some(role) => Some(role),
            None => return Vec::new(),
        },
        None => None,
    };
    let name = query.name.as_deref().map(|name| Wanted::new(name, query.exact));
    let text = query.text.as_deref().map(|text| Wanted::new(text, query.exact));
    let mut matches: Vec<(Level, u32)> = Vec::new();
    if let (Some(text), None, None) = (&text, role, &name) {
        for at in range {
            let Some(node) = tree.get(at).filter(|node| inside(node) && is_seen(node)) else { continue };
            let holder = if node.is_text {
                text.level(&node.name).map(|level| (level, holder(tree, at)))
            } else if node.listed {
                text.level(&node.name).map(|level| (level, at))
            } else {
                None
            };
            matches.extend(holder.filter(|(_, holder)| !matches.iter().rev().take(4).any(|(_, known)| known == holder)));
        }
        // A container whose name comes from its content matches together with what it contains: the inner one is meant.
        let all: Vec<u32> = matches.iter().map(|(_, at)| *at).collect();
        matches.retain(|(_, at)| {
            let end = tree.get(*at).map_or(*at, |node| node.end);
            !all.iter().any(|other| other > at && *other < end && !speaks_for(tree, *at))
        });
    } else {
        for at in range {
            let Some(node) = tree.get(at).filter(|node| node.listed && !node.is_text && inside(node)) else { continue };
            if role.is_some_and(|role| node.role != role) {
                continue;
            }
            let Some(by_name) = name.as_ref().map_or(Some(Level::Exact), |name| name.level(&node.name)) else { continue };
            let by_text = text.as_ref().map_or(Some(Level::Exact), |text| {
                text.level(&node.name).or_else(|| text.level(&super::text::visible(tree, Some(at)).replace('\n', " ")))
            });
            matches.extend(by_text.map(|by_text| (by_name.max(by_text), at)));
        }
    }
    let best = matches.iter().map(|(level, _)| *level).min();
    matches.retain(|(level, _)| Some(*level) == best);
    let mut found: Vec<u32> = matches.into_iter().map(|(_, at)| at).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns our name of a role for any name a script may use: ARIA's, ours, or that of Chromium's tree.
pub fn role(word: &str) -> Option<&'static str> {
    Role::of_script(word.trim()).map(Role::text)
}

fn is_seen(node: &Node) -> bool {
    !node.hidden.is_some_and(super::tree::Hidden::is_left_out)
}

/// Whether a control tells its content itself, so that it and not its inner text is meant.
fn speaks_for(tree: &Tree, at: u32) -> bool {
    tree.get(at).is_some_and(|node| node.clickable)
}

/// Returns the element that a text is about: the first listed one around it that holds no other text, else the
/// element that directly holds it.
fn holder(tree: &Tree, text: u32) -> u32 {
    let mut around = tree.ancestors(text);
    let Some(innermost) = around.next() else { return text };
    let alone = |at: u32| tree.subtree(at).iter().filter(|node| node.is_text && is_seen(node)).count() == 1;
    std::iter::once(innermost)
        .chain(around)
        .take_while(|&at| alone(at) && tree.get(at).is_some_and(|node| node.role != "iframe"))
        .find(|&at| tree.get(at).is_some_and(|node| node.listed))
        .unwrap_or(innermost)
}
