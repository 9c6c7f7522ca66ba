//! What an element means to a person: its role and name, and where these are not unique in the frame, the text of
//! its row or list item.

use std::collections::HashMap;
use std::fmt;

use super::text;
use super::tree::Tree;
use crate::script::quoted;

/// The meaning of an element at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    pub role: &'static str,
    pub name: String,
    /// The text of the row or list item around it, where role and name are not unique in the frame.
    pub context: Option<String>,
}

/// How two meanings compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Same {
    Equal,
    /// Only digits of the name differ, as in a counter.
    OnlyDigits,
    Different,
}

/// The containers whose text tells equal controls apart.
const ROWS: [&str; 4] = ["row", "listitem", "treeitem", "article"];

/// The most of a row's text that is compared, in characters.
const LONGEST_CONTEXT: usize = 400;

impl Meaning {
    /// Compares with what the element means now. The text of a row is compared to the letter: rows often differ in
    /// a number only, and a recycled row must not pass for the old one.
    pub fn same(&self, now: &Self) -> Same {
        if self.role != now.role {
            return Same::Different;
        }
        if let (Some(before), Some(now)) = (&self.context, &now.context)
            && before != now
        {
            return Same::Different;
        }
        if self.name == now.name {
            Same::Equal
        } else if without_digits(&self.name).eq(without_digits(&now.name)) {
            Same::OnlyDigits
        } else {
            Same::Different
        }
    }

    /// Returns role and name as a step of a path.
    pub fn to_path(&self) -> String {
        format!("{} {}", self.role, self.name)
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.role, quoted(&short(&self.name)))?;
        match &self.context {
            Some(context) => write!(formatter, " in {}", quoted(&short(context))),
            None => Ok(()),
        }
    }
}

/// Cuts a long text for a message.
fn short(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// Leaves out digits and what stands between them in a number.
fn without_digits(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|character| !character.is_ascii_digit() && !matches!(character, '.' | ','))
}

/// The meanings of one tree, with what makes them unique counted once.
#[derive(Debug)]
pub struct Meanings<'a> {
    tree: &'a Tree,
    counts: HashMap<(u32, &'static str, &'a str), u32>,
}

impl<'a> Meanings<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        let mut counts = HashMap::new();
        for node in tree.nodes.iter().filter(|node| node.listed && !node.is_text) {
            *counts.entry((node.frame, node.role, node.name.as_str())).or_default() += 1;
        }
        Self { tree, counts }
    }

    /// Returns what the element at `index` means.
    pub fn of(&self, index: u32) -> Meaning {
        let Some(node) = self.tree.get(index) else {
            return Meaning { role: "none", name: String::new(), context: None };
        };
        let unique = self.counts.get(&(node.frame, node.role, node.name.as_str())).is_none_or(|&count| count < 2);
        let context = if unique { None } else { self.context(index) };
        Meaning { role: node.role, name: node.name.clone(), context }
    }

    fn context(&self, index: u32) -> Option<String> {
        let row = self.tree.ancestors(index).find(|&at| self.tree.get(at).is_some_and(|node| ROWS.contains(&node.role)))?;
        let text = text::visible(self.tree, Some(row));
        Some(text.chars().take(LONGEST_CONTEXT).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Meaning, Same};

    fn meaning(name: &str, context: Option<&str>) -> Meaning {
        Meaning { role: "button", name: name.into(), context: context.map(str::to_owned) }
    }

    #[test]
    fn counters_may_change_and_rows_may_not() {
        let same = |a: &Meaning, b: &Meaning| a.same(b);
        assert_eq!(same(&meaning("Add (0)", None), &meaning("Add (13)", None)), Same::OnlyDigits);
        assert_eq!(same(&meaning("Total 9", None), &meaning("Total 1,204.50", None)), Same::OnlyDigits);
        assert_eq!(same(&meaning("Cancel", None), &meaning("Delete", None)), Same::Different);
        assert_eq!(same(&meaning("Delete", Some("INV-3")), &meaning("Delete", Some("INV-5"))), Same::Different);
        assert_eq!(same(&meaning("Delete", Some("INV-3")), &meaning("Delete", None)), Same::Equal);
        let link = Meaning { role: "link", ..meaning("Cancel", None) };
        assert_eq!(same(&meaning("Cancel", None), &link), Same::Different);
    }
}
