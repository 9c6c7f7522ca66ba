//! What the markup says of form controls and the tree does not: names for the server, values of radio buttons, forms.

use std::collections::{HashMap, HashSet};

use super::dom::NONE;
use super::roles::is_editing_host;
use super::words::{Attribute, Tag};
use crate::page::tree::Tree;

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
    /// Which form it stands in, as a number that means nothing else.
    pub form: Option<u32>,
}

/// Returns the controls of all frames by their node in the tree.
pub fn controls(tree: &Tree) -> HashMap<u32, Control> {
    let dom = &tree.dom;
    let frames: Vec<Option<u32>> = dom.documents.iter().map(|document| tree.frame_of(&document.frame_id)).collect();
    let numbers = || 0..u32::try_from(dom.len()).unwrap_or(NONE);
    let labels = numbers().filter(|&node| dom.tag(node) == Tag::Label);
    let meant: HashSet<(u32, &str)> =
        labels.filter_map(|label| Some((dom.document(label), dom.filled(label, Attribute::For)?))).collect();
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
        let labelled = named.iter().any(|&name| dom.has_attribute(node, name))
            || dom.ancestors(node).any(|above| dom.tag(above) == Tag::Label)
            || dom.filled(node, Attribute::Id).is_some_and(|id| meant.contains(&(dom.document(node), id)));
        let control = Control { name: text(Attribute::Name), value: text(Attribute::Value), editable, labelled, form };
        controls.insert(at, control);
    }
    controls
}
