//! Rows: the tree with its options, and what scripts ask a tree that they hold.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Host;
use super::args::{Args, Options, describe};
use super::expected::FILTERS;
use super::reading::Locator;
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::page::changes::{self, Changes, Side};
use crate::page::fit::{self, Fitted, Room};
use crate::page::frozen::Moment;
use crate::page::layout::{Filter, PrintOptions};
use crate::page::tree::Tree;
use crate::script::own;

/// What people call the row behind `earlier.diff(later)`.
const METHOD: &str = "tree.diff";

/// The length of a page when a script does not say.
const PAGE: usize = 40_000;

pub async fn tree(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let options = args.options(0)?;
    let print = PrintOptions {
        filter: match options.word("filter", &FILTERS)? {
            Some("visible") => Filter::Visible,
            Some("interactive") => Filter::Interactive,
            _ => Filter::All,
        },
        max_depth: options.count("max_depth")?,
        frames: options.bool("frames")?.unwrap_or(true),
        ..PrintOptions::default()
    };
    let (most, page) = (options.count("max_chars")?, options.count("page")?);
    let (snapshot, diff) = (options.string("snapshot")?, options.bool("diff")?.unwrap_or(false));
    match page {
        Some(0) => return Err(args.wrong_value("page", "0", "1 or more: pages count from 1")),
        Some(_) if diff => return Err(args.wrong_value("page", "given with `diff: true`", "one of the two")),
        Some(number) if number > 1 && snapshot.is_none() => {
            let expected = "the page of a moment: give the `snapshot_id` of its first page as `snapshot`";
            return Err(args.wrong_value("page", &format!("{number} without `snapshot`"), expected));
        }
        _ => {}
    }
    let named = snapshot.map(|id| kept(host, &args, &id)).transpose()?;
    let (moment, base, root) = match (named, diff) {
        (Some(moment), false) => {
            let root = root_in(host, &args, &options, &moment)?;
            (moment, None, root)
        }
        (named, _) => {
            let base = named.or_else(|| host.page.last_kept()).filter(|_| diff);
            let tree = host.page.read_tree(&budget).await?;
            let root = match (options.reference("ref")?, options.string("frame")?) {
                (Some(text), _) => Some(host.page.locate(&text, &tree, &budget).await?),
                (None, Some(label)) => {
                    let frame = host.frame_named("tree", &label)?;
                    tree.frame_of(&frame).and_then(|frame| root_of(&tree, frame))
                }
                (None, None) => None,
            };
            (host.page.keep(&tree), base, root)
        }
    };
    let print = PrintOptions { root, ..print };
    if let Some(base) = &base
        && let Some(changes) = compared(&base.tree, &moment.tree, &print)
    {
        let whole = format!("tree(#{{{}diff: true, snapshot: \"{}\"}})", entries(&options, &["max_chars"]), base.id);
        return Ok(told(&moment, &changes, &format!("since {}", base.id), most, &whole));
    }
    let more =
        |number: usize| format!("tree(#{{{}page: {number}, snapshot: \"{}\"}})", entries(&options, &[]), moment.id);
    let room = Room { most: most.unwrap_or(if page.is_some() { PAGE } else { usize::MAX }), more: &more };
    let fitted = match page {
        None => fit::fit(&moment.tree, &print, room),
        Some(number) => fit::page(&moment.tree, &print, room, number).map_err(|pages| {
            let expected = if pages == 1 { "1: it is the only page".into() } else { format!("1 to {pages}") };
            args.wrong_value("page", &number.to_string(), &expected)
        })?,
    };
    let mut notices = Vec::new();
    if diff {
        notices.push(match base {
            None => "no tree of this tab was read before: this is all of it".to_owned(),
            Some(base) => format!("nothing of this was there at `{}`: this is all of it", base.id),
        });
    }
    if let Some(left_out) = &fitted.degraded {
        let call = more(fitted.next_page.unwrap_or(1));
        notices.push(format!("left out to stay within {} characters: {left_out}; `{call}` has it", room.most));
    }
    Ok(shown(&moment, &fitted, &notices.join("; ")))
}

