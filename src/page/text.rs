//! The text that people read on a page.

use std::ops::Range;

use super::tree::{Hidden, Joint, Node, Tree};

/// Returns the visible text below a node, or of the whole tab: a line for each block, in reading order.
pub fn visible_text(tree: &Tree, root: Option<u32>) -> String {
    let nodes = match root {
        Some(root) => tree.subtree(root),
        None => &tree.nodes,
    };
    let mut text = String::new();
    for line in nodes.iter().filter(|node| is_read(node)) {
        match line.joint {
            _ if text.is_empty() => {}
            Joint::Line => text.push('\n'),
            Joint::Space => text.push(' '),
            Joint::Nothing => {}
        }
        text.push_str(&line.name);
    }
    text
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

/// A picture's name says what its row is about as well as a text does.
fn is_named_picture(node: &Node) -> bool {
    node.role == "image" && !node.name.is_empty() && !node.hidden.is_some_and(Hidden::is_left_out)
}

fn is_read(node: &Node) -> bool {
    node.is_text && !node.continues && !node.hidden.is_some_and(Hidden::is_left_out)
}
