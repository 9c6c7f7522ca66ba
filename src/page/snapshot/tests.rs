//! The rules for roles, names, states, what is hidden and what must never leave, on small pages.

use std::collections::HashMap;

use serde_json::json;

use super::testing::{snapshot, tree};
use super::{Capture, FrameMeta, fingerprint, join, levels_up};
use crate::page::layout::PrintOptions;
use crate::page::lines;
use crate::page::tree::{Hidden, Node, Rect, Tree};

fn lines(html: &str) -> Vec<String> {
    text_of(&tree(html)).lines().map(str::to_owned).collect()
}

fn text_of(tree: &Tree) -> String {
    lines::print(tree, &PrintOptions::default()).text
}

fn by_tag<'a>(tree: &'a Tree, tag: &str) -> &'a Node {
    tree.nodes.iter().find(|node| node.tag == tag).unwrap()
}

/// Returns role and name of the first element with this tag.
fn named(html: &str, tag: &str) -> String {
    let tree = tree(html);
    let node = by_tag(&tree, tag);
    format!("{} {}", node.role, node.name)
}

#[test]
fn roles_come_from_html_and_aria() {
    for (html, tag, expected) in [
        ("<a href=\"x\">A</a>", "a", "link A"),
        ("<a>A</a>", "a", "generic "),
        ("<a data-click>A</a>", "a", "link A"),
        ("<div role=\"bogus button\">A</div>", "div", "button A"),
        ("<button role=\"none\">A</button>", "button", "button A"),
        ("<h2 role=\"none\">A</h2>", "h2", "generic "),
        ("<section>A</section>", "section", "generic "),
        ("<section aria-label=\"S\">A</section>", "section", "region S"),
        ("<article><header>A</header></article>", "header", "sectionheader "),
        ("<header>A</header>", "header", "banner "),
        ("<ul role=\"none\"><li>A</li></ul>", "li", "generic "),
        ("<div role=\"option\">A</div>", "div", "generic "),
        ("<img alt=\"\">", "img", "generic "),
        ("<img>", "img", "image "),
        ("<input type=\"search\" title=\"Q\">", "input", "searchbox Q"),
        ("<input type=\"email\" list=\"d\" title=\"Q\">", "input", "combobox Q"),
        ("<select multiple title=\"Q\"></select>", "select", "listbox Q"),
        ("<table><tr><th>A</th><th>B</th></tr></table>", "th", "columnheader A"),
        ("<table><tr><th>A</th><td>B</td></tr></table>", "th", "rowheader A"),
        ("<table role=\"grid\"><tr><td>A</td></tr></table>", "td", "gridcell A"),
    ] {
        assert_eq!(named(html, tag), expected, "{html}");
    }
}

#[test]
fn names_come_in_the_order_of_accname() {
    for (html, tag, expected) in [
        (
            "<button aria-labelledby=\"a b\" aria-label=\"L\">C</button><i id=\"a\">One</i><i id=\"b\">two</i>",
            "button",
            "button One two",
        ),
        ("<button aria-label=\"L\" title=\"T\">C</button>", "button", "button L"),
        ("<button title=\"T\">C</button>", "button", "button C"),
        ("<button title=\"T\"></button>", "button", "button T"),
        ("<label for=\"i\">For <b>bold</b></label><input id=\"i\" title=\"T\">", "input", "textbox For bold"),
        ("<label>Around <input> it</label>", "input", "textbox Around it"),
        ("<input title=\"T\" placeholder=\"P\">", "input", "textbox T"),
        ("<input placeholder=\"P\">", "input", "textbox P"),
        ("<input type=\"submit\">", "input", "button Submit"),
        ("<fieldset><legend>Cup</legend>x</fieldset>", "fieldset", "group Cup"),
        ("<table><caption>Hours</caption><tr><td>1</td></tr></table>", "table", "table Hours"),
        ("<p id=\"h\" hidden>Re<b>mark</b></p><input aria-labelledby=\"h\">", "input", "textbox Re mark"),
    ] {
        assert_eq!(named(html, tag), expected, "{html}");
    }
}

