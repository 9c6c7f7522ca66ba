//! Fields: what typing and filling leave in each kind, and what is said when the page keeps something else.

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn typing_goes_on_at_the_end_in_every_kind() {
    let outcome = Stage::page("fields.html")
        .script(
            r##"
            [type(query("#mail")[0], ".c").value, type(query("#number")[0], "3").value, type(query("#rich")[0], "!").value,
             type(query("#lines")[0], "\ntwo").value, type(query("#widget")[0], "ab").success, eval_js("keys")]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["a@b.c", "123", "old bold!", "one\ntwo", true, "ab"]));
}

#[test]
fn filling_replaces_and_clears_where_frameworks_notice() {
    let outcome = Stage::page("fields.html")
        .script(
            r##"
            let controlled = query("#controlled")[0];
            fill(controlled, "");
            let cleared = eval_js("state");
            fill(controlled, "new");
            let rich = fill(query("#rich")[0], "line 1\nline 2").value;
            fill(query("#rich")[0], "");
            [cleared, eval_js("state"), rich, eval_js("rich.textContent"), fill(query("#moment")[0], "2031-02-03 10:20").value]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["", "new", "line 1\nline 2", "", "2031-02-03T10:20"]));
}

#[test]
fn what_the_page_made_of_a_value_is_said() {
    let outcome = Stage::page("fields.html")
        .script(
            r##"
            let said = [];
            for pair in [["#day", "2031-02-30"], ["#volume", "700"], ["#upper", "abc"], ["#cents", "1234"], ["#short", "abcdef"],
                ["#slash", "42abc"], ["#bang", "Hello"]] {
                try { fill(query(pair[0])[0], pair[1]); said.push("kept"); } catch (e) { said.push([e.code, e.kept]); }
            }
            for pair in [["#slash", "1234"], ["#phone", "5551234"], ["#key", "AB12CD34"]] { said.push(fill(query(pair[0])[0], pair[1]).value); }
            [said, fill(query("#unit")[0], "5").success, eval_js("[day.value, volume.value]")]
            "##,
        )
        .ok();
    let not_kept = |kept: &str| json!(["act::not_kept", kept]);
    let mut said: Vec<Value> = ["2020-01-01", "50", "ABC", "12.34", "••••", "4/2abc", "Hello!"].map(not_kept).to_vec();
    said.extend(["1/234", "(555) 1234", "AB12-CD34"].map(Value::from));
    assert_eq!(*outcome.value(), json!([said, true, ["2020-01-01", "50"]]));
}

#[test]
fn submit_commits_options_and_sends_forms() {
    let outcome = Stage::page("fields.html")
        .script(
            r##"
            fill(query("#question")[0], "hello", #{submit: true});
            fill(query("#combo")[0], "o", #{submit: true});
            [eval_js("sent"), eval_js("picked")]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["hello", "one"]));
}

#[test]
fn options_are_refused_with_the_reason() {
    let outcome = Stage::page("fields.html")
        .script(
            r##"
            let list = query("#stubborn")[0];
            let said = [];
            for wanted in ["Z", "W", "Q", "Y"] {
                try { select(list, wanted); said.push("selected"); } catch (e) { said.push([e.code, if "reason" in e { e.reason } else { "" }]); }
            }
            said
            "##,
        )
        .ok();
    let no_option = |reason: &str| json!(["act::no_option", reason]);
    let mut wanted: Vec<Value> = ["disabled", "ambiguous", "missing"].map(no_option).to_vec();
    wanted.push(json!(["act::not_kept", ""]));
    assert_eq!(*outcome.value(), json!(wanted));
}

#[test]
fn sensitive_values_stay_in_their_fields() {
    let outcome = Stage::page("fields.html")
        .script(
            r##"
            let codes = [];
            try { press(query("#card")[0], "Control+C") } catch (e) { codes.push(e.code); }
            click(query("#card")[0]);
            try { press("Control+X") } catch (e) { codes.push(e.code); }
            press("Control+A");
            press("9");
            [codes, eval_js("card.value")]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([["policy::secret", "policy::secret"], "9"]));
}

#[test]
fn a_field_that_refuses_the_focus_is_not_typed_into() {
    let outcome = Stage::page("fields.html").script("type(query(\"#shy\")[0], \"x\")").fails("act::not_typable");
    assert_eq!(*outcome.fact("kind"), "an element that does not take the focus");
}

#[test]
fn keys_go_where_they_should_after_a_dialog_ended_the_writing() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("city.addEventListener('input', () => { alert('typed'); city.blur(); }, {once: true})");
            emit(fill(find("City"), "Faro").dialog.message);
            accept();
            eval_js("document.body.insertAdjacentHTML('beforeend', '<input id=other>'), other.focus()");
            press("x");
            eval_js("other.value")
            "#,
        )
        .ok();
    assert_eq!((outcome.value(), &outcome.rows()[0]), (&json!("x"), &json!("typed")), "{outcome}");
}

