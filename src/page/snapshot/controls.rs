//! What the markup says of form controls and the tree does not: names for the server, values of radio buttons, forms.

use std::collections::HashMap;

use super::dom::NONE;
use super::roles::is_editing_host;
use super::words::{Attribute, Tag};
use crate::page::tree::{Hidden, Tree};

/// The markup of one control.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Control {
    /// The `name` attribute.
    pub name: Option<String>,
    /// The `value` attribute.
    pub value: Option<String>,
    /// Whether people write into the element itself, as in rich editors.
    pub editable: bool,
    /// Whether anything but its placeholder names it.
    pub labelled: bool,
    /// The label that stands for it and can be seen.
    pub label: Option<u32>,
    /// Which form it stands in, as a number that means nothing else.
    pub form: Option<u32>,
}

/// Returns the controls of all frames by their node in the tree.
pub fn controls(tree: &Tree) -> HashMap<u32, Control> {
    let dom = &tree.dom;
    let frames: Vec<Option<u32>> = dom.documents.iter().map(|document| tree.frame_of(&document.frame_id)).collect();
    let numbers = || 0..u32::try_from(dom.len()).unwrap_or(NONE);
    let labels = || numbers().filter(|&node| dom.tag(node) == Tag::Label);
    let is_seen = |&at: &u32| tree.get(at).is_some_and(|node| !node.hidden.is_some_and(Hidden::is_left_out));
    let seen_at = |label: u32| {
        let frame = frames.get(dom.document(label) as usize).copied().flatten()?;
        tree.index_of(frame, dom.backend(label)).filter(is_seen)
    };
    let mut meant: HashMap<(u32, &str), Option<u32>> = HashMap::new();
    for label in labels() {
        if let Some(id) = dom.filled(label, Attribute::For) {
            let seen = meant.entry((dom.document(label), id)).or_default();
            *seen = seen.or_else(|| seen_at(label));
        }
    }
    let mut controls = HashMap::new();
    for node in numbers() {
        let editable = is_editing_host(dom, node);
        if !editable && !matches!(dom.tag(node), Tag::Input | Tag::Textarea | Tag::Select) {
            continue;
        }
        let frame = frames.get(dom.document(node) as usize).copied().flatten();
        let Some(at) = frame.and_then(|frame| tree.index_of(frame, dom.backend(node))) else { continue };
        let text = |name: Attribute| dom.filled(node, name).map(str::to_owned);
        let form = dom.ancestors(node).find(|&above| dom.tag(above) == Tag::Form);
        let named = [Attribute::AriaLabel, Attribute::AriaLabelledby, Attribute::Title];
        let around = dom.ancestors(node).find(|&above| dom.tag(above) == Tag::Label);
        let beside = dom.filled(node, Attribute::Id).and_then(|id| meant.get(&(dom.document(node), id)));
        let labelled = named.iter().any(|&name| dom.has_attribute(node, name)) || around.is_some() || beside.is_some();
        // A label that is meant for another control by its `for` is none for what stands in it.
        let own = around.filter(|&label| !dom.has_attribute(label, Attribute::For));
        let label = beside.copied().flatten().or_else(|| own.and_then(seen_at));
        let (name, value) = (text(Attribute::Name), text(Attribute::Value));
        let control = Control { name, value, editable, labelled, label, form };
        controls.insert(at, control);
    }
    controls
}
