//! x
pub mod act;
pub mod budget;
pub mod cdp;
pub mod demo;
pub mod error;
pub mod host;
pub mod page;
pub mod reference;
pub mod script;
