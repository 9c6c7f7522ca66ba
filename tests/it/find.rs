//! Locators: levels of matching, what is none and what is ambiguous, narrowing, waiting.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn the_best_level_of_matching_counts() {
    let outcome = Stage::page("find.html")
        .script(
            r#"
            let id = |found| attr(found, "id");
            [id.call(find("button", "Save")), id.call(find("button", "save")), id.call(find("button", "SAVE ALL")),
             id.call(find("button", "draft")), id.call(find("Save all")), id.call(find("link", "Save"))]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["exact", "lower", "more", "draft", "more", "link"]));
}

#[test]
fn an_element_that_is_there_unseen_is_named_with_the_reason() {
    let outcome = Stage::page("clicks.html").script("find(\"button\", \"Unseen\")").fails("find::none");
    let first = &outcome.fact("nearest")[0];
    assert_eq!([&first["name"], &first["why"]], ["Unseen", "hidden: its visibility is hidden"], "{outcome}");
}

#[test]
fn nothing_that_matches_names_the_nearest() {
    let outcome = Stage::page("find.html")
        .script("find(#{role: \"button\", name: \"discard drafts\", timeout: 200})")
        .fails("find::none");
    assert_eq!(outcome.nearest().first().map(String::as_str), Some("button \"Discard draft\""), "{outcome}");
    assert!(outcome.message().contains("discard drafts"), "{outcome}");
    let waited = outcome.fact("waited_ms").as_u64().expect("a time");
    assert!((200..2_000).contains(&waited), "{outcome}");
}

#[test]
fn exact_refuses_parts() {
    Stage::page("find.html")
        .script("find(#{role: \"button\", name: \"draft\", exact: true, timeout: 100})")
        .fails("find::none");
}

#[test]
fn several_matches_are_all_listed() {
    let outcome = Stage::page("rows.html").script("find(\"button\", \"Delete\")").fails("find::ambiguous");
    assert_eq!(outcome.nearest(), vec!["button \"Delete\""; 3]);
    let refs = outcome.fact("nearest").as_array().map_or(0, Vec::len);
    assert_eq!(refs, 3, "{outcome}");
    assert!(outcome.help().contains("within"), "{outcome}");
}

#[test]
fn within_nth_and_text_narrow() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            let row = find(#{role: "row", text: "INV-2"});
            click(find(#{role: "button", name: "Delete", within: row}));
            click(find(#{role: "button", name: "Delete", nth: 2}));
            click(find(#{role: "button", name: "Delete", within: find(#{role: "row", text: "May"})}));
            eval_js("deleted")
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["INV-2", "INV-3", "INV-1"]));
}

#[test]
fn within_a_region_the_same_label_is_unique() {
    let outcome = Stage::page("find.html")
        .script(
            r#"
            let shipping = find("region", "Shipping");
            attr(find(#{role: "textbox", name: "Name", within: shipping}), "id")
            "#,
        )
        .ok();
    assert_eq!(outcome.text(), "shipping");
}

#[test]
fn a_frame_can_be_named() {
    let outcome = Stage::page("frames.html")
        .script(
            r#"
            let label = ();
            for inner in frames() { if inner.url.contains("who=same") { label = inner.frame; } }
            let word = find(#{role: "textbox", name: "Word", frame: label});
            node(word).frame == label
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(true));
}

#[test]
fn find_waits_for_what_comes_later() {
    let outcome = Stage::page("/pages/find.html?later=700").script("attr(find(\"button\", \"Arrived\"), \"id\")").ok();
    assert_eq!(outcome.text(), "later");
    Stage::page("/pages/find.html?later=3000")
        .script("find(#{role: \"button\", name: \"Arrived\", timeout: 150})")
        .fails("find::none");
}

#[test]
fn find_all_does_not_wait_and_may_be_empty() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            [find_all("button", "Delete").len(), find_all("button", "Archive").len(), find_all("Delete").len(),
             find_all(#{role: "button", within: find(#{role: "row", text: "INV-3"})}).len()]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([3, 0, 3, 1]));
}

#[test]
fn refs_and_nodes_work_in_method_style() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            find_all("button", "Delete")[0].click();
            let page = tree();
            page.get(page.find_all("button", "Delete")[2]).click();
            page.find(#{role: "row", text: "INV-2"}).node().role + " " + eval_js("deleted.join()")
            "#,
        )
        .ok();
    assert_eq!(outcome.text(), "row INV-1,INV-3");
}

#[test]
fn query_gives_a_ref_to_elements_that_the_tree_leaves_out() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            let parts = query("tbody tr > td:first-child");
            let body = query("tbody")[0];
            let rows = query("tr", #{within: body});
            [parts.len(), text(parts[1]), rows.len(), query(".nothing").len(), node(body).tag, tree().text.contains(body)]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([3, "INV-2", 3, 0, "tbody", true]));
}

#[test]
fn a_selector_that_is_none_is_an_argument_error() {
    let outcome = Stage::page("rows.html").script("query(\"td[\")").fails("args::value");
    assert!(outcome.message().contains("td["), "{outcome}");
}

#[test]
fn a_container_that_is_gone_is_said_to_be_stale() {
    let find = |call: &str| {
        format!(
            "let row = find(#{{role: \"row\", text: \"INV-2\"}});
             eval_js(\"void document.querySelectorAll('tr')[2].remove()\");
             {call}"
        )
    };
    for call in [
        "find(#{role: \"button\", name: \"Delete\", within: row})",
        "find_all(#{role: \"button\", within: row})",
        "query(\"button\", #{within: row})",
        "wait_for(#{role: \"button\", within: row})",
    ] {
        Stage::page("rows.html").script(&find(call)).fails("ref::stale");
    }
    Stage::page("rows.html").script(&find("wait_for(#{role: \"button\", within: row, gone: true})")).ok();
}

#[test]
fn several_matches_are_told_apart_by_their_rows() {
    let outcome = Stage::page("rows.html").script("find(\"button\", \"Delete\")").fails("find::ambiguous");
    assert!(outcome.help().contains("in \"INV-2 June\""), "{outcome}");
}

#[test]
fn waiting_for_a_text_heeds_all_options() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            eval_js("setTimeout(() => document.querySelectorAll('tr')[2].remove(), 300), 0");
            let there = wait_for("INV-2", #{role: "cell"});
            let role = node(there).role;
            wait_for("INV-2", #{gone: true});
            [role, find_all(#{text: "INV-2"}).len()]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["cell", 0]), "{outcome}");
}

#[test]
fn a_text_that_was_taken_for_a_name_is_told_with_the_call_that_finds_it() {
    let outcome = Stage::page("rows.html")
        .script(r#"find(#{role: "row", name: "INV-2", exact: true, timeout: 0})"#)
        .fails("find::none");
    assert!(outcome.help().contains(r#"holds it as text: `find(#{role: "row", text: "INV-2"})`"#), "{outcome}");
}
