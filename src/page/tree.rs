//! The tree of everything a person meets on a page: what scripts read, what refs point into.
//!
//! Invariant: `nodes` stands in print order, parents before children, so a subtree is one contiguous range.
//! Invariant: nothing here recurses, since pages nest thousands of levels deep.
//! Invariant: the values of sensitive fields were removed before a `Tree` exists.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::snapshot::Dom;
use crate::reference::Ref;

/// One moment of a tab: all frames that could be read, in place.
#[derive(Debug, Default)]
pub struct Tree {
    /// Every element and every piece of visible text, also what is left out of the printed tree.
    pub nodes: Vec<Node>,
    /// The top frame is first.
    pub frames: Vec<TreeFrame>,
    /// The roots of open dialogs, menus, listboxes and popovers, topmost first. Roots never nest.
    pub overlays: Vec<u32>,
    pub counters: Counters,
    /// Sorted by frame and backend id.
    pub(super) index: Vec<(u32, i64, u32)>,
    pub(super) dom: Dom,
}

/// A frame of the tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFrame {
    /// What the browser calls it.
    pub frame_id: String,
    /// What scripts call it, such as `frame_1`.
    pub label: String,
    pub loader_id: String,
    pub url: String,
    pub title: String,
    /// Index into [`Tree::frames`].
    pub parent: Option<u32>,
    /// The node of the element that holds the frame.
    pub owner: Option<u32>,
    /// The root node of its document; `None` when it was not read.
    pub root: Option<u32>,
    /// Why the frame could not be read.
    pub read: Result<(), String>,
}

/// An element or a piece of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// In the tree as people read it: slots, owned elements and frames are in their place.
    pub parent: Option<u32>,
    /// One past the last node of the subtree.
    pub end: u32,
    /// Index into [`Tree::frames`].
    pub frame: u32,
    /// The browser's number of the DOM node, unique in the process of the frame.
    pub backend: i64,
    pub reference: Option<Ref>,
    /// The ARIA role; for elements without one a name of our own in lower case, such as `iframe` or `canvas`.
    pub role: &'static str,
    /// The accessible name, whitespace-folded; for text the text.
    pub name: String,
    /// `None` for what has no value and for sensitive fields.
    pub value: Option<String>,
    pub states: States,
    /// In lower case; `#text` for text.
    pub tag: Cow<'static, str>,
    /// As the page wrote it, not resolved.
    pub href: Option<Box<str>>,
    /// The `type` of an `input`, in lower case.
    pub input_type: Option<Box<str>>,
    pub placeholder: Option<Box<str>>,
    /// For a field without a name, what it seems to be: the words beside it.
    pub guessed: Option<Box<str>>,
    pub level: Option<u8>,
    /// In CSS pixels of the top viewport; `None` without a box.
    pub rect: Option<Rect>,
    pub hidden: Option<Hidden>,
    /// Whether a click is likely to do something: by role, listener, pointer cursor, tabindex or editing.
    pub clickable: bool,
    /// Whether `filter: "interactive"` keeps it.
    pub interactive: bool,
    pub in_viewport: bool,
    /// Whether it stands on a line of the full tree.
    pub listed: bool,
    pub is_text: bool,
    /// Whether its value must never leave the host.
    pub sensitive: bool,
    /// Whether the text below is told by this node's own line.
    pub(super) speaks_for_text: bool,
    /// Whether this text is part of a longer one, whose first piece holds all of it.
    pub(super) continues: bool,
    /// How this text follows the text before it.
    pub(super) joint: Joint,
}

/// What can be true of a control. `None` where the question makes no sense.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct States {
    pub checked: Option<Mixed>,
    pub pressed: Option<Mixed>,
    pub expanded: Option<bool>,
    pub selected: Option<bool>,
    pub disabled: bool,
    pub required: bool,
    pub readonly: bool,
    pub invalid: bool,
    pub focused: bool,
    pub busy: bool,
    pub multiselectable: bool,
    pub modal: bool,
}

/// What stands between two pieces of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    #[default]
    Nothing,
    Space,
    Line,
}

/// A state with a third value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mixed {
    No,
    Yes,
    Mixed,
}

