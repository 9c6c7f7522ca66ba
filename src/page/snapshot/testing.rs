//! Snapshots for unit tests, made from a little HTML without a browser.
//!
//! Known are elements, attributes, text and frames (what stands inside `iframe` is its document). A `style`
//! attribute holds the computed styles that matter; `data-live`, `data-checked`, `data-selected`, `data-click`,
//! `data-shadow` (`open` or `closed`) and `data-box` ("x y width height") stand for what the browser knows.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Capture, FrameMeta, STYLES, join};
use crate::page::tree::Tree;

/// Builds the tree of a page whose body is `html`.
pub(crate) fn tree(html: &str) -> Tree {
    let snapshot = snapshot(html).to_string();
    join(&[Capture { json: &snapshot, flags: &[] }], &HashMap::<String, FrameMeta>::new()).unwrap()
}

/// Returns the reply of the browser for a page whose body is `html`.
pub(crate) fn snapshot(html: &str) -> Value {
    let mut page = Page::default();
    page.strings.push(String::new());
    page.add_document();
    let mut open: Vec<Open> = vec![Open { document: 0, node: 0, ..Open::default() }];
    for name in ["HTML", "BODY"] {
        page.element(&mut open, name, &[]);
    }
    let mut rest = html;
    while !rest.is_empty() {
        let Some(after) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            page.text(&open, &rest[..end]);
            rest = &rest[end..];
            continue;
        };
        let end = after.find('>').unwrap();
        let (tag, later) = (&after[..end], &after[end + 1..]);
        rest = later;
        if let Some(name) = tag.strip_prefix('/') {
            while open.pop().unwrap().name != name {}
            continue;
        }
        let (name, attributes) = attributes(tag);
        page.element(&mut open, &name, &attributes);
        if name == "iframe" && !rest.starts_with("</iframe>") {
            page.frame(&mut open);
        } else if ["input", "img", "br", "hr", "wbr"].contains(&name.as_str()) {
            open.pop();
        }
    }
    page.finish()
}

/// Splits `button disabled title="a b"` into name and attributes.
fn attributes(tag: &str) -> (String, Vec<(String, String)>) {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix("=\"") {
            let end = after.find('"').unwrap();
            value = after[..end].replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
            rest = &after[end + 1..];
        }
        attributes.push((key, value));
    }
    (name.to_owned(), attributes)
}

#[derive(Default, Clone)]
struct Open {
    document: usize,
    node: usize,
    name: String,
    shown: bool,
    styles: [String; STYLES.len()],
    shadow: String,
}

#[derive(Default)]
struct Page {
    strings: Vec<String>,
    documents: Vec<Value>,
    backend: i64,
    y: f64,
}

impl Page {
    fn string(&mut self, text: &str) -> i64 {
        let at = self.strings.iter().position(|known| known == text).unwrap_or_else(|| {
            self.strings.push(text.to_owned());
            self.strings.len() - 1
        });
        i64::try_from(at).unwrap()
    }

    fn add_document(&mut self) {
        let number = self.documents.len();
        let frame = self.string(&format!("F{number}"));
        let sparse = || json!({"index": [], "value": []});
        self.documents.push(json!({
            "documentURL": 0, "title": 0, "frameId": frame,
            "nodes": {"parentIndex": [], "nodeType": [], "nodeName": [], "nodeValue": [], "backendNodeId": [], "attributes": [],
                "shadowRootType": sparse(), "inputValue": sparse(), "textValue": sparse(), "inputChecked": {"index": []},
                "optionSelected": {"index": []}, "contentDocumentIndex": sparse(), "pseudoType": sparse(), "isClickable": {"index": []}},
            "layout": {"nodeIndex": [], "styles": [], "bounds": [], "text": [], "paintOrders": []},
        }));
        self.node(number, -1, 9, "#document", -1, &[]);
        self.row(number, 0, &std::array::from_fn(|_| String::new()), [0.0, 0.0, 800.0, 600.0], None);
    }

    fn node(&mut self, document: usize, parent: i64, kind: u8, name: &str, value: i64, attributes: &[i64]) -> usize {
        let name = self.string(name);
        self.backend += 1;
        let nodes = &mut self.documents[document]["nodes"];
        let mut push = |key: &str, value: Value| nodes[key].as_array_mut().unwrap().push(value);
        push("parentIndex", json!(parent));
        push("nodeType", json!(kind));
        push("nodeName", json!(name));
        push("nodeValue", json!(value));
        push("backendNodeId", json!(self.backend));
        push("attributes", json!(attributes));
        nodes["parentIndex"].as_array().unwrap().len() - 1
    }

    fn row(
        &mut self,
        document: usize,
        node: usize,
        styles: &[String; STYLES.len()],
        bounds: [f64; 4],
        text: Option<&str>,
    ) {
        let styles: Vec<i64> = if styles.iter().all(String::is_empty) {
            Vec::new()
        } else {
            styles.iter().map(|style| self.string(style)).collect()
        };
        let text = text.map_or(-1, |text| self.string(text));
        let layout = &mut self.documents[document]["layout"];
        let mut push = |key: &str, value: Value| layout[key].as_array_mut().unwrap().push(value);
        push("nodeIndex", json!(node));
        push("styles", json!(styles));
        push("bounds", json!(bounds));
        push("text", json!(text));
        push("paintOrders", json!(1));
    }

