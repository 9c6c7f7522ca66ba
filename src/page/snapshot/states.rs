//! Values and states of elements.

use super::dom::{NONE, flag};
use super::hidden::hide;
use super::moment::Moment;
use super::role::Role;
use super::roles::{is_editing_host, is_focusable};
use super::text::Walk;
use super::words::{Attribute, Tag};
use crate::page::tree::{Mixed, States};

impl Moment<'_> {
    /// Returns the value of a control; `None` for what has none and for sensitive fields.
    pub(crate) fn value(&self, node: u32, role: Role) -> Option<String> {
        let dom = self.dom;
        if dom.has(node, flag::SENSITIVE) {
            return None;
        }
        let attribute = |name: Attribute| dom.filled(node, name).map(str::to_owned);
        match dom.tag(node) {
            Tag::Input => return self.input_value(node),
            Tag::Textarea => return dom.live(node).map(str::to_owned).filter(|value| !value.is_empty()),
            Tag::Select if role == Role::Listbox => {
                let chosen = self.options(node).filter(|&option| dom.has(option, flag::SELECTED));
                let texts: Vec<String> = chosen.map(|option| self.option_text(option)).collect();
                return Some(texts.join(", ")).filter(|text| !text.is_empty());
            }
            Tag::Select => {
                return Some(self.option_text(self.chosen(node)?)).filter(|text| !text.is_empty());
            }
            Tag::Progress | Tag::Meter => return attribute(Attribute::Value),
            _ => {}
        }
        match role {
            Role::Slider | Role::Spinbutton | Role::Progressbar | Role::Meter | Role::Scrollbar => {
                attribute(Attribute::AriaValuetext).or_else(|| attribute(Attribute::AriaValuenow))
            }
            Role::Separator if is_focusable(dom, node) => attribute(Attribute::AriaValuenow),
            Role::Textbox | Role::Searchbox | Role::Combobox => {
                if role == Role::Combobox && self.holds_text_field(node) {
                    return None;
                }
                let text = self.gather(node, Walk { references: false, ..Walk::CONTENT });
                (!text.is_empty()).then_some(text)
            }
            _ => None,
        }
    }

    /// Returns whether the element takes text, so that nothing in it is a value too.
    pub(crate) fn takes_text(&self, node: u32, role: Role) -> bool {
        match self.dom.tag(node) {
            _ if self.dom.has(node, flag::SENSITIVE) => false,
            Tag::Textarea => true,
            Tag::Input => !matches!(
                self.dom.input_type(node).as_ref(),
                "button" | "submit" | "reset" | "image" | "checkbox" | "radio" | "hidden" | "file"
            ),
            _ => matches!(role, Role::Textbox | Role::Searchbox),
        }
    }

    /// An old kind of combobox is a box around its text field.
    fn holds_text_field(&self, node: u32) -> bool {
        (node + 1..self.dom.end(node)).any(|below| matches!(self.dom.tag(below), Tag::Input | Tag::Textarea))
    }

    fn input_value(&self, node: u32) -> Option<String> {
        let dom = self.dom;
        let live = || dom.live(node).or_else(|| dom.attribute(node, Attribute::Value)).map(str::to_owned);
        let value = match dom.input_type(node).as_ref() {
            "button" | "submit" | "reset" | "image" | "checkbox" | "radio" | "hidden" => None,
            "file" => live().map(|path| path.rsplit(['\\', '/']).next().unwrap_or_default().to_owned()),
            "range" => live().filter(|value| !value.is_empty()).or_else(|| Some(self.middle(node))),
            _ => live(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// A range without a value stands in the middle.
    fn middle(&self, node: u32) -> String {
        let number = |name: Attribute, otherwise: f64| {
            self.dom.filled(node, name).and_then(|text| text.parse::<f64>().ok()).unwrap_or(otherwise)
        };
        let (low, high) = (number(Attribute::Min, 0.0), number(Attribute::Max, 100.0));
        format!("{}", if high < low { low } else { low + (high - low) / 2.0 })
    }

    /// Returns the level of a heading.
    pub(crate) fn level(&self, node: u32, role: Role) -> Option<u8> {
        if role != Role::Heading {
            return None;
        }
        if let Some(level) = self.dom.filled(node, Attribute::AriaLevel).and_then(|text| text.parse::<u8>().ok())
            && level > 0
        {
            return Some(level);
        }
        Some(match self.dom.tag(node) {
            Tag::H1 => 1,
            Tag::H3 => 3,
            Tag::H4 => 4,
            Tag::H5 => 5,
            Tag::H6 => 6,
            _ => 2,
        })
    }

    pub(crate) fn states(&self, node: u32, role: Role, disabled: bool) -> States {
        let dom = self.dom;
        let truth = |name: Attribute| dom.is(node, name, "true");
        let takes_readonly = matches!(
            role,
            Role::Textbox
                | Role::Searchbox
                | Role::Combobox
                | Role::Spinbutton
                | Role::Slider
                | Role::Checkbox
                | Role::Radiogroup
                | Role::Switch
                | Role::Listbox
                | Role::Grid
                | Role::Gridcell
                | Role::Columnheader
                | Role::Rowheader
                | Role::Treegrid
                | Role::Date
                | Role::Datetime
                | Role::Timefield
        );
        let readonly = (matches!(dom.tag(node), Tag::Input | Tag::Textarea)
            && dom.has_attribute(node, Attribute::Readonly))
            || truth(Attribute::AriaReadonly);
        let field = matches!(dom.tag(node), Tag::Input | Tag::Select | Tag::Textarea);
        States {
            checked: self.checked(node, role),
            pressed: self.pressed(node, role),
            expanded: self.expanded(node, role),
            selected: self.selected(node, role, disabled),
            disabled,
            required: (field && dom.has_attribute(node, Attribute::Required)) || truth(Attribute::AriaRequired),
            readonly: readonly && takes_readonly && !disabled,
            invalid: self.invalid(node),
            focused: dom.has(node, flag::FOCUSED),
            busy: truth(Attribute::AriaBusy),
            multiselectable: match dom.tag(node) {
                Tag::Select => dom.has_attribute(node, Attribute::Multiple),
                _ => truth(Attribute::AriaMultiselectable),
            },
            modal: role == Role::Dialog && self.is_modal(node),
        }
    }

    pub(crate) fn is_modal(&self, node: u32) -> bool {
        use super::layout::style;
        let native = self.dom.tag(node) == Tag::Dialog
            && self.layout.styled(node, style::IN_TOP_LAYER)
            && !self.dom.has_attribute(node, Attribute::Popover);
        native || self.dom.is(node, Attribute::AriaModal, "true")
    }

    /// Reads a state of three values from its attribute.
    fn three(&self, node: u32, name: Attribute) -> Option<Mixed> {
        let text = self.dom.filled(node, name)?;
        match text.to_ascii_lowercase().as_str() {
            "true" => Some(Mixed::Yes),
            "mixed" => Some(Mixed::Mixed),
            "undefined" => None,
            _ => Some(Mixed::No),
        }
    }

    fn checked(&self, node: u32, role: Role) -> Option<Mixed> {
        let dom = self.dom;
        let takes =
            matches!(role, Role::Checkbox | Role::Radio | Role::Switch | Role::Menuitemcheckbox | Role::Menuitemradio);
        if dom.tag(node) == Tag::Input && matches!(dom.input_type(node).as_ref(), "checkbox" | "radio") {
            if !takes {
                return None;
            }
            return Some(match (dom.has(node, flag::INDETERMINATE), dom.has(node, flag::CHECKED)) {
                (true, _) => Mixed::Mixed,
                (false, true) => Mixed::Yes,
                (false, false) => Mixed::No,
            });
        }
        if takes {
            let state = self.three(node, Attribute::AriaChecked).unwrap_or(Mixed::No);
            let two = matches!(role, Role::Radio | Role::Switch | Role::Menuitemradio);
            return Some(if two && state == Mixed::Mixed { Mixed::No } else { state });
        }
        if matches!(role, Role::Option | Role::Treeitem) { self.three(node, Attribute::AriaChecked) } else { None }
    }

    fn pressed(&self, node: u32, role: Role) -> Option<Mixed> {
        if role == Role::Button { self.three(node, Attribute::AriaPressed) } else { None }
    }

    fn expanded(&self, node: u32, role: Role) -> Option<bool> {
        let dom = self.dom;
        if dom.tag(node) == Tag::Summary && role.is_control() {
            let details = self.details_of(node);
            return (details != NONE).then(|| dom.has_attribute(details, Attribute::Open));
        }
        if dom.tag(node) == Tag::Select && role == Role::Combobox {
            return Some(dom.has(node, flag::OPEN));
        }
        if let Some(id) = dom.filled(node, Attribute::Popovertarget)
            && matches!(dom.tag(node), Tag::Button | Tag::Input)
            && let Some(popover) = self.shape.find_id(node, id)
            && dom.has_attribute(popover, Attribute::Popover)
        {
            return Some(self.layout.has_row(popover));
        }
        let takes = matches!(
            role,
            Role::Application
                | Role::Button
                | Role::Checkbox
                | Role::Columnheader
                | Role::Combobox
                | Role::Gridcell
                | Role::Link
                | Role::Listbox
                | Role::Menuitem
                | Role::Menuitemcheckbox
                | Role::Menuitemradio
                | Role::Row
                | Role::Rowheader
                | Role::Switch
                | Role::Tab
                | Role::Treeitem
        );
        if !takes {
            return None;
        }
        match dom.filled(node, Attribute::AriaExpanded)?.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "undefined" => None,
            _ => Some(false),
        }
    }

    fn selected(&self, node: u32, role: Role, disabled: bool) -> Option<bool> {
        let dom = self.dom;
        if dom.tag(node) == Tag::Option && role == Role::Option {
            return (!disabled).then(|| dom.has(node, flag::SELECTED));
        }
        let takes = matches!(
            role,
            Role::Option
                | Role::Tab
                | Role::Treeitem
                | Role::Row
                | Role::Gridcell
                | Role::Columnheader
                | Role::Rowheader
        );
        if !takes {
            return None;
        }
        match dom.filled(node, Attribute::AriaSelected).map(str::to_ascii_lowercase).as_deref() {
            Some("true") => Some(true),
            Some("undefined") | None => {
                let operated = is_focusable(dom, node) || dom.has(node, flag::LISTENER);
                (role == Role::Treeitem || (operated && matches!(role, Role::Tab | Role::Option))).then_some(false)
            }
            Some(_) => Some(false),
        }
    }

    fn invalid(&self, node: u32) -> bool {
        match self.dom.filled(node, Attribute::AriaInvalid).map(str::to_ascii_lowercase).as_deref() {
            Some("false") => false,
            Some(_) => true,
            None => self.dom.has(node, flag::INVALID),
        }
    }

    /// Finds which elements are disabled: by attribute, by a `fieldset` around, by `aria-disabled`.
    pub(crate) fn disabled(&self) -> Vec<bool> {
        let dom = self.dom;
        // What an element hands down: the attribute to controls, ARIA's state to what can have focus.
        let mut fieldset = vec![false; dom.len()];
        let mut aria = vec![false; dom.len()];
        let mut disabled = vec![false; dom.len()];
        for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
            if !dom.is_element(node) {
                continue;
            }
            let at = node as usize;
            let parent = dom.parent(node);
            let above = |list: &[bool]| list.get(parent as usize).copied().unwrap_or(false);
            let tag = dom.tag(node);
            let attribute = tag.can_be_disabled() && dom.has_attribute(node, Attribute::Disabled);
            let escapes = tag == Tag::Legend
                && dom.tag(parent) == Tag::Fieldset
                && (parent + 1..node).all(|before| dom.parent(before) != parent || dom.tag(before) != Tag::Legend);
            let from_fieldset = if escapes { self.outer_fieldset(parent, &fieldset) } else { above(&fieldset) };
            let own_aria = match dom.filled(node, Attribute::AriaDisabled) {
                Some(text) => text.eq_ignore_ascii_case("true"),
                None => above(&aria),
            };
            let hands_down = matches!(tag, Tag::Fieldset | Tag::Optgroup | Tag::Select) && attribute;
            let set = |list: &mut [bool], on: bool| {
                if let Some(slot) = list.get_mut(at) {
                    *slot = on;
                }
            };
            set(&mut fieldset, from_fieldset || hands_down);
            set(&mut aria, own_aria);
            let says_so = dom.is(node, Attribute::AriaDisabled, "true");
            let by_aria = (says_so && tag != Tag::Fieldset) || (own_aria && is_focusable(dom, node));
            let by_fieldset = from_fieldset && tag.can_be_disabled();
            // Chromium's tree calls no group disabled, only what is in it.
            set(&mut disabled, !matches!(tag, Tag::Fieldset | Tag::Optgroup) && (attribute || by_fieldset || by_aria));
        }
        disabled
    }

    /// Returns whether a fieldset is disabled by one around it.
    fn outer_fieldset(&self, fieldset: u32, handed: &[bool]) -> bool {
        handed.get(self.dom.parent(fieldset) as usize).copied().unwrap_or(false)
    }

    /// Returns whether a click on the element is likely to do something.
    pub(crate) fn is_clickable(&self, node: u32, role: Role) -> bool {
        use super::layout::style;
        let dom = self.dom;
        if role.is_control() || dom.has(node, flag::LISTENER) || is_editing_host(dom, node) {
            return true;
        }
        if super::roles::has_tabindex(dom, node) {
            return true;
        }
        let parent = dom.parent(node);
        self.layout.styled(node, style::POINTER) && !self.nearest_box_points(parent)
    }

    /// Returns whether the nearest ancestor with a box has the pointer cursor already.
    fn nearest_box_points(&self, node: u32) -> bool {
        use super::layout::style;
        std::iter::successors(Some(node), |&at| Some(self.dom.parent(at)))
            .take_while(|&at| at != NONE)
            .find_map(|at| self.layout.row(at))
            .is_some_and(|row| row.styles & style::POINTER != 0)
    }

    /// Returns whether people see the element although Chromium's tree hides it.
    pub(crate) fn is_hidden_by_aria(&self, node: u32) -> bool {
        self.hide(node) & hide::ARIA != 0
    }
}
