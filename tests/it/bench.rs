//! The speed table: that each piece of work is done and measured. Figures are not judged here.

use std::time::Duration;

use serde_json::Value;

use crate::process::Running;
use crate::stage::pageboy;

#[test]
fn the_quick_table_has_a_line_for_each_piece_of_work() {
    let ended = Running::start(pageboy().args(["bench", "--quick", "--json"])).end_within(Duration::from_mins(2));
    assert_eq!(ended.exit(), 0, "{}", ended.stderr);
    let table: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout));
    assert!(table["browser"].as_str().is_some_and(|browser| browser.contains('/')), "{table}");
    let lines = table["lines"].as_array().expect("lines");
    let line =
        |work: &str| lines.iter().find(|line| line["work"].as_str().is_some_and(|named| named.starts_with(work)));
    for work in [
        "cold start to first tree, browser runs",
        "tree of 107 nodes",
        "second tree of 1003 nodes",
        "tree of 20 frames",
        "second tree of 5 frames",
        "tree of 250 shadow roots",
        "click",
        "100 clicks",
        "fill",
        "type",
        "select",
        "form of 30 steps",
    ] {
        let line = line(work).unwrap_or_else(|| panic!("no line `{work}`: {table}"));
        let (pageboy, raw) = (line["pageboy"].as_f64().unwrap_or_default(), line["raw"].as_f64().unwrap_or_default());
        assert!(pageboy > 0.0 && raw > 0.0, "{line}");
        assert!((line["ratio"].as_f64().unwrap_or_default() - pageboy / raw).abs() < 1e-9, "{line}");
    }
    // Every product, price, link and button stands in the text.
    let text = line("text of the tree of 1003 nodes").expect("the size of the text");
    assert!(text["pageboy"].as_f64().is_some_and(|size| size > 10_000.0), "{text}");
}
