//! Scripts against an engine in this process; the parent is a closure.

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
    calls: Vec<String>,
    sites: Vec<Site>,
    printed: Vec<String>,
}

impl Ran {
    #[track_caller]
    fn value(&self) -> &Value {
        match &self.end {
            End::Ok(value) => value,
            End::Error(ended) => panic!("{ended:?}"),
        }
    }

    #[track_caller]
    fn error(&self) -> &Ended {
        match &self.end {
            End::Ok(value) => panic!("ended well with {value}"),
            End::Error(ended) => ended,
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
    let log = Rc::new(RefCell::new((Vec::new(), Vec::new(), Vec::new())));
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
    Ran { end, calls: log.0, sites: log.1, printed: log.2 }
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
    for text in
        ["find(\"a\")", "click(1); find(\"a\")", "if true { return find(\"a\"); } click(1);", "return find(\"a\");"]
    {
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
fn unknown_functions_are_found_before_the_first_call() {
    for (text, message) in [
        ("url(); fn f() { clik(\"ref_1\"); }", "`clik` | did you mean `click(ref"),
        ("url(); \"x\".typ(\"y\")", "`typ` | did you mean `type(ref"),
        ("url(); [1].length()", "`length` | did you mean `len("),
        ("url(); navigate(\"x\")", "`navigate` | did you mean `open("),
        ("url(); fn own(a) {} onw(1)", "`onw` | did you mean `own`?"),
        ("url(); xyzzy()", "`xyzzy` | see `pageboy api`"),
    ] {
        let ran = run(text);
        assert!(ran.message().contains(message), "{}", ran.message());
        assert!(ran.message().starts_with("script::unknown_function"));
        assert!(ran.calls.is_empty(), "{text}");
    }
}

#[test]
fn wrong_counts_are_found_before_the_first_call() {
    for text in [
        "url(); click()",
        "url(); type(\"a\")",
        "url(); url(1)",
        "url(); \"r\".value(1)",
        "fn a(x) {} url(); a()",
        "url(); step(\"x\")",
    ] {
        let ran = run(text);
        assert!(ran.message().starts_with("args::count"), "{}", ran.message());
        assert!(ran.calls.is_empty());
    }
    assert!(run("let f = |x| x; f(1)").message().contains("call a closure with `f.call(…)`"));
    let ran = run("let o = #{twice: |x| x}; o.twice(1); let a = [3, 1]; a.find(|x| x == 3)");
    assert_eq!(ran.value(), &json!(3));
}

#[test]
fn a_script_can_not_take_a_name_of_ours() {
    let text = "fn click(x) { x }";
    let ran = run(text);
    assert!(ran.message().starts_with("script::parse: a script may not define `click`"), "{}", ran.message());
    assert_eq!(ran.marked(text), "click");
}

#[test]
fn closures_in_modules_and_functions_of_modules_name_their_file() {
    let library = "fn each(list, f) {\n  for x in list { f.call(x); }\n}\nfn press_it(r) {\n\n  click(r);\n}";
    let text = "import \"lib\" as lib;\nlib::each([\"ref_1\", \"ref_9\"], |r| click(r));";
    let ran = run_with(text, &[("lib", library)]);
    assert_eq!(ran.error().site.as_ref().expect("it is there").script, "main.rhai");
    assert_eq!(ran.marked(text), "click(r)");
    let stack: Vec<_> = ran.error().stack.iter().map(|f| (f.script.as_str(), f.line, f.function.as_str())).collect();
    assert_eq!(stack, [("lib", 2, "closure"), ("main.rhai", 2, "each")]);

    let text = "import \"lib\" as lib;\nlib::press_it(\"ref_9\");";
    let ran = run_with(text, &[("lib", library)]);
    assert_eq!(ran.error().site.as_ref().expect("it is there").script, "lib");
    assert_eq!(ran.marked(library), "click(r)");

    let ran = run_with("import \"lib\" as lib; url(); lib::eech([], |x| x);", &[("lib", library)]);
    assert!(ran.message().contains("`lib::eech` | did you mean `lib::each(list, f)`?"), "{}", ran.message());
}

#[test]
fn a_function_of_the_script_called_by_a_closure_in_a_module_names_its_file() {
    let library = "// one\n// two\n\nfn each(list, f) { for x in list { f.call(x); } }";
    let text = "import \"lib\" as lib;\nfn act(r) {\n  let n = [1];\n  n[5]\n}\nlib::each([\"ref_1\"], |r| act(r));";
    let ran = run_with(text, &[("lib", library)]);
    assert_eq!(ran.error().site.as_ref().map(|site| (site.script.as_str(), site.line)), Some(("main.rhai", 4)));
    let stack: Vec<_> = ran.error().stack.iter().map(|f| (f.script.as_str(), f.line, f.function.as_str())).collect();
    assert_eq!(stack, [("main.rhai", 6, "act"), ("lib", 4, "closure"), ("main.rhai", 6, "each")]);
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
fn modules_are_checked_before_the_start_and_circles_are_named() {
    let ran = run_with("url(); import \"a\" as a;", &[("a", "fn x() { clik(1) }")]);
    assert!(ran.calls.is_empty());
    assert_eq!(ran.error().site.as_ref().expect("it is there").script, "a");
    let ran = run_with("import \"a\" as a;", &[("a", "import \"b\" as b;"), ("b", "import \"a\" as a;")]);
    assert!(ran.message().contains("in a circle: `a` → `b` → `a`"), "{}", ran.message());
    let text = "url();\nimport \"none\" as n;";
    let ran = run_with(text, &[]);
    assert_eq!((&ran.error().fault, ran.marked(text).as_str()), (&Fault::Host { id: 1 }, "\"none\""));
    let name = run_with("let n = \"li\" + \"b\"; import n as lib; lib::f()", &[("lib", "fn f() { 4 }")]);
    assert_eq!(name.value(), &json!(4));
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
        ("if url() { }", "found nothing, expected true or false"),
        ("[1, 2][9]", "index 9 is out of bounds: the array has 2 items"),
        ("\"a\" * 2", "`*` does not work on string and int"),
        ("for x in 5 { }", "found a number, expected an iterable value"),
        ("let n = 5; for x in n { }", "`for` can't go through this value"),
        ("click(|x| x)", "`ref` of `click` is a closure, expected text"),
        ("let a = [1]; a.map(|x| a.len())", "copy what the closure needs first"),
        ("throw", "without a value"),
        ("1 / 0", "division by zero"),
    ] {
        let ran = run(text);
        assert!(ran.message().contains(message), "{text}: {}", ran.message());
    }
}

#[test]
fn parse_errors_say_how_it_is_written() {
    for (text, message, mark) in [
        ("let a = 1\nlet b = 2;", "expected `;` between two statements | add `;` after `1`", "1"),
        ("click('Save');", "single quotes hold one character | use double quotes: \"Save\"", "'Save'"),
        ("let a = {x: 1};", "an object map starts with `#{`", ":"),
        ("let a = null;", "Rhai has no `null` | write `()`", "null"),
        ("await click(\"a\");", "Rhai has no `await` | leave it out", "await"),
        ("let x = new Foo();", "Rhai has no `new`", "new"),
        ("match x { }", "use `switch", "match"),
        ("var x = 1;", "Rhai has no `var` | use `let`", "var"),
        ("function f() { }", "use `fn name(x)", "function"),
        ("let f = x => x + 1;", "write a closure", "=>"),
        ("try { } catch (e) { } finally { }", "use `try", "finally"),
        ("if true and false { }", "use `&&`", "and"),
        ("if not true { }", "use `!`", "not"),
        ("# comment", "comments start with `//`", "#"),
        ("let a = 1; if a === 1 { }", "use `==`", "==="),
        ("let i = 0; i++;", "use `x += 1`", "++"),
        ("let x: int = 1;", "variables have no type", ":"),
        ("let x = true ? 1 : 2;", "use `if c { a } else { b }`", "?"),
        ("let r = 1; click(r", "found the end of the script, but `click(` is still open | add `)` before it", ""),
        ("click(find(\"a\");", "found `;`, but `click(` is still open | add `)` before it", ";"),
        ("let a = [1, 2;", "found `;`, but `[` is still open | add `]` before it", ";"),
        ("for (i in 0..3) { log(i); }", "`for` takes no brackets around what it goes through | write `for i in", "in"),
        ("for (let i = 0; i < 3; i += 1) { }", "| write `for i in 0..3 { … }`", "let"),
        (
            "find(role=\"button\")",
            "arguments have no names in Rhai | options stand in a map: `find(#{role: …})`",
            "role",
        ),
        ("find(role: \"button\")", "| options stand in a map: `find(#{role: …})`", ":"),
        ("let role = 1; find(role=\"button\")", "| options stand in a map: `find(#{role: …})`", "="),
        ("if title() = \"x\" { }", "`=` sets a value, it does not compare | to compare, write `==`", "="),
        ("if (title() = \"x\") { }", "| to compare, write `==`", "="),
        ("log(nope)", "there is no variable `nope` here | declare it with `let` first", "nope"),
        ("{ let inner = 1; } log(inner)", "| it is declared further down or in another block", "inner"),
        ("fn f(a: int) { a }", "variables have no type", ":"),
        ("click(refs)", "there is no variable `refs` here | call the function: `refs()`", "refs"),
        ("let name = 1; nam", "there is no variable `nam` here | did you mean `name`?", "nam"),
        ("forms::fill_in(#{})", "there is no module `forms` | add `import \"forms\" as forms;`", "forms"),
        ("let a = \"abc", "this string has no end", ""),
        ("eval(\"1\")", "`eval` is not available", "eval"),
        ("goto(\"x\")", "use `open(url)`", "goto"),
        ("let a = None;", "write `()`", "None"),
    ] {
        let ran = run(text);
        assert!(ran.message().starts_with("script::parse"), "{text}: {}", ran.message());
        assert!(ran.message().contains(message), "{text}: {}", ran.message());
        if !mark.is_empty() {
            assert_eq!(ran.marked(text), mark, "{text}: {}", ran.message());
        }
    }
}

#[test]
fn habits_from_other_languages_get_a_next_step() {
    for (text, message) in [
        ("let t = tree(); t.title", "no property `title` on a tree | a tree has `text`"),
        ("try { throw \"x\" } catch (e) { e.code }", "| `error_of(e)` gives a map"),
        ("let t = tree(); t.nodes.filter(|n| n)", "the nodes of a tree have no `filter`"),
        ("\"ref_1\".click", "| call it: `.click()`"),
        ("[3, 1].sort().len()", "`len` was called on `()`"),
        ("let y = 1; fn f(x) { y } f(1)", "| a function sees only its parameters: pass `y` to it"),
        ("for i, v in [1] { }", "| write `for (item, index) in list { … }`"),
        ("let f = (x) => x;", "| write a closure"),
        ("let x == 1;", "found `==`, expected `=`"),
        ("print \"x\"", "| write `print(…)`"),
        ("let a = [1, 2]; a[0..1]", "| use `list.extract(start, length)`"),
        ("step(1, || 2)", "args::type: `name` of `step` is the int 1"),
        ("retry(3, 1)", "args::type: `|| …` of `retry` is the int 1"),
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
