//! Which control each key of a map of fields means, and whether its value is one for it.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::args::Args;
use super::{Host, describe};
use crate::act::filling::{Entry, Want};
use crate::budget::Budget;
use crate::error::{Elsewhere, Error, FieldFault, FieldName, FieldProblem, Nearest, NoOption, Result};
use crate::page::fields::{Choice, Field, Fields, Kind};
use crate::page::tree::Tree;
use crate::reference::Ref;

/// How many fields an error offers for a key that names none.
const OFFERED: usize = 3;

/// A key with the control that it names.
pub(super) struct Planned {
    pub key: String,
    pub label: String,
    pub node: u32,
    /// For a group of radio buttons the label of the one to choose.
    pub chosen: Option<String>,
    pub is_ref: bool,
    pub want: Want,
}

impl Planned {
    pub fn name(&self, entry: &Entry) -> FieldName {
        FieldName { key: self.key.clone(), label: self.label.clone(), reference: entry.element.reference }
    }

    /// Returns what the field holds now; null for a sensitive one.
    pub fn value(&self, report: &Value) -> Value {
        match (&self.want, &self.chosen) {
            (Want::Tick(_), Some(label)) => label.as_str().into(),
            (Want::Tick(on), None) => (*on).into(),
            _ => report.get("value").cloned().unwrap_or_default(),
        }
    }
}

/// Finds the control of each key, in page order.
pub(super) async fn plan(
    host: &mut Host,
    args: &Args,
    tree: &Tree,
    map: &Map<String, Value>,
    place: &Place,
    budget: &Budget,
) -> Result<(Vec<Planned>, Vec<FieldProblem>)> {
    let fields = place.fields(host, tree, budget).await?;
    let (mut planned, mut problems): (Vec<Planned>, Vec<FieldProblem>) = (Vec::new(), Vec::new());
    let mut taken: HashMap<Taken, String> = HashMap::new();
    for (key, value) in map {
        let problem = |fault| FieldProblem { key: key.clone(), fault };
        let field = if key.parse::<Ref>().is_ok() {
            match by_ref(host, tree, &fields, key, value, budget).await {
                Ok(field) => field,
                Err(error) if error.code().starts_with("ref::") => {
                    problems.push(problem(FieldFault::Unusable(error.into())));
                    continue;
                }
                Err(error) => return Err(error),
            }
        } else {
            match by_name(args, &fields, key, value) {
                Ok(field) => field,
                Err(mut fault) => {
                    if matches!(fault, FieldFault::None { .. })
                        && let Some(error) = inert(host, tree, key)?
                    {
                        fault = FieldFault::Unusable(error.into());
                    }
                    problems.push(problem(fault));
                    continue;
                }
            }
        };
        match (Wanting { host, args, tree, fields: &fields }).want(key, &field, value) {
            Ok(plan) => {
                let control = fields.choice(plan.node).map_or(Taken::Control(plan.node), Taken::Choice);
                if let Some(other) = taken.insert(control, key.clone()) {
                    let error = twice(host, tree, key, &other, plan.node)?;
                    problems.push(problem(FieldFault::Unusable(error.into())));
                }
                planned.push(plan);
            }
            Err(error) => problems.push(problem(FieldFault::Unusable(error.into()))),
        }
    }
    planned.sort_by_key(|plan| plan.node);
    Ok((planned, problems))
}

/// Says that the only field which a key names is inert, and which dialog makes it so.
fn inert(host: &mut Host, tree: &Tree, key: &str) -> Result<Option<Error>> {
    let fields = Fields::inert(tree);
    let [one] = *fields.named(key) else { return Ok(None) };
    let Some(field) = fields.all.get(one) else { return Ok(None) };
    let (reference, was) = told(host, tree, field.node)?;
    let coverer = fields.modal_over(field.node).and_then(|modal| {
        let (node, reference) = (tree.get(modal)?, host.page.mint_at(tree, modal)?);
        Some(Nearest { reference, role: node.role.to_owned(), name: node.name.clone(), why: String::new() })
    });
    Ok(Some(Error::ActCovered { reference, was, coverer, inert: true, waited_ms: 0 }))
}

/// The part of the page whose fields are meant.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The id of a frame.
    pub frame: Option<String>,
    /// A ref.
    pub within: Option<String>,
}

