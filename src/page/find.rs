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
pub(super) enum Level {
    Exact,
    /// But for upper and lower case, and for how accents are written.
    IgnoringCase,
    /// One of the texts in a row or box is exactly this.
    Piece,
    Part,
    /// By the words beside a field that has no name.
    Guessed,
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
    found.retain(|(level, _)| !query.exact || matches!(level, Level::Exact | Level::Piece));
    let best = found.iter().map(|&(level, _)| level).min();
    found.retain(|&(level, _)| Some(level) == best);
    let mut nodes: Vec<u32> = found.into_iter().map(|(_, node)| node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if query.role.is_none() { meant(tree, &nodes) } else { nodes }
}

/// Of elements inside each other that all match, such as a cell and the button that is all of it, returns the one
/// that people mean: what can be used, else the inner one.
fn meant(tree: &Tree, nodes: &[u32]) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(nodes.len());
    for &inner in nodes {
        let around = kept.last().copied().filter(|&outer| tree.get(outer).is_some_and(|node| inner < node.end));
        let usable = |at: u32| tree.get(at).is_some_and(|node| node.interactive);
        match around {
            Some(outer) if usable(outer) && !usable(inner) => {}
            Some(_) => {
                kept.pop();
                kept.push(inner);
            }
            None => kept.push(inner),
        }
    }
    kept
}

/// A text to look for, prepared once.
pub(super) struct Needle {
    folded: String,
    plain: String,
}

impl Needle {
    pub(super) fn new(text: &str) -> Self {
        let folded = folded(text);
        Self { plain: plain(&folded), folded }
    }

