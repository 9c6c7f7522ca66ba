//! What a snapshot can't tell and a small script can: focus, indeterminate, validity, open selects, and where
//! the content of frames stands. Elements come as the way down to them, since the script knows no numbers that
//! the snapshot knows.

use serde::Deserialize;

use super::dom::{Dom, flag};

/// The expression to evaluate by value in each frame, in an isolated world, in the same flight as the capture.
pub const FLAGS: &str = include_str!("flags.js");

/// Where the content of a frame element stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inset {
    pub node: u32,
    /// From the corner of its box to its content, in pixels of its document.
    pub left: f64,
    pub top: f64,
    pub scale_x: f64,
    pub scale_y: f64,
}

/// What a script found in one frame.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub insets: Vec<Inset>,
    pub viewport: Option<(f64, f64)>,
}

#[derive(Deserialize)]
struct Evaluated {
    result: Remote,
}

#[derive(Deserialize)]
struct Remote {
    value: Option<Answer>,
}

/// Element name, way down, left, top, scale across, scale down.
type FrameBox = (String, Option<Vec<u32>>, f64, f64, f64, f64);

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    flags: Vec<(String, Option<Vec<u32>>, u32)>,
    #[serde(default)]
    frames: Vec<FrameBox>,
    viewport: Option<(f64, f64)>,
}

/// Sets the flags of one document. An element that is no longer where the script saw it is passed over: the
/// two replies are not of the same moment.
pub(super) fn apply(dom: &mut Dom, document: u32, json: &str) -> Found {
    let Some(answer) = serde_json::from_str::<Evaluated>(json).ok().and_then(|evaluated| evaluated.result.value) else {
        return Found::default();
    };
    for (tag, path, bits) in &answer.flags {
        let Some(node) = path.as_ref().and_then(|path| walk(dom, document, path, tag)) else { continue };
        if let Some(flags) = dom.flags.get_mut(node as usize) {
            for (bit, flag) in [(1, flag::FOCUSED), (2, flag::INDETERMINATE), (4, flag::INVALID), (8, flag::OPEN)] {
                *flags |= if bits & bit != 0 { flag } else { 0 };
            }
        }
    }
    let insets = answer.frames.iter().filter_map(|(tag, path, left, top, scale_x, scale_y)| {
        let node = walk(dom, document, path.as_ref()?, tag)?;
        Some(Inset { node, left: *left, top: *top, scale_x: *scale_x, scale_y: *scale_y })
    });
    Found { insets: insets.collect(), viewport: answer.viewport }
}

/// Goes down from the root element, counting the elements of the flat tree.
fn walk(dom: &Dom, document: u32, path: &[u32], tag: &str) -> Option<u32> {
    let first = dom.documents.get(document as usize)?.first;
    let is_element = |&node: &u32| dom.is_element(node) && !dom.has(node, flag::PSEUDO);
    let mut at = flat_children(dom, first).find(is_element)?;
    for &step in path {
        at = flat_children(dom, at).filter(is_element).nth(step as usize)?;
    }
    dom.node_name(at).eq_ignore_ascii_case(tag).then_some(at)
}

/// Returns the children in the flat tree, by hopping over the subtrees.
fn flat_children(dom: &Dom, node: u32) -> impl Iterator<Item = u32> + '_ {
    let end = dom.end(node);
    std::iter::successors(Some(node + 1), |&child| Some(dom.end(child).max(child + 1)))
        .take_while(move |&child| child < end)
}
