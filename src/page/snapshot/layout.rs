//! Boxes and styles of one moment: which node has a row, where it stands, what it says.

use super::dom::NONE;
use super::look::Look;

/// The computed styles that a capture asks for, in this order. Each costs 1 to 3 ms for 10,000 nodes (measured).
pub const STYLES: [&str; 8 + LOOKS] = [
    "display",
    "visibility",
    "content",
    "overlay",
    "content-visibility",
    "cursor",
    "-webkit-text-security",
    "interactivity",
    // From here on as `Look::read` takes them.
    "opacity",
    "filter",
    "color",
    "background-color",
    "background-image",
    "font-size",
    "clip-path",
    "overflow-x",
    "overflow-y",
    "position",
];

/// How many of the styles make up a look.
pub(super) const LOOKS: usize = 10;

/// How an element takes part in layout, as far as text and names care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Display {
    #[default]
    Block,
    Inline,
    /// `inline-block` and kin: a block of its own in a line.
    InlineBlock,
    Contents,
    /// `table`, `table-row` and kin.
    Table,
}

/// Facts of a row that take one bit.
pub(crate) mod style {
    pub const INVISIBLE: u8 = 1;
    pub const IN_TOP_LAYER: u8 = 1 << 1;
    pub const SKIPS_CONTENT: u8 = 1 << 2;
    pub const LAZY_CONTENT: u8 = 1 << 3;
    pub const POINTER: u8 = 1 << 4;
    pub const MASKED: u8 = 1 << 5;
    pub const INERT: u8 = 1 << 6;
}

/// One box. Generated content makes several for one node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub node: u32,
    pub display: Display,
    pub styles: u8,
    /// The string of the computed `content`; `NONE` for `normal` and `none`.
    pub content: u32,
    /// The string of the text as laid out; `NONE` for none.
    pub text: u32,
    pub paint: u32,
    /// x, y, width, height in the coordinates of the document.
    pub bounds: [f64; 4],
    /// Index into [`Layout::looks`].
    pub look: u32,
}

/// All rows, and the first one of each node.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub first: Vec<u32>,
    pub rows: Vec<Row>,
    /// Boxes with the same styles share one.
    pub looks: Vec<Look>,
}

impl Layout {
    pub fn row(&self, node: u32) -> Option<&Row> {
        let at = self.first.get(node as usize).copied().unwrap_or(NONE);
        self.rows.get(at as usize)
    }

    /// Returns all rows of a node.
    pub fn rows(&self, node: u32) -> impl Iterator<Item = &Row> {
        let at = self.first.get(node as usize).copied().unwrap_or(NONE) as usize;
        self.rows.get(at..).unwrap_or(&[]).iter().take_while(move |row| row.node == node)
    }

    pub fn look(&self, row: &Row) -> Look {
        self.looks.get(row.look as usize).copied().unwrap_or_default()
    }

    pub fn has_row(&self, node: u32) -> bool {
        self.first.get(node as usize).is_some_and(|&at| at != NONE)
    }

    pub fn styled(&self, node: u32, styles: u8) -> bool {
        self.row(node).is_some_and(|row| row.styles & styles != 0)
    }
}

/// Reads a computed `display`.
pub(crate) fn display_of(text: &str) -> Display {
    match text {
        "inline" | "ruby" | "ruby-text" | "math" => Display::Inline,
        "contents" => Display::Contents,
        "inline-block" | "inline-flex" | "inline-grid" | "inline-table" => Display::InlineBlock,
        text if text.starts_with("table") => Display::Table,
        _ => Display::Block,
    }
}
