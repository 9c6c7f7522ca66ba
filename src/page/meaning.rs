//! What an element means to a script: role and name, and where several share them, the row it stands in.

use std::collections::HashMap;

use super::text::text_around;
use super::tree::{Node, Tree};

/// Bytes of a row's text that tell rows apart.
const CONTEXT: usize = 4000;

/// Characters of a row's text that an error shows.
const SHOWN: usize = 120;

/// What an element meant at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    pub role: &'static str,
    pub name: String,
    /// The text of the row or list item around, without the element's own.
    pub context: Option<Context>,
    /// Whether role and name were those of one element of the frame only.
    pub unique: bool,
}

/// The row around an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    pub text: String,
    /// Levels from the element up to the row, so that the same row is looked at again.
    pub height: usize,
    /// Whether it is a row by its role, which is found again wherever boxes come and go in between.
    pub by_role: bool,
}

/// How a meaning compares with an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Same {
    Equal,
    /// Only digits in the name differ, as in `Cart (2)`.
    OnlyDigits,
    Different,
}

impl Meaning {
    /// Compares what an element means now with what it meant. The row counts where there was one, unless role
    /// and name were and are unique.
    pub fn same(&self, now: &Self) -> Same {
        if self.role != now.role {
            return Same::Different;
        }
        let rows_count = !(self.unique && now.unique);
        if let Some(row) = self.context.as_ref().filter(|_| rows_count)
            && now.context.as_ref().is_none_or(|now| now.text != row.text)
        {
            return Same::Different;
        }
        if self.name == now.name {
            Same::Equal
        } else if without_digits(&self.name) == without_digits(&now.name) {
            Same::OnlyDigits
        } else {
            Same::Different
        }
    }

    /// Returns role and name as a step of a path.
    pub fn to_path(&self) -> String {
        format!("{} {}", self.role, self.name)
    }

    /// Returns role and name, and the row too where another meaning differs in nothing else.
    pub fn told_apart_from(&self, other: &Self) -> String {
        match &self.context {
            Some(row) if self.role == other.role && self.name == other.name => {
                let other = other.context.as_ref().map_or("", |row| row.text.as_str());
                format!("{} in {}", self.line(), crate::script::quoted(&excerpt(&row.text, other)))
            }
            _ => self.line(),
        }
    }

    /// Returns role and name as they stand on a line.
    pub fn line(&self) -> String {
        format!("{} {}", self.role, crate::script::quoted(&self.name))
    }
}

/// Returns the part of a text where it begins to differ from another one, if it is too long to be shown whole.
fn excerpt(text: &str, other: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= SHOWN {
        return text.to_owned();
    }
    let same = text.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
    let start = same.saturating_sub(SHOWN / 4).min(characters.len() - SHOWN);
    let part: String = characters.iter().skip(start).take(SHOWN).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if start + SHOWN < characters.len() { "…" } else { "" });
    format!("{before}{part}{after}")
}

/// Returns the text without counters in brackets, and with each other number as one mark.
fn without_digits(text: &str) -> String {
    let marked = with_marks(text);
    let plain = ["(0)", "[0]"].iter().fold(marked, |text, counter| text.replace(counter, ""));
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Returns the text with each run of digits, with its separators, as a `0`.
fn with_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_numeric() {
            out.push(character);
            continue;
        }
        out.push('0');
        while let Some(&next) = characters.peek() {
            let mut ahead = characters.clone();
            ahead.next();
            let joins = matches!(next, '.' | ',' | '\'' | ':') && ahead.peek().is_some_and(|after| after.is_numeric());
            if !next.is_numeric() && !joins {
                break;
            }
            characters.next();
        }
    }
    out
}

/// The meanings of one tree. Counting who shares role and name is done once for all nodes.
#[derive(Debug)]
pub struct Meanings<'a> {
    tree: &'a Tree,
    /// Nodes with the same role and name in one frame, in tree order.
    peers: HashMap<(u32, &'static str, &'a str), Vec<u32>>,
}

