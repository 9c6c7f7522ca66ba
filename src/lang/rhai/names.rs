//! Every function that a script can call without defining it, and which one a wrong name may have meant.

use std::collections::BTreeMap;

use rhai::Engine;

use super::elsewhere::{self, Meant};
use super::{bind, value};
use crate::host::function::parameters;
use crate::host::table;
use crate::lang::IN_WORKER;
use crate::lang::fault::Fault;

/// A function by its numbers of arguments and how it is called.
#[derive(Debug, Default, Clone)]
pub struct Known {
    pub counts: Vec<usize>,
    pub takes: Vec<String>,
    /// Whether it is one of ours rather than Rhai's.
    pub is_ours: bool,
}

/// All functions by name.
#[derive(Debug)]
pub struct Names(BTreeMap<String, Known>);

/// Functions of the engine itself with one clear form. Its lists name others too, for each type of value.
const OF_ENGINE: &[&str] = &["print(value)", "debug(value)", "type_of(value)"];

/// Functions that the engine itself knows and that no list names: name, fewest and most arguments.
const KEYWORDS: &[(&str, usize, usize)] =
    &[("call", 1, 99), ("curry", 1, 99), ("Fn", 1, 1), ("is_def_fn", 2, 3), ("is_def_var", 1, 1), ("is_shared", 1, 1)];

/// Methods of a tree with the rows behind them.
const OF_TREE: &[(&str, &str)] =
    &[("find", "tree_find"), ("find_all", "tree_find_all"), ("get", "tree_get"), ("diff", "tree_diff")];

impl Names {
    /// Collects the functions of an engine, of the host and of the worker.
    pub fn of(engine: &Engine) -> Self {
        let mut names = BTreeMap::<String, Known>::new();
        let mut add = |name: &str, counts: std::ops::RangeInclusive<usize>, takes: Vec<String>, is_ours: bool| {
            let known = names.entry(name.to_owned()).or_default();
            known.counts.extend(counts);
            if is_ours && !known.is_ours {
                known.takes.clear();
            }
            if is_ours || !known.is_ours {
                known.takes.extend(takes);
            }
            known.is_ours |= is_ours;
        };
        for row in bind::callable() {
            let takes = row.signatures.iter().map(|signature| (*signature).to_owned()).collect();
            add(row.name, row.arity.0..=row.arity.1, takes, true);
        }
        for function in IN_WORKER {
            let count = parameters(function.signature).len();
            add(function.name, count..=count, vec![function.signature.to_owned()], true);
        }
        for takes in OF_ENGINE {
            let name = takes.split('(').next().unwrap_or(takes);
            add(name, 1..=1, vec![(*takes).to_owned()], true);
        }
        for (name, least, most) in KEYWORDS {
            add(name, *least..=*most, Vec::new(), false);
        }
        for (name, row) in OF_TREE {
            if let Some(row) = table::function(row) {
                let takes = row.signatures.iter().map(|signature| (*signature).to_owned()).collect();
                add(name, row.arity.0..=row.arity.1, takes, false);
            }
        }
        let ours: Vec<String> = names.iter().filter(|(_, known)| known.is_ours).map(|(name, _)| name.clone()).collect();
        let list = engine.collect_fn_metadata(
            None,
            |info| {
                let metadata = info.metadata;
                let parameters = metadata.params_info.iter().map(|parameter| plain_parameter(parameter));
                let takes = format!("{}({})", metadata.name, parameters.collect::<Vec<_>>().join(", "));
                Some((metadata.name.to_string(), metadata.num_params, takes))
            },
            true,
        );
        // Names with a `$` are getters and the like, which no script can call.
        for (name, count, takes) in list.into_iter().filter(|(name, ..)| !name.contains('$')) {
            // Those of a tree are known by the forms of their rows.
            if takes.starts_with(&format!("{name}(tree")) {
                continue;
            }
            if !ours.contains(&name) {
                let known = names.entry(name).or_default();
                known.counts.push(count);
                known.takes.push(takes);
            } else if let Some(known) = names.get_mut(&name)
                && !known.takes.is_empty()
            {
                // A row is registered for one argument too many, to be refused by the host: that is no way to
                // call it. Rhai's own functions of the same name are told apart by their typed parameters.
                if !takes.contains("any") && takes.contains(": ") && count > 1 {
                    known.counts.push(count);
                }
            }
        }
        Self(names)
    }

