//! Whether a line tells the text below it, so that the text needs no line of its own.
//!
//! Invariant: text that people see is on some line of the tree. A name that came from an attribute, or passed over
//! a part of the content, does not tell what it leaves out.

/// Characters of a name that its line shows for sure.
const SHOWN: usize = 1000;

/// Returns whether a name tells a text. A sign without a letter or digit, such as a cross, needs no words.
pub(super) fn is_told(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let name = name.char_indices().nth(SHOWN).and_then(|(end, _)| name.get(..end)).unwrap_or(name);
    name.contains(text)
        || !text.chars().any(char::is_alphanumeric)
        || name.to_lowercase().contains(&text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_they_contain() {
        assert!(is_told("Save", "Save all"));
        assert!(is_told("close", "Close"));
        assert!(is_told("×", "Close"));
        assert!(!is_told("×", ""));
        assert!(!is_told("Kiwi", "Fruit"));
        assert!(!is_told("end", &format!("{}end", "x".repeat(SHOWN))));
    }
}
