//! What stays valid: a ref names one element, is never reused, and never acts on anything else.

use serde_json::json;

use crate::site;
use crate::stage::Stage;

/// Copy this one: a page, a script, what must come of it.
#[test]
fn reading_again_gives_the_same_ref() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let first = find("button", "Save");
            tree();
            [first, find("Save"), query("button")[0], lookup(first).ref, tree().get(first).ref]
            "#,
        )
        .ok();
    let refs = outcome.value().as_array().expect("five refs");
    assert!(refs.iter().all(|reference| *reference == refs[0]), "{outcome}");
}

#[test]
fn refs_count_upwards_and_are_never_used_again() {
    let outcome = Stage::page("basic.html").script("let before = tree().text; reload(); [before, tree().text]").ok();
    let numbers = |at: usize| -> Vec<u32> {
        let text = outcome.value()[at].as_str().expect("a tree");
        let refs = crate::line::Line::read_all(text).into_iter().filter_map(|line| line.reference);
        refs.map(|reference| reference.trim_start_matches("ref_").parse().expect("a number")).collect()
    };
    let (before, after) = (numbers(0), numbers(1));
    assert!(before.len() >= 6, "{outcome}");
    assert!(before.iter().max() < after.iter().min(), "{outcome}");
    assert!(before.is_sorted(), "refs are minted in the order of the page: {outcome}");
}

#[test]
fn moving_relabelling_by_digits_and_same_document_navigation_keep_a_ref() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let save = find("button", "Save");
            eval_js("document.body.prepend(document.getElementById('save'))");
            click(save);
            eval_js("history.pushState(null, '', '?view=2')");
            click(save);
            eval_js("location.hash = '#part'");
            click(save);
            let counted = find("button", "Cancel");
            eval_js("document.getElementById('cancel').textContent = 'Cancel (3)'");
            click(counted);
            [eval_js("presses"), find("Save") == save]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([["Save", "Save", "Save"], true]));
}

#[test]
fn a_navigation_that_never_commits_keeps_refs() {
    let script = r#"
        let save = find("button", "Save");
        eval_js("document.getElementById('next').href = target");
        click(find("link", "Next page"));
        sleep(300);
        click(save);
        eval_js("presses.length")
    "#;
    for route in ["empty", "attachment"] {
        let script = script.replace("target", &format!("'/_/{route}'"));
        assert_eq!(*Stage::page("basic.html").script(&script).ok().value(), json!(1), "{route}");
    }
}

#[test]
fn a_removed_element_is_stale_and_the_nearest_are_named() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"let save = find("button", "Save");
eval_js("document.getElementById('save').remove()");
click(save);"#,
        )
        .fails("ref::stale");
    assert_eq!(*outcome.fact("cause"), "removed");
    assert_eq!(*outcome.fact("was"), "button \"Save\"");
    assert!(outcome.nearest().contains(&"button \"Cancel\"".to_owned()), "{outcome}");
    assert!(outcome.nearest().len() <= 5, "{outcome}");
    assert_eq!(outcome.underlined(), "click(save)");
    let every_one_has_a_reason =
        outcome.fact("nearest").as_array().expect("a list").iter().all(|near| near["why"] != "");
    assert!(every_one_has_a_reason, "{outcome}");
}

#[test]
fn a_replaced_element_is_stale_and_its_twin_is_first() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let save = find("button", "Save");
            eval_js("const old = document.getElementById('save'); old.replaceWith(old.cloneNode(true))");
            let caught = ();
            try { click(save) } catch (e) { caught = e; }
            let twin = caught.nearest[0];
            click(twin.ref);
            [caught.code, caught.cause, twin.role, twin.name, twin.ref != save, eval_js("presses")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["ref::stale", "replaced", "button", "Save", true, ["Save"]]));
}

#[test]
fn a_new_document_ends_all_refs() {
    for leave in ["reload();", r#"click(find("link", "Next page"));"#, "open(arg(\"second\"));"] {
        let script = format!("let save = find(\"button\", \"Save\");\n{leave}\nclick(save);");
        let stage = Stage::page("basic.html").arg("second", &site::url("/pages/second.html")).script(&script);
        let outcome = stage.fails("ref::stale");
        assert_eq!(*outcome.fact("cause"), "document_replaced", "{leave}\n{outcome}");
        assert_eq!(outcome.nearest().first().map(String::as_str), Some("button \"Save\""), "{leave}\n{outcome}");
    }
}

#[test]
fn a_removed_frame_ends_its_refs_and_no_others() {
    let outcome = Stage::page("frames.html")
        .script(
            r#"
            let inside = find("button", "Go same");
            let outside = find("button", "Above");
            eval_js("document.querySelector('iframe[name=same]').remove()");
            click(outside);
            click(inside);
            "#,
        )
        .fails("ref::stale");
    assert_eq!(*outcome.fact("cause"), "frame_gone");
    assert_eq!(outcome.underlined(), "click(inside)");
}

