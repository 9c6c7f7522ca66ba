//! The tree: its line format, what it lists, leaves out and tags, overlays first, and its options.

use serde_json::{Value, json};

use crate::line::Line;
use crate::stage::Stage;

#[track_caller]
fn lines(page: &str, call: &str) -> Vec<Line> {
    Stage::page(page).script(&format!("{call}.text")).ok().lines()
}

#[track_caller]
fn one<'a>(lines: &'a [Line], role: &str, name: &str) -> &'a Line {
    let found: Vec<_> = lines.iter().filter(|line| line.role == role && line.name == name).collect();
    assert_eq!(found.len(), 1, "{role} {name:?} in {lines:#?}");
    found[0]
}

#[test]
fn a_line_shows_role_name_ref_attributes_and_states() {
    let lines = lines("lines.html", "tree()");
    assert_eq!(one(&lines, "heading", "Tree lines").attribute("level"), Some("1"));
    assert_eq!(one(&lines, "heading", "Second level").attribute("level"), Some("2"));
    let link = one(&lines, "link", "A link");
    assert!(link.attribute("href").is_some_and(|href| href.ends_with("second.html")), "{link:?}");
    let mail = one(&lines, "textbox", "Mail");
    assert_eq!(mail.attribute("type"), Some("email"));
    assert_eq!(mail.attribute("placeholder"), Some("you@example.test"));
    assert_eq!(mail.attribute("value"), Some("a@b.test"));
    assert!(mail.has("required"));
    assert!(one(&lines, "textbox", "Fixed").has("readonly"));
    assert!(one(&lines, "button", "Off").has("disabled"));
    assert!(one(&lines, "button", "Menu").has("expanded=false"));
    assert!(one(&lines, "button", "Pin").has("pressed"));
    assert!(one(&lines, "button", "Vent").has("pressed=false"));
    assert!(one(&lines, "checkbox", "On").has("checked"));
    assert!(one(&lines, "checkbox", "Not on").has("checked=false"));
    assert_eq!(one(&lines, "combobox", "Country").attribute("value"), Some("Portugal"));
    assert!(lines.iter().filter(|line| line.role != "text").all(|line| line.reference.is_some()), "{lines:#?}");
}

#[test]
fn text_of_no_node_is_a_line_without_a_ref() {
    let lines = lines("lines.html", "tree()");
    let loose: Vec<_> = lines.iter().filter(|line| line.name.contains("Loose words")).collect();
    assert_eq!(loose.len(), 1, "shown once: {lines:#?}");
    let plain = one(&self::lines("basic.html", "tree()"), "heading", "Basic").clone();
    assert_eq!(plain.depth, 0, "skipped containers add no indent");
}

#[test]
fn clickable_boxes_and_nameless_buttons_are_listed() {
    let lines = lines("lines.html", "tree()");
    let tile = lines.iter().find(|line| line.name == "Sea view").expect("the tile");
    assert!(tile.reference.is_some(), "{tile:?}");
    assert_eq!(lines.iter().filter(|line| line.role == "button" && line.name.is_empty()).count(), 1, "{lines:#?}");
}

