//! Shapes of what goes in and out: every key always there, units, and arguments that are refused with what to
//! write instead.

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn a_node_has_every_key_and_unit_for_what_is_absent() {
    let outcome = Stage::page("lines.html")
        .script(
            r#"
            let link = node(find("link", "A link"));
            let mail = node(find("textbox", "Mail"));
            let heading = node(find("heading", "Tree lines"));
            [link, mail, heading]
            "#,
        )
        .ok();
    let nodes = outcome.value().as_array().expect("three nodes");
    for node in nodes {
        let mut keys: Vec<_> = node.as_object().expect("a map").keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            ["frame", "href", "input_type", "name", "rect", "ref", "role", "states", "tag", "value"],
            "{node}"
        );
        for side in ["x", "y", "width", "height"] {
            assert!(node["rect"][side].is_f64(), "{side} is no float: {node}");
        }
    }
    let (link, mail, heading) = (&nodes[0], &nodes[1], &nodes[2]);
    assert_eq!((&link["role"], &link["tag"], &link["value"]), (&json!("link"), &json!("a"), &Value::Null));
    assert!(link["href"].as_str().is_some_and(|href| href.ends_with("second.html")), "{link}");
    assert_eq!((&mail["input_type"], &mail["value"]), (&json!("email"), &json!("a@b.test")));
    assert_eq!(mail["states"], json!(["required"]));
    assert_eq!((&heading["href"], &heading["input_type"]), (&Value::Null, &Value::Null));
}

#[test]
fn facts_about_one_element() {
    let outcome = Stage::page("lines.html")
        .script(
            r#"
            let link = find("link", "A link");
            let mail = find("textbox", "Mail");
            [text(link), value(mail), attr(link, "href"), attr(link, "nothing"), value(link), text().contains("Loose words here."),
             text().contains("Invisible")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["A link", "a@b.test", "second.html", null, null, true, false]));
}

#[test]
fn a_password_never_leaves_the_page() {
    let outcome = Stage::page("lines.html")
        .script(
            r#"
            let field = find("textbox", "Secret");
            fill(field, "heron-9");
            [tree().text, node(field), value(field), text()]
            "#,
        )
        .ok();
    let all = outcome.json().to_string();
    assert!(!all.contains("plum-tree"), "{outcome}");
    assert!(!outcome.value().to_string().contains("heron-9"), "{outcome}");
}

#[test]
fn an_unknown_option_says_what_was_meant() {
    let outcome = Stage::page("basic.html")
        .script("let save = find(\"button\", \"Save\");\nclick(save, #{timeuot: 100});")
        .fails("args::option");
    assert!(outcome.help().contains("`timeout`"), "{outcome}");
    assert_eq!((outcome.fact("option"), outcome.fact("suggestion")), (&json!("timeuot"), &json!("timeout")));
    for call in [
        "tree(#{fliter: \"all\"})",
        "find(#{rol: \"button\"})",
        "wait_for(#{txt: \"x\"})",
        "open(\"about:blank\", #{wiat: \"dom\"})",
    ] {
        let outcome = Stage::page("basic.html").script(call).fails("args::option");
        assert!(outcome.help().contains("did you mean"), "{call}: {outcome}");
    }
}

#[test]
fn a_wrong_type_says_what_is_expected() {
    for (call, words) in [
        ("click(42)", "ref"),
        ("find(7, \"x\")", "string"),
        ("tree(\"all\")", "map"),
        ("click(find(\"button\", \"Save\"), #{timeout: \"soon\"})", "number"),
        ("open([])", "string"),
        ("fill(find(\"textbox\", \"City\"), #{})", "string"),
        ("sleep(\"long\")", "number"),
        ("query(1)", "string"),
    ] {
        let outcome = Stage::page("basic.html").script(call).fails("args::type");
        let message = outcome.message();
        assert!(message.contains("expected"), "{call}: {message}");
        let all = format!("{message} {}", outcome.help());
        assert!(all.contains(words), "{call} should speak of {words}: {all}");
    }
}

#[test]
fn a_wrong_count_says_what_it_takes() {
    for (call, name) in [
        ("click()", "click"),
        ("type(find(\"textbox\", \"City\"))", "type"),
        ("select(find(\"textbox\", \"City\"))", "select"),
        ("attr(find(\"textbox\", \"City\"))", "attr"),
        ("url(1)", "url"),
        ("open()", "open"),
        ("back(1, 2)", "back"),
    ] {
        let outcome = Stage::page("basic.html").script(call).fails("args::count");
        assert!(outcome.message().contains(&format!("`{name}`")), "{call}: {outcome}");
        assert!(outcome.help().contains(&format!("{name}(")), "{call}: {outcome}");
    }
}

