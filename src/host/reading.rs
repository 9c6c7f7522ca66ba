//! Rows: finding elements, and facts about one element or the page.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::Host;
use super::args::{Args, Options};
use super::expected::known_role;
use super::waiting;
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::page::elements::{Found, shadow_hosts};
use crate::page::find::{Query, role, search};
use crate::page::text::visible_text;
use crate::page::tree::{Hidden, Tree, TreeFrame};
use crate::reference::Ref;

pub async fn find(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let locator = Locator::read(host, &args)?;
    waiting::find(host, &locator, &budget).await
}

pub async fn find_all(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let locator = Locator::read(host, &args)?;
    let tree = host.page.read_tree(&budget).await?;
    let matches = locator.matches_now(host, &tree, &budget).await?;
    if let (true, Some(role)) = (matches.is_empty(), locator.role_word()) {
        // No match is a good answer; only the person can know that another question was meant.
        host.notice(&format!("`\"{role}\"` is a role: `find_all(#{{role: \"{role}\"}})` finds by role"));
    }
    Ok(matches
        .into_iter()
        .filter_map(|index| host.page.mint_at(&tree, index))
        .map(|r| Value::from(r.to_string()))
        .collect())
}

/// What to look for: role, name, text, and where.
#[derive(Debug, Default)]
pub struct Locator {
    pub query: Query,
    /// The id of the only frame to look in.
    pub(super) frame: Option<String>,
    pub(super) within: Option<String>,
    pub(super) nth: Option<usize>,
    pub timeout: Option<std::time::Duration>,
}

impl Locator {
    /// Reads `(role, name)`, `(name)` or `(#{…})`.
    pub fn read(host: &Host, args: &Args) -> Result<Self> {
        if args.len() == 2 {
            let role = args.string(0, "role")?;
            known_role(&role)?;
            let query = Query { role: Some(role), name: Some(args.text(1, "name")?), ..Query::default() };
            return Ok(Self { query, ..Self::default() });
        }
        if !args.is_options(0) {
            return Ok(Self {
                query: Query { name: Some(args.text(0, "name")?), ..Query::default() },
                ..Self::default()
            });
        }
        let locator = Self::from_options(host, args.function.name, &args.options(0)?)?;
        if locator.is_empty() {
            return Err(args.wrong_value("locator", "without role, name and text", "at least one of them"));
        }
        Ok(locator)
    }

    pub fn from_options(host: &Host, function: &str, options: &Options) -> Result<Self> {
        let frame = match options.string("frame")? {
            Some(label) => Some(host.frame_named(function, &label)?),
            None => None,
        };
        let role = options.string("role")?;
        role.as_deref().map(known_role).transpose()?;
        let query = Query {
            role,
            name: options.text("name")?,
            text: options.text("text")?,
            exact: options.bool("exact")?.unwrap_or(false),
            ..Query::default()
        };
        let timeout = options.milliseconds("timeout")?;
        Ok(Self { query, frame, within: options.reference("within")?, nth: options.count("nth")?, timeout })
    }

    pub fn is_empty(&self) -> bool {
        self.query.role.is_none() && self.query.name.is_none() && self.query.text.is_none()
    }

    /// Returns the matches on the page as it is now, in page order.
    ///
    /// # Errors
    /// `ref::stale` for `within`: what is not there can't hold the element, however long one waits.
    pub async fn matches_now(&self, host: &mut Host, tree: &Tree, budget: &Budget) -> Result<Vec<u32>> {
        if let Some(text) = &self.within {
            host.page.locate(text, tree, budget).await?;
        }
        self.matches(host, tree)
    }

    /// Returns the matches in a tree, in page order; none when `within` is not in it.
    pub fn matches(&self, host: &Host, tree: &Tree) -> Result<Vec<u32>> {
        let Some(query) = self.scoped(host, tree)? else { return Ok(Vec::new()) };
        let matches = search(tree, &query);
        Ok(match self.nth {
            Some(nth) => matches.get(nth).copied().into_iter().collect(),
            None => matches,
        })
    }

    /// Returns the query with the frame and the container in which to look; `None` when they are not in the tree.
    pub(super) fn scoped(&self, host: &Host, tree: &Tree) -> Result<Option<Query>> {
        let mut query = self.query.clone();
        if let Some(id) = &self.frame {
            query.frame = tree.frame_of(id);
            if query.frame.is_none() {
                return Ok(None);
            }
        }
        if let Some(text) = &self.within {
            let (_, entry) = host.page.known(text)?;
            let at = tree.frame_of(&entry.key.frame).and_then(|frame| tree.index_of(frame, entry.key.backend));
            match at {
                Some(at) => query.within = Some(at),
                None => return Ok(None),
            }
        }
        Ok(Some(query))
    }

