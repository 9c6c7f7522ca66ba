//! Who stands below whom: generated content in its place, owned elements under their owner, and which ids an
//! element can see from its shadow tree.

use std::collections::{HashMap, HashSet};

use super::dom::{Dom, ELEMENT, NONE, flag};
use super::words::{Attribute, Tag};

/// Children in reading order, and ids by tree scope.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// Like the flat tree, but for elements that another one owns.
    parent: Vec<u32>,
    first: Vec<u32>,
    next: Vec<u32>,
    last: Vec<u32>,
    previous: Vec<u32>,
    /// The host of the shadow tree that a node belongs to, or the document node.
    scope: Vec<u32>,
    ids: HashMap<(u32, Box<str>), u32>,
}

impl Shape {
    pub fn new(dom: &Dom) -> Self {
        let length = dom.len();
        let mut shape = Self {
            parent: dom.parent.clone(),
            first: vec![NONE; length],
            next: vec![NONE; length],
            last: vec![NONE; length],
            previous: vec![NONE; length],
            ..Self::default()
        };
        let mut late = Vec::new();
        for node in 0..u32::try_from(length).unwrap_or(NONE) {
            if dom.has(node, flag::AFTER) {
                late.push(node);
            } else {
                shape.append(dom.parent(node), node);
            }
        }
        // The reply lists `::after` before the children, next to `::before`.
        for node in late {
            shape.append(dom.parent(node), node);
        }
        shape.scope = scopes(dom);
        shape.ids = ids(dom, &shape.scope);
        shape.move_owned(dom);
        shape
    }

    fn append(&mut self, parent: u32, node: u32) {
        if parent == NONE {
            return;
        }
        let last = at(&self.last, parent);
        if last == NONE {
            set(&mut self.first, parent, node);
        } else {
            set(&mut self.next, last, node);
        }
        set(&mut self.previous, node, last);
        set(&mut self.next, node, NONE);
        set(&mut self.last, parent, node);
        set(&mut self.parent, node, parent);
    }

    fn remove(&mut self, node: u32) {
        let (parent, before, after) = (self.parent(node), at(&self.previous, node), self.next(node));
        match before {
            NONE => set(&mut self.first, parent, after),
            _ => set(&mut self.next, before, after),
        }
        match after {
            NONE => set(&mut self.last, parent, before),
            _ => set(&mut self.previous, after, before),
        }
    }

    fn move_owned(&mut self, dom: &Dom) {
        let mut owned = HashSet::new();
        for owner in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
            let Some(ids) = dom.filled(owner, Attribute::AriaOwns) else { continue };
            // Chromium ignores aria-owns on elements that can't have children of their own.
            if matches!(dom.tag(owner), Tag::Input | Tag::Textarea | Tag::Select | Tag::Img | Tag::Br) {
                continue;
            }
            for id in ids.split_ascii_whitespace() {
                let Some(node) = self.find_id(owner, id) else { continue };
                let is_above = std::iter::successors(Some(owner), |&at| Some(self.parent(at)))
                    .take_while(|&at| at != NONE)
                    .any(|at| at == node);
                if !is_above && owned.insert(node) {
                    self.remove(node);
                    self.append(owner, node);
                }
            }
        }
    }

    pub fn parent(&self, node: u32) -> u32 {
        at(&self.parent, node)
    }

    pub fn next(&self, node: u32) -> u32 {
        at(&self.next, node)
    }

    pub fn first(&self, node: u32) -> u32 {
        at(&self.first, node)
    }

    /// Returns the children in reading order.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(self.first(node)), |&child| Some(self.next(child)))
            .take_while(|&child| child != NONE)
    }

    /// Returns the ancestors in reading order, nearest first.
    pub fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(self.parent(node)), |&above| Some(self.parent(above)))
            .take_while(|&above| above != NONE)
    }

    /// Finds an id as an element refers to it: in its own tree scope, then outwards.
    pub fn find_id(&self, from: u32, id: &str) -> Option<u32> {
        let mut scope = at(&self.scope, from);
        while scope != NONE {
            if let Some(&node) = self.ids.get(&(scope, Box::from(id))) {
                return Some(node);
            }
            let outer = at(&self.scope, scope);
            scope = if outer == scope { NONE } else { outer };
        }
        None
    }

    /// Finds the elements that an attribute of ids names, in the order of the attribute.
    pub fn find_ids(&self, dom: &Dom, from: u32, attribute: Attribute) -> Vec<u32> {
        let Some(ids) = dom.filled(from, attribute) else { return Vec::new() };
        ids.split_ascii_whitespace().filter_map(|id| self.find_id(from, id)).collect()
    }
}

fn at(list: &[u32], index: u32) -> u32 {
    list.get(index as usize).copied().unwrap_or(NONE)
}

fn set(list: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = list.get_mut(index as usize) {
        *slot = value;
    }
}

/// Derives the tree scope of each node, which the reply does not tell: a node inside a shadow tree of another
/// kind than its parent's, or below a custom element, belongs to the shadow tree of its parent; what fits the
/// slot it stands in comes from outside.
fn scopes(dom: &Dom) -> Vec<u32> {
    const SHADOW: u32 = flag::SHADOW_OPEN | flag::SHADOW_CLOSED;
    let mut scopes: Vec<u32> = Vec::with_capacity(dom.len());
    for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
        let parent = dom.parent(node);
        let kind = dom.flags.get(node as usize).copied().unwrap_or(0) & SHADOW;
        let scope = if kind == 0 {
            let document = dom.documents.get(dom.document(node) as usize);
            document.map_or(NONE, |document| document.first)
        } else {
            let above = dom.flags.get(parent as usize).copied().unwrap_or(0) & SHADOW;
            let scope_above = at(&scopes, parent);
            let slotted = dom.tag(parent) == Tag::Slot
                && dom.attribute(node, Attribute::Slot).is_some()
                && dom.attribute(node, Attribute::Slot) == dom.attribute(parent, Attribute::Name);
            if above != kind {
                parent
            } else if slotted {
                at(&scopes, scope_above)
            } else if dom.is_custom(parent) {
                parent
            } else {
                scope_above
            }
        };
        scopes.push(scope);
    }
    scopes
}

/// Finds the elements of the ids that something refers to; the first one of each scope counts.
fn ids(dom: &Dom, scopes: &[u32]) -> HashMap<(u32, Box<str>), u32> {
    let mut wanted: HashSet<&str> = HashSet::new();
    for &(name, value) in &dom.attributes {
        let refers = matches!(
            name,
            Attribute::For
                | Attribute::AriaLabelledby
                | Attribute::AriaLabeledby
                | Attribute::AriaOwns
                | Attribute::AriaControls
                | Attribute::Popovertarget
                | Attribute::Headers
        );
        if refers {
            wanted.extend(dom.strings.get(value).split_ascii_whitespace());
        }
    }
    let mut ids = HashMap::new();
    if wanted.is_empty() {
        return ids;
    }
    for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
        if dom.kind(node) != ELEMENT {
            continue;
        }
        if let Some(id) = dom.attribute(node, Attribute::Id)
            && wanted.contains(id)
        {
            ids.entry((at(scopes, node), Box::from(id))).or_insert(node);
        }
    }
    ids
}