#[test]
fn blocks_are_apart_and_inline_pieces_are_not() {
    assert_eq!(named("<button><span>one</span><span>two</span></button>", "button"), "button onetwo");
    assert_eq!(named("<button><div>one</div><div>two</div></button>", "button"), "button one two");
    assert_eq!(named("<button>a<br>b</button>", "button"), "button a b");
    assert_eq!(named("<a href=\"x\">a<img alt=\"pic\">b</a>", "a"), "link a pic b");
    assert_eq!(named("<h2>Pick <input data-live=\"v\"> now</h2>", "h2"), "heading Pick v now");
    assert_eq!(named("<button>a<span aria-hidden=\"true\">x</span></button>", "button"), "button a");
}

#[test]
fn what_nobody_sees_is_left_out_with_its_reason() {
    let reason = |html: &str| by_tag(&tree(html), "button").hidden;
    for (html, expected) in [
        ("<div style=\"display:none\"><button>A</button></div>", Some(Hidden::Display)),
        ("<div style=\"visibility:hidden\"><button>A</button></div>", Some(Hidden::Visibility)),
        ("<div style=\"visibility:hidden\"><button style=\"visibility:visible\">A</button></div>", None),
        ("<div inert><button>A</button></div>", Some(Hidden::Inert)),
        ("<details><summary>S</summary><button>A</button></details>", Some(Hidden::Details)),
        ("<details open><summary>S</summary><button>A</button></details>", None),
        ("<div style=\"content-visibility:hidden\"><button>A</button></div>", Some(Hidden::Skipped)),
        ("<div aria-hidden=\"true\"><button>A</button></div>", Some(Hidden::AriaHidden)),
        ("<div style=\"display:contents\"><button>A</button></div>", None),
    ] {
        assert_eq!(reason(html), expected, "{html}");
    }
}

#[test]
fn hidden_elements_have_the_name_they_will_have_when_shown() {
    assert_eq!(named("<div style=\"display:none\"><button>Save</button></div>", "button"), "button Save");
}

#[test]
fn owned_elements_move_to_their_owner_once() {
    let html = "<div role=\"listbox\" aria-label=\"L\" aria-owns=\"b a\"></div><div role=\"option\" id=\"a\">A</div><p><span role=\"option\" id=\"b\">B</span></p>";
    assert_eq!(lines(html), ["listbox \"L\"", " option \"B\"", " option \"A\""]);
    let circle = "<div role=\"group\" id=\"a\" aria-owns=\"b\" aria-label=\"A\"></div><div role=\"group\" id=\"b\" aria-owns=\"a\" aria-label=\"B\"></div>";
    assert_eq!(lines(circle), ["group \"A\"", " group \"B\""]);
}

#[test]
fn ids_are_looked_up_in_their_shadow_tree_first() {
    let html = "<i id=\"n\">Outer</i><x-a><button data-shadow=\"open\" aria-labelledby=\"n\"></button><i data-shadow=\"open\" id=\"n\">Inner</i></x-a>";
    assert_eq!(named(html, "button"), "button Inner");
    let outward = "<i id=\"n\">Outer</i><x-a><button data-shadow=\"closed\" aria-labelledby=\"n\"></button></x-a>";
    assert_eq!(named(outward, "button"), "button Outer");
}

#[test]
fn disabled_is_handed_down_but_not_into_the_first_legend() {
    let html = "<fieldset disabled><legend><button>A</button></legend><button>B</button><a href=\"x\">C</a></fieldset>";
    assert_eq!(lines(html)[1..], [" button \"A\"", " button \"B\" disabled", " link \"C\" href=\"x\""]);
    assert_eq!(lines("<div aria-disabled=\"true\"><button>A</button><p>x</p></div>")[0], "button \"A\" disabled");
}

#[test]
fn what_must_stay_secret_never_gets_into_a_tree() {
    for html in [
        "<input type=\"password\" value=\"hunter2\" data-live=\"hunter2\">",
        "<input type=\"text\" autocomplete=\"section-a cc-number\" data-live=\"hunter2\">",
        "<input autocomplete=\"one-time-code\" data-live=\"hunter2\">",
        "<input style=\"-webkit-text-security:disc\" data-live=\"hunter2\">",
        "<textarea autocomplete=\"current-password\" data-area=\"hunter2\">hunter2</textarea>",
        "<div contenteditable style=\"-webkit-text-security:disc\">hunter2</div>",
    ] {
        let tree = tree(html);
        assert_eq!(tree.counters.redacted, 1, "{html}");
        assert!(!format!("{tree:?}").contains("hunter2"), "{html}");
    }
    let plain = tree("<input data-live=\"hunter2\">");
    assert!(format!("{plain:?}").contains("hunter2"));
}

