//! Which live elements are near to one that is gone or was never there, best first, each with the reason.

use super::find::{Query, search};
use super::meaning::{Meaning, Same};
use super::meanings::Meanings;
use super::tree::{Hidden, Node, Rect, Tree};
use crate::error::Nearest;

/// Characters of a name that similarity looks at.
const COMPARED: usize = 120;

/// How alike names must be to be called similar, from 0 to 1.
pub(super) const SIMILAR: f64 = 0.6;

/// Pixels within which elements stand near each other.
const NEAR: f64 = 250.0;

/// What is known of the element that is not there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    pub role: Option<String>,
    pub name: Option<String>,
    /// As [`Tree::path`] gave it.
    pub path: Vec<String>,
    pub rect: Option<Rect>,
    /// Index of its frame in the tree of now.
    pub frame: Option<u32>,
    pub meaning: Option<Meaning>,
}

/// A live element and why it is near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub node: u32,
    pub why: String,
    /// Same role and name at the same place: most likely what replaced it.
    pub is_twin: bool,
}

/// Returns the candidates as messages name them; those without a ref are left out.
pub fn offered(tree: &Tree, candidates: &[Candidate]) -> Vec<Nearest> {
    let offer = |candidate: &Candidate| Some(Nearest { why: candidate.why.clone(), ..describe(tree, candidate.node)? });
    candidates.iter().filter_map(offer).collect()
}

/// Returns what a locator that finds nothing may have meant, best first.
pub fn like(tree: &Tree, query: &Query, most: usize) -> Vec<Nearest> {
    let wanted = Wanted {
        role: query.role.clone(),
        name: query.name.clone().or_else(|| query.text.clone()),
        frame: query.frame,
        ..Wanted::default()
    };
    let end = |at: u32| tree.get(at).map_or(at, |node| node.end);
    let is_there = |node: u32| {
        query.within.is_none_or(|around| around < node && node < end(around))
            && query.frame.is_none_or(|frame| tree.get(node).is_some_and(|node| node.frame == frame))
    };
    let mut ranked = rank(tree, &wanted, if query.within.or(query.frame).is_some() { tree.nodes.len() } else { most });
    ranked.retain(|candidate| is_there(candidate.node));
    ranked.truncate(most);
    offered(tree, &ranked)
}

/// Returns the first element with exactly the role and name that is left out of the tree since nobody can see it.
pub fn unseen(tree: &Tree, query: &Query) -> Option<u32> {
    let role = match &query.role {
        Some(word) => Some(super::find::role(word)?),
        None => None,
    };
    let name = super::snapshot::folded(query.name.as_deref()?);
    let range = query.within.map_or(0..u32::MAX, |root| root + 1..tree.get(root).map_or(0, |node| node.end));
    let is_meant = |node: &Node| {
        node.hidden.is_some_and(Hidden::is_left_out)
            && !node.is_text
            && role.map_or(node.role != "generic", |role| role == node.role)
            && node.name == name
            && query.frame.is_none_or(|frame| frame == node.frame)
    };
    (0_u32..).zip(&tree.nodes).find(|(at, node)| range.contains(at) && is_meant(node)).map(|(at, _)| at)
}

/// Characters of a name in a message, which is no place for a whole paragraph.
const LONGEST: usize = 120;

/// Returns what lies over an element, and what messages call it: the nearest listed element around the one that
/// was hit. Where that one is around the covered element too, the box that was hit is named by its text; a piece
/// of a box gives way to the box that has something to click, such as the button that closes it.
pub fn coverer(tree: &Tree, hit: u32, covered: Option<u32>) -> (u32, String) {
    let name = |at: u32| tree.get(at).map(|node| node.name.chars().take(LONGEST).collect()).unwrap_or_default();
    let is_around = |at: u32| covered.is_some_and(|node| at <= node && tree.get(at).is_some_and(|at| node < at.end));
    let is_listed = |at: &u32| tree.get(*at).is_some_and(|node| node.listed);
    let way_up = || std::iter::once(hit).chain(tree.ancestors(hit));
    let apart = || way_up().take_while(|&at| !is_around(at));
    // What was hit may be around the covered element itself, which a box of its own cuts off.
    let listed = if is_around(hit) { way_up().find(is_listed) } else { apart().find(is_listed) };
    if let Some(at) = listed {
        return (at, name(at));
    }
    let has_use = |at: &u32| tree.subtree(*at).iter().any(|node| node.interactive);
    let at = apart().find(has_use).unwrap_or(hit);
    let text = super::text::text_around(tree, at, at + 1..at + 1, LONGEST * 4);
    (at, text.chars().take(LONGEST).collect())
}

