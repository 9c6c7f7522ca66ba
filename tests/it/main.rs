//! The integration tests: one binary, one harness, one shared Chromium. No test visits the internet.
//!
//! `stage` runs scripts through the command line, `site` serves the pages, `outcome` and `line` read what came
//! out. Everything else is a topic; `refs.rs` opens with the test to copy for a new one.
#![expect(clippy::disallowed_methods, reason = "the harness waits for processes; no script's deadline is at stake")]

mod bench;
mod browser;
mod case;
mod certificate;
mod judge;
mod line;
mod outcome;
mod process;
mod site;
mod stage;

mod act;
mod aim;
mod cases;
mod check;
mod cli;
mod control;
mod diagnostics;
mod dialog;
mod differential;
mod docs;
mod doctor;
mod explain;
mod fields;
mod fill;
mod find;
mod frames;
mod missing;
mod refs;
mod rows;
mod sending;
mod settling;
mod shop;
mod tidy;
mod travel;
mod tree;
mod tree_parts;
mod unseen;
mod values;
mod worker;
