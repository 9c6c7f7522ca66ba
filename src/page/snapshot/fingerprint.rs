//! A sketch of one element for a cheap answer to "is it still the same?".

use super::dom::{Dom, flag};
use super::text::folded;
use super::words::{Attribute, Tag};
use crate::page::tree::Tree;

/// Nodes of a subtree that are looked at; a larger subtree has no sketch.
const LARGEST: u32 = 300;

/// Between two parts of a sketch. No page text holds it after folding, for it is replaced by a space.
const BETWEEN: char = '\u{1f}';

/// Returns the sketch of an element, with that of the row around it where `levels` parents up in the DOM lead to one;
/// `None` when the element is not there, its subtree holds a shadow root, a
/// `slot`, a frame (`iframe`, `frame`, `object`, `embed`) or more than 300 nodes, it or an element below has the
/// attribute `aria-labelledby` (its name stands elsewhere), or its value is sensitive.
///
/// A script in the page computes the same text from the DOM, so the parts are fixed. They are joined by
/// U+001F, and every part is white-space folded: runs of characters with the Unicode property `White_Space`
/// and U+001F become one space, none stands at the ends. An attribute that is missing is the empty part.
///
/// 1. The element name in lower case (`localName`).
/// 2. The attributes `role`, `aria-label`, `title`, `alt`, `placeholder`, in this order, one part each.
/// 3. The attribute `type`; then the attribute `value` for an `input` whose `type` attribute, trimmed and in
///    lower case, is `button`, `submit`, `reset` or `image`, else the empty part.
/// 4. For each node below the element, in document order, at most 300 elements and text nodes together
///    (comments do not count): for text its data, unless it folds to nothing or stands anywhere below
///    `script`, `style`, `noscript`, `template` or `textarea`; for an element its `aria-label`, `alt`,
///    `title` and `aria-hidden`, each only when it is there and does not fold to nothing. What stands below those five
///    elements is neither counted nor looked at; the elements themselves are.
/// 5. For each `label` element in the same document that names the element (`element.labels`, in document
///    order): all text data below the label as in 4, joined without anything between, folded. A label without
///    text gives the empty part.
/// 6. Where elements below the element can't be seen: the word `unseen` and the number of each among all elements that
///    were looked at in 4, from 1, so that words that a class alone shows or hides tell. Not for the row: what a row
///    shows only while the pointer is over it makes it no other row.
/// 7. With a row: the word `row` and the number of the parts so far, the row's element name and its attributes
///    `role` and `aria-label`, then what 4 says of the row; no sketch where the row has `aria-labelledby`.
pub fn fingerprint(tree: &Tree, frame: u32, backend: i64, levels: Option<usize>) -> Option<String> {
    let dom = &tree.dom;
    let document = dom.document_of(&tree.frames.get(frame as usize)?.frame_id)?;
    let node = dom.find(document, backend)?;
    if !dom.is_element(node)
        || dom.has(node, flag::SENSITIVE | flag::PSEUDO)
        || is_host(dom, node)
        || dom.has_attribute(node, Attribute::AriaLabelledby)
    {
        return None;
    }
    let part = |name: Attribute| dom.attribute(node, name).map(sketched).unwrap_or_default();
    let mut parts = vec![dom.node_name(node).to_ascii_lowercase()];
    for name in [
        Attribute::Role,
        Attribute::AriaLabel,
        Attribute::Title,
        Attribute::Alt,
        Attribute::Placeholder,
        Attribute::Type,
    ] {
        parts.push(part(name));
    }
    let is_caption =
        dom.tag(node) == Tag::Input && matches!(dom.input_type(node).as_ref(), "button" | "submit" | "reset" | "image");
    parts.push(if is_caption { part(Attribute::Value) } else { String::new() });
    let unseen = add_below(dom, node, &mut parts)?;
    add_labels(dom, document, node, &mut parts)?;
    if !unseen.is_empty() {
        parts.push(format!("unseen {}", unseen.join(" ")));
    }
    if let Some(levels) = levels {
        let row = std::iter::once(node).chain(dom.ancestors(node)).nth(levels)?;
        if !dom.is_element(row) || dom.has_attribute(row, Attribute::AriaLabelledby) {
            return None;
        }
        parts.push(format!("row {}", parts.len()));
        parts.push(dom.node_name(row).to_ascii_lowercase());
        for name in [Attribute::Role, Attribute::AriaLabel] {
            parts.push(dom.attribute(row, name).map(sketched).unwrap_or_default());
        }
        add_below(dom, row, &mut parts)?;
    }
    Some(parts.join(&BETWEEN.to_string()))
}