    pub(super) fn level(&self, text: &str) -> Option<Level> {
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

/// Returns how the words beside a field without a name match: as a whole or not at all.
fn guessed(name: &Needle, node: &Node) -> Option<Level> {
    let level = name.level(node.guessed.as_deref()?)?;
    (level != Level::Part).then_some(Level::Guessed)
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
            Some(name) => name.level(&node.name).or_else(|| guessed(name, node)),
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
                Some((own.max(self.level_within(above, at, level, text)), above))
            });
        }
        let holder = self.holder(at).filter(|&holder| holder >= first)?;
        Some((level, holder))
    }

    fn level_within(&self, above: u32, at: u32, level: Level, text: &Needle) -> Level {
        let is_piece = text.folded == super::text::own_text(self.tree, at);
        let part = if is_piece { Level::Piece } else { Level::Part };
        if level == Level::Part {
            return part;
        }
        let whole = super::text::text_around(self.tree, above, above + 1..above + 1, text.folded.len() + 1);
        text.level(&whole).filter(|level| *level != Level::Part).unwrap_or(part)
    }

    /// Returns the element that a piece of text belongs to: the listed one whose line tells it, else the
    /// nearest one that is more than a piece of a line.
    fn holder(&self, text: u32) -> Option<u32> {
        let teller = self
            .tree
            .ancestors(text)
            .find(|&above| self.tree.get(above).is_some_and(|node| node.listed && node.speaks_for_text));
        let in_control = teller.filter(|&teller| {
            self.tree.get(teller).is_some_and(|node| node.clickable || !matches!(node.role, "cell" | "gridcell"))
        });
        in_control.or_else(|| {
            self.tree.ancestors(text).find(|&above| {
                self.tree.get(above).is_some_and(|node| {
                    node.listed
                        || !matches!(
                            node.role,
                            "generic"
                                | "strong"
                                | "emphasis"
                                | "code"
                                | "mark"
                                | "subscript"
                                | "superscript"
                                | "insertion"
                                | "deletion"
                        )
                        || !matches!(
                            node.tag.as_ref(),
                            "span" | "b" | "i" | "u" | "small" | "em" | "strong" | "code" | "mark" | "font" | "slot"
                        )
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    fn names(tree: &Tree, query: &Query) -> Vec<String> {
        search(tree, query).iter().map(|&at| crate::page::lines::line_of(tree.get(at).unwrap())).collect()
    }

    fn by_name(role: &str, name: &str) -> Query {
        Query { role: Some(role.to_owned()), name: Some(name.to_owned()), ..Query::default() }
    }

    fn by_text(text: &str) -> Query {
        Query { text: Some(text.to_owned()), ..Query::default() }
    }

    #[test]
    fn the_best_level_that_matches_counts() {
        let tree =
            testing::tree("<button>Save all</button><button>SAVE</button><button>Save</button><a href=\"x\">Save</a>");
        assert_eq!(names(&tree, &by_name("button", "Save")), ["button \"Save\""]);
        assert_eq!(names(&tree, &by_name("button", "save")).len(), 2);
        assert_eq!(names(&tree, &by_name("button", "all")), ["button \"Save all\""]);
        assert_eq!(names(&tree, &Query { exact: true, ..by_name("button", "all") }), [""; 0]);
        let any = Query { name: Some("Save".to_owned()), ..Query::default() };
        assert_eq!(names(&tree, &any), ["button \"Save\"", "link \"Save\" href=\"x\""]);
        assert_eq!(names(&tree, &by_name("buttons", "Save")), [""; 0]);
    }

    #[test]
    fn roles_go_by_every_name_they_have() {
        let tree = testing::tree("<img alt=\"Logo\"><details><summary>More</summary></details>");
        for word in ["img", "image"] {
            assert_eq!(names(&tree, &by_name(word, "Logo")).len(), 1, "{word}");
        }
        for word in ["summary", "DisclosureTriangle"] {
            assert_eq!(names(&tree, &by_name(word, "More")).len(), 1, "{word}");
        }
        assert_eq!(role("nonsense"), None);
    }

    #[test]
    fn accents_match_however_they_are_written() {
        let tree = testing::tree("<button>Cafe\u{301}</button><button>Café closed</button>");
        assert_eq!(names(&tree, &by_name("button", "Caf\u{e9}")).len(), 1);
        assert_eq!(names(&tree, &by_name("button", "CAF\u{c9}")).len(), 1);
    }

    #[test]
    fn text_stands_for_the_element_that_people_take_it_for() {
        let html = "<p>Two <b>fresh</b> pears</p><div data-click><span>Sea view</span></div><a href=\"x\">More <i>pears</i></a>";
        let tree = testing::tree(html);
        let tag = |text: &str| {
            let found = search(&tree, &by_text(text));
            found.iter().map(|&at| tree.get(at).unwrap().tag.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(tag("Sea view"), ["div"]);
        assert_eq!(tag("Two fresh pears"), ["p"]);
        assert_eq!(tag("More pears"), ["a"]);
    }

    #[test]
    fn a_row_is_found_by_a_text_in_it() {
        let html = "<table><tr><td>Ann</td><td><button>Edit</button></td></tr><tr><td>Bob</td><td><button>Edit</button></td></tr></table>";
        let tree = testing::tree(html);
        let row = search(&tree, &Query { role: Some("row".to_owned()), ..by_text("Bob") });
        assert_eq!(row.len(), 1);
        let within = Query { within: row.first().copied(), ..by_name("button", "Edit") };
        assert_eq!(search(&tree, &within).len(), 1);
        assert_eq!(search(&tree, &by_name("button", "Edit")).len(), 2);
    }

    #[test]
    fn a_text_of_a_row_counts_before_a_part_of_one() {
        let html = "<ul><li><b>A-10</b> <i>Bob</i> open</li><li><b>A-1</b> <i>Ann</i> open</li><li>A-12</li></ul>";
        let tree = testing::tree(html);
        let rows = |text: &str, exact: bool| {
            let found = search(&tree, &Query { role: Some("listitem".to_owned()), exact, ..by_text(text) });
            found.iter().map(|&at| super::super::item::pieces(&tree, at)[0].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(rows("A-1", false), ["A-1"]);
        assert_eq!(rows("A-1", true), ["A-1"]);
        assert_eq!(rows("A-12", true), ["A-12"]);
        assert_eq!(rows("A-", false).len(), 3);
        assert_eq!(rows("a-1", true).len() + rows("A-", true).len(), 0);
    }

    #[test]
    fn a_box_that_hears_clicks_for_others_hides_none_of_them() {
        let any = |name: &str| Query { name: Some(name.to_owned()), ..Query::default() };
        let html = r#"<div data-click><ul aria-label="Fruit"><li>Kiwi</li><li>Fig</li></ul></div>"#;
        let tree = testing::tree(html);
        assert_eq!(names(&tree, &any("Fruit")), ["list \"Fruit\""]);
        assert_eq!(names(&tree, &by_text("Kiwi")), ["listitem \"\""]);
        for around in ["data-click", "tabindex=\"0\"", "style=\"cursor:pointer\""] {
            let html = format!("<div {around}><h2>Tasks</h2><ul><li>Sow</li></ul><p>2 Tasks</p></div>");
            assert_eq!(names(&testing::tree(&html), &any("Tasks")), ["heading \"Tasks\" level=2"], "{around}");
            let html = format!("<div {around}><h2>Tasks</h2></div>");
            assert_eq!(names(&testing::tree(&html), &any("Tasks")).len(), 1, "{around}");
        }
    }

    #[test]
    fn what_nobody_sees_is_not_found() {
        let tree = testing::tree(
            "<button style=\"display:none\">Ghost</button><button style=\"visibility:hidden\">Ghost</button>",
        );
        assert_eq!(search(&tree, &by_name("button", "Ghost")), [0; 0]);
        assert_eq!(search(&tree, &by_text("Ghost")), [0; 0]);
    }
}
