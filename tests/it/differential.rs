//! Chromium's own accessibility tree as the oracle for ours: same nodes, same roles, names and states.
//!
//! Where we differ on purpose: `canvas` is a canvas, also when Chromium calls it an image; layout tables are
//! tables; `required` is told of every control; values of sensitive fields are left out and numbers are as the
//! page wrote them; a file field without a file has no value, a list has what is chosen; counters are part of names, `<wbr>` is no space.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use pageboy::budget::{Budget, Layer};
use pageboy::cdp::{CdpSession, Connection, attach};
use pageboy::page::find;
use pageboy::page::snapshot::{self, Capture};
use pageboy::page::tree::{Hidden, Mixed, Node, Tree};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::case::folder;
use crate::{browser, site};

/// How far two trees agree.
#[derive(Debug, Default)]
struct Agreement {
    /// Nodes of Chromium's tree that were compared.
    nodes: usize,
    /// Nodes where all three agree.
    all: usize,
    /// One line for each node that differs, and for each that only one tree has.
    differences: Vec<String>,
}

impl Agreement {
    /// Returns the share of nodes that agree in everything, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "pages have few nodes")]
    fn share(&self) -> f64 {
        if self.nodes == 0 { 1.0 } else { self.all as f64 / self.nodes as f64 }
    }

    fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.all += other.all;
        self.differences.extend(other.differences);
    }
}

/// Roles that tell nothing about an element or that are parts of text.
const PASSED_OVER: [&str; 8] =
    ["InlineTextBox", "StaticText", "ListMarker", "LineBreak", "MenuListPopup", "generic", "none", "RootWebArea"];

/// Compares one frame with the `nodes` of `Accessibility.getFullAXTree` for it.
fn compare(tree: &Tree, frame: u32, theirs: &[Value]) -> Agreement {
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
            continue;
        };
        agreement.nodes += 1;
        if node.hidden.is_some_and(Hidden::is_left_out) {
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
    let wanted = node.sensitive
        || node.input_type.as_deref() == Some("file")
        || (theirs.is_empty() && matches!(node.role, "meter" | "listbox"));
    // A number field that is empty or a range of ARIA without a number is 0 or the middle for Chromium.
    let implied = ours.is_empty() && number(&theirs).is_some();
    (!same && !wanted && !implied).then(|| format!("value: {ours:?}/{theirs:?}"))
}

/// A tab of the shared browser without a script around it.
struct Tab {
    connection: Connection,
    session: CdpSession,
    target: String,
    budget: Budget,
}

impl Tab {
    async fn open() -> Self {
        let budget = Budget::new(CancellationToken::new()).child(Duration::from_mins(5), Layer::Call);
        let carrier = attach(browser::shared(), &budget).await.expect("the shared browser");
        let connection = Connection::start(carrier, |_| {});
        let ask = async |method, params: Value| -> Value {
            let reply = connection.browser().call_json(method, &params, &budget).await.expect(method);
            serde_json::from_str(reply.json()).expect("JSON")
        };
        let target = ask("Target.createTarget", json!({"url": "about:blank"})).await["targetId"]
            .as_str()
            .expect("an id")
            .to_owned();
        let attached = ask("Target.attachToTarget", json!({"targetId": target, "flatten": true})).await;
        let session = connection.session(attached["sessionId"].as_str().expect("an id").into());
        Self { connection, session, target, budget }
    }

    async fn text(&self, method: &'static str, params: Value) -> String {
        self.session.call_json(method, &params, &self.budget).await.expect(method).json().to_owned()
    }

    async fn ask(&self, method: &'static str, params: Value) -> Value {
        serde_json::from_str(&self.text(method, params).await).expect("JSON")
    }

    /// Shows a page and compares every frame of it that the tab's own session serves.
    async fn compare(&self, url: &str) -> Agreement {
        self.ask("Page.navigate", json!({"url": url})).await;
        let settled = "new Promise(done => { const look = () => document.readyState === 'complete' ? setTimeout(done, 250) : setTimeout(look, 20); look(); })";
        let evaluate =
            |expression: &str| json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        self.ask("Runtime.evaluate", evaluate(settled)).await;
        self.ask("DOM.enable", json!({})).await;
        let snapshot = self.text("DOMSnapshot.captureSnapshot", snapshot::parameters()).await;
        let flags = self.text("Runtime.evaluate", evaluate(snapshot::FLAGS)).await;
        let tree = self.ask("Page.getFrameTree", json!({})).await;
        let frames = frame_ids(&tree["frameTree"]);
        let of_top = [(frames[0].as_str(), flags.as_str())];
        let ours = snapshot::join(&[Capture { json: &snapshot, flags: &of_top }], &HashMap::new()).expect("a snapshot");
        let mut agreement = Agreement::default();
        for id in &frames {
            let Some(frame) = ours.frame_of(id) else { continue };
            let theirs = self.ask("Accessibility.getFullAXTree", json!({"frameId": id})).await;
            agreement.add(compare(&ours, frame, theirs["nodes"].as_array().expect("nodes")));
        }
        agreement
    }

