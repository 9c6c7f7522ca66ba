//! What nobody can see, and why.

use std::collections::HashMap;

use super::dom::{Dom, NONE, TEXT, flag};
use super::layout::{Layout, style};
use super::words::{Attribute, Tag};
use crate::page::tree::Hidden;

/// Reasons, one bit each; a node carries its own and those that its ancestors hand down.
pub(crate) mod hide {
    pub const DISPLAY: u16 = 1;
    pub const VISIBILITY: u16 = 1 << 1;
    pub const INERT: u16 = 1 << 2;
    pub const MODAL: u16 = 1 << 3;
    pub const DETAILS: u16 = 1 << 4;
    pub const SKIPPED: u16 = 1 << 5;
    pub const ARIA: u16 = 1 << 6;
    /// Under `content-visibility: auto`.
    pub const LAZY: u16 = 1 << 7;
    /// In a part that needs no box, as below `select`.
    pub const BOXLESS: u16 = 1 << 8;
    /// Laid out never so far, because it is far from the viewport.
    pub const NOT_LAID_OUT: u16 = 1 << 9;

    pub const OPACITY: u16 = 1 << 10;
    pub const SIZE: u16 = 1 << 11;
    pub const CONTRAST: u16 = 1 << 12;
    pub const OFFSCREEN: u16 = 1 << 13;
    pub const CLIPPED: u16 = 1 << 14;
    pub const COVERED: u16 = 1 << 15;

    /// On the page for programs, not for people.
    pub const UNSEEN: u16 = OPACITY | SIZE | CONTRAST | OFFSCREEN | CLIPPED | COVERED;
    pub const LEFT_OUT: u16 = DISPLAY | VISIBILITY | INERT | MODAL | DETAILS | SKIPPED;
    pub const HANDED_DOWN: u16 = INERT | MODAL | DETAILS | SKIPPED | ARIA | LAZY | BOXLESS | VISIBILITY;
}

/// Returns what a node's line or its absence tells.
pub(crate) fn reason(bits: u16) -> Option<Hidden> {
    [
        (hide::DETAILS, Hidden::Details),
        (hide::DISPLAY, Hidden::Display),
        (hide::SKIPPED, Hidden::Skipped),
        (hide::VISIBILITY, Hidden::Visibility),
        // People see what is inert, so this is the reason only where there is no other.
        (hide::MODAL, Hidden::Modal),
        (hide::INERT, Hidden::Inert),
        (hide::OPACITY, Hidden::Opacity),
        (hide::SIZE, Hidden::Size),
        (hide::OFFSCREEN, Hidden::Offscreen),
        (hide::CLIPPED, Hidden::Clipped),
        (hide::CONTRAST, Hidden::Contrast),
        (hide::COVERED, Hidden::Covered),
        (hide::ARIA, Hidden::AriaHidden),
        (hide::NOT_LAID_OUT, Hidden::NotLaidOut),
    ]
    .into_iter()
    .find_map(|(bit, reason)| (bits & bit != 0).then_some(reason))
}

/// Finds the reasons of all nodes. `documents` stand in an order where the frame of an owner comes first.
pub(crate) fn all(dom: &Dom, layout: &Layout, documents: &[u32]) -> Vec<u16> {
    let rendered = rendered(dom, layout);
    let modals = modals(dom, layout);
    let mapped = mapped_areas(dom);
    let mut bits: Vec<u16> = vec![0; dom.len()];
    for &document in documents {
        let Some(facts) = dom.documents.get(document as usize) else { continue };
        let modal = modals.get(&document).copied();
        for node in facts.first..facts.end {
            let parent = if node == facts.first { facts.owner } else { dom.parent(node) };
            let above = bits.get(parent as usize).copied().unwrap_or(0);
            let mut own = above & hide::HANDED_DOWN;
            if node == facts.first {
                // A frame that is not laid out hides all of its document.
                if above & (hide::DISPLAY | hide::VISIBILITY) != 0 {
                    own |= hide::DISPLAY;
                }
                own &= !(hide::BOXLESS | hide::VISIBILITY);
                if let Some(slot) = bits.get_mut(node as usize) {
                    *slot = own;
                }
                continue;
            }
            if modal.is_some_and(|modal| !dom.contains(modal, node)) {
                own |= hide::MODAL;
            }
            if modal == Some(node) {
                // A modal dialog escapes what makes its ancestors inert.
                own &= !(hide::MODAL | hide::INERT);
            }
            own |= own_reasons(dom, layout, node, parent);
            // Children may show themselves again; without a box of its own an element goes by its parent.
            match layout.row(node) {
                Some(row) if row.styles & style::INVISIBLE != 0 => own |= hide::VISIBILITY,
                Some(_) => own &= !hide::VISIBILITY,
                None => {}
            }
            if mapped && dom.tag(node) == Tag::Map {
                own |= hide::BOXLESS;
            }
            if above & hide::DISPLAY != 0 && dom.parent(node) == parent {
                // The parent has no box and no descendant with one, so neither has this.
                own |= hide::DISPLAY;
            } else if !rendered.get(node as usize).copied().unwrap_or(false) {
                own |= boxless(dom, node, own);
            }
            if let Some(slot) = bits.get_mut(node as usize) {
                *slot = own;
            }
        }
    }
    bits
}

