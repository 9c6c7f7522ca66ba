//! Acting: each function does its work once with trusted input, waits for what is not ready, and fails well.

use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn a_click_is_trusted_happens_once_and_reports() {
    let outcome = Stage::page("clicks.html")
        .script(
            r#"
            let report = click(find("button", "Plain"));
            emit(report.keys());
            [report.success, report.tag, report.name, report.dialog, report.opened_tab, report.rect.width > 0.0,
             eval_js("count('click', 'plain')"), eval_js("count('mousedown', 'plain')"), eval_js("log.every(e => e.trusted)")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, "button", "Plain", null, null, true, 1, 1, true]));
    let mut keys: Vec<_> = outcome.rows()[0].as_array().expect("keys").iter().filter_map(Value::as_str).collect();
    keys.sort_unstable();
    let mut wanted = vec![
        "success",
        "method",
        "tag",
        "rect",
        "name",
        "href",
        "navigated",
        "opened_tab",
        "dialog",
        "download",
        "changed",
        "hint",
        "rebound",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
}

#[test]
fn a_click_takes_button_count_modifiers_and_position() {
    let outcome = Stage::page("clicks.html")
        .script(
            r#"
            let plain = find("button", "Plain");
            click(plain, #{count: 2});
            let double = eval_js("count('dblclick', 'plain')");
            click(plain, #{button: "right"});
            let menu = eval_js("count('contextmenu', 'plain')");
            click(plain, #{modifiers: ["Shift", "Control"]});
            let keys = eval_js("log.filter(e => e.kind === 'click').at(-1).keys");
            click(plain, #{position: #{x: 5, y: 7}});
            let at = eval_js("(e => [Math.round(e.x), Math.round(e.y)])(log.filter(e => e.kind === 'click').at(-1))");
            [double, menu, keys, at]
            "#,
        )
        .ok();
    let at = outcome.value()[3].as_array().expect("a point");
    assert_eq!(outcome.value().as_array().expect("a list")[..3], [json!(1), json!(1), json!("shift+ctrl")]);
    // The border shifts what the page calls its offset by at most two pixels.
    let near = |number: &Value, wanted: i64| (number.as_i64().unwrap_or(-99) - wanted).abs() <= 2;
    assert!(near(&at[0], 5) && near(&at[1], 7), "{outcome}");
}

#[test]
fn a_click_waits_until_enabled_and_scrolls_into_view() {
    let outcome = Stage::page("clicks.html")
        .script(
            r#"
            let soon = find("button", "Soon");
            eval_js("arm(700)");
            click(soon);
            click(find("button", "Far down"));
            [eval_js("count('click', 'soon')"), eval_js("count('click', 'far')"), eval_js("scrollY > 0")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([1, 1, true]));
}

#[test]
fn what_can_not_be_clicked_says_why_after_the_deadline() {
    let off =
        Stage::page("clicks.html").script("click(find(\"button\", \"Off\"), #{timeout: 300})").fails("act::disabled");
    assert!(off.fact("waited_ms").as_u64() >= Some(200), "{off}");
    assert_eq!(*off.fact("was"), "button \"Off\"");
    let script = r##"click(query("#unseen")[0], #{timeout: 300})"##;
    Stage::page("clicks.html").script(script).fails("act::hidden");
}

#[test]
fn a_covered_element_names_the_one_on_top_by_ref() {
    let outcome = Stage::page("clicks.html")
        .script(
            r#"
            let under = find("button", "Under");
            let caught = ();
            try { click(under, #{timeout: 300}) } catch (e) { caught = e; }
            click(caught.coverer.ref);
            [caught.code, caught.coverer.role, caught.coverer.name, eval_js("count('click', 'cover')"), eval_js("count('click', 'under')")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["act::covered", "button", "Cover", 1, 0]));
}

#[test]
fn a_banner_over_a_button_is_named_and_not_the_box_around_both() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("document.body.innerHTML = '<main><button>Buy</button><div style=\"position:fixed;inset:0;background:#eee\">Cookie banner <button onclick=\"this.parentNode.remove()\">OK</button></div></main>'");
            let buy = find("button", "Buy");
            let caught = ();
            try { click(buy, #{timeout: 300}) } catch (e) { caught = e; }
            click(find(#{role: "button", name: "OK", within: caught.coverer.ref}));
            click(buy);
            [caught.code, caught.coverer.role, caught.coverer.name]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["act::covered", "generic", "Cookie banner OK"]));
}

#[test]
fn an_element_that_never_rests_is_moving_unless_forced() {
    let outcome = Stage::page("clicks.html")
        .script(
            r#"
            let mover = find("button", "Mover");
            let code = "";
            try { click(mover, #{timeout: 400}) } catch (e) { code = e.code; }
            [code, eval_js("count('click', 'mover')")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["act::moving", 0]));
}

#[test]
fn what_stands_behind_a_modal_is_covered() {
    let outcome = Stage::page("overlays.html")
        .script(
            r#"
            let actions = find("button", "Actions");
            let heading = find("heading", "Behind");
            eval_js("document.body.insertAdjacentHTML('beforeend', '<label>Note <input></label><p hidden>never seen</p>')");
            click(find("button", "Delete"));
            emit([text(heading), text(query("label")[0]), text(query("p[hidden]")[0])]);
            try { fill(#{"Note": "x"}, #{timeout: 300}) } catch (e) { emit([e.code, e.coverer.ref == find("dialog", "Sure?"), e.waited_ms >= 300]); }
            click(actions, #{timeout: 300});
            "#,
        )
        .fails("act::covered");
    assert_eq!(*outcome.fact("inert"), true);
    assert_eq!(outcome.rows(), [json!(["Behind", "Note", ""]), json!(["act::covered", true, true])], "{outcome}");
}

#[test]
fn a_click_reports_navigation_and_new_tabs() {
    let outcome = Stage::page("basic.html").script(
        r#"
        let report = click(find("link", "Next page"));
        [report.href.ends_with("/pages/second.html"), report.navigated != () && report.navigated != false, title()]
        "#,
    );
    assert_eq!(*outcome.ok().value(), json!([true, true, "Second"]));
    let outcome = Stage::page("popups.html").script(
        r#"
        let one = click(find("link", "Open second"));
        let two = click(find("button", "Window"));
        [one.opened_tab != (), two.opened_tab != (), one.opened_tab != two.opened_tab, title(), tabs().len()]
        "#,
    );
    assert_eq!(*outcome.ok().value(), json!([true, true, true, "Popups", 3]));
}

#[test]
fn type_goes_to_the_end_and_fill_replaces() {
    let outcome = Stage::page("form.html")
        .script(
            r#"
            let name = find("textbox", "Name");
            type(name, "ie");
            let typed = value(name);
            fill(name, "Bea");
            let filled = value(name);
            fill(name, "");
            let empty = value(name);
            fill(find("textbox", "Note"), "one\ntwo");
            [typed, filled, empty, value(find("textbox", "Note")), eval_js("trusted"), eval_js("submits")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["Annie", "Bea", "", "one\ntwo", true, 0]));
}

#[test]
fn numbers_and_flags_are_text_for_fields() {
    let outcome = Stage::page("form.html")
        .script(
            r#"
            let note = find("textbox", "Note");
            type(note, 4); type(note, 2.5); type(note, true);
            fill(find("spinbutton", "Age"), 42);
            [value(note), value(find("spinbutton", "Age"))]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["42.5true", "42"]));
}

#[test]
fn fill_knows_the_kinds_of_fields() {
    let outcome = Stage::page("form.html")
        .script(
            r##"
            fill(query("#day")[0], "2031-04-09");
            fill(query("#shade")[0], "#2255aa");
            fill(query("#volume")[0], 70);
            fill(find("textbox", "Message"), "new text");
            fill(find("combobox", "Country"), "France");
            eval_js("[day.value, shade.value, volume.value, editor.innerText, country.value]")
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["2031-04-09", "#2255aa", "70", "new text", "fr"]));
}

#[test]
fn fill_can_submit_and_enter_does() {
    let outcome = Stage::page("form.html")
        .script(
            r#"
            let name = find("textbox", "Name");
            fill(name, "Bea", #{submit: true});
            let one = eval_js("submits");
            press(name, "Enter");
            let two = eval_js("submits");
            type(name, "x", #{submit: true});
            [one, two, eval_js("submits")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([1, 2, 3]));
}

#[test]
fn what_the_page_keeps_otherwise_is_an_error_with_both() {
    let outcome =
        Stage::page("form.html").script("fill(find(\"textbox\", \"Code\"), \"A1B2C3\")").fails("act::not_kept");
    assert_eq!((outcome.fact("wanted").as_str(), outcome.fact("kept").as_str()), (Some("A1B2C3"), Some("A1B2C")));
    assert_eq!(outcome.help(), "write at most 5 characters");
    let outcome =
        Stage::page("form.html").script("fill(find(\"spinbutton\", \"Age\"), \"12a\")").fails("act::not_kept");
    assert!(outcome.help().starts_with("write a number"), "{outcome}");
    let outcome = Stage::page("form.html").script("fill(find(\"Day\"), \"3 May\")").fails("act::not_kept");
    assert_eq!(
        (outcome.help(), outcome.fact("expected").as_str()),
        ("write a date as YYYY-MM-DD", Some("a date as YYYY-MM-DD"))
    );
}

#[test]
fn what_takes_no_text_names_the_function_to_use_at_once() {
    for (locator, instead) in [
        ("find(\"checkbox\", \"I agree\")", "check"),
        ("find(\"radio\", \"Large\")", "check"),
        ("find(\"combobox\", \"Country\")", "select"),
        ("find(\"button\", \"Send\")", "click"),
        ("query(\"#papers\")[0]", ""),
    ] {
        let outcome = Stage::page("form.html").script(&format!("type({locator}, \"x\")")).fails("act::not_typable");
        let named = outcome.fact("instead").as_str().unwrap_or_default();
        assert!(named.starts_with(instead), "{locator}\n{outcome}");
    }
}

#[test]
fn readonly_and_disabled_fields_are_left_alone() {
    Stage::page("form.html").script("fill(find(\"textbox\", \"Fixed\"), \"x\")").fails("act::readonly");
    Stage::page("form.html").script("type(find(\"textbox\", \"Fixed\"), \"x\")").fails("act::readonly");
    let script = "fill(find(\"textbox\", \"Locked\"), \"x\", #{timeout: 200})";
    Stage::page("form.html").script(script).fails("act::disabled");
}

#[test]
fn select_takes_labels_and_values_and_several() {
    let outcome = Stage::page("form.html")
        .script(
            r#"
            let country = find("combobox", "Country");
            select(country, "Portugal");
            let one = eval_js("country.value");
            select(country, "fr");
            select(find("listbox", "Toppings"), ["Olives", "h"]);
            [one, eval_js("country.value"), eval_js("[...toppings.selectedOptions].map(o => o.value)"),
             eval_js("events.includes('input:country') && events.includes('change:country')")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["pt", "fr", ["o", "h"], true]));
}

#[test]
fn options_that_can_not_be_chosen_are_refused() {
    for (option, reason) in [("Peru", "missing"), ("Atlantis", "disabled")] {
        let script = format!("select(find(\"combobox\", \"Country\"), \"{option}\")");
        let outcome = Stage::page("form.html").script(&script).fails("act::no_option");
        assert_eq!(*outcome.fact("reason"), reason, "{outcome}");
        assert!(outcome.help().contains("Portugal"), "{outcome}");
    }
}

#[test]
fn check_and_uncheck_are_about_the_state() {
    let outcome = Stage::page("form.html")
        .script(
            r#"
            let agree = find("checkbox", "I agree");
            check(agree); check(agree);
            let on = eval_js("agree.checked");
            uncheck(agree); uncheck(agree);
            check(find("radio", "Large"));
            [on, eval_js("agree.checked"), eval_js("form.size.value"), eval_js("events.filter(e => e === 'change:agree').length")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, false, "l", 2]));
}

#[test]
fn press_takes_chords_and_names() {
    let outcome = Stage::page("form.html")
        .script(
            r#"
            let name = find("textbox", "Name");
            press(name, "End"); press("Backspace");
            let shorter = value(name);
            press("Control+A"); press("Delete");
            press("x"); press("Shift+Y");
            press("Tab");
            [shorter, value(name), eval_js("document.activeElement.id")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["An", "xY", "code"]));
    let outcome = Stage::page("form.html").script("press(\"Contrl+A\")").fails("args::value");
    assert!(outcome.message().contains("Contrl"), "{outcome}");
}

#[test]
fn wait_for_text_roles_values_urls_and_absence() {
    let outcome = Stage::page("/pages/find.html?later=400")
        .script(
            r##"
            let button = wait_for(#{role: "button", name: "Arrived"});
            wait_for("Discard draft");
            eval_js("setTimeout(() => { billing.value = 'Ann'; document.getElementById('later').remove(); location.hash = '#paid' }, 300)");
            let gone = wait_for(#{ref: button, gone: true});
            let at = wait_for(#{url: "#paid"});
            let field = find(#{role: "textbox", name: "Name", within: find("region", "Billing")});
            wait_for(#{ref: field, value: "Ann"});
            [button.contains("ref_"), gone, at]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, null, null]));
}

#[test]
fn waiting_in_vain_says_what_for_and_how_long() {
    let outcome = Stage::page("find.html").script("wait_for(#{text: \"Never\", timeout: 300})").fails("wait::timeout");
    assert!(outcome.message().contains("Never"), "{outcome}");
    assert!(outcome.fact("waited_ms").as_u64() >= Some(300), "{outcome}");
}

#[test]
fn a_page_that_does_not_answer_is_hung_at_the_deadline() {
    let outcome = Stage::page("basic.html")
        .own_browser()
        .deadline(Duration::from_secs(30))
        .script(
            r#"
            eval_js("setTimeout(() => { for (;;) {} }, 50)");
            sleep(200);
            eval_js("1", #{timeout: 800})
            "#,
        )
        .fails("page::hung");
    assert_eq!(outcome.underlined(), "eval_js(\"1\", #{timeout: 800})");
}

#[test]
fn force_neither_waits_nor_checks() {
    let outcome = Stage::page("clicks.html")
        .script(
            r##"
            eval_js("document.getElementById('off').style.visibility = 'hidden'");
            within(2000, || click(query("#off")[0], #{force: true})).success
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(true));
}
