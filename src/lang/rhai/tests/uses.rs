//! What scripts do with refs and functions that can't go well.

use serde_json::json;

use super::{marked, run};
use crate::lang::fault::Fault;
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
        let ran = run(text);
        let Fault::Parse { fix: line, .. } = &ran.error().fault else { panic!("{text}") };
        assert_eq!(line.as_deref(), fix, "{text}");
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
        ("\".primary\".click();", "| write `click(query(\".primary\")[0])`"),
        ("fill(\"input[name=q]\", \"x\");", "| write `fill(query(\"input[name=q]\")[0], …)`"),
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
    assert!(told("click(\"Save\")").is_empty(), "what it may have meant, the page knows");
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
        ("getByRole(\"x\");", "write `find(role, name)`"),
        ("querySelector(\"x\");", "did you mean `query(css)`?"),
        ("find(\"x\").dblclick();", "write `click(ref, #{count: 2})`"),
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