/// Marks the elements that `checkVisibility`, asked with `visibilityProperty`, does not call visible.
pub(crate) fn mark_unseen(dom: &mut Dom, layout: &Layout, bits: &[u16]) {
    for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
        let skipped = bits.get(node as usize).is_some_and(|bits| bits & (hide::SKIPPED | hide::DETAILS) != 0);
        let seen = layout.has_row(node) && !layout.styled(node, style::INVISIBLE) && !skipped;
        if let Some(flags) = dom.flags.get_mut(node as usize).filter(|_| !seen) {
            *flags |= flag::UNSEEN;
        }
    }
}

/// Returns what the lack of a box means.
fn boxless(dom: &Dom, node: u32, bits: u16) -> u16 {
    let tag = dom.tag(node);
    if dom.has_attribute(node, Attribute::Hidden) || tag.has_no_content() || dom.has(node, flag::PSEUDO) {
        return hide::DISPLAY;
    }
    if bits & hide::BOXLESS != 0 {
        return 0;
    }
    if bits & hide::LAZY != 0 {
        return hide::NOT_LAID_OUT;
    }
    hide::DISPLAY
}

fn own_reasons(dom: &Dom, layout: &Layout, node: u32, parent: u32) -> u16 {
    let mut bits = 0;
    if let Some(above) = layout.row(parent) {
        if above.styles & style::SKIPS_CONTENT != 0 {
            bits |= hide::SKIPPED;
        }
        if above.styles & style::LAZY_CONTENT != 0 {
            bits |= hide::LAZY;
        }
    }
    match dom.tag(parent) {
        Tag::Details if !dom.has_attribute(parent, Attribute::Open) && !is_its_summary(dom, parent, node) => {
            bits |= hide::DETAILS;
        }
        Tag::Select | Tag::Canvas => bits |= hide::BOXLESS,
        _ => {}
    }
    if dom.kind(node) == TEXT {
        return bits;
    }
    if dom.is(node, Attribute::AriaHidden, "true") && !matches!(dom.tag(node), Tag::Html | Tag::Body) {
        bits |= hide::ARIA;
    }
    if dom.has_attribute(node, Attribute::Inert) || layout.styled(node, style::INERT) {
        bits |= hide::INERT;
    }
    bits
}

/// Returns whether a child of closed details is the summary that stays visible.
fn is_its_summary(dom: &Dom, details: u32, node: u32) -> bool {
    if dom.tag(node) != Tag::Summary {
        return false;
    }
    // The reply lists the summary first, so only generated content can stand before it.
    (details + 1..node).all(|before| dom.parent(before) != details || dom.tag(before) != Tag::Summary)
}

/// Returns for each node whether it or something below it has a box, visible or not.
fn rendered(dom: &Dom, layout: &Layout) -> Vec<bool> {
    let mut rendered: Vec<bool> = layout.first.iter().map(|&row| row != NONE).collect();
    rendered.resize(dom.len(), false);
    for node in (0..dom.len()).rev() {
        if rendered.get(node).copied().unwrap_or(false) {
            let parent = dom.parent.get(node).copied().unwrap_or(NONE);
            if let Some(above) = rendered.get_mut(parent as usize) {
                *above = true;
            }
        }
    }
    rendered
}

/// Finds the topmost open modal dialog of each document: in the top layer, no popover, painted last.
pub(crate) fn modals(dom: &Dom, layout: &Layout) -> HashMap<u32, u32> {
    let mut top: HashMap<u32, (u32, u32)> = HashMap::new();
    for row in &layout.rows {
        if row.styles & style::IN_TOP_LAYER == 0
            || dom.tag(row.node) != Tag::Dialog
            || !dom.has_attribute(row.node, Attribute::Open)
            || dom.has_attribute(row.node, Attribute::Popover)
        {
            continue;
        }
        let entry = top.entry(dom.document(row.node)).or_insert((row.paint, row.node));
        if row.paint >= entry.0 {
            *entry = (row.paint, row.node);
        }
    }
    top.into_iter().map(|(document, (_, node))| (document, node)).collect()
}

/// Returns whether any image uses a map, whose areas then need no box.
fn mapped_areas(dom: &Dom) -> bool {
    dom.attributes.iter().any(|(name, _)| *name == Attribute::Usemap)
}
