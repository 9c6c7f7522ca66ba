//! The text that people see.

use super::tree::{Hidden, Tree};

/// Elements that stand in a line of text.
const INLINE: [&str; 28] = [
    "#text", "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "kbd", "label", "mark",
    "q", "s", "samp", "slot", "small", "span", "strong", "sub", "sup", "time", "u", "var",
];

/// Returns the text of a subtree, or of the whole page, a line for each block.
pub fn visible(tree: &Tree, root: Option<u32>) -> String {
    let nodes = match root {
        Some(root) => tree.subtree(root),
        None => tree.nodes.as_slice(),
    };
    let mut text = String::new();
    let mut block = None;
    for node in nodes.iter().filter(|node| node.is_text && !node.hidden.is_some_and(Hidden::is_left_out)) {
        if node.name.is_empty() {
            continue;
        }
        let around = block_around(tree, node.parent);
        if text.is_empty() {
        } else if block != around {
            text.push('\n');
        } else if !node.name.starts_with(['.', ',', ';', ':', '!', '?', ')', ']']) {
            text.push(' ');
        }
        block = around;
        text.push_str(&node.name);
    }
    text
}

/// Returns the nearest element that breaks the line.
fn block_around(tree: &Tree, parent: Option<u32>) -> Option<u32> {
    std::iter::successors(parent, |&at| tree.get(at)?.parent)
        .find(|&at| tree.get(at).is_some_and(|node| !INLINE.contains(&node.tag.as_ref())))
}
