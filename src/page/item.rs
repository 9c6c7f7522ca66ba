//! Rows without a name: known by their texts, and among these by the ones that the rows beside them do not have.

use super::text::{is_named_picture, own_text};
use super::tree::{Hidden, Node, Tree};

/// Stands between two pieces; no text of a page holds it after folding.
const BETWEEN: char = '\u{1f}';

/// How many nodes and pieces of a row are looked at, and how many pieces tell it from others. Rows nest, so without an
/// end each node of a deep page would be looked at from each row around it.
const NODES: u32 = 2000;
const PIECES: usize = 60;
const TELLING: usize = 12;

/// Siblings between one row and the next that are looked over.
const APART: usize = 4;

/// Returns whether an element is a row by its role or tag.
pub fn is_row(node: &Node) -> bool {
    matches!(node.role, "row" | "listitem" | "treeitem" | "option" | "article")
        || matches!(node.tag.as_ref(), "tr" | "li")
}

/// Returns whether an element is a row that has nothing but its texts to be known by: one without a name, by its role or
/// as one of several boxes that are built alike.
pub fn is_nameless(tree: &Tree, index: u32) -> bool {
    let Some(node) = tree.get(index).filter(|node| !node.is_text && node.name.is_empty()) else { return false };
    if is_row(node) {
        return true;
    }
    let is_alike = |other: u32| {
        tree.get(other).is_some_and(|other| other.tag == node.tag) && tags(tree, other).eq(tags(tree, index))
    };
    node.role == "generic"
        && tags(tree, index).next().is_some()
        && beside(tree, index).into_iter().flatten().any(is_alike)
}

/// Returns the texts of a row, those of its controls only where it has no others.
pub fn pieces(tree: &Tree, row: u32) -> Vec<&str> {
    let read = texts(tree, row, false);
    if read.is_empty() { texts(tree, row, true) } else { read }
}

/// Returns those pieces of a row that the rows beside it do not have.
pub fn telling(tree: &Tree, row: u32) -> Vec<String> {
    let others: Vec<Vec<&str>> = beside(tree, row).into_iter().flatten().map(|other| pieces(tree, other)).collect();
    let is_own = |piece: &&str| !others.iter().any(|other| other.contains(piece));
    pieces(tree, row).into_iter().filter(is_own).take(TELLING).map(str::to_owned).collect()
}

/// Puts the pieces of a row together.
pub fn joined(pieces: &[&str]) -> String {
    pieces.join(&BETWEEN.to_string())
}

/// Writes joined pieces on one line.
pub fn spaced(joined: &str) -> String {
    joined.replace(BETWEEN, " ")
}

/// Returns whether a row is the one that had the telling pieces: the first of them, which is its title as a rule, and
/// half of all are there. States and times that change leave a row what it is.
pub fn is_still(telling: &[String], joined: &str) -> bool {
    let now: Vec<&str> = joined.split(BETWEEN).collect();
    telling.first().is_none_or(|title| now.contains(&title.as_str())) && half_stands(telling.iter(), &now)
}

/// Returns whether a row holds the item that it held before an action of the script on it: half of the telling pieces
/// are there, numbers aside, which such an action may count up.
pub fn holds(telling: &[String], now: &[&str]) -> bool {
    half_stands(telling.iter().filter(|piece| piece.contains(char::is_alphabetic)), now)
}

fn half_stands<'a>(telling: impl Iterator<Item = &'a String>, now: &[&str]) -> bool {
    let (kept, gone): (Vec<_>, Vec<_>) = telling.partition(|piece| now.contains(&piece.as_str()));
    kept.len() >= gone.len()
}

/// Returns the texts below a row in reading order.
fn texts(tree: &Tree, row: u32, of_controls: bool) -> Vec<&str> {
    let mut pieces = Vec::new();
    let end = tree.get(row).map_or(row, |node| node.end.min(row + NODES));
    let mut at = row;
    while let Some(node) = tree.get(at).filter(|_| at < end && pieces.len() < PIECES) {
        let piece = if node.is_text { own_text(tree, at) } else { node.name.as_str() };
        let is_shown = !node.hidden.is_some_and(Hidden::is_left_out);
        if !piece.is_empty() && (node.is_text && is_shown || is_named_picture(node)) {
            pieces.push(piece);
        }
        at = if !of_controls && at != row && is_control(node) { node.end.max(at + 1) } else { at + 1 };
    }
    pieces
}