/// Tells what changed between two trees that a script holds, whichever of them it asks.
pub async fn tree_diff(host: &mut Host, args: Args, _: Budget) -> Result<Value> {
    let Some(Value::String(other)) = args.get(1) else {
        return Err(Error::ArgsType {
            function: METHOD.into(),
            parameter: "other".into(),
            found: describe(args.get(1).unwrap_or(&Value::Null)),
            expected: "a tree".into(),
            takes: args.function.takes(),
            hint: None,
        });
    };
    let (one, other) = (kept(host, &args, &args.string(0, "snapshot_id")?)?, kept(host, &args, other)?);
    let (before, after) = if one.number <= other.number { (one, other) } else { (other, one) };
    let print = PrintOptions::default();
    if let Some(changes) = compared(&before.tree, &after.tree, &print) {
        let between = format!("between {} and {}", before.id, after.id);
        return Ok(told(&after, &changes, &between, None, ""));
    }
    let more = |number: usize| format!("tree(#{{page: {number}, snapshot: \"{}\"}})", after.id);
    let fitted = fit::fit(&after.tree, &print, Room { most: usize::MAX, more: &more });
    let notice = format!("nothing of this was there at `{}`: this is all of it", before.id);
    Ok(shown(&after, &fitted, &notice))
}

/// Hands the nodes of a kept tree to the engine.
pub async fn tree_nodes(host: &mut Host, args: Args, _: Budget) -> Result<Value> {
    let tree = held(host, &args)?;
    let listed = |&index: &u32| tree.get(index).is_some_and(|node| node.listed && node.reference.is_some());
    Ok(indexes(&tree).filter(listed).filter_map(|index| tree.to_json(index).map(Value::Object)).collect())
}

pub async fn tree_get(host: &mut Host, args: Args, _: Budget) -> Result<Value> {
    let tree = held(host, &args)?;
    let at = known_in(host, &tree, &args.reference(1, "ref")?)?;
    Ok(at.and_then(|index| tree.to_json(index)).map_or(Value::Null, Value::Object))
}

pub async fn tree_find(host: &mut Host, mut args: Args, _: Budget) -> Result<Value> {
    let tree = held(host, &args)?;
    args.shift();
    let locator = Locator::read(host, &args)?;
    let matches = locator.matches(host, &tree)?;
    locator.only(host, &tree, &matches, 0)
}

pub async fn tree_find_all(host: &mut Host, mut args: Args, _: Budget) -> Result<Value> {
    let tree = held(host, &args)?;
    args.shift();
    let matches = Locator::read(host, &args)?.matches(host, &tree)?;
    Ok(matches
        .into_iter()
        .filter_map(|index| host.page.mint_at(&tree, index))
        .map(|r| Value::from(r.to_string()))
        .collect())
}

/// Returns the tree that a method was called on.
fn held(host: &Host, args: &Args) -> Result<Arc<Tree>> {
    Ok(host.page.kept(&args.string(0, "snapshot_id")?)?.tree)
}

/// Returns a moment by its id.
///
/// # Errors
/// `args::value` for what is no id of a moment, `snapshot::stale` for one that is not kept any more.
fn kept(host: &Host, args: &Args, id: &str) -> Result<Moment> {
    if !host.page.was_kept(id) {
        let such = host.page.last_kept().map_or_else(String::new, |last| format!(", such as \"{}\"", last.id));
        let (function, parameter) = match args.function.name {
            "tree" => ("tree", "snapshot"),
            _ => (METHOD, "other"),
        };
        let expected = format!("the `snapshot_id` of a tree{such}");
        return Err(Error::ArgsValue {
            function: function.into(),
            parameter: parameter.into(),
            found: own(id),
            expected,
        });
    }
    host.page.kept(id)
}

/// Returns the node of a ref in a kept tree.
fn known_in(host: &Host, tree: &Tree, text: &str) -> Result<Option<u32>> {
    let reference = host.page.known(text)?.0;
    Ok(indexes(tree).find(|&index| tree.get(index).is_some_and(|node| node.reference == Some(reference))))
}

