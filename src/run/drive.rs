//! The conversation with the worker: its calls are answered one by one until it ends, dies, or its time is up.

use std::pin::pin;
use std::time::Duration;

use serde_json::Value;
use tokio::time::timeout;

use super::RunOptions;
use super::failure::{Failure, blamed};
use super::modules::Scripts;
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::host::written;
use crate::lang::fault::Fault;
use crate::lang::process::Worker;
use crate::lang::protocol::{End, Ended, FromWorker, Refusal, Start, ToWorker};
use crate::script::{Script, Site};

/// How long a worker may take to end its run once it is told to; then it is killed.
const FAREWELL: Duration = Duration::from_millis(100);

/// How long a host call may go on once the run's time is up. The host ends it by itself long before.
const HOST_FAREWELL: Duration = Duration::from_millis(300);

/// What the worker wants from the host.
#[derive(Debug)]
pub enum Ask {
    Call { name: String, args: Vec<Value>, site: Option<Site> },
    Print(String),
}

/// A host call that failed: its error and its arguments, which tell which one is at fault.
struct Failed {
    error: Error,
    args: Vec<Value>,
    site: Option<Site>,
}

struct Drive<'a> {
    budget: &'a Budget,
    failed: Vec<Failed>,
}

/// Runs a script in a worker, asking `answer` for each call and print. `scripts` grows by the modules.
///
/// # Errors
/// What ended the script, with its place.
pub async fn drive(
    script: &Script,
    options: &RunOptions,
    scripts: &mut Scripts,
    mut answer: impl AsyncFnMut(Ask) -> Result<Value>,
) -> Result<Value, Failure> {
    let mut worker = Worker::start(&options.worker).map_err(Failure::nowhere)?;
    let mut drive = Drive { budget: &options.budget, failed: Vec::new() };
    let end = drive.talk(&mut worker, script, options, scripts, &mut answer).await;
    worker.kill().await;
    match end {
        Ok(End::Ok(value)) => Ok(value),
        Ok(End::Error(ended)) => Err(known(drive.explain(ended), scripts)),
        Err(failure) => Err(known(failure, scripts)),
    }
}

