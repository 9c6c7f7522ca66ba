//! The engine's end of the line to the parent: calls, prints, imports, the stop signal and the deadlines of
//! `within`. It also keeps a record of each error it threw, so that one that is caught, kept and thrown again is
//! still reported at the call it came from.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rhai::{Dynamic, EvalAltResult, Map, Position};
use serde_json::Value;

use super::sources::{Located, Sources};
use super::value;
use crate::lang::fault::Fault;
use crate::lang::protocol::{Ended, FromWorker, ToWorker};
use crate::script::Script;

/// The entry of an error map that leads back to its record.
const RECORD: &str = "error_id";

/// Sends a message and, where one is due, waits for the answer. `None` when the parent is gone or cancels.
pub type Exchange = Box<dyn Fn(FromWorker) -> Option<ToWorker>>;

/// The line to the parent.
pub struct Link {
    exchange: Exchange,
    stop: Arc<AtomicBool>,
    sources: Rc<Sources>,
    deadlines: RefCell<Vec<Deadline>>,
    records: RefCell<Vec<Record>>,
    /// The call in which the time of a `within` ran out: the engine forgets the place of what ends a closure.
    late: RefCell<Option<Late>>,
}

/// A call in which the time of a `within` ran out.
#[derive(Debug, Clone)]
pub struct Late {
    pub located: Located,
    /// The error of the host, which has its record, with the limit that it names.
    pub refused: Option<(Dynamic, u64)>,
}

/// A `within` under way.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    number: u64,
    at: Instant,
}

/// An error that was thrown into the script, or what is wrong with it before it starts.
#[derive(Debug, Clone)]
pub struct Record {
    pub fault: Fault,
    pub located: Located,
    /// The line as it should be, where that is certain.
    pub fix: Option<String>,
}

impl Record {
    pub fn new(fault: Fault, located: Located) -> Self {
        Self { fault, located, fix: None }
    }

    /// Adds the line as it should be.
    #[must_use]
    pub fn fixed(self, fix: Option<String>) -> Self {
        Self { fix, ..self }
    }
}

/// Why the engine was stopped in a way that no script can catch.
#[derive(Debug, Clone)]
pub enum Stop {
    Cancelled,
    /// The time of this `within` is up.
    Within(u64),
    /// The parent refused a call and ended the run.
    Record(usize),
}

type Outcome<T> = Result<T, Box<EvalAltResult>>;

impl Link {
    pub fn new(exchange: Exchange, stop: Arc<AtomicBool>, sources: Rc<Sources>) -> Self {
        Self {
            exchange,
            stop,
            sources,
            deadlines: RefCell::default(),
            records: RefCell::default(),
            late: RefCell::default(),
        }
    }

    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Calls a host function.
    ///
    /// # Errors
    /// The host's error, as a map that can be caught or as the end of the run.
    pub fn call(&self, name: &str, args: Vec<Value>, located: &Located) -> Outcome<Value> {
        self.go_on().inspect_err(|_| self.note_late(located, None))?;
        self.ask(name, args, located).or_else(|error| {
            if let EvalAltResult::ErrorTerminated(..) = *error {
                // The parent ended the run in this very call: that is told, whatever else is over by now.
                return Err(error);
            }
            // The time of a `within` may be what made the call fail: that is told outside the `within`.
            self.go_on().inspect_err(|_| self.note_late(located, Some(&error))).and(Err(error))
        })
    }

    fn note_late(&self, located: &Located, error: Option<&EvalAltResult>) {
        let refused = error.and_then(|error| match error {
            EvalAltResult::ErrorRuntime(thrown, _) => {
                let map = thrown.read_lock::<Map>()?;
                let limit_ms = u64::try_from(map.get("limit_ms")?.as_int().ok()?).ok()?;
                Some((thrown.clone(), limit_ms))
            }
            _ => None,
        });
        self.late.replace(Some(Late { located: located.clone(), refused }));
    }

    /// Returns the call in which the time of a `within` ran out, if it was a call.
    pub fn take_late(&self) -> Option<Late> {
        self.late.take()
    }