#[test]
fn limits_are_one_rule_for_one_field_and_for_many() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js(`document.body.innerHTML = '<form onsubmit="return false"><label>Seats <input type=number min=1 max=9 step=2 value=3></label>'
                + '<label>Day <input type=date min=2030-01-01></label></form><form novalidate><label>Free <input type=number max=9></label></form>'`);
            let said = [];
            for pair in [["Seats", 4], ["Day", "2029-01-01"]] {
                let fields = #{};
                fields[pair[0]] = pair[1];
                let words = [];
                for way in [|| fill(find(pair[0]), pair[1]), || fill(fields)] {
                    try { way.call(); words.push("filled"); } catch (e) { words.push(e.code + e.message.split("expected ")[1]); }
                }
                said.push(words[0] == words[1] && words[0].starts_with("args::value"));
            }
            emit([value(find("Seats")), fill(find("Seats"), 5).value, fill(find("Free"), 50).value, type(find("Free"), 0).hint]);
            emit(type(find("Seats"), 1).hint);
            said
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, true]), "{outcome}");
    assert_eq!(outcome.rows()[0], json!(["3", "5", "50", null]), "{outcome}");
    let hint = "it takes a number from 1 to 9 in steps of 2: the browser does not send its form with what it holds now";
    assert_eq!(outcome.rows()[1], hint, "{outcome}");
}

#[test]
fn characters_that_nobody_sees_are_told_where_they_matter() {
    let script = r#"fill(find("City"), "Vila\u200b\nNova\u00a0de")"#;
    let outcome = Stage::page("basic.html").script(script).fails("act::not_kept");
    let told = r#"holds "Vila\u{200b} Nova\u{a0}de" after "Vila\u{200b}\nNova\u{a0}de" was written"#;
    assert!(outcome.message().contains(told), "{outcome}");
    assert_eq!(outcome.help(), "write one line");
    let script = r#"
        eval_js("city.oninput = () => { city.value = city.value.replace('  ', ' ') }");
        fill(find("City"), "Vila  Nova")
    "#;
    let outcome = Stage::page("basic.html").script(script).fails("act::not_kept");
    assert!(outcome.message().contains(r#"holds "Vila Nova" after "Vila  Nova" was written"#), "{outcome}");
}

#[test]
fn what_is_written_reaches_no_other_field() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js(`document.body.innerHTML = '<label>Search <input id=b></label> <label>Password <input type=password id=c></label> '
                + '<label>Zip <input id=z></label> <label>Digit <input id=d maxlength=1></label> <label>Next <input id=e></label> '
                + '<label>Name <input id=n></label>';
                c.onfocus = () => Promise.resolve().then(() => b.focus());
                z.onkeydown = () => b.focus();
                d.oninput = () => e.focus();
                n.oninput = () => n.replaceWith(document.createElement('input'));`);
            let said = [];
            try { fill(find("Password"), "hush"); said.push("done"); } catch (e) { said.push([e.code, e.message]); }
            try { type(find("Password"), "hush"); said.push("done"); } catch (e) { said.push([e.code, e.message]); }
            try { fill(#{"Password": "hush"}); said.push("done"); } catch (e) { said.push([e.code, e.message]); }
            try { type(find("Zip"), "12"); said.push("done"); } catch (e) { said.push([e.code, e.message]); }
            try { fill(find("Name"), "Ann"); said.push("done"); } catch (e) { said.push([e.code, e.message]); }
            type(find("Digit"), "123");
            type(find("Search"), "free");
            [said, eval_js("[b.value, c.value, z.value, d.value, e.value]")]
            "#,
        )
        .ok();
    let (said, values) = (&outcome.value()[0], &outcome.value()[1]);
    for at in 0..5 {
        assert_eq!(said[at][0], "act::unknown", "{outcome}");
        let evidence = if at == 4 { "took the field away" } else { "moved the focus to textbox \"Search\"" };
        assert!(said[at][1].as_str().is_some_and(|message| message.contains(evidence)), "{outcome}");
    }
    assert_eq!(*values, json!(["free", "", "", "1", "23"]), "{outcome}");
}

#[test]
fn a_field_without_a_name_is_told_and_found_by_the_words_beside_it() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("document.body.innerHTML = '<p>Street</p><textarea></textarea><label>Town <input></label>'");
            let street = find("textbox", "Street");
            fill(street, "Elm Row 5");
            [tree().text.contains("textbox \"\" [" + street + "] guessed=\"Street\" value=\"Elm Row 5\""), value(street)]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([true, "Elm Row 5"]), "{outcome}");
}