impl Place {
    async fn fields<'a>(&self, host: &mut Host, tree: &'a Tree, budget: &Budget) -> Result<Fields<'a>> {
        let mut fields = Fields::new(tree);
        if let Some(text) = &self.within {
            let around = host.page.locate(text, tree, budget).await?;
            let end = tree.get(around).map_or(around, |node| node.end);
            fields = fields.only(|at, _| (around..end).contains(&at));
        }
        if let Some(id) = &self.frame {
            let frame = tree.frame_of(id);
            fields = fields.only(|_, node| Some(node.frame) == frame);
        }
        Ok(fields)
    }
}

/// Names another open tab for keys that name no field here: one whose last tree has such a field, else the newest.
pub(super) fn look_elsewhere(host: &Host, problems: &mut [FieldProblem]) {
    let tabs = host.page.other_tabs();
    let tabs: Vec<_> = tabs.iter().map(|(tab, tree)| (tab, tree.as_deref().map(Fields::new))).collect();
    for FieldProblem { key, fault } in problems {
        let FieldFault::None { elsewhere, .. } = fault else { continue };
        let seen = tabs.iter().find(|(_, fields)| fields.as_ref().is_some_and(|fields| fields.has(key)));
        let unread = || tabs.iter().find(|(_, fields)| fields.is_none());
        *elsewhere = match (seen, unread()) {
            (Some((tab, _)), _) => Some(Elsewhere { tab: (*tab).clone(), is_seen: true }),
            (None, Some((tab, _))) => Some(Elsewhere { tab: (*tab).clone(), is_seen: false }),
            (None, None) => None,
        };
    }
}

/// Says which call chooses an option of a group of radio buttons, where another one was tried on the group; `None`
/// where the ref is of no such group.
pub(super) async fn for_radios(
    host: &mut Host,
    reference: &str,
    wanted: &str,
    budget: &Budget,
) -> Result<Option<Error>> {
    let tree = host.page.read_tree(budget).await?;
    let node = host.page.locate(reference, &tree, budget).await?;
    let fields = Fields::new(&tree);
    let Some(group) = fields.group_of(node) else { return Ok(None) };
    let (reference, was) = told(host, &tree, node)?;
    let named = fields.radios_named(group, wanted);
    let [one] = *named else {
        let options = group.radios.iter().map(|&radio| fields.label(radio)).collect();
        let reason = if named.is_empty() { NoOption::Missing } else { NoOption::Ambiguous };
        return Ok(Some(Error::ActNoOption { reference, was, wanted: wanted.to_owned(), reason, options }));
    };
    let (radio, _) = told(host, &tree, one)?;
    let kind = if node == group.node { "a group of radio buttons" } else { "a radio button" };
    let instead = Some(format!("check(\"{radio}\")"));
    Ok(Some(Error::ListExpected { reference, was, kind: kind.into(), instead }))
}

/// What a key writes into; two keys may not write into the same.
#[derive(PartialEq, Eq, Hash)]
enum Taken {
    Control(u32),
    Choice(Choice),
}

async fn by_ref(
    host: &mut Host,
    tree: &Tree,
    fields: &Fields<'_>,
    key: &str,
    value: &Value,
    budget: &Budget,
) -> Result<Field> {
    let node = host.page.locate(key, tree, budget).await?;
    let (reference, _) = host.page.known(key)?;
    host.page.compare(reference, tree, node)?;
    let here = || fields.all.iter().filter(|field| field.node == node);
    let field = here().find(|field| fits(field.kind, value)).or_else(|| here().next());
    // The page itself says what it is, and what to use for it.
    Ok(field.cloned().unwrap_or_else(|| Field::other(node, if value.is_boolean() { Kind::Tick } else { Kind::Text })))
}

fn by_name(args: &Args, fields: &Fields<'_>, key: &str, value: &Value) -> Result<Field, FieldFault> {
    if args.function.options.iter().any(|(name, _)| *name == key) && !fields.has(key) {
        return Err(FieldFault::Option { value: value.to_string() });
    }
    let mut named: Vec<&Field> = fields.named(key).into_iter().filter_map(|index| fields.all.get(index)).collect();
    // Of several, the value may tell: `true` is for a box, a text is not.
    if named.len() > 1 && named.iter().filter(|field| fits(field.kind, value)).count() == 1 {
        named.retain(|field| fits(field.kind, value));
    }
    match named.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(FieldFault::None { nearest: fields.like(key, OFFERED), elsewhere: None }),
        several => Err(FieldFault::Ambiguous {
            matches: several.iter().filter_map(|field| fields.offered(field, "")).collect(),
        }),
    }
}

