//! The text that people read on a page.

use std::ops::Range;

use super::tree::{Hidden, Joint, Node, Tree};

/// Nodes after a text that may hold the rest of its line.
const REST: usize = 200;

/// Returns the visible text below a node, or of the whole tab: a line for each block, in reading order.
pub fn visible_text(tree: &Tree, root: Option<u32>) -> String {
    let (first, nodes) = match root {
        Some(root) => (root, tree.subtree(root)),
        None => (0, &*tree.nodes),
    };
    let mut text = String::new();
    // One past the options of the last list, of which people see the chosen one only, or each on a line.
    let mut list_ends = 0;
    for (at, node) in (first..).zip(nodes) {
        if node.tag == "select" {
            list_ends = node.end;
            let shown = shown_options(tree, at);
            let joint = tree.subtree(at).iter().find(|node| node.is_text).map_or(Joint::Space, |first| first.joint);
            if !shown.is_empty() {
                join(&mut text, joint);
                text.push_str(&shown);
            }
        } else if at >= list_ends && is_read(node) {
            join(&mut text, node.joint);
            text.push_str(&node.name);
        }
    }
    text
}

fn join(text: &mut String, joint: Joint) {
    match joint {
        _ if text.is_empty() => {}
        Joint::Line => text.push('\n'),
        Joint::Space => text.push(' '),
        Joint::Nothing => {}
    }
}

/// Returns what people see of a native list: the chosen option of one that drops down, else all of them.
fn shown_options(tree: &Tree, list: u32) -> String {
    let Some(node) = tree.get(list).filter(|node| !node.hidden.is_some_and(Hidden::is_left_out)) else {
        return String::new();
    };
    let all = node.role == "listbox";
    let is_shown = |option: &&Node| option.tag == "option" && (all || option.states.selected == Some(true));
    let names: Vec<&str> = tree.subtree(list).iter().filter(is_shown).map(|option| &*option.name).collect();
    names.join("\n")
}

/// Returns the visible text below `root` without the nodes of `hole`, on one line, at most about `most` bytes
/// of it.
pub(super) fn text_around(tree: &Tree, root: u32, hole: Range<u32>, most: usize) -> String {
    let mut text = String::new();
    for (at, node) in (root..).zip(tree.subtree(root)) {
        if hole.contains(&at) || !(is_read(node) || is_named_picture(node)) {
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&node.name);
        if text.len() >= most {
            let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(end);
            break;
        }
    }
    text
}

/// Returns the text of one text node. Inline texts that follow each other are one piece for people, whose first node
/// holds all of it.
pub(super) fn own_text(tree: &Tree, at: u32) -> &str {
    let Some(node) = tree.get(at) else { return "" };
    let mut text = node.name.trim();
    if node.continues {
        return text;
    }
    let after = tree.nodes.get(at as usize + 1..).unwrap_or_default();
    let rest: Vec<&str> = after
        .iter()
        .take(REST)
        .filter(|node| node.is_text)
        .take_while(|node| node.continues)
        .map(|node| node.name.trim())
        .collect();
    for piece in rest.into_iter().rev() {
        text = text.strip_suffix(piece).unwrap_or(text).trim_end();
    }
    text
}

/// A picture's name says what its row is about as well as a text does.
pub(super) fn is_named_picture(node: &Node) -> bool {
    node.role == "image" && !node.name.is_empty() && !node.hidden.is_some_and(Hidden::is_left_out)
}

fn is_read(node: &Node) -> bool {
    node.is_text && !node.continues && !node.hidden.is_some_and(Hidden::is_left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    #[test]
    fn lists_read_as_people_see_them() {
        let html = "<p>Size <select><option>Small</option><option data-selected>Large</option></select> of <select size=\"2\" multiple><option>A</option><option>B</option></select></p><p>end</p>";
        let tree = testing::tree(html);
        let text = visible_text(&tree, None);
        assert!(text.contains("Large") && !text.contains("Small"), "{text}");
        assert!(text.contains("A\nB") && text.ends_with("end"), "{text}");
        let small = (0..99).find(|&at| tree.get(at).is_some_and(|node| node.tag == "option"));
        assert_eq!(visible_text(&tree, small), "Small", "an option by itself");
    }
}
