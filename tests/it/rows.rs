//! Rows without a name: their refs stand for what they held, not for where they stood.

use serde_json::json;

use crate::stage::Stage;

/// The code that a closure fails with, `()` where it succeeds, and the refs of the first lot in each kind of list.
const REFS: &str = r#"
    fn failed(does) { try { does.call(); } catch (error) { return error.code; } }
    let rows = [
        find(#{role: "listitem", text: "Lot 1"}),
        find(#{role: "row", text: "Lot 1"}),
        find(#{role: "article", text: "Lot 1"}),
        query("section div")[0],
    ];
    let watch = find_all("button", "Watch")[0];
"#;

fn run(steps: &str) -> crate::outcome::Outcome {
    Stage::page("lots.html").script(&format!("{REFS}{steps}")).ok()
}

#[test]
fn a_row_that_holds_another_item_is_refused_by_all_that_take_it() {
    let outcome = run(r#"
        click(find("button", "Flip"));
        let codes = [];
        for row in rows {
            codes.push([
                failed(|| click(row)),
                failed(|| text(row)),
                failed(|| find(#{role: "button", name: "Bid", within: row})),
                failed(|| find_all(#{role: "button", name: "Bid", within: row})),
                failed(|| fill(#{Bid: "7"}, #{within: row})),
                failed(|| query("button", #{within: row})),
                failed(|| tree(#{ref: row})),
                failed(|| wait_for(#{ref: row, timeout: 0})),
                failed(|| wait_for(#{ref: row, gone: true, timeout: 0})),
                lookup(row),
            ]);
        }
        codes.push(failed(|| click(watch)));
        click(find("button", "Flip"));
        for row in rows { click(find(#{role: "button", name: "Bid", within: row})); }
        click(watch);
        codes.push(eval_js("pressed"));
        codes
        "#);
    let refused = json!([
        "ref::changed",
        "ref::changed",
        "ref::changed",
        "ref::changed",
        "ref::changed",
        "ref::changed",
        "ref::changed",
        "ref::changed",
        null,
        null,
    ]);
    let pressed = json!(["Lot 1", "Lot 1", "Lot 1", "Lot 1", "watch Lot 1"]);
    assert_eq!(*outcome.value(), json!([refused, refused, refused, refused, "ref::changed", pressed]), "{outcome}");
}

#[test]
fn a_row_whose_state_changes_is_the_same_row() {
    let outcome = run(r#"
        click(find("button", "Sell"));
        for row in rows { click(find(#{role: "button", name: "Bid", within: row})); }
        let again = [find(#{role: "listitem", text: "Lot 1"}), find(#{role: "article", text: "Lot 1"})];
        let same = again == [rows[0], rows[2]];
        click(find("button", "Drop the first"));
        [eval_js("pressed"), rows.map(|row| failed(|| text(row))), same]
        "#);
    let gone = "ref::changed";
    let expected = json!([["Lot 1", "Lot 1", "Lot 1", "Lot 1"], [gone, gone, gone, gone], true]);
    assert_eq!(*outcome.value(), expected, "{outcome}");
}

#[test]
fn the_error_names_both_items_and_the_row_where_the_item_is_now() {
    let outcome = run(
        r#"click(find("button", "Flip")); try { text(rows[0]) } catch (error) { return error.message + error.help; }"#,
    );
    let told = outcome.value().to_string();
    for words in ["with \\\"Lot 1 open\\\"", "with \\\"Lot 3 open\\\"", "the same texts, with \\\"Lot 1 open"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn digits_that_tell_one_of_a_series_are_compared_also_under_the_pointer() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            fn failed(does) { try { does.call(); return; } catch (error) { return error.code; } }
            eval_js(`document.body.innerHTML = '<button>Lot 1</button><button>Lot 2</button><button>Cart (1)</button>';
                window.pressed = [];
                document.querySelectorAll('button').forEach(button => { button.onclick = () => pressed.push(button.textContent); });
                window.draw = (lots) => document.querySelectorAll('button').forEach((button, at) => { if (at < 2) button.textContent = 'Lot ' + lots[at]; });
                // Set before the host's own watch, so that the page changes before the host hears of the pointer.
                addEventListener('pointermove', () => { if (window.late) { draw([3, 2]); count(); } }, true);
                window.count = () => { document.querySelectorAll('button')[2].textContent = 'Cart (2)'; }; 0`);
            let one = find("button", "Lot 1");
            let cart = find("button", "Cart (1)");
            let codes = [];
            eval_js("draw([2, 1]), 0");
            codes.push(failed(|| click(one)));
            eval_js("draw([1, 2]), 0");
            codes.push(failed(|| click(one)));
            eval_js("window.late = true");
            codes.push(failed(|| click(one)));
            codes.push(failed(|| click(cart)));
            [codes, eval_js("pressed")]
            "#,
        )
        .ok();
    let expected = json!([["ref::changed", null, "ref::changed", null], ["Lot 1", "Cart (2)"]]);
    assert_eq!(*outcome.value(), expected, "{outcome}");
}

#[test]
fn an_action_that_draws_another_item_into_the_row_ends_the_ref() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            fn failed(does) { try { does.call(); return; } catch (error) { return error.code; } }
            eval_js(`document.body.innerHTML = '<ul></ul>';
                window.lots = [['Ann', 0], ['Bob', 0], ['Cid', 0], ['Dee', 0]];
                window.draw = () => {
                    const list = document.querySelector('ul');
                    lots.forEach(([name, votes], at) => {
                        const row = list.children[at] ?? list.appendChild(document.createElement('li'));
                        if (!row.firstChild) row.innerHTML = '<b></b> <i></i> <button>Vote</button> <button>Delete</button>';
                        row.children[0].textContent = name;
                        row.children[1].textContent = votes + ' votes';
                        row.children[2].onclick = () => { lots[at][1] += 1; draw(); };
                        row.children[3].onclick = () => { lots.splice(at, 1); draw(); };
                    });
                    while (list.children.length > lots.length) list.lastChild.remove();
                };
                draw(); 0`);
            let bob = find(#{role: "listitem", text: "Bob"});
            let vote = find(#{role: "button", name: "Vote", within: bob});
            click(vote);
            click(vote);
            let delete = find(#{role: "button", name: "Delete", within: bob});
            let deleted = click(delete);
            let again = find(#{role: "button", name: "Delete", within: find(#{role: "listitem", text: "Cid"})});
            [failed(|| click(delete)), again != delete, deleted.changed.now.contains("Cid"), eval_js("lots")]
            "#,
        )
        .ok();
    let lots = json!([["Ann", 0], ["Cid", 0], ["Dee", 0]]);
    assert_eq!(*outcome.value(), json!(["ref::changed", true, true, lots]), "{outcome}");
}
