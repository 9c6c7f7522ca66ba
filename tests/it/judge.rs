//! Compares what a translated case handed out with what its description expects.

use serde_json::Value;

use crate::case::{Case, Expect, Step};
use crate::line::{Line, Wanted};
use crate::outcome::Outcome;

/// Judges step by step, so that the first thing that went wrong is the one that is told.
#[track_caller]
pub fn judge(case: &Case, outcome: &Outcome) {
    let row = |step: &Value| outcome.rows().iter().find(|row| row["step"] == *step);
    for (number, step) in case.path.iter().enumerate() {
        // A path that broke off has no row for this step; the outcome's error is told below.
        let Some(row) = row(&number.into()) else { continue };
        let what = format!("{}, step {number} ({step:?})", case.id);
        if let Some((codes, must)) = step.outcomes() {
            let codes = codes.today();
            match row["caught"]["code"].as_str() {
                Some(code) => assert!(codes.contains(&code), "{what} failed with {code}:\n{outcome}"),
                None => assert!(!must, "{what} should fail with one of {codes:?}:\n{outcome}"),
            }
        }
        if let Step::Check(expect) = step {
            holds(expect, row, &what, outcome);
        }
    }
    assert!(outcome.is_ok(), "{} ({}) broke off:\n{outcome}", case.id, case.goal);
    let end = row(&"end".into()).unwrap_or_else(|| panic!("{} has no end:\n{outcome}", case.id));
    holds(&case.expect, end, &format!("{} at its end", case.id), outcome);
    if let Some(code) = &case.expect.error_code {
        let caught: Vec<_> = outcome.rows().iter().filter_map(|row| row["caught"]["code"].as_str()).collect();
        let wanted = crate::case::Codes::One(code.clone());
        assert!(
            wanted.today().iter().any(|code| caught.contains(code)),
            "{}: nothing failed with {code}, only {caught:?}:\n{outcome}",
            case.id
        );
    }
}

#[track_caller]
fn holds(expect: &Expect, row: &Value, what: &str, outcome: &Outcome) {
    assert_ne!(row["js"], false, "{what}: the page does not say so:\n{outcome}");
    if !expect.needs_tree() {
        return;
    }
    let text = row["tree"].as_str().unwrap_or_else(|| panic!("{what}: no tree:\n{outcome}"));
    let lines = Line::read_all(text);
    let places = |wanted: &str| {
        let wanted = Wanted::read(wanted);
        lines.iter().enumerate().filter(|(_, line)| wanted.fits(line)).map(|(at, _)| at).collect::<Vec<_>>()
    };
    for wanted in &expect.tree_contains {
        assert!(!places(wanted).is_empty(), "{what}: the tree lacks {wanted}:\n{text}");
    }
    for unwanted in &expect.tree_lacks {
        assert!(places(unwanted).is_empty(), "{what}: the tree shows {unwanted}:\n{text}");
    }
    for (wanted, count) in &expect.tree_count {
        assert_eq!(places(wanted).len(), *count, "{what}: {wanted}:\n{text}");
    }
    let order: Vec<_> = expect.tree_order.iter().map(|wanted| places(wanted).first().copied()).collect();
    assert!(order.is_sorted() && !order.contains(&None), "{what}: not in this order: {:?}\n{text}", expect.tree_order);
    for wanted in &expect.tree_text_contains {
        assert!(text.contains(wanted.as_str()), "{what}: the tree does not say {wanted}:\n{text}");
    }
    for unwanted in &expect.tree_text_lacks {
        assert!(!text.contains(unwanted.as_str()), "{what}: the tree says {unwanted}:\n{text}");
    }
}