#[test]
fn an_unknown_function_says_what_was_meant() {
    for (call, meant) in
        [("clik(\"ref_1\")", "click"), ("find_al(\"x\")", "find_all"), ("shadowquery(\"x\")", "shadow_query")]
    {
        let outcome = Stage::page("basic.html").script(call).fails("script::unknown_function");
        assert!(outcome.help().contains(&format!("`{meant}")), "{call}: {outcome}");
        assert_eq!(outcome.error().map(|error| &error["line"]), Some(&json!(2)), "{outcome}");
    }
}

#[test]
fn a_script_may_not_define_a_host_function() {
    let outcome = Stage::page("basic.html").script("fn click(x) { x }\nclick(1)").fails("script::parse");
    assert!(outcome.message().contains("`click`"), "{outcome}");
}

#[test]
fn a_role_is_told_from_a_name() {
    let outcome = Stage::page("basic.html").script("find(#{name: \"status\", timeout: 0})").fails("find::none");
    assert!(outcome.help().starts_with("`\"status\"` is a role: write `find(#{role: \"status\"})`"), "{outcome}");
    let outcome = Stage::page("basic.html").script("find(\"buton\", \"Save\")").fails("args::value");
    assert_eq!(outcome.help(), "did you mean `button`?");
    let outcome = Stage::page("basic.html").script("wait_for(#{role: \"dropdown\"})").fails("args::value");
    assert_eq!(outcome.help(), "did you mean `combobox`?");
    let ended = Stage::page("basic.html").script("find_all(\"listitem\"); find_all(\"listitem\");").rendered();
    assert_eq!(ended.stderr, "note: `\"listitem\"` is a role: `find_all(#{role: \"listitem\"})` finds by role\n");
}

#[test]
fn a_name_in_place_of_a_ref_is_told_with_the_way_to_find_it() {
    let outcome = Stage::page("basic.html").script("click(\"Save\")").fails("ref::unknown");
    assert!(outcome.help().starts_with("write `click(find(\"Save\"))`"), "{outcome}");
    let outcome = Stage::page("basic.html").script("fill(\"City\", \"Faro\")").fails("ref::unknown");
    assert!(outcome.help().starts_with("write `fill(find(\"City\"), \"Faro\")`"), "{outcome}");
    // What a variable holds, only the run knows.
    let outcome = Stage::page("basic.html").script("let city = \"City\"; fill(city, \"Faro\")").fails("ref::unknown");
    assert!(outcome.help().starts_with("write `fill(find(\"City\"), …)`"), "{outcome}");
    let outcome =
        Stage::page("basic.html").script("select(find(\"textbox\", \"City\"), \"Faro\")").fails("args::value");
    assert!(outcome.help().contains("fill("), "{outcome}");
}

#[test]
fn a_tab_or_a_dialog_that_never_was_is_no_closed_one() {
    let outcome = Stage::page("basic.html").script("tab(\"tab_99\")").fails("args::value");
    assert_eq!(outcome.message(), "there is no tab \"tab_99\"");
    let outcome = Stage::page("basic.html").script("dismiss()").fails("args::value");
    assert_eq!(outcome.message(), "no dialog is open");
    let outcome = Stage::blank().script("arg(\"missing\")").fails("args::value");
    assert!(outcome.help().contains("`--arg missing=…`"), "{outcome}");
}

#[test]
fn a_tree_as_value_is_its_text() {
    let ended = Stage::page("basic.html").script("tree()").rendered();
    assert!(ended.stdout.contains("button \"Save\" [ref_"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("snapshot_id"), "{}", ended.stdout);
    let outcome = Stage::page("basic.html").script("emit(tree()); tree()").ok();
    for tree in [outcome.value(), &outcome.rows()[0]] {
        assert!(tree["text"].is_string() && tree.get("$tree").is_none(), "{outcome}");
    }
    let ended = Stage::page("basic.html").script("click(find(\"button\", \"Save\"));").rendered();
    assert_eq!(ended.stdout, "");
}

#[test]
fn eval_js_needs_its_right() {
    let outcome = Stage::page("basic.html").without_js().script("eval_js(\"1\")").fails("policy::right");
    assert!(outcome.help().contains("--allow-js"), "{outcome}");
}

#[test]
fn values_come_out_as_json() {
    let outcome =
        Stage::blank().script("#{int: 1, float: 1.5, text: \"ä\", flag: true, none: (), list: [1, \"x\"]}").ok();
    let wanted = json!({"int": 1, "float": 1.5, "text": "ä", "flag": true, "none": null, "list": [1, "x"]});
    assert_eq!(*outcome.value(), wanted);
    assert_eq!(*Stage::blank().script("let x = 1;").ok().value(), Value::Null);
}
