//! Which document stands in which frame element, over all processes.

use std::collections::HashMap;

use super::FrameMeta;
use super::dom::{Dom, NONE};
use crate::page::tree::TreeFrame;

/// The frames of a tree, before their nodes exist.
pub(super) struct Plan {
    /// Documents, parents before children. Their place is the index of their frame.
    pub order: Vec<u32>,
    /// Documents by the element that holds them, as indices into `order`.
    pub held: HashMap<u32, u32>,
    /// Read frames first, in the order of `order`; then those that were not read.
    pub frames: Vec<TreeFrame>,
    /// Frames that were not read, by the element that holds them.
    pub unread: HashMap<u32, u32>,
}

/// Puts documents of other processes under the elements that hold them.
pub(super) fn join(dom: &mut Dom, frames: &HashMap<String, FrameMeta>) -> Plan {
    for index in 1..dom.documents.len() {
        let owner = dom.documents.get(index).filter(|document| document.owner == NONE).and_then(|document| {
            let (parent, backend) = frames.get(&document.frame_id)?.owner.as_ref()?;
            dom.find(dom.document_of(parent)?, *backend)
        });
        if let (Some(owner), Some(document)) = (owner, dom.documents.get_mut(index)) {
            document.owner = owner;
        }
    }
    let order = order(dom);
    let mut plan = Plan { order, held: HashMap::new(), frames: Vec::new(), unread: HashMap::new() };
    for (place, &index) in (0_u32..).zip(&plan.order) {
        let Some(document) = dom.documents.get(index as usize) else { continue };
        let meta = frames.get(&document.frame_id);
        // What a frame shows before its document comes is not its content.
        let unread = meta.and_then(|meta| meta.unread.clone());
        if document.owner != NONE {
            let places = if unread.is_none() { &mut plan.held } else { &mut plan.unread };
            places.insert(document.owner, place);
        }
        let parent =
            dom.document.get(document.owner as usize).and_then(|&above| plan.order.iter().position(|&at| at == above));
        plan.frames.push(TreeFrame {
            frame_id: document.frame_id.clone(),
            label: meta.map_or_else(|| format!("frame_{place}"), |meta| meta.label.clone()),
            loader_id: meta.map_or_else(String::new, |meta| meta.loader_id.clone()),
            url: document.url.clone(),
            title: document.title.clone(),
            parent: parent.and_then(|parent| u32::try_from(parent).ok()),
            owner: None,
            root: None,
            read: unread.map_or(Ok(()), Err),
        });
    }
    add_unread(dom, frames, &mut plan);
    plan
}

/// Returns the documents that hang together with the first one, parents before children.
fn order(dom: &Dom) -> Vec<u32> {
    let mut below: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, document) in (0_u32..).zip(&dom.documents) {
        if document.owner != NONE {
            below.entry(dom.document(document.owner)).or_default().push(index);
        }
    }
    let mut order = Vec::with_capacity(dom.documents.len());
    let mut next: std::collections::VecDeque<u32> = dom.documents.first().map(|_| 0).into_iter().collect();
    while let Some(index) = next.pop_front() {
        order.push(index);
        next.extend(below.remove(&index).unwrap_or_default());
    }
    order
}

fn add_unread(dom: &Dom, frames: &HashMap<String, FrameMeta>, plan: &mut Plan) {
    let mut missing: Vec<(&String, &FrameMeta)> =
        frames.iter().filter(|(frame_id, _)| !plan.frames.iter().any(|frame| frame.frame_id == **frame_id)).collect();
    missing.sort_by(|left, right| left.1.label.cmp(&right.1.label).then(left.0.cmp(right.0)));
    for (frame_id, meta) in missing {
        let parent = meta.owner.as_ref().and_then(|(parent, _)| {
            plan.frames.iter().position(|frame| frame.frame_id == *parent && frame.read.is_ok())
        });
        let owner = meta.owner.as_ref().and_then(|(parent, backend)| dom.find(dom.document_of(parent)?, *backend));
        let place = u32::try_from(plan.frames.len()).unwrap_or(NONE);
        if let Some(owner) = owner {
            plan.unread.insert(owner, place);
        }
        plan.frames.push(TreeFrame {
            frame_id: frame_id.clone(),
            label: meta.label.clone(),
            loader_id: meta.loader_id.clone(),
            url: meta.url.clone(),
            title: String::new(),
            parent: parent.and_then(|parent| u32::try_from(parent).ok()),
            owner: None,
            root: None,
            read: Err(meta.unread.clone().unwrap_or_else(|| "it is not in the reply of the browser".to_owned())),
        });
    }
}
