//! Scripts: the language binding, the worker process that runs them, and what parent and worker say to each other.
//!
//! Invariant: a script reaches the host only through serialisable calls over the worker's streams; nothing here
//! knows the browser.

pub mod fault;
pub mod limits;
pub mod process;
pub mod protocol;
pub mod rhai;
pub mod stdlib;
pub mod worker;

/// Rows of the function table that the worker's own functions call; scripts can't.
pub const HIDDEN: &[&str] = &[
    "step_begin",
    "step_end",
    "within_begin",
    "within_end",
    "retry_begin",
    "retry_end",
    "tree_nodes",
    "tree_find",
    "tree_find_all",
    "tree_get",
];

/// Functions that run in the worker, because they take a closure or a caught error.
pub const IN_WORKER: &[(&str, &str)] = &[
    ("step", "step(name, || …)"),
    ("within", "within(ms, || …)"),
    ("retry", "retry(n, || …)"),
    ("error_of", "error_of(e)"),
];
