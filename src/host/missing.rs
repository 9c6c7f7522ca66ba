//! What an error tells when a locator matches nothing: where it looked, what matches elsewhere, which fields are called
//! like that, and what else may have been meant.

use super::Host;
use super::reading::Locator;
use crate::error::{Error, Nearest};
use crate::page::fields::{Field, Fields, Kind};
use crate::page::find::{Query, role, search};
use crate::page::nearest::{describe, rows, told_apart};
use crate::page::tree::{Tree, TreeFrame};
use crate::script::quoted;

/// How many elements an error offers.
const OFFERED: usize = 5;

/// Characters of an address that are told.
const LONGEST: usize = 100;

impl Locator {
    /// Returns `find::none` for a tree in which nothing matches.
    pub(super) fn none(&self, host: &mut Host, tree: &Tree, waited_ms: u64) -> Error {
        let without_nth = self.scoped(host, tree).ok().flatten().map(|query| search(tree, &query)).unwrap_or_default();
        let (nearest, elsewhere) = self.meant(host, tree);
        let (nearest, matches) = match self.nth {
            Some(_) if !without_nth.is_empty() => (told_apart(tree, &without_nth), without_nth.len()),
            _ => (nearest, 0),
        };
        Error::FindNone {
            wanted: self.named(),
            looked: self.looked(host, tree),
            waited_ms,
            role: self.role_word().map(str::to_owned),
            nth: self.nth.filter(|_| matches > 0),
            matches,
            elsewhere: elsewhere && matches == 0,
            nearest,
        }
    }

    /// Returns what may have been meant, best first, and whether it is a match that stands elsewhere.
    pub(super) fn meant(&self, host: &mut Host, tree: &Tree) -> (Vec<Nearest>, bool) {
        let elsewhere = self.elsewhere(tree);
        if !elsewhere.is_empty() {
            return (elsewhere, true);
        }
        let query = self.scoped(host, tree).ok().flatten().unwrap_or_else(|| self.query.clone());
        let mut nearest = fields(host, tree, &query);
        let mut like = host.page.nearest_to(tree, &query, OFFERED);
        if like.is_empty() {
            like = host.page.nearest_to(tree, &self.query, OFFERED);
        }
        for near in like {
            if nearest.len() < OFFERED && nearest.iter().all(|known| known.reference != near.reference) {
                nearest.push(near);
            }
        }
        (nearest, false)
    }

    /// Returns what matches outside of the frame or container in which it looked.
    fn elsewhere(&self, tree: &Tree) -> Vec<Nearest> {
        if self.frame.is_none() && self.within.is_none() {
            return Vec::new();
        }
        let mut found = search(tree, &self.query);
        found.truncate(OFFERED);
        let outside = |node: u32| match &self.within {
            Some(within) => format!("outside of `{within}`"),
            None => {
                let frame = tree.get(node).and_then(|node| tree.frames.get(node.frame as usize));
                frame.map(|frame| format!("in {}", frame.label)).unwrap_or_default()
            }
        };
        // In a frame that is named already the frame is no news.
        let offer = |(&node, row): (&u32, Option<String>)| {
            let why = std::iter::once(outside(node)).chain(row).collect::<Vec<String>>().join(", ");
            Some(Nearest { why, ..describe(tree, node)? })
        };
        found.iter().zip(rows(tree, &found)).filter_map(offer).collect()
    }

    /// Says where it looked, such as `on "http://shop.test/cart"` or `within list "Cart" ref_7`.
    pub(super) fn looked(&self, host: &Host, tree: &Tree) -> String {
        let address = |frame: &TreeFrame| {
            let short: String = frame.url.chars().take(LONGEST).collect();
            quoted(&short)
        };
        if let Some(within) = &self.within {
            let was = host.page.known(within).map(|(_, entry)| format!("{} ", entry.meaning.line()));
            return format!("within {}`{within}`", was.unwrap_or_default());
        }
        if let Some(id) = &self.frame {
            let frame = tree.frame_of(id).and_then(|at| tree.frames.get(at as usize));
            return match frame {
                Some(frame) => format!("in {} ({})", frame.label, address(frame)),
                None => "in this frame, which is gone,".into(),
            };
        }
        let page = tree.frames.first().map(address).unwrap_or_default();
        // The only tab needs no name.
        match host.page.tab() {
            Ok(tab) if !host.page.other_tabs().is_empty() => format!("in `{}` ({page})", tab.label),
            _ => format!("on {page}"),
        }
    }
}

/// Returns the fields that `fill(#{…})` would take for those of this name: by the words beside them, or by a label that
/// alone shows them.
fn fields(host: &mut Host, tree: &Tree, query: &Query) -> Vec<Nearest> {
    let Some(name) = query.name.as_deref().filter(|_| query.text.is_none()) else { return Vec::new() };
    let end = |at: u32| tree.get(at).map_or(at, |node| node.end);
    let fields = Fields::new(tree)
        .only(|at, _| query.within.is_none_or(|around| around < at && at < end(around)))
        .only(|_, node| query.frame.is_none_or(|frame| frame == node.frame));
    let role = query.role.as_deref().and_then(role);
    let named = fields.named(name);
    let named = named.into_iter().filter_map(|index| fields.all.get(index));
    let named: Vec<&Field> = named.filter(|field| role.is_none_or(|role| is_of_role(field.kind, role))).collect();
    let mut offered = Vec::new();
    for field in named.into_iter().take(OFFERED) {
        let Some(node) = tree.get(field.node) else { continue };
        // One with the name as its own would have matched, or is told with the reason why it did not.
        let why = match node.hidden.filter(|hidden| hidden.is_left_out()) {
            Some(hidden) => format!("hidden: {}; `check` presses its label", hidden.reason()),
            None => fields.source(field, "a field of this name"),
        };
        if let Some(reference) = host.page.mint_at(tree, field.node) {
            offered.push(Nearest { reference, role: node.role.to_owned(), name: node.name.clone(), why });
        }
    }
    offered
}

fn is_of_role(kind: Kind, role: &str) -> bool {
    match kind {
        Kind::Text => matches!(role, "textbox" | "searchbox" | "combobox" | "spinbutton" | "slider"),
        Kind::List => matches!(role, "combobox" | "listbox"),
        Kind::Tick => matches!(role, "checkbox" | "switch" | "menuitemcheckbox"),
        Kind::Radio => matches!(role, "radio" | "menuitemradio"),
        Kind::Group => matches!(role, "radiogroup" | "group"),
    }
}
