//! The documents of all replies of one moment, end to end in flat arrays.
//!
//! Invariant: nodes of a document are contiguous and parents stand before children (`parentIndex` is the flat
//! tree: slotted content stands under its slot, shadow content under its host).

use super::wire::Strings;
use super::words::{Attribute, Tag};

/// No node, no string, no row.
pub(crate) const NONE: u32 = u32::MAX;

/// Facts about a node that take one bit.
pub(crate) mod flag {
    pub const SHADOW_OPEN: u32 = 1;
    pub const SHADOW_CLOSED: u32 = 1 << 1;
    pub const LISTENER: u32 = 1 << 2;
    pub const CHECKED: u32 = 1 << 3;
    pub const SELECTED: u32 = 1 << 4;
    pub const BEFORE: u32 = 1 << 5;
    pub const AFTER: u32 = 1 << 6;
    pub const MARKER: u32 = 1 << 7;
    pub const PSEUDO: u32 = 1 << 8;
    /// In SVG or `MathML`.
    pub const FOREIGN: u32 = 1 << 9;
    pub const SENSITIVE: u32 = 1 << 10;
    pub const FOCUSED: u32 = 1 << 11;
    pub const INDETERMINATE: u32 = 1 << 12;
    pub const INVALID: u32 = 1 << 13;
    pub const OPEN: u32 = 1 << 14;
    /// An element without a box that can be seen, as `checkVisibility` says it.
    pub const UNSEEN: u32 = 1 << 15;
}

pub(crate) const ELEMENT: u8 = 1;
pub(crate) const TEXT: u8 = 3;
pub(crate) const DOCUMENT: u8 = 9;

/// The nodes of all documents. What a tree needs after it was built stays here; layout does not.
#[derive(Debug, Default)]
pub struct Dom {
    pub(crate) strings: Strings,
    pub(crate) parent: Vec<u32>,
    /// One past the last node of the flat subtree.
    pub(crate) end: Vec<u32>,
    pub(crate) kind: Vec<u8>,
    pub(crate) tag: Vec<Tag>,
    pub(crate) name: Vec<u32>,
    pub(crate) text: Vec<u32>,
    pub(crate) backend: Vec<i64>,
    pub(crate) flags: Vec<u32>,
    pub(crate) document: Vec<u32>,
    pub(crate) attributes: Vec<(Attribute, u32)>,
    pub(crate) attribute_ends: Vec<u32>,
    /// Live values of inputs and text areas, sorted by node.
    pub(crate) live: Vec<(u32, u32)>,
    pub(crate) documents: Vec<Document>,
    /// Whether `::first-letter` stands anywhere.
    pub(crate) has_first_letters: bool,
}

/// One document of a frame.
#[derive(Debug)]
pub(crate) struct Document {
    pub frame_id: String,
    pub url: String,
    pub title: String,
    /// The node of the document itself.
    pub first: u32,
    pub end: u32,
    /// The element that holds the frame; `NONE` for a top document and while it is not known.
    pub owner: u32,
    pub scroll: (f64, f64),
}

impl Dom {
    pub(crate) fn len(&self) -> usize {
        self.parent.len()
    }

    pub(crate) fn parent(&self, node: u32) -> u32 {
        self.parent.get(node as usize).copied().unwrap_or(NONE)
    }

    pub(crate) fn end(&self, node: u32) -> u32 {
        self.end.get(node as usize).copied().unwrap_or(node)
    }

    pub(crate) fn kind(&self, node: u32) -> u8 {
        self.kind.get(node as usize).copied().unwrap_or(0)
    }

    pub(crate) fn is_element(&self, node: u32) -> bool {
        self.kind(node) == ELEMENT
    }

    pub(crate) fn is_text(&self, node: u32) -> bool {
        self.kind(node) == TEXT
    }

    /// Returns the HTML element name; `Other` for text, pseudo elements and foreign content but its roots.
    pub(crate) fn tag(&self, node: u32) -> Tag {
        self.tag.get(node as usize).copied().unwrap_or_default()
    }

