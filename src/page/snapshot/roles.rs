//! Which role each element has: its `role` attribute where that is valid in its place, else what HTML gives it.

use std::collections::HashMap;

use super::dom::{Dom, ELEMENT, NONE, flag};
use super::layout::Layout;
use super::role::{Role, native};
use super::shape::Shape;
use super::words::{Attribute, Tag};

/// Finds the roles of all nodes; `Role::None` for what is no element.
pub(crate) fn all(dom: &Dom, layout: &Layout, shape: &Shape) -> Vec<Role> {
    let mut finder = Finder {
        dom,
        layout,
        shape,
        roles: Vec::with_capacity(dom.len()),
        rows: HashMap::new(),
        heads: HashMap::new(),
    };
    for node in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
        let role = if dom.kind(node) == ELEMENT { finder.role(node) } else { Role::None };
        finder.roles.push(role);
    }
    finder.roles
}

/// Returns whether the keyboard or the mouse can focus an element.
pub(crate) fn is_focusable(dom: &Dom, node: u32) -> bool {
    if has_tabindex(dom, node) || is_editing_host(dom, node) {
        return true;
    }
    match dom.tag(node) {
        Tag::A | Tag::Area => dom.has_attribute(node, Attribute::Href),
        Tag::Button | Tag::Select | Tag::Textarea => !dom.has_attribute(node, Attribute::Disabled),
        Tag::Input => !dom.has_attribute(node, Attribute::Disabled) && dom.input_type(node) != "hidden",
        Tag::Iframe | Tag::Summary => true,
        Tag::Audio | Tag::Video => dom.has_attribute(node, Attribute::Controls),
        _ => false,
    }
}

pub(crate) fn has_tabindex(dom: &Dom, node: u32) -> bool {
    dom.attribute(node, Attribute::Tabindex).is_some_and(|text| text.trim().parse::<i32>().is_ok())
}

/// Returns whether the Tab key reaches an element by its `tabindex`. Pages give -1 to containers that a script
/// focuses.
pub(crate) fn is_in_tab_order(dom: &Dom, node: u32) -> bool {
    let index = dom.attribute(node, Attribute::Tabindex).and_then(|text| text.trim().parse::<i32>().ok());
    index.is_some_and(|index| index >= 0)
}

pub(crate) fn is_editing_host(dom: &Dom, node: u32) -> bool {
    dom.attribute(node, Attribute::Contenteditable)
        .is_some_and(|text| matches!(text.trim().to_ascii_lowercase().as_str(), "" | "true" | "plaintext-only"))
}

struct Finder<'a> {
    dom: &'a Dom,
    layout: &'a Layout,
    shape: &'a Shape,
    roles: Vec<Role>,
    /// For a table: its first row, and whether it has more.
    heads: HashMap<u32, (u32, bool)>,
    /// For a row: whether all its cells are headers, and its first cell.
    rows: HashMap<u32, (bool, u32)>,
}

