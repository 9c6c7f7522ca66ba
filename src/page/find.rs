//! Finding elements by role, name and text: the best kind of match that there is counts.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::snapshot::{Role, folded};
use super::tree::{Hidden, Node, Tree};

/// What a script looks for. Everything that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Any name that [`role`] knows; an unknown one matches nothing.
    pub role: Option<String>,
    pub name: Option<String>,
    /// Text that the node contains, in its name or below it.
    pub text: Option<String>,
    /// The node below which to look.
    pub within: Option<u32>,
    /// Only exact matches count.
    pub exact: bool,
    /// Index of the frame to look in.
    pub frame: Option<u32>,
}

/// How well a text matches, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Exact,
    /// But for upper and lower case, and for how accents are written.
    IgnoringCase,
    Part,
}

/// Returns our name of a role for any name a script may use: ARIA's, ours, or that of Chromium's tree.
pub fn role(word: &str) -> Option<&'static str> {
    Role::of_script(word.trim()).map(Role::text)
}

/// Returns the nodes of the best level that matches, in tree order.
pub fn search(tree: &Tree, query: &Query) -> Vec<u32> {
    let wanted_role = match &query.role {
        None => None,
        Some(word) => match role(word) {
            Some(role) => Some(role),
            None => return Vec::new(),
        },
    };
    let search = Search {
        tree,
        role: wanted_role,
        name: query.name.as_deref().map(Needle::new),
        text: query.text.as_deref().map(Needle::new),
        frame: query.frame,
    };
    let range = match query.within {
        None => 0..tree.nodes.len(),
        Some(root) => root as usize + 1..tree.get(root).map_or(0, |node| node.end as usize),
    };
    let mut found = search.all(range);
    let best = if query.exact { Some(Level::Exact) } else { found.iter().map(|&(level, _)| level).min() };
    found.retain(|&(level, _)| Some(level) == best);
    let mut nodes: Vec<u32> = found.into_iter().map(|(_, node)| node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// A text to look for, prepared once.
struct Needle {
    folded: String,
    plain: String,
}

impl Needle {
    fn new(text: &str) -> Self {
        let folded = folded(text);
        Self { plain: plain(&folded), folded }
    }

    fn level(&self, text: &str) -> Option<Level> {
        if text == self.folded {
            return Some(Level::Exact);
        }
        if self.folded.is_empty() {
            return None;
        }
        let text = plain(text);
        if text == self.plain {
            Some(Level::IgnoringCase)
        } else if text.contains(&self.plain) {
            Some(Level::Part)
        } else {
            None
        }
    }
}

/// Returns the text in lower case with accents composed, as people take it for the same.
fn plain(text: &str) -> String {
    let small = text.to_lowercase();
    if small.is_ascii() {
        return small;
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(&small).into_owned()
}

struct Search<'a> {
    tree: &'a Tree,
    role: Option<&'static str>,
    name: Option<Needle>,
    text: Option<Needle>,
    frame: Option<u32>,
}

impl Search<'_> {
    fn all(&self, range: std::ops::Range<usize>) -> Vec<(Level, u32)> {
        let mut found = Vec::new();
        let first = u32::try_from(range.start).unwrap_or(u32::MAX);
        for (at, node) in (first..).zip(self.tree.nodes.get(range).unwrap_or(&[])) {
            if self.frame.is_some_and(|frame| frame != node.frame) || node.hidden.is_some_and(Hidden::is_left_out) {
                continue;
            }
            let hit = match &self.text {
                Some(text) => self.text_hit(at, node, text, first),
                None => self.own_level(node).map(|level| (level, at)),
            };
            found.extend(hit);
        }
        found
    }

    /// Matches role and name of a node.
    fn own_level(&self, node: &Node) -> Option<Level> {
        let fits = !node.is_text
            && match self.role {
                Some(role) => node.role == role && (node.listed || role != "generic"),
                None => node.listed,
            };
        if !fits {
            return None;
        }
        match &self.name {
            Some(name) => name.level(&node.name),
            None => Some(Level::Exact),
        }
    }

    /// Matches the text of a node; a text node stands for the element that people take it for.
    fn text_hit(&self, at: u32, node: &Node, text: &Needle, first: u32) -> Option<(Level, u32)> {
        let level = text.level(&node.name)?;
        if !node.is_text {
            return self.own_level(node).map(|own| (own.max(level), at));
        }
        if self.role.is_some() || self.name.is_some() {
            return self.tree.ancestors(at).take_while(|&above| above >= first).find_map(|above| {
                let own = self.own_level(self.tree.get(above)?)?;
                // A text that is all there is of the node is an exact match of it, else a part.
                Some((own.max(self.level_within(above, level, text)), above))
            });
        }
        let holder = self.holder(at).filter(|&holder| holder >= first)?;
        Some((level, holder))
    }

    fn level_within(&self, above: u32, level: Level, text: &Needle) -> Level {
        if level == Level::Part {
            return level;
        }
        let whole = super::text::text_around(self.tree, above, above + 1..above + 1, text.folded.len() + 1);
        text.level(&whole).unwrap_or(Level::Part)
    }

    /// Returns the element that a piece of text belongs to: the listed one whose line tells it, else the
    /// nearest one that is more than a piece of a line.
    fn holder(&self, text: u32) -> Option<u32> {
        let teller = self.tree.ancestors(text).find(|&above| self.tree.get(above).is_some_and(|node| node.listed && node.speaks_for_text));
        let in_control = teller.filter(|&teller| {
            self.tree.get(teller).is_some_and(|node| node.clickable || !matches!(node.role, "cell" | "gridcell"))
        });
        in_control.or_else(|| {
            self.tree.ancestors(text).find(|&above| {
                self.tree.get(above).is_some_and(|node| {
                    node.listed
                        || !matches!(node.role, "generic" | "strong" | "emphasis" | "code" | "mark" | "subscript" | "superscript" | "insertion" | "deletion")
                        || !matches!(node.tag.as_ref(), "span" | "b" | "i" | "u" | "small" | "em" | "strong" | "code" | "mark" | "font" | "slot")
                })
            })
        })
    }
}
