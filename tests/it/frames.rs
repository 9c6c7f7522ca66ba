//! Frames and shadow roots: listed, read and acted in without being entered.

use serde_json::{Value, json};

use crate::site;
use crate::stage::Stage;

#[test]
fn frames_are_listed_with_parent_origin_and_owner() {
    let outcome =
        Stage::page("frames.html").script(r#"wait_for(#{role: "button", name: "Go other21"}); frames()"#).ok();
    let frames = outcome.value().as_array().expect("a list");
    let with = |part: &str| {
        let mut found = frames.iter().filter(|frame| frame["url"].as_str().is_some_and(|url| url.contains(part)));
        found.next().unwrap_or_else(|| panic!("no frame with {part}\n{outcome}"))
    };
    let (same, other, deeper, deepest) =
        (with("who=same"), with("who=other&"), with("who=other2&"), with("who=other21"));
    assert_eq!((&same["cross_origin"], &other["cross_origin"]), (&json!(false), &json!(true)), "{outcome}");
    assert_eq!(deeper["parent"], other["frame"], "{outcome}");
    assert_eq!(deepest["parent"], deeper["frame"], "{outcome}");
    assert_eq!(other["origin"], json!(format!("http://localhost:{}", site::port())), "{outcome}");
    assert_eq!(same["name"], "same", "{outcome}");
    for frame in frames {
        for key in ["frame", "parent", "url", "origin", "name", "ref", "cross_origin", "read"] {
            assert!(frame.get(key).is_some(), "{key} of {frame}");
        }
        assert_eq!(frame["read"], true, "{frame}");
    }
    let labels: std::collections::BTreeSet<_> = frames.iter().map(|frame| frame["frame"].to_string()).collect();
    assert_eq!(labels.len(), frames.len(), "labels are unique: {outcome}");
}

#[test]
fn acting_needs_no_entering_of_frames() {
    let outcome = Stage::page("frames.html")
        .script(
            r#"
            let deep = wait_for(#{role: "button", name: "Go other21"});
            let words = find_all("textbox", "Word");
            fill(words[words.len() - 1], "deep");
            click(deep);
            fill(words[0], "near");
            click(find("button", "Go same"));
            sleep(200);
            [words.len(), eval_js("heard")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([4, ["other21:deep", "same:near"]]));
}

#[test]
fn nodes_know_their_frame_and_stand_in_the_top_viewport() {
    let outcome = Stage::page("frames.html")
        .script(
            r#"
            let inside = node(find("button", "Go same"));
            let outside = node(find("heading", "Outer page"));
            [inside.frame != outside.frame, inside.rect.y > outside.rect.y, inside.rect.x > 8.0]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, true, true]));
}

#[test]
fn a_frame_that_arrives_late_is_read() {
    let outcome = Stage::page("basic.html")
        .arg("inner", &site::other_url("/pages/inner.html?who=late"))
        .script(
            r#"
            tree();
            eval_js("const f = document.createElement('iframe'); f.src = '" + arg("inner") + "'; document.body.append(f); 1");
            click(find("button", "Go late"));
            find("heading", "Frame late").contains("ref_")
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(true));
}

#[test]
fn a_sandboxed_and_a_srcdoc_frame_are_read() {
    let outcome = Stage::page("basic.html")
        .arg("inner", &site::url("/pages/second.html"))
        .script(
            r#"
            eval_js("document.body.insertAdjacentHTML('beforeend', '<iframe sandbox src=\"" + arg("inner") + "\"></iframe><iframe srcdoc=\"<button>From srcdoc</button>\"></iframe>'); 1");
            let written = find("button", "From srcdoc");
            let sandboxed = find("heading", "Second");
            [written.contains("ref_"), sandboxed.contains("ref_")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, true]));
}