#[test]
fn a_frame_that_loads_again_ends_its_refs_alone() {
    let outcome = Stage::page("frames.html")
        .script(
            r#"
            let inside = find("button", "Go same");
            let outside = find("button", "Above");
            eval_js("document.querySelector('iframe[name=same]').contentWindow.location.reload()");
            sleep(500);
            click(outside);
            click(inside);
            "#,
        )
        .fails("ref::stale");
    assert_eq!(*outcome.fact("cause"), "document_replaced");
}

#[test]
fn what_was_never_minted_is_unknown() {
    for forged in ["ref_99999", "ref_007", "ref_0", "ref_1 ", "ref_-1", "Ref_1", "ref_4294967297", "save", ""] {
        let outcome = Stage::page("basic.html").script(&format!("tree();\nclick(\"{forged}\");")).fails("ref::unknown");
        assert_eq!(*outcome.fact("ref"), forged, "{outcome}");
    }
}

#[test]
fn a_ref_of_another_tab_says_which() {
    let outcome = Stage::page("basic.html")
        .arg("second", &site::url("/pages/second.html"))
        .script(
            r#"
            let save = find("button", "Save");
            let home = tabs()[0].tab;
            new_tab(arg("second"));
            let caught = ();
            try { click(save) } catch (e) { caught = e; }
            tab(caught.tab);
            click(save);
            [caught.code, caught.tab == home, eval_js("presses.length")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["ref::other_tab", true, 1]));
}

#[test]
fn an_element_that_means_something_else_is_refused_until_it_means_the_same_again() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let save = find("button", "Save");
            eval_js("document.getElementById('save').textContent = 'Delete'");
            let caught = ();
            try { click(save) } catch (e) { caught = e; }
            let delete = find("button", "Delete");
            eval_js("document.getElementById('save').textContent = 'Save'");
            click(save);
            [caught.code, caught.was, caught.now, delete != save, eval_js("presses")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["ref::changed", "button \"Save\"", "button \"Delete\"", true, ["Save"]]));
}

#[test]
fn a_role_that_changed_is_refused() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let save = find("button", "Save");
            eval_js("document.getElementById('save').setAttribute('role', 'link')");
            click(save);
            "#,
        )
        .fails("ref::changed");
    assert_eq!(*outcome.fact("now"), "link \"Save\"");
}

#[test]
fn a_recycled_row_is_refused_although_its_button_reads_the_same() {
    Stage::page("rows.html")
        .script(
            r#"
            let second = find_all("button", "Delete")[1];
            eval_js("document.querySelectorAll('tbody tr')[1].cells[0].textContent = 'Bill from Ann'");
            click(second);
            "#,
        )
        .fails("ref::changed");
}

#[test]
fn refs_of_rows_hold_while_other_rows_come_and_go() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            let third = find_all("button", "Delete")[2];
            eval_js("document.querySelector('tbody tr').remove()");
            click(third);
            eval_js("deleted")
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["INV-3"]));
}

/// Whether the browser keeps the document is its own decision; acting on anything but the noted element is
/// wrong either way.
#[test]
fn after_back_a_ref_is_its_old_element_or_stale() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("addEventListener('pageshow', event => { window.kept = event.persisted })");
            let save = find("button", "Save");
            click(find("link", "Next page"));
            back();
            let code = "pressed";
            try { click(save) } catch (e) { code = e.code + " " + e.cause; }
            [eval_js("window.kept === true"), code, eval_js("presses.length")]
            "#,
        )
        .ok();
    let expected = match outcome.value()[0].as_bool() {
        Some(true) => json!([true, "pressed", 1]),
        _ => json!([false, "ref::stale document_replaced", 0]),
    };
    assert_eq!(*outcome.value(), expected, "{outcome}");
}

#[test]
fn lookup_and_nearest_and_refs_tell_without_failing() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            let save = find("button", "Save");
            let known = lookup(save);
            let listed = save in refs();
            eval_js("document.getElementById('save').remove()");
            let near = nearest(save, 2);
            [known.role, known.name, listed, lookup(save) == (), lookup("ref_99999") == (), save in refs(), near.len(), near[0].role]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["button", "Save", true, true, true, false, 2, "button"]));
}

/// Puts a page of the test's own in place of the one that is open.
fn with_body(body: &str, script: &str) -> Stage {
    let body = serde_json::to_string(body).expect("a text");
    let set = serde_json::to_string(&format!("void (document.body.innerHTML = {body})")).expect("a text");
    Stage::page("basic.html").script(&format!("eval_js({set});\n{script}"))
}

#[test]
fn a_row_that_was_the_only_one_is_looked_at_again() {
    let body = "<ul id=l><li><b>INV-A</b> <button>Delete</button></li></ul>";
    let script = r#"
        let delete = find("button", "Delete");
        eval_js("document.querySelector('b').textContent = 'INV-B', l.append(l.firstChild.cloneNode(true)), l.lastChild.firstChild.textContent = 'INV-A', 0");
        click(delete)
    "#;
    with_body(body, script).fails("ref::changed");
}

#[test]
fn a_name_that_stands_elsewhere_is_looked_at_again() {
    let body = "<span id=n>Cancel order</span> <button aria-labelledby=n>x</button>";
    let script = r#"
        let cancel = find("button", "Cancel order");
        eval_js("n.textContent = 'Delete account'");
        click(cancel)
    "#;
    with_body(body, script).fails("ref::changed");
}