/// A box in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Why an element is left out of the tree, or what its line says about how it can't be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// `display: none`, the `hidden` attribute, or in no layout at all.
    Display,
    Visibility,
    Inert,
    /// Inert behind an open modal dialog.
    Modal,
    /// In closed `details`.
    Details,
    /// `content-visibility: hidden`.
    Skipped,
    /// Left out of Chromium's tree by `aria-hidden`, though people see it: shown.
    AriaHidden,
    /// Not laid out yet because of `content-visibility: auto`: shown.
    NotLaidOut,
    /// Text that people can't see, by `page::snapshot::unseen`: shown, these and the following.
    Opacity,
    Size,
    Contrast,
    Offscreen,
    Clipped,
    Covered,
}

impl Hidden {
    /// Returns whether the tree leaves the element out.
    pub fn is_left_out(self) -> bool {
        self.tag().is_none()
    }

    /// Returns whether it stands on the page in a way that people can't see.
    pub fn is_unseen(self) -> bool {
        matches!(self, Self::Opacity | Self::Size | Self::Contrast | Self::Offscreen | Self::Clipped | Self::Covered)
    }

    /// Returns whether people see the element and can't use it.
    pub fn is_inert(self) -> bool {
        matches!(self, Self::Modal | Self::Inert)
    }

    /// Returns what the line says of an element that is shown all the same.
    pub fn tag(self) -> Option<&'static str> {
        match self {
            Self::AriaHidden => Some("hidden:aria"),
            Self::NotLaidOut => Some("hidden:skipped"),
            Self::Opacity => Some("hidden:opacity"),
            Self::Size => Some("hidden:size"),
            Self::Contrast => Some("hidden:contrast"),
            Self::Offscreen => Some("hidden:offscreen"),
            Self::Clipped => Some("hidden:clipped"),
            Self::Covered => Some("hidden:covered"),
            Self::Display | Self::Visibility | Self::Inert | Self::Modal | Self::Details | Self::Skipped => None,
        }
    }

    /// Returns why a person can't see it, as a clause about the element.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Display => "it is not displayed",
            Self::Visibility => "its visibility is hidden",
            Self::Inert => "it is inert",
            Self::Modal => "it is behind a modal dialog",
            Self::Details => "it is in closed details",
            Self::Skipped => "its content-visibility is hidden",
            Self::AriaHidden => "it is hidden from assistive technology",
            Self::NotLaidOut => "it is not laid out yet",
            Self::Opacity => "it is transparent",
            Self::Size => "it is too small to see",
            Self::Contrast => "it has the colour of its ground",
            Self::Offscreen => "it is outside of what can be scrolled to",
            Self::Clipped => "it is clipped away",
            Self::Covered => "another box covers it",
        }
    }
}

/// What a tree counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes that the full tree lists.
    pub nodes: usize,
    /// Elements with a role that are left out because nobody can see them.
    pub hidden_omitted: usize,
    /// Of these, elements inert behind an open modal dialog.
    pub behind_modal: usize,
    /// Sensitive fields whose value was removed.
    pub redacted: usize,
    pub frames: usize,
    pub frames_unread: usize,
}

impl Tree {
    /// Returns the node of an element; also of one that the tree does not list.
    pub fn index_of(&self, frame: u32, backend: i64) -> Option<u32> {
        let at = self.index.binary_search_by_key(&(frame, backend), |&(frame, backend, _)| (frame, backend)).ok()?;
        self.index.get(at).map(|&(_, _, node)| node)
    }

    pub fn get(&self, index: u32) -> Option<&Node> {
        self.nodes.get(index as usize)
    }

    /// Returns the refs of the nodes that have one, in tree order.
    pub fn references(&self) -> Vec<Ref> {
        self.nodes.iter().filter_map(|node| node.reference).collect()
    }

    pub fn element(&self, frame: u32, backend: i64) -> Option<&Node> {
        self.get(self.index_of(frame, backend)?)
    }

    /// Returns the index of a frame by what the browser calls it.
    pub fn frame_of(&self, frame_id: &str) -> Option<u32> {
        let at = self.frames.iter().position(|frame| frame.frame_id == frame_id)?;
        u32::try_from(at).ok()
    }

    /// Returns the subtree of a node, the node itself first.
    pub fn subtree(&self, index: u32) -> &[Node] {
        let end = self.get(index).map_or(index, |node| node.end);
        self.nodes.get(index as usize..end as usize).unwrap_or(&[])
    }

