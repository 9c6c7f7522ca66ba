//! What the engine may use: every limit is set explicitly, so that debug and release builds agree.

use serde::{Deserialize, Serialize};

/// The caps of one script run. They travel to the worker with the script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Size of one source text, main script or module.
    pub source_bytes: usize,
    pub operations: u64,
    pub call_levels: usize,
    /// Nesting of expressions, at top level and inside functions.
    pub expression_depth: usize,
    pub string_bytes: usize,
    pub array_items: usize,
    pub map_entries: usize,
    pub functions: usize,
    pub variables: usize,
    pub modules: usize,
    /// Memory of the worker process beside the stack; past it the worker ends.
    pub memory_bytes: u64,
    /// Stack of the engine's thread; only touched pages cost memory.
    pub stack_bytes: usize,
}

impl Limits {
    /// Returns the limits for a user's own scripts.
    pub fn trusted() -> Self {
        Self {
            source_bytes: 1024 * 1024,
            operations: 1_000_000_000,
            call_levels: 64,
            expression_depth: 64,
            string_bytes: 16 * 1024 * 1024,
            array_items: 100_000,
            map_entries: 20_000,
            functions: 500,
            variables: 1_000,
            modules: 32,
            memory_bytes: 512 * 1024 * 1024,
            stack_bytes: 512 * 1024 * 1024,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::trusted()
    }
}
