//! What changed on a page between two moments, in page order: a sign and a line for each node that came, went, moved or
//! reads otherwise, under the node that it stands in.
//!
//! Invariant: no node stands on two lines. What both moments share at their beginning and end is passed over with one
//! comparison a line, so the work follows the part that changed.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::layout::{Content, Line, PrintOptions, layout};
use super::lines::{facts, write_content, write_quoted};
use super::rising::rising;
use super::tree::{Node, Tree};

/// The remark on a node that stands elsewhere now.
const MOVED: &str = " [moved]";

/// The lines that tell what changed, and their count by kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub lines: Vec<String>,
    pub added: usize,
    pub removed: usize,
    pub changed: usize,
    pub moved: usize,
}

/// A moment and which part of it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    pub tree: &'a Tree,
    pub options: &'a PrintOptions,
}

impl Changes {
    /// Returns the counts as words: `2 added, 1 changed`; `no changes` when there are none.
    pub fn words(&self) -> String {
        let counts =
            [(self.added, "added"), (self.removed, "removed"), (self.changed, "changed"), (self.moved, "moved")];
        let words: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        if words.is_empty() { "no changes".to_owned() } else { words.join(", ") }
    }
}

/// Returns whether the top document is the same in both moments, so that they can be compared node by node.
pub fn comparable(before: &Tree, after: &Tree) -> bool {
    after.frames.is_empty() || frames(before, after).first().is_some_and(Option::is_some)
}

/// Returns the node that an element or text of one moment is in another.
pub fn twin(from: &Tree, at: u32, to: &Tree) -> Option<u32> {
    let node = from.get(at)?;
    let frame = *frames(to, from).get(node.frame as usize)?;
    to.index_of(frame?, node.backend)
}

/// Compares two moments.
pub fn compare(before: Side<'_>, after: Side<'_>) -> Changes {
    let lines = |side: Side<'_>| layout(side.tree, side.options).lines;
    let (old, new) = (lines(before), lines(after));
    let mut comparison = Comparison {
        old: Lines::new(before.tree, &old),
        new: Lines::new(after.tree, &new),
        frames: frames(before.tree, after.tree),
        shared: 0,
        twins: HashMap::new(),
        marks: HashMap::new(),
        indents: HashMap::new(),
        changes: Changes::default(),
    };
    comparison.run();
    comparison.changes
}

/// Returns for each frame of the later moment which one of the earlier it is, its document included.
fn frames(before: &Tree, after: &Tree) -> Vec<Option<u32>> {
    let twin = |frame: &super::tree::TreeFrame| {
        let at = before.frame_of(&frame.frame_id)?;
        let known = before.frames.get(at as usize)?;
        (known.loader_id == frame.loader_id && known.read.is_ok() && frame.read.is_ok()).then_some(at)
    };
    after.frames.iter().map(twin).collect()
}

/// One moment's lines, with the line that each stands under.
struct Lines<'a> {
    tree: &'a Tree,
    all: &'a [Line],
    above: Vec<Option<usize>>,
}

impl<'a> Lines<'a> {
    fn new(tree: &'a Tree, lines: &'a [Line]) -> Self {
        let mut open: Vec<usize> = Vec::new();
        let depth = |at: &usize| lines.get(*at).map_or(0, |line| line.depth);
        let above = lines.iter().enumerate().map(|(at, line)| {
            while open.pop_if(|last| depth(last) >= line.depth).is_some() {}
            let above = open.last().copied();
            open.push(at);
            above
        });
        Self { tree, all: lines, above: above.collect() }
    }

    fn content(&self, at: usize) -> Option<&'a Content> {
        self.all.get(at).map(|line| &line.content)
    }

    fn node(&self, at: usize) -> Option<&'a Node> {
        self.tree.get(self.all.get(at)?.node()?)
    }

    fn above(&self, at: usize) -> Option<usize> {
        self.above.get(at).copied().flatten()
    }

    fn text(&self, at: usize) -> String {
        let mut text = String::new();
        if let Some(content) = self.content(at) {
            write_content(self.tree, content, false, &mut text);
        }
        text
    }
}

