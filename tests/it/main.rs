//! The integration tests: one binary, one harness, one shared Chromium. No test visits the internet.
//!
//! `stage` runs scripts through the command line, `site` serves the pages, `outcome` and `line` read what came
//! out. Everything else is a topic; `refs.rs` opens with the test to copy for a new one.

mod browser;
mod case;
mod judge;
mod line;
mod outcome;
mod process;
mod site;
mod stage;

mod cases;