/// Returns an element as messages name it; `None` without a ref.
pub fn describe(tree: &Tree, at: u32) -> Option<Nearest> {
    let node = tree.get(at)?;
    Some(Nearest {
        reference: node.reference?,
        role: node.role.to_owned(),
        name: node.name.chars().take(LONGEST).collect(),
        why: String::new(),
    })
}

/// Returns elements of the wanted role that do not have the wanted name, but hold it as text: rows and messages have
/// texts and no names.
pub fn holding(tree: &Tree, query: &Query) -> Vec<Nearest> {
    /// More would hardly be what was meant.
    const MOST: usize = 2;
    let (Some(role), Some(name), None) = (&query.role, &query.name, &query.text) else { return Vec::new() };
    let by_text = Query { name: None, text: Some(name.clone()), exact: false, ..query.clone() };
    // Where more was given, the rest of it stays.
    let how = match query.within.or(query.frame) {
        None => format!("`find(#{{role: \"{role}\", text: {}}})`", crate::script::quoted(name)),
        Some(_) => "write `text` in place of `name`".to_owned(),
    };
    let held = search(tree, &by_text);
    let offer = |&at: &u32| Some(Nearest { why: format!("holds it as text: {how}"), ..describe(tree, at)? });
    held.iter().filter_map(offer).take(MOST).collect()
}

/// Returns elements that a locator could not tell apart, each with the row and the frame that it stands in.
pub fn told_apart(tree: &Tree, several: &[u32]) -> Vec<Nearest> {
    let told = |(&at, row): (&u32, Option<String>)| {
        let frame =
            tree.get(at).and_then(|node| tree.frames.get(node.frame as usize)).filter(|frame| frame.parent.is_some());
        let frame = frame.map(|frame| format!("in {}", frame.label));
        let why = row.into_iter().chain(frame).collect::<Vec<String>>().join(", ");
        Some(Nearest { why, ..describe(tree, at)? })
    };
    several.iter().zip(rows(tree, several)).filter_map(told).collect()
}

/// Says for each element in which row it stands, or what the row that it is holds.
pub fn rows(tree: &Tree, several: &[u32]) -> Vec<Option<String>> {
    let meanings = Meanings::new(tree);
    several.iter().map(|&at| row_words(&meanings.of(at)?)).collect()
}

/// Says in which row an element stands, or what the row that it is holds; `None` without a text to tell.
fn row_words(meaning: &Meaning) -> Option<String> {
    /// Characters of a row's text that are shown.
    const ROW: usize = 60;
    let short: String = meaning.row_text().chars().take(ROW).collect();
    let relation = if meaning.is_row() { "with" } else { "in" };
    (!short.is_empty()).then(|| format!("{relation} {}", crate::script::quoted(&short)))
}

/// What speaks for one element.
struct Score {
    node: u32,
    total: f64,
    same_role: bool,
    same_name: bool,
    similar_name: bool,
    same_place: bool,
    near: bool,
    /// Means what was meant, the row included.
    same_row: bool,
}

/// Returns at most `most` elements, nearest first. A replacement with the same role and name at the same place
/// is always first. Elements with nothing in common are left out.
pub fn rank(tree: &Tree, wanted: &Wanted, most: usize) -> Vec<Candidate> {
    let role = wanted.role.as_deref().map(|word| super::find::role(word).unwrap_or(word));
    let meanings = Meanings::new(tree);
    let is_meant = |meaning: &Meaning, at: u32| {
        meaning.context.is_some() && meanings.again(at, meaning).is_some_and(|now| meaning.same(&now) == Same::Equal)
    };
    let mut scores: Vec<Score> = (0_u32..)
        .zip(&tree.nodes)
        .filter(|(_, node)| node.listed && !node.is_text && !node.hidden.is_some_and(Hidden::is_left_out))
        .map(|(at, node)| score(wanted, role, at, node))
        .map(|mut score| {
            score.same_row =
                score.same_role && wanted.meaning.as_ref().is_some_and(|meaning| is_meant(meaning, score.node));
            score.total += if score.same_row { 100.0 } else { 0.0 };
            score
        })
        .filter(|score| score.total > 25.0)
        .collect();
    // The way down is compared for the best only, since it costs a walk up.
    scores.sort_by(|left, right| right.total.total_cmp(&left.total).then(left.node.cmp(&right.node)));
    scores.truncate(most.saturating_mul(8).max(40));
    for score in &mut scores {
        let likeness = path_likeness(&wanted.path, &tree.path(score.node));
        score.same_place = !wanted.path.is_empty() && likeness >= 1.0;
        score.total += 15.0 * likeness;
        if score.same_place && score.same_role && score.same_name {
            score.total += 50.0;
        }
    }
    scores.sort_by(|left, right| right.total.total_cmp(&left.total).then(left.node.cmp(&right.node)));
    scores.truncate(most);
    // Where a name does not tell an element from others, its row does.
    let row = |at: u32| meanings.of(at).filter(|meaning| !meaning.unique).and_then(|meaning| row_words(&meaning));
    let candidate = |score: &Score| Candidate {
        node: score.node,
        why: std::iter::once(reason(score)).chain(row(score.node)).collect::<Vec<String>>().join(", "),
        is_twin: score.same_row || score.same_place && score.same_role && score.same_name,
    };
    scores.iter().map(candidate).collect()
}

