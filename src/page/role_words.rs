//! Which role a word that names none was meant for.

/// The roles that scripts look for.
const ROLES: [&str; 60] = [
    "alert",
    "alertdialog",
    "article",
    "banner",
    "button",
    "caption",
    "cell",
    "checkbox",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "dialog",
    "document",
    "feed",
    "figure",
    "form",
    "grid",
    "gridcell",
    "group",
    "heading",
    "iframe",
    "image",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "note",
    "option",
    "paragraph",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "textbox",
    "toolbar",
];

/// What people call an element, and its role.
const HABITS: [(&[&str], &str); 9] = [
    (&["a", "anchor", "href"], "link"),
    (&["btn", "submit"], "button"),
    (&["input", "text", "textfield", "textarea", "field", "edit"], "textbox"),
    (&["select", "dropdown", "picklist"], "combobox"),
    (&["h1", "h2", "h3", "h4", "h5", "h6", "header", "title"], "heading"),
    (&["ul", "ol"], "list"),
    (&["li", "item"], "listitem"),
    (&["tr"], "row"),
    (&["td"], "cell"),
];

/// Returns the role that a wrong word most likely meant.
pub fn meant_role(word: &str) -> Option<&'static str> {
    let word = word.trim().to_lowercase();
    if let Some((_, role)) = HABITS.iter().find(|(habits, _)| habits.contains(&word.as_str())) {
        return Some(role);
    }
    let near = ROLES.iter().map(|role| (strsim::damerau_levenshtein(&word, role), *role));
    near.filter(|(distance, role)| *distance <= 2 && *distance * 2 < role.len()).min().map(|(_, role)| role)
}

#[cfg(test)]
mod tests {
    use super::{HABITS, ROLES, meant_role};
    use crate::page::find::role;

    #[test]
    fn only_real_roles_are_offered() {
        for offered in ROLES.iter().chain(HABITS.iter().map(|(_, role)| role)) {
            assert_eq!(role(offered), Some(*offered));
        }
        for (habits, _) in HABITS {
            assert!(habits.iter().all(|habit| role(habit).is_none()), "{habits:?}");
        }
    }

    #[test]
    fn a_misspelt_role_is_understood() {
        assert_eq!(meant_role("buton"), Some("button"));
        assert_eq!(meant_role("list item"), Some("listitem"));
        assert_eq!(meant_role("Textfield"), Some("textbox"));
        assert_eq!(meant_role("lnk"), Some("link"));
        assert_eq!(meant_role("widget"), None);
    }
}