impl Finder<'_> {
    /// Returns the role of an element that was already visited.
    fn known(&self, node: u32) -> Role {
        self.roles.get(node as usize).copied().unwrap_or(Role::Generic)
    }

    fn role(&mut self, node: u32) -> Role {
        let dom = self.dom;
        if dom.has(node, flag::PSEUDO) {
            return if self.shows_picture(node) { Role::Image } else { Role::None };
        }
        if let Some(words) = dom.filled(node, Attribute::Role) {
            for word in words.split_ascii_whitespace() {
                let Some(role) = Role::of_aria(&word.to_ascii_lowercase()) else { continue };
                if role == Role::None {
                    if is_focusable(dom, node) || has_global_attribute(dom, node) {
                        continue;
                    }
                    return Role::None;
                }
                return self.in_context(node, role);
            }
        }
        self.native_role(node)
    }

    /// Weighs an explicit role against its place.
    fn in_context(&self, node: u32, role: Role) -> Role {
        let named = || has_name_attribute(self.dom, node);
        match role {
            Role::Option if !self.stands_in(node, &[Role::Listbox, Role::Combobox, Role::Menu], &[Role::Group]) => {
                Role::Generic
            }
            Role::Listitem if !self.stands_in(node, &[Role::List], &[Role::Group]) => Role::Generic,
            Role::Treeitem if !self.stands_in(node, &[Role::Tree, Role::Treeitem], &[Role::Group]) => Role::Generic,
            Role::Region | Role::Form if !named() => Role::Generic,
            _ => role,
        }
    }

    /// Returns whether the nearest ancestor with a role is one of `wanted`, looking through some.
    fn stands_in(&self, node: u32, wanted: &[Role], through: &[Role]) -> bool {
        for above in self.shape.ancestors(node) {
            if above >= node {
                // An owner further down has no role yet; it said itself that this is its child.
                return true;
            }
            let role = self.known(above);
            if wanted.contains(&role) {
                return true;
            }
            if !through.contains(&role) && !matches!(role, Role::Generic | Role::None) {
                return false;
            }
        }
        false
    }

    fn native_role(&mut self, node: u32) -> Role {
        let dom = self.dom;
        let tag = dom.tag(node);
        if dom.has(node, flag::FOREIGN) {
            return self.foreign_role(node);
        }
        if let Some(role) = native(tag) {
            return role;
        }
        match tag {
            Tag::A if dom.has_attribute(node, Attribute::Href) || dom.has(node, flag::LISTENER) => Role::Link,
            Tag::Area if dom.has_attribute(node, Attribute::Href) => Role::Link,
            Tag::Aside if self.in_section(node, false) && !has_name_attribute(dom, node) => Role::Generic,
            Tag::Aside => Role::Complementary,
            Tag::Header if self.in_section(node, true) => Role::Sectionheader,
            Tag::Header => Role::Banner,
            Tag::Footer if self.in_section(node, true) => Role::Sectionfooter,
            Tag::Footer => Role::Contentinfo,
            Tag::Img => match dom.attribute(node, Attribute::Alt) {
                Some("") if !has_name_attribute(dom, node) && dom.filled(node, Attribute::Title).is_none() => {
                    Role::None
                }
                _ => Role::Image,
            },
            Tag::Input => self.input_role(node),
            Tag::Li => self.listitem_role(node),
            Tag::Section if has_name_attribute(dom, node) || dom.filled(node, Attribute::Title).is_some() => {
                Role::Region
            }
            Tag::Select => {
                let size = dom.attribute(node, Attribute::Size).and_then(|size| size.trim().parse::<u32>().ok());
                let list = dom.has_attribute(node, Attribute::Multiple) || size.is_some_and(|size| size > 1);
                if list { Role::Listbox } else { Role::Combobox }
            }
            Tag::Summary if dom.tag(dom.parent(node)) == Tag::Details => Role::Summary,
            Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th => self.table_role(node, tag),
            _ if self.shows_picture(node) => Role::Image,
            _ => Role::Generic,
        }
    }

    fn input_role(&self, node: u32) -> Role {
        let dom = self.dom;
        let has_list = dom.has_attribute(node, Attribute::List);
        match dom.input_type(node).as_ref() {
            "button" | "submit" | "reset" | "image" | "file" => Role::Button,
            "checkbox" => Role::Checkbox,
            "radio" => Role::Radio,
            "range" => Role::Slider,
            "number" => Role::Spinbutton,
            "color" => Role::Colorwell,
            "date" => Role::Date,
            "time" => Role::Timefield,
            "month" | "week" | "datetime-local" => Role::Datetime,
            "hidden" => Role::None,
            "password" => Role::Textbox,
            _ if has_list => Role::Combobox,
            "search" => Role::Searchbox,
            _ => Role::Textbox,
        }
    }

    /// An item of a list whose role was changed is nothing.
    fn listitem_role(&self, node: u32) -> Role {
        for above in self.shape.ancestors(node) {
            let role = self.known(above);
            match self.dom.tag(above) {
                Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => {
                    return if role == Role::List { Role::Listitem } else { Role::None };
                }
                Tag::Slot => {}
                _ if role == Role::List => return Role::Listitem,
                _ if role == Role::None || role == Role::Generic => {}
                _ => break,
            }
        }
        Role::Listitem
    }

    /// Returns whether a header or footer belongs to a part of the page and not to the page.
    fn in_section(&self, node: u32, main_counts: bool) -> bool {
        self.dom.ancestors(node).any(|above| match (self.dom.tag(above), self.known(above)) {
            (Tag::Main, _) | (_, Role::Main) => main_counts,
            (Tag::Article | Tag::Aside | Tag::Nav | Tag::Section, _) => true,
            (_, role) => matches!(role, Role::Article | Role::Complementary | Role::Navigation | Role::Region),
        })
    }

    fn table_role(&mut self, node: u32, tag: Tag) -> Role {
        let table = self.dom.ancestors(node).find(|&above| self.dom.tag(above) == Tag::Table).unwrap_or(NONE);
        let of_table = if table == NONE { Role::Generic } else { self.known(table) };
        let grid = matches!(of_table, Role::Grid | Role::Treegrid);
        if !grid && of_table != Role::Table {
            return if of_table == Role::None { Role::None } else { Role::Generic };
        }
        match tag {
            Tag::Tbody => Role::None,
            Tag::Thead | Tag::Tfoot => Role::Rowgroup,
            Tag::Tr => Role::Row,
            Tag::Td if grid => Role::Gridcell,
            Tag::Td => Role::Cell,
            _ => self.header_role(node, table),
        }
    }

    fn header_role(&mut self, node: u32, table: u32) -> Role {
        match self.dom.attribute(node, Attribute::Scope).map(|scope| scope.trim().to_ascii_lowercase()).as_deref() {
            Some("row" | "rowgroup") => return Role::Rowheader,
            Some("col" | "colgroup") => return Role::Columnheader,
            _ => {}
        }
        let dom = self.dom;
        let row = dom.parent(node);
        let &mut (all_headers, first_cell) = self.rows.entry(row).or_insert_with(|| {
            let mut cells =
                self.shape.children(row).filter(|&cell| matches!(dom.tag(cell), Tag::Td | Tag::Th)).peekable();
            let first = cells.peek().copied().unwrap_or(NONE);
            (cells.all(|cell| dom.tag(cell) == Tag::Th), first)
        });
        let &mut (first_row, more) = self.heads.entry(table).or_insert_with(|| {
            let mut rows = (table..dom.end(table)).filter(|&row| dom.tag(row) == Tag::Tr);
            let first = rows.next().unwrap_or(NONE);
            (first, rows.next().is_some())
        });
        if all_headers || (row == first_row && node != first_cell && more) {
            Role::Columnheader
        } else {
            Role::Rowheader
        }
    }

    fn foreign_role(&self, node: u32) -> Role {
        let dom = self.dom;
        match dom.tag(node) {
            Tag::Svg if dom.tag(dom.parent(node)) != Tag::Svg && !dom.has(dom.parent(node), flag::FOREIGN) => {
                let tells = (node + 1..dom.end(node)).any(|below| {
                    dom.kind(below) == ELEMENT
                        && (matches!(dom.node_name(below), "text" | "a" | "foreignObject" | "image")
                            || (dom.node_name(below) == "title" && dom.parent(below) != node)
                            || dom.has_attribute(below, Attribute::Role)
                            || dom.has_attribute(below, Attribute::AriaLabel)
                            || has_tabindex(dom, below))
                });
                if tells { Role::Svg } else { Role::Image }
            }
            Tag::Svg => Role::None,
            Tag::Math => Role::Math,
            _ => match dom.node_name(node) {
                "a" if dom.has_attribute(node, Attribute::Href)
                    || dom.has_attribute(node, Attribute::XlinkHref)
                    || dom.has(node, flag::LISTENER) =>
                {
                    Role::Link
                }
                "image" => Role::Image,
                "g" if has_name_attribute(dom, node)
                    || self.shape.children(node).any(|child| dom.node_name(child) == "title") =>
                {
                    Role::Group
                }
                _ => Role::None,
            },
        }
    }

    /// Returns whether `content` replaces the element by a picture.
    fn shows_picture(&self, node: u32) -> bool {
        let content = self.layout.row(node).map_or("", |row| self.dom.strings.get(row.content)).trim_start();
        !self.dom.has(node, flag::PSEUDO)
            && ["url(", "image-set(", "-webkit-image-set("].iter().any(|kind| content.starts_with(kind))
    }
}

