//! Forms that the browser refuses to send: which field keeps them, and when nothing is said.

use serde_json::json;

use crate::stage::Stage;

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
