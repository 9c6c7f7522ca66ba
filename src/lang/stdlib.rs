//! The modules that come with pageboy: `import "forms" as forms;`.

use crate::script::Script;

/// Every module by its bare name.
const MODULES: &[(&str, &str)] = &[("forms", include_str!("../../stdlib/forms.rhai"))];

/// Returns a module of the standard library. Its script name starts with `std:`, which no path does.
pub fn module(name: &str) -> Option<Script> {
    let (name, text) = MODULES.iter().find(|(known, _)| *known == name)?;
    Some(Script::from_text(format!("std:{name}"), *text))
}

/// Returns the names of all modules.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}