/// Returns how many parents up in the DOM `row` stands over an element; `None` where it does not, or where one of
/// them is in a shadow tree or the host of one, so that the script would go another way.
pub fn levels_up(tree: &Tree, frame: u32, backend: i64, row: i64) -> Option<usize> {
    let dom = &tree.dom;
    let document = dom.document_of(&tree.frames.get(frame as usize)?.frame_id)?;
    let node = dom.find(document, backend)?;
    if dom.has(node, flag::SHADOW_OPEN | flag::SHADOW_CLOSED) {
        return None;
    }
    let levels = dom.ancestors(node).position(|above| dom.backend(above) == row)? + 1;
    dom.ancestors(node).take(levels).all(|above| !is_host(dom, above) && dom.tag(above) != Tag::Slot).then_some(levels)
}

/// Adds the texts below a node. Returns the numbers of the elements there that can't be seen.
fn add_below(dom: &Dom, node: u32, parts: &mut Vec<String>) -> Option<Vec<String>> {
    let (mut seen, mut elements, mut unseen) = (0, 0_u32, Vec::new());
    let mut at = node + 1;
    let end = dom.end(node);
    while at < end {
        let below = dom.end(at);
        if dom.has(at, flag::PSEUDO) {
            at = below;
            continue;
        }
        if dom.is_text(at) {
            seen += 1;
            push_filled(parts, dom.text(at));
        } else if dom.is_element(at) {
            seen += 1;
            elements += 1;
            if dom.has(at, flag::UNSEEN) {
                unseen.push(elements.to_string());
            }
            if is_frame_or_slot(dom.tag(at)) || is_host(dom, at) || dom.has_attribute(at, Attribute::AriaLabelledby) {
                return None;
            }
            for name in [Attribute::AriaLabel, Attribute::Alt, Attribute::Title, Attribute::AriaHidden] {
                push_filled(parts, dom.attribute(at, name).unwrap_or_default());
            }
            if is_silent(dom.tag(at)) {
                at = below;
                continue;
            }
        }
        if seen > LARGEST {
            return None;
        }
        at += 1;
    }
    Some(unseen)
}

/// Adds the texts of the labels of a control. `None` for a control in a shadow tree, whose labels may be out
/// of sight for the script.
fn add_labels(dom: &Dom, document: u32, node: u32, parts: &mut Vec<String>) -> Option<()> {
    let takes = |node: u32| {
        dom.tag(node).can_be_labelled() && (dom.tag(node) != Tag::Input || dom.input_type(node) != "hidden")
    };
    if !takes(node) {
        return Some(());
    }
    if dom.has(node, flag::SHADOW_OPEN | flag::SHADOW_CLOSED) {
        return None;
    }
    let facts = dom.documents.get(document as usize)?;
    let id = dom.attribute(node, Attribute::Id).filter(|id| !id.is_empty());
    let first_of_id = |id: &str| (facts.first..facts.end).find(|&at| dom.attribute(at, Attribute::Id) == Some(id));
    let named = id.filter(|id| first_of_id(id) == Some(node));
    for label in (facts.first..facts.end).filter(|&at| dom.tag(at) == Tag::Label) {
        let names = match dom.attribute(label, Attribute::For) {
            Some(target) => named == Some(target),
            None => (label + 1..dom.end(label)).find(|&at| takes(at)) == Some(node),
        };
        if names {
            parts.push(label_text(dom, label));
        }
    }
    Some(())
}

fn label_text(dom: &Dom, label: u32) -> String {
    let mut text = String::new();
    let mut at = label + 1;
    while at < dom.end(label) {
        if dom.is_element(at) && (is_silent(dom.tag(at)) || dom.has(at, flag::PSEUDO)) {
            at = dom.end(at);
            continue;
        }
        if dom.is_text(at) {
            text.push_str(dom.text(at));
        }
        at += 1;
    }
    sketched(&text)
}

fn sketched(text: &str) -> String {
    folded(&text.replace(BETWEEN, " "))
}

fn push_filled(parts: &mut Vec<String>, text: &str) {
    let part = sketched(text);
    if !part.is_empty() {
        parts.push(part);
    }
}

/// Returns whether text below is no text of the page.
fn is_silent(tag: Tag) -> bool {
    matches!(tag, Tag::Script | Tag::Style | Tag::Noscript | Tag::Template | Tag::Textarea)
}

fn is_frame_or_slot(tag: Tag) -> bool {
    matches!(tag, Tag::Slot | Tag::Iframe | Tag::Frame | Tag::Object | Tag::Embed)
}

/// Returns whether an element has a shadow tree of the page's making, empty ones aside.
fn is_host(dom: &Dom, node: u32) -> bool {
    const SHADOW: u32 = flag::SHADOW_OPEN | flag::SHADOW_CLOSED;
    let kind = |node: u32| dom.flags.get(node as usize).copied().unwrap_or(0) & SHADOW;
    let child = node + 1;
    dom.parent(child) == node && kind(child) != 0 && (kind(child) != kind(node) || dom.is_custom(node))
}
