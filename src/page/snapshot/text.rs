//! Gathering the text of a subtree, as names are made from content: where a space goes, what is passed over,
//! what an embedded control contributes.

use super::dom::{NONE, flag};
use super::hidden::hide;
use super::moment::{FEW_STEPS, Moment};
use super::role::Role;
use super::words::{Attribute, Tag};

/// How a walk gathers text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    /// Hidden text counts as well: the target of a reference is hidden itself.
    pub hidden: bool,
    /// References of elements on the way are followed. Not from within a reference.
    pub references: bool,
    /// An element whose subtree is passed over: the control that is being named.
    pub without: u32,
    /// Controls on the way are passed over, as for the name of a clickable box around them.
    pub without_controls: bool,
}

impl Walk {
    pub const CONTENT: Self = Self { hidden: false, references: true, without: NONE, without_controls: false };
}

/// Text under construction. A space that is due is written only between two pieces.
#[derive(Default)]
struct Pieces {
    text: String,
    space_due: bool,
}

impl Pieces {
    fn add(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if self.space_due && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.space_due = false;
        self.text.push_str(piece);
    }

    fn space(&mut self) {
        self.space_due = true;
    }

    fn add_apart(&mut self, piece: &str) {
        self.space();
        self.add(piece);
        self.space();
    }
}

/// Returns the text with runs of white space folded to one space, and none at the ends.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// An element that was entered and not left yet.
struct Open {
    node: u32,
    length: usize,
    block: bool,
}

