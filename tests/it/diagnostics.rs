//! Reports as people read them: code, message, the call underlined in the right place, labels, the next step.

use crate::process::Ended;
use crate::stage::Stage;

#[track_caller]
fn report(page: &str, script: &str) -> String {
    let Ended { stderr, stdout, .. } = Stage::page(page).script(script).rendered();
    assert!(!stderr.is_empty(), "no report; stdout: {stdout}");
    stderr
}

#[track_caller]
fn shows(report: &str, parts: &[&str]) {
    for part in parts {
        assert!(report.contains(part), "the report lacks {part:?}:\n{report}");
    }
}

#[test]
fn a_stale_ref_labels_the_call_the_argument_and_the_minting_call() {
    let report = report(
        "errors.html",
        "let apples = find(\"button\", \"Buy Apples\");\nclick(find(\"button\", \"Refresh\"));\nclick(apples);",
    );
    shows(
        &report,
        &[
            "ref::stale",
            "is stale",
            "its element was replaced",
            "script.rhai:4:",
            "click(apples);",
            "let apples = find(\"button\", \"Buy Apples\");",
            "button \"Buy Apples\"",
            "help",
        ],
    );
}

#[test]
fn an_unknown_function_says_what_was_meant() {
    let report = report("errors.html", "let list = find_al(\"listitem\");");
    shows(&report, &["script::unknown_function", "`find_al`", "did you mean `find_all", "script.rhai:2:12"]);
}

#[test]
fn a_missing_semicolon_is_marked_where_it_is_missing() {
    let report = report("errors.html", "let a = 1\nlet b = 2;");
    shows(&report, &["script::parse", "`;`", "script.rhai", "let a = 1"]);
}

#[test]
fn a_wrong_argument_type_says_what_it_takes() {
    let report = report("errors.html", "click(42);");
    shows(&report, &["args::type", "`click`", "expected", "click(42)", "write `click(\"ref_42\")`"]);
}

#[test]
fn an_error_in_a_function_shows_the_call_inside_and_the_way_there() {
    let report = report("errors.html", "fn buy(what) {\n    click(what);\n}\n\nbuy(\"ref_99\");");
    shows(&report, &["ref::unknown", "script.rhai:3:5", "click(what);", "buy(\"ref_99\")"]);
}

#[test]
fn an_error_in_a_closure_shows_the_call_inside() {
    let report = report("errors.html", "step(\"buy\", || {\n    let what = \"ref_99\";\n    click(what);\n});");
    shows(&report, &["ref::unknown", "script.rhai:4:5", "click(what);"]);
}

#[test]
fn an_ambiguous_name_lists_every_ref() {
    let report = report("rows.html", "click(find(\"button\", \"Delete\"));");
    shows(&report, &["find::ambiguous", "3 elements", "find(\"button\", \"Delete\")", "within"]);
    assert!(report.matches("button \"Delete\"").count() >= 3, "{report}");
}

#[test]
fn reports_name_no_machine_paths_and_have_no_color_when_piped() {
    let report = report("errors.html", "click(\"ref_99\");");
    assert!(!report.contains('\u{1b}'), "{report}");
    assert!(!report.contains(env!("CARGO_MANIFEST_DIR")), "{report}");
    assert!(!report.contains("panicked"), "{report}");
}

#[test]
fn a_stale_ref_is_traced_to_the_call_that_handed_it_out() {
    let script = "let first = find(\"button\", \"Save\");\nlet second = find(\"City\");\n\
        eval_js(`document.querySelectorAll(\"input\").forEach(it => it.remove())`);\nclick(second);";
    let report = report("basic.html", script);
    assert!(report.contains("was minted by this find(\"City\")"), "{report}");
    assert!(!report.contains("by this find(\"button\""), "{report}");
}

#[test]
fn a_closure_that_a_module_calls_is_shown_in_its_own_script() {
    let script = "import \"forms\" as forms;\nfn act(r) { click(r, #{timeout: 100}) }\n[1].map(|n| act(`ref_${98 + n}`));\n\
        forms::fill_in(#{});";
    shows(
        &report("errors.html", script),
        &["ref::unknown", "script.rhai:3:13", "no ref of this session", "closure called here"],
    );
    let report = report("errors.html", "import \"forms\" as forms;\nforms::fill_in(#{ \"No such\": \"x\" });");
    shows(
        &report,
        &["std:forms:", "in the call to `fill_in`", "script.rhai:3:8", "called here", "nothing matches this"],
    );
}

#[test]
fn what_is_doubted_is_noted_and_runs() {
    let Ended { stderr, stdout, .. } = Stage::page("errors.html").script("let id = 7; log(\"id ${id}\");").rendered();
    assert!(stderr.contains("note: script.rhai:2:17 `${id}` stands in plain quotes"), "{stderr}");
    assert!(stdout.contains("id ${id}"), "{stdout}");
}
