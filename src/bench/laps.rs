//! The time of each host call of a script, as the script feels it: from the end of the call before to the end of the
//! call, the way to the worker process and back included.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::{Error, Result};
use crate::host::Rights;
use crate::host::observe::{CallRecord, Observer};
use crate::{RunOptions, Script, Session};

/// What a script did.
pub struct Laps {
    pub value: Value,
    calls: Vec<(String, Duration)>,
}

impl Laps {
    /// Returns the times of all calls of a function, in order.
    pub fn of(&self, function: &str) -> Vec<Duration> {
        self.calls.iter().filter(|(call, _)| call == function).map(|(_, took)| *took).collect()
    }
}

/// Runs a script with `arg("page", "")` and returns its value and the times of its calls.
///
/// # Errors
/// The script's.
pub async fn laps(session: &mut Session, source: &str, page: String) -> Result<Laps> {
    let watch = Watch(Arc::default());
    let options = RunOptions {
        rights: Rights { js: true, ..Rights::default() },
        observer: Some(Box::new(Watch(Arc::clone(&watch.0)))),
        ..RunOptions::default()
    };
    let script = Script::from_text("bench.rhai", source);
    let outcome = session.run(&script, options.arg("page", page)).await;
    let value = outcome.result.map_err(|failure| failure.error)?;
    let ends = std::mem::take(&mut *watch.0.lock().unwrap_or_else(PoisonError::into_inner));
    let starts = ends.iter().map(|(_, end)| *end);
    let calls = ends.iter().skip(1).zip(starts).map(|((call, end), start)| (call.clone(), *end - start)).collect();
    Ok(Laps { value, calls })
}

/// Checks what the page says of a block of work.
///
/// # Errors
/// `browser::protocol` when it says something else.
pub fn expect(work: &str, told: &Value, wanted: &Value) -> Result<()> {
    if told == wanted {
        return Ok(());
    }
    let problem = format!("the page says that the work was not done: {told} instead of {wanted}");
    Err(Error::BrowserProtocol { method: work.to_owned(), problem })
}

struct Watch(Arc<Mutex<Vec<(String, Instant)>>>);

impl Observer for Watch {
    fn call(&mut self, record: &CallRecord) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((record.call.clone(), Instant::now()));
    }
}
