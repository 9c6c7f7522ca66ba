//! What is said of a press: forms that the browser refuses to send, and alerts of the page; and when nothing is.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn what_the_page_says_of_a_press_is_told() {
    let outcome = Stage::page("alerts.html")
        .script(
            r#"
            let said = [];
            for name in ["Send", "Refuse", "Refuse", "Order", "Save", "Delete", "Attach", "Attach nothing", "Check"] {
                said.push(click(find(#{role: "button", name: name, exact: true})).hint);
            }
            said.push(fill(find("Name"), "Ann", #{submit: true}).hint);
            said.push(fill(find("Name"), "", #{submit: true}).hint);
            said
            "#,
        )
        .ok();
    let marked = "the page marks \"Name\" as invalid (\"Enter your name\")";
    let chooser = "a file chooser opened, which scripts can't answer in this version: no file is chosen";
    let refused = "the page says \"Please mend the marked fields\"";
    let (order, delete) = ("the page says \"Sold out\"", "the page says \"Deleted\"");
    let code = "the page marks \"Code\" as invalid (\"The code is wrong\")";
    let wanted = json!([marked, refused, refused, order, null, delete, chooser, null, code, null, marked]);
    assert_eq!(*outcome.value(), wanted, "{outcome}");
}

#[test]
fn a_form_that_the_browser_refuses_is_told_with_its_first_field() {
    let outcome = Stage::page("refused.html")
        .script(
            r#"
            let said = [];
            for name in ["Order", "Draft", "Own way", "Send far", "Send inner", "Send ghost", "Send pin", "Look only"] {
                said.push(click(find("button", name)).hint);
            }
            said.push(press(find("Name"), "Enter").hint);
            said.push(press(find("Name"), "a").hint);
            click(find("Mail"));
            said.push(press("Enter").hint);
            said.push(fill(find("Mail"), "", #{submit: true}).hint);
            said.push(type(find("Name"), "\n").hint);
            said.push(fill(find("Inner"), "", #{submit: true}).hint);
            said.push(fill(#{"Age": 3, "Name": ""}, #{submit: true}).hint);
            fill(find("Code"), "x");
            said.push(click(find("button", "Send code")).hint);
            emit(said);
            eval_js("told")
            "#,
        )
        .ok();
    let refused = |label: &str, rest: &str| {
        let message = "(\"Please fill out this field.\")";
        json!(format!("the form was not sent: the browser refuses what \"{label}\" holds{rest}").replace("()", message))
    };
    let mail = "the form was not sent: the browser refuses what \"Mail\" holds (\"Please include an '@' in the email \
                address. 'abc' is missing an '@'.\"), and 1 more field";
    let wanted = json!([
        refused("Name", " (), and 2 more fields"),
        null,
        null,
        refused("Far", " ()"),
        refused("Inner", " ()"),
        refused("ghost", ", which can't be seen ()"),
        // What the page says of it holds the password.
        refused("Pin", ""),
        null,
        refused("Name", " (), and 2 more fields"),
        null,
        mail,
        json!(
            "the form was not sent: the browser refuses what \"Age\" holds (\"Value must be less than or equal to 5.\")"
        ),
        json!(
            "the form was not sent: the browser refuses what \"Age\" holds (\"Value must be less than or equal to 5.\")"
        ),
        refused("Inner", " ()"),
        refused("Name", " ()"),
        null,
    ]);
    for (at, hint) in wanted.as_array().into_iter().flatten().enumerate() {
        assert_eq!(&outcome.rows()[0][at], hint, "{at}\n{outcome}");
    }
    assert_eq!(*outcome.value(), json!(["draft", "own", "sent"]), "{outcome}");
}