fn fits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Text | Kind::Group => value.is_string() || value.is_number(),
        Kind::List => value.is_string() || value.is_number() || value.is_array(),
        Kind::Tick | Kind::Radio => value.is_boolean(),
    }
}

/// Reads the value of a key for the control that it names.
struct Wanting<'a> {
    host: &'a mut Host,
    args: &'a Args,
    tree: &'a Tree,
    fields: &'a Fields<'a>,
}

impl Wanting<'_> {
    fn want(&mut self, key: &str, field: &Field, value: &Value) -> Result<Planned> {
        let is_ref = key.parse::<Ref>().is_ok();
        let planned = |node: u32, label: String, chosen: Option<String>, want: Want| Planned {
            key: key.to_owned(),
            label,
            node,
            chosen,
            is_ref,
            want,
        };
        let label = if field.kind == Kind::Group { field.name().to_owned() } else { self.fields.label(field.node) };
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        match (field.kind, value) {
            (Kind::Tick, Value::Bool(on)) => Ok(planned(field.node, label, None, Want::Tick(*on))),
            (Kind::Radio, Value::Bool(true)) => Ok(planned(field.node, label, None, Want::Tick(true))),
            (Kind::Text, Value::String(_) | Value::Number(_)) => {
                Ok(planned(field.node, label, None, Want::Text(text(value).unwrap_or_default())))
            }
            (Kind::List, Value::String(_) | Value::Number(_)) => {
                Ok(planned(field.node, label, None, Want::Options(text(value).into_iter().collect())))
            }
            (Kind::List, Value::Array(items)) => match items.iter().map(text).collect::<Option<Vec<String>>>() {
                Some(options) => Ok(planned(field.node, label, None, Want::Options(options))),
                None => self.unfit(key, field, value, "labels or values of options"),
            },
            (Kind::Group, Value::String(_) | Value::Number(_)) => {
                let radio = self.radio(field, &text(value).unwrap_or_default())?;
                let chosen = self.fields.label(radio);
                Ok(planned(radio, label, Some(chosen), Want::Tick(true)))
            }
            (kind, value) => self.unfit(key, field, value, takes(kind)),
        }
    }

    /// Finds the radio button that a value chooses.
    fn radio(&mut self, group: &Field, wanted: &str) -> Result<u32> {
        let reason = match self.fields.radios_named(group, wanted).as_slice() {
            [one] => return Ok(*one),
            [] => NoOption::Missing,
            _ => NoOption::Ambiguous,
        };
        let (reference, was) = told(self.host, self.tree, group.node)?;
        let options = group.radios.iter().map(|&radio| self.fields.label(radio)).collect();
        Err(Error::ActNoOption { reference, was, wanted: wanted.to_owned(), reason, options })
    }

    /// Says that a value is none for the control that its key names.
    fn unfit(&mut self, key: &str, field: &Field, value: &Value, takes: &str) -> Result<Planned> {
        let (reference, was) = told(self.host, self.tree, field.node)?;
        let expected = format!("{takes} for {was} `{reference}`");
        Err(match value {
            Value::Object(_) | Value::Array(_) | Value::Null => self.args.wrong_type(key, value, &expected),
            _ => self.args.wrong_value(key, &describe(value), &expected),
        })
    }
}

fn takes(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "a string or number",
        Kind::List => "an option's label or value, or an array of them,",
        Kind::Tick => "true or false",
        Kind::Radio => "true, or the name of its group with this label as the value,",
        Kind::Group => "the label of one of its options",
    }
}

/// Returns a node's ref, and role and name.
pub(super) fn told(host: &mut Host, tree: &Tree, node: u32) -> Result<(Ref, String)> {
    let nowhere = || Error::InternalBug { problem: "a field has no place in the tree it was found in".into() };
    let at = tree.get(node).ok_or_else(nowhere)?;
    let reference = host.page.mint_at(tree, node).ok_or_else(nowhere)?;
    Ok((reference, format!("{} {}", at.role, crate::script::quoted(&at.name))))
}

fn twice(host: &mut Host, tree: &Tree, key: &str, other: &str, node: u32) -> Result<Error> {
    let (reference, was) = told(host, tree, node)?;
    Ok(Error::ArgsValue {
        function: "fill".into(),
        parameter: key.to_owned(),
        found: format!("a second key for {was} `{reference}`, which {} names too", crate::script::quoted(other)),
        expected: "one key for each field".into(),
    })
}
