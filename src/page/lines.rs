//! How a tree is written: one node, one line, one space of indent for each printed level.
//!
//! Invariant: whatever the page wrote stands between quotes of [`quoted`], so no page can forge a line.

use std::collections::HashSet;

use super::tree::{Hidden, Node, Tree};
use crate::script::quoted;

/// Longest text between two quotes. What is cut is counted behind the quotes.
const LONGEST: usize = 1000;

/// Characters of a text that is written although it stands too deep, where the remark would be as long.
const SHORT: usize = 60;

/// Options of a closed drop-down that are written; of more, the first few and how to get the rest.
const MOST_OPTIONS: usize = 25;

/// Which nodes are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Filter {
    #[default]
    All,
    /// What stands in the viewport and can be seen.
    Visible,
    /// Controls and other things to click.
    Interactive,
}

#[derive(Debug, Clone, Copy)]
pub struct PrintOptions {
    pub filter: Filter,
    /// Levels that are written; the first one is 1.
    pub max_depth: Option<usize>,
    /// The node whose subtree is written, itself included.
    pub root: Option<u32>,
    /// Whether the content of frames is written.
    pub frames: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self { filter: Filter::All, max_depth: None, root: None, frames: true }
    }
}

/// One line before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub depth: usize,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Node(u32),
    /// A remark of ours, without the brackets.
    Note(String),
}

/// A tree as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    pub text: String,
    /// The nodes that stand on a line, in their order.
    pub nodes: Vec<u32>,
    pub lines: usize,
}

impl Line {
    pub fn node(&self) -> Option<u32> {
        match self.content {
            Content::Node(node) => Some(node),
            Content::Note(_) => None,
        }
    }
}

/// Decides what stands on which line. Refs are minted for these nodes before they are written.
pub fn layout(tree: &Tree, options: &PrintOptions) -> Vec<Line> {
    let mut planner = Planner { tree, options, lines: Vec::new(), skipped: HashSet::new() };
    match options.root {
        Some(root) => planner.subtree(root, 0, true),
        None => {
            let overlays: Vec<u32> = tree.overlays.clone();
            let shown = |line: &Line| line.node().is_some();
            if !overlays.is_empty() {
                planner.note(0, "open overlays".to_owned());
                for &root in &overlays {
                    planner.subtree(root, 1, true);
                }
                if !planner.lines.iter().any(shown) {
                    planner.lines.clear();
                }
            }
            planner.skipped.extend(overlays);
            if let Some(behind) = tree.counters.behind_modal.checked_sub(1) {
                let count = behind + 1;
                planner.note(0, format!("{count} elements behind the open dialog are inert and left out"));
            }
            if !tree.nodes.is_empty() {
                planner.subtree(0, 0, false);
            }
        }
    }
    planner.lines
}

/// Writes the lines.
pub fn write(tree: &Tree, lines: &[Line]) -> Printed {
    let mut printed = Printed { lines: lines.len(), ..Printed::default() };
    for line in lines {
        if !printed.text.is_empty() {
            printed.text.push('\n');
        }
        printed.text.extend(std::iter::repeat_n(' ', line.depth));
        match &line.content {
            Content::Note(note) => {
                printed.text.push('[');
                printed.text.push_str(note);
                printed.text.push(']');
            }
            Content::Node(index) => {
                if let Some(node) = tree.get(*index) {
                    write_node(node, &mut printed.text);
                    printed.nodes.push(*index);
                }
            }
        }
    }
    printed
}

/// Decides what stands on which line and writes it.
pub fn print(tree: &Tree, options: &PrintOptions) -> Printed {
    write(tree, &layout(tree, options))
}

/// Returns one node as it stands on a line, without indent.
pub fn line_of(node: &Node) -> String {
    let mut text = String::new();
    write_node(node, &mut text);
    text
}