fn score(wanted: &Wanted, role: Option<&str>, at: u32, node: &Node) -> Score {
    let same_role = role == Some(node.role);
    let likeness = wanted.name.as_deref().map_or(0.0, |name| name_likeness(name, &node.name));
    let distance = match (wanted.rect, node.rect) {
        (Some(one), Some(other)) => {
            let ((x, y), (u, v)) = (one.centre(), other.centre());
            Some(((x - u).powi(2) + (y - v).powi(2)).sqrt())
        }
        _ => None,
    };
    let near = distance.is_some_and(|distance| distance < NEAR);
    let named = wanted.name.as_deref().is_some_and(|name| !name.is_empty());
    let same_name = named && likeness >= 1.0;
    let similar_name = named && likeness >= SIMILAR;
    let mut total = 0.0;
    if same_role {
        total += 20.0;
    } else if let Some(role) = role
        && is_kin(role, node.role)
    {
        total += 10.0;
    }
    if similar_name {
        total += 50.0 * likeness;
    }
    total += distance.map_or(0.0, |distance| 15.0 * (1.0 - distance / NEAR).max(0.0));
    let same_frame = wanted.frame.is_none_or(|frame| frame == node.frame);
    total += if same_frame { 5.0 } else { 0.0 };
    total += if node.interactive { 2.0 } else { 0.0 };
    Score { node: at, total, same_role, same_name, similar_name, same_place: false, near, same_row: false }
}

/// Returns how alike two names are, from 0 to 1.
pub(super) fn name_likeness(wanted: &str, name: &str) -> f64 {
    if wanted == name {
        return 1.0;
    }
    if wanted.is_empty() || name.is_empty() {
        return 0.0;
    }
    let small = |text: &str| text.chars().take(COMPARED).collect::<String>().to_lowercase();
    let (wanted, name) = (small(wanted), small(name));
    let edited = strsim::normalized_damerau_levenshtein(&wanted, &name);
    let inside = if name.contains(&wanted) || wanted.contains(&name) { 0.75 } else { 0.0 };
    // Less than 1 is left for names that differ in case only.
    edited.max(inside).min(0.98)
}

fn is_kin(one: &str, other: &str) -> bool {
    const KINDS: [&[&str]; 4] = [
        &["button", "link", "menuitem", "tab", "generic", "summary", "switch"],
        &["textbox", "searchbox", "combobox", "spinbutton", "date", "timefield", "datetime"],
        &["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"],
        &["option", "listitem", "row", "treeitem", "menuitem"],
    ];
    KINDS.iter().any(|kind| kind.contains(&one) && kind.contains(&other))
}

/// Returns the share of the longer path that both have in common, from its start and its end.
fn path_likeness(one: &[String], other: &[String]) -> f64 {
    let longest = one.len().max(other.len());
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let common =
        |pairs: &mut dyn Iterator<Item = (&String, &String)>| pairs.take_while(|(left, right)| left == right).count();
    let start = common(&mut one.iter().zip(other));
    let end = common(&mut one.iter().rev().zip(other.iter().rev()));
    let shared = (start + end).min(one.len()).min(other.len());
    f64::from(u32::try_from(shared).unwrap_or(u32::MAX)) / f64::from(u32::try_from(longest).unwrap_or(u32::MAX))
}

