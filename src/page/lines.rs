//! How a tree is written: one node, one line, one space of indent for each printed level.
//!
//! Invariant: whatever the page wrote stands between quotes of [`quoted`], so no page can forge a line.

use super::layout::{Content, Line, PrintOptions, layout};
use super::tree::{Hidden, Node, Tree};
use crate::script::quoted;

/// Longest text between two quotes. What is cut is counted behind the quotes.
const LONGEST: usize = 1000;

/// A tree as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    pub text: String,
    /// The nodes that stand on a line, in their order.
    pub nodes: Vec<u32>,
}

/// Writes the lines. `plain`: without addresses, types and placeholders.
pub fn write(tree: &Tree, lines: &[Line], plain: bool) -> String {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        write_line(tree, line, plain, &mut text);
    }
    text
}

/// Writes one line with its indent.
pub fn write_line(tree: &Tree, line: &Line, plain: bool, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', line.depth));
    write_content(tree, &line.content, plain, out);
}

/// Writes one line without its indent.
pub fn write_content(tree: &Tree, content: &Content, plain: bool, out: &mut String) {
    match content {
        Content::Note(note) => {
            out.push('[');
            out.push_str(note);
            out.push(']');
        }
        Content::Node(index) => {
            if let Some(node) = tree.get(*index) {
                write_node(node, plain, out);
            }
        }
    }
}

/// Decides what stands on which line and writes it.
pub fn print(tree: &Tree, options: &PrintOptions) -> Printed {
    let lines = layout(tree, options).lines;
    Printed { text: write(tree, &lines, options.plain), nodes: lines.iter().filter_map(Line::node).collect() }
}

/// Returns one node as it stands on a line, without indent.
pub fn line_of(node: &Node) -> String {
    let mut text = String::new();
    write_node(node, false, &mut text);
    text
}

fn write_node(node: &Node, plain: bool, out: &mut String) {
    out.push_str(node.role);
    out.push(' ');
    write_quoted(&node.name, out);
    if let Some(reference) = node.reference {
        out.push_str(" [");
        out.push_str(&reference.to_string());
        out.push(']');
    }
    facts(node, plain, |key, fact| {
        out.push(' ');
        out.push_str(key);
        out.push_str(fact);
    });
}

/// Tells what stands behind the ref, in the order of the line: the name of each fact and the rest of it, as in
/// `href` and `="/cart"` or `checked` and nothing.
pub(super) fn facts(node: &Node, plain: bool, mut tell: impl FnMut(&str, &str)) {
    if let Some(level) = node.level {
        tell("level", &format!("={level}"));
    }
    if let Some(words) = &node.guessed {
        let mut fact = "=".to_owned();
        write_quoted(words, &mut fact);
        tell("guessed", &fact);
    }
    for (key, value) in attributes(node).filter(|(key, _)| !plain || *key == "value") {
        let mut fact = "=".to_owned();
        write_quoted(value, &mut fact);
        tell(key, &fact);
    }
    for word in node.states.words() {
        let (key, rest) = word.split_at(word.find('=').unwrap_or(word.len()));
        tell(key, rest);
    }
    if let Some(tag) = node.hidden.and_then(Hidden::tag) {
        tell("", &format!("[{tag}]"));
    }
}

/// Returns what stands behind the ref. The type of a text field and of a button says nothing new.
fn attributes(node: &Node) -> impl Iterator<Item = (&'static str, &str)> {
    let input_type = node.input_type.as_deref().filter(|kind| {
        !matches!(
            *kind,
            "text"
                | "checkbox"
                | "radio"
                | "button"
                | "submit"
                | "reset"
                | "search"
                | "range"
                | "number"
                | "color"
                | "date"
                | "time"
        )
    });
    let placeholder = node.placeholder.as_deref().filter(|text| *text != node.name);
    let href = node.href.as_deref();
    let value = node.value.as_deref().filter(|value| !value.is_empty());
    [("href", href), ("type", input_type), ("placeholder", placeholder), ("value", value)]
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key, value)))
}

