//! The towns that the shop delivers to, and the search in them.

use icu_normalizer::DecomposingNormalizerBorrowed;
use serde_json::{Value, json};

/// A town, its postcode and its country in each line.
const TOWNS: &str = include_str!("towns.txt");

/// How many towns are offered at once.
const OFFERED: usize = 6;

/// Returns the towns whose names begin with `text`, in the order of the list. Case and accents don't matter.
pub(super) fn beginning_with(text: &str) -> Value {
    let start = plain(text.trim());
    let towns = TOWNS.lines().filter_map(|line| {
        let mut parts = line.split('|');
        let (town, code, country) = (parts.next()?, parts.next()?, parts.next()?);
        plain(town).starts_with(&start).then(|| json!({ "town": town, "code": code, "country": country }))
    });
    towns.take(OFFERED).collect()
}

/// Returns a text in lower case and without accents.
fn plain(text: &str) -> String {
    let marks = '\u{300}'..='\u{36f}';
    let apart = DecomposingNormalizerBorrowed::new_nfd().normalize(text).to_lowercase();
    apart.chars().filter(|letter| !marks.contains(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let found = beginning_with(text);
        found.as_array().into_iter().flatten().filter_map(|one| Some(one["town"].as_str()?.to_owned())).collect()
    }

    #[test]
    fn every_line_is_a_town_of_a_country() {
        for line in TOWNS.lines() {
            assert_eq!(line.split('|').filter(|part| !part.is_empty()).count(), 3, "{line}");
        }
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        assert_eq!(names("LY"), ["Lyngby", "Lyon"]);
        assert_eq!(names("liege"), ["Liège"]);
        assert_eq!(names(" É"), names("e"));
        assert_eq!(names("nowhere"), Vec::<String>::new());
    }

    #[test]
    fn a_short_list_is_offered() {
        assert_eq!(names("").len(), OFFERED);
    }
}
