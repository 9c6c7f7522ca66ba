//! What scripts do with refs and functions that can't go well.

use serde_json::json;

use super::{marked, run};
use crate::lang::protocol::Ended;

/// Returns each fault as `message | help`.
fn told(text: &str) -> Vec<String> {
    let line = |fault: &Ended| {
        let error = fault.fault.error().expect("a fault of the script");
        format!("{} {error} | {}", error.code(), error.help())
    };
    run(text).faults.iter().map(line).collect()
}

#[test]
fn a_ref_has_no_facts_and_no_text_of_its_own() {
    for (text, expected, fix) in [
        ("log(find(\"Save\").name);", "| write `node(find(\"Save\")).name`", Some("log(node(find(\"Save\")).name);")),
        ("let r = find(\"Save\");\nlog(r.role);", "| write `node(r).role`", Some("log(node(r).role);")),
        ("\"ref_1\".text", "| write `text(\"ref_1\")`", Some("text(\"ref_1\")")),
        (
            "for r in query(\"a\") { log(r.href); }",
            "node(r).href",
            Some("for r in query(\"a\") { log(node(r).href); }"),
        ),
        ("query(\"a\")[0].value", "| write `value(query(\"a\")[0])`", Some("value(query(\"a\")[0])")),
        (
            "let r = find(\"City\"); r.clear();",
            "| write `fill(r, \"\")`",
            Some("let r = find(\"City\"); fill(r, \"\");"),
        ),
        ("let b = find(\"b\"); b.click;", "| write `click(b)`", Some("let b = find(\"b\"); click(b);")),
        ("\"ref_1\".clear();", "nothing on the page | write `fill(\"ref_1\", \"\")`", Some("fill(\"ref_1\", \"\");")),
    ] {
        let found = told(text);
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
        assert_eq!(run(text).error().fix.as_deref(), fix, "{text}");
    }
    for text in [
        "let r = find(\"a\"); r = node(r); r.name",
        "let r = find(\"a\"); { let r = #{ name: 1 }; r.name }",
        "let r = node(find(\"a\")); let n = #{ name: 1 }; n.name",
        "let a = [#{ name: 1 }]; a.find(|x| x.name == 1).name",
        "fn find_it(r) { r.name } find_it(#{ name: 1 })",
        "let s = \"text\"; s.clear(); s",
    ] {
        assert!(told(text).is_empty(), "{text}: {:?}", told(text));
    }
}

#[test]
fn the_text_of_a_ref_is_doubted_where_it_is_read() {
    let text = "let r = find(\"Save\"); if r.contains(\"x\") { }";
    let ran = run(text);
    ran.value();
    let doubt = ran.doubts.first().expect("a doubt");
    assert!(doubt.fault.error().is_some_and(|error| error.help() == "write `text(r).contains(…)`"));
    assert_eq!(marked(text, doubt.site.as_ref().expect("it has a place")), "r.contains(\"x\")");
    assert!(run("let r = find(\"Save\"); text(r).contains(\"x\"); r.sub_string(4)").doubts.is_empty());
}

#[test]
fn a_wrong_value_that_only_the_run_knows_is_told_alike() {
    let ran = run("let time = \"5s\"; within(time, || 1)");
    assert!(ran.message().ends_with("| write `within(5000, || …)`"), "{}", ran.message());
    let ran = run("parse_int(\"12 €\")");
    assert!(ran.message().contains("\"12 €\" is not a whole number | take the number out first"), "{}", ran.message());
    let ran = run("let n = \"12\"; n.to_int()");
    assert!(ran.message().ends_with("| write `parse_int(text)`"), "{}", ran.message());
}

#[test]
fn a_ref_that_is_emptied_in_a_run_is_told() {
    let ran = run("fn empty(r) { r.clear(); } empty(find(\"City\"));");
    assert!(ran.message().contains("changes the text of the ref"), "{}", ran.message());
    assert_eq!(run("fn empty(t) { t.clear(); t } empty(\"text\")").value(), &json!(""));
    let ran = run("fn name(r) { r.name } name(find(\"a\"))");
    assert!(ran.message().contains("node(ref).name"), "{}", ran.message());
}