    fn sparse(&mut self, document: usize, key: &str, node: usize, value: Option<i64>) {
        let list = &mut self.documents[document]["nodes"][key];
        list["index"].as_array_mut().unwrap().push(json!(node));
        if let Some(value) = value {
            list["value"].as_array_mut().unwrap().push(json!(value));
        }
    }

    fn element(&mut self, open: &mut Vec<Open>, name: &str, attributes: &[(String, String)]) {
        let above = open.last().unwrap().clone();
        let get = |key: &str| attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        let mut pairs = Vec::new();
        for (key, value) in attributes.iter().filter(|(key, _)| !key.starts_with("data-")) {
            pairs.push(self.string(key));
            pairs.push(if value.is_empty() { -1 } else { self.string(value) });
        }
        let written = if above.name == "svg" || name == "svg" { name.to_owned() } else { name.to_uppercase() };
        let parent = i64::try_from(above.node).unwrap();
        let node = self.node(above.document, parent, 1, &written, -1, &pairs);
        let inline = ["span", "a", "b", "i", "em", "strong", "code", "label", "summary_", "slot", "small"];
        let display = if inline.contains(&name) { "inline" } else { "block" };
        let inherited = |at: usize, first: &str| match above.styles[at].as_str() {
            "" => first.to_owned(),
            text => text.to_owned(),
        };
        let mut styles = [
            display.to_owned(),
            inherited(1, "visible"),
            "normal".to_owned(),
            "none".to_owned(),
            "visible".to_owned(),
            inherited(5, "auto"),
            inherited(6, "none"),
            inherited(7, "auto"),
            "1".to_owned(),
            "none".to_owned(),
            inherited(10, "rgb(0, 0, 0)"),
            "rgba(0, 0, 0, 0)".to_owned(),
            "none".to_owned(),
            inherited(13, "16px"),
            "none".to_owned(),
            "visible".to_owned(),
            "visible".to_owned(),
            "static".to_owned(),
        ];
        for rule in get("style").unwrap_or("").split(';').filter(|rule| !rule.is_empty()) {
            let (key, value) = rule.split_once(':').unwrap();
            let at = STYLES.iter().position(|style| *style == key.trim()).unwrap();
            styles[at] = value.trim().to_owned();
        }
        let gone = styles[0] == "none" || get("hidden").is_some() || (name == "dialog" && get("open").is_none());
        let boxless = ["option", "optgroup", "script", "style", "slot"].contains(&name) || styles[0] == "contents";
        let shown = (above.shown || above.name.is_empty()) && !gone && !["option", "script", "style"].contains(&name);
        if shown && !boxless {
            let bounds = get("data-box").map_or_else(
                || {
                    self.y += 20.0;
                    [0.0, self.y, 100.0, 20.0]
                },
                |text| {
                    let numbers: Vec<f64> = text.split(' ').map(|number| number.parse().unwrap()).collect();
                    [numbers[0], numbers[1], numbers[2], numbers[3]]
                },
            );
            self.row(above.document, node, &styles, bounds, None);
        }
        for (key, list) in [("data-live", "inputValue"), ("data-area", "textValue")] {
            if let Some(value) = get(key) {
                let value = self.string(value);
                self.sparse(above.document, list, node, Some(value));
            }
        }
        for (key, list) in
            [("data-checked", "inputChecked"), ("data-selected", "optionSelected"), ("data-click", "isClickable")]
        {
            if get(key).is_some() {
                self.sparse(above.document, list, node, None);
            }
        }
        let shadow = get("data-shadow").map_or(above.shadow.clone(), str::to_owned);
        if !shadow.is_empty() {
            let kind = self.string(&shadow);
            self.sparse(above.document, "shadowRootType", node, Some(kind));
        }
        open.push(Open { document: above.document, node, name: name.to_owned(), shown, styles, shadow });
    }

    fn text(&mut self, open: &[Open], text: &str) {
        let above = open.last().unwrap();
        let text = text.replace("&lt;", "<").replace("&gt;", ">");
        let value = self.string(&text);
        let node = self.node(above.document, i64::try_from(above.node).unwrap(), 3, "#text", value, &[]);
        if above.shown && !(text.trim().is_empty() && text.contains('\n')) {
            self.row(above.document, node, &above.styles.clone(), [0.0, self.y, 50.0, 20.0], Some(&text));
        }
    }

    fn frame(&mut self, open: &mut Vec<Open>) {
        let above = open.last().unwrap().clone();
        let document = self.documents.len();
        self.add_document();
        self.sparse(above.document, "contentDocumentIndex", above.node, Some(i64::try_from(document).unwrap()));
        open.push(Open { document, ..Open::default() });
        self.element(open, "BODY", &[]);
    }

    fn finish(self) -> Value {
        json!({ "documents": self.documents, "strings": self.strings })
    }
}
