//! What a page tells people when something was pressed.

use serde::Deserialize;

/// What is new on the page since the press, as far as it is said to people at once.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Told {
    /// The text of an alert.
    pub says: Option<String>,
    /// What the first field is called that the page marks as invalid.
    pub field: Option<String>,
    /// What the page says of that field.
    pub message: String,
    /// How many more it marks.
    pub more: usize,
    /// A file chooser opened.
    pub chooser: bool,
}

impl Told {
    /// Returns it as reports tell it.
    pub fn words(&self) -> String {
        let quoted = crate::script::quoted;
        let mut words = Vec::new();
        if let Some(says) = &self.says {
            words.push(format!("the page says {}", quoted(says)));
        }
        if let Some(field) = &self.field {
            let subject = if words.is_empty() { "the page " } else { "" };
            // An alert most often repeats what stands at the field.
            let message =
                Some(&self.message).filter(|message| !message.is_empty() && self.says.as_ref() != Some(message));
            let message = message.map_or_else(String::new, |message| format!(" ({})", quoted(message)));
            let more = match self.more {
                0 => String::new(),
                1 => ", with 1 more field".to_owned(),
                more => format!(", with {more} more fields"),
            };
            words.push(format!("{subject}marks {} as invalid{message}{more}", quoted(field)));
        }
        if self.chooser {
            words.push("a file chooser opened, which scripts can't answer in this version: no file is chosen".into());
        }
        words.join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_each_thing_once() {
        let told = |says: Option<&str>, field: Option<&str>, message: &str, more, chooser| {
            Told {
                says: says.map(str::to_owned),
                field: field.map(str::to_owned),
                message: message.into(),
                more,
                chooser,
            }
            .words()
        };
        assert_eq!(told(Some("Fill it in"), None, "", 0, false), "the page says \"Fill it in\"");
        let both = told(Some("Fill it in"), Some("Name"), "Fill it in", 1, false);
        assert_eq!(both, "the page says \"Fill it in\" and marks \"Name\" as invalid, with 1 more field");
        let marked = told(None, Some("Name"), "Too short", 0, false);
        assert_eq!(marked, "the page marks \"Name\" as invalid (\"Too short\")");
    }
}
