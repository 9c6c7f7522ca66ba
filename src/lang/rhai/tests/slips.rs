//! Slips of the pen: each is told once, with the line as it should be where that is certain.

use super::{Ran, run};

/// Returns the only fault of a script as `message | help` and its fix.
#[track_caller]
fn only(text: &str) -> (String, Option<String>) {
    let ran: Ran = run(text);
    let all: Vec<_> = ran.faults.iter().map(|fault| fault.fault.error().map(|error| error.to_string())).collect();
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    (ran.message(), ran.error().fix.clone())
}

#[test]
fn each_slip_is_told_once_with_the_line_as_it_should_be() {
    for (text, message, fix) in [
        (
            "let m = #{ \"A\": 1 \"B\": 2 };",
            "found `\"B\"`, expected `,` between two entries of a map | add `,` after `1`",
            Some("let m = #{ \"A\": 1, \"B\": 2 };"),
        ),
        (
            "let m = #{\n  email: \"a@b\"\n  password: \"x\"\n};",
            "found `password`, expected `,` between two entries of a map | add `,` after `\"a@b\"`",
            Some("email: \"a@b\","),
        ),
        ("log([1 2]);", "found `2`, expected `,` between two items of an array", Some("log([1, 2]);")),
        ("find(\"button\" \"X\");", "expected `,` between two arguments", Some("find(\"button\", \"X\");")),
        ("fill(#{ \"A\" = \"x\" });", "found `=`, expected `:` between a key", Some("fill(#{ \"A\" : \"x\" });")),
        ("fill(#{ \"A\" => \"x\" });", "found `=>`, expected `:`", Some("fill(#{ \"A\" : \"x\" });")),
        ("fill(#{ \"A\" \"x\" });", "expected `:` behind the key `\"A\"`", Some("fill(#{ \"A\": \"x\" });")),
        ("fill(#{ \"A\": 1; \"B\": 2 });", "found `;`, expected `,`", Some("fill(#{ \"A\": 1, \"B\": 2 });")),
        ("fill(#{ \"A\", \"B\" });", "the key `\"A\"` has no value | write `\"A\": …`", None),
        (
            "fill(#{ First name: \"x\", b: 1 });",
            "the key `First name` is more than one word | write `\"First name\": …`",
            Some("fill(#{ \"First name\": \"x\", b: 1 });"),
        ),
        ("fill(#{ E-mail: \"x\" });", "the key `E-mail` is", Some("fill(#{ \"E-mail\": \"x\" });")),
        (
            "open(https://example.com/a?b=1#c);",
            "this address stands in no quotes | write `\"https://example.com/a?b=1#c\"`",
            Some("open(\"https://example.com/a?b=1#c\");"),
        ),
        ("let u = http://a.test;", "this address stands in no quotes", Some("let u = \"http://a.test\";")),
        ("open(www.example.com);", "no quotes | write `open(\"https://www.example.com\")`", None),
        ("open(localhost:3000/x);", "no quotes | write `open(\"http://localhost:3000/x\")`", None),
        ("if true { } elif false { }", "Rhai has no `elif` | use `else if`", Some("if true { } else if false { }")),
        ("if true { } elseif false { } else { }", "use `else if`", Some("if true { } else if false { } else { }")),
        ("if true { } els if false { }", "Rhai has no `els` | use `else`", Some("if true { } else if false { }")),
        ("if true { } esle { }", "use `else`", Some("if true { } else { }")),
        ("if true { } else fi true { }", "expected `if` or `{`", Some("if true { } else if true { }")),
        ("if true log(1);", "found `log`, expected `{` | what a condition or a loop governs", None),
        ("for x of [1] { log(x); }", "found `of`, expected `in`", Some("for x in [1] { log(x); }")),
        ("x = 1; log(x); click(x);", "`x` is set and was never declared", Some("let x = 1; log(x); click(x);")),
        ("fn f() { r = 1; log(r) }", "`r` is set and was never declared", Some("fn f() { let r = 1; log(r) }")),
        (
            "let x = if true { 1 } elif false { 2 } else { 3 }; log(x);",
            "Rhai has no `elif`",
            Some("let x = if true { 1 } else if false { 2 } else { 3 }; log(x);"),
        ),
        ("step(\"a\", function() { url(); });", "write a closure: `|| …`", Some("step(\"a\", || { url(); });")),
        ("let f = fn(a, b) { a };", "write a closure", Some("let f = |a, b| { a };")),
        ("try { url(); } catch e { log(e); }", "write `catch (e) { … }`", Some("try { url(); } catch (e) { log(e); }")),
        ("emit([product: \"x\"]);", "stand in a map, not in an array | write `#{product: …}`", None),
        ("assert title() == \"x\";", "`assert` needs its argument in brackets | write `assert(cond)`", None),
        ("click(find(\"a\"), timeout: 3);", "options stand in a map: `click(ref, #{timeout: …})`", None),
        ("tree(filter=\"all\");", "options stand in a map: `tree(#{filter: …})`", None),
        ("select(find(\"a\"), option=\"x\");", "leave the name out: `select(ref, option)", None),
        ("let 1x = 3;", "found `1x`, expected the name of a variable", None),
        ("print \"hello\";", "`print` needs its argument in brackets", Some("print(\"hello\");")),
        (
            "step(\"a\", || {\n  url();\n}\nlog(\"b\");",
            "`step(` of line 1 is still open at the end of line 3 | add `)` after `}`",
            Some("});"),
        ),
        (
            "fill({\"Name\": \"Ann\", \"City\": \"Faro\"});",
            "an object map starts with `#{`",
            Some("fill(#{\"Name\": \"Ann\", \"City\": \"Faro\"});"),
        ),
        ("wait_for(\"x\", timeout=5000);", "options stand in a map: `wait_for(text, #{timeout: …})`", None),
        ("fill({\"Name\": \"Ann\"});", "an object map starts with `#{`", Some("fill(#{\"Name\": \"Ann\"});")),
        ("click(.primary);", "no quotes | write `click(query(\".primary\")[0])`", None),
        ("click(#id);", "no quotes | write `click(query(\"#id\")[0])`", None),
        ("query(#id);", "no quotes | write `\"#id\"`", Some("query(\"#id\");")),
        ("\"a\" = \"b\";", "only a variable can be set", None),
        ("step(\"a\", () => { url(); });", "write a closure: `|| …`", Some("step(\"a\", || { url(); });")),
        ("step(\"a\", function(){ url(); });", "write a closure: `|| …`", Some("step(\"a\", || { url(); });")),
        ("retry(3, x => url());", "`retry` passes nothing to its closure", Some("retry(3, || url());")),
        ("retry(3, x => log(x));", "`retry` passes nothing to its closure: write `|| …`", None),
        ("let f = (a, b) => a;", "write a closure: `|a, b| …`", Some("let f = |a, b| a;")),
        ("let m = #{a: 1, a: 2}; log(m);", "the key `a` stands twice in this map | leave one of them out", None),
        ("let m = #{\"ab\": 1, b: 2, \"ab\": 3};", "the key `\"ab\"` stands twice", None),
        (
            "let x = 1; match x { 1 => clik(1), _ => 2 }",
            "Rhai has no `match` | use `switch x { 1 => …, _ => … }`",
            Some("let x = 1; switch x { 1 => clik(1), _ => 2 }"),
        ),
        (
            "let x = 1; log(match x { 1 => 1, _ => 2 });",
            "Rhai has no `match`",
            Some("let x = 1; log(switch x { 1 => 1, _ => 2 });"),
        ),
        (
            "import { a, b } from \"./lib.js\"; a(); b();",
            "Rhai imports a module as a whole | write `import \"./lib.js\" as lib;`, and call `lib::a(…)`",
            None,
        ),
        ("from lib import a\na();", "| write `import \"lib\" as lib;`, and call `lib::a(…)`", None),
        ("import forms", "| write `import \"forms\" as forms;`", None),
        (
            "let x = 1; log(f\"hello {x}\");",
            "Rhai has no f-strings | write `hello ${x}`",
            Some("let x = 1; log(`hello ${x}`);"),
        ),
        (
            "let x = 1; log(`hello ${x`);",
            "this `${` is still open | write `${x}`",
            Some("let x = 1; log(`hello ${x}`);"),
        ),
        ("let x = 1; log(`hello ${x);\nlog(\"b\");", "this `${` is still open | close it with `}`", None),
        ("click(ref12);", "a ref is a text: it stands in quotes | write `\"ref_12\"`", Some("click(\"ref_12\");")),
        ("click([ref_12]);", "it stands in quotes", Some("click(\"ref_12\");")),
        ("click(#ref_12);", "it stands in quotes", Some("click(\"ref_12\");")),
        (
            "step(\"a\", || {\n  if true {\n    url();\n});",
            "but `{` of line 2 is still open | add `}` where it ends",
            None,
        ),
        (
            "step(\"a\", || {\n  url();\n",
            "found the end of the script, but `{` of line 1 is still open | add `});` at the end",
            None,
        ),
        (
            "step(\"a\", || {\n  step(\"b\", || {\n    url();\n",
            "`{` of line 2 is still open | add `}); });` at the end",
            None,
        ),
        ("click(find(\"a\")\nlog(1);", "`click(` is still open at the end of line 1 | add `)` after `)`", None),
    ] {
        let (found, line) = only(text);
        assert!(found.contains(message), "{text}: {found}");
        assert_eq!(line.as_deref(), fix, "{text}");
    }
}

#[test]
fn what_stands_behind_a_slip_is_read_on() {
    let text = "let m = #{ \"A\": 1 \"B\": 2 };\nopen(https://a.test/x);\nif m == 1 { } elif clik(m) { }\nfill(#{ First name: nope });\n";
    let ran = run(text);
    let lines: Vec<_> = ran.faults.iter().filter_map(|fault| Some(fault.site.as_ref()?.line)).collect();
    assert_eq!(lines, [1, 2, 3, 3, 4, 4], "{:?}", ran.faults);
}

#[test]
fn habits_count_before_missing_signs() {
    for (text, message) in [
        ("if true and false { }", "use `&&`"),
        ("log(true or false);", "use `||`"),
        ("if not true { }", "use `!`"),
        ("if title() = \"x\" { }", "to compare, write `==`"),
        ("let count = 1; cuont = 2;", "did you mean `count`?"),
    ] {
        assert!(run(text).message().contains(message), "{text}: {}", run(text).message());
    }
}
