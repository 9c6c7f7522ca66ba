//! What actions wait for before they return: scrolls that a key began, and downloads that a click asked for.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn a_key_that_scrolls_returns_when_the_rows_are_drawn() {
    let outcome = Stage::page("virtual.html")
        .script(
            r#"
            let list = find("list", "Papers");
            let seen = [];
            for keys in ["PageDown", "ArrowDown", "PageDown", "End", "Home"] {
                press(list, keys);
                seen.push(eval_js("[Math.round(list.scrollTop), Number(all.firstChild.textContent.slice(6))]"));
            }
            press("PageDown");
            let at_rest = eval_js("list.scrollTop");
            sleep(300);
            let rests = [at_rest == eval_js("list.scrollTop") && at_rest > 0];
            // A frame without room hands the scroll on to the page around it.
            eval_js("document.body.style.height = '5000px', document.body.insertAdjacentHTML('afterbegin', '<iframe srcdoc=\\'<button>In</button>\\'></iframe>')");
            press(find("button", "In"), "End");
            let around = eval_js("scrollY");
            sleep(300);
            rests.push(around == eval_js("scrollY") && around > 1000);
            [seen, rests]
            "#,
        )
        .ok();
    let seen: Vec<(u32, u32)> = serde_json::from_value(outcome.value()[0].clone()).expect("pairs of whole numbers");
    for (offset, row) in &seen {
        assert_eq!(offset / 20, *row, "the rows are those at the place: {outcome}");
    }
    let offsets: Vec<u32> = seen.iter().map(|(offset, _)| *offset).collect();
    let [one, two, three, end, home] = *offsets else { panic!("five keys") };
    assert!(0 < one && one < two && two < three && three < end, "{outcome}");
    assert_eq!((end, home), (19_700, 0), "{outcome}");
    assert_eq!(outcome.value()[1], json!([true, true]), "{outcome}");
}

#[test]
fn a_download_is_told_by_the_click_that_asked_for_it_and_by_no_other() {
    let outcome = Stage::page("downloads.html")
        .script(
            r#"
            let told = [];
            for name in ["Link", "Attribute", "Form", "Location", "Loose link", "Blob", "Frame", "Fetched", "Held back", "Empty"] {
                let own = click(find(#{name: name, exact: true})).download;
                told.push(if own == () { () } else { own.file });
                let plain = find("button", "Plain");
                for again in 0..if name == "Fetched" { 12 } else { 1 } {
                    let other = click(plain).download;
                    if other != () { told.push("told by another click: " + other.url); }
                }
            }
            told
            "#,
        )
        .ok();
    let server = "report.csv";
    let wanted = json!([server, server, server, server, server, "loose.csv", server, null, null, null]);
    assert_eq!(*outcome.value(), wanted, "{outcome}");
}

#[test]
fn a_click_that_leads_to_a_slow_server_is_done_and_says_so() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("document.body.innerHTML = '<a href=\"/_/slow?ms=2500\">Slow</a>'; 0");
            let clicked = click(find("link", "Slow"), #{timeout: 500});
            let hint = clicked.hint;
            wait_for(#{url: "/_/slow"});
            [clicked.success, hint.contains("has not answered yet"), text(find("heading", "Slow page"))]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, true, "Slow page"]), "{outcome}");
}

#[test]
fn a_form_in_a_frame_without_scripts_is_no_hung_page() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js(`document.body.innerHTML = '<iframe sandbox srcdoc="<form><button>Send</button></form>"></iframe>'; 0`);
            click(find("button", "Send")).success
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(true), "{outcome}");
}
