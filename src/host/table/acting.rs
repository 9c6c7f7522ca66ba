//! Rows: input.

use super::super::acting;
use super::super::function::Function;
use super::row;

pub(super) const ROWS: &[Function] = &[
    row!(
        Act,
        Acting,
        "click",
        ["click(ref)", "click(ref, #{…})"],
        (1, 2),
        [
            ("button", "\"left\" (default), \"middle\" or \"right\""),
            ("count", "2 for a double click"),
            ("modifiers", "keys held down: \"Alt\", \"Control\", \"Meta\", \"Shift\", one or an array"),
            ("position", "`#{x, y}`: where to press, in CSS pixels from the element's corner"),
            ("force", "true: no waiting and no checks"),
            ("timeout", "milliseconds to wait until it can be clicked and for what it leads to, 5000 by default"),
        ],
        acting::click,
        "Clicks an element with real mouse input, once it is seen, at rest, enabled, in view and not covered. Returns \
         what came of it: `#{success, method, tag, rect, name, href, navigated, opened_tab, dialog, download, changed, \
         hint, rebound}`. A click that opens a dialog succeeds and carries it in `dialog`; a download that \
         it asks for is `download: #{url, file}`. Where the browser refuses \
         to send a form, `hint` names the field and what the browser says of it, as it does after an Enter and \
         `submit: true`. `hint` also has the text of an alert that the press brought, fields that the page marks as \
         invalid, and a file chooser. A click on an `iframe` presses the middle of its frame.",
        "click(find(\"button\", \"Save\"));"
    ),
    row!(
        Act,
        Acting,
        "type",
        ["type(ref, text)", "type(ref, text, #{…})"],
        (2, 3),
        [
            ("delay", "milliseconds after each character"),
            ("submit", "true: commits a combobox's option, else sends the form"),
            ("timeout", "milliseconds, 5000 by default"),
        ],
        acting::type_text,
        "Types a text with real keys at the end of what the field holds. Refuses what takes no text and names the \
         function to use instead. `hint` says so where the field then holds what its `min`, `max` or `step` do not \
         allow.",
        "type(find(\"searchbox\", \"Search\"), \"lamp\", #{submit: true});"
    ),
    row!(
        Act,
        Acting,
        "fill",
        ["fill(ref, text)", "fill(ref, text, #{…})", "fill(#{label: value, …})", "fill(#{label: value, …}, #{…})"],
        (1, 3),
        [
            ("submit", "true: commits a combobox's option, else sends the form"),
            ("timeout", "milliseconds, 5000 by default; for several fields: to find all of them, and then for each"),
            ("within", "for several fields: a ref; only fields inside of it are meant"),
            ("frame", "for several fields: the `frame` of one of `frames()`; only its fields are meant"),
        ],
        acting::fill,
        "Replaces the value of a field and reads it back: text fields, rich editors, date, time, color, range and \
         number fields by kind; on a select it selects. `act::not_kept` when the page kept something else; \
         `args::value` for what `min`, `max` or `step` do not allow. A map \
         fills many fields, in page order. Its keys name them by label, placeholder, `name` attribute, the words \
         beside them, or ref; `:` and `*` do not matter. A whole name counts before a part, which is only taken where \
         one field of all frames has it. Values: a text or \
         number; the label or value of an option, or an array of them; `true` or `false` for a checkbox or switch; \
         for radio buttons the name of the group with the label of one, or its own label with `true`. A checkbox \
         or radio button that only its label shows is one too. Nothing is touched unless every key names one field \
         of the page as it is then, which can be written and takes the value by its kind, `maxlength`, `min`, `max` \
         and `step`; an error tells all that do not. Fields that appear only while others are filled need a call of \
         their own. If one fails later, the error has `field`, `filled` and `not_started`, and `lost` for values that \
         did not last. Returns `#{success, fields: [#{key, label, ref, verb, value, changed}], navigated, opened_tab, dialog, download, hint, rebound}`.",
        "fill(#{\"City\": \"Porto\", \"Country\": \"Portugal\", \"I agree\": true}, #{submit: true});"
    ),
    row!(
        Act,
        Acting,
        "select",
        ["select(ref, option)", "select(ref, [options])", "select(ref, option, #{…})"],
        (2, 3),
        [("timeout", "milliseconds, 5000 by default")],
        acting::select,
        "Chooses an option of a select by label or value, or several of one with multiple choice: exactly these, so \
         that what else was chosen is not any more. An option that is missing, disabled or not unique is `act::no_option`.",
        "select(find(\"combobox\", \"Country\"), \"France\");"
    ),
    row!(
        Act,
        Acting,
        "check",
        ["check(ref)", "check(ref, #{…})"],
        (1, 2),
        [("timeout", "milliseconds, 5000 by default")],
        acting::check,
        "Ticks a checkbox, switch or radio button by a click, unless it is ticked already.",
        "check(find(\"checkbox\", \"I agree\"));"
    ),
    row!(
        Act,
        Acting,
        "uncheck",
        ["uncheck(ref)", "uncheck(ref, #{…})"],
        (1, 2),
        [("timeout", "milliseconds, 5000 by default")],
        acting::uncheck,
        "Unticks a checkbox or switch by a click, unless it is unticked already.",
        "uncheck(find(\"checkbox\", \"Newsletter\"));"
    ),
    row!(
        Act,
        Acting,
        "press",
        ["press(keys)", "press(ref, keys)"],
        (1, 2),
        [],
        acting::press,
        "Presses a key, alone or with modifiers, on an element or where the focus is: \"Enter\", \"Control+A\". A key \
         that scrolls returns when the scroll is at rest.",
        "press(\"Escape\");"
    ),
];
