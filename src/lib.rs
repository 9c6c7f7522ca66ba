//! Run scripts that drive a real browser through stable element refs.

pub mod budget;
pub mod cdp;
pub mod cli {
    pub mod browser;
}
pub mod error;
pub mod reference;
pub mod script;