    pub(crate) fn node_name(&self, node: u32) -> &str {
        self.strings.get(self.name.get(node as usize).copied().unwrap_or(NONE))
    }

    /// Returns the data of a text node.
    pub(crate) fn text(&self, node: u32) -> &str {
        self.strings.get(self.text.get(node as usize).copied().unwrap_or(NONE))
    }

    pub(crate) fn backend(&self, node: u32) -> i64 {
        self.backend.get(node as usize).copied().unwrap_or(0)
    }

    pub(crate) fn has(&self, node: u32, flags: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|have| have & flags != 0)
    }

    pub(crate) fn document(&self, node: u32) -> u32 {
        self.document.get(node as usize).copied().unwrap_or(0)
    }

    fn attribute_range(&self, node: u32) -> std::ops::Range<usize> {
        let at = node as usize;
        let end = self.attribute_ends.get(at).map_or(0, |&end| end as usize);
        let start = at.checked_sub(1).and_then(|before| self.attribute_ends.get(before)).map_or(0, |&end| end as usize);
        start..end
    }

    pub(crate) fn attributes(&self, node: u32) -> &[(Attribute, u32)] {
        self.attributes.get(self.attribute_range(node)).unwrap_or(&[])
    }

    pub(crate) fn attributes_mut(&mut self, node: u32) -> &mut [(Attribute, u32)] {
        let range = self.attribute_range(node);
        self.attributes.get_mut(range).unwrap_or(&mut [])
    }

    pub(crate) fn attribute(&self, node: u32, wanted: Attribute) -> Option<&str> {
        let &(_, value) = self.attributes(node).iter().find(|(name, _)| *name == wanted)?;
        Some(self.strings.get(value))
    }

    /// Returns an attribute that is there and not blank, trimmed.
    pub(crate) fn filled(&self, node: u32, wanted: Attribute) -> Option<&str> {
        self.attribute(node, wanted).map(str::trim).filter(|text| !text.is_empty())
    }

    pub(crate) fn has_attribute(&self, node: u32, wanted: Attribute) -> bool {
        self.attributes(node).iter().any(|(name, _)| *name == wanted)
    }

    pub(crate) fn is(&self, node: u32, wanted: Attribute, value: &str) -> bool {
        self.attribute(node, wanted).is_some_and(|text| text.trim().eq_ignore_ascii_case(value))
    }

    /// Returns the live value of an input or text area.
    pub(crate) fn live(&self, node: u32) -> Option<&str> {
        let at = self.live.binary_search_by_key(&node, |&(node, _)| node).ok()?;
        self.live.get(at).map(|&(_, value)| self.strings.get(value))
    }

    /// Returns the `type` of an `input`, in lower case; `text` when it has none.
    pub(crate) fn input_type(&self, node: u32) -> std::borrow::Cow<'_, str> {
        let text = self.attribute(node, Attribute::Type).unwrap_or("").trim();
        if text.is_empty() {
            "text".into()
        } else if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            text.to_ascii_lowercase().into()
        } else {
            text.into()
        }
    }

    /// Returns whether an element is custom, by its name.
    pub(crate) fn is_custom(&self, node: u32) -> bool {
        self.tag(node) == Tag::Other && self.is_element(node) && self.node_name(node).contains('-')
    }

    /// Returns the flat ancestors within the document, nearest first.
    pub(crate) fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(self.parent(node)), |&at| Some(self.parent(at))).take_while(|&at| at != NONE)
    }

    /// Returns whether `below` stands in the flat subtree of `above`.
    pub(crate) fn contains(&self, above: u32, below: u32) -> bool {
        above <= below && below < self.end(above)
    }

    /// Returns the document of a frame.
    pub(crate) fn document_of(&self, frame_id: &str) -> Option<u32> {
        let at = self.documents.iter().position(|document| document.frame_id == frame_id)?;
        u32::try_from(at).ok()
    }

    /// Finds a node of a document by the browser's number.
    pub(crate) fn find(&self, document: u32, backend: i64) -> Option<u32> {
        let document = self.documents.get(document as usize)?;
        (document.first..document.end).find(|&node| self.backend(node) == backend)
    }
}
