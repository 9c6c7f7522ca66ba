//! The demo shop: plain pages inside the binary, served on loopback, without any other network.
//! `scripts/quickstart.rhai` buys something in it, `scripts/stale.rhai` shows what happens to an old ref.

mod invoice;
mod pages;
mod picture;
mod server;
mod services;
mod towns;

pub use server::DemoServer;

use crate::script::Script;

/// Returns the script that buys something in the shop. It reads the shop's address with `arg("shop")` and its
/// value is the order number.
pub fn quickstart() -> Script {
    Script::from_text("scripts/quickstart.rhai", include_str!("../../scripts/quickstart.rhai"))
}
