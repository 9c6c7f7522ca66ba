//! JavaScript dialogs: a click that opens one succeeds, the page then waits for an answer, policies give one.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn a_click_carries_the_dialog_that_it_opened() {
    let outcome = Stage::page("dialogs.html")
        .script(
            r#"
            let report = click(find("button", "Prompt"));
            let open = dialog();
            accept("Fees");
            [report.success, report.dialog.type, report.dialog.message, open.type, open.message, open["default"],
             dialog() == (), eval_js("answers")]
            "#,
        )
        .ok();
    let wanted = json!([true, "prompt", "New name?", "prompt", "New name?", "Taxes", true, ["Fees"]]);
    assert_eq!(*outcome.value(), wanted);
}

#[test]
fn a_dialog_that_nobody_answered_is_told_at_the_end() {
    let ended = Stage::page("dialogs.html").script("click(find(\"button\", \"Confirm\"));").rendered();
    assert!(ended.stderr.starts_with("note: the script ended with an open confirm in `tab_"), "{}", ended.stderr);
    assert!(ended.stderr.ends_with(": \"Really delete?\"\n"), "{}", ended.stderr);
    assert_eq!((ended.exit(), ended.stdout.as_str()), (0, ""));
}

#[test]
fn each_answer_reaches_the_page() {
    let outcome = Stage::page("dialogs.html")
        .script(
            r#"
            click(find("button", "Alert")); accept();
            click(find("button", "Confirm")); accept();
            click(find("button", "Confirm")); dismiss();
            click(find("button", "Prompt")); accept();
            click(find("button", "Prompt")); dismiss();
            eval_js("answers")
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["told", true, false, "Taxes", null]));
}

#[test]
fn every_call_on_the_page_says_that_a_dialog_is_open_at_once() {
    for call in [
        "tree()",
        "find(\"button\", \"Alert\")",
        "find_all(\"button\", \"Alert\")",
        "query(\"button\")",
        "text()",
        "text(note)",
        "node(note)",
        "value(note)",
        "attr(note, \"id\")",
        "click(note)",
        "type(note, \"x\")",
        "fill(note, \"x\")",
        "press(\"Enter\")",
        "wait_for(\"Dialogs\")",
        "eval_js(\"1\")",
        "shadow_query(\"button\")",
    ] {
        let script = format!("let note = find(\"textbox\", \"Note\");\nclick(find(\"button\", \"Confirm\"));\n{call}");
        let outcome = Stage::page("dialogs.html").script(&script).fails("dialog::open");
        assert_eq!(outcome.underlined(), call, "{outcome}");
        let says = outcome.message();
        assert!(says.contains("confirm") && says.contains("Really delete?"), "{call}\n{outcome}");
        let spent =
            outcome.json()["effects"].as_array().and_then(|all| all.last()).and_then(|last| last["ms"].as_f64());
        assert!(spent.is_none_or(|ms| ms < 1_500.0), "{call} did not fail at once\n{outcome}");
    }
}

#[test]
fn a_policy_answers_by_itself() {
    let outcome = Stage::page("dialogs.html")
        .script(
            r#"
            on_dialog("accept");
            click(find("button", "Confirm"));
            click(find("button", "Prompt"));
            on_dialog("dismiss");
            click(find("button", "Confirm"));
            click(find("button", "Alert"));
            [eval_js("answers"), dialog() == ()]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([[true, "Taxes", false, "told"], true]));
    let outcome = Stage::page("dialogs.html").script("on_dialog(\"maybe\")").fails("args::value");
    assert!(outcome.help().contains("accept") && outcome.help().contains("dismiss"), "{outcome}");
}

#[test]
fn a_page_that_asks_before_it_is_left() {
    let fill = "fill(find(\"textbox\", \"Note\"), \"half done\");";
    let link = format!(
        "{fill}\nlet report = click(find(\"link\", \"Leave\"));\nlet kind = report.dialog.type;\naccept();\nwait_for(#{{url: \"second.html\"}});\n[kind, title()]"
    );
    let outcome = Stage::page("/pages/dialogs.html?guard").script(&link).ok();
    assert_eq!(*outcome.value(), json!(["beforeunload", "Second"]));
    let stay =
        format!("{fill}\nclick(find(\"link\", \"Leave\"));\ndismiss();\n[title(), value(find(\"textbox\", \"Note\"))]");
    let outcome = Stage::page("/pages/dialogs.html?guard").script(&stay).ok();
    assert_eq!(*outcome.value(), json!(["Dialogs", "half done"]));
}

#[test]
fn an_alert_of_another_tab_blocks_only_that_tab() {
    let outcome = Stage::page("dialogs.html")
        .arg("second", &crate::site::url("/pages/second.html"))
        .script(
            r#"
            let home = tabs()[0].tab;
            click(find("button", "Alert"));
            new_tab(arg("second"));
            let here = find("button", "Save") != ();
            tab(home);
            accept();
            [here, eval_js("answers")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, ["told"]]));
}