    /// Returns the ref of the only match.
    pub fn only(&self, host: &mut Host, tree: &Tree, matches: &[u32], waited_ms: u64) -> Result<Value> {
        match matches {
            [one] => Ok(host.page.mint_at(tree, *one).map_or(Value::Null, |reference| reference.to_string().into())),
            [] => Err(self.none(host, tree, waited_ms)),
            several => Err(Error::FindAmbiguous {
                wanted: self.words(),
                matches: crate::page::nearest::told_apart(tree, several),
                total: several.len(),
            }),
        }
    }

    /// Returns the name where it is the only thing looked for and the word of a role.
    pub(super) fn role_word(&self) -> Option<&str> {
        let name = self.query.name.as_deref()?;
        // People write names as the page shows them, most often with a capital, and roles in small letters.
        // A box without a role is one of many: nobody means it by this word.
        let is_role = role(name).is_some_and(|role| role != "generic")
            && !name.contains(|letter: char| !letter.is_ascii_lowercase());
        (is_role && self.query.role.is_none() && self.query.text.is_none()).then_some(name)
    }

    /// Writes the locator as people say it: `button "Save"`, with where and which one.
    pub fn words(&self) -> String {
        let mut words = vec![self.named()];
        if let Some(within) = &self.within {
            words.push(format!("within `{within}`"));
        }
        if let Some(nth) = self.nth {
            words.push(format!("number {nth} (from 0)"));
        }
        words.join(" ")
    }

    /// Writes what it looks for: `button "Save"`.
    pub(super) fn named(&self) -> String {
        let mut words = Vec::new();
        if let Some(role) = &self.query.role {
            words.push(role.clone());
        }
        if let Some(name) = &self.query.name {
            words.push(crate::script::own(name));
        }
        if let Some(text) = &self.query.text {
            words.push(format!("text {}", crate::script::own(text)));
        }
        words.join(" ")
    }
}

pub async fn query(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let css = args.string(0, "css")?;
    let options = args.options(1)?;
    let (within, frame) = (options.reference("within")?, options.string("frame")?);
    let found = if let Some(text) = within {
        let tree = host.page.read_tree(&budget).await?;
        let at = host.page.locate(&text, &tree, &budget).await?;
        match held_frame("query", "within", &tree, at)? {
            Some(frame) => host.page.query_frame(&frame.frame_id, None, &css, &budget).await?,
            None => {
                let element = host.page.resolve(&text, &budget).await?;
                host.page.query_frame(&element.frame.clone(), Some(&element), &css, &budget).await?
            }
        }
    } else {
        let frames = match frame {
            Some(label) => vec![host.frame_named("query", &label)?],
            None => host.page.frame_ids(),
        };
        let mut found = Vec::new();
        for frame in frames {
            found.extend(host.page.query_frame(&frame, None, &css, &budget).await?);
        }
        found
    };
    hand_out(host, &found, &budget).await
}

pub async fn shadow_query(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let css = args.string(args.len() - 1, "css")?;
    let tree = host.page.read_tree(&budget).await?;
    let hosts: Vec<Found> = if args.len() == 2 {
        let (_, entry) = host.page.known(&args.reference(0, "host")?)?;
        let at = host.page.locate(&args.reference(0, "host")?, &tree, &budget).await?;
        match held_frame("shadow_query", "host", &tree, at)? {
            // A frame has no shadow root; what stands in it may have some.
            Some(frame) => shadow_hosts(&tree).into_iter().filter(|host| host.frame == frame.frame_id).collect(),
            None => vec![Found { frame: entry.key.frame.to_string(), backend: entry.key.backend }],
        }
    } else {
        shadow_hosts(&tree)
    };
    let mut found = Vec::new();
    let mut by_frame: IndexMap<String, Vec<i64>> = IndexMap::new();
    for host in hosts {
        by_frame.entry(host.frame).or_default().push(host.backend);
    }
    for (frame, hosts) in by_frame {
        let session = host.page.session_of_frame(&frame)?;
        let backends = host.page.query_shadow(&session, &hosts, &css, &budget).await?;
        found.extend(backends.into_iter().map(|backend| Found { frame: frame.clone(), backend }));
    }
    hand_out(host, &found, &budget).await
}