#[test]
fn frames_of_other_processes_are_joined_by_their_element() {
    let outer = snapshot("<p>x</p><iframe title=\"Pay\" data-box=\"100 50 300 200\"></iframe>");
    let mut inner = snapshot("<button data-box=\"10 20 30 40\">Pay now</button>");
    let strings = inner["strings"].as_array_mut().unwrap();
    let frame = strings.iter().position(|text| text == "F0").unwrap();
    strings[frame] = json!("INNER");
    let owner = by_tag(&tree("<p>x</p><iframe title=\"Pay\"></iframe>"), "iframe").backend;
    let (outer, inner) = (outer.to_string(), inner.to_string());
    let meta = FrameMeta { label: "frame_1".to_owned(), owner: Some(("F0".to_owned(), owner)), ..FrameMeta::default() };
    let frames = HashMap::from([("INNER".to_owned(), meta)]);
    let whole = [Capture { json: &outer, flags: &[] }, Capture { json: &inner, flags: &[] }];
    let joined = join(&whole, &frames).unwrap();
    assert_eq!(text_of(&joined), "text \"x\"\niframe \"Pay\"\n button \"Pay now\"");
    let button = by_tag(&joined, "button");
    assert_eq!(button.rect, Some(Rect { x: 110.0, y: 70.0, width: 30.0, height: 40.0 }));
    assert_eq!((joined.frames[1].parent, joined.frames[1].label.as_str()), (Some(0), "frame_1"));
    let unread = join(&whole[..1], &frames).unwrap();
    let expected = "text \"x\"\niframe \"Pay\"\n [frame not read: \"it is not in the reply of the browser\"]";
    assert_eq!(text_of(&unread), expected);
    assert_eq!(unread.counters.frames_unread, 1);
}

#[test]
fn flags_find_their_element_by_the_way_down() {
    let snapshot = snapshot("<p>x</p><div><input title=\"a\"><input type=\"checkbox\" title=\"b\"></div>").to_string();
    let flags = json!({"result": {"value": {
        "flags": [["input", [0, 1, 0], 5], ["input", [0, 1, 1], 2], ["button", [0, 1, 1], 1], ["input", [0, 9], 1], ["input", null, 1]],
        "frames": [], "viewport": [800, 600]}}})
    .to_string();
    let capture = Capture { json: &snapshot, flags: &[("F0", &flags)] };
    let tree = join(&[capture], &HashMap::new()).unwrap();
    let expected = "text \"x\"\ntextbox \"a\" invalid focused\ncheckbox \"b\" checked=mixed";
    assert_eq!(text_of(&tree), expected);
}

#[test]
fn pages_thousands_deep_and_names_within_names_stay_cheap() {
    let deep = format!("{}<button>Bottom</button>{}", "<div>".repeat(5000), "</div>".repeat(5000));
    assert_eq!(lines(&deep), ["button \"Bottom\""]);
    let nested = format!("{}core{}", "<div role=\"button\">x".repeat(3000), "</div>".repeat(3000));
    let started = std::time::Instant::now();
    let tree = tree(&nested);
    assert_eq!(tree.counters.nodes, 3000);
    assert!(started.elapsed() < std::time::Duration::from_secs(20));
}

#[test]
fn replies_that_make_no_sense_are_refused() {
    let bad = |json: &str| join(&[Capture { json, flags: &[] }], &HashMap::new()).is_err();
    assert!(bad("{}"));
    assert!(bad("[1"));
    assert!(bad(
        r#"{"documents":[{"frameId":0,"nodes":{"parentIndex":[5],"nodeType":[1],"nodeName":[0],"backendNodeId":[1]},"layout":{}}],"strings":["A"]}"#
    ));
    assert!(join(&[], &HashMap::new()).unwrap().nodes.is_empty());
}

