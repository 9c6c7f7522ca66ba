//! Everything that the rules for names and states look at, found once for all nodes.

use std::cell::Cell;
use std::collections::HashMap;

use super::dom::{Dom, NONE, flag};
use super::hidden::hide;
use super::layout::{Display, Layout};
use super::role::Role;
use super::shape::Shape;
use super::words::{Attribute, Tag};
use crate::page::tree::Joint;

/// Steps that all walks of one tree together may take, for each node of the page. Names that contain each
/// other make walks quadratic, and a page must not be able to make us slow.
const STEPS_FOR_EACH_NODE: usize = 40;

/// Steps that a walk may take when the common budget is spent.
pub(super) const FEW_STEPS: usize = 200;

/// One moment of all documents, with what was found out so far.
pub(crate) struct Moment<'a> {
    pub dom: &'a Dom,
    pub layout: &'a Layout,
    pub shape: &'a Shape,
    pub hide: &'a [u16],
    pub roles: &'a [Role],
    /// The labels of controls.
    labels: HashMap<u32, Vec<u32>>,
    /// The controls of labels.
    targets: HashMap<u32, u32>,
    pub(super) steps: Cell<usize>,
}

impl<'a> Moment<'a> {
    pub fn new(dom: &'a Dom, layout: &'a Layout, shape: &'a Shape, hide: &'a [u16], roles: &'a [Role]) -> Self {
        let steps = Cell::new(dom.len().saturating_mul(STEPS_FOR_EACH_NODE).saturating_add(10_000));
        let targets = targets(dom, shape);
        let mut labels: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(label, control) in &targets {
            labels.entry(control).or_default().push(label);
        }
        Self { dom, layout, shape, hide, roles, labels, targets: targets.into_iter().collect(), steps }
    }

    pub fn role(&self, node: u32) -> Role {
        self.roles.get(node as usize).copied().unwrap_or_default()
    }

    pub fn hide(&self, node: u32) -> u16 {
        self.hide.get(node as usize).copied().unwrap_or(0)
    }

    /// Returns whether people see the element, or would after scrolling.
    pub fn is_shown(&self, node: u32) -> bool {
        self.hide(node) & hide::LEFT_OUT == 0
    }

    /// Returns the labels of a control, in document order.
    pub fn labels(&self, node: u32) -> &[u32] {
        self.labels.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Returns the control that a label names.
    pub fn label_target(&self, label: u32) -> Option<u32> {
        self.targets.get(&label).copied()
    }

    /// Returns whether the element stands in a line of text without a break around it.
    pub fn is_inline(&self, node: u32) -> bool {
        match self.layout.row(node) {
            Some(row) => matches!(row.display, Display::Inline | Display::Contents),
            // Without a box of its own it is `display: contents`, or text.
            None => true,
        }
    }

    pub fn aria_label(&self, node: u32) -> Option<&'a str> {
        self.dom.filled(node, Attribute::AriaLabel)
    }

    /// Returns what the border of an element's box puts between two texts.
    pub fn joint(&self, node: u32) -> Joint {
        match self.layout.row(node).map(|row| row.display) {
            None | Some(Display::Inline | Display::Contents) => Joint::Nothing,
            // Cells of a row stand on one line.
            Some(_) if matches!(self.dom.tag(node), Tag::Td | Tag::Th) => Joint::Space,
            Some(Display::InlineBlock) => Joint::Space,
            Some(Display::Block | Display::Table) => Joint::Line,
        }
    }

    /// Returns the options of a `select`.
    pub fn options(&self, select: u32) -> impl Iterator<Item = u32> + '_ {
        (select + 1..self.dom.end(select)).filter(|&node| self.dom.tag(node) == Tag::Option)
    }

    /// Returns the chosen option of a drop-down.
    pub fn chosen(&self, select: u32) -> Option<u32> {
        self.options(select).find(|&option| self.dom.has(option, flag::SELECTED))
    }
}

/// Finds which label names which control: `for`, else the first control inside. In document order.
fn targets(dom: &Dom, shape: &Shape) -> Vec<(u32, u32)> {
    let mut targets = Vec::new();
    for label in 0..u32::try_from(dom.len()).unwrap_or(NONE) {
        if dom.tag(label) != Tag::Label {
            continue;
        }
        let control = match dom.attribute(label, Attribute::For) {
            Some(id) => shape.find_id(label, id).filter(|&node| is_labelable(dom, node)),
            None => (label + 1..dom.end(label)).find(|&node| is_labelable(dom, node)),
        };
        if let Some(control) = control {
            targets.push((label, control));
        }
    }
    targets
}

fn is_labelable(dom: &Dom, node: u32) -> bool {
    (dom.tag(node).can_be_labelled() && (dom.tag(node) != Tag::Input || dom.input_type(node) != "hidden"))
        || dom.is_custom(node)
}