/// A line of the earlier or the later moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Old(usize),
    New(usize),
}

struct Comparison<'a> {
    old: Lines<'a>,
    new: Lines<'a>,
    frames: Vec<Option<u32>>,
    /// How many lines at the beginning are the same.
    shared: usize,
    /// The later line of each earlier one in the part that changed.
    twins: HashMap<usize, usize>,
    /// The sign and the remarks of each later line that has some.
    marks: HashMap<usize, (char, String)>,
    /// The indent of each line that was written.
    indents: HashMap<Place, usize>,
    changes: Changes,
}

impl Comparison<'_> {
    fn run(&mut self) {
        let (old_end, new_end) = (self.old.all.len(), self.new.all.len());
        let shortest = old_end.min(new_end);
        self.shared = (0..shortest).take_while(|&at| self.is_same_line(at, at)).count();
        let rest = shortest - self.shared;
        let end = (1..=rest).take_while(|&back| self.is_same_line(old_end - back, new_end - back)).count();
        let (old_part, new_part) = (self.shared..old_end - end, self.shared..new_end - end);
        let pairs = self.pairs(old_part.clone(), new_part.clone());
        self.twins = pairs.iter().copied().collect();
        let old_of: HashMap<usize, usize> = pairs.iter().map(|&(old, new)| (new, old)).collect();
        let elsewhere: HashSet<usize> =
            pairs.iter().filter(|&&(old, new)| self.is_elsewhere(old, new, &old_of)).map(|&(_, new)| new).collect();
        let in_place: Vec<(usize, usize)> = pairs.into_iter().filter(|(_, new)| !elsewhere.contains(new)).collect();
        let stable: HashSet<usize> = rising(&in_place).into_iter().map(|(_, new)| new).collect();
        for at in new_part.clone() {
            let mark = match old_of.get(&at) {
                None => Some(('+', String::new())),
                Some(&old) => self.mark(old, at, elsewhere.contains(&at), &stable),
            };
            self.marks.extend(mark.map(|mark| (at, mark)));
        }
        let mut passed = old_part.start;
        for at in new_part {
            if let Some(&old) = old_of.get(&at).filter(|_| stable.contains(&at)) {
                self.removed(passed..old);
                passed = old + 1;
            }
            if self.marks.contains_key(&at) {
                self.write(Place::New(at));
            }
        }
        self.removed(passed..old_part.end);
    }

    /// Returns the lines of both moments that show the same element, or the same remark, in the order of the later.
    fn pairs(&self, old: Range<usize>, new: Range<usize>) -> Vec<(usize, usize)> {
        let mut nodes: HashMap<(u32, i64), usize> = HashMap::new();
        let mut notes: HashMap<&str, Vec<usize>> = HashMap::new();
        for at in old.rev() {
            match self.old.content(at) {
                Some(Content::Node(_)) => {
                    if let Some(node) = self.old.node(at) {
                        nodes.insert((node.frame, node.backend), at);
                    }
                }
                Some(Content::Note(text)) => notes.entry(text).or_default().push(at),
                None => {}
            }
        }
        let twin = |at: usize| match self.new.content(at)? {
            Content::Node(_) => {
                let node = self.new.node(at)?;
                let frame = *self.frames.get(node.frame as usize)?;
                nodes.remove(&(frame?, node.backend)).map(|old| (old, at))
            }
            Content::Note(text) => Some((notes.get_mut(text.as_str())?.pop()?, at)),
        };
        new.filter_map(twin).collect()
    }

    fn is_same_line(&self, old: usize, new: usize) -> bool {
        let depth = |lines: &Lines<'_>, at: usize| lines.all.get(at).map(|line| line.depth);
        if depth(&self.old, old) != depth(&self.new, new) {
            return false;
        }
        match (self.old.content(old), self.new.content(new)) {
            (Some(Content::Note(old)), Some(Content::Note(new))) => old == new,
            (Some(Content::Node(_)), Some(Content::Node(_))) => {
                let nodes = self.old.node(old).zip(self.new.node(new));
                nodes.is_some_and(|(old, new)| {
                    old.backend == new.backend
                        && self.frames.get(new.frame as usize) == Some(&Some(old.frame))
                        && reads_the_same(old, new)
                })
            }
            _ => false,
        }
    }

    /// Returns whether a line stands under another one that both moments have. A box that came or went around it does
    /// not move it.
    fn is_elsewhere(&self, old: usize, new: usize, old_of: &HashMap<usize, usize>) -> bool {
        let (old_above, new_above) = (self.old.above(old), self.new.above(new));
        let is_old = |above: usize| above < self.shared || old_of.contains_key(&above);
        let later = old_above.and_then(|above| self.later(above));
        later != new_above && (old_above.is_none() || later.is_some()) && new_above.is_none_or(is_old)
    }

    /// Returns what became of a node that both moments have, when something did.
    fn mark(&self, old: usize, new: usize, elsewhere: bool, stable: &HashSet<usize>) -> Option<(char, String)> {
        let (old_node, new_node) = (self.old.node(old)?, self.new.node(new)?);
        // What stands in an element that moved has moved with it, and one remark tells it.
        let carried = self.new.above(new).is_some_and(|above| {
            above >= self.shared
                && !stable.contains(&above)
                && self.marks.get(&above).is_none_or(|(sign, _)| *sign != '+')
        });
        let mut remarks = String::new();
        if !reads_the_same(old_node, new_node) {
            remarks.push_str(&was(old_node, new_node));
        }
        if elsewhere || !carried && !stable.contains(&new) {
            remarks.push_str(MOVED);
        }
        (!remarks.is_empty()).then_some(('~', remarks))
    }

    fn removed(&mut self, range: Range<usize>) {
        for at in range {
            if !self.twins.contains_key(&at) {
                self.write(Place::Old(at));
            }
        }
    }

    fn sign(&self, place: Place) -> char {
        match place {
            Place::Old(_) => '-',
            Place::New(at) => self.marks.get(&at).map_or(' ', |(sign, _)| *sign),
        }
    }

    /// Writes a line, and before it the one that it stands under.
    fn write(&mut self, place: Place) {
        let mut chain = vec![place];
        while let Some(&last) = chain.last()
            && self.sign(last) != ' '
            && let Some(above) = self.above(last)
            && !self.indents.contains_key(&above)
        {
            chain.push(above);
        }
        while let Some(place) = chain.pop() {
            if !self.indents.contains_key(&place) {
                self.line(place);
            }
        }
    }

    fn line(&mut self, place: Place) {
        let mut above = self.above(place);
        while let Some(higher) = above.filter(|higher| !self.indents.contains_key(higher)) {
            above = self.above(higher);
        }
        let indent = above.and_then(|above| self.indents.get(&above)).map_or(0, |indent| indent + 1);
        self.indents.insert(place, indent);
        let sign = self.sign(place);
        let (text, remarks) = match place {
            Place::Old(at) => (self.old.text(at), ""),
            Place::New(at) => (self.new.text(at), self.marks.get(&at).map_or("", |(_, remarks)| remarks.as_str())),
        };
        let changes = &mut self.changes;
        match sign {
            '+' => changes.added += 1,
            '-' => changes.removed += 1,
            '~' if remarks == MOVED => changes.moved += 1,
            '~' => changes.changed += 1,
            _ => {}
        }
        changes.lines.push(format!("{sign} {}{text}{remarks}", " ".repeat(indent)));
    }

    /// Returns the line that a line stands under: the later one, where both moments have it.
    fn above(&self, place: Place) -> Option<Place> {
        match place {
            Place::New(at) => self.new.above(at).map(Place::New),
            Place::Old(at) => self.old.above(at).map(|above| self.later(above).map_or(Place::Old(above), Place::New)),
        }
    }

    /// Returns the later line of an earlier one. What stands above a line is never in the part at the end.
    fn later(&self, old: usize) -> Option<usize> {
        if old < self.shared { Some(old) } else { self.twins.get(&old).copied() }
    }
}

