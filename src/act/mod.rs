//! Acting on elements: waiting until one can be acted on, real mouse and keys, fields, and the report of what
//! came of it.
//!
//! Invariant: input is sent once. Where it is not known whether it arrived, the error says so; nothing here
//! sends it again.

pub mod dialogs;
pub mod explain;
pub mod filling;
pub mod form;
pub mod input;
pub mod keyboard;
pub mod keys;
pub mod mouse;
pub mod navigate;
pub mod outcome;
pub mod ready;