impl<'a> Meanings<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        let mut peers: HashMap<(u32, &'static str, &'a str), Vec<u32>> = HashMap::new();
        for (at, node) in (0_u32..).zip(&tree.nodes) {
            if counts(node) {
                peers.entry(key(node)).or_default().push(at);
            }
        }
        Self { tree, peers }
    }

    /// Returns what a node means.
    pub fn of(&self, index: u32) -> Option<Meaning> {
        let row =
            self.row_by_role(index).map(|height| (height, true)).or_else(|| Some((self.unit_height(index)?, false)));
        self.meaning(index, row)
    }

    /// Returns what a node means, looking at the same row as `before` did.
    pub fn again(&self, index: u32, before: &Meaning) -> Option<Meaning> {
        match &before.context {
            None => self.of(index),
            Some(row) if row.by_role => {
                let height = self.row_by_role(index).unwrap_or(row.height);
                self.meaning(index, Some((height, true)))
            }
            Some(row) => self.meaning(index, Some((row.height, false))),
        }
    }

    fn meaning(&self, index: u32, row: Option<(usize, bool)>) -> Option<Meaning> {
        let node = self.tree.get(index)?;
        let context = row.and_then(|(height, by_role)| {
            let row = self.tree.ancestors(index).nth(height.checked_sub(1)?)?;
            let name = self.tree.get(row).filter(|row| is_named_by_its_author(row)).map_or("", |row| row.name.as_str());
            let text = text_around(self.tree, row, index..node.end, CONTEXT);
            Some(Context { text: format!("{name} {text}").trim().to_owned(), height, by_role })
        });
        Some(Meaning { role: node.role, name: node.name.clone(), context, unique: self.peers(node).len() < 2 })
    }

    fn peers<'s>(&'s self, node: &'s Node) -> &'s [u32] {
        self.peers.get(&key(node)).map_or(&[], Vec::as_slice)
    }

    /// Returns the levels up to the row or list item around a node.
    fn row_by_role(&self, index: u32) -> Option<usize> {
        self.tree.ancestors(index).position(|above| self.tree.get(above).is_some_and(is_row)).map(|level| level + 1)
    }

    /// Returns the levels up to the largest box around a node that stands beside an equal box around another node of
    /// the same role and name.
    fn unit_height(&self, index: u32) -> Option<usize> {
        let node = self.tree.get(index)?;
        let peers = self.peers(node);
        let at = peers.binary_search(&index).ok()?;
        let before = at.checked_sub(1).and_then(|before| peers.get(before)).copied();
        let after = peers.get(at + 1).copied();
        if before.is_none() && after.is_none() {
            return None;
        }
        let mut height = 0;
        for (level, above) in self.tree.ancestors(index).enumerate() {
            let alone = self.tree.get(above).is_some_and(|node| {
                before.is_none_or(|before| before < above) && after.is_none_or(|after| node.end <= after)
            });
            if !alone {
                break;
            }
            height = level + 1;
        }
        let unit = self.tree.ancestors(index).nth(height.checked_sub(1)?)?;
        let stands_beside = |peer: Option<u32>| peer.is_some_and(|peer| self.has_twin_around(unit, peer));
        (stands_beside(before) || stands_beside(after)).then_some(height)
    }

    /// Returns whether a sibling of `unit` with the same tag is around `peer`.
    fn has_twin_around(&self, unit: u32, peer: u32) -> bool {
        let Some(wanted) = self.tree.get(unit) else { return false };
        std::iter::once(peer).chain(self.tree.ancestors(peer)).any(|above| {
            self.tree.get(above).is_some_and(|node| node.parent == wanted.parent && node.tag == wanted.tag)
        })
    }
}

fn key(node: &Node) -> (u32, &'static str, &str) {
    (node.frame, node.role, node.name.as_str())
}

/// Left out elements mean something as well, but they are no rivals of what people see.
fn counts(node: &Node) -> bool {
    !node.is_text && node.listed
}

/// Containers whose name is not their text, which would hold what is left out here.
fn is_named_by_its_author(node: &Node) -> bool {
    matches!(node.role, "listitem" | "article" | "group" | "region" | "figure" | "form" | "radiogroup")
}

