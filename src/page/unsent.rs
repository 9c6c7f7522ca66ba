//! Forms that the browser refuses to send because of what their fields hold.

use serde::Deserialize;

use super::Session;
use crate::budget::Budget;
use crate::error::{Error, Result};

/// Why the browser does not send a form.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Unsent {
    /// What the first field that it refuses is called.
    pub label: String,
    /// What the browser says of it; empty where that would tell a secret.
    pub message: String,
    /// How many more it refuses.
    pub more: usize,
    /// Nobody can see the field, nor what the browser says of it.
    pub unseen: bool,
}

impl Unsent {
    /// Returns it as reports tell it.
    pub fn words(&self) -> String {
        let quoted = crate::script::quoted;
        let mut words = format!("the form was not sent: the browser refuses what {} holds", quoted(&self.label));
        if self.unseen {
            words.push_str(", which can't be seen");
        }
        if !self.message.is_empty() {
            words.push_str(" (");
            words.push_str(&quoted(&self.message));
            words.push(')');
        }
        match self.more {
            0 => words,
            1 => words + ", and 1 more field",
            more => format!("{words}, and {more} more fields"),
        }
    }
}

/// How a form was sent on its way.
#[derive(Debug, Clone, Deserialize)]
pub struct Sending {
    /// `combobox`, `enter` or `form`.
    pub way: String,
    pub unsent: Option<Unsent>,
}

impl Session {
    /// Returns why the form of the field with the focus was not sent by an Enter that was pressed just now. Only the
    /// main document is asked, and only while it is there: the key may have led away. One round trip.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn unsent_by_enter(&self, budget: &Budget) -> Result<Option<Unsent>> {
        let here = [self.current.clone()];
        let mut asked = self.evaluate_where_ready(&here, "globalThis.pageboy.unsentByEnter()", budget).await?;
        let Some(value) = asked.pop().flatten() else { return Ok(None) };
        serde_json::from_value(value).map_err(|problem| Error::BrowserProtocol {
            method: "Runtime.evaluate".into(),
            problem: problem.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_the_first_field_and_count_the_rest() {
        let unsent =
            |message: &str, more, unseen| Unsent { label: "Name".into(), message: message.into(), more, unseen };
        assert_eq!(
            unsent("Fill it out.", 2, false).words(),
            "the form was not sent: the browser refuses what \"Name\" holds (\"Fill it out.\"), and 2 more fields"
        );
        assert_eq!(
            unsent("", 1, true).words(),
            "the form was not sent: the browser refuses what \"Name\" holds, which can't be seen, and 1 more field"
        );
    }
}