#[test]
fn what_is_no_ref_is_told_with_the_call_that_gives_one() {
    for (text, expected) in [
        ("click(\"#id\");", "ref::unknown `#id` is no ref of this session | write `click(query(\"#id\")[0])`"),
        ("\".primary\".click();", "| write `query(\".primary\")[0].click()`"),
        ("fill(\"input[name=q]\", \"x\");", "| write `fill(query(\"input[name=q]\")[0], \"x\")`"),
        (
            "click(query(\"a\"));",
            "is an array of refs, expected a ref such as \"ref_12\", or a node | take one of them: `click(query(\"a\")[0])`",
        ),
        ("let all = find_all(\"a\"); all.click();", "take one of them: `all[0].click()`"),
        (
            "find(\"button\", \"X\", #{ timeout: 3 });",
            "args::count `find` got 3 arguments, it takes `find(role, name)` or",
        ),
        ("find(\"button\", \"X\", #{ timeout: 3 });", "| write `find(#{role: \"button\", name: \"X\", timeout: 3})`"),
        ("find(\"button\", #{ timeout: 3 });", "| write `find(#{role: \"button\", timeout: 3})`"),
        ("wait_for(\"button\", \"X\");", "| write `wait_for(#{role: \"button\", name: \"X\"})`"),
    ] {
        let found = told(text);
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
    }
    for text in
        ["explain(\"#id\")", "lookup(\"#id\")", "log(query(\"#id\")[0])", "find(\"a\"); find_all(\"link\", \"b\")"]
    {
        assert!(told(text).is_empty(), "{text}: {:?}", told(text));
    }
}

#[test]
fn words_and_closures_are_checked_where_they_stand() {
    for (text, expected) in [
        ("find(\"buton\", \"X\");", "there is no role \"buton\" | did you mean `button`?"),
        ("find(#{ role: \"lnk\" });", "there is no role \"lnk\" | did you mean `link`?"),
        ("press(\"Entr\");", "`keys` of `press` is \"Entr\", expected `Enter` in place of `Entr`"),
        ("press(\"ref_1\", \"Ctl+A\");", "expected `Control` in place of `Ctl`"),
        ("click(\"ref_1\", #{ button: \"lft\" });", "expected \"left\", \"middle\" or \"right\""),
        ("tree(#{ filter: \"al\" });", "expected \"all\", \"visible\" or \"interactive\""),
        ("open(\"http://a.test\", #{ wait: \"done\" });", "expected \"load\", \"dom\" or \"none\""),
        ("on_dialog(\"acept\");", "expected \"accept\", \"dismiss\" or \"fail\""),
        ("step(\"a\", 3);", "`|| …` of `step` is the number `3`, expected a closure: `|| …`"),
        ("within(\"a\", || 3);", "`ms` of `within` is the string \"a\", expected a number of milliseconds"),
        ("retry(\"3\", || 1);", "`n` of `retry` is the string \"3\", expected a whole number"),
        (
            "step(\"a\", click(\"ref_1\"));",
            "is what `click` gives, expected a closure: `|| …` | write `step(\"a\", || click(\"ref_1\"))`",
        ),
        ("step(\"a\", { url(); });", "is a block, expected a closure: `|| …` | write `step(\"a\", || { url(); })`"),
        ("step(\"a\", {\n url();\n});", "is a block, expected a closure: `|| …` | write `||` before it"),
    ] {
        let found = told(text);
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
    }
    for text in [
        "let f = || 1; step(\"a\", f); step(\"b\", Fn(\"g\")); fn g() { 1 }",
        "find(\"Button\", \"X\"); press(\"Control+A\"); press(\"ref_1\", \"a\"); wait_for(#{ role: \"link\" })",
    ] {
        assert!(told(text).is_empty(), "{text}: {:?}", told(text));
    }
}

