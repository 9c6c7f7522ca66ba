//! Run scripts that drive a real browser through stable element refs.

pub mod budget;
pub mod cdp;
pub mod error;
pub mod page;
pub mod reference;
pub mod script;
