//! Scripts against an engine in this process; the parent is a closure.

mod faults;
mod fields;
mod places;
mod slips;
mod uses;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use crate::error::Error;
use crate::lang::fault::Fault;
use crate::lang::limits::Limits;
use crate::lang::protocol::{End, Ended, FromWorker, Refusal, Start, ToWorker};
use crate::reference::Ref;
use crate::script::{Script, Site};

/// What a script did: its end, its calls as `name(args)`, what it printed.
struct Ran {
    end: End,
    /// All that kept it from starting.
    faults: Vec<Ended>,
    doubts: Vec<Ended>,
    calls: Vec<String>,
    sites: Vec<Site>,
    printed: Vec<String>,
}

impl Ran {
    #[track_caller]
    fn value(&self) -> &Value {
        match &self.end {
            End::Ok(value) => value,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn error(&self) -> &Ended {
        match &self.end {
            End::Error(ended) => ended,
            End::Faulty { faults, .. } => &faults[0],
            End::Ok(value) => panic!("ended well with {value}"),
        }
    }

    #[track_caller]
    fn message(&self) -> String {
        let error = self.error().fault.error().expect("it is there");
        format!("{}: {error} | {}", error.code(), error.help())
    }

    #[track_caller]
    fn marked(&self, text: &str) -> String {
        marked(text, self.error().site.as_ref().expect("it is there"))
    }
}

/// Cuts the text of a site.
fn marked(text: &str, site: &Site) -> String {
    let script = Script::from_text("", text);
    text[script.offset(site.line, site.column)..script.offset(site.end_line, site.end_column)].to_owned()
}

fn stale() -> Error {
    Error::RefStale {
        reference: Ref(9),
        was: "button \"Old\"".into(),
        cause: crate::error::StaleCause::Removed,
        by: None,
        frame: None,
        nearest: Vec::new(),
        minted: None,
    }
}

/// A host in a few lines: `click("ref_9")` is stale, `find` gives `ref_1`, `tree` a tree of two nodes.
fn answer(name: &str, args: &[Value]) -> ToWorker {
    let fails = args.first() == Some(&json!("ref_9"));
    match name {
        "click" if fails => ToWorker::Err(Refusal { id: 7, map: stale().to_map(), terminate: false }),
        "fail" => ToWorker::Err(Refusal { id: 8, map: stale().to_map(), terminate: true }),
        "find" | "tree_find" => ToWorker::Ok(json!("ref_1")),
        "tree" => {
            ToWorker::Ok(json!({"$tree": true, "snapshot_id": "s1", "text": "link \"a\" [ref_1]", "truncated": false}))
        }
        "tree_nodes" => ToWorker::Ok(json!([{"ref": "ref_1"}, {"ref": "ref_2"}])),
        _ => ToWorker::Ok(Value::Null),
    }
}

fn run(text: &str) -> Ran {
    run_with(text, &[])
}

fn run_with(text: &str, modules: &[(&str, &str)]) -> Ran {
    let log = Rc::new(RefCell::new((Vec::new(), Vec::new(), Vec::new(), Vec::new())));
    let (seen, modules) =
        (Rc::clone(&log), modules.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect::<Vec<_>>());
    let exchange = Box::new(move |message: FromWorker| {
        let mut seen = seen.borrow_mut();
        Some(match message {
            FromWorker::Call { name, args, at } => {
                let list: Vec<_> = args.iter().map(ToString::to_string).collect();
                seen.0.push(format!("{name}({})", list.join(", ")));
                seen.1.extend(at);
                answer(&name, &args)
            }
            FromWorker::Import { name, .. } => match modules.iter().find(|(known, _)| *known == name) {
                Some((name, text)) => ToWorker::Ok(
                    serde_json::to_value(Script::from_text(name.clone(), text.clone())).expect("it is there"),
                ),
                None => {
                    let error = Error::ScriptFile { path: name, reason: "there is no such file".into() };
                    ToWorker::Err(Refusal { id: 1, map: error.to_map(), terminate: false })
                }
            },
            FromWorker::Ready { doubts } => {
                seen.3 = doubts;
                ToWorker::Ok(Value::Null)
            }
            FromWorker::Print { text } => {
                seen.2.push(text);
                ToWorker::Ok(Value::Null)
            }
            FromWorker::End(_) => return None,
        })
    });
    let limits = Limits { stack_bytes: 0, operations: 1_000_000, ..Limits::trusted() };
    let start = Start { script: Script::from_text("main.rhai", text), limits };
    let end = super::run(start, exchange, Arc::new(AtomicBool::new(false)));
    let log = log.take();
    let faults = if let End::Faulty { faults, .. } = &end { faults.clone() } else { Vec::new() };
    Ran { end, faults, doubts: log.3, calls: log.0, sites: log.1, printed: log.2 }
}

#[test]
fn calls_the_host_with_its_arguments_and_the_place_of_the_call() {
    let text = "let r = find(\"button\", `Save ${1 + 1}`);\nr.click(#{count: 2});\nclick(#{\"ref\": r, x: 1.0}); print(`r is ${r}`); r";
    let ran = run(text);
    assert_eq!(ran.value(), &json!("ref_1"));
    assert_eq!(
        ran.calls,
        ["find(\"button\", \"Save 2\")", "click(\"ref_1\", {\"count\":2})", "click({\"ref\":\"ref_1\",\"x\":1.0})"]
    );
    assert_eq!(marked(text, &ran.sites[1]), "r.click(#{count: 2})");
    assert_eq!(ran.printed, ["r is ref_1"]);
}

#[test]
fn a_last_statement_that_ends_in_a_semicolon_has_no_value() {
    for text in ["find(\"a\");", "let r = find(\"a\");\nclick(r); // done\n", "step(\"a\", || find(\"b\"));"] {
        assert_eq!(run(text).value(), &Value::Null, "{text}");
    }
    for text in [
        "find(\"a\")",
        "click(\"ref_1\"); find(\"a\")",
        "if true { return find(\"a\"); } url();",
        "return find(\"a\");",
    ] {
        assert_eq!(run(text).value(), &json!("ref_1"), "{text}");
    }
    let text = "fn f() { click(\"ref_9\"); }\nf();";
    assert_eq!(run(text).marked(text), "click(\"ref_9\")");
}

#[test]
fn our_sleep_and_log_win_over_those_of_rhai() {
    let ran = run("sleep(1); sleep(0.5); log(2.0); log(3); \"x\".log();");
    assert_eq!(ran.calls, ["sleep(1)", "sleep(0.5)", "log(2.0)", "log(3)", "log(\"x\")"]);
}

#[test]
fn trees_are_opaque_and_fetch_their_nodes_once() {
    let ran = run("let t = tree(); print(t); print(`${t}`); let seen = []; for n in t.nodes { seen.push(n.ref); }
        [t.text, t.snapshot_id, t.nodes.len(), t.nodes[1].ref, t.nodes[-1].ref, seen, t.find(\"link\", \"a\")]");
    assert_eq!(ran.value(), &json!(["link \"a\" [ref_1]", "s1", 2, "ref_2", "ref_2", ["ref_1", "ref_2"], "ref_1"]));
    assert_eq!(ran.calls, ["tree()", "tree_nodes(\"s1\")", "tree_find(\"s1\", \"link\", \"a\")"]);
    assert_eq!(ran.printed, ["link \"a\" [ref_1]"; 2]);
    let ran = run("tree().nodes[2]");
    assert!(ran.message().contains("node 2 is out of bounds: the tree has 2 nodes"), "{}", ran.message());
}

#[test]
fn a_host_error_can_be_caught_and_keeps_its_place_when_thrown_again() {
    let text = "let kept = (); try { click(\"ref_9\"); } catch (e) { kept = e; }\nprint(kept.code); print(kept.line);\nthrow kept;";
    let ran = run(text);
    assert_eq!(ran.printed, ["ref::stale", "1"]);
    assert_eq!(ran.error().fault, Fault::Host { id: 7 });
    assert_eq!(ran.marked(text), "click(\"ref_9\")");
    assert_eq!(marked(text, &ran.error().arguments[0]), "\"ref_9\"");
    assert_eq!(ran.error().stack[0].line, 3);
}

#[test]
fn an_end_by_the_host_can_not_be_caught() {
    let ran = run("try { fail(\"x\"); } catch { print(\"caught\"); }");
    assert_eq!(ran.error().fault, Fault::Host { id: 8 });
    assert!(ran.printed.is_empty());
}

#[test]
fn steps_tell_begin_and_end() {
    let ran = run("let n = step(\"a\", || { url(); 5 }); n");
    assert_eq!(ran.value(), &json!(5));
    assert_eq!(ran.calls, ["step_begin(\"a\")", "url()", "step_end(true)"]);
    let text = "step(\"a\", || {\n click(\"ref_9\");\n});";
    let ran = run(text);
    assert_eq!(ran.calls.last().expect("it is there"), "step_end(false)");
    assert_eq!(ran.marked(text), "click(\"ref_9\")");
    assert_eq!(ran.error().stack[0].function, "closure");
}

#[test]
fn within_stops_loops_and_can_be_caught_outside() {
    let ran = run(
        "let code = \"\"; try { within(20, || { loop { try { url(); } catch {} } }); } catch (e) { code = e.code; } code",
    );
    assert_eq!(ran.value(), &json!("budget::time"));
    let ran = run("let x = 0; within(20, || { within(5000, || loop { x += 1; }) });");
    assert_eq!(ran.error().fault, Fault::Within { limit_ms: 20 });
    assert_eq!(ran.calls.iter().filter(|call| *call == "within_end()").count(), 2);
    let text = "within(10, || {\n loop {\n  url();\n }\n});";
    assert_eq!(run(text).marked(text), "url()");
    assert_eq!(run("within(1000, || 3)").value(), &json!(3));
    assert!(run("within(0, || 3)").message().starts_with("args::value"));
}

#[test]
fn retry_waits_longer_each_time_and_throws_the_last() {
    let ran = run("let n = 0; retry(3, || { n += 1; if n < 3 { throw `no ${n}`; } n })");
    assert_eq!(ran.value(), &json!(3));
    assert_eq!(ran.calls, ["sleep(100)", "sleep(200)"]);
    let ran = run("let n = 0; retry(2, || { n += 1; throw `no ${n}`; })");
    assert!(ran.message().contains("the script threw \"no 2\""));
}

#[test]
fn error_of_gives_one_form_for_all() {
    let ran = run("let all = []; for f in [|| click(\"ref_9\"), || [1][5], || throw \"oops\", || throw #{a: 1}, || 1 + #{}] {
        try { f.call(); } catch (e) { let e = error_of(e); let at = if e.code == `script::error` && `line` in e { ` at ${e.column}` } else { `` };
            all.push(`${e.code}: ${e.message}${at}`); } } all");
    assert_eq!(
        ran.value(),
        &json!([
            "ref::stale: ref `ref_9` (button \"Old\") is stale: its element was removed",
            "script::error: array index 5 out of bounds: only 1 element in array at 51",
            "script::error: the script threw \"oops\"",
            "script::error: the script threw {\"a\":1}",
            "script::error: `+` does not work on int and map at 95",
        ])
    );
}

#[test]
fn the_library_fills_forms() {
    let forms = crate::lang::stdlib::module("forms").expect("it is there");
    let text = "import \"forms\" as forms; forms::fill_and_submit(#{\"Name\": \"Ann\", \"Email\": \"a@b\"}, \"Send\");";
    let ran = run_with(text, &[("forms", &forms.text)]);
    ran.value();
    assert_eq!(
        ran.calls,
        [
            "find({\"name\":\"Email\"})",
            "find({\"name\":\"Name\"})",
            "fill(\"ref_1\", \"a@b\")",
            "fill(\"ref_1\", \"Ann\")",
            "find(\"button\", \"Send\")",
            "click(\"ref_1\")",
        ]
    );
}

#[test]
fn scripts_end_early_by_return_and_exit() {
    assert_eq!(run("return 5; url()").value(), &json!(5));
    assert_eq!(run("fn f() { exit(6) } f(); url()").value(), &json!(6));
    assert_eq!(run("// nothing").value(), &Value::Null);
    assert_eq!(run("#{f: |x| x, t: tree(), n: 1.0/0.0}").value()["n"], json!("inf"));
}

#[test]
fn limits_end_a_script_with_their_name() {
    for (text, limit) in [
        ("loop {}", "operations"),
        ("fn f() { f() } f()", "call depth"),
        ("let a = \"x\"; loop { a += a; }", "value size"),
        (&format!("let a = {}1{};", "(".repeat(500), ")".repeat(500)), "nesting"),
    ] {
        let ran = run(text);
        assert!(matches!(&ran.error().fault, Fault::Limit { limit: found, .. } if found == limit), "{:?}", ran.error());
    }
}

#[test]
fn wrong_types_and_other_slips_are_told_in_plain_words() {
    for (text, message) in [
        ("[1].push()", "`push` does not take (array)"),
        ("let m = #{a: 1}; m.typo", "there is no property `typo`"),
        ("if 1 { }", "found a number, expected true or false"),
        ("let f = |x| x; if f.call(()) { }", "found nothing, expected true or false"),
        ("[1, 2][9]", "index 9 is out of bounds: the array has 2 items"),
        ("\"a\" * 2", "`*` does not work on string and int"),
        ("for x in 5 { }", "found a number, expected an iterable value"),
        ("let n = 5; for x in n { }", "`for` can't go through this value"),
        ("let f = |x| x; click(f)", "`ref` of `click` is a closure, expected text"),
        ("let a = [1]; a.map(|x| a.len())", "copy what the closure needs first"),
        ("throw", "without a value"),
        ("1 / 0", "division by zero"),
    ] {
        let ran = run(text);
        assert!(ran.message().contains(message), "{text}: {}", ran.message());
    }
}

#[test]
fn texts_have_the_methods_that_people_expect() {
    let ran = run(
        "let s = \" a \"; [s.trim(), s, \"a-b\".replace(\"-\", \"+\"), \"ab\".repeat(2), [1, \"x\"].join(\", \"), \"a\\nb\".lines()]",
    );
    assert_eq!(ran.value(), &json!(["a", "a", "a+b", "abab", "1, x", ["a", "b"]]));
    for text in ["\"a\".repeat(99999999)", "let a = \"a\".repeat(100000); a.replace(\"a\", a)"] {
        assert!(run(text).message().contains("a string grew too long"), "{text}");
    }
}

#[test]
fn a_byte_order_mark_and_a_line_for_the_shell_are_skipped() {
    let ran = run_with("#!/usr/bin/env it's {\nimport \"m\" as m; m::f()", &[("m", "\u{feff}#!/bin/x\nfn f() { 4 }")]);
    assert_eq!(ran.value(), &json!(4));
    let text = "\u{feff}#!/usr/bin/env pageboy\n  clik(1);";
    let ran = run(text);
    assert_eq!(ran.error().site.as_ref().map(|site| (site.line, site.column)), Some((2, 3)));
    assert_eq!(run("\u{feff}clik(1)").error().site.as_ref().map(|site| (site.line, site.column)), Some((1, 1)));
}