/// Returns the node that the options choose in a moment that was read before.
fn root_in(host: &Host, args: &Args, options: &Options, moment: &Moment) -> Result<Option<u32>> {
    let absent = |parameter: &str, found: &str| {
        args.wrong_value(parameter, &own(found), &format!("what was on the page at `{}`", moment.id))
    };
    if let Some(text) = options.reference("ref")? {
        let at = known_in(host, &moment.tree, &text)?;
        return at.map(Some).ok_or_else(|| absent("ref", &text));
    }
    let Some(label) = options.string("frame")? else { return Ok(None) };
    let frame = moment.tree.frames.iter().position(|frame| frame.label == label);
    let root = frame.and_then(|frame| root_of(&moment.tree, u32::try_from(frame).ok()?));
    root.map(Some).ok_or_else(|| absent("frame", &label))
}

/// Returns the root of a frame; of one that was not read the element that holds it, whose line says so.
fn root_of(tree: &Tree, frame: u32) -> Option<u32> {
    let frame = tree.frames.get(frame as usize)?;
    frame.root.or(frame.owner)
}

/// Returns what changed in the part that is printed; `None` when none of it was there before.
fn compared(before: &Tree, after: &Tree, print: &PrintOptions) -> Option<Changes> {
    if !changes::comparable(before, after) {
        return None;
    }
    let root = match print.root {
        Some(root) => Some(changes::twin(after, root, before)?),
        None => None,
    };
    let options = PrintOptions { root, ..*print };
    Some(changes::compare(Side { tree: before, options: &options }, Side { tree: after, options: print }))
}

/// Returns the tree that shows changes. `whole` is the call that gives all of them.
fn told(moment: &Moment, changes: &Changes, between: &str, most: Option<usize>, whole: &str) -> Value {
    let mut text = format!("[{} {between}]", changes.words());
    let room = most.map_or(usize::MAX, |most| most.saturating_sub(text.chars().count()));
    let size = |line: &String| line.chars().count() + 1;
    let tail = |left: usize| format!("\n[{left} more changes: {whole}]");
    let is_all = changes.lines.iter().map(size).sum::<usize>() <= room;
    let mut room = if is_all { room } else { room.saturating_sub(tail(changes.lines.len()).chars().count()) };
    let mut nodes = 0;
    for line in &changes.lines {
        let Some(less) = room.checked_sub(size(line)) else { break };
        room = less;
        nodes += 1;
        text.push('\n');
        text.push_str(line);
    }
    let left = changes.lines.iter().skip(nodes).filter(|line| !line.starts_with(' ')).count();
    let mut lines = 1 + nodes;
    if left > 0 {
        text.push_str(&tail(left));
        lines += 1;
    }
    shown(moment, &Fitted { text, nodes, lines, left, ..Fitted::default() }, "")
}

/// Returns the map that the engines make a tree of.
fn shown(moment: &Moment, fitted: &Fitted, notice: &str) -> Value {
    let counters = json!({
        "nodes": fitted.nodes,
        "lines": fitted.lines,
        "hidden_omitted": moment.tree.counters.hidden_omitted,
        "redacted": moment.tree.counters.redacted,
        "frames": moment.tree.counters.frames,
        "frames_unread": moment.tree.counters.frames_unread,
    });
    json!({
        "$tree": true,
        "text": fitted.text,
        "snapshot_id": moment.id,
        "truncated": fitted.left > 0,
        "has_more": fitted.next_page.is_some(),
        "next_page": fitted.next_page,
        "auto_degraded": fitted.degraded.is_some(),
        "notice": Some(notice).filter(|notice| !notice.is_empty()),
        "counters": counters,
        "origin": moment.origin,
    })
}

/// Writes the options that choose what is printed as they stand in a call, each with a comma behind it.
fn entries(options: &Options, without: &[&str]) -> String {
    let mut entries = String::new();
    for name in ["filter", "max_depth", "max_chars", "ref", "frame", "frames"] {
        let Some(value) = options.get(name).filter(|_| !without.contains(&name)) else { continue };
        let value = match value {
            Value::Object(node) => node.get("ref").and_then(Value::as_str).map(own).unwrap_or_default(),
            Value::String(text) => own(text),
            other => other.to_string(),
        };
        entries.extend([name, ": ", &value, ", "]);
    }
    entries
}

fn indexes(tree: &Tree) -> impl Iterator<Item = u32> {
    0..u32::try_from(tree.nodes.len()).unwrap_or(u32::MAX)
}