fn reason(score: &Score) -> String {
    if score.same_row {
        return if score.same_name { "same role and name, same row" } else { "the same texts" }.to_owned();
    }
    let what = match (score.same_role, score.same_name, score.similar_name) {
        (true, true, _) => "same role and name",
        (false, true, _) => "same name",
        (true, false, true) => "same role, similar name",
        (false, false, true) => "similar name",
        (true, false, false) => "same role",
        (false, false, false) => "similar role",
    };
    match (score.same_place, score.near) {
        (true, _) => format!("{what}, same place"),
        (false, true) => format!("{what}, near where it was"),
        (false, false) => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    fn wanted(role: &str, name: &str) -> Wanted {
        Wanted { role: Some(role.to_owned()), name: Some(name.to_owned()), ..Wanted::default() }
    }

    fn ranked(html: &str, wanted: &Wanted) -> Vec<(String, String)> {
        let tree = testing::tree(html);
        let line =
            |candidate: &Candidate| tree.get(candidate.node).map(crate::page::lines::line_of).unwrap_or_default();
        rank(&tree, wanted, 5).iter().map(|candidate| (line(candidate), candidate.why.clone())).collect()
    }

    #[test]
    fn a_replacement_at_the_same_place_is_first() {
        let html = "<nav><button>Save</button></nav><main><button>Save</button></main>";
        let path = vec!["main ".to_owned(), "button Save".to_owned()];
        let tree = testing::tree(html);
        let found = rank(&tree, &Wanted { path, ..wanted("button", "Save") }, 5);
        let parent = tree.get(tree.get(found[0].node).unwrap().parent.unwrap()).unwrap();
        assert_eq!((parent.role, found[0].is_twin, found[1].is_twin), ("main", true, false));
    }

    #[test]
    fn names_count_more_than_roles() {
        let html = "<button>Cancel</button><a href=\"x\">Save draft</a><button>Save drafts</button><p>Save draft</p>";
        let found = ranked(html, &wanted("button", "Save draft"));
        assert_eq!(found[0].0, "button \"Save drafts\"");
        assert_eq!(found[1].0, "link \"Save draft\" href=\"x\"");
        assert_eq!(found[0].1, "same role, similar name");
    }

    #[test]
    fn what_lies_over_an_element_is_never_the_box_around_both() {
        let html = r#"<main><h1>Shop</h1><div id="cover">Cookie <p>banner</p><button>OK</button></div><button>Buy</button><em>Old</em></main>"#;
        let tree = testing::tree(html);
        let at = |tag: &str| u32::try_from(tree.nodes.iter().position(|node| node.tag == tag).unwrap()).unwrap();
        let buy = u32::try_from(tree.nodes.iter().rposition(|node| node.tag == "button").unwrap()).unwrap();
        let over = |hit: u32| coverer(&tree, hit, Some(buy));
        assert_eq!(over(at("div")), (at("div"), "Cookie banner OK".to_owned()));
        assert_eq!(over(at("p")), (at("div"), "Cookie banner OK".to_owned()), "a piece of the banner");
        assert_eq!(over(at("button")), (at("button"), "OK".to_owned()));
        assert_eq!(over(at("em")), (at("em"), "Old".to_owned()));
        assert_eq!(over(at("main")), (at("main"), String::new()), "its own box cuts it off");
        assert_eq!(coverer(&tree, at("div"), None), (at("main"), String::new()));
    }

    #[test]
    fn an_element_that_is_there_unseen_is_known() {
        let tree = testing::tree("<button>Save all</button><div style=\"display:none\"><button>Save</button></div>");
        let query = |role: Option<&str>, name: &str| Query {
            role: role.map(str::to_owned),
            name: Some(name.to_owned()),
            ..Query::default()
        };
        let found = unseen(&tree, &query(Some("button"), "Save")).and_then(|at| tree.get(at));
        assert_eq!(found.and_then(|node| node.hidden), Some(Hidden::Display));
        assert!(unseen(&tree, &query(None, "Save")).is_some());
        assert_eq!(unseen(&tree, &query(Some("link"), "Save")), None);
        assert_eq!(unseen(&tree, &query(Some("button"), "Save all")), None, "people see it");
    }

    #[test]
    fn what_has_nothing_in_common_is_left_out() {
        assert_eq!(ranked("<h1>Shop</h1><input aria-label=\"Query\">", &wanted("button", "Save")), []);
    }
}
