//! What the elements of one tree mean. Counting who shares role and name is done once for all of them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use super::item;
use super::meaning::{Context, Digits, Meaning, Place, without_digits};
use super::text::text_around;
use super::tree::{Node, Tree};

/// Bytes of a row's text that tell rows apart.
const CONTEXT: usize = 4000;

/// Siblings before a flat button that may belong to it.
const BEFORE: usize = 8;

/// Frame, role and name.
type Key<'a> = (u32, &'static str, &'a str);

/// Frame, role and name without digits.
type SeriesKey<'a> = (u32, &'static str, Cow<'a, str>);

/// The meanings of one tree.
#[derive(Debug)]
pub struct Meanings<'a> {
    tree: &'a Tree,
    /// How many nodes have the same role and name in one frame.
    equals: HashMap<Key<'a>, u32>,
    /// Nodes whose role and name are the same but for digits, in tree order.
    series: HashMap<SeriesKey<'a>, Vec<u32>>,
    /// For the series where that was asked: the rows' texts, and how many of the series stand in such a row.
    rows: RefCell<HashMap<SeriesKey<'a>, HashMap<String, u32>>>,
}

impl<'a> Meanings<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        let mut equals: HashMap<Key<'a>, u32> = HashMap::new();
        let mut series: HashMap<SeriesKey<'a>, Vec<u32>> = HashMap::new();
        for (at, node) in (0_u32..).zip(&tree.nodes) {
            if counts(node) {
                *equals.entry(key(node)).or_default() += 1;
                series.entry(series_key(node)).or_default().push(at);
            }
        }
        Self { tree, equals, series, rows: RefCell::default() }
    }

    /// Returns what a node means.
    pub fn of(&self, index: u32) -> Option<Meaning> {
        let mut context = self.context(index, self.place(index));
        let digits = self.digits(index, context.as_ref());
        if let Some(context) = &mut context
            && let Some(row) = self.row(index, &context.place)
        {
            context.telling = item::telling(self.tree, row);
        }
        self.meaning(index, context, digits)
    }

    /// Returns whether the row of a node still holds the item that it held, though states and counters of it may read
    /// otherwise: what an action of the script did to a row is no other row, what the page drew in its place is.
    pub fn holds_the_same(&self, index: u32, before: &Meaning) -> bool {
        let Some(context) = &before.context else { return true };
        let Some(row) = self.row(index, &context.place) else {
            return self.again(index, before).and_then(|now| now.context).is_some_and(|now| now.text == context.text);
        };
        item::holds(&context.telling, &item::pieces(self.tree, row))
    }

    /// Returns the node of a row; `None` where it is no single one.
    fn row(&self, index: u32, place: &Place) -> Option<u32> {
        match *place {
            Place::Itself => Some(index),
            Place::Row { height } => self.level(index, self.row_by_role(index).unwrap_or(height)),
            Place::Box { height, before: 0 } => self.level(index, height),
            Place::Box { .. } => None,
        }
    }

    /// Returns what a node means, looking at the same row as `before` did.
    pub fn again(&self, index: u32, before: &Meaning) -> Option<Meaning> {
        let place = match before.context.as_ref().map(|row| &row.place) {
            None => self.place(index),
            Some(Place::Row { height }) => Some(Place::Row { height: self.row_by_role(index).unwrap_or(*height) }),
            Some(place) => Some(place.clone()),
        };
        let context = self.context(index, place);
        // What digits stand for is asked only where they changed, since it costs a look at all rows of the series.
        let same_name = self.tree.get(index).is_some_and(|node| node.name == before.name);
        let digits = if same_name { before.digits } else { self.digits(index, context.as_ref()) };
        self.meaning(index, context, digits)
    }

    fn meaning(&self, index: u32, context: Option<Context>, digits: Digits) -> Option<Meaning> {
        let node = self.tree.get(index)?;
        let unique = self.equals.get(&key(node)).is_none_or(|&equals| equals < 2);
        Some(Meaning { role: node.role, name: node.name.clone(), context, unique, digits })
    }

    /// Returns where the row of a node is.
    fn place(&self, index: u32) -> Option<Place> {
        if item::is_nameless(self.tree, index) {
            return Some(Place::Itself);
        }
        self.row_by_role(index).map(|height| Place::Row { height }).or_else(|| self.box_around(index))
    }

    fn context(&self, index: u32, place: Option<Place>) -> Option<Context> {
        let place = place?;
        let text = match place {
            Place::Itself => item::joined(&item::pieces(self.tree, index)),
            Place::Row { height } | Place::Box { height, before: 0 } => self.text_beside(index, height)?,
            Place::Box { height, before } => self.text_before(self.level(index, height)?, before),
        };
        Some(Context { text, telling: Vec::new(), place })
    }

    /// Returns the text of the row so many levels up without the element's own.
    fn text_beside(&self, index: u32, height: usize) -> Option<String> {
        let row = self.level(index, height)?;
        let name = self.tree.get(row).filter(|row| is_named_by_its_author(row)).map_or("", |row| row.name.as_str());
        let text = text_around(self.tree, row, index..self.tree.get(index)?.end, CONTEXT);
        Some(format!("{name} {text}").trim().to_owned())
    }

    /// Returns the text of so many siblings before a node.
    fn text_before(&self, index: u32, siblings: usize) -> String {
        let texts = self.before(index).take(siblings).map(|at| text_around(self.tree, at, at..at, CONTEXT));
        let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.reverse();
        texts.join(" ")
    }

    fn before(&self, index: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(item::before(self.tree, index), |&at| item::before(self.tree, at))
    }

    /// Returns the node so many levels up, 0 for the node itself.
    fn level(&self, index: u32, height: usize) -> Option<u32> {
        std::iter::once(index).chain(self.tree.ancestors(index)).nth(height)
    }

    fn series<'s>(&'s self, node: &'s Node) -> &'s [u32] {
        self.series.get(&series_key(node)).map_or(&[], Vec::as_slice)
    }

    /// Returns what the digits in the name of a node stand for.
    fn digits(&self, index: u32, row: Option<&Context>) -> Digits {
        let Some(node) = self.tree.get(index).filter(|node| has_digits(&node.name)) else { return Digits::Count };
        let series = self.series(node);
        let equals = self.equals.get(&key(node)).map_or(0, |&equals| equals as usize);
        if equals >= series.len() {
            return Digits::Count;
        }
        let Some(row) = row.filter(|row| !row.text.is_empty()) else { return Digits::Identify };
        let mut known = self.rows.borrow_mut();
        let rows = known.entry(series_key(node)).or_insert_with(|| {
            let mut rows = HashMap::new();
            for context in series.iter().filter_map(|&other| self.context(other, self.place(other))) {
                *rows.entry(context.text).or_default() += 1;
            }
            rows
        });
        if rows.get(&row.text).is_none_or(|&rows| rows < 2) { Digits::CountInRow } else { Digits::Identify }
    }

    /// Returns the levels up to the row or list item around a node.
    fn row_by_role(&self, index: u32) -> Option<usize> {
        self.tree
            .ancestors(index)
            .position(|above| self.tree.get(above).is_some_and(item::is_row))
            .map(|level| level + 1)
    }

    /// Returns the largest box around a node that stands beside an equal box around another node of the series.
    fn box_around(&self, index: u32) -> Option<Place> {
        let series = self.series(self.tree.get(index)?);
        let at = series.binary_search(&index).ok()?;
        let before = at.checked_sub(1).and_then(|before| series.get(before)).copied();
        let after = series.get(at + 1).copied();
        if before.is_none() && after.is_none() {
            return None;
        }
        let is_alone = |above: &u32| {
            let end = self.tree.get(*above).map_or(*above, |node| node.end);
            before.is_none_or(|before| before < *above) && after.is_none_or(|after| end <= after)
        };
        let height = self.tree.ancestors(index).take_while(is_alone).count();
        let unit = self.level(index, height)?;
        let twins =
            (before.and_then(|peer| self.twin_around(unit, peer)), after.and_then(|peer| self.twin_around(unit, peer)));
        if twins == (None, None) {
            return None;
        }
        let says_nothing = |text: String| text.is_empty();
        let is_flat = height == 0 || self.text_beside(index, height).is_none_or(says_nothing);
        let before = if is_flat { self.belonging_before(unit, twins) } else { 0 };
        (height > 0 || before > 0).then_some(Place::Box { height, before })
    }

    /// Returns how many siblings stand between two boxes of a flat list, as seen from one with its twins: a heading and
    /// what else stands over a button belong to it.
    fn belonging_before(&self, unit: u32, twins: (Option<u32>, Option<u32>)) -> usize {
        let between = |from: u32, to: u32| self.before(from).take(BEFORE).position(|at| at == to);
        match twins {
            (Some(before), _) => between(unit, before),
            (None, Some(after)) => {
                between(after, unit).map(|between| between.min(self.before(unit).take(BEFORE).count()))
            }
            (None, None) => None,
        }
        .unwrap_or(0)
    }

    /// Returns the sibling of `unit` with the same tag that is around `peer`.
    fn twin_around(&self, unit: u32, peer: u32) -> Option<u32> {
        let wanted = self.tree.get(unit)?;
        std::iter::once(peer).chain(self.tree.ancestors(peer)).find(|&above| {
            self.tree.get(above).is_some_and(|node| node.parent == wanted.parent && node.tag == wanted.tag)
        })
    }
}

