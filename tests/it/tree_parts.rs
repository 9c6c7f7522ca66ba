//! Parts of a tree: texts that have to fit, pages of one frozen moment, and what changed between two.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn pages_of_a_frozen_moment_hold_all_of_it_whatever_the_page_does() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("document.body.innerHTML = '<main><ul aria-label=Lamps>' + Array.from({length: 120}, (_, n) => `<li><a href=/lamps/${n}>Lamp ${n}</a></li>`).join('') + '</ul></main>'");
            let whole = tree();
            let page = tree(#{page: 1, max_chars: 2000});
            eval_js("document.body.innerHTML = '<p>All gone</p>'");
            let texts = [page.text];
            let rows = [];
            while page.has_more {
                page = tree(#{page: page.next_page, snapshot: page.snapshot_id, max_chars: 2000});
                texts.push(page.text);
                if page.snapshot_id != "snapshot_2" { fail("another moment"); }
            }
            for text in texts { for line in text.split("\n") { if !line.starts_with("[") { rows.push(line); } } }
            let all = "";
            for row in rows { all += if all == "" { row } else { "\n" + row }; }
            let fitted = tree(#{snapshot: "snapshot_2", max_chars: 2500});
            let roomy = tree(#{snapshot: "snapshot_2", max_chars: 7000});
            #{ same: all == whole.text, texts: texts, last: [page.truncated, page.next_page], now: tree().text,
               fitted: [fitted.text, fitted.auto_degraded, fitted.truncated, fitted.next_page, fitted.notice, fitted.counters.nodes],
               roomy: [roomy.text.contains("href"), roomy.auto_degraded, roomy.notice] }
            "#,
        )
        .ok();
    let value = outcome.value();
    assert_eq!(value["same"], true, "{outcome}");
    assert_eq!(value["last"], json!([false, null]), "{outcome}");
    assert_eq!(value["now"], "text \"All gone\"");
    let texts: Vec<&str> = value["texts"].as_array().expect("pages").iter().filter_map(|text| text.as_str()).collect();
    assert!(texts.len() > 3 && texts.iter().all(|text| text.chars().count() <= 2000), "{outcome}");
    assert!(
        texts[0].ends_with(" more nodes: tree(#{max_chars: 2000, page: 2, snapshot: \"snapshot_2\"})]"),
        "{outcome}"
    );
    assert!(texts[1].starts_with("[page 2 of "), "{outcome}");
    let fitted = &value["fitted"];
    let text = fitted[0].as_str().expect("a text");
    assert!(text.chars().count() <= 2500 && text.contains("Lamp 0") && !text.contains("href"), "{text}");
    assert_eq!([&fitted[1], &fitted[2]], [true, true], "{outcome}");
    assert!(fitted[3].as_u64() >= Some(1), "{outcome}");
    assert!(fitted[4].as_str().is_some_and(|notice| notice.contains("tree(#{max_chars: 2500, page: ")), "{outcome}");
    assert_eq!(value["roomy"][0], false, "{outcome}");
    assert_eq!(value["roomy"][1], true, "{outcome}");
}

#[test]
fn what_changed_is_told_line_by_line() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            let first = tree(#{diff: true});
            let still = tree(#{diff: true});
            let before = tree();
            eval_js("document.querySelectorAll('tbody tr')[1].remove(); document.querySelector('button').disabled = true; document.body.append('Two left')");
            find("INV-1");
            let after = tree(#{diff: true});
            let held = before.diff(after);
            let short = tree(#{diff: true, snapshot: before.snapshot_id, max_chars: 120});
            reload();
            let anew = tree(#{diff: true});
            #{ first: [first.notice, first.text.contains("INV-2")], still: [still.text, still.truncated], after: after.text,
               held: [held.text, after.diff(before).text, before.diff(before).text], short: [short.text, short.truncated],
               anew: [anew.notice, anew.text.contains("INV-2")], nodes: after.nodes.len() > 5 }
            "#,
        )
        .ok();
    let value = outcome.value();
    assert_eq!(value["first"], json!(["no tree of this tab was read before: this is all of it", true]), "{outcome}");
    assert_eq!(value["still"], json!(["[no changes since snapshot_1]", false]), "{outcome}");
    let after = value["after"].as_str().expect("a text");
    let (head, lines) = after.split_once('\n').expect("changes");
    assert!(head.ends_with(" since snapshot_3]") && head.contains("1 added"), "{after}");
    for part in ["-   cell \"INV-2\"", "disabled [was without disabled]", "+ text \"Two left\""] {
        assert!(lines.contains(part), "{part} in\n{after}");
    }
    assert!(!lines.contains("INV-3"), "{after}");
    let held = value["held"][0].as_str().expect("a text");
    assert_eq!(held.split_once('\n').map(|(_, lines)| lines), Some(lines), "{outcome}");
    assert_eq!(value["held"][1], held, "{outcome}");
    assert_eq!(value["held"][2], "[no changes between snapshot_3 and snapshot_3]");
    let short = value["short"][0].as_str().expect("a text");
    assert!(short.ends_with("more changes: tree(#{diff: true, snapshot: \"snapshot_3\"})]"), "{short}");
    assert_eq!(value["short"][1], true);
    assert!(value["anew"][0].as_str().is_some_and(|notice| notice.contains("nothing of this was there")), "{outcome}");
    assert_eq!(value["anew"][1], true, "{outcome}");
    assert_eq!(value["nodes"], true);
}

#[test]
fn moments_that_are_gone_and_pages_that_are_none_say_so() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let first = tree();
            for n in 0..8 { tree(); }
            let code = |f| { let said = "none"; try { f.call(); } catch (e) { said = error_of(e).code + ": " + error_of(e).message; } said };
            [
                code.call(|| tree(#{page: 2, snapshot: first.snapshot_id})),
                code.call(|| first.nodes.len()),
                code.call(|| tree(#{snapshot: "snapshot_99"})),
                code.call(|| tree(#{page: 2})),
                code.call(|| tree(#{page: 5, snapshot: "snapshot_9"})),
                code.call(|| tree(#{page: 1, diff: true})),
                code.call(|| first.diff(12)),
            ]
            "#,
        )
        .ok();
    let said: Vec<&str> = outcome.value().as_array().expect("errors").iter().filter_map(|text| text.as_str()).collect();
    for (said, expected) in said.iter().zip([
        "snapshot::stale: snapshot `snapshot_1` is out of date, the latest is `snapshot_9`",
        "snapshot::stale: ",
        "args::value: `snapshot` of `tree` is \"snapshot_99\", expected the `snapshot_id` of a tree, such as \"snapshot_9\"",
        "args::value: `page` of `tree` is 2 without `snapshot`",
        "args::value: `page` of `tree` is 5, expected 1: it is the only page",
        "args::value: `page` of `tree` is given with `diff: true`",
        "args::type: `other` of `tree.diff` is the number `12`, expected a tree",

    ]) {
        assert!(said.starts_with(expected), "{expected}\nin {outcome}");
    }
    assert_eq!(said.len(), 7);
}
