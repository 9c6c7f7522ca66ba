//! Accessible names, in the order of accname: reference, `aria-label`, what HTML gives, content, `title`,
//! `placeholder`.

use std::borrow::Cow;

use super::dom::{NONE, flag};
use super::moment::Moment;
use super::role::Role;
use super::text::{Walk, folded};
use super::words::{Attribute, Tag};

/// A name and where it came from.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub text: String,
    /// The elements whose text is the name, so that it need not be told again.
    pub sources: Vec<u32>,
    pub from_content: bool,
}

impl Named {
    fn plain(text: impl AsRef<str>) -> Self {
        Self { text: folded(text.as_ref()), ..Self::default() }
    }
}

impl Moment<'_> {
    /// Names an element.
    pub(crate) fn name(&self, node: u32, role: Role) -> Named {
        let dom = self.dom;
        if role == Role::None {
            return Named::default();
        }
        let text = self.referenced(node);
        if !text.is_empty() {
            return Named { text, ..Named::default() };
        }
        if let Some(label) = self.aria_label(node) {
            return Named::plain(label);
        }
        if let Some(named) = self.native_name(node, role) {
            return named;
        }
        if self.is_named_by_content(node, role) {
            let text = self.gather(node, Walk::CONTENT);
            if !text.is_empty() {
                return Named { text, sources: Vec::new(), from_content: true };
            }
        }
        let title = || dom.filled(node, Attribute::Title).filter(|_| !role.takes_no_title());
        let placeholder = || {
            let text =
                dom.filled(node, Attribute::Placeholder).or_else(|| dom.filled(node, Attribute::AriaPlaceholder));
            text.filter(|_| role.is_text_field())
        };
        title().or_else(placeholder).map(Named::plain).unwrap_or_default()
    }

    fn is_named_by_content(&self, node: u32, role: Role) -> bool {
        if self.dom.tag(node) == Tag::Select || role == Role::Math {
            return false;
        }
        role.is_named_by_content() || (role == Role::Row && self.is_in_grid(node))
    }

    fn is_in_grid(&self, node: u32) -> bool {
        self.shape
            .ancestors(node)
            .map(|above| self.role(above))
            .find(|role| !matches!(role, Role::None | Role::Generic | Role::Rowgroup))
            .is_some_and(|role| matches!(role, Role::Grid | Role::Treegrid))
    }

    /// Returns the name that HTML gives by other elements or attributes.
    fn native_name(&self, node: u32, role: Role) -> Option<Named> {
        let dom = self.dom;
        let tag = dom.tag(node);
        if (tag.can_be_labelled() || dom.is_custom(node)) && !self.labels(node).is_empty() {
            let named = self.name_by_labels(node);
            if !named.text.is_empty() {
                return Some(named);
            }
        }
        if let Some(text) = self.told_by_attribute(node, role) {
            return Some(Named::plain(text));
        }
        let child = |wanted: Tag| self.shape.children(node).find(|&child| dom.tag(child) == wanted);
        match tag {
            Tag::Fieldset => self.name_by_child(child(Tag::Legend)?),
            Tag::Table => child(Tag::Caption)
                .and_then(|caption| self.name_by_child(caption))
                .or_else(|| dom.filled(node, Attribute::Summary).map(Named::plain)),
            Tag::Option => Some(Named { text: self.option_text(node), sources: Vec::new(), from_content: true }),
            Tag::Input => match dom.input_type(node).as_ref() {
                "file" => Some(Named::plain(dom.filled(node, Attribute::Title).unwrap_or("Choose File"))),
                "image" => Some(Named::plain(dom.filled(node, Attribute::Title).unwrap_or("Submit"))),
                _ => None,
            },
            _ => None,
        }
    }

    fn name_by_child(&self, child: u32) -> Option<Named> {
        if !self.is_shown(child) {
            return None;
        }
        let text = self.gather(child, Walk::CONTENT);
        (!text.is_empty()).then(|| Named { text, sources: vec![child], from_content: false })
    }

    fn name_by_labels(&self, node: u32) -> Named {
        let mut named = Named::default();
        for &label in self.labels(node) {
            let hidden = !self.is_shown(label);
            let walk = Walk { hidden, without: node, ..Walk::CONTENT };
            let text = match self.aria_label(label) {
                Some(label) => folded(label),
                None => self.gather(label, walk),
            };
            if text.is_empty() {
                continue;
            }
            if !named.text.is_empty() {
                named.text.push(' ');
            }
            named.text.push_str(&text);
            named.sources.push(label);
        }
        named
    }

    /// Names what can be clicked though it has no role of its own: by its text, without that of controls inside.
    pub(crate) fn name_of_clickable(&self, node: u32) -> String {
        self.gather(node, Walk { without_controls: true, ..Walk::CONTENT })
    }

    /// Returns the visible text of a text node or of generated content, as laid out.
    pub(crate) fn own_text(&self, node: u32) -> Cow<'_, str> {
        let mut rows = self.layout.rows(node).map(|row| self.dom.strings.get(row.text));
        let text: Cow<'_, str> = match (rows.next(), rows.next()) {
            (None, _) if self.dom.has(node, flag::PSEUDO) => Cow::Borrowed(""),
            (None, _) => Cow::Borrowed(self.dom.text(node)),
            (Some(only), None) => Cow::Borrowed(only),
            (Some(first), Some(second)) => Cow::Owned([first, second].into_iter().chain(rows).collect()),
        };
        match self.initial(node, &text) {
            Some(initial) => Cow::Owned(format!("{initial}{text}")),
            None => text,
        }
    }

    /// Returns the first letter of a text where `::first-letter` took it out of the text's own box.
    fn initial(&self, node: u32, laid_out: &str) -> Option<&str> {
        if !self.dom.has_first_letters || self.dom.has(node, flag::PSEUDO) {
            return None;
        }
        let text = self.dom.text(node);
        let cut = text.chars().count().checked_sub(laid_out.chars().count()).filter(|&cut| cut > 0)?;
        let (initial, rest) = text.split_at(text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at));
        (rest.to_lowercase() == laid_out.to_lowercase()).then_some(initial)
    }

    /// Returns the text of the parts that are generated content without words, such as icon fonts.
    pub(crate) fn is_wordless(text: &str) -> bool {
        text.chars().all(|character| {
            character.is_whitespace() || matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
        })
    }

    /// Returns the element that a summary opens, or `NONE`.
    pub(crate) fn details_of(&self, summary: u32) -> u32 {
        let parent = self.dom.parent(summary);
        if self.dom.tag(parent) == Tag::Details { parent } else { NONE }
    }
}
