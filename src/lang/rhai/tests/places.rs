//! Errors in functions, closures and modules name their file and line.

use serde_json::json;

use super::{Ran, run, run_with};

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

const LIBRARY: &str =
    "fn each(list, f) {\n  for x in list { f.call(x); }\n}\nfn entry(map, name) {\n  map[name].call(\"ref_9\")\n}";

/// Returns where an error stands and the calls that led there, as `script:line what`.
#[track_caller]
fn path(ran: &Ran) -> Vec<String> {
    let error = ran.error();
    let site = error.site.as_ref().expect("it has a place");
    let frames = error.stack.iter().map(|frame| format!("{}:{} {}", frame.script, frame.line, frame.function));
    std::iter::once(format!("{}:{}", site.script, site.line)).chain(frames).collect()
}

#[test]
fn closures_with_the_same_text_at_the_same_place_are_told_apart() {
    let twin = "import \"lib\" as lib;\n\nfn away(r) { lib::each([r], |r| act(r)); }\nfn act(r) { click(r) }";
    let text = "import \"lib\" as lib; import \"twin\" as twin;\n\nfn away(r) { lib::each([r], |r| act(r)); }\nfn act(r) { title() }\n";
    let modules = [("lib", LIBRARY), ("twin", twin)];
    let ran = run_with(&format!("{text}away(\"ref_9\"); twin::away(\"ref_9\");"), &modules);
    assert_eq!(path(&ran), ["twin:4", "twin:3 act", "lib:2 closure", "twin:3 each", "main.rhai:5 away"]);
    assert_eq!(ran.calls, ["title()", "click(\"ref_9\")"]);
}

#[test]
fn closures_in_maps_closures_and_other_modules_name_their_file() {
    let text = "import \"lib\" as lib;\nlet m = #{\n  act: |r| {\n    let f = || click(r);\n    f.call()\n  }\n};\nlib::entry(m, \"act\");";
    let ran = run_with(text, &[("lib", LIBRARY)]);
    assert_eq!(path(&ran), ["main.rhai:4", "main.rhai:5 closure", "lib:5 closure", "main.rhai:8 entry"]);

    let two =
        "import \"lib\" as lib;\nfn both(list) {\n  lib::each(list, |r| click(r));\n}\nfn maker() { |r| click(r) }";
    let ran = run_with("import \"two\" as two;\n\ntwo::both([\"ref_9\"]);", &[("lib", LIBRARY), ("two", two)]);
    assert_eq!(path(&ran), ["two:3", "lib:2 closure", "two:3 each", "main.rhai:3 both"]);

    let text = "import \"lib\" as lib; import \"two\" as two;\nlib::each([1], two::maker());";
    let ran = run_with(text, &[("lib", LIBRARY), ("two", two)]);
    assert!(
        ran.message().contains("this closure was made in `two`, and no other script can call it"),
        "{}",
        ran.message()
    );
}

#[test]
fn an_error_of_rhai_that_is_thrown_again_is_told_where_it_came_from() {
    let text = "import \"lib\" as lib;\nlib::each([7], |at| {\n  try { [1][at] }\n  catch (e) { throw e; }\n});";
    let ran = run_with(text, &[("lib", LIBRARY)]);
    assert_eq!(path(&ran), ["main.rhai:3", "main.rhai:4 throw", "lib:2 closure", "main.rhai:2 each"]);
    assert!(ran.message().contains("index 7 out of bounds"), "{}", ran.message());
    let text = "import \"lib\" as lib;\nlet all = [];\nlib::each([7], |at| {\n  try { [1][at] } catch (e) { let e = error_of(e); all.push(`${e.script}:${e.line}:${e.column}`); }\n});\nall";
    assert_eq!(run_with(text, &[("lib", LIBRARY)]).value(), &json!(["main.rhai:4:13"]));
}

#[test]
fn steps_retries_and_interpolations_keep_their_places() {
    let text = "retry(2, || step(\"a\", || within(5000, || {\n  let t = `x ${\n    click(\"ref_9\") }`;\n})));";
    let ran = run(text);
    assert_eq!(ran.marked(text), "click(\"ref_9\")");
    assert_eq!(path(&ran), ["main.rhai:3", "main.rhai:1 closure", "main.rhai:1 closure", "main.rhai:1 closure"]);
    let ran = run("debug(1);\n  debug(2);");
    assert_eq!(ran.printed, ["main.rhai:1:1 1", "main.rhai:2:3 2"]);
}
