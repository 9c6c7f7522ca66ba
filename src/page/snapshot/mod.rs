//! From `DOMSnapshot.captureSnapshot` to the tree: roles, names, states and what is hidden, computed here and
//! not asked from the browser, because its own accessibility tree costs five times as much.

mod boxes;
mod build;
mod census;
mod controls;
mod decode;
pub(super) mod dom;
mod fingerprint;
mod flags;
mod hidden;
mod join;
mod layout;
mod listing;
mod look;
mod moment;
mod names;
mod role;
mod roles;
mod shape;
mod states;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod text;
mod told;
mod unseen;
mod wire;
mod words;

use std::collections::HashMap;

use serde_json::{Value, json};

use super::tree::Tree;

pub use controls::{Control, controls};
pub use dom::Dom;
pub use fingerprint::{fingerprint, levels_up};
pub use flags::FLAGS;
pub use layout::STYLES;
pub(crate) use role::Role;
pub(crate) use text::folded;

/// What one CDP session told of one moment.
#[derive(Debug, Clone, Copy)]
pub struct Capture<'a> {
    /// The result of `DOMSnapshot.captureSnapshot` with [`parameters`].
    pub json: &'a str,
    /// Results of `Runtime.evaluate` of [`FLAGS`] by value, each with the id of the frame it ran in. A frame
    /// without one is read all the same, but for focus, validity, indeterminate and open selects.
    pub flags: &'a [(&'a str, &'a str)],
}

/// What the session knows of a frame and a snapshot does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameMeta {
    /// What scripts call the frame, such as `frame_1`.
    pub label: String,
    pub loader_id: String,
    pub url: String,
    /// The frame and the DOM node that hold it; needed for frames of other processes.
    pub owner: Option<(String, i64)>,
    /// Why it could not be read, when that is known.
    pub unread: Option<String>,
}

/// Returns the parameters of `DOMSnapshot.captureSnapshot`.
pub fn parameters() -> Value {
    json!({ "computedStyles": STYLES, "includePaintOrder": true })
}

/// Builds the tree of a tab. The capture of the session of the top frame is first; `frames` is by frame id.
///
/// # Errors
/// Says what is wrong with a reply that can't be read.
#[expect(clippy::implicit_hasher, reason = "sessions keep their frames in one kind of map")]
pub fn join(captures: &[Capture<'_>], frames: &HashMap<String, FrameMeta>) -> Result<Tree, String> {
    let mut decoded = decode::Decoded::default();
    for capture in captures {
        decode::add(&mut decoded, capture.json)?;
    }
    decode::forget(&mut decoded);
    let redacted = decoded.redacted;
    let decode::Decoded { mut dom, layout, .. } = decoded;
    let plan = join::join(&mut dom, frames);
    let mut found = flags::Found::default();
    for &(frame_id, json) in captures.iter().flat_map(|capture| capture.flags) {
        if let Some(document) = dom.document_of(frame_id) {
            let of_frame = flags::apply(&mut dom, document, json);
            found.insets.extend(of_frame.insets);
            if document == 0 {
                found.viewport = of_frame.viewport;
            }
        }
    }
    let places = boxes::Places::new(&dom, &layout, &plan.order, &found);
    let shape = shape::Shape::new(&dom);
    let mut hide = hidden::all(&dom, &layout, &plan.order);
    unseen::add(&dom, &layout, &plan.order, &mut hide);
    hidden::mark_unseen(&mut dom, &layout, &hide);
    let roles = roles::all(&dom, &layout, &shape);
    let moment = moment::Moment::new(&dom, &layout, &shape, &hide, &roles);
    let mut tree = build::build(&moment, &plan, &places);
    tree.counters.redacted = redacted;
    tree.dom = dom;
    Ok(tree)
}
