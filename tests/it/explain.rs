//! `explain`: why a ref is gone or can't be acted on, without touching the page.

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn what_stands_against_acting_is_told_and_nothing_is_moved() {
    let outcome = Stage::page("explain.html")
        .script(
            r##"
            eval_js("scrollTo(0, 280)");
            for id in ["plain", "under", "far", "off", "closed", "fixed", "below", "drift", "inert"] {
                let why = explain(query("#" + id)[0]);
                why.id = id;
                emit(why);
            }
            for pair in [["veiled", "Inside"], ["other", "Save"]] {
                let why = find(#{role: "button", name: pair[1]}).explain();
                why.id = pair[0];
                emit(why);
            }
            let offer = find("dialog", "Offer");
            [eval_js("scrollY"), eval_js("document.activeElement.tagName"), offer, find("dialog", "Veil")]
            "##,
        )
        .ok();
    let value = outcome.value();
    assert_eq!((&value[0], &value[1]), (&json!(280), &json!("BODY")));
    let row = |id: &str| outcome.rows().iter().find(|row| row["id"] == id).expect("a row").clone();
    for id in ["plain", "under", "far", "other"] {
        let row = row(id);
        assert_eq!(
            (&row["alive"], &row["actionable"], &row["reasons"]),
            (&json!(true), &json!(true), &json!([])),
            "{row}"
        );
    }
    let offer = format!("covered by {} dialog \"Offer\"", value[2].as_str().unwrap_or_default());
    let veil = format!("covered by {} dialog \"Veil\"", value[3].as_str().unwrap_or_default());
    for (id, reason) in [
        ("off", "disabled"),
        ("closed", "hidden: it stands in a closed details element"),
        ("fixed", "readonly"),
        ("below", &offer),
        ("drift", "moving"),
        ("inert", "inert"),
        ("veiled", &veil),
    ] {
        let row = row(id);
        assert_eq!(
            (&row["alive"], &row["cause"], &row["actionable"]),
            (&json!(true), &Value::Null, &json!(false)),
            "{row}"
        );
        assert_eq!(row["reasons"], json!([reason]), "{row}");
        assert!(row["text"].as_str().is_some_and(|text| text.contains(reason) && text.contains("Next: ")), "{row}");
    }
}

#[test]
fn refs_that_are_out_of_date_are_explained() {
    let outcome = Stage::page("explain.html")
        .script(
            r#"
            let gone = find("button", "Gone");
            let changed = find("button", "Plain");
            let inside = find("button", "Inside");
            let under = find("button", "Under");
            eval_js("gone.remove(); plain.textContent = 'Delete all'; document.querySelector('[title=Veiled]').remove()");
            let first = tabs()[0].tab;
            for pair in [["removed", gone], ["changed", changed], ["frame_gone", inside], ["unknown", "ref_999"], ["unknown", "Save"]] {
                emit([pair[0], explain(pair[1])]);
            }
            let second = new_tab("about:blank");
            emit(["other_tab", explain(under)]);
            tab(first);
            reload();
            emit(["document_replaced", explain(under)]);
            "#,
        )
        .ok();
    for row in outcome.rows() {
        let (cause, why) = (&row[0], &row[1]);
        let alive = matches!(cause.as_str(), Some("changed" | "other_tab"));
        assert_eq!((&why["cause"], &why["alive"], &why["actionable"]), (cause, &json!(alive), &json!(false)), "{row}");
        assert!(why["text"].as_str().is_some_and(|text| text.contains("Next: ")), "{row}");
    }
    assert_eq!(outcome.rows().len(), 7, "{outcome}");
}

#[test]
fn what_scrolling_does_not_reach_is_no_target() {
    let outcome = Stage::page("basic.html")
        .script(
            r##"
            eval_js(`document.body.innerHTML = '<button style="position:absolute;left:-9999px">Left</button>'
                + '<button style="position:fixed;bottom:-100px">Below</button><div style="height:3000px"></div>'
                + '<label for=x>Word</label><button id=x disabled>Off</button><button id=deep>Deep</button>'
                + '<button id=boxless style="display:contents" onclick="pressed = true"><b>Boxless</b></button>'; pressed = false; scrollTo(0, 0)`);
            let told = [];
            for which in ["button:nth-of-type(1)", "button:nth-of-type(2)", "label", "#x", "#deep", "#boxless"] {
                told.push(explain(query(which)[0]).actionable);
            }
            let top = eval_js("scrollY");
            click(find("button", "Boxless"));
            [told, top, eval_js("pressed")]
            "##,
        )
        .ok();
    assert_eq!(*outcome.value(), json!([[false, false, true, false, true, true], 0, true]), "{outcome}");
}
