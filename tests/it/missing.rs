//! What errors tell of the place: where something was looked for, what matches elsewhere, whose document went away.

use serde_json::json;

use crate::stage::Stage;

/// Each line of the outcome's rows as `message | help`, by its name.
const TOLD: &str = r#"
    fn told(name, look) {
        try { look.call(); emit([name, "found"]); }
        catch (e) { emit([name, `${e.message} | ${e.help}`]); }
    }
"#;

#[track_caller]
fn shows(rows: &[serde_json::Value], expected: &[(&str, &[&str])]) {
    for (name, parts) in expected {
        let row = rows.iter().find(|row| row[0] == *name).unwrap_or_else(|| panic!("{name} is missing"));
        let text = row[1].as_str().unwrap_or_default();
        for part in *parts {
            assert!(text.contains(part), "{name} lacks {part:?}: {text}");
        }
        assert!(!text.contains("\\u{72}"), "{name} shows an escape of its own: {text}");
    }
}

#[test]
fn an_error_says_where_it_looked_and_what_matches_elsewhere() {
    let script = format!(
        "{TOLD}{}",
        r#"
        eval_js(`document.body.insertAdjacentHTML('afterbegin', '<ul aria-label=Cart><li>Pear <button>Remove</button></li><li>Fig <button>Remove</button></li></ul>'
            + '<p>Quantity <input></p><input type=checkbox id=b style="display: none"><label for=b>Send me news</label>'
            + '<div onclick="1">Box</div><div onclick="1">Crate</div>')`);
        let inner = ();
        for frame in frames() { if frame.url.contains("who=same") { inner = frame; } }
        let cart = find("list", "Cart");
        told("page", || find(#{role: "button", name: "Nothing", timeout: 0}));
        told("frame", || find(#{role: "button", name: "Above", frame: inner.frame, timeout: 0}));
        told("within", || find(#{role: "button", name: "Above", within: cart, timeout: 0}));
        told("by text", || find(#{role: "listitem", name: "Fig", within: cart, timeout: 0}));
        told("nth", || find(#{role: "button", name: "Remove", nth: 4, timeout: 0}));
        told("generic", || find(#{name: "generic", timeout: 0}));
        told("beside", || find(#{role: "textbox", name: "Quantity", exact: true, timeout: 0}));
        told("label", || find(#{role: "checkbox", name: "news", timeout: 0}));
        told("gone", || wait_for(#{text: "Outer page", gone: true, timeout: 50}));
        told("no field", || wait_for(#{role: "heading", name: "Outer page", value: "x", timeout: 50}));
        told("text", || wait_for("Thank you", #{timeout: 50}));
        let label = inner.ref;
        told("ref as frame", || find(#{name: "Go same", frame: label}));
        let found = find(#{name: "Go same", within: inner.ref});
        emit(["query", query("button", #{within: inner.ref}).len(), shadow_query(inner.ref, "b").len(), node(found).name]);
        let word = find(#{role: "textbox", name: "Word", frame: inner.frame});
        eval_js("setTimeout(() => frames[0].location = 'second.html', 50), 0");
        sleep(400);
        told("stale", || fill(word, "x"));
        new_tab(inner.url);
        told("tab", || find(#{name: "Nothing", timeout: 0}));
        "#
    );
    let outcome = Stage::page("frames.html").script(&script).ok();
    shows(
        outcome.rows(),
        &[
            ("page", &["nothing on \"http://", "/pages/frames.html\" matches button \"Nothing\""]),
            (
                "frame",
                &["nothing in frame_", "who=same\") matches button \"Above\"", "it matches elsewhere:", "(in frame_1)"],
            ),
            ("within", &["nothing within list \"Cart\" `ref_", "leave `within` and `frame` out", "(outside of `ref_"]),
            ("by text", &["holds it as text: write `text` in place of `name`"]),
            (
                "nth",
                &[
                    "2 elements match button \"Remove\", expected number 4 (from 0) | count from 0: the last one is `nth: 1`",
                    "(in \"Fig\")",
                ],
            ),
            ("generic", &["| check role and name"]),
            ("beside", &["textbox \"\"  (beside \"Quantity\")"]),
            ("label", &["checkbox \"Send me news\"  (hidden: it is not displayed; `check` presses its label)"]),
            ("gone", &["heading \"Outer page\" `ref_", "is still there", "gone: true, timeout: 20000"]),
            ("no field", &["is no field and has no value"]),
            ("text", &["did not appear within", ": looked on \"http://"]),
            ("ref as frame", &["is a ref, expected a `frame` of `frames()`", "or `within: \"ref_"]),
            ("stale", &["its frame frame_", "shows another document, since `sleep(400)`"]),
            ("tab", &["nothing in `tab_2` (\"http://"]),
        ],
    );
    let row = outcome.rows().iter().find(|row| row[0] == "query").expect("it is there");
    assert_eq!(*row, json!(["query", 1, 0, "Go same"]), "{outcome}");
}
