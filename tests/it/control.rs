//! Run support: arguments, output, steps, deadlines, retries, and errors as values.

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn arguments_are_strings_with_a_default() {
    let outcome = Stage::blank()
        .arg("name", "Ann")
        .arg("n", "3")
        .arg("empty", "")
        .script(r#"[arg("name"), arg("n"), arg("empty"), arg("none", 7), args()]"#)
        .ok();
    let all = json!({"name": "Ann", "n": "3", "empty": ""});
    assert_eq!(*outcome.value(), json!(["Ann", "3", "", 7, all]));
}

#[test]
fn a_missing_argument_without_a_default_is_an_error() {
    let outcome = Stage::blank().arg("user", "Ann").script("arg(\"usr\")").fails("args::value");
    assert!(outcome.message().contains("usr"), "{outcome}");
}

#[test]
fn print_log_emit_and_the_value_are_kept_apart() {
    let outcome = Stage::blank().script("print(\"one\"); emit(#{row: 1}); print(2); emit([3]); log(\"aside\"); 4").ok();
    assert_eq!(*outcome.value(), json!(4));
    assert_eq!(outcome.rows(), [json!({"row": 1}), json!([3])]);
    assert!(outcome.printed().starts_with("one\n2\n"), "{outcome}");
}

#[test]
fn rows_and_prints_survive_a_failure() {
    let outcome =
        Stage::blank().script("print(\"before\"); emit(1); fail(\"enough\"); emit(2);").fails("script::assert");
    assert_eq!((outcome.rows(), outcome.printed()), (&[json!(1)][..], "before\n"));
    assert!(outcome.message().contains("enough"), "{outcome}");
    assert_eq!(*outcome.value(), Value::Null);
}

#[test]
fn assert_tells_its_message_and_place() {
    let outcome = Stage::blank()
        .script("let n = 3;\nassert(n == 3, \"fine\");\nassert(n == 4, \"n is \" + n);")
        .fails("script::assert");
    assert!(outcome.message().contains("n is 3"), "{outcome}");
    assert_eq!(outcome.underlined(), "assert(n == 4, \"n is \" + n)");
    assert_eq!(outcome.error().map(|error| &error["line"]), Some(&json!(3)));
}

#[test]
fn a_thrown_value_ends_the_run_and_can_be_caught() {
    let outcome = Stage::blank().script("throw \"no stock\";").fails("script::error");
    assert!(outcome.message().contains("no stock"), "{outcome}");
    let script = r#"
        let caught = [];
        try { throw #{n: 7} } catch (e) { caught.push(e.n); caught.push(error_of(e).code); }
        try { let x = 1 / 0; } catch (e) { caught.push(error_of(e).code); }
        try { click("ref_99") } catch (e) { caught.push(e.code); caught.push(error_of(e).code); caught.push(e.message == error_of(e).message); }
        caught
    "#;
    let wanted = json!([7, "script::error", "script::error", "ref::unknown", "ref::unknown", true]);
    assert_eq!(*Stage::page("basic.html").script(script).ok().value(), wanted);
}

#[test]
fn a_caught_host_error_has_code_message_help_and_facts() {
    let outcome = Stage::page("basic.html")
        .script(
            "let map = (); try { find(#{role: \"button\", name: \"Sav it\", timeout: 50}) } catch (e) { map = e; } map",
        )
        .ok();
    let map = outcome.value();
    assert_eq!(map["code"], "find::none");
    assert!(map["message"].is_string() && map["help"].is_string(), "{outcome}");
    assert_eq!(map["nearest"][0]["name"], "Save", "{outcome}");
    assert!(map["waited_ms"].is_number(), "{outcome}");
}

#[test]
fn steps_return_what_their_closure_returns_and_are_listed() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let save = step("look", || find("button", "Save"));
            let city = step("fill", || { fill(find("textbox", "City"), "Faro"); 5 });
            step("press", || click(save));
            [city, eval_js("presses.length")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([5, 1]));
    let steps = outcome.json()["steps"].as_array().expect("steps");
    let names: Vec<_> = steps.iter().map(|step| step["name"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["look", "fill", "press"], "{outcome}");
    assert!(steps.iter().all(|step| step["ok"] == true && step["ms"].is_number()), "{outcome}");
}

#[test]
fn a_failing_step_fails_the_run_at_the_call_inside() {
    let outcome = Stage::page("basic.html")
        .script("step(\"one\", || find(\"button\", \"Save\"));\nstep(\"two\", || {\n    click(\"ref_99\");\n});")
        .fails("ref::unknown");
    assert_eq!(outcome.underlined(), "click(\"ref_99\")");
    let steps = outcome.json()["steps"].as_array().expect("steps");
    let ends: Vec<_> = steps.iter().map(|step| step["ok"] == true).collect();
    assert_eq!(ends, [true, false], "{outcome}");
}

#[test]
fn a_step_that_the_timeout_ends_has_its_time_and_the_call_is_named() {
    let outcome = Stage::page("basic.html")
        .flag("--timeout")
        .flag("5s")
        .script("step(\"wait\", || {\n    wait_for(#{text: \"Never\", timeout: 60000});\n});")
        .fails("budget::time");
    assert_eq!(
        outcome.message(),
        "the time of the run is up: 5 s, during `wait_for(#{text: \"Never\", timeout: 60000})`"
    );
    assert_eq!(outcome.underlined(), "wait_for(#{text: \"Never\", timeout: 60000})");
    let step = &outcome.json()["steps"][0];
    assert!(step["ok"].is_null() && step["ms"].as_u64().is_some_and(|ms| ms > 500), "{outcome}");
}

#[test]
fn within_bounds_everything_inside() {
    let outcome = Stage::page("basic.html")
        .script("within(400, || find(#{role: \"button\", name: \"Never\", timeout: 9000}))")
        .fails("budget::time");
    assert!(outcome.message().contains("within"), "{outcome}");
    let script = r#"
        let left = within(2000, || remaining());
        let code = "";
        try { within(200, || sleep(5000)) } catch (e) { code = e.code; }
        [left > 1000 && left <= 2000, code, within(1000, || 7)]
    "#;
    assert_eq!(*Stage::blank().script(script).ok().value(), json!([true, "budget::time", 7]));
}

#[test]
fn a_loop_without_calls_ends_with_its_within() {
    Stage::blank().script("within(300, || { let n = 0; loop { n += 1; } })").fails("budget::time");
}

#[test]
fn retry_runs_again_and_rethrows_the_last() {
    let outcome = Stage::blank()
        .script(
            r#"
            let tries = 0;
            let got = retry(4, || { tries += 1; if tries < 3 { throw "not yet"; } "done " + tries });
            let vain = 0;
            let code = "";
            try { retry(2, || { vain += 1; fail("never " + vain) }) } catch (e) { code = error_of(e).message; }
            [got, tries, vain, code.contains("never 2")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["done 3", 3, 2, true]));
}

#[test]
fn remaining_is_unit_without_a_deadline_and_falls_with_one() {
    assert_eq!(*Stage::blank().script("remaining()").ok().value(), Value::Null);
    let outcome = Stage::blank()
        .flag("--timeout")
        .flag("20s")
        .script("let a = remaining(); sleep(60); [a <= 20000, remaining() <= a - 50]")
        .ok();
    assert_eq!(*outcome.value(), json!([true, true]));
}

#[test]
fn sleep_takes_milliseconds() {
    let outcome = Stage::blank().script("let t = timestamp(); sleep(200); t.elapsed >= 0.2").ok();
    assert_eq!(*outcome.value(), json!(true));
}

#[test]
fn a_script_without_an_end_is_stopped_by_the_timeout() {
    let outcome = Stage::blank().flag("--timeout").flag("700ms").script("loop { }").fails("budget::time");
    assert!(outcome.message().contains("run"), "{outcome}");
}

#[test]
fn deep_recursion_is_a_limit_and_no_crash() {
    let outcome = Stage::blank().script("fn down(n) { down(n + 1) }\ndown(0)").fails("script::limit");
    assert!(!outcome.help().is_empty());
}
