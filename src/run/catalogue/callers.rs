//! Reports of errors whose callers stand in other scripts.

use super::{Diagnostic, Error, Failure, Script, Scripts, Style, report, site};
use crate::lang::protocol::StackFrame;

#[test]
fn each_script_has_one_excerpt_for_all_its_callers() {
    let main = Script::from_text("main.rhai", "import \"lib\" as lib;\nlib::each([r], |r| click(r));\n");
    let library = "fn each(list, f) {\n  inner(list, f)\n}\nfn inner(list, f) {\n  list.map(|x| f.call(x))\n}\n";
    let mut scripts = Scripts::new(&main, None, 1000);
    scripts.add(Script::from_text("lib.rhai", library));
    let error = Error::RefUnknown { reference: "ref_99".into(), instead: None, nearest: Vec::new() };
    let frame = |script: &str, line, column, function: &str| StackFrame {
        script: script.into(),
        line,
        column,
        function: function.into(),
    };
    let stack = vec![
        frame("lib.rhai", 5, 18, "closure"),
        frame("lib.rhai", 5, 8, "closure"),
        frame("lib.rhai", 5, 8, "map"),
        frame("lib.rhai", 2, 3, "inner"),
        frame("main.rhai", 2, 6, "each"),
    ];
    let failure = Failure { site: site(&main, "click(r)"), stack, ..Failure::nowhere(error) };
    insta::assert_snapshot!(report(&Diagnostic::of_failure(&failure, &scripts), Style::plain()));
}

#[test]
fn callers_in_other_scripts_stand_below_the_excerpt() {
    let main =
        Script::from_text("main.rhai", "import \"forms\" as forms;\n\nforms::fill_in(#{\n  \"Name\": \"Ann\"\n});\n");
    let mut scripts = Scripts::new(&main, None, 1000);
    let library = scripts.import("forms", "main.rhai").expect("it is there");
    let error = super::places::none("\"Name\"".into(), None, Vec::new());
    let frame = StackFrame { script: "main.rhai".into(), line: 3, column: 8, function: "fill_in".into() };
    let failure =
        Failure { site: site(&library, "find(#{ name: label })"), stack: vec![frame], ..Failure::nowhere(error) };
    insta::assert_snapshot!(report(&Diagnostic::of_failure(&failure, &scripts), Style::plain()));
}
