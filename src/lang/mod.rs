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

/// A function that runs in the worker, because it takes a closure or a caught error. The host has no row for it.
#[derive(Debug)]
pub struct InWorker {
    pub name: &'static str,
    pub signature: &'static str,
    pub doc: &'static str,
    pub example: &'static str,
}

/// The functions of the worker, in the order of the reference.
pub const IN_WORKER: &[InWorker] = &[
    InWorker {
        name: "step",
        signature: "step(name, || …)",
        doc: "Runs the closure as a named step and returns its value. Steps show while the script runs and stand in the outcome.",
        example: "step(\"log in\", || { click(find(\"button\", \"Sign in\")); });",
    },
    InWorker {
        name: "within",
        signature: "within(ms, || …)",
        doc: "Runs the closure and returns its value; after so many milliseconds it ends with `budget::time`, which only what stands outside can catch.",
        example: "let r = within(2000, || find(\"button\", \"Save\"));",
    },
    InWorker {
        name: "retry",
        signature: "retry(n, || …)",
        doc: "Runs the closure up to `n` times until it ends without an error, and returns its value. Waits 100 ms before the second attempt, then twice as long each time; the last error is thrown again.",
        example: "retry(3, || click(find(\"button\", \"Save\")));",
    },
    InWorker {
        name: "error_of",
        signature: "error_of(e)",
        doc: "Returns any caught value as the map of a host error: `code`, `message`, `help` and the facts. What the script threw itself stands in `thrown`.",
        example: "try { click(r); } catch (e) { log(error_of(e).code); }",
    },
];