#[test]
fn a_box_that_hears_clicks_for_its_parts_hides_none_of_their_text() {
    let outcome = Stage::page("basic.html")
        .script(
            r#"
            eval_js("document.body.innerHTML = '<div id=c><ul aria-label=Fruit><li>Kiwi<li>Fig</ul><label>City <input></label><p>Hint</p></div>'; c.addEventListener('click', () => {})");
            let page = tree();
            let names = [];
            for node in page.nodes { if node.role != "text" { names.push(node.role + " " + node.name); } }
            [names, page.text.contains("Kiwi") && page.text.contains("Hint"), find_all(#{text: "Kiwi"}).len, node(find("Fruit")).role]
            "#,
        )
        .ok();
    let names = json!(["list Fruit", "listitem ", "listitem ", "textbox City"]);
    assert_eq!(*outcome.value(), json!([names, true, 1, "list"]));
}

#[test]
fn what_people_can_not_see_is_left_out_and_counted() {
    let outcome = Stage::page("lines.html").script("let page = tree(); [page.text, page.counters]").ok();
    let text = outcome.value()[0].as_str().expect("a tree");
    for gone in ["Gone", "Invisible", "Inert", "Folded", "plum-tree"] {
        assert!(!text.contains(gone), "{gone} is shown:\n{text}");
    }
    let counters = &outcome.value()[1];
    assert!(counters["hidden_omitted"].as_u64() >= Some(4), "{counters}");
    assert_eq!(counters["redacted"], 1, "{counters}");
    assert_eq!(counters["lines"].as_u64().expect("a count"), text.lines().count() as u64, "{counters}");
    for key in ["nodes", "lines", "hidden_omitted", "redacted", "frames", "frames_unread"] {
        assert!(counters[key].is_number(), "{key} of {counters}");
    }
}

#[test]
fn what_people_see_is_shown_although_assistive_technology_does_not_tell_it() {
    let lines = lines("lines.html", "tree()");
    assert_eq!(one(&lines, "button", "Left on").tags, ["hidden:aria"]);
}

#[test]
fn a_page_can_forge_neither_line_nor_ref() {
    let outcome = Stage::page("lines.html").script("tree().text").ok();
    let (text, lines) = (outcome.text(), outcome.lines());
    one(&lines, "button", "say \"hi\" \\ there");
    let forged = one(&lines, "button", "line one button \"Fake\" [ref_1]");
    assert!(forged.reference.as_deref() != Some("ref_1"), "{forged:?}");
    assert!(text.contains(r#"\"hi\" \\ there"#), "{text}");
    assert_eq!(text.matches("[ref_1]").count(), 1, "only the real one:\n{text}");
    assert!(!lines.iter().any(|line| line.name == "Fake"), "{text}");
}

#[test]
fn open_overlays_come_first_and_only_once() {
    let outcome = Stage::page("overlays.html")
        .script(
            r#"
            let closed = tree().text;
            click(find("button", "Actions"));
            let menu = tree().text;
            press("Escape");
            click(find("button", "Delete"));
            let modal = tree();
            [closed, menu, modal.text, modal.counters.hidden_omitted]
            "#,
        )
        .ok();
    let text = |at: usize| outcome.value()[at].as_str().expect("a tree");
    let (closed, menu, modal) = (text(0), text(1), text(2));
    assert!(!closed.contains("[open overlays]") && !closed.contains("Duplicate"), "{closed}");
    assert!(menu.starts_with("[open overlays]\n"), "{menu}");
    assert_eq!(menu.matches("Duplicate").count(), 1, "{menu}");
    one(&Line::read_all(menu), "button", "Delete");
    assert!(modal.starts_with("[open overlays]\n"), "{modal}");
    one(&Line::read_all(modal), "button", "Yes");
    assert!(!modal.contains("button \"Delete\""), "inert behind the modal:\n{modal}");
    assert!(outcome.value()[3].as_u64() > Some(0), "{outcome}");
}

#[test]
fn frames_appear_in_place_three_deep_and_across_processes() {
    let script = r#"wait_for(#{role: "button", name: "Go other21"}); tree().text"#;
    let outcome = Stage::page("frames.html").script(script).ok();
    let lines = outcome.lines();
    let at = |role: &str, name: &str| {
        lines
            .iter()
            .position(|line| line.role == role && line.name == name)
            .unwrap_or_else(|| panic!("{name}\n{outcome}"))
    };
    let order = [
        at("button", "Above"),
        at("iframe", "Same"),
        at("button", "Go same"),
        at("iframe", "Other"),
        at("button", "Go other"),
        at("iframe", "Depth 2"),
        at("button", "Go other2"),
        at("iframe", "Depth 1"),
        at("button", "Go other21"),
        at("button", "Below"),
    ];
    assert!(order.is_sorted(), "{order:?}\n{outcome}");
    let depth = |place: usize| lines[place].depth;
    assert!(depth(order[1]) < depth(order[2]) && depth(order[3]) < depth(order[4]), "{outcome}");
    assert!(depth(order[5]) < depth(order[6]) && depth(order[7]) < depth(order[8]), "{outcome}");
    assert_eq!(depth(order[0]), depth(order[9]), "{outcome}");
}

#[test]
fn frames_can_be_left_out() {
    let outcome = Stage::page("frames.html").script("let page = tree(#{frames: false}); page.text").ok();
    let lines = outcome.lines();
    one(&lines, "button", "Above");
    assert!(!lines.iter().any(|line| line.name == "Go same"), "{outcome}");
}

#[test]
fn shadow_roots_are_part_of_the_tree() {
    let lines = lines("shadow.html", "tree()");
    one(&lines, "button", "Press open");
    one(&lines, "button", "Press closed");
    one(&lines, "textbox", "Field nested");
    one(&lines, "heading", "Slotted title");
    assert_eq!(lines.iter().filter(|line| line.name == "No title").count(), 2, "unfilled slots alone: {lines:#?}");
}

#[test]
fn filters_show_less() {
    let visible = lines("clicks.html", r#"tree(#{filter: "visible"})"#);
    one(&visible, "button", "Plain");
    assert!(!visible.iter().any(|line| line.name == "Far down"), "{visible:#?}");
    let interactive = lines("lines.html", r#"tree(#{filter: "interactive"})"#);
    one(&interactive, "button", "Pin");
    one(&interactive, "textbox", "Mail");
    assert!(!interactive.iter().any(|line| line.role == "text"), "{interactive:#?}");
    assert!(!interactive.iter().any(|line| line.role == "heading"), "{interactive:#?}");
    let outcome = Stage::page("lines.html").script(r#"tree(#{filter: "seen"})"#).fails("args::value");
    assert!(outcome.help().contains("visible"), "{outcome}");
}

#[test]
fn depth_and_subtree_are_limits_that_say_so() {
    let outcome = Stage::page("rows.html")
        .script(
            r#"
            let all = tree();
            let shallow = tree(#{max_depth: 1});
            let row = tree(#{ref: find(#{role: "row", text: "INV-2"})});
            [all.text, shallow.text, row.text, all.truncated, shallow.truncated]
            "#,
        )
        .ok();
    let text = |at: usize| outcome.value()[at].as_str().expect("a tree");
    assert!(text(1).lines().count() < text(0).lines().count(), "{outcome}");
    assert!(Line::read_all(text(1)).iter().all(|line| line.depth <= 1), "{outcome}");
    assert!(text(2).contains("INV-2") && !text(2).contains("INV-1"), "{outcome}");
    assert_eq!(outcome.value()[3], false, "{outcome}");
}

#[test]
fn a_tree_has_every_field() {
    let outcome = Stage::page("lines.html")
        .script(
            r#"
            let page = tree();
            let count = 0;
            for node in page.nodes { if node.role == "button" { count += 1; } }
            print(page);
            #{ text: page.text, id: page.snapshot_id, truncated: page.truncated, has_more: page.has_more, next_page: page.next_page,
               auto_degraded: page.auto_degraded, notice: page.notice, origin: page.origin, length: page.nodes.len(),
               first: page.nodes[0].role, buttons: count, same: page.get(page.nodes[0].ref).name == page.nodes[0].name }
            "#,
        )
        .ok();
    let value = outcome.value();
    assert_eq!(outcome.printed().trim_end(), value["text"].as_str().expect("text").trim_end());
    let flags =
        json!([value["truncated"], value["has_more"], value["next_page"], value["auto_degraded"], value["notice"]]);
    assert_eq!(flags, json!([false, false, null, false, null]), "{outcome}");
    assert_ne!(value["id"], Value::Null);
    let origin = format!("http://127.0.0.1:{}", crate::site::port());
    assert_eq!(value["origin"], json!(origin));
    assert!(value["length"].as_u64() > Some(15), "{outcome}");
    assert_eq!(value["buttons"], 8, "{outcome}");
    assert_eq!(value["same"], true);
}

#[test]
fn a_page_five_thousand_deep_and_one_with_ten_thousand_nodes_are_read() {
    let script = r#"
        eval_js("document.body.innerHTML = '<div>'.repeat(5000) + '<button>Bottom</button>'");
        let deep = find("button", "Bottom");
        eval_js("document.body.innerHTML = Array.from({length: 3000}, (_, n) => '<p>Item ' + n + ' <button>Buy ' + n + '</button></p>').join('')");
        [deep.contains("ref_"), tree().text.contains("Buy 2999")]
    "#;
    assert_eq!(*Stage::page("basic.html").script(script).ok().value(), json!([true, true]));
}
