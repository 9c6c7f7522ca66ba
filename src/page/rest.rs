//! Waiting until what keys scrolled has come to rest.

use std::time::Duration;

use super::{Session, millis};
use crate::budget::Budget;
use crate::error::Result;

/// How long a scroll may go on before a key returns without its end.
const RESTS_WITHIN: Duration = Duration::from_secs(2);

impl Session {
    /// Waits until nothing scrolls any more in the current tab and the page has drawn what came into view. All frames
    /// are asked together in one round trip, and once more where a scroll that a frame has no room for may go on
    /// around it.
    ///
    /// # Errors
    /// As [`page_call`](Session::page_call).
    pub async fn scrolls_rest(&self, budget: &Budget) -> Result<()> {
        let patience = budget.remaining().map_or(RESTS_WITHIN, |left| RESTS_WITHIN.min(left / 2));
        let question = format!("globalThis.pageboy.scrollRests({})", millis(patience));
        let ask = || async { self.evaluate_where_ready(&self.frame_ids(), &question, budget).await };
        if ask().await?.contains(&Some(true.into())) {
            ask().await?;
        }
        Ok(())
    }
}
