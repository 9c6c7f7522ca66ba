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
    for (name, code) in
        [("twice", "args::value"), ("both", "args::value"), ("gone", "ref::unknown"), ("disabled", "act::disabled")]
    {
        assert_eq!(said[name]["code"], code, "{name}\n{outcome}");
        assert!(said[name].get("problems").is_none(), "one problem is told as for that field alone:\n{outcome}");
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
                e.onchange = () => d.value = '';`);
            fill(#{"First name": "Ann", "Last name": "Lee"});
            emit(eval_js("[a.value, b.value, c.value]"));
            fill(#{"Phone": "12", "City": "Porto", "Country": "FR"});
            "#,
        )
        .fails("act::not_kept");
    assert_eq!(outcome.rows()[0], json!(["Ann", "Lee", ""]));
    let keys: Vec<&Value> =
        outcome.fact("filled").as_array().into_iter().flatten().map(|field| &field["key"]).collect();
    assert_eq!((&outcome.fact("field")["key"], keys), (&json!("City"), vec![&json!("Phone"), &json!("Country")]));
    assert_eq!(outcome.fact("kept"), "");
}
