//! Chromium's own accessibility tree as the oracle for ours: same nodes, same roles, names and states.
//!
//! Where we differ on purpose: `canvas` is a canvas, also when Chromium calls it an image; layout tables are
//! tables; `required` is told of every control; values of sensitive fields are left out and numbers are as the
//! page wrote them; a file field without a file has no value; counters are part of names, `<wbr>` is no space.

use std::collections::{BTreeMap, HashSet};

use pageboy::page::find;
use pageboy::page::tree::{Hidden, Mixed, Node, Tree};
use serde_json::Value;

/// How far two trees agree.
#[derive(Debug, Default)]
pub struct Agreement {
    /// Nodes of Chromium's tree that were compared.
    pub nodes: usize,
    pub role: usize,
    pub name: usize,
    pub states: usize,
    /// Nodes where all three agree.
    pub all: usize,
    /// Nodes of Chromium's tree without a DOM node, such as the parts of a date field.
    pub browser_parts: usize,
    /// One line for each node that differs, and for each that only one tree has.
    pub differences: Vec<String>,
    pub ours_only: usize,
    pub theirs_only: usize,
}

impl Agreement {
    /// Returns the share of nodes that agree in everything, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.nodes == 0 { 1.0 } else { self.all as f64 / self.nodes as f64 }
    }

    pub fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.role += other.role;
        self.name += other.name;
        self.states += other.states;
        self.all += other.all;
        self.browser_parts += other.browser_parts;
        self.ours_only += other.ours_only;
        self.theirs_only += other.theirs_only;
        self.differences.extend(other.differences);
    }
}

/// Roles that tell nothing about an element or that are parts of text.
const PASSED_OVER: [&str; 8] =
    ["InlineTextBox", "StaticText", "ListMarker", "LineBreak", "MenuListPopup", "generic", "none", "RootWebArea"];

/// Compares one frame with the `nodes` of `Accessibility.getFullAXTree` for it.
pub fn compare(tree: &Tree, frame: u32, theirs: &[Value]) -> Agreement {
    let mut agreement = Agreement::default();
    let mut met = HashSet::new();
    for ax in theirs {
        if ax["ignored"].as_bool() == Some(true) {
            continue;
        }
        let role = ax["role"]["value"].as_str().unwrap_or_default();
        let Some(backend) = ax["backendDOMNodeId"].as_i64() else { continue };
        met.insert(backend);
        if PASSED_OVER.contains(&role) || role.starts_with("MathML") && role != "MathMLMath" {
            continue;
        }
        let Some(node) = tree.element(frame, backend).filter(|node| !node.is_text) else {
            agreement.browser_parts += 1;
            continue;
        };
        agreement.nodes += 1;
        if node.hidden.is_some_and(Hidden::is_left_out) {
            agreement.theirs_only += 1;
            agreement.differences.push(format!(
                "left out by us ({:?}): {role} {:?} <{}>",
                node.hidden,
                name_of(ax),
                node.tag
            ));
            continue;
        }
        let same_role = find::role(role) == Some(node.role) || (node.role == "canvas" && role == "image");
        let theirs_name = folded(&name_of(ax));
        // What can be clicked though its role takes no name is named by its text.
        let named_by_click =
            theirs_name.is_empty() && node.clickable && matches!(node.role, "paragraph" | "label" | "code");
        let same_name = theirs_name == node.name || named_by_click;
        let states = differing_states(ax, node);
        agreement.role += usize::from(same_role);
        agreement.name += usize::from(same_name);
        agreement.states += usize::from(states.is_empty());
        if same_role && same_name && states.is_empty() {
            agreement.all += 1;
        } else {
            let ours = format!("{} {:?}", node.role, node.name);
            let theirs = format!("{role} {:?}", folded(&name_of(ax)));
            agreement.differences.push(format!("<{}> ours: {ours}, theirs: {theirs}, states: {states:?}", node.tag));
        }
    }
    for node in &tree.nodes {
        let telling = !node.is_text && !matches!(node.role, "generic" | "document" | "linebreak" | "svg" | "math");
        if node.frame == frame
            && telling
            && node.listed
            && node.hidden.is_none()
            && node.tag != "canvas"
            && !met.contains(&node.backend)
        {
            agreement.ours_only += 1;
            agreement.differences.push(format!("only ours: {} {:?} <{}>", node.role, node.name, node.tag));
        }
    }
    agreement
}

fn name_of(ax: &Value) -> String {
    ax["name"]["value"].as_str().unwrap_or_default().to_owned()
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the states that differ, as `name: ours/theirs`.
fn differing_states(ax: &Value, node: &Node) -> Vec<String> {
    let mut theirs: BTreeMap<&str, String> = BTreeMap::new();
    for property in ax["properties"].as_array().into_iter().flatten() {
        let name = property["name"].as_str().unwrap_or_default();
        let value = &property["value"]["value"];
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        theirs.insert(name, text);
    }
    let mixed = |state: Option<Mixed>| {
        state.map(|state| match state {
            Mixed::Yes => "true",
            Mixed::No => "false",
            Mixed::Mixed => "mixed",
        })
    };
    let plain = |state: Option<bool>| state.map(|on| if on { "true" } else { "false" });
    let states = &node.states;
    let level = node.level.map(|level| level.to_string());
    let three = [
        ("checked", mixed(states.checked)),
        ("pressed", mixed(states.pressed)),
        ("expanded", plain(states.expanded)),
        ("selected", plain(states.selected)),
        ("level", if node.role == "heading" { level.as_deref() } else { theirs.get("level").map(String::as_str) }),
    ];
    let flags = [
        ("disabled", states.disabled),
        ("readonly", states.readonly),
        ("invalid", states.invalid),
        ("focused", states.focused),
        ("busy", states.busy),
        ("multiselectable", states.multiselectable),
        ("modal", states.modal),
    ];
    let mut differing = Vec::new();
    for (name, ours) in three {
        let theirs = theirs.get(name).map(String::as_str);
        if ours != theirs {
            differing.push(format!("{name}: {ours:?}/{theirs:?}"));
        }
    }
    for (name, ours) in flags {
        let theirs = theirs.get(name).is_some_and(|text| text != "false" && text != "0");
        if ours != theirs {
            differing.push(format!("{name}: {ours}/{theirs}"));
        }
    }
    if !states.required && theirs.get("required").is_some_and(|text| text == "true") {
        differing.push("required: false/true".to_owned());
    }
    differing.extend(differing_value(ax, node));
    differing
}

fn differing_value(ax: &Value, node: &Node) -> Option<String> {
    let value = &ax["value"]["value"];
    let theirs =
        value.as_str().map(folded).or_else(|| value.as_f64().map(|number| number.to_string())).unwrap_or_default();
    let ours = node.value.clone().unwrap_or_default();
    let number = |text: &str| text.parse::<f32>().ok();
    let same = ours == theirs || (number(&ours).is_some() && number(&ours) == number(&theirs));
    let wanted =
        node.sensitive || node.input_type.as_deref() == Some("file") || (theirs.is_empty() && node.role == "meter");
    // A number field that is empty or a range of ARIA without a number is 0 or the middle for Chromium.
    let implied = ours.is_empty() && number(&theirs).is_some();
    (!same && !wanted && !implied).then(|| format!("value: {ours:?}/{theirs:?}"))
}
