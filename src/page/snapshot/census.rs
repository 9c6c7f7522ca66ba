//! What stands below each element, counted once for the whole page, so that asking costs nothing however deep
//! the page is.

use super::dom::{NONE, flag};
use super::moment::Moment;
use super::role::Role;
use super::roles::has_name_attribute;

/// What people see in a part of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Buttons and links.
    pub pressed: u32,
    /// Elements with a meaning of their own besides these and pictures: lists, headings, fields, labels, boxes that
    /// can be clicked themselves.
    pub parts: u32,
    pub paragraphs: u32,
    /// Blocks that hold text.
    pub blocks: u32,
}

/// The counts before each node.
pub(super) struct Census {
    before: Vec<Counts>,
}

impl Census {
    pub fn new(moment: &Moment<'_>) -> Self {
        let dom = moment.dom;
        let mut seen = Counts::default();
        let mut before = Vec::with_capacity(dom.len() + 1);
        let mut blocks: Vec<u32> = Vec::with_capacity(dom.len());
        let mut last_block = NONE;
        for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
            before.push(seen);
            let above = blocks.get(dom.parent(node) as usize).copied().unwrap_or(NONE);
            blocks.push(if dom.is_text(node) || moment.is_inline(node) { above } else { node });
            if !moment.is_shown(node) {
                continue;
            }
            if dom.is_text(node) {
                if above != last_block && !Moment::is_wordless(&moment.own_text(node)) {
                    seen.blocks += 1;
                    last_block = above;
                }
            } else if dom.is_element(node) && !dom.has(node, flag::PSEUDO) {
                count(moment, node, &mut seen);
            }
        }
        before.push(seen);
        Self { before }
    }

    /// Returns what stands below a node whose subtree ends at `end`.
    pub fn below(&self, node: u32, end: u32) -> Counts {
        let at = |node: u32| self.before.get(node as usize).copied().unwrap_or_default();
        let (first, last) = (at(node + 1), at(end));
        Counts {
            pressed: last.pressed.saturating_sub(first.pressed),
            parts: last.parts.saturating_sub(first.parts),
            paragraphs: last.paragraphs.saturating_sub(first.paragraphs),
            blocks: last.blocks.saturating_sub(first.blocks),
        }
    }
}

fn count(moment: &Moment<'_>, node: u32, seen: &mut Counts) {
    let role = moment.role(node);
    match role {
        Role::Button | Role::Link => seen.pressed += 1,
        Role::Image | Role::Separator | Role::Linebreak => {}
        Role::Paragraph => seen.paragraphs += 1,
        Role::Label | Role::Legend | Role::Descriptionlist => seen.parts += 1,
        _ if role.has_meaning() || moment.is_clickable(node, role) => seen.parts += 1,
        _ if !moment.is_inline(node) && has_name_attribute(moment.dom, node) => seen.parts += 1,
        _ => {}
    }
}