    /// Returns the ancestors of a node, nearest first.
    pub fn ancestors(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.get(index).and_then(|node| node.parent), |&at| {
            self.get(at).and_then(|node| node.parent)
        })
    }

    /// Returns the roles and names from the top frame down to the node, listed nodes only.
    pub fn path(&self, index: u32) -> Vec<String> {
        let mut path: Vec<String> = std::iter::once(index)
            .chain(self.ancestors(index))
            .filter_map(|at| self.get(at))
            .filter(|node| node.listed)
            .map(|node| format!("{} {}", node.role, node.name))
            .collect();
        path.reverse();
        path
    }

    /// Returns the map that scripts get for a node: every key is there, absent values are null.
    pub fn to_json(&self, index: u32) -> Option<Map<String, Value>> {
        let node = self.get(index)?;
        let mut map = Map::new();
        map.insert("ref".into(), node.reference.map_or(Value::Null, |reference| reference.to_string().into()));
        map.insert("role".into(), node.role.into());
        map.insert("name".into(), node.name.as_str().into());
        map.insert("value".into(), node.value.as_deref().map_or(Value::Null, Into::into));
        map.insert("states".into(), node.states.words().into());
        let frame = self.frames.get(node.frame as usize);
        map.insert("frame".into(), frame.map_or(Value::Null, |frame| frame.label.as_str().into()));
        map.insert("tag".into(), node.tag.as_ref().into());
        let rect = node.rect.map_or(
            Value::Null,
            |rect| json!({ "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height }),
        );
        map.insert("rect".into(), rect);
        map.insert("href".into(), node.href.as_deref().map_or(Value::Null, Into::into));
        map.insert("input_type".into(), node.input_type.as_deref().map_or(Value::Null, Into::into));
        Some(map)
    }
}

impl States {
    /// Returns the states as they stand on a line: a true one as a word, a telling opposite as `word=false`.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut mixed = |word: &str, state: Option<Mixed>| match state {
            Some(Mixed::Yes) => words.push(word.to_owned()),
            Some(Mixed::No) => words.push(format!("{word}=false")),
            Some(Mixed::Mixed) => words.push(format!("{word}=mixed")),
            None => {}
        };
        let plain = |state: Option<bool>| state.map(|on| if on { Mixed::Yes } else { Mixed::No });
        mixed("checked", self.checked);
        mixed("expanded", plain(self.expanded));
        mixed("pressed", self.pressed);
        mixed("selected", plain(self.selected));
        let flags = [
            ("disabled", self.disabled),
            ("required", self.required),
            ("readonly", self.readonly),
            ("invalid", self.invalid),
            ("focused", self.focused),
            ("busy", self.busy),
            ("multiselectable", self.multiselectable),
        ];
        words.extend(flags.iter().filter(|(_, on)| *on).map(|(word, _)| (*word).to_owned()));
        words
    }

    /// Sets a state from its word on a line; returns whether the word is one.
    pub fn set(&mut self, word: &str) -> bool {
        let (name, state) = match word.split_once('=') {
            None => (word, Mixed::Yes),
            Some((name, "false")) => (name, Mixed::No),
            Some((name, "mixed")) => (name, Mixed::Mixed),
            Some(_) => return false,
        };
        let on = state == Mixed::Yes;
        match (name, state) {
            ("checked", _) => self.checked = Some(state),
            ("pressed", _) => self.pressed = Some(state),
            ("expanded", Mixed::Yes | Mixed::No) => self.expanded = Some(on),
            ("selected", Mixed::Yes | Mixed::No) => self.selected = Some(on),
            ("disabled", Mixed::Yes) => self.disabled = true,
            ("required", Mixed::Yes) => self.required = true,
            ("readonly", Mixed::Yes) => self.readonly = true,
            ("invalid", Mixed::Yes) => self.invalid = true,
            ("focused", Mixed::Yes) => self.focused = true,
            ("busy", Mixed::Yes) => self.busy = true,
            ("multiselectable", Mixed::Yes) => self.multiselectable = true,
            _ => return false,
        }
        true
    }
}

impl Rect {
    /// Returns whether the boxes share any area.
    pub fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    /// Returns the smallest box around both.
    #[must_use]
    pub fn around(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Self { x, y, width: right - x, height: bottom - y }
    }

    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}