impl Drive<'_> {
    async fn talk(
        &mut self,
        worker: &mut Worker,
        script: &Script,
        options: &RunOptions,
        scripts: &mut Scripts,
        answer: &mut impl AsyncFnMut(Ask) -> Result<Value>,
    ) -> Result<End, Failure> {
        let start = Start { script: script.clone(), limits: options.limits.clone() };
        self.send(worker, &ToWorker::Run(start)).await?;
        loop {
            let message = tokio::select! {
                message = worker.next() => message.map_err(Failure::nowhere)?,
                () = self.budget.spent() => return Err(self.overtime(worker).await),
            };
            match message {
                FromWorker::End(end) => return Ok(end),
                FromWorker::Print { text } => {
                    if let Err(error) = answer(Ask::Print(text)).await {
                        return Err(stop(worker, error).await);
                    }
                }
                FromWorker::Import { name, from } => {
                    let found = scripts.import(&name, &from).and_then(|script| {
                        serde_json::to_value(script).map_err(|error| Error::InternalBug { problem: error.to_string() })
                    });
                    let reply = found.map_or_else(|error| self.refusal(error, Vec::new(), None), ToWorker::Ok);
                    self.send(worker, &reply).await?;
                }
                FromWorker::Call { name, args, at } => {
                    let (kept, function) = (args.clone(), name.clone());
                    let call = answer(Ask::Call {
                        name,
                        args,
                        site: at.clone().filter(|site| scripts.get(&site.script).is_some()),
                    });
                    let reply = match self.in_time(call, || written(&function, &kept)).await {
                        Ok(value) => ToWorker::Ok(value),
                        Err(error) => self.refusal(error, kept, at),
                    };
                    self.send(worker, &reply).await?;
                }
            }
        }
    }

    /// Waits for a host call, which ends by itself soon after the run's time is up.
    async fn in_time(
        &self,
        call: impl Future<Output = Result<Value>>,
        written: impl FnOnce() -> String,
    ) -> Result<Value> {
        let mut call = pin!(call);
        tokio::select! {
            result = &mut call => result,
            () = self.budget.spent() => match timeout(HOST_FAREWELL, call).await {
                Ok(result) => result,
                Err(_) => Err(overrun(self.budget).during(&written())),
            },
        }
    }

    async fn send(&self, worker: &mut Worker, message: &ToWorker) -> Result<(), Failure> {
        let mut sent = pin!(worker.send(message));
        let sent = tokio::select! {
            sent = &mut sent => Ok(sent),
            // A worker that does not read may hold up the sending; one that does learns why it ends.
            () = self.budget.spent() => timeout(FAREWELL, sent).await,
        };
        sent.unwrap_or_else(|_| Err(overrun(self.budget))).map_err(Failure::nowhere)
    }

    fn refusal(&mut self, error: Error, args: Vec<Value>, site: Option<Site>) -> ToWorker {
        let id = u64::try_from(self.failed.len()).unwrap_or(u64::MAX);
        let terminate = self.budget.is_spent() || matches!(error, Error::BudgetOutput { .. });
        let map = error.to_map();
        self.failed.push(Failed { error, args, site });
        ToWorker::Err(Refusal { id, map, terminate })
    }

    async fn overtime(&self, worker: &mut Worker) -> Failure {
        match farewell(worker).await {
            Some(ended) if matches!(ended.fault, Fault::Host { .. }) => self.explain(ended),
            ended => match self.failed.last() {
                // The call that was under way when the time was up; the worker had no time to tell.
                Some(Failed { error, site, .. }) if error.code() == "budget::time" => {
                    let stack = ended.map(|ended| ended.stack).unwrap_or_default();
                    Failure { error: error.clone(), site: site.clone(), argument: None, stack }
                }
                _ => stopped(ended, overrun(self.budget)),
            },
        }
    }

    /// Turns the worker's account of the end into an error with its place.
    fn explain(&self, ended: Ended) -> Failure {
        let known = match &ended.fault {
            Fault::Host { id } => usize::try_from(*id).ok().and_then(|id| self.failed.get(id)),
            _ => None,
        };
        let args = known.map_or(&[][..], |failed| &failed.args);
        let error = match (known, &ended.fault) {
            (Some(failed), _) => failed.error.clone(),
            (None, Fault::Host { id }) => {
                Error::InternalBug { problem: format!("the worker names an error {id} that was never sent") }
            }
            // Nobody asked it to stop: then it gave up a message that is longer than a frame.
            (None, fault) => fault.error().unwrap_or_else(|| Error::ScriptLimit {
                limit: "message size".into(),
                problem: "a value is too large to be handed out".into(),
            }),
        };
        let argument =
            blamed(&error, args, ended.arguments.len()).and_then(|index| ended.arguments.get(index)).cloned();
        Failure { error, site: ended.site, argument, stack: ended.stack }
    }
}

/// Drops places in scripts that the run does not have: the worker's word is not trusted.
fn known(mut failure: Failure, scripts: &Scripts) -> Failure {
    let is_known = |site: &Site| scripts.get(&site.script).is_some();
    failure.site = failure.site.filter(is_known);
    failure.argument = failure.argument.filter(is_known);
    failure.stack.retain(|frame| scripts.get(&frame.script).is_some());
    failure
}

/// Ends the worker's run for a reason of the parent.
async fn stop(worker: &mut Worker, error: Error) -> Failure {
    stopped(farewell(worker).await, error)
}

fn stopped(ended: Option<Ended>, error: Error) -> Failure {
    match ended {
        Some(ended) => Failure { error, site: ended.site, argument: None, stack: ended.stack },
        None => Failure::nowhere(error),
    }
}

/// Ends the worker's run and learns where the script was.
async fn farewell(worker: &mut Worker) -> Option<Ended> {
    let place = timeout(FAREWELL, async {
        worker.cancel().await;
        loop {
            match worker.next().await {
                Ok(FromWorker::End(End::Error(ended))) => return Some(ended),
                Ok(FromWorker::End(End::Ok(_))) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    });
    place.await.ok().flatten()
}

fn overrun(budget: &Budget) -> Error {
    budget.overrun().unwrap_or_else(|| Error::BudgetTime { layer: "the run".into(), limit_ms: 0, during: None })
}
