//! The walk that makes the tree: once over all documents in reading order, frames in their place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::boxes::Places;
use super::census::Census;
use super::dom::{DOCUMENT, NONE, flag};
use super::hidden::reason;
use super::join::Plan;
use super::listing::Around;
use super::moment::Moment;
use super::names::Named;
use super::role::Role;
use super::text::folded;
use super::told::is_told;
use super::words::{Attribute, Tag};
use crate::page::tree::{Counters, Hidden, Joint, Node, States, Tree};

/// An element that was entered and not left yet.
struct Open {
    dom: u32,
    node: Option<u32>,
    around: Around,
    /// Whether a line of the tree ends here.
    breaks: bool,
    /// What its box puts between the texts before and after.
    joint: Joint,
    tells: Tells,
}

/// What an element tells of the text below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tells {
    Nothing,
    /// Its own line tells it.
    Line,
    /// The line of what it names tells it, as that of a field tells the label.
    Elsewhere,
    /// Lines above do not tell it any more.
    Afresh,
}

/// Lines that are asked whether they tell a text. Buttons can nest by the thousand.
const MOST_TELLERS: usize = 3;

pub(super) fn build(moment: &Moment<'_>, plan: &Plan, places: &Places) -> Tree {
    let names = names(moment);
    let mut spoken: HashMap<u32, String> = HashMap::new();
    for (node, named) in (0_u32..).zip(&names) {
        if moment.is_shown(node) && places.rect(moment.dom, moment.layout, node).is_none_or(|rect| rect.width > 0.0) {
            for &source in &named.sources {
                let told = spoken.entry(source).or_default();
                told.push(' ');
                told.push_str(&named.text);
            }
        }
    }
    let mut builder = Builder {
        moment,
        plan,
        places,
        names,
        spoken,
        disabled: moment.disabled(),
        census: Census::new(moment),
        controlled: controlled(moment),
        tree: Tree { frames: plan.frames.clone(), ..Tree::default() },
        overlays: Vec::new(),
        open: Vec::new(),
        run: None,
        joint: Joint::Line,
    };
    builder.walk();
    builder.finish()
}

/// Names all elements first: an element can tell the text of another one that stands before it.
fn names(moment: &Moment<'_>) -> Vec<Named> {
    let nodes = 0..u32::try_from(moment.dom.len()).unwrap_or(NONE);
    nodes.map(|node| moment.name(node, moment.role(node))).collect()
}

/// Finds what expanded elements control.
fn controlled(moment: &Moment<'_>) -> HashSet<u32> {
    let dom = moment.dom;
    let mut controlled = HashSet::new();
    for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
        if dom.is(node, Attribute::AriaExpanded, "true") {
            controlled.extend(moment.shape.find_ids(dom, node, Attribute::AriaControls));
        }
    }
    controlled
}

struct Builder<'a> {
    moment: &'a Moment<'a>,
    plan: &'a Plan,
    places: &'a Places,
    names: Vec<Named>,
    /// Elements whose text names another one, with the names.
    spoken: HashMap<u32, String>,
    disabled: Vec<bool>,
    census: Census,
    controlled: HashSet<u32>,
    tree: Tree,
    /// Overlay roots with their paint order.
    overlays: Vec<(u32, u32)>,
    open: Vec<Open>,
    /// The text line that the next text may be part of.
    run: Option<u32>,
    /// What stands between the text before and the next one.
    joint: Joint,
}