    async fn close(self) {
        let params = json!({"targetId": self.target});
        self.connection.browser().call_json("Target.closeTarget", &params, &self.budget).await.expect("an open tab");
    }
}

fn frame_ids(tree: &Value) -> Vec<String> {
    let below = tree["childFrames"].as_array().into_iter().flatten().flat_map(frame_ids);
    std::iter::once(tree["frame"]["id"].as_str().expect("an id").to_owned()).chain(below).collect()
}

fn on_a_tab<T>(work: impl AsyncFnOnce(&Tab) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let tab = Tab::open().await;
        let done = work(&tab).await;
        tab.close().await;
        done
    })
}

#[test]
fn the_pages_of_the_cases_read_as_chromium_reads_them() {
    let starts = std::fs::read_dir(folder()).expect("cases").filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        let case: Value =
            serde_json::from_str(&std::fs::read_to_string(folder().join(&name).join("case.json")).ok()?).ok()?;
        // Pages that hang, crash, redirect or ask before they are left show nothing to compare, and two are so
        // big that reading Chromium's tree of them takes a minute.
        let odd = name.starts_with("time-")
            || ["click-leave-unsaved", "tree-four-thousand-cards", "tree-select-10k"].contains(&name.as_str());
        (!odd).then(|| format!("{name}/{}", case["start"].as_str().expect("a start")))
    });
    let starts: Vec<String> = starts.collect();
    assert!(starts.len() > 60, "only {} cases", starts.len());
    let total = on_a_tab(async |tab| {
        let mut total = Agreement::default();
        for start in &starts {
            let page = tab.compare(&site::url(start)).await;
            assert!(page.share() >= 0.995, "{start}: {:.3}\n{}", page.share(), page.differences.join("\n"));
            total.add(page);
        }
        total
    });
    assert!(total.nodes > 1_500, "only {} nodes were compared", total.nodes);
    assert!(total.share() >= 0.999, "{:.4}\n{}", total.share(), total.differences.join("\n"));
}

/// Compares one page and asserts that it differs in exactly these lines.
#[track_caller]
fn differs_only(page: &str, expected: &[&str]) {
    let agreement = on_a_tab(async |tab| tab.compare(&site::url(page)).await);
    assert_eq!(agreement.differences, expected, "{} nodes were compared", agreement.nodes);
}

#[test]
fn odd_controls_differ_where_we_want_it() {
    differs_only(
        "pages/controls.html",
        &[
            // The browser's own words in its own parts.
            "<video> ours: video \"\", theirs: Video \"Unable to play media.\", states: [\"disabled: false/true\"]",
            "<audio> ours: audio \"\", theirs: Audio \"Unable to play media.\", states: [\"disabled: false/true\"]",
            "<embed> ours: embed \"\", theirs: EmbeddedObject \"\", states: [\"disabled: false/true\"]",
            // A hidden option is in no list that people see.
            "left out by us (Some(Display)): option \"hid\" <option>",
            // The picture is broken, the area is a link all the same.
            "only ours: link \"area a\" <area>",
        ],
    );
}

#[test]
fn odd_markup_differs_where_we_want_it() {
    differs_only(
        "pages/markup.html",
        &[
            // `wbr` is no space.
            "<a> ours: link \"xy\", theirs: link \"x y\", states: []",
            // A title names a picture whose `alt` is empty.
            "<img> ours: image \"t\", theirs: image \"\", states: []",
            // A checkbox that says it is a button says whether it is pressed.
            "<input> ours: button \"tb\", theirs: button \"tb\", states: [\"pressed: Some(\\\"true\\\")/Some(\\\"false\\\")\"]",
            // Numbers that people see are part of the name.
            "<h2> ours: heading \"1. counted\", theirs: heading \". counted\", states: []",
            "<button> ours: button \"2. cb\", theirs: button \". cb\", states: []",
            // The browser's own words in its own parts.
            "<object> ours: object \"\", theirs: PluginObject \"\", states: [\"disabled: false/true\"]",
            "<video> ours: video \"\", theirs: Video \"Unable to play media.\", states: [\"disabled: false/true\"]",
            // A table in a cell is never read through, for whether it is layout depends on colours.
            "<td> ours: cell \"\", theirs: LayoutTableCell \"nested\", states: []",
            // Nobody sees into a frame with `visibility: hidden`.
            "left out by us (Some(Display)): paragraph \"\" <p>",
        ],
    );
}
