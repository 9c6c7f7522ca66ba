//! From replies to flat arrays. What must never leave the host is dropped here, before anything else can see it.

use std::collections::HashMap;

use super::dom::{Document, Dom, ELEMENT, NONE, flag};
use super::layout::{Display, LOOKS, Layout, Row, STYLES, display_of, style};
use super::look::Look;
use super::wire::{self, Sparse, Strings};
use super::words::{Attribute, Tag};

/// Autocomplete tokens of fields whose value is nobody's business.
const SENSITIVE_TOKENS: [&str; 3] = ["current-password", "new-password", "one-time-code"];

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub dom: Dom,
    pub layout: Layout,
    /// Fields whose value was dropped.
    pub redacted: usize,
    /// Whether anything was dropped, so that its text must be forgotten.
    dropped: bool,
}

/// Adds the documents of one reply.
///
/// # Errors
/// Says what is wrong with the reply.
pub(super) fn add(decoded: &mut Decoded, json: &str) -> Result<(), String> {
    let reply = wire::read(json)?;
    let shift = decoded.dom.strings.append(&reply.strings);
    let mut atoms = Atoms::new(&reply.strings);
    let first_document = count(decoded.dom.documents.len());
    for document in &reply.documents {
        let first = count(decoded.dom.len());
        add_nodes(&mut decoded.dom, document, &mut atoms, shift)?;
        add_rows(decoded, document, &mut atoms, first, shift)?;
        let text = |index: i32| u32::try_from(index).map_or("", |index| reply.strings.get(index));
        decoded.dom.documents.push(Document {
            frame_id: text(document.frame_id).to_owned(),
            url: text(document.url).to_owned(),
            title: text(document.title).to_owned(),
            first,
            end: count(decoded.dom.len()),
            owner: NONE,
            scroll: (document.scroll_offset_x, document.scroll_offset_y),
        });
    }
    // Owners are set when all documents are there, because a child document stands behind its parent.
    for (index, document) in (first_document..).zip(&reply.documents) {
        let Some(first) = decoded.dom.documents.get(index as usize).map(|document| document.first) else { continue };
        for (node, child) in document.nodes.content_document_index.pairs() {
            let child = u32::try_from(child).map_or(NONE, |child| child.saturating_add(first_document));
            if child > index
                && let Some(document) = decoded.dom.documents.get_mut(child as usize)
            {
                document.owner = first + node;
            }
        }
    }
    mask(decoded, first_document);
    Ok(())
}

/// Forgets every string that no node needs any more, when something sensitive was dropped.
pub(super) fn forget(decoded: &mut Decoded) {
    if !decoded.dropped {
        return;
    }
    let dom = &decoded.dom;
    let mut keep = vec![false; dom.strings.len()];
    let live = dom.live.iter().map(|(_, value)| value);
    let attributes = dom.attributes.iter().map(|(_, value)| value);
    let rows = decoded.layout.rows.iter().flat_map(|row| [&row.text, &row.content]);
    for &used in dom.name.iter().chain(&dom.text).chain(live).chain(attributes).chain(rows) {
        if let Some(keep) = keep.get_mut(used as usize) {
            *keep = true;
        }
    }
    decoded.dom.strings = decoded.dom.strings.retain(&keep);
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

/// What strings of the table mean, found out once each.
struct Atoms<'a> {
    strings: &'a Strings,
    tags: Vec<Option<(Tag, bool)>>,
    attributes: Vec<Option<Attribute>>,
    displays: Vec<Option<Display>>,
}

impl<'a> Atoms<'a> {
    fn new(strings: &'a Strings) -> Self {
        let length = strings.len() + 1;
        Self { strings, tags: vec![None; length], attributes: vec![None; length], displays: vec![None; length] }
    }

    fn text(&self, index: i32) -> &'a str {
        u32::try_from(index).map_or("", |index| self.strings.get(index))
    }

    /// Returns the element name, and whether it is written in lower case, as outside HTML.
    fn tag(&mut self, index: i32) -> (Tag, bool) {
        let text = self.text(index);
        memo(&mut self.tags, index, || {
            let small = text.bytes().any(|byte| byte.is_ascii_lowercase());
            (Tag::of(&text.to_ascii_lowercase()), small)
        })
    }

    fn attribute(&mut self, index: i32) -> Attribute {
        let text = self.text(index);
        memo(&mut self.attributes, index, || Attribute::of(text))
    }

    fn display(&mut self, index: i32) -> Display {
        let text = self.text(index);
        memo(&mut self.displays, index, || display_of(text))
    }
}

/// Looks a value up, computing it the first time. Index -1 shares the last slot, which stands for no string.
fn memo<T: Copy>(table: &mut [Option<T>], index: i32, compute: impl FnOnce() -> T) -> T {
    let last = table.len().saturating_sub(1);
    let at = usize::try_from(index).unwrap_or(last).min(last);
    match table.get_mut(at) {
        Some(slot) => *slot.get_or_insert_with(compute),
        None => compute(),
    }
}

