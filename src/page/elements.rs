//! Elements that a selector finds, as backend node ids: in documents and in shadow roots, closed ones included.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Session;
use super::call::{Failed, returned};
use super::snapshot::dom::{NONE, flag};
use super::snapshot::folded;
use super::tree::Tree;
use crate::budget::Budget;
use crate::cdp::js::runtime::{
    CallArgument, CallFunctionOnParams, EvaluateParams, ExecutionContextId, ReleaseObjectGroupParams,
};
use crate::cdp::protocol::dom::{BackendNodeId, DescribeNodeParams, ResolveNodeParams};
use crate::cdp::{CdpSession, Failure, Reply};
use crate::error::{Error, Result};

/// Objects that live only while a query runs.
const GROUP: &str = "pageboy-query";

/// Runs on the root and hands out the matches one by one, since only an element by itself can be described.
const MATCHES: &str = "function(css) { return [...this.querySelectorAll(css)] }";

/// An element of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Found {
    pub frame: String,
    pub backend: i64,
}

/// Returns the elements that may hold a shadow root: those with a child in a shadow tree.
pub fn shadow_hosts(tree: &Tree) -> Vec<Found> {
    let mut hosts = Vec::new();
    let mut last = NONE;
    for node in 0..u32::try_from(tree.dom.len()).unwrap_or(NONE) {
        let parent = tree.dom.parent(node);
        if parent == last || parent == NONE || !tree.dom.has(node, flag::SHADOW_OPEN | flag::SHADOW_CLOSED) {
            continue;
        }
        last = parent;
        let frame = tree.dom.documents.get(tree.dom.document(parent) as usize);
        let host = frame.map(|frame| Found { frame: frame.frame_id.clone(), backend: tree.dom.backend(parent) });
        hosts.extend(host.filter(|host| !hosts.contains(host)));
    }
    hosts
}

impl Session {
    /// Returns the label of the frame that an iframe element held when the page was read last.
    pub fn frame_in(&self, element: &super::Element) -> Option<String> {
        let tree = self.latest_tree()?;
        let owner = tree.index_of(tree.frame_of(&element.frame)?, element.backend)?;
        tree.frames.iter().find(|frame| frame.owner == Some(owner)).map(|frame| frame.label.clone())
    }

