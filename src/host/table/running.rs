//! Rows: the run itself.

use super::super::control;
use super::super::function::Function;
use super::row;

pub(super) const ROWS: &[Function] = &[
    row!(
        Run,
        Running,
        "arg",
        ["arg(name)", "arg(name, otherwise)"],
        (1, 2),
        [],
        control::arg,
        "Returns the value of `--arg name=value`, always a string, or `otherwise`.",
        "let user = arg(\"user\", \"demo\");"
    ),
    row!(
        Run,
        Running,
        "args",
        ["args()"],
        (0, 0),
        [],
        control::args,
        "Returns all `--arg` values as a map.",
        "log(args());"
    ),
    row!(
        Run,
        Running,
        "log",
        ["log(value)"],
        (1, 1),
        [],
        control::log,
        "Prints a value on a line of its own.",
        "log(\"logged in\");"
    ),
    row!(
        Run,
        Running,
        "emit",
        ["emit(row)"],
        (1, 1),
        [],
        control::emit,
        "Hands out a row of results: a map, or any value. Rows stand in `rows` of the outcome.",
        "emit(#{name: \"Lamp\", price: 29.9});"
    ),
    row!(
        Run,
        Running,
        "assert",
        ["assert(cond)", "assert(cond, message)"],
        (1, 2),
        [],
        control::assert,
        "Ends the run with `script::assert` unless the condition is true.",
        "assert(title() == \"Cart\", \"the cart did not open\");"
    ),
    row!(
        Run,
        Running,
        "fail",
        ["fail(message)"],
        (1, 1),
        [],
        control::fail,
        "Ends the run with `script::assert` and the message.",
        "fail(\"no product is in stock\");"
    ),
    row!(
        Run,
        Running,
        "remaining",
        ["remaining()"],
        (0, 0),
        [],
        control::remaining,
        "Returns the milliseconds that are left of the innermost `within` or of the run, `()` without a limit.",
        "if remaining() != () && remaining() < 1000 { fail(\"too late\"); }"
    ),
];
