//! Calls that may mean a closure in a map, or a function of another script: what may be right runs.

use serde_json::json;

use super::{run, run_with};

#[test]
fn closures_in_maps_are_called_whatever_their_key_is_written_like() {
    for (text, value) in [
        ("let m = #{}; m.set(\"greet\", |x| `hi ${x}`); m.greet(\"a\")", json!("hi a")),
        ("let m = #{}; set(m, \"greet\", |x| x); m.greet(1)", json!(1)),
        ("let m = #{}; m[`greet`] = |x| x + 1; m.greet(1)", json!(2)),
        ("let m = #{}; m[#\"greet\"#] = |x| x + 1; m.greet(1)", json!(2)),
        ("let m = #{ \"greet\": |x| x }; m.greet(1)", json!(1)),
        ("let m = #{ greet: |a, b| a + b }; m.greet(1, 2)", json!(3)),
        ("fn greet() { 0 } let m = #{ greet: |a, b| a + b }; m.greet(1, 2)", json!(3)),
        ("let m = #{ click: |a, b, c, d| d }; m.click(1, 2, 3, 4)", json!(4)),
        // The key is computed, and the name stands as a text.
        ("let k = \"greet\"; let m = #{}; m[k] = |x| x + 2; m.greet(1)", json!(3)),
        ("let m = #{}; for n in [\"a_b\", \"c_d\"] { m[n] = |x| `${x}!`; } m.c_d(1)", json!("1!")),
    ] {
        let ran = run(text);
        assert_eq!(ran.value(), &value, "{text}");
        assert!(ran.doubts.is_empty(), "{text}");
    }
}

#[test]
fn a_method_that_may_stand_under_a_computed_key_is_doubted_and_runs() {
    for (text, value) in [
        ("let m = #{}; for i in 1..3 { m[`k${i}`] = |x| `${x}!`; } m.k2(1)", json!("1!")),
        ("let k = \"gre\" + \"et\"; let m = #{}; m.set(k, |x| x); m.greet(1)", json!(1)),
        ("fn own(x) { x } let k = \"gre\" + \"et\"; let m = #{}; m[k] = Fn(\"own\"); m.greet(1)", json!(1)),
        ("let k = \"cli\" + \"ck\"; let m = #{}; m[k] = |x| x; m.click(12)", json!(12)),
    ] {
        let ran = run(text);
        assert_eq!(ran.value(), &value, "{text}");
        assert_eq!(ran.doubts.len(), 1, "{text}");
    }
    let ran = run("let k = \"greet\"; let m = #{}; m[k] = |x| x; url(); m.gret(1)");
    assert_eq!((ran.calls.len(), ran.doubts.len()), (1, 1));
    assert!(ran.message().starts_with("script::"), "{}", ran.message());
}

#[test]
fn what_surely_fails_is_refused_before_the_first_call() {
    let hidden = "url(); let k = \"a\"; let m = #{}; m[k] = |x| x;";
    for text in [
        &format!("{hidden} \"ref_1\".clik()"),
        &format!("{hidden} `ref_${{1}}`.clik()"),
        &format!("{hidden} [1].length()"),
        &format!("{hidden} find(\"Save\").clik()"),
        &format!("{hidden} find(\"Save\").click().clik()"),
        &format!("{hidden} clik(\"ref_1\")"),
        "url(); let r = find(\"Save\"); r.clik()",
        "url(); let a = [1, 2]; let i = 0; a[i] = 5; let r = find(\"Save\"); step(\"s\", || r.clik())",
        "url(); let by = #{}; for row in [#{k: 1}] { by[`k${row.k}`] = row; } let r = find(\"Save\"); r.clik()",
        "url(); let m = #{ a: |x| x }; m[\"b\"] = 1; let r = find(\"Save\"); r.clik()",
        "url(); let r = find(\"Save\"); r.click(1, 2, 3)",
    ] {
        let ran = run(text);
        assert_eq!(ran.faults.len(), 1, "{text}");
        assert!(ran.calls.is_empty(), "{text}");
    }
}

#[test]
fn other_scripts_may_make_what_is_called() {
    let ran = run_with(
        "import \"po\" as po; let page = po::page(); page.greet(\"x\")",
        &[("po", "fn page() { #{ greet: |x| x } }")],
    );
    assert!(ran.faults.is_empty() && ran.doubts.is_empty(), "{:?}", ran.faults);
    let ran = run_with(
        "import \"po\" as po; po::greet_all(#{ greet: |x| x })",
        &[("po", "fn greet_all(page) { page.greet(1) }")],
    );
    assert_eq!(ran.value(), &json!(1));
    let ran =
        run_with("import \"m\" as m; fn in_main(x) { x + 1 } m::call_it(3)", &[("m", "fn call_it(x) { in_main(x) }")]);
    assert_eq!(ran.value(), &json!(4));
    let ran = run_with(
        "{ import \"a\" as x; x::one(); } import \"b\" as x; x::two()",
        &[("a", "fn one() { 1 }"), ("b", "fn two() { 2 }")],
    );
    assert_eq!(ran.value(), &json!(2));
    let ran = run_with("url(); import \"m\" as m; m::f()", &[("m", "fn f() { nowhere_defined() }")]);
    assert!(ran.calls.is_empty());
}

#[test]
fn functions_that_are_asked_for_and_methods_of_a_type_are_in_order() {
    assert_eq!(run("if is_def_fn(\"greet\", 1) { greet(1) } else { 2 }").value(), &json!(2));
    assert_eq!(run("fn int.dbl() { this * 2 } 5.dbl()").value(), &json!(10));
    assert_eq!(run("fn map.click(x) { x } let m = #{ a: 1 }; m.click(3)").value(), &json!(3));
    assert!(run("fn string.click() { this } \"r\".click()").message().contains("may not define `click`"));
}