#[test]
fn rows_are_told_apart_by_their_pictures() {
    let pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    let row = |name: &str| format!("<li><img alt={name} src={pixel} width=40 height=40> <button>Adopt</button></li>");
    let script = r#"
        let first = find_all("button", "Adopt")[0];
        eval_js("document.images[0].alt = 'Dog'");
        click(first)
    "#;
    with_body(&format!("<ul>{}{}</ul>", row("Cat"), row("Dog")), script).fails("ref::changed");
}

#[test]
fn a_secret_stays_one_when_the_page_shows_it() {
    let body = "<label>PIN <input id=p type=password value=hunter2></label>";
    let script = r#"
        let pin = find("textbox", "PIN");
        eval_js("p.type = 'text'");
        let kept = fill(pin, "hunter3").value;
        [kept, value(pin), attr(pin, "value"), node(pin).value, tree().text.contains("hunter")]
    "#;
    let outcome = with_body(body, script).ok();
    assert_eq!(*outcome.value(), json!([null, null, null, null, false]), "{outcome}");
}

#[test]
fn a_press_without_a_click_says_so() {
    let body = "<input id=i> <p id=e></p> <button id=b>Send</button>";
    let script = r#"
        eval_js("i.onblur = () => { e.style.height = '300px' }, i.focus(), 0");
        click(find("button", "Send")).hint
    "#;
    let outcome = with_body(body, script).ok();
    assert!(outcome.text().contains("no click followed"), "{outcome}");
}

#[test]
fn a_click_in_a_row_that_stayed_the_same_reads_nothing() {
    // Each click: look, three mouse events, and what came of them; for the first one, resolve. A reading would be two
    // more.
    const CLICK: i64 = 5;
    // New documents get their isolated world beside the script, which is two messages for each.
    const BESIDE: i64 = 4;
    let sent = |turns: usize| {
        let script = format!(
            "let page = tree(); let all = page.find_all(\"button\", \"Delete\");
             for turn in 0..{turns} {{ for button in all {{ click(button); }} }} eval_js(\"deleted.length\")"
        );
        let outcome = Stage::page("rows.html").script(&script).ok();
        assert_eq!(*outcome.value(), json!(3 * turns), "{outcome}");
        outcome.json()["stats"]["messages"].as_i64().expect("a number of messages")
    };
    let [none, once, six] = [0, 1, 6].map(sent);
    assert!((once - none - 3 * (CLICK + 1)).abs() <= BESIDE, "{none}, then {once}");
    assert!((six - once - 15 * CLICK).abs() <= BESIDE, "{once}, then {six}");
}

#[test]
fn a_row_that_changes_between_look_and_press_is_not_pressed() {
    let body =
        "<ul><li><b>Order 7</b> <button>Delete</button></li><li><b>Order 8</b> <button>Delete</button></li></ul>";
    let script = r#"
        let first = find_all("button", "Delete")[0];
        eval_js(`(() => {
            window.pressed = 0;
            document.querySelector("button").onclick = () => { pressed += 1 };
            // Set before the host's own watch, so the rows are recycled after its look and before it hears of the press.
            addEventListener("pointermove", () => { document.querySelector("b").textContent = "Order 9" }, true);
        })()`);
        let code = "clicked";
        try { click(first) } catch (e) { code = e.code }
        [code, eval_js("pressed")]
    "#;
    assert_eq!(*with_body(body, script).ok().value(), json!(["ref::changed", 0]));
}

#[test]
fn words_that_a_class_alone_shows_count() {
    let body = "<style>.b .keep, #b:not(.b) .drop { display: none }</style> \
                <button id=b><span class=keep>Keep</span><span class=drop>Delete all</span></button> <p id=n></p>";
    let script = r#"
        let keep = find("button", "Keep");
        click(keep);
        eval_js("b.className = 'b', b.onclick = () => { n.textContent = 'deleted' }, 0");
        let code = "";
        try { click(keep) } catch (e) { code = e.code; }
        eval_js("b.className = '', 0");
        click(keep);
        [code, text(query("p")[0])]
    "#;
    let outcome = with_body(body, script).ok();
    assert_eq!(*outcome.value(), json!(["ref::changed", "deleted"]), "{outcome}");
}

#[test]
fn what_a_button_shows_only_under_the_pointer_changes_nothing() {
    let body = "<style>.tip { display: none } :hover > .tip { display: inline; position: absolute; top: 90px }</style> \
                <button id=b>Save<span class=tip>writes the file</span></button> <button id=o>Other</button>";
    let script = r#"
        eval_js("window.n = 0, b.onclick = () => { n += 1 }, 0");
        let save = find("button", "Save");
        let other = find("button", "Other");
        for turn in 0..2 { click(save); click(save); click(other); }
        click(find("button", "Save"));
        eval_js("n")
    "#;
    let outcome = with_body(body, script).ok();
    assert_eq!(*outcome.value(), json!(5), "{outcome}");
}