fn add_nodes(dom: &mut Dom, document: &wire::Document, atoms: &mut Atoms<'_>, shift: u32) -> Result<(), String> {
    let nodes = &document.nodes;
    let first = count(dom.len());
    let length = nodes.parent_index.len();
    if nodes.node_type.len() != length || nodes.backend_node_id.len() != length || nodes.node_name.len() != length {
        return Err("the lists of nodes differ in length".to_owned());
    }
    let string = |index: i32| u32::try_from(index).map_or(NONE, |index| index.saturating_add(shift));
    let index = count(dom.documents.len());
    for at in 0..length {
        let parent = nodes.parent_index.get(at).copied().unwrap_or(-1);
        let parent = match usize::try_from(parent) {
            Ok(parent) if parent < at => first + count(parent),
            Ok(_) => return Err("a node stands before its parent".to_owned()),
            Err(_) => NONE,
        };
        let kind = nodes.node_type.get(at).copied().unwrap_or(0);
        let name = nodes.node_name.get(at).copied().unwrap_or(-1);
        let (mut tag, small) = if kind == ELEMENT { atoms.tag(name) } else { (Tag::Other, false) };
        let mut flags = 0;
        // XHTML documents write HTML names in lower case too, so the root of foreign content decides.
        let inside = parent != NONE && dom.has(parent, flag::FOREIGN) && !is_html_island(dom, parent);
        if kind == ELEMENT && (inside || (small && matches!(tag, Tag::Svg | Tag::Math))) {
            flags |= flag::FOREIGN;
            if !matches!(tag, Tag::Svg | Tag::Math) {
                tag = Tag::Other;
            }
        }
        dom.parent.push(parent);
        dom.kind.push(kind);
        dom.tag.push(tag);
        dom.name.push(string(name));
        dom.text.push(string(nodes.node_value.get(at).copied().unwrap_or(-1)));
        dom.backend.push(nodes.backend_node_id.get(at).copied().unwrap_or(0));
        dom.flags.push(flags);
        dom.document.push(index);
        for pair in nodes.attributes.get(at).chunks_exact(2) {
            let [name, value] = pair else { continue };
            let name = atoms.attribute(*name);
            if name != Attribute::Other {
                dom.attributes.push((name, string(*value)));
            }
        }
        dom.attribute_ends.push(count(dom.attributes.len()));
    }
    set_ends(dom, first);
    set_flags(dom, nodes, atoms, first);
    dom.has_first_letters |= nodes.pseudo_type.pairs().any(|(_, kind)| atoms.text(kind) == "first-letter");
    let before = dom.live.len();
    for (node, value) in nodes.input_value.pairs().chain(nodes.text_value.pairs()) {
        dom.live.push((first.saturating_add(node), string(value)));
    }
    if let Some(added) = dom.live.get_mut(before..) {
        added.sort_unstable();
    }
    Ok(())
}

/// Returns whether HTML may stand below an element of foreign content.
fn is_html_island(dom: &Dom, node: u32) -> bool {
    dom.node_name(node).eq_ignore_ascii_case("foreignobject") || dom.node_name(node) == "annotation-xml"
}

fn set_ends(dom: &mut Dom, first: u32) {
    let length = count(dom.len());
    dom.end.extend((first..length).map(|node| node + 1));
    for node in (first..length).rev() {
        let end = dom.end(node);
        let parent = dom.parent(node);
        if let Some(above) = dom.end.get_mut(parent as usize)
            && *above < end
        {
            *above = end;
        }
    }
}

fn set_flags(dom: &mut Dom, nodes: &wire::Nodes, atoms: &Atoms<'_>, first: u32) {
    let mut set = |node: u32, flag: u32| {
        if let Some(flags) = dom.flags.get_mut(first.saturating_add(node) as usize) {
            *flags |= flag;
        }
    };
    for (sparse, flag) in [
        (&nodes.is_clickable, flag::LISTENER),
        (&nodes.input_checked, flag::CHECKED),
        (&nodes.option_selected, flag::SELECTED),
    ] {
        sparse.index.iter().for_each(|&node| set(node, flag));
    }
    let mut named = |sparse: &Sparse, flag_of: &dyn Fn(&str) -> u32| {
        for (node, value) in sparse.pairs() {
            set(node, flag_of(atoms.text(value)));
        }
    };
    named(&nodes.shadow_root_type, &|kind| match kind {
        "open" => flag::SHADOW_OPEN,
        "closed" => flag::SHADOW_CLOSED,
        _ => 0,
    });
    named(&nodes.pseudo_type, &|kind| match kind {
        "before" => flag::PSEUDO | flag::BEFORE,
        "after" => flag::PSEUDO | flag::AFTER,
        // The letter is told by the text that it was taken from.
        "marker" | "first-letter" => flag::PSEUDO | flag::MARKER,
        _ => flag::PSEUDO,
    });
}

