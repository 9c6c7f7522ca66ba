//! What stands on which line of a written tree: filters, depth, overlays first, frames in place, long lists in short.

use std::collections::HashSet;

use super::tree::{Hidden, Node, States, Tree};
use crate::script::quoted;

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
    /// Whether boxes and pictures without a name, addresses, types and placeholders are left out.
    pub plain: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self { filter: Filter::All, max_depth: None, root: None, frames: true, plain: false }
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

/// The lines of a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    pub lines: Vec<Line>,
    /// Nodes left out because they stand too deep.
    pub cut: usize,
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
pub fn layout(tree: &Tree, options: &PrintOptions) -> Layout {
    let mut planner = Planner { tree, options, lines: Vec::new(), cut: 0, skipped: HashSet::new() };
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
    Layout { lines: planner.lines, cut: planner.cut }
}

struct Planner<'a> {
    tree: &'a Tree,
    options: &'a PrintOptions,
    lines: Vec<Line>,
    cut: usize,
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
            self.cut += level.cut;
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
            && !(self.options.plain && is_decoration(node))
            && match self.options.filter {
                Filter::All => true,
                Filter::Visible => node.in_viewport && !node.hidden.is_some_and(Hidden::is_unseen),
                Filter::Interactive => node.interactive || node.role == "iframe",
            }
    }
}

/// Roles that only order or adorn what stands in them, as long as they have no name.
const DECORATION: &[&str] = &[
    "article",
    "definition",
    "figure",
    "generic",
    "group",
    "image",
    "img",
    "list",
    "none",
    "paragraph",
    "presentation",
    "region",
    "rowgroup",
    "section",
    "separator",
    "svg",
];

fn is_decoration(node: &Node) -> bool {
    let says_nothing = node.name.is_empty() && node.value.is_none() && node.states == States::default();
    says_nothing && !node.interactive && !node.clickable && DECORATION.contains(&node.role)
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
    use crate::page::lines::print;
    use crate::page::snapshot::testing::tree;
    use crate::reference::Ref;

    fn text(html: &str) -> String {
        print(&tree(html), &PrintOptions::default()).text
    }

    #[test]
    fn overlays_come_first_and_are_not_repeated() {
        let html = r#"<button>Behind</button><dialog open aria-label="Ask" style="overlay:auto"><button>Yes</button></dialog><p>below</p>"#;
        let expected = "[open overlays]\n dialog \"Ask\"\n  button \"Yes\"\n[2 elements behind the open dialog are inert and left out]";
        assert_eq!(text(html), expected);
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