/// Returns whether what an element says is a thing to do or a state, and so the same in each row.
fn is_control(node: &Node) -> bool {
    matches!(
        node.role,
        "button"
            | "checkbox"
            | "combobox"
            | "listbox"
            | "menu"
            | "menuitem"
            | "meter"
            | "progressbar"
            | "radio"
            | "searchbox"
            | "slider"
            | "spinbutton"
            | "switch"
            | "textbox"
    )
}

/// Returns the nearest siblings of the same kind before and after an element.
fn beside(tree: &Tree, index: u32) -> [Option<u32>; 2] {
    let is_kin = |&other: &u32| {
        let (one, other) = (tree.get(index), tree.get(other));
        one.zip(other).is_some_and(|(one, other)| one.tag == other.tag && one.role == other.role)
    };
    [
        std::iter::successors(before(tree, index), |&at| before(tree, at)).take(APART).find(is_kin),
        std::iter::successors(after(tree, index), |&at| after(tree, at)).take(APART).find(is_kin),
    ]
}

/// Returns the sibling before a node.
pub fn before(tree: &Tree, index: u32) -> Option<u32> {
    let parent = tree.get(index)?.parent;
    // Just before it stands the last node of that sibling's subtree, or the parent.
    let last = index.checked_sub(1)?;
    std::iter::once(last)
        .chain(tree.ancestors(last))
        .take_while(|&at| Some(at) != parent)
        .find(|&at| tree.get(at).is_some_and(|node| node.parent == parent))
}

/// Returns the sibling after a node.
fn after(tree: &Tree, index: u32) -> Option<u32> {
    let node = tree.get(index)?;
    tree.get(node.end).filter(|after| after.parent == node.parent).map(|_| node.end)
}

/// Returns the tags of the elements just below a node.
fn tags(tree: &Tree, index: u32) -> impl Iterator<Item = &str> {
    let first = tree.get(index + 1).filter(|node| node.parent == Some(index)).map(|_| index + 1);
    let children = std::iter::successors(first, |&at| after(tree, at)).filter_map(|at| tree.get(at));
    children.filter(|node| !node.is_text).map(|node| node.tag.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    fn rows(html: &str, tag: &str) -> (Tree, Vec<u32>) {
        let tree = testing::tree(html);
        let rows = (0..).zip(&tree.nodes).filter(|(_, node)| node.tag == tag).map(|(at, _)| at).collect();
        (tree, rows)
    }

    #[test]
    fn a_row_is_told_by_what_the_rows_beside_it_do_not_have() {
        let html = "<ul><li><b>Lot 1</b> <i>open</i> <button>Bid</button></li><li><b>Lot 2</b> <i>sold</i></li><li><b>Lot 3</b> <i>open</i></li></ul>";
        let (tree, rows) = rows(html, "li");
        assert_eq!(telling(&tree, rows[0]), ["Lot 1", "open"]);
        assert_eq!(telling(&tree, rows[1]), ["Lot 2", "sold"]);
        assert_eq!(pieces(&tree, rows[0]), ["Lot 1", "open"], "what can be done is the same in each row");
    }

    #[test]
    fn states_may_change_and_titles_may_not() {
        let telling = ["Lot 1", "open"].map(str::to_owned);
        let now = |pieces: &[&str]| is_still(&telling, &joined(pieces));
        assert!(now(&["Lot 1", "sold"]) && now(&["open", "Lot 1", "new"]));
        assert!(!now(&["Lot 2", "open"]) && !now(&["Lot 10", "open"]) && !now(&[]));
        let card = ["T-shirt", "M", "20 €"].map(str::to_owned);
        assert!(!is_still(&card, &joined(&["T-shirt", "L", "30 €"])), "another one of the same title");
        assert!(is_still(&[], "anything"), "rows that are all the same");
    }

    #[test]
    fn boxes_that_are_built_alike_are_rows() {
        let html = "<div><h2>Lot 1</h2><p>open</p></div><div><h2>Lot 2</h2><p>open</p></div><div><p>end</p></div>";
        let (tree, boxes) = rows(html, "div");
        let nameless: Vec<bool> = boxes.iter().map(|&at| is_nameless(&tree, at)).collect();
        assert_eq!(nameless, [true, true, false]);
    }
}
