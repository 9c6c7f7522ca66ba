//! Pages as people see them: the tree, how it is written, and how elements are found in it.

pub mod find;
pub mod lines;
pub mod meaning;
pub mod nearest;
pub mod parse;
pub mod reading;
pub mod snapshot;
pub mod tree;
