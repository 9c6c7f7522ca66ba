//! What fields without a name seem to be: the words beside them, told as a guess.

use super::fields::Fields;
use super::tree::{Node, Tree};

/// Tells for each listed field without a name what it seems to be.
pub fn guess(tree: &mut Tree) {
    let is_nameless = |node: &Node| node.listed && node.name.is_empty() && node.placeholder.is_none();
    let may_be_field = |node: &Node| {
        matches!(node.tag.as_ref(), "input" | "textarea" | "select")
            || matches!(
                node.role,
                "textbox" | "searchbox" | "combobox" | "spinbutton" | "slider" | "checkbox" | "switch" | "radio"
            )
    };
    if !tree.nodes.iter().any(|node| is_nameless(node) && may_be_field(node)) {
        return;
    }
    let fields = Fields::new(tree);
    let guesses: Vec<(u32, Box<str>)> =
        fields.all.iter().filter_map(|field| Some((field.node, field.guess()?.into()))).collect();
    for (at, words) in guesses {
        if let Some(node) = tree.nodes.get_mut(at as usize).filter(|node| is_nameless(node)) {
            node.guessed = Some(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::find::{Query, search};
    use crate::page::snapshot::testing;

    #[test]
    fn a_field_without_a_name_is_told_by_the_words_beside_it() {
        let mut tree = testing::tree(
            "<p>Street</p><textarea></textarea><input aria-label=\"Town\"><div><input type=\"checkbox\">Gift</div><label>Zip<input></label>",
        );
        guess(&mut tree);
        let guessed: Vec<_> = tree.nodes.iter().filter_map(|node| node.guessed.as_deref()).collect();
        assert_eq!(guessed, ["Street", "Gift"]);
        let found = |name: &str, exact: bool| {
            let query = Query { name: Some(name.to_owned()), exact, ..Default::default() };
            search(&tree, &query).iter().map(|&at| tree.get(at).unwrap().role).collect::<Vec<_>>()
        };
        assert_eq!(found("street", false), ["textbox"]);
        assert_eq!((found("Street", true).len(), found("Stre", false).len()), (0, 0), "a guess is no name");
    }
}
