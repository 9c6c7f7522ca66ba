//! The demo shop: plain pages inside the binary, served on loopback, without any other network.
//! `scripts/quickstart.rhai` buys something in it, `scripts/stale.rhai` shows what happens to an old ref.

mod pages;
mod server;

pub use server::DemoServer;