pub(super) fn write_quoted(text: &str, out: &mut String) {
    // The cut is counted in characters and made on their border.
    match text.char_indices().nth(LONGEST).map(|(at, _)| at) {
        Some(at) => {
            let (head, rest) = text.split_at(at);
            out.push_str(&quoted(head));
            out.push_str("…(+");
            out.push_str(&rest.chars().count().to_string());
            out.push(')');
        }
        None => out.push_str(&quoted(text)),
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing::tree;

    fn text(html: &str) -> String {
        print(&tree(html), &PrintOptions::default()).text
    }

    #[test]
    fn one_node_one_line_and_text_is_told_once() {
        let html =
            r##"<main><h1>Shop</h1><p>Two <b>fresh</b> pears</p><a href="#x">More</a><ul><li>One</li></ul></main>"##;
        let expected = "main \"\"\n heading \"Shop\" level=1\n text \"Two fresh pears\"\n link \"More\" href=\"#x\"\n list \"\"\n  listitem \"\"\n   text \"One\"";
        assert_eq!(text(html), expected);
    }

    #[test]
    fn states_and_values_stand_behind_the_name() {
        assert_eq!(text(r#"<input type="checkbox" aria-label="A" data-checked>"#), r#"checkbox "A" checked"#);
        assert_eq!(
            text(r#"<input aria-label="A" placeholder="p" data-live="x  y" required>"#),
            r#"textbox "A" placeholder="p" value="x y" required"#
        );
        assert_eq!(
            text(r#"<input type="password" aria-label="A" data-live="hunter2">"#),
            r#"textbox "A" type="password""#
        );
        let tree = tree(r#"<input aria-label="A" data-live=""><textarea aria-label="B" data-area=""></textarea>"#);
        let values: Vec<_> = tree.nodes.iter().filter(|node| node.listed).map(|node| node.value.as_deref()).collect();
        assert_eq!(values, [Some(""), Some("")]);
        assert_eq!(print(&tree, &PrintOptions::default()).text, "textbox \"A\"\ntextbox \"B\"");
        let several = text(
            r#"<select multiple aria-label="A"><option data-selected>Olives</option><option>Ham</option><option data-selected>Corn</option></select>"#,
        );
        assert!(several.starts_with("listbox \"A\" value=\"Olives, Corn\" multiselectable\n"), "{several}");
        assert_eq!(text(r#"<div role="tab" aria-selected="false">T</div>"#), r#"tab "T" selected=false"#);
    }

    #[test]
    fn clickable_boxes_are_named_by_their_text_once() {
        assert_eq!(text("<div data-click><span>Sea view</span></div>"), r#"generic "Sea view""#);
        assert_eq!(
            text(r#"<div style="cursor:pointer"><p>Card</p><button>Buy</button></div>"#),
            "generic \"Card\"\n button \"Buy\""
        );
    }

    #[test]
    fn boxes_that_hear_clicks_for_others_leave_the_text_where_it_is() {
        let list = r#"<div data-click><ul aria-label="Fruit"><li>Kiwi</li><li>Fig</li></ul></div>"#;
        let below = "list \"Fruit\"\n listitem \"\"\n  text \"Kiwi\"\n listitem \"\"\n  text \"Fig\"";
        assert_eq!(text(list), below);
        let form = "<div data-click><label>City <input></label><p>Hint text</p></div>";
        assert_eq!(text(form), "textbox \"City\"\ntext \"Hint text\"");
        let mixed = r#"<div data-click><h2>Tasks</h2><p>Two left</p><table><tr><td>Sow</td></tr></table><a href="x">All</a></div>"#;
        let expected = "heading \"Tasks\" level=2\ntext \"Two left\"\ntable \"\"\n row \"\"\n  cell \"Sow\"\nlink \"All\" href=\"x\"";
        assert_eq!(text(mixed), expected);
        let rows = "<div data-click><div>One</div><div>Two</div><div>Three</div></div>";
        assert_eq!(text(rows), "text \"One\"\ntext \"Two\"\ntext \"Three\"");
        let inner = "<div data-click><div data-click>One</div><div data-click>Two</div></div>";
        assert_eq!(text(inner), "generic \"One\"\ngeneric \"Two\"");
        let reachable = r#"<div tabindex="0"><h2>Tasks</h2><p>Two left</p></div>"#;
        let expected = "generic \"Tasks Two left\"\n heading \"Tasks\" level=2\n text \"Two left\"";
        assert_eq!(text(reachable), expected);
    }

    #[test]
    fn text_that_a_name_does_not_tell_stands_below_it() {
        assert_eq!(
            text(r#"<button aria-label="Buy a lamp">Only 3 left</button>"#),
            "button \"Buy a lamp\"\n text \"Only 3 left\""
        );
        assert_eq!(text(r#"<button aria-label="Close">×</button>"#), r#"button "Close""#);
        assert_eq!(
            text(r#"<h2>Prices<span aria-hidden="true">from 9</span></h2>"#),
            "heading \"Prices\" level=2\n text \"from 9\" [hidden:aria]"
        );
        assert_eq!(
            text(r#"<label for="i" aria-label="Town">City</label><input id="i">"#),
            "label \"Town\"\n text \"City\"\ntextbox \"Town\""
        );
    }

    #[test]
    fn listeners_on_containers_are_no_reason_to_list_them() {
        let html = "<section data-click tabindex=\"-1\"><div><button>A</button></div></section>";
        assert_eq!(text(html), "button \"A\"");
    }
}