    /// Returns an attribute as the page wrote it, or null. One round trip.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn attribute(&self, element: &super::Element, name: &str, budget: &Budget) -> Result<Value> {
        self.ask(element, "function(name) { return this.getAttribute?.(name) ?? null }", json!(name), budget).await
    }

    /// Returns the text that people see in an element, as the browser renders it. One round trip.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn rendered_text(&self, element: &super::Element, budget: &Budget) -> Result<String> {
        let text =
            self.ask(element, "function() { return this.innerText ?? this.textContent }", json!([]), budget).await?;
        let lines = text.as_str().unwrap_or_default().lines().map(folded).filter(|line| !line.is_empty());
        Ok(lines.collect::<Vec<String>>().join("\n"))
    }

    /// Returns what a field holds now, or null. One round trip.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn live_value(&self, element: &super::Element, budget: &Budget) -> Result<Value> {
        self.ask(element, "function() { return this.value ?? null }", Value::Null, budget).await
    }

    async fn ask(&self, element: &super::Element, function: &str, given: Value, budget: &Budget) -> Result<Value> {
        let mut params = CallFunctionOnParams::new(function);
        params.object_id = Some(element.object_id.clone().into());
        params.return_by_value = Some(true);
        params.arguments = Some(vec![CallArgument { value: Some(given), ..Default::default() }]);
        let lost = |_: &Error| self.forget_world(&element.frame);
        let reply = self.page_call(&element.session, params, budget).await.inspect_err(lost)?;
        returned(&reply).map_err(|failure| self.explain(failure, budget))
    }

    /// Returns the matches of a selector in a frame's document, or inside one element, in document order. Three
    /// round trips.
    ///
    /// # Errors
    /// `args::value` for a selector that is not valid, and as [`page_call`](Session::page_call).
    pub async fn query_frame(
        &mut self,
        frame: &str,
        within: Option<&super::Element>,
        css: &str,
        budget: &Budget,
    ) -> Result<Vec<Found>> {
        let (session, context) = self.world(frame, budget).await?;
        let root = match within {
            Some(element) => element.object_id.clone(),
            None => {
                let mut document = EvaluateParams::new("document");
                document.context_id = Some(ExecutionContextId::new(context));
                document.object_group = Some(GROUP.into());
                let reply = self.page_call(&session, document, budget).await?;
                object_id(&reply).map_err(|failure| self.explain(failure, budget))?
            }
        };
        let found = self.matches(&session, &[root], css, budget).await?;
        Ok(found.into_iter().map(|backend| Found { frame: frame.to_owned(), backend }).collect())
    }

    /// Returns the matches of a selector inside the shadow roots of hosts that one session serves. Five round
    /// trips, however many hosts there are.
    ///
    /// # Errors
    /// As [`query_frame`](Self::query_frame).
    pub async fn query_shadow(
        &self,
        session: &CdpSession,
        hosts: &[i64],
        css: &str,
        budget: &Budget,
    ) -> Result<Vec<i64>> {
        self.refuse_in_dialog()?;
        let describe = |&host: &i64| {
            session.start(DescribeNodeParams { backend_node_id: Some(BackendNodeId::new(host)), ..Default::default() })
        };
        let described: Vec<_> = hosts.iter().map(describe).collect();
        let mut roots = Vec::new();
        for pending in described {
            // A host that went away meanwhile has no matches.
            match self.answered(pending, budget).await {
                Ok(reply) => roots.extend(reply.decode::<Described>().ok().and_then(|host| host.node.author_root())),
                Err(Failed::Command(Failure::Refused { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        let resolve = |root: i64| {
            session.start(ResolveNodeParams {
                backend_node_id: Some(BackendNodeId::new(root)),
                object_group: Some(GROUP.into()),
                ..Default::default()
            })
        };
        let resolving: Vec<_> = roots.into_iter().map(resolve).collect();
        let mut objects = Vec::new();
        for pending in resolving {
            match self.answered(pending, budget).await {
                Ok(reply) => objects.extend(reply.decode::<Resolved>().ok().and_then(|root| root.object.object_id)),
                Err(Failed::Command(Failure::Refused { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        self.matches(session, &objects, css, budget).await
    }

    /// Returns the backend ids of the matches inside each root, in order.
    async fn matches(&self, session: &CdpSession, roots: &[String], css: &str, budget: &Budget) -> Result<Vec<i64>> {
        let search = |root: &String| {
            let mut params = CallFunctionOnParams::new(MATCHES);
            params.object_id = Some(root.clone().into());
            params.object_group = Some(GROUP.into());
            params.arguments = Some(vec![CallArgument { value: Some(json!(css)), ..Default::default() }]);
            session.start(params)
        };
        let searching: Vec<_> = roots.iter().map(search).collect();
        let mut lists = Vec::new();
        for pending in searching {
            let reply = self.answered(pending, budget).await.map_err(|failed| self.word(failed, budget))?;
            let list = object_id(&reply).map_err(|failure| match failure {
                Failure::Refused { message, .. } if message.contains("not a valid selector") => Error::ArgsValue {
                    function: "query".into(),
                    parameter: "css".into(),
                    found: crate::script::quoted(css),
                    expected: "a valid CSS selector".into(),
                },
                failure => self.explain(failure, budget),
            })?;
            let mut params = crate::cdp::js::runtime::GetPropertiesParams::new(list);
            params.own_properties = Some(true);
            lists.push(session.start(params));
        }
        let mut describing = Vec::new();
        for pending in lists {
            let reply = self.answered(pending, budget).await.map_err(|failed| self.word(failed, budget))?;
            let items: Properties = reply.decode().map_err(|failure| self.explain(failure, budget))?;
            for item in items.elements() {
                let params = DescribeNodeParams { object_id: Some(item.into()), ..Default::default() };
                describing.push(session.start(params));
            }
        }
        let mut found = Vec::new();
        for pending in describing {
            match self.answered(pending, budget).await {
                Ok(reply) => {
                    let described: Described = reply.decode().map_err(|failure| self.explain(failure, budget))?;
                    found.push(described.node.backend_node_id);
                }
                Err(Failed::Command(Failure::Refused { .. })) => {}
                Err(failed) => return Err(self.word(failed, budget)),
            }
        }
        session.post(ReleaseObjectGroupParams::new(GROUP));
        Ok(found)
    }
}

/// Returns the object of a result.
fn object_id(reply: &Reply) -> Result<String, Failure> {
    returned(reply)?;
    let result: Value = reply.decode()?;
    match result.pointer("/result/objectId").and_then(Value::as_str) {
        Some(id) => Ok(id.to_owned()),
        None => Err(Failure::Garbled { method: "Runtime.evaluate".into(), problem: "it returned no object".into() }),
    }
}

#[derive(Deserialize)]
struct Resolved {
    object: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Described {
    node: DomNode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DomNode {
    backend_node_id: i64,
    #[serde(default)]
    shadow_roots: Vec<ShadowRoot>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShadowRoot {
    backend_node_id: i64,
    shadow_root_type: String,
}

impl DomNode {
    /// Returns the shadow root that a page attached; the browser's own, as of `<video>`, do not count.
    fn author_root(&self) -> Option<i64> {
        let author = self.shadow_roots.iter().find(|root| root.shadow_root_type != "user-agent");
        author.map(|root| root.backend_node_id)
    }
}

#[derive(Deserialize)]
struct Properties {
    result: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: Option<Object>,
}

impl Properties {
    /// Returns the objects of an array's own numbered properties, in order.
    fn elements(self) -> Vec<String> {
        let mut items: Vec<(usize, String)> = self
            .result
            .into_iter()
            .filter_map(|property| Some((property.name.parse().ok()?, property.value?.object_id?)))
            .collect();
        items.sort_unstable_by_key(|(at, _)| *at);
        items.into_iter().map(|(_, id)| id).collect()
    }
}
