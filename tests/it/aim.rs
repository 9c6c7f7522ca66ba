//! Where presses land: the element itself through frames, shadow roots and odd shapes, or nothing at all.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn frames_are_scrolled_to_and_hit_through_their_transforms() {
    let outcome = Stage::page("aim_frames.html")
        .script(
            r#"
            for who in ["plain", "small", "turned"] {
                eval_js("scrollTo(0, 0)");
                click(wait_for(#{role: "button", name: "Go " + who}));
            }
            wait_for(#{role: "button", name: "Go small"});
            eval_js("new Promise(done => setTimeout(() => done(heard.map(word => word.split(':')[0])), 100))")
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["plain", "small", "turned"]));
}

#[test]
fn what_lies_over_a_frame_covers_what_stands_in_it() {
    let outcome = Stage::page("aim_frames.html")
        .script(
            r#"
            let codes = [];
            for who in ["plain", "small", "turned"] {
                let inside = wait_for(#{role: "button", name: "Go " + who});
                eval_js("cover('" + who + "')");
                try { click(inside, #{timeout: 400}); codes.push("clicked"); } catch (e) { codes.push(e.code); }
            }
            [codes, eval_js("strays"), eval_js("heard.length")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([["act::covered", "act::covered", "act::covered"], 0, 0]));
}

#[test]
fn odd_shapes_are_hit_where_they_are() {
    let outcome = Stage::page("aim.html")
        .script(
            r##"
            click(shadow_query(query("#closed")[0], "button")[0]);
            for css in ["#contents", "#path", "#ring", "#form"] { click(query(css)[0]); }
            let hashes = [];
            for css in ["#box", "#disc"] { click(query(css)[0]); hashes.push(eval_js("location.hash")); }
            [eval_js("log"), hashes]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([["closed", "contents", "icon", "ring", "form"], ["#box", "#disc"]]));
}

#[test]
fn refusals_name_their_reason() {
    let outcome = Stage::page("aim.html")
        .script(
            r##"
            let said = [];
            for css in ["#fieldset", "#aria", "#inside", "#option"] {
                try { click(query(css)[0], #{timeout: 250}); said.push("clicked"); } catch (e) { said.push(e.message); }
            }
            let opened = click(query("#summary")[0]);
            click(query("#inside")[0]);
            [said, opened.changed.states.expanded, eval_js("log")]
            "##,
        )
        .ok();
    let said = outcome.value()[0].to_string();
    for part in ["is disabled", "a closed details element", "select(ref, option)"] {
        assert!(said.contains(part), "{part}: {outcome}");
    }
    assert_eq!(outcome.value().as_array().expect("a list")[1..], [json!("true"), json!(["inside"])]);
}

#[test]
fn an_open_modal_is_named_as_what_covers() {
    let outcome = Stage::page("aim.html")
        .script(
            r##"
            let behind = query("#behind")[0];
            eval_js("document.querySelector('dialog').showModal()");
            let caught = ();
            try { click(behind, #{timeout: 250}) } catch (e) { caught = e; }
            click(query("#close")[0]);
            click(behind);
            [caught.code, caught.inert, caught.coverer.role, eval_js("log")]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["act::covered", true, "dialog", ["behind"]]));
}

#[test]
fn boxes_are_ticked_by_label_and_read_back() {
    let outcome = Stage::page("aim.html")
        .script(
            r##"
            let hidden = query("#hidden_box")[0];
            let methods = [check(hidden).method, check(hidden).method, uncheck(hidden).method, check(query("#switch")[0]).method];
            let codes = [];
            try { check(query("#stuck")[0]) } catch (e) { codes.push(e.code); }
            check(query("#radio")[0]);
            try { uncheck(query("#radio")[0]) } catch (e) { codes.push(e.code); }
            try { check(query("#behind")[0]) } catch (e) { codes.push(e.code); }
            [methods, codes, eval_js("hidden_box.checked"), eval_js("radio.checked")]
            "##,
        )
        .ok();
    let codes = ["act::not_kept", "args::value", "args::value"];
    assert_eq!(*outcome.value(), json!([["label", "none", "label", "mouse"], codes, false, true]));
}

#[test]
fn a_press_never_lands_on_what_moved_into_its_place() {
    let outcome = Stage::page("moving.html")
        .script(
            r##"
            let codes = [];
            let waited = 0;
            for css in ["#calm", "#ever", "#dodger", "#runaway", "#fresh"] {
                try { click(query(css)[0], #{timeout: 600}); codes.push("clicked"); } catch (e) {
                    codes.push(e.code);
                    if css == "#runaway" { waited = e.waited_ms; }
                }
            }
            [codes, eval_js("log"), waited > 400]
            "##,
        )
        .ok();
    // What dodges once is pressed where it came to rest.
    let codes = ["clicked", "act::moving", "clicked", "act::moving", "ref::stale"];
    assert_eq!(*outcome.value(), json!([codes, ["calm", "dodger"], true]), "{outcome}");
}

#[test]
fn a_label_is_not_pressed_on_its_link() {
    let body = "<style>input{display:none}</style><label style='display:inline-block;padding:2px'><input type=checkbox id=c>\
                <a href='second.html'>terms of service, all of them</a> ok</label>";
    let set = serde_json::to_string(&format!("void (document.body.innerHTML = {})", json!(body))).expect("a text");
    let script = format!("eval_js({set}); check(query(\"label\")[0]); [eval_js(\"c.checked\"), title()]");
    let outcome = Stage::page("basic.html").script(&script).ok();
    assert_eq!(*outcome.value(), json!([true, "Basic"]), "{outcome}");
}

#[test]
fn the_second_press_of_a_double_click_reaches_no_other_element() {
    let body = "<ul id=l></ul>";
    let setup = "window.gone = [], window.left = ['a', 'b', 'c'], window.draw = () => { l.innerHTML = \
                 left.map((n) => `<li><b>${n}</b> <button data-n=${n}>Delete</button></li>`).join('') }, draw(), \
                 l.onclick = (e) => { const n = e.target.dataset.n; if (n) { gone.push(n); left = left.filter((m) => m !== n); draw() } }, 0";
    let set = serde_json::to_string(&format!("void (document.body.innerHTML = {})", json!(body))).expect("a text");
    let script = format!(
        "eval_js({set}); eval_js({}); let code = \"\";
         try {{ click(find_all(\"button\", \"Delete\")[0], #{{count: 2}}) }} catch (e) {{ code = e.code; }}
         [code, eval_js(\"gone\")]",
        json!(setup)
    );
    let outcome = Stage::page("basic.html").script(&script).ok();
    assert_eq!(*outcome.value(), json!(["act::unknown", ["a"]]), "{outcome}");
}