    /// Tells the host the end of something, also when the time of a `within` is up.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn ask(&self, name: &str, args: Vec<Value>, located: &Located) -> Outcome<Value> {
        let at = located.site.clone();
        match (self.exchange)(FromWorker::Call { name: name.to_owned(), args, at }) {
            Some(ToWorker::Ok(value)) => Ok(value),
            Some(ToWorker::Err(refusal)) => {
                let fault = Fault::Host { id: refusal.id };
                if refusal.terminate {
                    let record = self.record(fault, located.clone());
                    return Err(stop(Stop::Record(record)));
                }
                Err(self.throw_map(fault, located.clone(), refusal.map))
            }
            _ => Err(stop(Stop::Cancelled)),
        }
    }

    /// Tells the parent that the script can start, and waits until it may.
    ///
    /// # Errors
    /// When the parent ends the run instead.
    pub fn ready(&self, doubts: Vec<Ended>) -> Outcome<()> {
        match (self.exchange)(FromWorker::Ready { doubts }) {
            Some(ToWorker::Ok(_)) => Ok(()),
            _ => Err(stop(Stop::Cancelled)),
        }
    }

    /// Asks for the source of a module.
    ///
    /// # Errors
    /// The parent's reason, as a map that can be caught.
    pub fn import(&self, name: &str, from: &str, located: &Located) -> Outcome<Script> {
        self.go_on()?;
        match (self.exchange)(FromWorker::Import { name: name.to_owned(), from: from.to_owned() }) {
            Some(ToWorker::Ok(script)) => serde_json::from_value(script)
                .map_err(|error| EvalAltResult::ErrorSystem("import".into(), Box::new(error)).into()),
            Some(ToWorker::Err(refusal)) => {
                Err(self.throw_map(Fault::Host { id: refusal.id }, located.clone(), refusal.map))
            }
            _ => Err(stop(Stop::Cancelled)),
        }
    }

    /// Prints a line. A parent that is gone stops the script at its next step.
    pub fn print(&self, text: &str) {
        if (self.exchange)(FromWorker::Print { text: text.to_owned() }).is_none() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Returns an error that the script can catch.
    #[expect(clippy::unnecessary_box_returns, reason = "the engine takes its errors boxed")]
    pub fn throw(&self, fault: Fault, located: Located) -> Box<EvalAltResult> {
        let map = fault.error().map(|error| error.to_map()).unwrap_or_default();
        self.throw_map(fault, located, map)
    }

    #[expect(clippy::unnecessary_box_returns, reason = "the engine takes its errors boxed")]
    fn throw_map(&self, fault: Fault, located: Located, mut map: serde_json::Map<String, Value>) -> Box<EvalAltResult> {
        if let Some(site) = &located.site {
            map.insert("script".into(), site.script.clone().into());
            map.insert("line".into(), site.line.into());
            map.insert("column".into(), site.column.into());
        }
        let record = self.record(fault, located);
        map.insert(RECORD.into(), record.into());
        Box::new(EvalAltResult::ErrorRuntime(value::map(map), Position::NONE))
    }

    fn record(&self, fault: Fault, located: Located) -> usize {
        let mut records = self.records.borrow_mut();
        records.push(Record::new(fault, located));
        records.len() - 1
    }

    /// Returns the record that a thrown map leads to.
    pub fn recorded(&self, map: &Map) -> Option<Record> {
        let number = map.get(RECORD)?.as_int().ok()?;
        self.record_at(usize::try_from(number).ok()?)
    }

    /// Returns the record of an error that the script could catch.
    pub fn record_of(&self, error: &EvalAltResult) -> Option<Record> {
        match error {
            EvalAltResult::ErrorRuntime(thrown, _) => thrown.read_lock::<Map>().and_then(|map| self.recorded(&map)),
            _ => None,
        }
    }

    pub fn record_at(&self, number: usize) -> Option<Record> {
        self.records.borrow().get(number).cloned()
    }

    /// Returns why the engine must stop now, if it must. Called at every step of a script: cheap.
    pub fn must_stop(&self, operations: u64) -> Option<Dynamic> {
        // Reading the clock costs more than a step of most scripts.
        const CLOCK_EVERY: u64 = 64;
        if self.stop.load(Ordering::Relaxed) {
            return Some(Dynamic::from(Stop::Cancelled));
        }
        if operations.is_multiple_of(CLOCK_EVERY) { self.overdue().map(Dynamic::from) } else { None }
    }

    fn overdue(&self) -> Option<Stop> {
        let now = Instant::now();
        let deadlines = self.deadlines.borrow();
        deadlines.iter().find(|deadline| deadline.at <= now).map(|deadline| Stop::Within(deadline.number))
    }

    fn go_on(&self) -> Outcome<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(stop(Stop::Cancelled));
        }
        self.overdue().map_or(Ok(()), |why| Err(stop(why)))
    }

    /// Sets a deadline for what runs until [`leave`](Self::leave); returns its number.
    pub fn enter(&self, time: Duration) -> u64 {
        let mut deadlines = self.deadlines.borrow_mut();
        let number = deadlines.last().map_or(0, |deadline| deadline.number) + 1;
        // A time that the clock can't hold never comes.
        if let Some(at) = Instant::now().checked_add(time) {
            deadlines.push(Deadline { number, at });
        }
        number
    }

    pub fn leave(&self, number: u64) {
        self.deadlines.borrow_mut().retain(|deadline| deadline.number < number);
    }
}

/// Returns the error that ends a script whatever it catches.
#[expect(clippy::unnecessary_box_returns, reason = "the engine takes its errors boxed")]
pub fn stop(why: Stop) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::from(why), Position::NONE))
}
