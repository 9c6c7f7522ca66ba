//! Filling many fields with one call: which field a key means, what each kind takes, and that nothing is touched
//! before all of it is known.

use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::stage::Stage;

#[test]
fn one_map_fills_every_kind_in_page_order() {
    let outcome = Stage::page("fill.html")
        .script(
            r##"
            let about = find("About you");
            let given = #{
                "First name": "Ann", "last NAME": "Lee", "E-mail address": "ann@x.test", "House no.": 12, "Country": "Portugal",
                "Toppings": ["Olives", "Corn"], "Born": "2001-02-03", "Colour": "#2255aa", "Volume": 70, "Age": 23, "Size": "Large",
                "Fast": true, "I agree": true, "Newsletter": false, "Night mode": true, "Password": "hush", "note": "one\ntwo",
                "street2": "Elm", "Card number": "4242", "Expires": "1230",
            };
            given[about] = "new";
            let result = fill(given);
            for field in result.fields { emit(field); }
            result.remove("fields");
            let card = find_all(#{role: "textbox", within: find("iframe", "Card")});
            [result, eval_js("[...new Set(order)]"), value(card[1]), eval_js("Object.fromEntries(new FormData(form).entries())"),
             eval_js("[about.innerText, form.elements.news.checked, [...form.elements.toppings.selectedOptions].map(o => o.value)]")]
            "##,
        )
        .ok();
    let rest = ["navigated", "opened_tab", "dialog", "download", "hint", "rebound"];
    let value = outcome.value();
    assert_eq!(value[0]["success"], json!(true));
    assert!(rest.iter().all(|key| value[0].get(key).is_some_and(Value::is_null)), "{outcome}");
    let order = [
        "first", "last", "mail", "house", "country", "toppings", "born", "colour", "volume", "age", "size", "pace",
        "agree", "news", "pass", "note", "about", "street2",
    ];
    assert_eq!(value[1], json!(order), "{outcome}");
    assert_eq!(value[2], "12/30");
    let wanted = [
        ("first", "Ann"),
        ("last", "Lee"),
        ("mail", "ann@x.test"),
        ("house", "12"),
        ("country", "pt"),
        ("born", "2001-02-03"),
        ("colour", "#2255aa"),
        ("volume", "70"),
        ("age", "23"),
        ("size", "l"),
        ("pace", "2"),
        ("agree", "on"),
        ("pass", "hush"),
        ("note", "one\r\ntwo"),
        ("street2", "Elm"),
    ];
    for (name, held) in wanted {
        assert_eq!(
            value[3][name].as_str().map(|text| text.replace("\r\n", "\n")),
            Some(held.replace("\r\n", "\n")),
            "{name}"
        );
    }
    assert_eq!(value[4], json!(["new", false, ["Olives", "Corn"]]));
    let told = |at: usize| {
        let row = &outcome.rows()[at];
        assert!(row.get("ref").is_some() && row.get("changed").is_some(), "{row}");
        json!([row["key"], row["label"], row["verb"], row["value"]])
    };
    assert_eq!(told(0), json!(["First name", "First name", "fill", "Ann"]));
    assert_eq!(told(10), json!(["Size", "Size", "check", "Large"]));
    assert_eq!(told(13), json!(["Newsletter", "Newsletter", "uncheck", false]));
    assert_eq!(told(15), json!(["Password", "Password", "fill", null]));
    assert_eq!(effects(&outcome).len(), 21, "one for each field:\n{outcome}");
}

/// The call and the outcome of each effect.
fn effects(outcome: &Outcome) -> Vec<(String, String)> {
    let text = |effect: &Value, key: &str| effect[key].as_str().unwrap_or_default().to_owned();
    let all = outcome.json()["effects"].as_array().cloned().unwrap_or_default();
    let acts = all.iter().filter(|effect| {
        ["fill", "select", "check", "uncheck"].iter().any(|verb| text(effect, "call").starts_with(verb))
    });
    acts.map(|effect| (text(effect, "call"), text(effect, "outcome"))).collect()
}

