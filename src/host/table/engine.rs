//! Rows that only the engine's side of a control function or value calls.

use super::super::function::Function;
use super::super::{control, trees};
use super::row;

pub(super) const ROWS: &[Function] = &[
    row!(Engine, Running, "step_begin", ["step_begin(name)"], (1, 1), [], control::step_begin, "", ""),
    row!(Engine, Running, "step_end", ["step_end(ok)"], (1, 1), [], control::step_end, "", ""),
    row!(Engine, Running, "within_begin", ["within_begin(ms)"], (1, 1), [], control::within_begin, "", ""),
    row!(Engine, Running, "within_end", ["within_end()"], (0, 0), [], control::within_end, "", ""),
    row!(Engine, Reading, "tree_nodes", ["tree_nodes(snapshot_id)"], (1, 1), [], trees::tree_nodes, "", ""),
    row!(Engine, Reading, "tree_get", ["tree.get(ref)"], (2, 2), [], trees::tree_get, "", ""),
    row!(Engine, Reading, "tree_diff", ["tree.diff(other)"], (2, 2), [], trees::tree_diff, "", ""),
    row!(
        Engine,
        Reading,
        "tree_find",
        ["tree.find(role, name)", "tree.find(name)", "tree.find(#{…})"],
        (2, 3),
        *LOCATOR,
        trees::tree_find,
        "",
        ""
    ),
    row!(
        Engine,
        Reading,
        "tree_find_all",
        ["tree.find_all(role, name)", "tree.find_all(name)", "tree.find_all(#{…})"],
        (2, 3),
        *LOCATOR,
        trees::tree_find_all,
        "",
        ""
    ),
];

use super::reading::LOCATOR;
