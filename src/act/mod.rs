//! Acting on elements: waiting until one can be acted on, real mouse and keys, fields, and the report of what
//! came of it.
//!
//! Invariant: input is sent once. Where it is not known whether it arrived, the error says so; nothing here
//! sends it again.
//!
//! Needs of the page layer:
//! - `page/isolated.rs` evaluates `page::probe::SOURCE` in place of a `probe.js`;
//! - `Session::shown(&mut self, frame: &str, backend: i64, budget) -> Result<Option<Nearest>>`: the element, or the
//!   nearest listed one around it, with its ref (reads the tree), for the coverer of `act::covered`;
//! - `Sketch` derives `Clone, Default, Deserialize` with the fields `connected` and `fingerprint`.

pub mod form;
pub mod input;
pub mod keyboard;
pub mod keys;
pub mod mouse;
pub mod outcome;
pub mod ready;