fn is_row(node: &Node) -> bool {
    matches!(node.role, "row" | "listitem" | "treeitem" | "option" | "article")
        || matches!(node.tag.as_ref(), "tr" | "li")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    fn buttons(tree: &Tree) -> Vec<u32> {
        (0..).zip(&tree.nodes).filter(|(_, node)| node.role == "button").map(|(at, _)| at).collect()
    }

    fn first(html: &str) -> Meaning {
        let tree = testing::tree(html);
        Meanings::new(&tree).of(buttons(&tree)[0]).unwrap()
    }

    #[test]
    fn counters_may_change_and_words_may_not() {
        let cart = |text: &str| first(&format!("<button>{text}</button>"));
        assert_eq!(cart("Cart (2)").same(&cart("Cart (13)")), Same::OnlyDigits);
        assert_eq!(cart("Cart").same(&cart("Cart (1)")), Same::OnlyDigits);
        assert_eq!(cart("Cart").same(&cart("Cart 1")), Same::Different);
        assert_eq!(cart("Total 9").same(&cart("Total 1,204.50")), Same::OnlyDigits);
        assert_eq!(cart("Cart").same(&cart("Cart")), Same::Equal);
        assert_eq!(cart("Cancel").same(&cart("Delete")), Same::Different);
    }

    #[test]
    fn rows_tell_equal_buttons_apart() {
        let rows = |one: &str, other: &str| {
            first(&format!("<ul><li>{one}<button>Delete</button></li><li>{other}<button>Delete</button></li></ul>"))
        };
        assert_eq!(rows("INV-3", "INV-4").same(&rows("INV-3", "INV-9")), Same::Equal);
        assert_eq!(rows("INV-3", "INV-4").same(&rows("INV-4", "INV-5")), Same::Different);
    }

    #[test]
    fn boxes_that_repeat_are_rows_too() {
        let boxes = |names: &[&str]| {
            let html: String =
                names.iter().map(|name| format!("<div><p>{name}</p><div><button>Buy</button></div></div>")).collect();
            html
        };
        let before = first(&boxes(&["Pear", "Plum", "Fig"]));
        assert_eq!(before.context.as_ref().map(|row| row.text.as_str()), Some("Pear"));
        assert_eq!(before.same(&first(&boxes(&["Plum", "Pear", "Fig"]))), Same::Different);
        let alone = testing::tree(&boxes(&["Pear"]));
        let again = Meanings::new(&alone).again(buttons(&alone)[0], &before).unwrap();
        assert_eq!(before.same(&again), Same::Equal);
        let recycled = testing::tree(&boxes(&["Plum"]));
        let again = Meanings::new(&recycled).again(buttons(&recycled)[0], &before).unwrap();
        assert_eq!(before.same(&again), Same::Different);
    }

    #[test]
    fn a_box_that_comes_in_between_leaves_the_row_what_it_is() {
        let rows = |cell: &str| format!("<ul><li>Ann{cell}</li><li>Bob<button>Delete</button></li></ul>");
        let before = first(&rows("<button>Delete</button>"));
        let wrapped = testing::tree(&rows("<div><p><button>Delete</button></p></div>"));
        let again = Meanings::new(&wrapped).again(buttons(&wrapped)[0], &before).unwrap();
        assert_eq!(before.same(&again), Same::Equal);
    }

    #[test]
    fn long_rows_are_told_apart_to_their_end_and_shown_in_part() {
        let long = "The same words in each row. ".repeat(30);
        let row = |name: &str| {
            first(&format!("<ul><li>{long}{name}<button>Delete</button></li><li>x<button>Delete</button></li></ul>"))
        };
        let (ann, bob) = (row("Ann"), row("Bob"));
        assert_eq!(ann.same(&bob), Same::Different);
        let words = ann.told_apart_from(&bob);
        assert!(words.ends_with("each row. Ann\"") && words.len() < 200, "{words}");
    }

    #[test]
    fn the_name_of_a_group_is_part_of_its_row() {
        let group = |name: &str| {
            first(&format!(
                "<ul><li aria-label=\"{name}\"><button>Delete</button></li><li><button>Delete</button></li></ul>"
            ))
        };
        assert_eq!(group("Ann").same(&group("Bob")), Same::Different);
    }

    #[test]
    fn what_a_button_says_itself_is_no_part_of_its_row() {
        let row = |name: &str| first(&format!("<ul><li>Ann<button>{name}</button><button>{name}</button></li></ul>"));
        assert_eq!(row("Mute 1").same(&row("Mute 2")), Same::Different);
        let single = |name: &str| {
            let html = format!("<ul><li>Ann<button>{name}</button></li><li>Bob<button>{name}</button></li></ul>");
            first(&html)
        };
        assert_eq!(single("Votes 1").same(&single("Votes 2")), Same::OnlyDigits);
    }

    #[test]
    fn a_page_around_two_equal_buttons_is_no_row() {
        let page = |news: &str| {
            first(&format!("<header><button>Delete</button></header><main>{news}<button>Delete</button></main>"))
        };
        assert_eq!(page("old").same(&page("new")), Same::Equal);
    }
}
