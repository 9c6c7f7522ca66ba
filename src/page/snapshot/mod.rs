//! From `DOMSnapshot.captureSnapshot` to the tree: roles, names, states and what is hidden, computed here and
//! not asked from the browser, because its own accessibility tree costs five times as much.

mod decode;
mod dom;
mod flags;
mod layout;
mod shape;
mod wire;
mod words;

pub use dom::Dom;
pub use flags::FLAGS;
pub use layout::STYLES;