fn reads_the_same(old: &Node, new: &Node) -> bool {
    old.reference == new.reference
        && old.role == new.role
        && old.name == new.name
        && old.level == new.level
        && old.states == new.states
        && old.href == new.href
        && old.input_type == new.input_type
        && old.placeholder == new.placeholder
        && old.guessed == new.guessed
        && old.value == new.value
        && old.hidden == new.hidden
}

/// Writes what a line said before, where it says something else now.
fn was(old: &Node, new: &Node) -> String {
    let told = |node: &Node| {
        let mut all: Vec<(String, String)> = Vec::new();
        facts(node, false, |key, fact| all.push((key.to_owned(), fact.to_owned())));
        all
    };
    let mut parts = Vec::new();
    if old.role != new.role {
        parts.push(old.role.to_owned());
    }
    if old.name != new.name {
        let mut name = String::new();
        write_quoted(&old.name, &mut name);
        parts.push(name);
    }
    if old.reference != new.reference
        && let Some(reference) = old.reference
    {
        parts.push(reference.to_string());
    }
    let (before, now) = (told(old), told(new));
    for fact in before.iter().filter(|fact| !now.contains(fact)) {
        parts.push(format!("{}{}", fact.0, fact.1.trim_matches(['[', ']'])));
    }
    for (key, fact) in &now {
        if !before.iter().any(|(known, _)| known == key) {
            let word = if key.is_empty() { fact.trim_matches(['[', ']']) } else { key };
            parts.push(format!("without {word}"));
        }
    }
    if parts.is_empty() {
        // The line shows all of it: what it does not show did not change.
        return String::new();
    }
    format!(" [was {}]", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::page::parse::parse;
    use crate::page::snapshot::testing::tree;
    use crate::reference::Ref;

    /// A moment whose listed nodes have these numbers in the browser, and the refs of the same number.
    fn moment(html: &str, numbers: &[u32]) -> Tree {
        let mut tree = tree(html);
        let mut numbers = numbers.iter();
        for (at, node) in (1..).zip(&mut tree.nodes) {
            let number = if node.listed { numbers.next().copied() } else { None };
            node.backend = number.map_or(-at, i64::from);
            node.reference = number.filter(|_| !node.is_text).map(Ref);
        }
        assert_eq!(numbers.next(), None, "more numbers than nodes");
        tree.index = (0..).zip(&tree.nodes).map(|(at, node)| (node.frame, node.backend, at)).collect();
        tree.index.sort_unstable();
        tree
    }

    fn changes(before: &Tree, after: &Tree) -> Changes {
        let options = &PrintOptions::default();
        assert!(comparable(before, after));
        let changes = compare(Side { tree: before, options }, Side { tree: after, options });
        for line in changes.lines.iter().filter(|line| !line.starts_with('~')) {
            parse(&line[2..]).unwrap();
        }
        changes
    }

    fn group(name: &str, inside: &str) -> String {
        format!("<div role=\"group\" aria-label=\"{name}\">{inside}</div>")
    }

    fn joined(parts: &[String]) -> String {
        parts.concat()
    }

    fn buttons(names: &str) -> String {
        names.chars().map(|name| format!("<button>{name}</button>")).collect()
    }

    #[test]
    fn what_came_went_and_reads_otherwise_stands_in_page_order_under_its_box() {
        let before = moment(&joined(&[buttons("X"), group("Cart", &buttons("ABC"))]), &[9, 1, 2, 3, 4]);
        let inside = joined(&[buttons("A"), "<button disabled>C</button><button>D</button>".to_owned()]);
        let after = moment(&joined(&[buttons("X"), group("Cart", &inside)]), &[9, 1, 2, 4, 5]);
        let found = changes(&before, &after);
        let expected = [
            "  group \"Cart\" [ref_1]",
            "-  button \"B\" [ref_3]",
            "~  button \"C\" [ref_4] disabled [was without disabled]",
            "+  button \"D\" [ref_5]",
        ];
        assert_eq!(found.lines, expected);
        assert_eq!(found.words(), "1 added, 1 removed, 1 changed");
        let none = changes(&after, &after);
        assert_eq!((none.lines.len(), none.words()), (0, "no changes".to_owned()));
    }

    #[test]
    fn a_line_says_what_it_said_before() {
        let before =
            moment(r#"<input aria-label="City" data-live="Porto"><input type="checkbox" aria-label="On">"#, &[1, 2]);
        let mut after = moment(
            r#"<input aria-label="City" data-live="Lisbon"><input type="checkbox" aria-label="On" data-checked>"#,
            &[1, 2],
        );
        after.nodes.iter_mut().filter(|node| node.backend == 2).for_each(|node| node.reference = Some(Ref(7)));
        let expected = [
            "~ textbox \"City\" [ref_1] value=\"Lisbon\" [was value=\"Porto\"]",
            "~ checkbox \"On\" [ref_7] checked [was ref_2, checked=false]",
        ];
        assert_eq!(changes(&before, &after).lines, expected);
    }

    #[test]
    fn what_moved_is_told_once_and_a_box_around_moves_nothing() {
        let before = moment(&joined(&[group("One", &buttons("AB")), group("Two", &buttons("C"))]), &[1, 2, 3, 4, 5]);
        let after = moment(&joined(&[group("One", &buttons("A")), group("Two", &buttons("BC"))]), &[1, 2, 4, 3, 5]);
        let expected = ["  group \"Two\" [ref_4]", "~  button \"B\" [ref_3] [moved]"];
        assert_eq!(changes(&before, &after).lines, expected);
        let swapped = moment(&joined(&[group("Two", &buttons("C")), group("One", &buttons("AB"))]), &[4, 5, 1, 2, 3]);
        assert_eq!(changes(&before, &swapped).lines, ["~ group \"Two\" [ref_4] [moved]"]);
        let bare = moment(&buttons("AB"), &[1, 2]);
        let boxed = moment(&group("Box", &buttons("AB")), &[8, 1, 2]);
        assert_eq!(changes(&bare, &boxed).lines, ["+ group \"Box\" [ref_8]"]);
        assert_eq!(changes(&boxed, &bare).lines, ["- group \"Box\" [ref_8]"]);
    }

    proptest! {
        #[test]
        fn every_node_stands_on_one_line_at_most_and_none_is_missed(
            before in Just((1_u32..12).collect::<Vec<_>>()).prop_shuffle(),
            after in Just((1_u32..12).collect::<Vec<_>>()).prop_shuffle(),
            sizes in [1_usize..11, 1..11],
        ) {
            let (before, after) = (&before[..sizes[0]], &after[..sizes[1]]);
            let made = |numbers: &[u32]| {
                let names: String = numbers.iter().filter_map(|&number| char::from_u32(64 + number)).collect();
                let all: Vec<u32> = std::iter::once(99).chain(numbers.iter().copied()).collect();
                moment(&group("All", &buttons(&names)), &all)
            };
            let changes = changes(&made(before), &made(after));
            let come = after.iter().filter(|number| !before.contains(number)).count();
            let gone = before.iter().filter(|number| !after.contains(number)).count();
            prop_assert_eq!((changes.added, changes.removed, changes.changed), (come, gone, 0));
            let mut refs: Vec<&str> = changes.lines.iter().filter_map(|line| line.split("[ref_").nth(1)).collect();
            let lines = refs.len();
            refs.sort_unstable();
            refs.dedup();
            prop_assert_eq!(refs.len(), lines);
            prop_assert_eq!(changes.lines.is_empty(), before == after);
        }
    }
}