#[test]
fn names_from_elsewhere_lead_to_what_there_is() {
    for (text, expected) in [
        ("goto_url(\"x\");", "| did you mean `open(url)`?"),
        ("hover(\"ref_1\");", "`hover` | it is not in this version: a `click(ref)` moves the pointer"),
        ("scroll(\"ref_1\");", "it is not in this version: actions scroll to their element"),
        ("screenshot();", "it is not in this version: `tree()`"),
        ("upload(\"ref_1\", \"a\");", "it is not in this version"),
        ("waitForSelector(\"x\");", "| `wait_for(text)` waits for a text"),
        ("wait(3);", "`sleep(ms)` waits that many milliseconds"),
        ("locator(\"x\");", "`query(css)` takes a CSS selector"),
        ("getByRole(\"x\");", "write `find(#{role: \"x\"})`"),
        ("getByRole(\"x\", 1);", "write `find(role, name)`"),
        ("querySelector(\"x\");", "did you mean `query(css)`?"),
        ("let x = find(\"x\"); x.dblclick();", "write `click(x, #{count: 2})`"),
        ("fn hoover(x) { } hover(1);", "did you mean `hoover`?"),
    ] {
        let found = told(text);
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
    }
}

/// Getters and the like have names with a `$`, which nobody can write.
#[test]
fn no_internal_name_is_suggested() {
    for name in ["gettext", "get_text", "settext", "getnodes", "index_get", "getlen", "tree_nods", "step_begn", "anon"]
    {
        let found = told(&format!("{name}(1);"));
        let (_, help) = found.first().and_then(|told| told.split_once(" | ")).expect("a fault with its next step");
        assert!(!["$", "tree_", "step_begin"].iter().any(|part| help.contains(part)), "{found:?}");
    }
}

/// Returns each fault as `message | help`, and its fix.
fn mended(text: &str) -> Vec<(String, Option<String>)> {
    told(text).into_iter().zip(run(text).faults.into_iter().map(|fault| fault.fix)).collect()
}

#[track_caller]
fn each_is_told_once(cases: &[(&str, &str, Option<&str>)]) {
    for (text, expected, fix) in cases {
        let found = mended(text);
        assert!(found.len() == 1 && found[0].0.contains(expected), "{text}: {found:?}");
        assert_eq!(found[0].1.as_deref(), *fix, "{text}");
    }
}

#[test]
fn a_wrong_argument_is_told_with_the_call_as_it_should_be() {
    each_is_told_once(&[
        (
            "wait_for(\"x\", 5000);",
            "| write `wait_for(\"x\", #{timeout: 5000})`",
            Some("wait_for(\"x\", #{timeout: 5000});"),
        ),
        (
            "find(\"button\", \"x\", 5000);",
            "| write `find(#{role: \"button\", name: \"x\", timeout: 5000})`",
            Some("find(#{role: \"button\", name: \"x\", timeout: 5000});"),
        ),
        (
            "let r = find(\"x\"); r.click(5000);",
            "| write `r.click(#{timeout: 5000})`",
            Some("let r = find(\"x\"); r.click(#{timeout: 5000});"),
        ),
        (
            "wait_for(#{text: \"x\"}, 5000);",
            "| write `wait_for(#{text: \"x\", timeout: 5000})`",
            Some("wait_for(#{text: \"x\", timeout: 5000});"),
        ),
        ("find({role: \"button\"});", "an object map starts with `#{`", Some("find(#{role: \"button\"});")),
        ("type(\"ref_1\", \"x\", 50);", "| write `type(ref, text)` or", None),
        ("sleep(\"5s\");", "| write `sleep(5000)`", Some("sleep(5000);")),
        ("within(\"1.5 s\", || 1);", "| write `within(1500, || 1)`", Some("within(1500, || 1);")),
        (
            "find(#{name: \"x\", timeout: \"5s\"});",
            "| write `timeout: 5000`",
            Some("find(#{name: \"x\", timeout: 5000});"),
        ),
        ("retry(\"3\", || 1);", "| write `retry(3, || 1)`", Some("retry(3, || 1);")),
        (
            "wait_for(|| find_all(\"x\").len() > 3);",
            "write `within(10000, || { while !(find_all(\"x\").len() > 3) { sleep(100); } })`",
            None,
        ),
        ("retry(3, |n| url());", "`retry` passes nothing to it: write `|| …`", Some("retry(3, || url());")),
        ("retry(3, |n| log(n));", "is a closure that takes `n`", None),
        ("press(\"ref_1\", \"Ann\");", "to write a text, use `type(ref, text)`", None),
        ("press(\"Control A\");", "expected \"Control+A\"", Some("press(\"Control+A\");")),
        ("press(\"ref_1\", \"Ctrl-A\");", "expected \"Ctrl+A\"", Some("press(\"ref_1\", \"Ctrl+A\");")),
        ("tree(#{frame: \"ref_23\"});", "or `ref: \"ref_23\"` in its place", None),
        ("let f = find(\"Card\"); find(#{name: \"x\", frame: f});", "or `within: f` in its place", None),
        ("fil(\"ref_1\", \"Ann\");", "did you mean `fill(ref, text)`?", None),
        ("let t = tree(); t.dif(t);", "did you mean `tree.diff(other)`?", None),
    ]);
}

