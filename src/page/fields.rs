//! The fields of a page that can be filled, and which of them a text names: by label, placeholder, `name` attribute
//! or the words beside it.

mod radios;

use std::collections::{HashMap, HashSet};

use super::beside::{Beside, Side};
use super::find::{Level, Needle};
use super::nearest::{SIMILAR, describe, name_likeness};
use super::snapshot::{Control, controls, folded};
use super::tree::{Hidden, Node, Tree};
use crate::error::Nearest;

pub use radios::Choice;

/// What kind of value a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text, or what is written as text: dates, colors, numbers.
    Text,
    /// A native list of options.
    List,
    /// On or off.
    Tick,
    /// One radio button by itself.
    Radio,
    /// Radio buttons of which one is chosen.
    Group,
}

/// A field as people see it.
#[derive(Debug, Clone)]
pub struct Field {
    /// The control; for radio buttons without a box of their own around them, the first.
    pub node: u32,
    pub kind: Kind,
    /// The radio buttons of a group.
    pub radios: Vec<u32>,
    /// What it is called, best source first: label, placeholder, `name` attribute, words on either side of it.
    names: [Option<String>; 5],
}

impl Field {
    /// Returns a field for an element that is none by its looks; the page itself says what it is.
    pub fn other(node: u32, kind: Kind) -> Self {
        Self { node, kind, radios: Vec::new(), names: Default::default() }
    }

    /// Returns what it is called on the page: by what people see, else by its attribute.
    pub fn name(&self) -> &str {
        let [label, placeholder, attribute, words, more] = &self.names;
        [label, placeholder, words, more, attribute].into_iter().flatten().next().map_or("", String::as_str)
    }

    /// Returns the words beside it where it has no label or placeholder.
    pub fn guess(&self) -> Option<&str> {
        let [label, placeholder, _, words, more] = &self.names;
        let is_guessed = self.kind != Kind::Group && label.is_none() && placeholder.is_none();
        words.as_deref().or(more.as_deref()).filter(|_| is_guessed)
    }
}

/// The fields of one tree.
#[derive(Debug)]
pub struct Fields<'a> {
    tree: &'a Tree,
    controls: HashMap<u32, Control>,
    /// These are the fields that are inert.
    inert: bool,
    pub all: Vec<Field>,
}

/// The places of these names in [`Field`].
const PLACEHOLDER: usize = 1;
const ATTRIBUTE: usize = 2;

/// How a text names a field, best first: as a whole or in part, by which source, and how exactly.
type Rank = (bool, usize, Level);