fn add_rows(
    decoded: &mut Decoded,
    document: &wire::Document,
    atoms: &mut Atoms<'_>,
    first: u32,
    shift: u32,
) -> Result<(), String> {
    let layout = &document.layout;
    let rows = &mut decoded.layout;
    rows.first.resize(decoded.dom.len(), NONE);
    let mut looks: HashMap<[i32; LOOKS], u32> = HashMap::new();
    for (at, &node) in layout.node_index.iter().enumerate() {
        let node = first.saturating_add(node);
        let number = count(rows.rows.len());
        let Some(slot) = rows.first.get_mut(node as usize) else { continue };
        if *slot == NONE {
            *slot = number;
        }
        let mut row = Row {
            node,
            display: Display::Block,
            styles: 0,
            content: NONE,
            text: NONE,
            paint: 0,
            bounds: [0.0; 4],
            look: NONE,
        };
        let styles = layout.styles.get(at);
        if !styles.is_empty() && styles.len() != STYLES.len() {
            return Err("the styles are not those that were asked for".to_owned());
        }
        if let &[
            display,
            visibility,
            content,
            overlay,
            content_visibility,
            cursor,
            security,
            interactivity,
            ref look @ ..,
        ] = styles
            && let Ok(look) = <[i32; LOOKS]>::try_from(look)
        {
            row.look = *looks.entry(look).or_insert_with(|| {
                rows.looks.push(Look::read(look.map(|style| atoms.text(style))));
                count(rows.looks.len() - 1)
            });
            row.display = atoms.display(display);
            let mut set = |on: bool, bit: u8| row.styles |= if on { bit } else { 0 };
            set(atoms.text(visibility) != "visible", style::INVISIBLE);
            set(atoms.text(overlay) == "auto", style::IN_TOP_LAYER);
            set(atoms.text(content_visibility) == "hidden", style::SKIPS_CONTENT);
            set(atoms.text(content_visibility) == "auto", style::LAZY_CONTENT);
            set(atoms.text(cursor) == "pointer", style::POINTER);
            set(!matches!(atoms.text(security), "none" | ""), style::MASKED);
            set(atoms.text(interactivity) == "inert", style::INERT);
            if !matches!(atoms.text(content), "normal" | "none" | "") {
                row.content = u32::try_from(content).map_or(NONE, |index| index.saturating_add(shift));
            }
        }
        let text = layout.text.get(at).copied().unwrap_or(-1);
        row.text = u32::try_from(text).map_or(NONE, |index| index.saturating_add(shift));
        row.paint = layout.paint_orders.get(at).copied().unwrap_or(0);
        if let &[x, y, width, height] = layout.bounds.get(at) {
            row.bounds = [x, y, width, height];
        }
        rows.rows.push(row);
    }
    Ok(())
}

/// Drops the values of sensitive fields and the text of masked elements.
fn mask(decoded: &mut Decoded, first_document: u32) {
    let first = decoded.dom.documents.get(first_document as usize).map_or(0, |document| document.first);
    for node in first..count(decoded.dom.len()) {
        let masked = decoded.layout.styled(node, style::MASKED);
        let dom = &decoded.dom;
        if dom.is_text(node) {
            if masked {
                decoded.forget_text(node);
            }
            continue;
        }
        let field = matches!(dom.tag(node), Tag::Input | Tag::Textarea | Tag::Select);
        let editable = dom.has_attribute(node, Attribute::Contenteditable);
        if (masked && (field || editable)) || (field && asks_for_secrets(dom, node)) {
            decoded.forget_value(node);
        }
    }
}

impl Decoded {
    fn forget_value(&mut self, node: u32) {
        self.redacted += 1;
        self.dropped = true;
        let dom = &mut self.dom;
        if let Some(flags) = dom.flags.get_mut(node as usize) {
            *flags |= flag::SENSITIVE;
        }
        for (name, value) in dom.attributes_mut(node) {
            if *name == Attribute::Value {
                *value = NONE;
            }
        }
        if let Ok(at) = dom.live.binary_search_by_key(&node, |&(node, _)| node)
            && let Some((_, value)) = dom.live.get_mut(at)
        {
            *value = NONE;
        }
        // The text of a text area is its first value, and the chosen option of a select is its value.
        let is_area = dom.tag(node) == Tag::Textarea;
        for below in node + 1..dom.end(node) {
            if is_area {
                self.forget_text(below);
            }
            if let Some(flags) = self.dom.flags.get_mut(below as usize) {
                *flags &= !flag::SELECTED;
            }
        }
    }

    fn forget_text(&mut self, node: u32) {
        self.dropped = true;
        if let Some(text) = self.dom.text.get_mut(node as usize) {
            *text = NONE;
        }
        let at = self.layout.first.get(node as usize).copied().unwrap_or(NONE) as usize;
        for row in self.layout.rows.iter_mut().skip(at).take_while(|row| row.node == node) {
            row.text = NONE;
        }
    }
}

fn asks_for_secrets(dom: &Dom, node: u32) -> bool {
    if dom.tag(node) == Tag::Input && dom.input_type(node) == "password" {
        return true;
    }
    dom.attribute(node, Attribute::Autocomplete).is_some_and(|tokens| {
        tokens.split_ascii_whitespace().any(|token| {
            let token = token.to_ascii_lowercase();
            SENSITIVE_TOKENS.contains(&token.as_str()) || token.starts_with("cc-")
        })
    })
}