#[test]
fn a_text_in_place_of_a_ref_is_told_before_the_start() {
    each_is_told_once(&[
        (
            "click(\"Delete\");",
            "ref::unknown `Delete` is no ref of this session | write `click(find(\"Delete\"))`",
            None,
        ),
        ("fill(\"City\", \"Faro\");", "| write `fill(find(\"City\"), \"Faro\")`", None),
        ("find(#{name: \"x\", within: \"Cart\"});", "| write `find(#{name: \"x\", within: find(\"Cart\")})`", None),
        ("click(\"ref12\");", "| write `click(\"ref_12\")`", Some("click(\"ref_12\");")),
        ("click(\"#ref_12\");", "| write `click(\"ref_12\")`", Some("click(\"ref_12\");")),
        ("click([\"ref_12\"]);", "| write `click(\"ref_12\")`", Some("click(\"ref_12\");")),
        ("click(12);", "| write `click(\"ref_12\")`", Some("click(\"ref_12\");")),
    ]);
}

#[test]
fn one_of_several_is_chosen_as_it_is_written_here() {
    each_is_told_once(&[
        (
            "find(\"button\").first();",
            "| write `find(#{role: \"button\", nth: 0})`",
            Some("find(#{role: \"button\", nth: 0});"),
        ),
        (
            "find(\"Save\")[0];",
            "this is one ref, not a list of them | write `find(#{name: \"Save\", nth: 0})`",
            Some("find(#{name: \"Save\", nth: 0});"),
        ),
        (
            "find(#{role: \"row\"}).nth(2);",
            "| write `find(#{role: \"row\", nth: 2})`",
            Some("find(#{role: \"row\", nth: 2});"),
        ),
        (
            "find(\"link\", \"b\").last();",
            "| write `find_all(\"link\", \"b\")[-1]`",
            Some("find_all(\"link\", \"b\")[-1];"),
        ),
        ("let r = find(\"x\"); click(r[0]);", "| write `r`", Some("let r = find(\"x\"); click(r);")),
        ("find_all(\"link\").first();", "| write `find_all(\"link\")[0]`", Some("find_all(\"link\")[0];")),
    ]);
}