impl Moment<'_> {
    /// Gathers the text below `root`, folded.
    pub(super) fn gather(&self, root: u32, walk: Walk) -> String {
        let mut pieces = Pieces::default();
        let mut open: Vec<Open> = Vec::new();
        let mut allowance = self.steps.get().max(FEW_STEPS);
        let mut at = self.shape.first(root);
        let mut parent = root;
        loop {
            if at == NONE {
                // Everything below `parent` is done.
                let Some(done) = open.pop() else { break };
                self.leave(&done, &mut pieces);
                parent = self.shape.parent(done.node);
                at = self.shape.next(done.node);
                continue;
            }
            self.steps.set(self.steps.get().saturating_sub(1));
            allowance = allowance.saturating_sub(1);
            if allowance == 0 {
                break;
            }
            debug_assert_eq!(self.shape.parent(at), parent);
            if self.enter(at, root, walk, &mut pieces) {
                open.push(Open { node: at, length: pieces.text.len(), block: !self.is_inline(at) });
                if !self.is_inline(at) {
                    pieces.space();
                }
                parent = at;
                at = self.shape.first(at);
            } else {
                at = self.shape.next(at);
            }
        }
        folded(&pieces.text)
    }

    fn leave(&self, done: &Open, pieces: &mut Pieces) {
        let silent = pieces.text.get(done.length..).is_none_or(|text| text.trim().is_empty());
        if silent
            && self.dom.is_element(done.node)
            && let Some(title) = self.dom.filled(done.node, Attribute::Title)
        {
            pieces.add_apart(title);
        }
        if done.block {
            pieces.space();
        }
    }

    /// Takes what a node itself contributes; returns whether to go on with its children.
    fn enter(&self, node: u32, root: u32, walk: Walk, pieces: &mut Pieces) -> bool {
        let dom = self.dom;
        let new_reasons = self.hide(node) & !self.hide(root) & (hide::LEFT_OUT | hide::ARIA);
        if (new_reasons != 0 && !walk.hidden) || node == walk.without {
            return false;
        }
        if dom.is_text(node) {
            self.add_text(node, walk, pieces);
            return false;
        }
        if !dom.is_element(node) || dom.has(node, flag::MARKER) {
            return false;
        }
        if dom.has(node, flag::PSEUDO) {
            self.add_generated(node, pieces);
            return false;
        }
        let tag = dom.tag(node);
        if tag.has_no_content() {
            return false;
        }
        if tag == Tag::Br {
            pieces.space();
            return false;
        }
        let role = self.role(node);
        if walk.without_controls && (role.is_control() || matches!(tag, Tag::Audio | Tag::Video | Tag::Iframe)) {
            pieces.space();
            return false;
        }
        if role == Role::Group && self.role(root) == Role::Treeitem {
            // The branches of a tree item have names of their own.
            return false;
        }
        if walk.references && dom.filled(node, Attribute::AriaLabelledby).is_some() {
            let text = self.referenced(node);
            if !text.is_empty() {
                pieces.add_apart(&text);
                return false;
            }
        }
        if let Some(value) = self.embedded_value(node, role) {
            pieces.add_apart(&value);
            return false;
        }
        if let Some(label) = self.aria_label(node) {
            pieces.add_apart(label);
            return false;
        }
        if let Some(name) = self.told_by_attribute(node, role) {
            pieces.add_apart(&name);
            return false;
        }
        if role.keeps_its_text() {
            if let Some(title) = dom.filled(node, Attribute::Title) {
                pieces.add_apart(title);
            }
            return false;
        }
        !matches!(
            tag,
            Tag::Iframe | Tag::Frame | Tag::Audio | Tag::Video | Tag::Canvas | Tag::Textarea | Tag::Input | Tag::Select
        )
    }

    fn add_text(&self, node: u32, walk: Walk, pieces: &mut Pieces) {
        if walk.hidden {
            pieces.add_apart(self.dom.text(node).trim());
            return;
        }
        pieces.add(&self.own_text(node));
    }

    /// Adds generated content, or the text that stands for it after the slash of `content`.
    fn add_generated(&self, node: u32, pieces: &mut Pieces) {
        let Some(first) = self.layout.row(node) else { return };
        let block = !self.is_inline(node);
        if block {
            pieces.space();
        }
        match alternative(self.dom.strings.get(first.content)) {
            Some(text) => pieces.add_apart(&text),
            None => {
                for row in self.layout.rows(node) {
                    pieces.add(self.dom.strings.get(row.text));
                }
            }
        }
        if block {
            pieces.space();
        }
    }

    /// Returns the value of a control inside the text that is gathered.
    fn embedded_value(&self, node: u32, role: Role) -> Option<String> {
        let value = match role {
            Role::Textbox
            | Role::Searchbox
            | Role::Slider
            | Role::Spinbutton
            | Role::Progressbar
            | Role::Meter
            | Role::Scrollbar => self.value(node, role)?,
            Role::Combobox | Role::Listbox => self.chosen_text(node, role)?,
            Role::Button if self.dom.tag(node) == Tag::Input && self.dom.input_type(node) == "file" => {
                let value = self.value(node, role).unwrap_or_else(|| "No file chosen".to_owned());
                format!("Choose File: {value}")
            }
            _ => return None,
        };
        (!value.trim().is_empty()).then_some(value)
    }

    /// Returns the text of what is chosen in a drop-down or list.
    fn chosen_text(&self, node: u32, role: Role) -> Option<String> {
        if self.dom.tag(node) == Tag::Select {
            let chosen = self.options(node).filter(|&option| self.dom.has(option, flag::SELECTED));
            let texts: Vec<String> = chosen.map(|option| self.option_text(option)).collect();
            return Some(texts.join(" "));
        }
        if role == Role::Combobox {
            return self.value(node, role);
        }
        let chosen: Vec<String> = (node + 1..self.dom.end(node))
            .filter(|&below| self.role(below) == Role::Option && self.dom.is(below, Attribute::AriaSelected, "true"))
            .map(|option| self.gather(option, Walk { references: false, ..Walk::CONTENT }))
            .collect();
        Some(chosen.join(" "))
    }

    pub(super) fn option_text(&self, option: u32) -> String {
        match self.dom.filled(option, Attribute::Label) {
            Some(label) => folded(label),
            None => {
                let walk = Walk { hidden: false, references: false, without: NONE, without_controls: false };
                self.gather(option, walk)
            }
        }
    }

    /// Returns the text of the elements that `aria-labelledby` names.
    pub(super) fn referenced(&self, node: u32) -> String {
        let mut targets = self.shape.find_ids(self.dom, node, Attribute::AriaLabelledby);
        if targets.is_empty() {
            targets = self.shape.find_ids(self.dom, node, Attribute::AriaLabeledby);
        }
        let texts: Vec<String> = targets
            .into_iter()
            .map(|target| self.reference_text(target, node))
            .filter(|text| !text.is_empty())
            .collect();
        texts.join(" ")
    }

    /// Returns what one target of a reference contributes.
    fn reference_text(&self, target: u32, from: u32) -> String {
        let role = self.role(target);
        if target != from
            && let Some(value) = self.embedded_value(target, role)
        {
            return folded(&value);
        }
        if let Some(label) = self.aria_label(target) {
            return folded(label);
        }
        if let Some(name) = self.told_by_attribute(target, role) {
            return folded(&name);
        }
        let hidden = !self.is_shown(target) || self.hide(target) & hide::ARIA != 0;
        let text = self.gather(target, Walk { hidden, references: false, ..Walk::CONTENT });
        if !text.is_empty() {
            return text;
        }
        self.dom.filled(target, Attribute::Title).map(folded).unwrap_or_default()
    }

    /// Returns the name that an attribute of the element itself gives, such as `alt`.
    pub(super) fn told_by_attribute(&self, node: u32, role: Role) -> Option<String> {
        let dom = self.dom;
        match dom.tag(node) {
            Tag::Img | Tag::Area => dom.filled(node, Attribute::Alt).map(str::to_owned),
            Tag::Input => self.input_caption(node),
            Tag::Optgroup => dom.filled(node, Attribute::Label).map(str::to_owned),
            Tag::Abbr => dom
                .filled(node, Attribute::Title)
                .filter(|_| role == Role::Abbr && self.shape.first(node) == NONE)
                .map(str::to_owned),
            _ if dom.has(node, flag::FOREIGN) => self.svg_title(node),
            _ => None,
        }
    }

    /// Returns what stands on a button that is an `input`.
    fn input_caption(&self, node: u32) -> Option<String> {
        let dom = self.dom;
        let value = || dom.filled(node, Attribute::Value).map(str::to_owned);
        match dom.input_type(node).as_ref() {
            "button" => value(),
            "submit" => Some(value().unwrap_or_else(|| "Submit".to_owned())),
            "reset" => Some(value().unwrap_or_else(|| "Reset".to_owned())),
            "image" => dom.filled(node, Attribute::Alt).map(str::to_owned).or_else(value),
            _ => None,
        }
    }

    pub(super) fn svg_title(&self, node: u32) -> Option<String> {
        let title = self.shape.children(node).find(|&child| self.dom.node_name(child) == "title")?;
        let text: String = self.shape.children(title).map(|text| self.dom.text(text)).collect();
        let text = folded(&text);
        (!text.is_empty()).then_some(text)
    }
}

/// Reads the alternative text of a computed `content`, which stands behind a slash.
fn alternative(content: &str) -> Option<String> {
    let (mut quoted, mut escaped, mut slash) = (false, false, None);
    for (at, character) in content.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '/' if !quoted => slash = Some(at + 1),
            _ => {}
        }
    }
    let after = content.get(slash?..)?;
    let mut text = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for character in after.chars() {
        match character {
            _ if escaped => {
                escaped = false;
                text.push(character);
            }
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => text.push(character),
            _ => {}
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternative_text_stands_behind_the_slash() {
        assert_eq!(alternative("\"x\" / \"Close\""), Some("Close".to_owned()));
        assert_eq!(alternative("url(\"a/b.png\") / \"\""), Some(String::new()));
        assert_eq!(alternative("\"a / b\""), None);
    }

    #[test]
    fn spaces_stand_only_between_pieces() {
        let mut pieces = Pieces::default();
        pieces.space();
        pieces.add("a");
        pieces.add("b");
        pieces.add_apart("c");
        pieces.space();
        assert_eq!(pieces.text, "ab c");
    }
}