impl<'a> Fields<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        Self::of(tree, false)
    }

    /// Returns the fields that people see and can't use now, as those behind a modal dialog.
    pub fn inert(tree: &'a Tree) -> Self {
        Self::of(tree, true)
    }

    fn of(tree: &'a Tree, inert: bool) -> Self {
        let mut fields = Self { tree, controls: controls(tree), inert, all: Vec::new() };
        let count = u32::try_from(tree.nodes.len()).unwrap_or(u32::MAX);
        let mut single: Vec<(u32, Kind)> =
            (0..count).filter_map(|at| Some((at, fields.kind(at, tree.get(at)?)?))).collect();
        // An old kind of combobox is a box around its text field, which is the one to write into.
        let texts: Vec<u32> = single.iter().filter(|(_, kind)| *kind == Kind::Text).map(|&(at, _)| at).collect();
        single.retain(|&(at, kind)| {
            let end = tree.get(at).map_or(at, |node| node.end);
            kind != Kind::Text || !texts.iter().any(|&inner| at < inner && inner < end)
        });
        let labelled: HashSet<u32> = single
            .iter()
            .map(|&(at, _)| at)
            .filter(|&at| fields.label_of(at).is_some_and(|label| !label.is_empty()))
            .collect();
        let beside = Beside::new(tree, single.iter().map(|&(at, _)| at).collect(), labelled);
        let groups = fields.groups(single.iter().filter(|(_, kind)| *kind == Kind::Radio).map(|&(at, _)| at), &beside);
        fields.all = single.iter().map(|&(at, kind)| fields.field(at, kind, &beside)).collect();
        fields.all.extend(groups);
        fields
    }

    /// Sorts a node; `None` for what is no field or can't be seen.
    fn kind(&self, at: u32, node: &Node) -> Option<Kind> {
        let is_inert = node.hidden.is_some_and(Hidden::is_inert);
        let is_unseen = node.hidden.is_some_and(Hidden::is_left_out) && !self.is_drawn_by_label(at, node);
        if node.is_text || is_inert != self.inert || (is_unseen && !is_inert) {
            return None;
        }
        match (node.tag.as_ref(), node.input_type.as_deref()) {
            ("input", Some("hidden" | "submit" | "image" | "reset" | "button")) => return None,
            ("input", Some("checkbox")) => return Some(Kind::Tick),
            ("input", Some("radio")) => return Some(Kind::Radio),
            ("input" | "textarea", _) => return Some(Kind::Text),
            ("select", _) => return Some(Kind::List),
            _ => {}
        }
        match node.role {
            "checkbox" | "switch" | "menuitemcheckbox" => Some(Kind::Tick),
            "radio" | "menuitemradio" => Some(Kind::Radio),
            "textbox" | "searchbox" | "combobox" | "spinbutton" | "slider" => Some(Kind::Text),
            _ => self.controls.get(&at).is_some_and(|control| control.editable).then_some(Kind::Text),
        }
    }

    /// Whether it is a box or radio button that its label stands for on the page: pressing that presses it.
    fn is_drawn_by_label(&self, at: u32, node: &Node) -> bool {
        matches!(node.input_type.as_deref(), Some("checkbox" | "radio"))
            && self.controls.get(&at).is_some_and(|control| control.label.is_some())
    }

    /// Returns the accessible name, unless it is only the placeholder, which stands in for a label.
    fn label_of(&self, at: u32) -> Option<&str> {
        let node = self.tree.get(at)?;
        let placeholder = node.placeholder.as_deref();
        let is_label = self.controls.get(&at).is_none_or(|control| control.labelled)
            || placeholder.is_none_or(|text| folded(text) != node.name);
        is_label.then_some(node.name.as_str())
    }

    fn field(&self, at: u32, kind: Kind, beside: &Beside<'_>) -> Field {
        let placeholder = self.tree.get(at).and_then(|node| node.placeholder.as_deref());
        let attribute = self.controls.get(&at).and_then(|control| control.name.as_deref());
        // What a box is for stands behind it, what goes into a field stands before it.
        let usual = if matches!(kind, Kind::Tick | Kind::Radio) { Side::After } else { Side::Before };
        let [words, more] = beside.words(at, usual);
        // Radio buttons share their attribute, which names all of them together.
        let attribute = attribute.filter(|_| kind != Kind::Radio);
        let names = [self.label_of(at), placeholder, attribute, words, more].map(bare_name);
        Field { node: at, kind, radios: Vec::new(), names }
    }

    /// Keeps the fields of a part of the page only.
    #[must_use]
    pub fn only(mut self, is_part: impl Fn(u32, &Node) -> bool) -> Self {
        self.all.retain(|field| self.tree.get(field.node).is_some_and(|node| is_part(field.node, node)));
        self
    }

    /// Returns the dialog that makes a node inert.
    pub fn modal_over(&self, node: u32) -> Option<u32> {
        let frame = self.tree.get(node)?.frame;
        let is_modal = |at: &&u32| self.tree.get(**at).is_some_and(|over| over.states.modal && over.frame == frame);
        self.tree.overlays.iter().find(is_modal).copied()
    }

    /// Returns whether a text names a field as a whole.
    pub fn has(&self, text: &str) -> bool {
        let needle = Needle::new(bare(text));
        let is_whole = |name: &String| needle.level(name).is_some_and(|level| level != Level::Part);
        self.all.iter().any(|field| field.names.iter().flatten().any(is_whole))
    }

    /// Returns the indexes of the fields that a text names best. As a whole counts before in part, then what a field
    /// is called on the page before its other names. In part all names that people see count the same: one of several
    /// is not guessed.
    pub fn named(&self, text: &str) -> Vec<usize> {
        let needle = Needle::new(bare(text));
        let rank = |field: &Field| {
            (0..).zip(&field.names).filter_map(|(at, name)| rank(&needle, at, field, name.as_deref()?)).min()
        };
        let found: Vec<(Rank, usize)> =
            self.all.iter().enumerate().filter_map(|(index, field)| Some((rank(field)?, index))).collect();
        let best = found.iter().map(|&(rank, _)| rank).min();
        found.into_iter().filter(|&(rank, _)| Some(rank) == best).map(|(_, index)| index).collect()
    }

    /// Returns what a control is called on the page, without the marks that labels end with.
    pub fn label(&self, node: u32) -> String {
        let field = self.all.iter().find(|field| field.node == node && field.kind != Kind::Group);
        match field.map(Field::name).filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => bare_name(self.tree.get(node).map(|node| node.name.as_str())).unwrap_or_default(),
        }
    }

    /// Returns the fields that a text which names none may have meant, best first; some others when none is like it.
    pub fn like(&self, text: &str, most: usize) -> Vec<Nearest> {
        let wanted = bare(text);
        let likeness = |field: &Field| {
            let best = field.names.iter().flatten().map(|name| name_likeness(wanted, name)).max_by(f64::total_cmp);
            best.unwrap_or(0.0)
        };
        let mut ranked: Vec<(f64, &Field)> = self.all.iter().map(|field| (likeness(field), field)).collect();
        ranked.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.node.cmp(&right.1.node)));
        if ranked.first().is_some_and(|(best, _)| *best >= SIMILAR) {
            ranked.retain(|(likeness, _)| *likeness >= SIMILAR);
        } else {
            ranked.sort_by_key(|(_, field)| field.node);
        }
        let why = |likeness: f64| if likeness >= SIMILAR { "similar name" } else { "a field of the page" };
        let offer = |&(likeness, field): &(f64, &Field)| self.offered(field, why(likeness));
        ranked.iter().take(most).filter_map(offer).collect()
    }

    /// Returns a field as messages name it; one without a label with what else it is called, others with `why`.
    pub fn offered(&self, field: &Field, why: &str) -> Option<Nearest> {
        Some(Nearest { why: self.source(field, why), ..describe(self.tree, field.node)? })
    }

    /// Says what a field without a label is called; `why` of others.
    pub fn source(&self, field: &Field, why: &str) -> String {
        let quoted = |text: &String| crate::script::quoted(text);
        match &field.names {
            [Some(_), ..] => why.to_owned(),
            [None, Some(text), ..] => format!("placeholder {}", quoted(text)),
            [None, None, Some(text), ..] => format!("name={}", quoted(text)),
            [None, None, None, Some(text), _] | [None, None, None, None, Some(text)] => {
                format!("beside {}", quoted(text))
            }
            [None, None, None, None, None] => why.to_owned(),
        }
    }
}