/// Returns whether the page gives the element a name of its own.
pub(crate) fn has_name_attribute(dom: &Dom, node: u32) -> bool {
    dom.filled(node, Attribute::AriaLabel).is_some()
        || dom.filled(node, Attribute::AriaLabelledby).is_some()
        || dom.filled(node, Attribute::AriaLabeledby).is_some()
}

/// Returns whether a global ARIA attribute keeps the element from being presentational.
fn has_global_attribute(dom: &Dom, node: u32) -> bool {
    dom.attributes(node).iter().any(|(name, value)| {
        matches!(
            name,
            Attribute::AriaAtomic
                | Attribute::AriaBusy
                | Attribute::AriaControls
                | Attribute::AriaCurrent
                | Attribute::AriaDescribedby
                | Attribute::AriaDescription
                | Attribute::AriaDetails
                | Attribute::AriaDropeffect
                | Attribute::AriaFlowto
                | Attribute::AriaGrabbed
                | Attribute::AriaKeyshortcuts
                | Attribute::AriaLabel
                | Attribute::AriaLabelledby
                | Attribute::AriaLive
                | Attribute::AriaOwns
                | Attribute::AriaRelevant
                | Attribute::AriaRoledescription
        ) && !dom.strings.get(*value).trim().is_empty()
    })
}