#[test]
fn nothing_is_touched_unless_every_key_can_be_used() {
    let outcome = Stage::page("fill.html")
        .script(
            r#"
            let said = #{};
            for pair in [
                ["unknown", #{"First name": "x", "Frist name": "x", "Nonsense": "x", "Street": "x"}],
                ["kinds", #{"First name": "x", "I agree": "yes", "Age": #{a: 1}, "Loud": true, "Fast": false}],
                ["values", #{"First name": "x", "Size": "Huge", "Country": "Peru", "Born": "3 May", "Short": "long", "Fixed": 1, "Photo": "a"}],
                ["twice", #{"First name": "x", "first": "y"}],
                ["both", #{"Small": true, "Size": "Large"}],
                ["gone", #{"First name": "x", "ref_999": "y"}],
                ["limits", #{"First name": "x", "Seats": 9, "Half": 1.5, "Day": "2031-02-03", "Slot": "10:07", "Wake": "late",
                    "Month": "May", "Week": "3", "Fast": true, "District": "a\nb"}],
                ["option", #{"First name": "x", submit: true}],
                ["disabled", #{"First name": "x", "Locked": "y"}],
            ] {
                try { fill(pair[1], #{timeout: 100}); } catch (e) { said[pair[0]] = e; }
            }
            emit(said);
            [eval_js("order.length"), eval_js("form.elements.first.value"), eval_js("document.activeElement.tagName")]
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([0, "old", "BODY"]), "{outcome}");
    let said = &outcome.rows()[0];
    let helps: Vec<&str> = said["limits"]["help"].as_str().unwrap_or_default().lines().collect();
    for help in [
        r#""Seats": pass a number from 1 to 6 for"#,
        r#""Half": pass a number in steps of 1 for"#,
        r#""Day": pass a date as YYYY-MM-DD from 2030-01-01 to 2030-12-31 for"#,
        r#""Slot": pass a time as HH:MM from 09:00 in steps of 15 minutes for"#,
        r#""Wake": pass a time as HH:MM for"#,
        r#""Month": pass a month as YYYY-MM for"#,
        r#""Week": pass a week as YYYY-Www, such as 2031-W07 for"#,
        r#""District": pass one line for"#,
    ] {
        assert!(helps.iter().any(|line| line.starts_with(help)), "{help}\n{outcome}");
    }
    assert_eq!(helps.len(), 8, "{outcome}");
    assert!(
        said["option"]["help"].as_str().is_some_and(|help| help.contains("`fill(#{…}, #{submit: true})`")),
        "{outcome}"
    );
    let problems = |name: &str| -> Vec<(String, String)> {
        let list = said[name]["problems"].as_array().cloned().unwrap_or_default();
        let text = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        list.iter().map(|problem| (text(problem, "key"), text(problem, "code"))).collect()
    };
    let pairs =
        |list: &[(&str, &str)]| list.iter().map(|&(key, code)| (key.to_owned(), code.to_owned())).collect::<Vec<_>>();
    assert_eq!(said["unknown"]["code"], "find::none");
    assert_eq!(
        problems("unknown"),
        pairs(&[("Frist name", "find::none"), ("Nonsense", "find::none"), ("Street", "find::ambiguous")])
    );
    assert_eq!(said["unknown"]["problems"][0]["nearest"][0]["name"], "First name: *");
    assert_eq!(said["unknown"]["problems"][2]["nearest"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        problems("kinds"),
        pairs(&[("Age", "args::type"), ("Fast", "args::value"), ("I agree", "args::value"), ("Loud", "args::value")])
    );
    let mut values = problems("values");
    values.sort();
    assert_eq!(
        values,
        pairs(&[
            ("Born", "args::value"),
            ("Country", "act::no_option"),
            ("Fixed", "act::readonly"),
            ("Photo", "act::not_typable"),
            ("Short", "args::value"),
            ("Size", "act::no_option"),
        ])
    );
    for (name, code, fact) in [
        ("twice", "args::value", "parameter"),
        ("both", "args::value", "parameter"),
        ("gone", "ref::unknown", "ref"),
        ("disabled", "act::disabled", "was"),
        ("option", "args::option", "problems"),
    ] {
        assert_eq!(said[name]["code"], code, "{name}\n{outcome}");
        let message = said[name]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("nothing was filled: "), "{name}\n{outcome}");
        assert!(
            said[name].get(fact).is_some(),
            "{name}: the facts of the only problem are those of the whole:\n{outcome}"
        );
    }
}

#[test]
fn where_filling_stops_is_told_with_what_is_done() {
    let script = "fill(#{\"First name\": \"Ann\", \"Loud\": \"quiet\", \"street1\": \"Elm\", \"Size\": \"Large\"})";
    let outcome = Stage::page("fill.html").script(script).fails("act::not_kept");
    let keys = |name: &str| -> Vec<String> {
        let fields = outcome.fact(name).as_array().cloned().unwrap_or_default();
        fields.iter().filter_map(|field| field["key"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(keys("filled"), ["First name", "Size"]);
    assert_eq!((&outcome.fact("field")["label"], outcome.fact("kept")), (&json!("Loud"), &json!("QUIET")));
    assert_eq!(keys("not_started"), ["street1"]);
    let outcomes: Vec<String> = effects(&outcome).into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(outcomes, ["done", "done", "done", "not_done"], "what was written and not kept is done:\n{outcome}");
}

#[test]
fn a_map_waits_submits_and_is_told_from_a_node() {
    let outcome = Stage::page("/pages/fill.html?soon")
        .script(
            r#"
            eval_js("setTimeout(() => form.insertAdjacentHTML('beforeend', '<label>Late <input name=late></label>'), 300)");
            fill(#{"Locked": "open", "Late": "here"}, #{submit: true});
            eval_js("[form.elements.locked.value, form.elements.late.value, sent, trusted]")
            "#,
        )
        .ok();
    assert_eq!(*outcome.value(), json!(["open", "here", 1, true]));
    let outcome = Stage::page("fill.html").script("fill(#{\"Town\": \"Porto\", \"District\": \"Foz\"}).success").ok();
    assert_eq!(*outcome.value(), json!(true), "an open list of options covers no next field");
    let script = "fill(#{\"Town\": \"Nowhere\", \"District\": \"Foz\"})";
    let outcome = Stage::page("fill.html").script(script).fails("act::not_kept");
    assert_eq!((&outcome.fact("field")["key"], outcome.fact("kept")), (&json!("Town"), &json!("")));
    Stage::page("fill.html").script("fill(node(find(\"Last name\")))").fails("args::count");
    let outcome = Stage::page("fill.html").script("fill(find(\"Last name\"))").fails("args::count");
    assert!(outcome.help().contains("`fill(#{label: value, …})`"), "{outcome}");
    Stage::page("fill.html").script("fill(#{})").fails("args::value");
    Stage::page("fill.html").script("fill(#{\"Last name\": 1}, #{submt: true})").fails("args::option");
}

#[test]
fn words_behind_fields_name_them_and_lost_values_are_told() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js(`document.body.innerHTML = '<div><input id=a><label>First name</label></div><div><input id=b><label>Last name</label></div>'
                + '<div><input id=c><label>Phone</label></div><p><label>City <input id=d></label><label>Country <select id=e><option>PT<option>FR</select></label></p>';
                e.onchange = () => c.value = d.value = '';`);
            fill(#{"First name": "Ann", "Last name": "Lee"});
            emit(eval_js("[a.value, b.value, c.value]"));
            fill(#{"Phone": "12", "City": "Porto", "Country": "FR"});
            "#,
        )
        .fails("act::not_kept");
    assert_eq!(outcome.rows()[0], json!(["Ann", "Lee", ""]));
    let keys: Vec<&Value> =
        outcome.fact("filled").as_array().into_iter().flatten().map(|field| &field["key"]).collect();
    assert_eq!((&outcome.fact("field")["key"], keys), (&json!("Phone"), vec![&json!("Country")]));
    assert_eq!((outcome.fact("kept"), &outcome.fact("lost")[1]["key"]), (&json!(""), &json!("City")));
    for key in ["Phone", "City"] {
        assert!(outcome.message().contains(&format!("\"{key}\"")), "{outcome}");
    }
}

#[test]
fn boxes_that_only_their_labels_show_are_fields() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js(`document.body.innerHTML = '<style>.off input { display: none } .clip input { position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px }'
                + ' .faint input { opacity: 0; position: absolute } .unseen input { visibility: hidden }</style>'
                + '<label class=off><input type=checkbox id=a> I agree</label> <span class=off><input type=checkbox id=b><label for=b>Letters</label></span>'
                + '<label class=clip><input type=checkbox id=c> Terms</label> <label class=faint><input type=checkbox id=d> Offers</label>'
                + '<label class=unseen><input type=checkbox id=e checked> Share</label>'
                + '<fieldset class=off><legend>Pay</legend><label><input type=radio name=pay id=f>Card</label> <label><input type=radio name=pay id=g>Cash</label></fieldset>'
                + '<div style="display: none"><label><input type=checkbox> Gone</label></div>'`);
            let result = fill(#{"I agree": true, "Letters": true, "Terms": true, "Offers": true, "Share": false, "Pay": "Cash"});
            emit([result.hint, eval_js("[a, b, c, d, e, f, g].map(box => box.checked)")]);
            uncheck(find("Letters"));
            let near = ();
            try { find(#{role: "checkbox", name: "I agree", timeout: 0}) } catch (e) { near = e.nearest[0]; }
            emit([near.why, uncheck(near["ref"]).method, eval_js("[a, b].map(box => box.checked)")]);
            fill(#{"Gone": true}, #{timeout: 100});
            "#,
        )
        .fails("find::none");
    assert_eq!(outcome.rows()[0], json!([null, [true, true, true, true, false, false, true]]), "{outcome}");
    let why = "hidden: it is not displayed; `check` presses its label";
    assert_eq!(outcome.rows()[1], json!([why, "label", [false, false]]), "{outcome}");
}

#[test]
fn what_a_part_or_another_tab_has_is_told() {
    let outcome = Stage::page("fill.html")
        .script(
            r#"
            fn told(action) { let said = ""; try { action.call(); } catch (e) { said = e.message + " / " + e.help; } said }
            let said = [];
            fill(#{"Small": true}, #{within: find("group", "Size")});
            said.push(told(|| fill(#{"Fast": true}, #{within: find("group", "Size"), timeout: 0})));
            let frame = frames()[1].frame;
            fill(#{"Expires": "1230"}, #{frame: frame});
            said.push(told(|| fill(#{"First name": "x"}, #{frame: frame, timeout: 0})));
            said.push(told(|| fill(#{"First name": "x"}, #{frame: "fill_card"})));
            said.push(told(|| fill(find("Last name"), "x", #{within: find("Last name")})));
            said.push(told(|| select(find("group", "Size"), "Large")));
            said.push(told(|| select(find("group", "Size"), "Huge")));
            said.push(told(|| fill(find("radio", "Fast"), "Slow")));
            said.push(text(find("combobox", "Country")) + "|" + text(find("listbox", "Toppings")));
            let here = tabs()[0].tab;
            new_tab(url().split("/pages/")[0] + "/pages/basic.html");
            let other = tabs()[1].tab;
            tab(here);
            said.push(told(|| fill(#{"City": "x"}, #{timeout: 0})));
            tab(other);
            tree();
            tab(here);
            said.push(told(|| fill(#{"City": "x"}, #{timeout: 0})));
            said.push(told(|| wait_for(#{url: "/done", timeout: 0})));
            said.push(told(|| wait_for(#{name: "Last name", value: "Lee", timeout: 0})));
            emit(said);
            eval_js("form.elements.size.value")
            "#,
        )
        .ok();
    let says = [
        "no field is named \"Fast\"",
        "no field is named \"First name\"",
        "expected the `frame` of one of `frames()`: \"frame_2\"",
        "`within` of `fill` is given for a single field",
        "it is a group of radio buttons / use `check(\"ref_",
        "has no option \"Huge\" / choose one of: Small, Large",
        "it is a radio button / use `check(\"ref_",
        "Choose|Olives\nHam\nCorn",
        "if it stands in another tab, call `tab(\"tab_2\")` first",
        "one of `tab_2` is",
        "the address is \"http://",
        "the value is \"\"",
    ];
    for (at, part) in says.iter().enumerate() {
        assert!(outcome.rows()[0][at].as_str().is_some_and(|said| said.contains(part)), "{part}\n{outcome}");
    }
    assert_eq!(*outcome.value(), json!("s"));
}

#[test]
fn keys_that_cannot_be_used_are_underlined() {
    let script = "fill(#{ \"First name\": \"x\", \"Frist name\": 1, \"Seats\": 9 }, #{timeout: 0});";
    let ended = Stage::page("fill.html").script(script).rendered();
    for label in ["no field has this name", "expected a number from 1 to 6"] {
        assert!(ended.stderr.contains(label), "{}", ended.stderr);
    }
    let ended = Stage::page("fill.html").script("fill(#{ \"Seats\": 9 });").rendered();
    assert!(ended.stderr.contains("nothing was filled: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("╰── expected a number from 1 to 6"), "{}", ended.stderr);
}