#[test]
fn a_fingerprint_tells_attributes_text_and_labels() {
    let sketch = |html: &str, tag: &str| {
        let tree = tree(html);
        fingerprint(&tree, 0, by_tag(&tree, tag).backend, None)
    };
    let parts = |text: &str| Some(text.replace('|', "\u{1f}"));
    assert_eq!(
        sketch("<button role=\"tab\" title=\" T \">a <b>b</b><img alt=\"c\"></button>", "button"),
        parts("button|tab||T|||||a|b|c")
    );
    assert_eq!(
        sketch("<label for=\"i\">Na<b>me</b></label><input id=\"i\" type=\"text\" value=\"v\">", "input"),
        parts("input||||||text||Name")
    );
    assert_eq!(sketch("<input type=\"submit\" value=\"Go\">", "input"), parts("input||||||submit|Go"));
    let hiding = "<button><b style=\"display:none\">Keep</b><i style=\"visibility:hidden\">or</i><u>Drop</u></button>";
    assert_eq!(sketch(hiding, "button"), parts("button||||||||Keep|or|Drop|unseen 1 2"));
    assert_eq!(sketch("<input type=\"password\" data-live=\"x\">", "input"), None);
    assert_eq!(sketch("<div><iframe></iframe></div>", "div"), None);
    assert_eq!(sketch("<x-a><b data-shadow=\"open\">x</b></x-a>", "x-a"), None);
    assert_eq!(sketch(&format!("<div>{}</div>", "<b>x</b>".repeat(151)), "div"), None);
}

#[test]
fn a_fingerprint_with_a_row_tells_the_rows_text_too() {
    let html = "<ul><li role=\"row\"><b>Order 7</b><span><button>Delete</button></span></li></ul>";
    let page = tree(html);
    let (button, row) = (by_tag(&page, "button").backend, by_tag(&page, "li").backend);
    let levels = levels_up(&page, 0, button, row);
    assert_eq!(levels, Some(2));
    let parts = |text: &str| Some(text.replace('|', "\u{1f}"));
    assert_eq!(fingerprint(&page, 0, button, levels), parts("button||||||||Delete|row 9|li|row||Order 7|Delete"));
    let elsewhere = by_tag(&page, "b").backend;
    assert_eq!(levels_up(&page, 0, button, elsewhere), None, "a row stands around the element");
    let page = tree("<ul><li><x-a><button data-shadow=\"open\">Delete</button></x-a></li></ul>");
    let (button, row) = (by_tag(&page, "button").backend, by_tag(&page, "li").backend);
    assert_eq!(levels_up(&page, 0, button, row), None, "the script goes another way out of a shadow tree");
}

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

/// Writes a random page below an element; each text is a word of its own.
fn nest(dice: &mut Dice, depth: usize, words: &mut Vec<String>, html: &mut String) {
    const TAGS: [&str; 24] = [
        "div", "div", "div", "span", "p", "ul", "li", "h2", "table", "tr", "td", "a", "button", "label", "section",
        "nav", "b", "fieldset", "legend", "figure", "dl", "dt", "article", "summary",
    ];
    const EXTRAS: [&str; 14] = [
        "",
        "",
        "",
        "",
        " data-click",
        " data-click",
        " tabindex=\"0\"",
        " style=\"cursor:pointer\"",
        " aria-label=\"Named\"",
        " aria-hidden=\"true\"",
        " role=\"button\"",
        " role=\"combobox\"",
        " href=\"x\"",
        " role=\"group\"",
    ];
    for _ in 0..=dice.roll(3) {
        if depth == 0 || dice.roll(4) == 0 {
            words.push(format!("word{}q", words.len()));
            html.push_str(words.last().unwrap());
            html.push(' ');
            continue;
        }
        let tag = TAGS[dice.roll(TAGS.len())];
        let id = dice.roll(5);
        html.extend(["<", tag, EXTRAS[dice.roll(14)], EXTRAS[dice.roll(14)]]);
        match (id, tag) {
            (0, _) => html.push_str(" id=\"it\""),
            (1, "label") => html.push_str(" for=\"it\""),
            (2, _) => html.push_str(" aria-labelledby=\"it\""),
            _ => {}
        }
        html.push('>');
        if dice.roll(6) == 0 {
            html.push_str("<input data-live=\"v\">");
        }
        nest(dice, depth - 1, words, html);
        html.extend(["</", tag, ">"]);
    }
}

#[test]
fn no_text_that_people_see_is_missing_in_the_tree() {
    let mut dice = Dice(7);
    for _ in 0..1000 {
        let (mut words, mut html) = (Vec::new(), String::new());
        nest(&mut dice, 5, &mut words, &mut html);
        let text = text_of(&tree(&html));
        for word in words {
            assert!(text.contains(&word), "{word} of {html} is not in\n{text}");
        }
    }
}