fn key(node: &Node) -> Key<'_> {
    (node.frame, node.role, node.name.as_str())
}

fn series_key(node: &Node) -> SeriesKey<'_> {
    let name = if has_digits(&node.name) { without_digits(&node.name).into() } else { node.name.as_str().into() };
    (node.frame, node.role, name)
}

fn has_digits(name: &str) -> bool {
    name.contains(char::is_numeric)
}

/// Left out elements mean something as well, but they are no rivals of what people see.
fn counts(node: &Node) -> bool {
    !node.is_text && node.listed
}

/// Containers whose name is not their text, which would hold what is left out here.
fn is_named_by_its_author(node: &Node) -> bool {
    matches!(node.role, "listitem" | "article" | "group" | "region" | "figure" | "form" | "radiogroup")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::meaning::Same;
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

    fn links(html: &str) -> Vec<Meaning> {
        let tree = testing::tree(html);
        let links = (0..).zip(&tree.nodes).filter(|(_, node)| node.role == "link");
        links.map(|(at, _)| Meanings::new(&tree).of(at).unwrap()).collect()
    }

    #[test]
    fn digits_that_tell_one_of_a_series_are_no_counter() {
        let lots = |numbers: &[u32], state: &str| {
            let row = |number: &u32| format!("<li><a href=\"x\">Lot {number}</a> {state}</li>");
            links(&format!("<ul>{}</ul>", numbers.iter().map(row).collect::<String>()))
        };
        for state in ["", "open"] {
            let before = lots(&[1, 2, 3], state);
            assert_eq!(before[0].same(&lots(&[3, 2, 1], state)[0]), Same::Different, "{state}");
            assert_eq!(before[0].same(&lots(&[3], state)[0]), Same::Different, "filtered in place, {state}");
            assert_eq!(before[0].same(&lots(&[1, 3], state)[0]), Same::Equal, "{state}");
        }
    }

    #[test]
    fn digits_count_on_in_a_row_of_its_own() {
        let votes = |rows: &[(&str, u32)]| {
            let row = |(name, votes): &(&str, u32)| format!("<li>{name} <a href=\"x\">Votes {votes}</a></li>");
            links(&format!("<ul>{}</ul>", rows.iter().map(row).collect::<String>()))
        };
        let before = votes(&[("Ann", 1), ("Bob", 5)]);
        assert_eq!(before[0].same(&votes(&[("Ann", 2), ("Bob", 5)])[0]), Same::OnlyDigits);
        assert_eq!(before[0].same(&votes(&[("Bob", 5), ("Ann", 1)])[0]), Same::Different);
    }

    #[test]
    fn a_flat_button_belongs_to_the_heading_over_it() {
        let flat = |names: &[&str]| {
            let item = |name: &&str| format!("<h3>{name}</h3><p>open</p><button>Buy</button>");
            let html: String = names.iter().map(item).collect();
            let tree = testing::tree(&format!("<p>Shop</p>{html}"));
            let meanings = Meanings::new(&tree);
            buttons(&tree).into_iter().map(|at| meanings.of(at).unwrap()).collect::<Vec<Meaning>>()
        };
        let before = flat(&["Pear", "Plum", "Fig"]);
        let rows: Vec<_> = before.iter().map(|meaning| meaning.row_text().into_owned()).collect();
        assert_eq!(rows, ["Pear open", "Plum open", "Fig open"]);
        assert_eq!(before[0].same(&flat(&["Fig", "Plum", "Pear"])[0]), Same::Different);
        assert_eq!(before[1].same(&flat(&["Fig", "Plum", "Pear"])[1]), Same::Equal);
        let pairs = |names: &[&str]| {
            let item = |name: &&str| format!("<dt>{name}</dt><dd><button>Buy</button></dd>");
            first(&format!("<dl>{}</dl>", names.iter().map(item).collect::<String>()))
        };
        assert_eq!(pairs(&["Pear", "Plum"]).same(&pairs(&["Plum", "Pear"])), Same::Different);
    }
}
