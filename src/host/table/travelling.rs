//! Rows: addresses, history, tabs, dialogs, waiting.

use super::super::function::Function;
use super::super::{control, travel, waiting};
use super::row;

pub(super) const ROWS: &[Function] = &[
    row!(
        Act,
        Travelling,
        "open",
        ["open(url)", "open(url, #{…})"],
        (1, 2),
        [
            ("timeout", "milliseconds, 30000 by default"),
            ("wait", "\"load\" (default), \"dom\" (the HTML is parsed) or \"none\" (the document has committed)"),
        ],
        travel::open,
        "Loads an address in the current tab and returns `#{url, status, title}`. An address without a scheme is \
         taken relative to the current page. A status of 400 and more is an answer; no document is `nav::failed`.",
        "open(\"https://example.com/\", #{wait: \"dom\"});"
    ),
    row!(
        Act,
        Travelling,
        "back",
        ["back()"],
        (0, 0),
        [],
        travel::back,
        "Goes one entry back in the history of the tab. Returns as `open`, or `()` at the first entry.",
        "back();"
    ),
    row!(
        Act,
        Travelling,
        "forward",
        ["forward()"],
        (0, 0),
        [],
        travel::forward,
        "Goes one entry forward in the history of the tab. Returns as `open`, or `()` at the last entry.",
        "forward();"
    ),
    row!(
        Act,
        Travelling,
        "reload",
        ["reload()"],
        (0, 0),
        [],
        travel::reload,
        "Loads the current page again. Returns as `open`; refs of the old document are stale.",
        "reload();"
    ),
    row!(
        Read,
        Travelling,
        "url",
        ["url()"],
        (0, 0),
        [],
        travel::url,
        "Returns the address of the current page, with its fragment.",
        "assert(url().ends_with(\"/cart\"));"
    ),
    row!(
        Read,
        Travelling,
        "title",
        ["title()"],
        (0, 0),
        [],
        travel::title,
        "Returns the title of the current page.",
        "log(title());"
    ),
    row!(
        Read,
        Travelling,
        "tabs",
        ["tabs()"],
        (0, 0),
        [],
        travel::tabs,
        "Returns the open tabs in the order in which they appeared: `#{tab, url, title, opener, current}`.",
        "for t in tabs() { log(t.url); }"
    ),
    row!(
        Act,
        Travelling,
        "tab",
        ["tab(id)"],
        (1, 1),
        [],
        travel::tab,
        "Makes a tab the current one and returns it. A popup does not become current by itself.",
        "tab(\"tab_2\");"
    ),
    row!(
        Act,
        Travelling,
        "new_tab",
        ["new_tab()", "new_tab(url)"],
        (0, 1),
        [],
        travel::new_tab,
        "Opens a tab, which becomes the current one, and loads the address in it. Returns the tab.",
        "new_tab(\"https://example.com/\");"
    ),
    row!(
        Act,
        Travelling,
        "close_tab",
        ["close_tab()", "close_tab(id)"],
        (0, 1),
        [],
        travel::close_tab,
        "Closes a tab, the current one by default. The tab that was opened last becomes current.",
        "close_tab(\"tab_2\");"
    ),
    row!(
        Read,
        Dialogs,
        "dialog",
        ["dialog()"],
        (0, 0),
        [],
        travel::dialog,
        "Returns the open JavaScript dialog as `#{type, message, default}`, or `()`. `default` is a reserved word of \
         Rhai, so it is read as `d[\"default\"]`.",
        "if dialog() != () { accept(); }"
    ),
    row!(
        Act,
        Dialogs,
        "accept",
        ["accept()", "accept(text)"],
        (0, 1),
        [],
        travel::accept,
        "Accepts the open dialog; a prompt gets the text, or keeps its default. Returns the dialog.",
        "accept(\"Taxes\");"
    ),
    row!(
        Act,
        Dialogs,
        "dismiss",
        ["dismiss()"],
        (0, 0),
        [],
        travel::dismiss,
        "Dismisses the open dialog. Returns the dialog.",
        "dismiss();"
    ),
    row!(
        Act,
        Dialogs,
        "on_dialog",
        ["on_dialog(policy)"],
        (1, 1),
        [],
        travel::on_dialog,
        "Says what happens to dialogs as they open: \"accept\", \"dismiss\" or \"fail\". With \"fail\", the default, \
         a dialog stays open and each page call fails with `dialog::open`.",
        "on_dialog(\"accept\");"
    ),
    row!(
        Read,
        Waiting,
        "wait_for",
        ["wait_for(text)", "wait_for(text, #{…})", "wait_for(#{…})"],
        (1, 2),
        [
            ("role", "the role of the element"),
            ("name", "its accessible name"),
            ("text", "text that it contains"),
            ("ref", "an element that is known; waits until it is shown"),
            ("gone", "true: waits until it is not there, and ends at once where it never was"),
            ("url", "a part of the address"),
            ("value", "the value that the field holds"),
            ("within", "the ref of a container"),
            ("nth", "which of several matches, from 0"),
            ("exact", "true: no case folding, no substrings"),
            ("frame", "only in this frame"),
            ("timeout", "milliseconds, 10000 by default"),
        ],
        waiting::wait_for,
        "Waits until a text, an element, an address or a value is there, all at once where several are given. \
         Returns the ref, or `()` for `gone` and `url`; `wait::timeout` at the deadline. Texts match as in `find`, as a \
         part too: `wait_for(\"saved\")` takes \"Unsaved\", `wait_for(\"Saved\", #{exact: true})` does not. A \
         condition of another kind is a loop: `within(10000, || { while find_all(#{role: \"row\"}).len() < 3 { sleep(100); } })`.",
        "wait_for(#{role: \"heading\", name: \"Thank you\"});"
    ),
    row!(
        Run,
        Waiting,
        "sleep",
        ["sleep(ms)"],
        (1, 1),
        [],
        control::sleep,
        "Waits that many milliseconds. Prefer `wait_for`, which ends as soon as the page is ready.",
        "sleep(250);"
    ),
];