#[test]
fn a_condition_is_true_or_false() {
    each_is_told_once(&[
        (
            "if find_all(\"x\") { }",
            "this is an array | write `find_all(\"x\").len() > 0`",
            Some("if find_all(\"x\").len() > 0 { }"),
        ),
        (
            "while !find_all(\"x\") { }",
            "| write `find_all(\"x\").len() == 0`",
            Some("while find_all(\"x\").len() == 0 { }"),
        ),
        (
            "if find(\"x\") { }",
            "it fails where nothing matches; to ask, write `find_all(\"x\").len() > 0`",
            Some("if find_all(\"x\").len() > 0 { }"),
        ),
        (
            "let r = find(\"x\"); if (text(r)) { }",
            "this is a text | write `text(r) != \"\"`",
            Some("let r = find(\"x\"); if (text(r) != \"\") { }"),
        ),
        (
            "let a = find_all(\"x\"); if a && true { }",
            "| write `a.len() > 0`",
            Some("let a = find_all(\"x\"); if a.len() > 0 && true { }"),
        ),
        ("assert(find_all(\"x\"));", "| write `find_all(\"x\").len() > 0`", Some("assert(find_all(\"x\").len() > 0);")),
        ("if lookup(\"ref_1\") { }", "| write `lookup(\"ref_1\") != ()`", Some("if lookup(\"ref_1\") != () { }")),
        ("let f = || !dialog();", "| write `dialog() == ()`", Some("let f = || dialog() == ();")),
    ]);
    for text in [
        "step(\"a\", || find_all(\"x\"));",
        "let x = [1].find(|i| i == 1); if find_all(\"x\").len() > 0 { }",
        "if text().contains(\"a\") || url() == \"b\" { }",
        "let f = |a| find(\"x\"); if click(\"ref_1\").success { }",
        "if tabs()[0].current { }",
        "let m = #{ text: || true }; if m.text() { }",
        "let ok = !find_all(\"a\").is_empty() && text() != \"\"; if ok || dialog() != () { } while lookup(\"ref_1\") == () { }",
        "let f = [|| find(\"x\"), |a, b| query(\"a\")]; let t = if url() == \"\" { text() } else { title() }; t in [\"a\"]",
        "switch title() { \"a\" => 1, _ => 2 }",
    ] {
        assert!(told(text).is_empty(), "{text}: {:?}", told(text));
    }
}

#[test]
fn asserts_of_other_tools_are_told_with_their_own_values() {
    each_is_told_once(&[
        ("assert_eq(title(), \"x\");", "| write `assert(title() == \"x\")`", Some("assert(title() == \"x\");")),
        ("expect(title()).toBe(\"x\");", "| write `assert(title() == \"x\")`", Some("assert(title() == \"x\");")),
        ("expect(find(\"x\")).toBeFocused();", "| write `assert(condition, message)`", None),
        (
            "find(\"x\").dblclick();",
            "| write `click(find(\"x\"), #{count: 2})`",
            Some("click(find(\"x\"), #{count: 2});"),
        ),
    ]);
}

#[test]
fn what_most_likely_means_something_else_is_doubted() {
    for (text, expected) in [
        (
            "open(\"example.test/x\");",
            "has no scheme, so it is taken relative to the current page | write `open(\"https://example.test/x\")`",
        ),
        ("wait_for(find(\"x\"));", "looks for a text, and this is a ref | write `wait_for(#{ref: find(\"x\")})`"),
        ("open(\"localhost:3000\");", "write `open(\"http://localhost:3000\")`"),
        ("if find(\"x\") != () { }", "it fails where nothing matches | to ask, write `find_all(\"x\").len() > 0`"),
        ("let x = 1; log(\"hello {x}\");", "`{x}` stands in plain quotes, where it is not filled in | write `${x}`"),
    ] {
        let ran = run(text);
        let told: Vec<_> = ran.doubts.iter().filter_map(|doubt| doubt.fault.error()).collect();
        assert!(ran.faults.is_empty() && told.len() == 1, "{text}: {told:?}");
        assert!(format!("{} | {}", told[0], told[0].help()).contains(expected), "{text}: {told:?}");
    }
    for text in [
        "open(\"cart\"); open(\"/x.html\"); open(\"page.html?a=b.com\");",
        "let x = 1; \"a {x}\".replace(\"{x}\", \"1\"); log(\"{y}\"); log(`{x}`)",
    ] {
        assert!(run(text).doubts.is_empty(), "{text}: {:?}", run(text).doubts);
    }
}