/// Returns the frame that an iframe element holds; `None` for other elements.
///
/// # Errors
/// `args::value` when its document can't be read.
fn held_frame<'a>(function: &str, parameter: &str, tree: &'a Tree, at: u32) -> Result<Option<&'a TreeFrame>> {
    let held = tree.frames.iter().find(|frame| frame.owner == Some(at));
    let is_frame = tree.get(at).is_some_and(|node| matches!(node.tag.as_ref(), "iframe" | "frame"));
    match held {
        Some(frame) if frame.read.is_ok() => Ok(Some(frame)),
        None if !is_frame => Ok(None),
        frame => Err(Error::ArgsValue {
            function: function.to_owned(),
            parameter: parameter.to_owned(),
            found: match frame.and_then(|frame| frame.read.as_ref().err()) {
                Some(reason) => format!("an iframe whose document can't be read: {reason}"),
                None => "an iframe without a document".to_owned(),
            },
            expected: "an element of a document that can be read; `frames()` tells which are".to_owned(),
        }),
    }
}

/// Gives each element its ref, also those that the tree leaves out.
pub async fn hand_out(host: &mut Host, found: &[Found], budget: &Budget) -> Result<Value> {
    if found.is_empty() {
        return Ok(Value::Array(Vec::new()));
    }
    let tree = host.page.read_tree(budget).await?;
    Ok(found
        .iter()
        .filter_map(|found| host.page.mint_element(&tree, found))
        .map(|r| Value::from(r.to_string()))
        .collect())
}

pub async fn frames(host: &mut Host, _: Args, budget: Budget) -> Result<Value> {
    let tree = host.page.read_tree(&budget).await?;
    Ok(host.page.describe_frames(&tree).into())
}

pub async fn node(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let (tree, at, reference) = read(host, &args, &budget).await?;
    let mut map = tree.to_json(at).unwrap_or_default();
    map.insert("ref".into(), reference.to_string().into());
    Ok(Value::Object(map))
}

pub async fn text(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    if args.len() == 0 {
        let tree = host.page.read_tree(&budget).await?;
        return Ok(visible_text(&tree, None).into());
    }
    let (tree, at, _) = read(host, &args, &budget).await?;
    // The tree has no texts of what is inert, which people see nonetheless.
    if tree.get(at).is_some_and(|node| node.hidden.is_some_and(Hidden::is_inert)) {
        let element = host.page.resolve(&args.reference(0, "ref")?, &budget).await?;
        return Ok(host.page.rendered_text(&element, &budget).await?.into());
    }
    Ok(visible_text(&tree, Some(at)).into())
}

pub async fn value(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let (tree, at, _) = read(host, &args, &budget).await?;
    let Some(node) = tree.get(at) else { return Ok(Value::Null) };
    let typed = match (node.tag.as_ref(), node.input_type.as_deref()) {
        ("textarea", _) => true,
        ("input", kind) => {
            !matches!(kind, Some("checkbox" | "radio" | "file" | "button" | "submit" | "reset" | "image"))
        }
        _ => false,
    };
    if typed && !node.sensitive {
        // The tree folds line breaks; the field itself has them.
        let element = host.page.resolve(&args.reference(0, "ref")?, &budget).await?;
        return host.page.live_value(&element, &budget).await;
    }
    Ok(node.value.clone().map_or(Value::Null, Value::from))
}

pub async fn rect(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let (tree, at, _) = read(host, &args, &budget).await?;
    Ok(tree.to_json(at).and_then(|mut map: Map<String, Value>| map.remove("rect")).unwrap_or_default())
}

pub async fn attr(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let name = args.string(1, "name")?;
    let (tree, at, _) = read(host, &args, &budget).await?;
    // A page may write a secret into the attribute of the field that holds it.
    if name.eq_ignore_ascii_case("value") && tree.get(at).is_some_and(|node| node.sensitive) {
        return Ok(Value::Null);
    }
    let element = host.page.resolve(&args.reference(0, "ref")?, &budget).await?;
    host.page.attribute(&element, &name, &budget).await
}

/// Reads the page and finds the element of the first argument in it.
async fn read(host: &mut Host, args: &Args, budget: &Budget) -> Result<(Arc<Tree>, u32, Ref)> {
    let text = args.reference(0, "ref")?;
    let (reference, _) = host.page.known(&text)?;
    let tree = host.page.read_tree(budget).await?;
    let at = host.page.locate(&text, &tree, budget).await?;
    Ok((tree, at, reference))
}
