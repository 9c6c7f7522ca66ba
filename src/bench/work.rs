//! The raw side of each piece of work: the fewest messages that do it, sent together where the browser allows it, and
//! nothing checked.

use serde_json::{Value, json};

use super::raw::{Raw, Tab, result, text_of};
use crate::error::{Error, Result};

/// Reads the accessibility tree; the answer is not decoded.
pub fn tree(raw: &mut Raw, tab: &Tab) -> Result<String> {
    let id = raw.send(&tab.session, "Accessibility.getFullAXTree", &json!({}))?;
    raw.answer(id)
}

/// Returns the frames of a tab, as pairs of session and frame id, and attaches to those in other processes.
pub fn frames_of(raw: &mut Raw, tab: &Tab, url: &str, elsewhere: usize) -> Result<Vec<(String, String)>> {
    let params = json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
    raw.call(&tab.session, "Target.setAutoAttach", &params)?;
    raw.send(&tab.session, "Page.navigate", &json!({ "url": url }))?;
    let mut sessions = vec![tab.session.clone()];
    while sessions.len() <= elsewhere {
        let event = raw.event(&tab.session, "Target.attachedToTarget")?;
        sessions.push(event.pointer("/params/sessionId").and_then(Value::as_str).unwrap_or_default().to_owned());
    }
    raw.event(&tab.session, "Page.loadEventFired")?;
    let mut frames = Vec::new();
    for session in sessions {
        let tree = raw.call(&session, "Page.getFrameTree", &json!({}))?;
        let mut left = vec![tree.get("frameTree").cloned().unwrap_or_default()];
        while let Some(frame) = left.pop() {
            frames.push((session.clone(), frame.pointer("/frame/id").map_or_else(String::new, as_text)));
            left.extend(frame.get("childFrames").and_then(Value::as_array).into_iter().flatten().cloned());
        }
    }
    Ok(frames)
}

/// Reads the accessibility trees of several frames, all asked for together.
pub fn trees(raw: &mut Raw, frames: &[(String, String)]) -> Result<()> {
    let mut asked = Vec::with_capacity(frames.len());
    for (session, frame) in frames {
        asked.push(raw.send(session, "Accessibility.getFullAXTree", &json!({ "frameId": frame }))?);
    }
    asked.into_iter().try_for_each(|id| raw.answer(id).map(drop))
}

/// The DOM nodes of a page by role and name.
pub struct Elements(Vec<(String, String, i64)>);

impl Elements {
    pub fn read(raw: &mut Raw, tab: &Tab) -> Result<Self> {
        let answer = tree(raw, tab)?;
        let nodes = result("Accessibility.getFullAXTree", &answer)?;
        let nodes = nodes.get("nodes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let element = |node: &Value| {
            let text = |path: &str| node.pointer(path).map_or_else(String::new, as_text);
            Some((text("/role/value"), text("/name/value"), node.get("backendDOMNodeId")?.as_i64()?))
        };
        Ok(Self(nodes.iter().filter_map(element).collect()))
    }

    pub fn get(&self, role: &str, name: &str) -> Result<i64> {
        let found = self.0.iter().find(|(its, named, _)| its == role && named == name);
        found.map(|(_, _, node)| *node).ok_or_else(|| Error::BrowserProtocol {
            method: "Accessibility.getFullAXTree".into(),
            problem: format!("there is no {role} \"{name}\""),
        })
    }
}

fn as_text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Clicks the middle of an element: two messages to find it, three to press.
pub fn click(raw: &mut Raw, tab: &Tab, node: i64) -> Result<()> {
    let which = json!({ "backendNodeId": node });
    let scrolled = raw.send(&tab.session, "DOM.scrollIntoViewIfNeeded", &which)?;
    let placed = raw.send(&tab.session, "DOM.getContentQuads", &which)?;
    raw.answer(scrolled)?;
    let answer = raw.answer(placed)?;
    let quads = result("DOM.getContentQuads", &answer)?;
    let at = |index: usize| quads.pointer(&format!("/quads/0/{index}")).and_then(Value::as_f64).unwrap_or_default();
    let (x, y) = (f64::midpoint(at(0), at(4)), f64::midpoint(at(1), at(5)));
    let mut sent = Vec::with_capacity(3);
    for (kind, button) in [("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")] {
        let count = u8::from(button == "left");
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count });
        sent.push(raw.send(&tab.session, "Input.dispatchMouseEvent", &event)?);
    }
    sent.into_iter().try_for_each(|id| raw.answer(id).map(drop))
}

/// Runs a function with an element as `this`.
fn on(raw: &mut Raw, tab: &Tab, node: i64, function: &str) -> Result<()> {
    let resolved = raw.call(&tab.session, "DOM.resolveNode", &json!({ "backendNodeId": node }))?;
    let object = text_of(resolved.get("object").unwrap_or(&Value::Null), "objectId");
    let params = json!({ "objectId": object, "functionDeclaration": function });
    raw.call(&tab.session, "Runtime.callFunctionOn", &params).map(drop)
}

/// Replaces the text of a field: the focus must be answered before text is inserted.
pub fn fill(raw: &mut Raw, tab: &Tab, node: i64, text: &str) -> Result<()> {
    on(raw, tab, node, "function(){this.focus();this.select()}")?;
    raw.call(&tab.session, "Input.insertText", &json!({ "text": text })).map(drop)
}

/// Types a text key by key, all keys sent together.
pub fn type_keys(raw: &mut Raw, tab: &Tab, node: i64, text: &str) -> Result<()> {
    on(raw, tab, node, "function(){this.focus()}")?;
    let mut sent = Vec::new();
    for key in text.chars().map(String::from) {
        let down = json!({ "type": "keyDown", "key": key, "text": key });
        sent.push(raw.send(&tab.session, "Input.dispatchKeyEvent", &down)?);
        sent.push(raw.send(&tab.session, "Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key }))?);
    }
    sent.into_iter().try_for_each(|id| raw.answer(id).map(drop))
}

/// Selects an option by its value.
pub fn select(raw: &mut Raw, tab: &Tab, node: i64, value: &str) -> Result<()> {
    let function = format!(
        "function(){{this.value={};for(const kind of ['input','change'])\
         this.dispatchEvent(new Event(kind,{{bubbles:true}}))}}",
        json!(value)
    );
    on(raw, tab, node, &function)
}

/// The form job: 20 texts, 5 selects, 4 checkboxes, submit. Returns what the form sent.
pub fn form_job(raw: &mut Raw, page: &str) -> Result<Value> {
    let tab = raw.tab()?;
    raw.open(&tab, page)?;
    let elements = Elements::read(raw, &tab)?;
    for i in 1..=20 {
        fill(raw, &tab, elements.get("textbox", &format!("Text field {i}"))?, &format!("value {i}"))?;
    }
    for i in 1..=5 {
        select(raw, &tab, elements.get("combobox", &format!("Choice {i}"))?, "green")?;
    }
    for i in 1..=4 {
        click(raw, &tab, elements.get("checkbox", &format!("Accept rule {i}"))?)?;
    }
    click(raw, &tab, elements.get("button", "Submit form")?)?;
    let sent = raw.evaluate(&tab, "window.__sent")?;
    raw.close(&tab)?;
    Ok(sent)
}
