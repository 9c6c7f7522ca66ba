//! The worker process: reads what to run, runs it on a thread of its own, tells the end. It has no rights of its
//! own and no runtime; every effect is a question to the parent.
//!
//! Invariant: when the parent closes the stream, the process ends, whatever the script is doing.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::Value;

use super::fault::Fault;
use super::limits::Limits;
use super::protocol::{self, End, Ended, FromWorker, Start, ToWorker};
use super::rhai;

/// Serves one run over the standard streams and returns the process's exit code.
pub fn serve() -> i32 {
    let mut input = io::stdin().lock();
    let Ok(Some(ToWorker::Run(start))) = protocol::read(&mut input) else { return 1 };
    confine(&start.limits);
    let stop = Arc::new(AtomicBool::new(false));
    let (answers, answered) = mpsc::channel();
    let stack = start.limits.stack_bytes;
    let flag = Arc::clone(&stop);
    let engine =
        thread::Builder::new().name("engine".into()).stack_size(stack).spawn(move || run(start, answered, flag));
    if engine.is_err() {
        return 1;
    }
    // Ends with the stream: the parent closes it when it has read the end, and the system when the parent dies.
    while let Ok(Some(message)) = protocol::read(&mut input) {
        pass_on(message, &answers, &stop);
    }
    0
}

fn pass_on(message: ToWorker, answers: &Sender<ToWorker>, stop: &AtomicBool) {
    if matches!(message, ToWorker::Cancel {}) {
        stop.store(true, Ordering::Relaxed);
    }
    // The engine may have ended already; then nobody waits for the answer.
    drop(answers.send(message));
}

fn run(start: Start, answered: Receiver<ToWorker>, stop: Arc<AtomicBool>) {
    let end = rhai::run(start, exchange(answered), stop);
    if tell(&FromWorker::End(end)).is_err() {
        // The script's value is longer than a frame.
        let problem = format!("the script's value is above {} bytes", protocol::FRAME_BYTES);
        let fault = Fault::Limit { limit: "value size".into(), problem };
        let ended = Ended { fault, site: None, arguments: Vec::new(), stack: Vec::new(), fix: None };
        // A parent that is gone needs no answer.
        drop(tell(&FromWorker::End(End::Error(ended))));
    }
}

fn exchange(answered: Receiver<ToWorker>) -> rhai::Exchange {
    Box::new(move |message| {
        tell(&message).ok()?;
        if matches!(message, FromWorker::Print { .. }) {
            return Some(ToWorker::Ok(Value::Null));
        }
        answered.recv().ok().filter(|answer| matches!(answer, ToWorker::Ok(_) | ToWorker::Err(_)))
    })
}

fn tell(message: &FromWorker) -> io::Result<()> {
    protocol::write(&mut io::stdout().lock(), message)
}

/// Caps memory and forbids core files.
fn confine(limits: &Limits) {
    let stack = u64::try_from(limits.stack_bytes).unwrap_or(u64::MAX);
    // The program itself, its threads and the allocator's reserve need address space too.
    let rest = 256 * 1024 * 1024;
    let space = limits.memory_bytes.saturating_add(stack).saturating_add(rest);
    for (resource, most) in [(Resource::As, space), (Resource::Core, 0)] {
        // It fails where a lower limit is in force already; then that one stays.
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).ok();
    }
}
