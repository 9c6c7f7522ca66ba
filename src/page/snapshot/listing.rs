//! Which elements stand on a line of the tree, and which of them tell the text below.

use super::census::Counts;
use super::dom::flag;
use super::layout::style;
use super::moment::Moment;
use super::names::Named;
use super::role::Role;
use super::roles::{is_editing_host, is_in_tab_order};
use super::words::{Attribute, Tag};

/// Longest text that serves as the name of something clickable without a role.
const LONGEST_NAME: usize = 200;

/// Longest text that serves as the name where the text stays below as well.
const LONGEST_REPEATED: usize = 80;

/// A listener on a box around more blocks of text is there to hear of them, not to be clicked itself.
const MOST_BLOCKS: u32 = 2;

/// What was decided about an element.
pub(super) struct Listing {
    pub listed: bool,
    pub clickable: bool,
    /// Whether the line tells the text below, so that it is not listed again.
    pub speaks: bool,
}

/// What the elements around tell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// The text here is told by a line above.
    pub spoken: bool,
    /// A control is around, which is what one clicks.
    pub in_control: bool,
}

impl Moment<'_> {
    /// Decides about an element that people see. May name what can be clicked though it has no role.
    pub(super) fn list(&self, node: u32, role: Role, named: &mut Named, around: Around, below: Counts) -> Listing {
        let dom = self.dom;
        let tag = dom.tag(node);
        let clickable = self.is_clickable(node, role);
        let by_role = role.is_named_by_content()
            && !matches!(role, Role::Cell | Role::Gridcell | Role::Columnheader | Role::Rowheader | Role::Treeitem);
        // The text of a field is its value.
        let is_field = role.is_text_field() && tag != Tag::Select;
        let mut listing = Listing { listed: false, clickable, speaks: by_role || is_field || named.from_content };
        if matches!(tag, Tag::Html | Tag::Body) && !is_editing_host(dom, node) {
            return Listing { listed: role.has_meaning() && role != Role::None, clickable: false, speaks: false };
        }
        listing.listed = match role {
            // An unnamed picture inside a line that tells the text is decoration.
            Role::Image => {
                !named.text.is_empty() || (tag == Tag::Img && !around.spoken && !self.is_hidden_by_aria(node))
            }
            Role::Separator => !self.is_hidden_by_aria(node),
            _ if role.has_meaning() => true,
            Role::Linebreak => false,
            _ => !named.text.is_empty() && !named.from_content,
        };
        if listing.listed || !clickable || around.in_control || role == Role::Linebreak {
            return listing;
        }
        if role == Role::Label && self.labels_something_shown(node) {
            return listing;
        }
        if self.is_text_of_editor(node) {
            return listing;
        }
        self.list_clickable(node, named, around, below, listing)
    }

    /// Decides about something clickable without a telling role or name. It speaks for its text when it is one
    /// thing, not when parts with a meaning of their own stand in it. A box around such parts that only has a
    /// listener hears the clicks for them and stands on no line.
    fn list_clickable(
        &self,
        node: u32,
        named: &mut Named,
        around: Around,
        below: Counts,
        mut listing: Listing,
    ) -> Listing {
        let dom = self.dom;
        let reachable =
            is_in_tab_order(dom, node) || is_editing_host(dom, node) || self.layout.styled(node, style::POINTER);
        let has_parts = below.parts > 0 || below.paragraphs > 1;
        if !reachable && (has_parts || below.pressed > 0 || below.blocks > MOST_BLOCKS) {
            return listing;
        }
        let text = self.name_of_clickable(node);
        let longest = if has_parts { LONGEST_REPEATED } else { LONGEST_NAME };
        let fits = text.chars().nth(longest).is_none() && !Self::is_wordless(&text);
        if (text.is_empty() || !fits) && !reachable && !self.has_area(node) {
            return listing;
        }
        listing.listed = true;
        if fits && !text.is_empty() && !around.spoken && !is_editing_host(dom, node) {
            named.text = text;
            named.from_content = true;
            listing.speaks = !has_parts;
        }
        listing
    }

    /// Returns whether a label names a control that stands on a line of its own.
    fn labels_something_shown(&self, label: u32) -> bool {
        self.label_target(label).is_some_and(|control| self.is_shown(control))
    }

    /// For the browser every part of an editor hears clicks; only the outermost one is the editor.
    fn is_text_of_editor(&self, node: u32) -> bool {
        self.dom.ancestors(node).any(|above| is_editing_host(self.dom, above))
    }

    fn has_area(&self, node: u32) -> bool {
        self.layout.row(node).is_some_and(|row| row.bounds[2] >= 4.0 && row.bounds[3] >= 4.0)
    }

    /// Returns whether an open part of the page stands above the rest: a dialog, a popover, a menu or listbox
    /// that is laid over the page or that something expanded controls, an expanded combobox.
    pub(super) fn is_overlay(&self, node: u32, role: Role, controlled: bool) -> bool {
        let dom = self.dom;
        if dom.tag(node) == Tag::Select {
            return dom.has(node, flag::OPEN);
        }
        let popover = dom.has_attribute(node, Attribute::Popover) && self.layout.styled(node, style::IN_TOP_LAYER);
        match role {
            Role::Dialog | Role::Alertdialog => true,
            Role::Menu | Role::Listbox => popover || controlled || self.lies_over_its_parent(node),
            Role::Combobox => dom.is(node, Attribute::AriaExpanded, "true"),
            _ => popover,
        }
    }

    /// Positioned parts are painted after what they lie over.
    fn lies_over_its_parent(&self, node: u32) -> bool {
        let Some(own) = self.layout.row(node) else { return false };
        let parent = dom_parent_with_row(self, node);
        parent.is_some_and(|above| own.paint > above)
    }
}

fn dom_parent_with_row(moment: &Moment<'_>, node: u32) -> Option<u32> {
    moment.dom.ancestors(node).find_map(|above| moment.layout.row(above)).map(|row| row.paint)
}