    pub fn get(&self, name: &str) -> Option<&Known> {
        self.0.get(name)
    }

    /// Returns how a function is called: the usual form of one of ours, the only form of another.
    pub fn form(&self, name: &str) -> Option<String> {
        let known = self.get(name)?;
        let form = known.takes.first().filter(|_| known.is_ours || known.takes.len() == 1)?;
        Some(if known.is_ours { form.clone() } else { as_method(form) })
    }

    /// Returns whether a tree has a method of this name.
    pub fn is_of_tree(name: &str) -> bool {
        OF_TREE.iter().any(|(known, _)| *known == name)
    }

    /// Returns the fault for a name that no function has, called with so many arguments; `own` are the script's
    /// functions. Of two names that are equally near, the one counts that `fits` the arguments.
    pub fn unknown(&self, wrong: &str, count: usize, own: &[&str], fits: impl Fn(&str) -> bool) -> Fault {
        // A slip in the name of an own function counts before what other tools call so.
        let is_own = |near: &String| own.contains(&near.as_str());
        let takes_it = |name: &str| self.get(name).is_none_or(|known| known.counts.contains(&count)) && fits(name);
        let near = self.nearest(wrong, own, takes_it);
        let (suggestion, hint) = match elsewhere::meant(wrong) {
            _ if near.as_ref().is_some_and(is_own) => (near, None),
            Some(Meant::Named(name)) => (Some(name.to_owned()), None),
            Some(Meant::Told(hint)) => (None, Some(hint)),
            None => (near, None),
        };
        let takes = suggestion.as_deref().and_then(|name| self.form(name));
        Fault::UnknownFunction { function: wrong.to_owned(), suggestion, takes, hint }
    }

    /// Returns the known name that is written most like a wrong one.
    fn nearest(&self, wrong: &str, own: &[&str], fits: impl Fn(&str) -> bool) -> Option<String> {
        let length = wrong.chars().count();
        let lower = wrong.to_lowercase();
        let own = own.iter().map(|name| (*name, 0));
        let all = self.0.iter().map(|(name, known)| (name.as_str(), usize::from(!known.is_ours)));
        let is_word = |name: &str| name.starts_with(|first: char| first.is_alphabetic());
        let ranked = own.chain(all).filter(|(name, _)| is_word(name)).filter_map(|(name, handicap)| {
            let distance = strsim::damerau_levenshtein(&lower, &name.to_lowercase());
            // A short name is near to many; ours are more likely meant.
            let limit = if length >= 6 || (length >= 4 && handicap == 0) { 2 } else { 1 };
            (distance <= limit).then(|| (distance * 2 + handicap, !fits(name), name))
        });
        ranked.min().map(|(.., name)| name.to_owned())
    }
}

/// Turns `push(array: array, item: any)` of Rhai into `array.push(any)`; the forms of ours stay.
fn as_method(form: &str) -> String {
    let whole = || form.to_owned();
    let Some((name, inside)) = form.split_once('(') else { return whole() };
    let kinds = inside.trim_end_matches(')').split(", ").map(|part| part.rsplit(": ").next().unwrap_or(part));
    match kinds.collect::<Vec<_>>().split_first() {
        Some((receiver, rest)) if !receiver.is_empty() && !name.contains('.') => {
            format!("{receiver}.{name}({})", rest.join(", "))
        }
        _ => whole(),
    }
}

/// Turns `list: &mut Array` into `list: array`.
fn plain_parameter(parameter: &str) -> String {
    match parameter.split_once(':') {
        Some((name, kind)) => {
            let kind = value::plain_type(kind).to_lowercase();
            let name = name.trim();
            if name == "_" { kind } else { format!("{name}: {kind}") }
        }
        None => parameter.to_owned(),
    }
}
