//! Pages as people see them: the session with its tabs and frames, the tree, how it is written, how elements are
//! found in it, and the refs that name them.
//!
//! Invariant: this layer reads. It never sends input.

mod attach;
mod beside;
pub mod call;
mod capture;
pub mod changes;
mod document;
pub mod elements;
pub mod fields;
pub mod find;
pub mod fit;
mod fold;
pub mod frozen;
mod guard;
mod guess;
mod isolated;
mod item;
pub mod javascript;
pub mod layout;
pub mod lines;
pub mod meaning;
mod meanings;
pub mod nearest;
pub mod parse;
pub mod probe;
mod reading;
mod refs;
mod resolve;
mod rest;
mod rising;
pub mod role_words;
mod session;
pub mod settle;
pub mod snapshot;
pub mod text;
pub mod told;
pub mod tree;
pub mod unsent;
pub mod world;

pub use resolve::{Element, Sketch};
pub use session::{Browser, Session, millis};
