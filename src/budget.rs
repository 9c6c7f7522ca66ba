//! One deadline object that is handed down: run, step or `within`, call, CDP message. A child never outlives
//! its parent, and the budget knows which layer set the deadline, so that an error can say who used the time.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::error::Error;

/// How long something may take, and the signal that ends it earlier.
#[derive(Debug, Clone)]
pub struct Budget {
    limit: Option<Limit>,
    cancel: CancellationToken,
}

/// The tightest deadline and who set it.
#[derive(Debug, Clone)]
struct Limit {
    deadline: Instant,
    granted: Duration,
    layer: Layer,
}

/// Who set a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The whole run (`--timeout`).
    Run,
    /// A `within(ms, …)` of the script.
    Within,
    /// The call's own timeout: what it waits for did not happen, or the page did not answer.
    Call,
}

impl Budget {
    /// Returns a budget without a deadline that ends with `cancel`.
    pub fn new(cancel: CancellationToken) -> Self {
        Self { limit: None, cancel }
    }

    /// Returns the budget of a run that may take `timeout`, or as long as it wants.
    pub fn of_run(cancel: CancellationToken, timeout: Option<Duration>) -> Self {
        let budget = Self::new(cancel);
        timeout.map_or_else(|| budget.clone(), |timeout| budget.child(timeout, Layer::Run))
    }

    /// Returns a budget that ends after `granted`, or with its parent where that is earlier.
    #[must_use]
    pub fn child(&self, granted: Duration, layer: Layer) -> Self {
        let deadline = Instant::now() + granted;
        let limit = match &self.limit {
            Some(parent) if parent.deadline <= deadline => parent.clone(),
            _ => Limit { deadline, granted, layer },
        };
        Self { limit: Some(limit), cancel: self.cancel.clone() }
    }

    /// Returns the time that is left; `None` without a deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.limit.as_ref().map(|limit| limit.deadline.saturating_duration_since(Instant::now()))
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.limit.as_ref().map(|limit| limit.deadline)
    }

    /// Returns who set the deadline in force.
    pub fn layer(&self) -> Option<Layer> {
        self.limit.as_ref().map(|limit| limit.layer)
    }

    /// Returns how much time the layer in force was granted.
    pub fn granted(&self) -> Duration {
        self.limit.as_ref().map_or(Duration::ZERO, |limit| limit.granted)
    }

    pub fn is_spent(&self) -> bool {
        self.is_cancelled() || self.remaining() == Some(Duration::ZERO)
    }

    /// Returns the signal that ends the run, for work that must outlive this budget by a moment.
    pub fn cancel_token(&self) -> CancellationToken {
        self.cancel.clone()
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Resolves when the deadline passes or the run is cancelled.
    pub async fn spent(&self) {
        match self.deadline() {
            Some(deadline) => tokio::select! {
                () = tokio::time::sleep_until(deadline) => {}
                () = self.cancel.cancelled() => {}
            },
            None => self.cancel.cancelled().await,
        }
    }

    /// Returns the error for a spent budget whose deadline a layer above the call set, and for a cancelled run.
    pub fn overrun(&self) -> Option<Error> {
        if self.is_cancelled() {
            return Some(Error::RunCancelled { during: None });
        }
        let limit = self.limit.as_ref()?;
        let layer = match limit.layer {
            Layer::Run => "the run",
            Layer::Within => "this `within`",
            Layer::Call => return None,
        };
        let limit_ms = u64::try_from(limit.granted.as_millis()).unwrap_or(u64::MAX);
        (self.remaining() == Some(Duration::ZERO)).then(|| Error::BudgetTime {
            layer: layer.into(),
            limit_ms,
            during: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_never_outlives_its_parent() {
        let run = Budget::new(CancellationToken::new()).child(Duration::from_millis(50), Layer::Run);
        let call = run.child(Duration::from_secs(5), Layer::Call);
        assert_eq!(call.layer(), Some(Layer::Run));
        assert!(call.remaining() <= run.remaining().map(|left| left + Duration::from_millis(1)));
        let shorter = run.child(Duration::from_millis(5), Layer::Call);
        assert_eq!(shorter.layer(), Some(Layer::Call));
    }

    #[test]
    fn cancel_reaches_every_child() {
        let cancel = CancellationToken::new();
        let call = Budget::new(cancel.clone()).child(Duration::from_secs(5), Layer::Call);
        assert!(!call.is_spent());
        cancel.cancel();
        assert!(call.is_spent());
        let said = call.overrun().map(|error| (error.code(), error.to_string(), error.help()));
        assert_eq!(said, Some(("budget::time", "the run was cancelled".into(), "run it again".into())));
    }
}