#[test]
fn a_press_on_an_iframe_goes_into_it_and_sandboxes_have_an_origin_of_their_own() {
    let outcome = Stage::page("basic.html")
        .arg("same", &site::url("/pages/pressed.html"))
        .arg("other", &site::other_url("/pages/pressed.html"))
        .script(
            r#"
            eval_js("document.body.innerHTML = ''");
            for one in [["Same", arg("same"), ""], ["Other", arg("other"), ""], ["Boxed", arg("same"), "sandbox=allow-scripts"]] {
                eval_js(`document.body.insertAdjacentHTML('beforeend', '<iframe ${one[2]} title=${one[0]} src="${one[1]}"></iframe>')`);
            }
            let told = [];
            for name in ["Same", "Other", "Boxed"] {
                wait_for(#{role: "iframe", name: name});
                let owner = find("iframe", name);
                wait_for(#{text: "Press here", timeout: 3000});
                let report = click(owner);
                let frame = frames().filter(|frame| frame.ref == owner)[0];
                wait_for(#{name: "Pressed", frame: frame.frame});
                told.push([report.method, report.hint.contains("`" + frame.frame + "`"), frame.cross_origin, frame.origin == "null"]);
            }
            told
            "#,
        )
        .ok();
    let row = |crosses: bool, opaque: bool| json!(["mouse", true, crosses, opaque]);
    assert_eq!(*outcome.value(), json!([row(false, false), row(true, false), row(true, true)]), "{outcome}");
}

#[test]
fn shadow_query_reaches_open_closed_and_nested_roots() {
    let outcome = Stage::page("shadow.html")
        .script(
            r#"
            let everywhere = shadow_query("button.press");
            let host = query("closed-card")[0];
            let inside = shadow_query(host, "button.press");
            let field = shadow_query(host, "input")[0];
            fill(field, "secret garden");
            click(inside[0]);
            let open = query("open-card")[0];
            click(shadow_query(open, ".press")[0]);
            [everywhere.len(), inside.len() >= 1, query("button.press").len(), eval_js("pressed")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([3, true, 0, ["closed:secret garden", "open:"]]));
}

#[test]
fn shadow_query_looks_into_frames_too() {
    let outcome = Stage::page("basic.html")
        .arg("inner", &site::other_url("/pages/shadow.html"))
        .script(
            r#"
            eval_js("const f = document.createElement('iframe'); f.src = '" + arg("inner") + "'; document.body.append(f); 1");
            find("button", "Press nested");
            shadow_query("input.field").len()
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(3));
}

#[test]
fn eval_js_hands_elements_out_as_refs_and_awaits_promises() {
    let outcome = Stage::page("frames.html")
        .script(
            r#"
            let got = eval_js("({ word: frames[0].document.getElementById('word'), n: [1, 2.5, 'x', null, true] })");
            fill(got.word, "handed out");
            let late = eval_js("new Promise(done => setTimeout(() => done('late'), 100))");
            [got.n, value(got.word), late, eval_js("undefined"), tree().text.contains(got.word)]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([[1, 2.5, "x", null, true], "handed out", "late", null, true]));
}

#[test]
fn a_script_error_of_the_page_is_told() {
    let outcome = Stage::page("basic.html").script("eval_js(\"nothing.here\")").run();
    assert!(!outcome.is_ok(), "{outcome}");
    assert!(outcome.message().contains("nothing is not defined"), "{outcome}");
    assert_ne!(outcome.error().map_or(&Value::Null, |error| &error["line"]), &Value::Null, "{outcome}");
}

#[test]
fn a_click_after_a_scroll_does_not_reach_the_frame_that_was_there() {
    let frame = site::other_url("/pages/inner.html?who=above");
    let body = format!(
        "<div style='height:300px'></div><iframe src='{frame}' width=600 height=500></iframe>\
         <div><button id=below>Below</button></div><div style='height:300px'></div>"
    );
    let script = format!(
        r#"
        eval_js({});
        wait_for(#{{role: "button", name: "Go above"}});
        eval_js("window.hits = 0, below.onclick = () => {{ hits += 1 }}, 0");
        for turn in 0..6 {{
            eval_js("scrollTo(0, 0), new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
            click(find("button", "Below"));
        }}
        eval_js("hits")
        "#,
        serde_json::to_string(&format!("void (document.body.innerHTML = {})", json!(body))).expect("a text")
    );
    assert_eq!(*Stage::page("basic.html").script(&script).ok().value(), json!(6));
}

#[test]
fn a_frame_that_waits_to_be_seen_costs_nothing() {
    let script = r#"
        click(find(#{role: "button", name: "Go", timeout: 1500}));
        let seen = [];
        for frame in frames() { seen.push(frame.read); }
        query("h1").len();
        [seen, tree().counters.frames_unread, find("button", "Gone").contains("ref_")]
    "#;
    let outcome = Stage::page("lazy.html").script(script).ok();
    assert_eq!(*outcome.value(), json!([[true, true, false], 1, true]), "{outcome}");
}

#[test]
fn the_frames_of_a_document_go_with_it() {
    let script = r#"
        let save = find("button", "Save");
        reload();
        let cause = "";
        try { click(save) } catch (e) { cause = e.cause; }
        [cause, query("h1").len(), frames().len()]
    "#;
    let outcome = Stage::page("lazy.html").script(script).ok();
    assert_eq!(*outcome.value(), json!(["frame_gone", 2, 3]), "{outcome}");
}

#[test]
fn back_takes_back_what_went_on_in_a_frame() {
    let script = r#"
        click(find("link", "Back to basic"));
        find(#{role: "heading", name: "Basic", within: find("iframe", "Near")});
        let at = back();
        find(#{role: "heading", name: "Second", within: find("iframe", "Near")});
        at.title
    "#;
    let outcome = Stage::page("lazy.html").script(script).ok();
    assert_eq!(*outcome.value(), json!("Lazy"), "{outcome}");
}
