//! What is told before a script starts, and how it is written in Rhai.

use serde_json::json;

use super::{marked, run, run_with};
use crate::lang::fault::Fault;
use crate::lang::protocol::Ended;

#[test]
fn unknown_functions_are_found_before_the_first_call() {
    for (text, message) in [
        ("url(); fn f() { clik(\"ref_1\"); }", "`clik` | did you mean `click(ref"),
        ("url(); \"x\".typ(\"y\")", "`typ` | did you mean `type(ref"),
        ("url(); [1].length()", "`length` | did you mean `len`?"),
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
fn parse_errors_say_how_it_is_written() {
    for (text, message, mark) in [
        ("let a = 1\nlet b = 2;", "expected `;` between two statements | add `;` after `1`", "1"),
        ("find('Save');", "single quotes hold one character | use double quotes: \"Save\"", "'Save'"),
        ("let a = {x: 1};", "an object map starts with `#{`", ":"),
        ("let a = null;", "Rhai has no `null` | write `()`", "null"),
        ("await click(\"ref_1\");", "Rhai has no `await` | leave it out", "await"),
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
        ("let a = nil;", "Rhai has no `nil` | write `()`", "nil"),
        ("let mut a = 1;", "Rhai has no `mut` | leave it out", "mut"),
        ("if true or false { }", "use `||`", "or"),
        ("fn f(a):\n  a", "the body of a function stands in `{` and `}` | write `fn f(…) { … }`", ":"),
        ("let f = (a, b) => a + b;", "write a closure: `|a, b| …`", "=>"),
        ("let naïve = 1;", "`ï` can't stand in a name | names are made of the letters a to z", "naïve"),
        ("变量(1)", "`变` can't stand in a name", "变量"),
        ("console.log(1)", "there is no variable `console` here | write `log(value)`", "console"),
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
        ("\"ref_1\".click", "| write `click(\"ref_1\")`"),
        ("let r = [\"ref_1\"][0]; r.click", "| call it: `.click()`"),
        ("[3, 1].sort().len()", "`len` was called on `()`"),
        ("let y = 1; fn f(x) { y } f(1)", "| a function sees only its parameters: pass `y` to it"),
        ("for i, v in [1] { }", "| write `for (item, index) in list { … }`"),
        ("let f = (x) => x;", "| write a closure"),
        ("let x == 1;", "found `==`, expected `=`"),
        ("print \"x\"", "| write `print(…)`"),
        ("let a = [1, 2]; a[0..1]", "| use `list.extract(start, length)`"),
        ("step(1, || 2)", "args::type: `name` of `step` is the number `1`, expected a string"),
        ("retry(3, 1)", "args::type: `|| …` of `retry` is the number `1`, expected a closure"),
        ("let n = 1; step(n, || 2)", "args::type: `name` of `step` is the int 1"),
    ] {
        let ran = run(text);
        assert!(ran.message().contains(message), "{text}: {}", ran.message());
    }
}

/// Returns the messages of all faults with what they mark.
fn all(text: &str) -> Vec<String> {
    let ran = run(text);
    assert!(ran.calls.is_empty(), "{text}");
    let line = |fault: &Ended| {
        let error = fault.fault.error().expect("a fault of the script");
        let site = fault.site.as_ref().expect("it has a place");
        format!("{} {} [{}]", site.line, error, marked(text, site))
    };
    ran.faults.iter().map(line).collect()
}

#[test]
fn all_faults_are_told_at_once() {
    let text = "let a = 'Save';\nlet b = null\nlet c = {x: 1};\nclik(a);\nclick(12);\nif a === b and c { log(nope); }\n\
        await open(\"x\");\nlet f = x => x + nope;\nfor i in [1] { i++; }\nlet d: int = c ? 1 : 2;\nfind(role=\"a\"); # end\nnone::f();\ntitle(1)";
    assert_eq!(
        all(text),
        [
            "1 single quotes hold one character ['Save']",
            "2 Rhai has no `null` [null]",
            "2 expected `;` between two statements [null]",
            "3 an object map starts with `#{` [:]",
            "4 there is no function `clik` [clik]",
            "5 `ref` of `click` is the number `12`, expected a ref such as \"ref_12\", or a node [click(12)]",
            "6 Rhai has no `===` [===]",
            "6 Rhai has no `and` [and]",
            "6 there is no variable `nope` here [nope]",
            "7 Rhai has no `await` [await]",
            "8 Rhai has no `=>` [=>]",
            "8 there is no variable `nope` here [nope]",
            "9 Rhai has no `++` [++]",
            "10 variables have no type in Rhai [:]",
            "10 Rhai has no `?` [?]",
            "11 arguments have no names in Rhai [role]",
            "11 `#` starts no comment [#]",
            "12 there is no module `none` [none]",
            "13 `title` got 1 argument, it takes `title()` [title(1)]",
        ]
    );
}

#[test]
fn what_stands_before_a_broken_place_is_checked_all_the_same() {
    assert_eq!(
        all("clik(1);\nlet a = [1, 2;\ntyp(1);"),
        ["1 there is no function `clik` [clik]", "2 found `;`, but `[` is still open [;]"]
    );
    assert_eq!(all("click(\nlet a = 1;\n").len(), 1);
    let ran = run(&"let a = ;\n".repeat(200));
    assert_eq!(ran.faults.len(), 1);
    let ran = run(&"log(nope);\n".repeat(200));
    assert_eq!(ran.faults.len(), 50);
}

#[test]
fn modules_are_told_with_their_scripts() {
    let ran = run_with(
        "import \"a\" as a;\nimport \"none\" as b;\nclik(1); a::f(); a::own();",
        &[("a", "fn f(x) { nope }\nprivate fn own() { titel() }")],
    );
    let place =
        |fault: &Ended| fault.site.as_ref().map(|site| (site.script.clone(), site.line)).expect("it has a place");
    let main = |line| ("main.rhai".to_owned(), line);
    let places: Vec<_> = ran.faults.iter().map(place).collect();
    assert_eq!(places, [main(2), main(3), main(3), main(3), ("a".to_owned(), 1), ("a".to_owned(), 2)]);
    assert!(ran.faults[2].fault.error().expect("a fault").to_string().contains("`a::f` got 0 arguments"));
    assert!(ran.faults[3].fault.error().expect("a fault").to_string().contains("no function `a::own`"));
}

#[test]
fn options_and_literals_are_checked_where_they_stand_in_the_call() {
    for (text, expected) in [
        ("click(\"ref_1\", #{ buton: 1 })", "`click` has no option `buton`"),
        ("find(#{ rol: \"link\" })", "`find` has no option `rol`"),
        ("tree(#{ max_depth: -1 })", "`max_depth` of `tree` is the number `-1`, expected a whole number, 0 or more"),
        ("open(5)", "`url` of `open` is the number `5`, expected a string"),
        ("\"ref_1\".type(|x| x)", "`text` of `type` is a closure, expected a string, number or bool"),
        ("sleep(\"1s\")", "`ms` of `sleep` is the string \"1s\", expected a number of milliseconds, 0 or more"),
        ("press(\"ref_1\", true)", "`keys` of `press` is the bool `true`, expected a string"),
        ("click([])", "`ref` of `click` is an array, expected a ref"),
        ("click(\"ref_1\", #{ \"timeout\": \"5s\" })", "`timeout` of `click` is the string \"5s\""),
        ("click(())", "`ref` of `click` is `()`, expected a ref"),
    ] {
        let found = all(text);
        assert!(found.len() == 1 && found[0].contains(expected), "{text}: {found:?}");
    }
    for text in [
        "click(\"ref_1\", #{ timeout: (), force: url() == \"\" })",
        "find(5); find(\"link\", 5); find(#{ nth: 1 + 1 }); wait_for(#{ text: 1 })",
        "let t = tree(); t.find(#{ role: \"a\" }); emit(#{ buton: 1 }); log([1]); arg(\"n\", #{ x: 1 });",
        "select(\"ref_1\", [\"a\"]); select(\"ref_1\", \"a\", #{ timeout: 1.5 }); tab(\"tab_1\")",
        "let m = #{ click: |x| x }; m.click(12); [1].find(|x| x == 1)",
        "click(#{ ref: \"ref_1\", role: \"button\" }); type(\"ref_1\", `a ${1 + 1}`); [1][0].type(\"x\")",
    ] {
        run(text).value();
    }
}

#[test]
fn what_was_most_likely_not_meant_is_doubted_and_runs() {
    for (text, doubt, mark) in [
        ("let id = 1; log(\"id ${id}\")", "`${id}` stands in plain quotes", "\"id ${id}\""),
        ("let a = [3, 1].sort();", "`sort` changes what it is called on", "[3, 1].sort()"),
        ("fn f() { try { 1 } catch (e) { e.code } } f();", "a `catch` block has no value", "e.code"),
        ("if false { wait_for(2000); }", "waits for the text 2000", "2000"),
        ("if false { sleep(0.5); }", "`sleep` takes milliseconds", "0.5"),
        ("[1].for_each(|x| log(x));", "the index, not the item", "[1].for_each(|x| log(x))"),
    ] {
        let ran = run(text);
        ran.value();
        assert_eq!(ran.doubts.len(), 1, "{text}");
        let (error, site) = (ran.doubts[0].fault.error(), ran.doubts[0].site.as_ref());
        assert!(error.expect("a fault of the script").to_string().contains(doubt), "{text}");
        assert_eq!(marked(text, site.expect("it has a place")), mark);
    }
    for text in [
        "let id = 1; log(`id ${id}`); log(\"${other}\"); eval_js(\"[1].map(id => `${id}`)\")",
        "let a = [3, 1]; a.sort(); let m = #{ sort: |x| x }; let b = m.sort(1);",
        "let a = [3, 1]; a.for_each(|i| this *= 2); a.for_each(|i| { this += i; }); let n = 0; a.for_each(|i| n += 1);",
        "fn insert(x) { this + x } fn clear() { this } let v = 5; let r = v.insert(3); let s = v.clear();",
        "let name = 1; let t = \"Dear ${name}\"; t.replace(\"${name}\", \"Ann\"); log(t.contains(\"${name}\"))",
        "let e = (); try { log(1) } catch (x) { e = x.code } try { log(1); } catch { return 2 } try { if e == 1 { 2 } } catch {} try { 1 } catch (x) { log(`a: ${e}`); }",
        "let id = 1; log(url() == \"${id}\"); let code = \"`${id}`\";",
    ] {
        assert!(run(text).doubts.is_empty(), "{text}");
    }
}

#[test]
fn scripts_that_are_too_long_are_refused() {
    let text = "// a line\n".repeat(65_001);
    let main = "import \"long\" as long;\nurl();";
    let ran = run_with(main, &[("long", &text)]);
    assert!(ran.message().contains("limit of lines: with `long` there are 65004 lines"), "{}", ran.message());
}

#[test]
fn a_habit_comes_with_the_line_as_it_should_be() {
    for (text, expected) in [
        ("  find('Save'); // ä", Some("find(\"Save\"); // ä")),
        ("let a = null;", Some("let a = ();")),
        ("await open(\"x\");", Some("open(\"x\");")),
        ("let a = 1\nlet b = 2;", Some("let a = 1;")),
        ("log({ab: 1});", Some("log(#{ab: 1});")),
        ("let f = (a, b) => a;", Some("let f = |a, b| a;")),
        ("let x: int = 1;", Some("let x = 1;")),
        ("# note", Some("// note")),
        ("var x = 1;", Some("let x = 1;")),
        ("local x = 1;", Some("let x = 1;")),
        ("function f() { }", Some("fn f() { }")),
        ("if true or false { }", Some("if true || false { }")),
        ("let x = new Foo();", None),
        ("let i = 0; i++;", None),
        ("log(nope);", None),
    ] {
        let ran = run(text);
        assert_eq!(ran.error().fix.as_deref(), expected, "{text}");
    }
}

#[test]
fn words_of_other_languages_are_names_where_they_stand_as_names() {
    let ran = run("fn f(user, pass) { pass.len() + user } let end = 1; f(end, \"x\")");
    assert_eq!(ran.value(), &json!(2));
    assert_eq!(all("eval(\"1\")"), ["1 `eval` is not available [eval]"]);
    assert_eq!(
        all("async function login(user, pass) { if pass == undefined { console.log('no') } }"),
        [
            "1 Rhai has no `async` [async]",
            "1 Rhai has no `function` [function]",
            "1 Rhai has no `undefined` [undefined]",
            "1 there is no variable `console` here [console]",
            "1 single quotes hold one character ['no']",
        ]
    );
}
