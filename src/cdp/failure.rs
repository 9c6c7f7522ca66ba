//! Why a command got no result.

use std::borrow::Cow;
use std::time::Duration;

/// Why a command got no result. Only [`Refused`](Failure::Refused) and [`Garbled`](Failure::Garbled) tell that the
/// browser handled the command; after every other failure it is not known whether it did.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The browser answered with an error.
    #[error("`{method}` was refused: {message}")]
    Refused { method: Cow<'static, str>, code: i64, message: String },
    /// The deadline passed before the answer came.
    #[error("`{method}` was not answered for {} ms", waited.as_millis())]
    NoAnswer { method: Cow<'static, str>, waited: Duration },
    /// The run was cancelled.
    #[error("`{method}` was cancelled")]
    Cancelled { method: Cow<'static, str> },
    /// The target of the session is gone, or swapped to another process.
    #[error("`{method}` was sent to a session that ended")]
    Detached { method: Cow<'static, str> },
    /// The process of the target died.
    #[error("`{method}` was sent to a page that crashed")]
    Crashed { method: Cow<'static, str> },
    /// The connection ended.
    #[error("the connection to the browser ended: {reason}")]
    Closed { reason: String },
    /// The command can't be written or its answer can't be read as expected.
    #[error("`{method}` was answered with something else than expected: {problem}")]
    Garbled { method: Cow<'static, str>, problem: String },
}
