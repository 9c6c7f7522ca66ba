//! Finding elements by role, name and text.

use super::snapshot::Role;

/// Returns our name of a role for any name a script may use: ARIA's, ours, or that of Chromium's tree.
pub fn role(word: &str) -> Option<&'static str> {
    Role::of_script(word.trim()).map(Role::text)
}
