//! The guard over a writing that ended before it was read back, as when a dialog opened meanwhile.

use super::{Element, Session};
use crate::budget::Budget;
use crate::error::Result;

impl Session {
    /// Remembers that the page still guards the writing of this field.
    pub fn leave_guard(&mut self, element: &Element) {
        self.guarded = Some(element.clone());
    }

    /// Ends a guard that was left, before keys go where the focus is. One round trip, none where there is none.
    ///
    /// # Errors
    /// As [`probe`](Session::probe).
    pub async fn end_guard(&mut self, budget: &Budget) -> Result<()> {
        if let Some(element) = self.guarded.take() {
            // With its document the guard went too.
            let (Some(_) | None) = self.probe::<bool>(&element, "unguard", &[], budget).await?;
        }
        Ok(())
    }
}