fn write_node(node: &Node, out: &mut String) {
    out.push_str(node.role);
    out.push(' ');
    write_quoted(&node.name, out);
    if let Some(reference) = node.reference {
        out.push_str(" [");
        out.push_str(&reference.to_string());
        out.push(']');
    }
    if let Some(level) = node.level {
        out.push_str(" level=");
        out.push_str(&level.to_string());
    }
    for (key, value) in attributes(node) {
        out.push(' ');
        out.push_str(key);
        out.push('=');
        write_quoted(value, out);
    }
    for word in node.states.words() {
        out.push(' ');
        out.push_str(&word);
    }
    if let Some(tag) = node.hidden.and_then(Hidden::tag) {
        out.push_str(" [");
        out.push_str(tag);
        out.push(']');
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

fn write_quoted(text: &str, out: &mut String) {
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

struct Planner<'a> {
    tree: &'a Tree,
    options: &'a PrintOptions,
    lines: Vec<Line>,
    /// Overlay roots that were written already.
    skipped: HashSet<u32>,
}

/// A node that was written and whose subtree is not done.
struct Level {
    end: u32,
    /// Lines left out because they stand too deep.
    cut: usize,
    /// The first of them.
    first_cut: u32,
    node: Option<u32>,
}

impl Planner<'_> {
    fn note(&mut self, depth: usize, text: String) {
        self.lines.push(Line { depth, content: Content::Note(text) });
    }

    /// Writes a subtree. `whole`: its root is written even when the full tree would not list it.
    fn subtree(&mut self, root: u32, depth: usize, whole: bool) {
        let end = self.tree.get(root).map_or(root, |node| node.end);
        let mut levels: Vec<Level> = Vec::new();
        let mut at = root;
        while at < end {
            self.close(&mut levels, at, depth);
            let Some(node) = self.tree.get(at) else { break };
            if self.skipped.contains(&at) {
                at = node.end.max(at + 1);
                continue;
            }
            let is_root = at == root && whole;
            if !self.is_written(node) && !is_root {
                at = if self.is_closed_frame(node) { node.end.max(at + 1) } else { at + 1 };
                continue;
            }
            let level = depth + levels.len();
            if self.options.max_depth.is_some_and(|most| level >= most) {
                match levels.last_mut() {
                    Some(above) => {
                        above.first_cut = if above.cut == 0 { at } else { above.first_cut };
                        above.cut += 1;
                    }
                    None => levels.push(Level { end, cut: 1, first_cut: at, node: None }),
                }
                at += 1;
                continue;
            }
            self.lines.push(Line { depth: level, content: Content::Node(at) });
            levels.push(Level { end: node.end, cut: 0, first_cut: at, node: Some(at) });
            at = self.below(at, node, level + 1, is_root);
        }
        self.close(&mut levels, end, depth);
    }

    /// Writes what a node's own kind demands; returns where to go on.
    fn below(&mut self, at: u32, node: &Node, depth: usize, is_root: bool) -> u32 {
        if node.tag == "select" && !is_root && node.states.expanded == Some(false) {
            let options = self.tree.subtree(at).iter().filter(|below| below.listed && below.role == "option").count();
            if options > MOST_OPTIONS {
                self.note(depth, format!("{options} options: {}", how_to_see(node)));
                return node.end.max(at + 1);
            }
        }
        if self.is_closed_frame(node) {
            return node.end.max(at + 1);
        }
        if node.role == "iframe" || node.role == "object" || node.role == "embed" {
            let unread = self
                .tree
                .frames
                .iter()
                .find(|frame| frame.owner == Some(at))
                .and_then(|frame| frame.read.as_ref().err());
            if let Some(reason) = unread {
                self.note(depth, format!("frame not read: {}", quoted(reason)));
            }
        }
        at + 1
    }

    fn is_closed_frame(&self, node: &Node) -> bool {
        !self.options.frames && matches!(node.tag.as_ref(), "iframe" | "frame")
    }

    /// Leaves the levels that end before a node, telling what was cut there.
    fn close(&mut self, levels: &mut Vec<Level>, at: u32, depth: usize) {
        while let Some(level) = levels.pop_if(|level| level.end <= at) {
            if level.cut == 0 {
                continue;
            }
            let depth = depth + levels.len() + usize::from(level.node.is_some());
            let is_short = |node: &Node| node.is_text && node.name.chars().nth(SHORT).is_none();
            if level.cut == 1 && self.tree.get(level.first_cut).is_some_and(is_short) {
                self.lines.push(Line { depth, content: Content::Node(level.first_cut) });
                continue;
            }
            let nodes = if level.cut == 1 { "node" } else { "nodes" };
            let how = level
                .node
                .and_then(|node| self.tree.get(node))
                .map_or_else(|| "a larger max_depth".to_owned(), how_to_see);
            self.note(depth, format!("{} more {nodes}: {how}", level.cut));
        }
    }

    fn is_written(&self, node: &Node) -> bool {
        node.listed
            && match self.options.filter {
                Filter::All => true,
                Filter::Visible => node.in_viewport,
                Filter::Interactive => node.interactive || node.role == "iframe",
            }
    }
}

/// Returns the call that shows a node with all that is below it.
fn how_to_see(node: &Node) -> String {
    match node.reference {
        Some(reference) => format!("tree(#{{ref: \"{reference}\"}})"),
        None => "tree(#{ref: …})".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing::tree;
    use crate::reference::Ref;

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
    fn overlays_come_first_and_are_not_repeated() {
        let html = r#"<button>Behind</button><dialog open aria-label="Ask" style="overlay:auto"><button>Yes</button></dialog><p>below</p>"#;
        let expected = "[open overlays]\n dialog \"Ask\"\n  button \"Yes\"\n[2 elements behind the open dialog are inert and left out]";
        assert_eq!(text(html), expected);
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

    #[test]
    fn frames_stand_in_place_and_can_be_left_out() {
        let tree = tree(r#"<iframe title="Pay"><button>Pay now</button></iframe><p>after</p>"#);
        let whole = print(&tree, &PrintOptions::default()).text;
        assert_eq!(whole, "iframe \"Pay\"\n button \"Pay now\"\ntext \"after\"");
        let closed = print(&tree, &PrintOptions { frames: false, ..PrintOptions::default() }).text;
        assert_eq!(closed, "iframe \"Pay\"\ntext \"after\"");
    }

    #[test]
    fn a_cut_says_how_many_are_left_and_how_to_get_them() {
        let mut tree = tree(r#"<main><nav><a href="a">A</a><a href="b">B</a></nav><p>x</p></main>"#);
        for (at, node) in (1..).zip(&mut tree.nodes) {
            node.reference = node.listed.then_some(Ref(at));
        }
        let cut = print(&tree, &PrintOptions { max_depth: Some(2), ..PrintOptions::default() }).text;
        assert!(cut.contains("\n  [2 more nodes: tree(#{ref: \"ref_5\"})]\n text \"x\""), "{cut}");
    }

    #[test]
    fn one_short_text_is_written_where_the_remark_would_be_as_long() {
        let tree =
            tree(&format!("<ul><li>Fig</li><li>{}</li><li><b>A</b><a href=\"x\">B</a></li></ul>", "long ".repeat(20)));
        let cut = print(&tree, &PrintOptions { max_depth: Some(2), ..PrintOptions::default() }).text;
        let more = |count: &str| format!(" listitem \"\"\n  [{count}: tree(#{{ref: …}})]");
        let expected =
            format!("list \"\"\n listitem \"\"\n  text \"Fig\"\n{}\n{}", more("1 more node"), more("2 more nodes"));
        assert_eq!(cut, expected);
    }

    #[test]
    fn long_drop_downs_are_summarised() {
        let options: String = (0..40).map(|number| format!("<option>Plot {number}</option>")).collect();
        let html = format!(r#"<select aria-label="Plot">{options}</select>"#);
        let tree = tree(&html);
        let text = print(&tree, &PrintOptions::default()).text;
        assert!(text.ends_with("\n [40 options: tree(#{ref: …})]"), "{text}");
        let select = tree.nodes.iter().position(|node| node.tag == "select").unwrap();
        let root = u32::try_from(select).unwrap();
        let all = print(&tree, &PrintOptions { root: Some(root), ..PrintOptions::default() });
        assert_eq!(all.nodes.len(), 41);
    }

    #[test]
    fn filters_keep_what_they_say() {
        let tree = tree(r#"<main><h1>T</h1><button>Go</button><a href="x" data-box="0 5000 10 10">Far</a></main>"#);
        let with = |filter| print(&tree, &PrintOptions { filter, ..PrintOptions::default() }).text;
        assert_eq!(with(Filter::Interactive), "button \"Go\"\nlink \"Far\" href=\"x\"");
        assert_eq!(with(Filter::Visible), "main \"\"\n heading \"T\" level=1\n button \"Go\"");
    }
}
