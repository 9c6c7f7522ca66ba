//! The host.

pub mod function;
