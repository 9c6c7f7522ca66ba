//! Rows: reading the page and what is known of refs.

use super::super::function::Function;
use super::super::{javascript, reading, refs, trees};
use super::row;

/// The options of a locator.
pub(super) const LOCATOR: &[(&str, &str)] = &[
    ("role", "the role, such as \"button\""),
    ("name", "the accessible name: exact, else without case, else a part of it"),
    ("text", "text that it contains; for rows and list items the whole row counts"),
    ("within", "the ref of a container"),
    ("nth", "which of several matches, from 0"),
    ("exact", "true: no case folding, no substrings"),
    ("frame", "only in this frame, such as \"frame_2\""),
    ("timeout", "milliseconds to wait for a match, 5000 by default"),
];

/// Those of `find_all`, which does not wait: all but the last.
const LOCATOR_AT_ONCE: &[(&str, &str)] = LOCATOR.split_at(LOCATOR.len() - 1).0;

pub(super) const ROWS: &[Function] = &[
    row!(
        Read,
        Reading,
        "tree",
        ["tree()", "tree(#{…})"],
        (0, 1),
        [
            ("filter", "\"all\" (default), \"visible\" (in the viewport and seen) or \"interactive\""),
            ("max_depth", "how many levels are printed"),
            ("max_chars", "how long the text may be; what adorns goes first, then depth, then the end of the page"),
            ("ref", "only this element and what is in it"),
            ("frame", "only this frame, such as \"frame_2\""),
            ("frames", "false leaves the content of frames out"),
            ("page", "a page of the text, from 1, each of `max_chars` (40000 by default)"),
            ("snapshot", "the `snapshot_id` of a tree: prints that moment and reads nothing"),
            ("diff", "true: what changed since the last tree of this tab, or since `snapshot`"),
        ],
        trees::tree,
        "Reads the page: all frames, open and closed shadow roots, open overlays first. Returns a Tree; printing it \
         prints `text`. Its fields: `text`, `nodes` (all listed nodes of the moment), `snapshot_id`, `truncated`, \
         `has_more`, `next_page`, `auto_degraded`, `notice`, `counters` (`nodes`, `lines`, `hidden_omitted`, \
         `redacted`, `frames`, `frames_unread`), `origin`. Its methods: `find`, `find_all`, `get(ref)`, \
         `diff(other)`, which tells what changed between two trees, the earlier one first. `truncated`: limits leave \
         nodes out, and the text says how many and how to get them; `next_page` goes with `snapshot_id`. \
         `auto_degraded`: `max_chars` took something away, and `notice` says what. In changes a line begins with \
         `+` (came), `-` (went), `~` (reads otherwise or moved) or nothing (what the next lines stand in). The last \
         8 trees of a tab are kept, of very large pages fewer. `[hidden:opacity]`, `[hidden:contrast]` and the like stand \
         behind text that people can't see, `guessed=\"…\"` behind a field without a name, with the words beside \
         it. One round trip; none with `snapshot` alone.",
        "log(tree(#{filter: \"interactive\"}));"
    ),
    row!(
        Read,
        Reading,
        "find",
        ["find(role, name)", "find(name)", "find(#{…})"],
        (1, 2),
        *LOCATOR,
        reading::find,
        "Returns the ref of the one element that matches, and waits for it. Exact matches count before others, a field's \
         `guessed` words after all. `find::none` lists the closest, and what matches outside of `within` and `frame`; `find::ambiguous` all \
         matches. Of a text in a table it gives the cell; its row is `find(#{role: \"row\", text: …})`. Whether \
         something is there, `find_all(…).len() > 0` tells. A ref is a text such as \"ref_12\": what it means, \
         `node(ref)` and `text(ref)` tell.",
        "click(find(\"button\", \"Save\"));"
    ),
    row!(
        Read,
        Reading,
        "find_all",
        ["find_all(role, name)", "find_all(name)", "find_all(#{…})"],
        (1, 2),
        *LOCATOR_AT_ONCE,
        reading::find_all,
        "Returns the refs of all elements that match, in page order, without waiting; maybe none.",
        "log(find_all(#{role: \"row\"}).len());"
    ),
    row!(
        Read,
        Reading,
        "query",
        ["query(css)", "query(css, #{…})"],
        (1, 2),
        [
            ("within", "the ref of a container; of an iframe its document is searched"),
            ("frame", "only in this frame, such as \"frame_2\""),
        ],
        reading::query,
        "Returns the refs of all matches of a CSS selector in document order, also of elements that the tree leaves \
         out. It does not wait. Shadow roots are not searched; see `shadow_query`.",
        "let first = query(\"main img\")[0];"
    ),
    row!(
        Read,
        Reading,
        "shadow_query",
        ["shadow_query(host, css)", "shadow_query(css)"],
        (1, 2),
        [],
        reading::shadow_query,
        "Returns the refs of all matches inside the shadow root of `host`, or inside every shadow root on the page: \
         open, closed and nested, in all frames. Of an iframe as `host` the shadow roots in its document are searched.",
        "click(shadow_query(\"button.play\")[0]);"
    ),
    row!(
        Read,
        Reading,
        "frames",
        ["frames()"],
        (0, 0),
        [],
        reading::frames,
        "Returns the frames of the tab: `#{frame, parent, url, origin, name, ref, cross_origin, read}`. `ref` is the \
         iframe element.",
        "for f in frames() { log(f.url); }"
    ),
    row!(
        Read,
        Reading,
        "node",
        ["node(ref)"],
        (1, 1),
        [],
        reading::node,
        "Returns the facts about one element: `#{ref, role, name, value, states, frame, tag, rect, href, input_type}`.",
        "log(node(\"ref_3\").states);"
    ),
    row!(
        Read,
        Reading,
        "text",
        ["text()", "text(ref)"],
        (0, 1),
        [],
        reading::text,
        "Returns the text that people see in an element or on the whole page, a line for each block. Of an \
         element behind an open modal dialog too; the whole page then is the dialog, as in `tree()`.",
        "assert(text().contains(\"Thank you\"));"
    ),
    row!(
        Read,
        Reading,
        "value",
        ["value(ref)"],
        (1, 1),
        [],
        reading::value,
        "Returns the value of a field as text, or `()`. The value of a sensitive field is never told. Whether a checkbox \
         or radio button is on stands in `node(ref).states`.",
        "log(value(find(\"textbox\", \"City\")));"
    ),
    row!(
        Read,
        Reading,
        "attr",
        ["attr(ref, name)"],
        (2, 2),
        [],
        reading::attr,
        "Returns an attribute as the page wrote it, or `()`.",
        "log(attr(\"ref_3\", \"href\"));"
    ),
    row!(
        Read,
        Reading,
        "rect",
        ["rect(ref)"],
        (1, 1),
        [],
        reading::rect,
        "Returns the box of an element, `#{x, y, width, height}` in CSS pixels of the top viewport, or `()`.",
        "log(rect(\"ref_3\").width);"
    ),
    row!(
        Eval,
        Reading,
        "eval_js",
        ["eval_js(code)", "eval_js(code, #{…})"],
        (1, 2),
        [("timeout", "milliseconds, 10000 by default")],
        javascript::eval_js,
        "Evaluates a JavaScript expression in the page and awaits a promise. The value comes back as JSON, elements as \
         refs. Needs `--allow-js`. Code that does not end is terminated at the deadline; what it did before stays.",
        "log(eval_js(\"document.images.length\"));"
    ),
    row!(
        Read,
        Refs,
        "refs",
        ["refs()"],
        (0, 0),
        [],
        refs::refs,
        "Returns the refs of all listed elements of the current tab, in page order.",
        "log(refs().len());"
    ),
    row!(
        Read,
        Refs,
        "lookup",
        ["lookup(ref)"],
        (1, 1),
        [],
        refs::lookup,
        "Returns the node of a ref as `node(ref)` does, or `()` when its element is gone.",
        "if lookup(\"ref_3\") == () { log(\"gone\"); }"
    ),
    row!(
        Read,
        Refs,
        "nearest",
        ["nearest(ref)", "nearest(ref, n)"],
        (1, 2),
        [],
        refs::nearest,
        "Returns the live elements that are closest to what a ref meant, best first, 5 by default: \
         `#{ref, role, name, why}`. Works for stale refs too.",
        "let twin = nearest(\"ref_3\", 1)[0];"
    ),
    row!(
        Read,
        Refs,
        "explain",
        ["explain(ref)"],
        (1, 1),
        [],
        refs::explain,
        "Says why a ref is gone or can't be acted on: `#{alive, cause, actionable, reasons, text}`. `cause` is \
         \"removed\", \"replaced\", \"document_replaced\", \"frame_gone\", \"changed\", \"unknown\", \"other_tab\", \
         \"tab_closed\" or `()`; `reasons` names what stands against acting (hidden, disabled, covered and by which \
         ref, inert, moving, readonly); `text` tells it with the next step. Never fails for a ref that is out of \
         date, sends no input and leaves the page scrolled as it is.",
        "let why = explain(\"ref_3\"); if !why.actionable { log(why.text); }"
    ),
];