impl Builder<'_> {
    fn walk(&mut self) {
        let moment = self.moment;
        let Some(top) = moment.dom.documents.first() else { return };
        let mut at = top.first;
        loop {
            let enter = self.enter(at);
            let below = if enter { self.first_below(at) } else { NONE };
            if below != NONE {
                at = below;
                continue;
            }
            self.leave();
            while moment.shape.next(at) == NONE {
                // The root of a document stands below the element that holds the frame.
                let Some(above) = self.open.last() else { return };
                at = above.dom;
                self.leave();
            }
            at = moment.shape.next(at);
        }
    }

    fn first_below(&self, node: u32) -> u32 {
        match self.plan.held.get(&node).and_then(|&place| self.plan.order.get(place as usize)) {
            Some(&document) => self.moment.dom.documents.get(document as usize).map_or(NONE, |document| document.first),
            None => self.moment.shape.first(node),
        }
    }

    fn around(&self) -> Around {
        self.open.last().map(|open| open.around).unwrap_or_default()
    }

    /// Takes a node and stands in it; returns whether to go below.
    fn enter(&mut self, node: u32) -> bool {
        let dom = self.moment.dom;
        let mut open = Open {
            dom: node,
            node: None,
            around: self.around(),
            breaks: false,
            joint: Joint::Nothing,
            tells: Tells::Nothing,
        };
        let mut go_below = false;
        if dom.is_text(node) || (dom.has(node, flag::PSEUDO) && !dom.has(node, flag::MARKER)) {
            open.breaks = dom.has(node, flag::PSEUDO) && !self.moment.is_inline(node);
            open.joint = self.moment.joint(node);
            self.divide(&open);
            self.add_text(node);
        } else if dom.kind(node) == DOCUMENT {
            open.around = Around::default();
            open.tells = Tells::Afresh;
            open.breaks = true;
            open.joint = Joint::Line;
            self.divide(&open);
            open.node = Some(self.add_document(node));
            go_below = true;
        } else if dom.is_element(node) && !dom.has(node, flag::PSEUDO) && !dom.tag(node).has_no_content() {
            self.add_element(node, &mut open);
            go_below = true;
        }
        self.open.push(open);
        go_below
    }

    fn leave(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.divide(&open);
        let end = self.count();
        if let Some(node) = open.node.and_then(|node| self.tree.nodes.get_mut(node as usize)) {
            node.end = end;
        }
    }

    /// Ends the line of text that the border of an element cuts.
    fn divide(&mut self, open: &Open) {
        self.joint = self.joint.max(open.joint);
        if open.breaks {
            self.run = None;
        }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.tree.nodes.len()).unwrap_or(NONE)
    }

    /// Returns a node with what is the same for all kinds.
    fn blank(&self, dom: u32) -> Node {
        let parent = self.open.iter().rev().find_map(|open| open.node);
        let place = self.plan.order.iter().position(|&document| document == self.moment.dom.document(dom));
        Node {
            parent,
            end: self.count() + 1,
            frame: place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0),
            backend: self.moment.dom.backend(dom),
            reference: None,
            role: "text",
            name: String::new(),
            value: None,
            states: States::default(),
            tag: Cow::Borrowed("#text"),
            href: None,
            input_type: None,
            placeholder: None,
            guessed: None,
            level: None,
            rect: None,
            hidden: reason(self.moment.hide(dom)),
            clickable: false,
            interactive: false,
            in_viewport: false,
            listed: false,
            is_text: false,
            sensitive: false,
            speaks_for_text: false,
            continues: false,
            joint: Joint::Nothing,
        }
    }

    fn place(&self, node: &mut Node, dom: u32) {
        if node.hidden.is_some_and(Hidden::is_left_out) {
            return;
        }
        node.rect = self.places.rect(self.moment.dom, self.moment.layout, dom);
        node.in_viewport = node.rect.is_some_and(|rect| self.places.in_viewport(self.moment.dom, dom, &rect));
    }

    fn add_document(&mut self, dom: u32) -> u32 {
        let index = self.count();
        let mut node = self.blank(dom);
        node.role = "document";
        node.tag = Cow::Borrowed("#document");
        self.place(&mut node, dom);
        let owner = node.parent;
        if let Some(frame) = self.tree.frames.get_mut(node.frame as usize) {
            node.name = folded(&frame.title);
            frame.root = Some(index);
            frame.owner = owner;
        }
        self.tree.nodes.push(node);
        index
    }

    fn add_text(&mut self, dom: u32) {
        let mut node = self.blank(dom);
        if node.hidden.is_some_and(Hidden::is_left_out) {
            return;
        }
        let text = self.moment.own_text(dom);
        let name = folded(&text);
        if name.is_empty() {
            // A space between two pieces of a line.
            if !text.is_empty() {
                self.joint = self.joint.max(Joint::Space);
            }
            if let Some(run) = self.run.filter(|_| !text.is_empty())
                && let Some(before) = self.tree.nodes.get_mut(run as usize)
            {
                before.name.push(' ');
            }
            return;
        }
        node.is_text = true;
        if Moment::is_wordless(&name) {
            return;
        }
        let told = self.around().spoken && self.is_told(&name);
        self.place(&mut node, dom);
        let spaced = |at: Option<char>| at.is_some_and(char::is_whitespace);
        let space = |at: Option<char>| if spaced(at) { Joint::Space } else { Joint::Nothing };
        node.joint = self.joint.max(space(text.chars().next()));
        self.joint = space(text.chars().next_back());
        let hidden = node.hidden;
        match self.run.and_then(|run| self.tree.nodes.get_mut(run as usize)).filter(|before| before.hidden == hidden) {
            Some(before) => {
                if spaced(text.chars().next()) && !before.name.ends_with(' ') {
                    before.name.push(' ');
                }
                before.name.push_str(&name);
                if spaced(text.chars().next_back()) {
                    before.name.push(' ');
                }
                before.in_viewport |= node.in_viewport;
                before.rect = match (before.rect, node.rect) {
                    (Some(one), Some(other)) => Some(one.around(&other)),
                    (one, other) => one.or(other),
                };
                before.listed |= !told;
                node.name = name;
                node.continues = true;
            }
            None => {
                node.listed = !told;
                node.name = name;
                if spaced(text.chars().next_back()) {
                    node.name.push(' ');
                }
                self.run = Some(self.count());
            }
        }
        self.tree.nodes.push(node);
    }

    fn add_element(&mut self, dom: u32, open: &mut Open) {
        let moment = self.moment;
        let index = self.count();
        let role = moment.role(dom);
        let mut node = self.blank(dom);
        let mut named = self.names.get_mut(dom as usize).map(std::mem::take).unwrap_or_default();
        let tag = moment.dom.tag(dom);
        node.tag = match (tag.text(), moment.dom.has(dom, flag::FOREIGN)) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, true) => Cow::Owned(moment.dom.node_name(dom).to_owned()),
            (None, false) => Cow::Owned(moment.dom.node_name(dom).to_ascii_lowercase()),
        };
        self.place(&mut node, dom);
        let around = open.around;
        let shown = !node.hidden.is_some_and(Hidden::is_left_out);
        let below = self.census.below(dom, moment.dom.end(dom));
        let mut speaks = false;
        if shown {
            let listing = moment.list(dom, role, &mut named, around, below);
            node.listed = listing.listed;
            node.clickable = listing.clickable;
            node.interactive = listing.listed && (listing.clickable || role.is_control());
            speaks = listing.listed && listing.speaks;
        }
        node.role = if role == Role::None { "generic" } else { role.text() };
        node.name = named.text;
        node.speaks_for_text = speaks;
        self.describe(&mut node, dom, role);
        if shown {
            let overlay = moment.is_overlay(dom, role, self.controlled.contains(&dom));
            if overlay
                && !self
                    .open
                    .iter()
                    .any(|open| open.node.is_some_and(|node| self.overlays.iter().any(|&(_, root)| root == node)))
            {
                node.listed = true;
                let paint = moment.layout.row(dom).map_or(0, |row| row.paint);
                self.overlays.push((paint, index));
            }
        }
        open.around.spoken = speaks || self.spoken.contains_key(&dom) || (around.spoken && !role.keeps_its_text());
        open.tells = match speaks {
            true => Tells::Line,
            false if self.spoken.contains_key(&dom) => Tells::Elsewhere,
            false if role.keeps_its_text() => Tells::Afresh,
            false => Tells::Nothing,
        };
        open.around.in_control = (around.in_control || (role.is_control() && node.listed)) && !role.keeps_its_text();
        open.breaks = node.listed || self.spoken.contains_key(&dom) || tag == Tag::Br || !moment.is_inline(dom);
        open.node = Some(index);
        open.joint = if tag == Tag::Br { Joint::Line } else { moment.joint(dom) };
        self.divide(open);
        if let Some(&place) = self.plan.unread.get(&dom)
            && let Some(frame) = self.tree.frames.get_mut(place as usize)
        {
            frame.owner = Some(index);
        }
        self.tree.nodes.push(node);
    }

    /// Returns whether a line above tells a text.
    fn is_told(&self, text: &str) -> bool {
        let tellers = self.open.iter().rev().filter(|open| open.tells != Tells::Nothing);
        tellers.take(MOST_TELLERS).take_while(|open| open.tells != Tells::Afresh).any(|open| match open.tells {
            Tells::Elsewhere => self.spoken.get(&open.dom).is_some_and(|name| is_told(text, name)),
            _ => self.line_tells(open, text),
        })
    }

    fn line_tells(&self, open: &Open, text: &str) -> bool {
        let Some(node) = open.node.and_then(|node| self.tree.nodes.get(node as usize)) else { return false };
        // What stands in these is no text of the page: it became their value, or is told as options.
        let holds_no_text = matches!(node.tag.as_ref(), "input" | "textarea" | "option") || node.sensitive;
        holds_no_text || is_told(text, &node.name) || node.value.as_deref().is_some_and(|value| is_told(text, value))
    }

    /// Adds the facts that stand behind the name on a line.
    fn describe(&self, node: &mut Node, dom: u32, role: Role) {
        let moment = self.moment;
        let attribute = |name: Attribute| moment.dom.filled(dom, name).map(Box::from);
        let disabled = self.disabled.get(dom as usize).copied().unwrap_or(false);
        node.states = moment.states(dom, role, disabled);
        node.sensitive = moment.dom.has(dom, flag::SENSITIVE);
        let value = moment.value(dom, role).map(|value| folded(&value)).filter(|value| !value.is_empty());
        node.value = value.or_else(|| moment.takes_text(dom, role).then(String::new));
        node.level = moment.level(dom, role);
        let tag = moment.dom.tag(dom);
        if tag == Tag::Input {
            node.input_type = Some(moment.dom.input_type(dom).into());
        }
        if matches!(tag, Tag::Input | Tag::Textarea) {
            node.placeholder = attribute(Attribute::Placeholder);
        }
        if role == Role::Link {
            node.href = attribute(Attribute::Href).or_else(|| attribute(Attribute::XlinkHref));
        }
    }

    fn finish(mut self) -> Tree {
        self.overlays.sort_by_key(|&(paint, node)| (std::cmp::Reverse(paint), node));
        self.tree.overlays = self.overlays.iter().map(|&(_, node)| node).collect();
        let mut counters = Counters::default();
        let numbers = 0..self.count();
        for (number, node) in numbers.zip(&mut self.tree.nodes) {
            if node.is_text {
                node.name.truncate(node.name.trim_end().len());
            }
            if node.listed {
                counters.nodes += 1;
            }
            if node.role != "generic" && node.hidden.is_some_and(Hidden::is_left_out) {
                counters.hidden_omitted += 1;
                if node.hidden == Some(Hidden::Modal) {
                    counters.behind_modal += 1;
                }
            }
            self.tree.index.push((node.frame, node.backend, number));
        }
        self.tree.index.sort_unstable();
        counters.frames = self.tree.frames.len();
        counters.frames_unread = self.tree.frames.iter().filter(|frame| frame.read.is_err()).count();
        self.tree.counters = counters;
        self.tree
    }
}
