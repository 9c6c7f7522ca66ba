//! The tree and its nodes as scripts hold them: opaque, so that a page of thousands of nodes costs a script nothing
//! until it looks at them.

use std::any::TypeId;
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalAltResult, Module, NativeCallContext};
use serde_json::{Map, Value};

use super::link::Link;
use super::sources::Located;
use super::value;
use crate::lang::fault::Fault;

/// The fields that a tree shows, each as a getter.
const FIELDS: &[&str] =
    &["text", "snapshot_id", "truncated", "has_more", "next_page", "auto_degraded", "notice", "counters", "origin"];

/// A tree that the host read, without its nodes.
#[derive(Clone)]
pub struct Tree {
    fields: Rc<Map<String, Value>>,
    nodes: Nodes,
}

/// The nodes of a tree, fetched from the host at the first look.
#[derive(Clone)]
pub struct Nodes {
    snapshot: Rc<Value>,
    fetched: Rc<OnceCell<Vec<Dynamic>>>,
}

type Outcome<T> = Result<T, Box<EvalAltResult>>;

impl Tree {
    /// Returns the tree if the host's result is one.
    pub fn from_result(result: &Value) -> Option<Self> {
        let fields = result.as_object().filter(|map| map.get("$tree") == Some(&Value::Bool(true)))?;
        let snapshot = fields.get("snapshot_id").cloned().unwrap_or_default();
        let nodes = Nodes { snapshot: Rc::new(snapshot), fetched: Rc::default() };
        Some(Self { fields: Rc::new(fields.clone()), nodes })
    }

    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// Returns the frozen moment's id, which names the tree to the host.
    pub fn snapshot(&self) -> Value {
        (*self.nodes.snapshot).clone()
    }

    fn field(&self, name: &str) -> Dynamic {
        value::dynamic(self.fields.get(name).cloned().unwrap_or_default())
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.fields.get("text").and_then(Value::as_str).unwrap_or(""))
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let snapshot = self.snapshot.as_str().unwrap_or("?");
        write!(formatter, "nodes of {snapshot}")
    }
}

impl Nodes {
    fn fetch(&self, link: &Link, located: &Located) -> Outcome<&[Dynamic]> {
        if let Some(nodes) = self.fetched.get() {
            return Ok(nodes);
        }
        let answer = link.call("tree_nodes", vec![(*self.snapshot).clone()], located)?;
        let nodes = match answer {
            Value::Array(items) => items.into_iter().map(value::dynamic).collect(),
            _ => Vec::new(),
        };
        Ok(self.fetched.get_or_init(|| nodes))
    }

    fn at(&self, index: i64, link: &Link, located: &Located) -> Outcome<Dynamic> {
        let nodes = self.fetch(link, located)?;
        let from_end = || usize::try_from(index.unsigned_abs()).ok().and_then(|back| nodes.len().checked_sub(back));
        let at = if index < 0 { from_end() } else { usize::try_from(index).ok() };
        at.and_then(|at| nodes.get(at)).cloned().ok_or_else(|| {
            let problem = format!("node {index} is out of bounds: the tree has {} nodes", nodes.len());
            link.throw(Fault::script(problem), located.clone())
        })
    }
}

/// Registers the types, their getters and methods.
pub fn register(engine: &mut Engine, link: &Rc<Link>) {
    engine.register_type_with_name::<Tree>("tree").register_type_with_name::<Nodes>("nodes");
    for field in FIELDS {
        engine.register_get(*field, |tree: &mut Tree| tree.field(field));
    }
    engine.register_get("nodes", |tree: &mut Tree| tree.nodes.clone());
    engine.register_fn("to_string", |tree: &mut Tree| tree.to_string());
    engine.register_fn("to_debug", |tree: &mut Tree| tree.to_string());
    engine.register_fn("to_string", |nodes: &mut Nodes| nodes.to_string());
    engine.register_fn("to_debug", |nodes: &mut Nodes| nodes.to_string());

    let line = Rc::clone(link);
    engine.register_fn("get", move |context: NativeCallContext, tree: &mut Tree, reference: Dynamic| {
        let located = line.sources().of_call(&context);
        let reference = super::bind::argument(&line, "get", "ref", &reference, &located)?;
        line.call("tree_get", vec![tree.snapshot(), reference], &located).map(value::dynamic)
    });
    let line = Rc::clone(link);
    engine.register_fn(
        "diff",
        move |context: NativeCallContext, tree: &mut Tree, other: Dynamic| -> Outcome<Dynamic> {
            let located = line.sources().of_call(&context);
            let other = match other.read_lock::<Tree>().map(|other| other.snapshot()) {
                Some(snapshot) => snapshot,
                None => super::bind::argument(&line, "diff", "other", &other, &located)?,
            };
            let result = line.call("tree_diff", vec![tree.snapshot(), other], &located)?;
            Ok(Tree::from_result(&result).map_or_else(|| value::dynamic(result), Dynamic::from))
        },
    );
    let line = Rc::clone(link);
    engine.register_fn("len", move |context: NativeCallContext, nodes: &mut Nodes| -> Outcome<i64> {
        let count = nodes.fetch(&line, &line.sources().of_call(&context))?.len();
        Ok(i64::try_from(count).unwrap_or(i64::MAX))
    });
    let line = Rc::clone(link);
    engine.register_get("len", move |context: NativeCallContext, nodes: &mut Nodes| -> Outcome<i64> {
        let count = nodes.fetch(&line, &line.sources().of_call(&context))?.len();
        Ok(i64::try_from(count).unwrap_or(i64::MAX))
    });
    let line = Rc::clone(link);
    engine.register_indexer_get(move |context: NativeCallContext, nodes: &mut Nodes, index: i64| {
        nodes.at(index, &line, &line.sources().of_call(&context))
    });
    let line = Rc::clone(link);
    let mut iterators = Module::new();
    iterators.set_iter_result(TypeId::of::<Nodes>(), move |nodes| {
        let fetched = match nodes.try_cast::<Nodes>() {
            Some(nodes) => nodes.fetch(&line, &Located::default()).map(<[Dynamic]>::to_vec),
            None => Ok(Vec::new()),
        };
        match fetched {
            Ok(items) => Box::new(items.into_iter().map(Ok)),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
    engine.register_global_module(iterators.into());
}
