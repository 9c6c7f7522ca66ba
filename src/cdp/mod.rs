//! A browser as a set of CDP sessions: find it, launch it or attach to it, send commands, hear events.
//!
//! Invariant: this is the only room that names chromiumoxide, and of it only the generated parameter types and
//! the search for an installed browser are used. Replies and events are decoded with own lenient types, because
//! the generated ones refuse a whole message for one value they do not know. Only `download` asks the internet.
//!
//! The generated parameter types leave out empty vectors, also where the protocol requires the field (such as
//! `computedStyles` of `DOMSnapshot.captureSnapshot`); send such a command with [`CdpSession::call_json`].

mod arguments;
mod carrier;
mod connection;
pub mod download;
mod ending;
mod events;
mod failure;
pub mod find;
mod launch;
mod pipe;
mod profile;
mod reader;
pub mod room;
mod session;
mod socket;
mod wire;

#[cfg(test)]
mod tests;

pub use chromiumoxide::Command;
pub use chromiumoxide::cdp::browser_protocol as protocol;
pub use chromiumoxide::cdp::js_protocol as js;

pub use carrier::Carrier;
pub use connection::{Connection, SessionEnd};
pub use events::{Event, EventKind, FrameNavigated, TargetInfo};
pub use failure::Failure;
pub use launch::{BrowserProcess, LaunchOptions};
pub use profile::abandoned_profiles;
pub use session::{CdpSession, Pending, Reply};
pub use socket::attach;

/// The name that Chromium gives to an attached target; cheap to clone.
pub type SessionId = std::sync::Arc<str>;