fn rank(needle: &Needle, source: usize, field: &Field, name: &str) -> Option<Rank> {
    let level = needle.level(name)?;
    let [label, ..] = &field.names;
    Some(match (level, source) {
        (Level::Part, ATTRIBUTE) => (true, 1, level),
        (Level::Part, _) => (true, 0, level),
        // A placeholder is all that some fields are called by.
        (_, PLACEHOLDER) if label.is_none() => (false, 0, level),
        // Words on one side count as much as those on the other.
        _ => (false, source.min(3), level),
    })
}

/// Returns the text without the marks that labels end or begin with: `Name: *` is `Name`.
fn bare(text: &str) -> &str {
    text.trim_matches(|mark: char| mark.is_whitespace() || matches!(mark, ':' | '*' | '\u{ff1a}' | '\u{2217}'))
}

fn bare_name(text: Option<&str>) -> Option<String> {
    let name = folded(bare(text?));
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    fn named(html: &str, text: &str) -> Vec<String> {
        let tree = testing::tree(html);
        let fields = Fields::new(&tree);
        let found = fields.named(text);
        found.iter().map(|&index| crate::page::lines::line_of(tree.get(fields.all[index].node).unwrap())).collect()
    }

    #[test]
    fn labels_count_before_placeholders_and_attributes() {
        let html = r#"<label>E-mail: <input name="a"></label><input aria-label="Mail" placeholder="E-mail" name="b"><input name="E-mail"><input aria-label="Search" name="q">"#;
        assert_eq!(named(html, "E-mail"), ["textbox \"E-mail:\""]);
        assert_eq!(named(html, "b"), ["textbox \"Mail\" placeholder=\"E-mail\""]);
        assert_eq!(named(html, "Q"), ["textbox \"Search\""]);
        assert_eq!(named(html, "earch"), ["textbox \"Search\""]);
        assert_eq!(named(html, "Phone"), [""; 0]);
        let unlabelled = html.replace("aria-label=\"Mail\"", "");
        assert_eq!(named(&unlabelled, "E-mail").len(), 2, "a placeholder is what a field without a label is called");
    }

    #[test]
    fn a_part_of_a_name_counts_where_it_is_in_one_name_only() {
        let html = "<label>Your e-mail<input></label><label>Newsletter<input placeholder=\"E-mail address\"></label>";
        assert_eq!(named(html, "E-mail").len(), 2, "whichever name it is part of");
        assert_eq!(named(html, "your"), ["textbox \"Your e-mail\""]);
        assert_eq!(
            named("<label>Phone number<input></label><label>Mobile<input name=\"phone2\"></label>", "Phone").len(),
            1
        );
        assert_eq!(named("<label>Mobile<input name=\"phone2\"></label>", "phone").len(), 1);
    }

    #[test]
    fn marks_of_labels_do_not_matter() {
        for label in ["City", "City:", "City *", "* City", "City*:", "City\u{ff1a}"] {
            let html = format!("<label>{label}<input></label><label>City hall<input></label>");
            assert_eq!(named(&html, "City").len(), 1, "{label}");
            assert_eq!(named(&html, "city: *").len(), 1, "{label}");
        }
    }

    #[test]
    fn buttons_texts_and_unseen_fields_are_no_fields() {
        let html = r#"<button>Name</button><p>Name</p><label style="display:none">Name<input></label><input type="submit" value="Name">"#;
        assert_eq!(named(html, "Name"), [""; 0]);
    }

    #[test]
    fn boxes_that_only_their_labels_show_are_fields() {
        let unseen = "<input type=\"checkbox\" style=\"display:none\">";
        assert_eq!(named(&format!("<label>{unseen}I agree</label>"), "I agree").len(), 1);
        let apart = unseen.replace("input", "input id=\"a\"");
        assert_eq!(named(&format!("{apart}<label for=\"a\">News</label>"), "News").len(), 1);
        assert_eq!(named(&format!("{apart}<label for=\"b\">{unseen}News</label>"), "News"), [""; 0], "meant for b");
        assert_eq!(named(&format!("<label style=\"display:none\">{unseen}Gone</label>"), "Gone"), [""; 0]);
        assert_eq!(named(&format!("<label>{}Text</label>", unseen.replace("checkbox", "text")), "Text"), [""; 0]);
    }

    #[test]
    fn words_beside_name_what_has_no_label() {
        let html = "<table><tr><td>First name:</td><td><input></td></tr><tr><td>Born</td><td><input></td></tr></table><input type=\"checkbox\"><span>News</span>";
        assert_eq!(named(html, "First name").len(), 1);
        assert_eq!(named(html, "Born").len(), 1);
        assert_eq!(named(html, "News"), ["checkbox \"\" checked=false"]);
    }

    #[test]
    fn words_belong_to_the_field_that_shares_a_box_with_them() {
        let row = |name: &str, id: &str| format!("<div><input name=\"{id}\"><label>{name}</label></div>");
        let html = ["First", "Last", "Phone"].map(|name| row(name, &name.to_lowercase())).concat();
        let by_words = |html: &str, text: &str| -> Vec<Option<String>> {
            let tree = testing::tree(html);
            let fields = Fields::new(&tree);
            fields.named(text).iter().map(|&index| fields.all[index].names[2].clone()).collect()
        };
        let html = format!("{html}<p>Notes <input name=\"n\"></p>");
        for (text, name) in [("First", "first"), ("Last", "last"), ("Phone", "phone"), ("Notes", "n")] {
            assert_eq!(by_words(&html, text), [Some(name.to_owned())], "{text}");
        }
        // Words stand at the same place in these pages, so what counts is where the fields stand.
        let field = |name: &str, y: u32| format!("<input name=\"{name}\" data-box=\"60 {y} 100 20\">");
        let (near, far) = (field("a", 40), field("b", 40));
        assert_eq!(by_words(&format!("{near}Red{far}Green"), "Red"), [None::<String>; 0], "may be meant for either");
        assert_eq!(by_words(&format!("Red{near}Green{far}"), "Green"), [Some("b".to_owned())]);
        let boxes = format!("News{near}Offers{far}").replace("<input", "<input type=\"checkbox\"");
        assert_eq!(by_words(&boxes, "Offers"), [None::<String>; 0], "may be meant for either");
        assert_eq!(
            by_words(&format!("Red{near}Green{}", field("b", 90)), "Green"),
            [None::<String>; 0],
            "on the line of a"
        );
        assert_eq!(by_words(&format!("{}Red{far}", field("a", 90)), "Red"), [Some("b".to_owned())], "on the line of b");
    }

    #[test]
    fn the_field_inside_a_combobox_is_the_one() {
        let html = r#"<div role="combobox" aria-label="Town"><input aria-label="Town"></div>"#;
        let tree = testing::tree(html);
        let fields = Fields::new(&tree);
        assert_eq!(
            fields
                .all
                .iter()
                .filter_map(|field| tree.get(field.node))
                .map(|node| node.tag.to_string())
                .collect::<Vec<_>>(),
            ["input"]
        );
    }

    #[test]
    fn near_fields_are_offered_or_else_the_first_ones() {
        let tree = testing::tree("<label>Full name<input></label><label>Town<input></label>");
        let mut tree = tree;
        for (number, node) in (1..).zip(&mut tree.nodes) {
            node.reference = Some(crate::reference::Ref(number));
        }
        let fields = Fields::new(&tree);
        let names = |text: &str| {
            fields.like(text, 3).iter().map(|near| format!("{} ({})", near.name, near.why)).collect::<Vec<_>>()
        };
        assert_eq!(names("Ful nmae"), ["Full name (similar name)"]);
        assert_eq!(names("xyz"), ["Full name (a field of the page)", "Town (a field of the page)"]);
    }
}
