//! What an element means to a script: role and name, and where these do not tell it from others, the row it stands in
//! or, for a row, what it holds.

use std::borrow::Cow;

use super::item;

/// Characters of a row's text that an error shows.
const SHOWN: usize = 120;

/// What an element meant at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    pub role: &'static str,
    pub name: String,
    pub context: Option<Context>,
    /// Whether role and name were those of one element of the frame only.
    pub unique: bool,
    pub digits: Digits,
}

/// What digits in a name stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Digits {
    /// A counter: no other element of the frame has such a name.
    Count,
    /// A counter where the row around is the same: `Votes 3` in the row of Ann.
    CountInRow,
    /// Its identity: `Lot 7` among other lots, with no row around that no other of them has.
    Identify,
}

/// The row that an element stands in or is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The text of the row without the element's own; for a row its pieces, as `item::joined` puts them together.
    pub text: String,
    /// The pieces that the rows beside it did not have when the meaning was taken.
    pub telling: Vec<String>,
    pub place: Place,
}

/// Where the row is, so that the same one is looked at again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The element itself is a row without a name.
    Itself,
    /// A row by its role, so many levels up; found again wherever boxes come and go in between.
    Row { height: usize },
    /// One of several boxes alike, so many levels up, 0 for the element itself, with the siblings before it that belong
    /// to it, such as the heading over a flat list of buttons.
    Box { height: usize, before: usize },
}

impl Context {
    /// Returns the text on one line.
    pub fn words(&self) -> Cow<'_, str> {
        match self.place {
            Place::Itself => item::spaced(&self.text).into(),
            Place::Row { .. } | Place::Box { .. } => self.text.as_str().into(),
        }
    }

    /// Returns whether `now` is the same row.
    fn is_still(&self, now: &Self) -> bool {
        match &self.place {
            Place::Itself => item::is_still(&self.telling, &now.text),
            Place::Row { .. } | Place::Box { .. } => self.text == now.text,
        }
    }
}

/// How a meaning compares with an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Same {
    Equal,
    /// Only digits in the name differ, as in `Cart (2)`.
    OnlyDigits,
    Different,
}

impl Meaning {
    /// Compares what an element means now with what it meant. The row counts where there was one, unless role and name
    /// were and are unique; digits count where they told it from others.
    pub fn same(&self, now: &Self) -> Same {
        let same_name = self.name == now.name;
        let digits = self.digits.max(now.digits);
        let is_counter = || digits != Digits::Identify && without_digits(&self.name) == without_digits(&now.name);
        if self.role != now.role || !(same_name || is_counter()) {
            return Same::Different;
        }
        let is_told_by_row = self.is_row() || !same_name && digits == Digits::CountInRow;
        let rows_count = is_told_by_row || !(self.unique && now.unique);
        if let Some(row) = self.context.as_ref().filter(|_| rows_count)
            && !now.context.as_ref().is_some_and(|now| row.is_still(now))
        {
            return Same::Different;
        }
        if same_name { Same::Equal } else { Same::OnlyDigits }
    }

    /// Returns whether it is a row that only its texts tell from other rows.
    pub fn is_row(&self) -> bool {
        matches!(self.context, Some(Context { place: Place::Itself, .. }))
    }

    /// Returns the text of the row around the element, or of the row that it is; empty without one.
    pub fn row_text(&self) -> Cow<'_, str> {
        self.context.as_ref().map(Context::words).unwrap_or_default()
    }

    /// Returns role and name as a step of a path.
    pub fn to_path(&self) -> String {
        format!("{} {}", self.role, self.name)
    }

    /// Returns role and name, and the row too where another meaning differs in nothing else.
    pub fn told_apart_from(&self, other: &Self) -> String {
        match &self.context {
            Some(row) if self.role == other.role && self.name == other.name => {
                let relation = if self.is_row() { "with" } else { "in" };
                format!(
                    "{} {relation} {}",
                    self.line(),
                    crate::script::quoted(&excerpt(&row.words(), &other.row_text()))
                )
            }
            _ => self.line(),
        }
    }

    /// Returns role and name as they stand on a line.
    pub fn line(&self) -> String {
        format!("{} {}", self.role, crate::script::quoted(&self.name))
    }
}

/// Returns the part of a text where it begins to differ from another one, if it is too long to be shown whole.
fn excerpt(text: &str, other: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= SHOWN {
        return text.to_owned();
    }
    let same = text.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
    let start = same.saturating_sub(SHOWN / 4).min(characters.len() - SHOWN);
    let part: String = characters.iter().skip(start).take(SHOWN).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if start + SHOWN < characters.len() { "…" } else { "" });
    format!("{before}{part}{after}")
}

/// Returns the text without counters in brackets, and with each other number as one mark.
pub(super) fn without_digits(text: &str) -> String {
    let marked = with_marks(text);
    let plain = ["(0)", "[0]"].iter().fold(marked, |text, counter| text.replace(counter, ""));
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Returns the text with each run of digits, with its separators, as a `0`.
fn with_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_numeric() {
            out.push(character);
            continue;
        }
        out.push('0');
        while let Some(&next) = characters.peek() {
            let mut ahead = characters.clone();
            ahead.next();
            let joins = matches!(next, '.' | ',' | '\'' | ':') && ahead.peek().is_some_and(|after| after.is_numeric());
            if !next.is_numeric() && !joins {
                break;
            }
            characters.next();
        }
    }
    out
}
