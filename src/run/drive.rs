//! The conversation with the worker: its calls are answered one by one until it ends, dies, or its time is up.

use std::pin::pin;
use std::time::Duration;

use serde_json::Value;
use tokio::time::timeout;

use super::RunOptions;
use super::blame::{blamed, narrowed};
use super::failure::Failure;
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
#[derive(Debug)]
struct Failed {
    error: Error,
    args: Vec<Value>,
    site: Option<Site>,
}

/// A script that its worker has read, found in order and can start.
#[derive(Debug)]
pub struct Prepared {
    worker: Worker,
    scripts: Scripts,
    failed: Vec<Failed>,
    doubts: Vec<Failure>,
}

/// A script that can't start, with its modules.
#[derive(Debug)]
pub struct Refused {
    pub failure: Failure,
    pub scripts: Scripts,
}

impl Prepared {
    /// Lets a worker read and check a script and its modules. No browser is needed for it.
    ///
    /// # Errors
    /// All that is wrong with the script, or what became of the worker.
    pub async fn start(script: &Script, options: &RunOptions) -> Result<Self, Box<Refused>> {
        let scripts = Scripts::new(script, options.modules_root.as_deref(), options.limits.source_bytes);
        let worker = match Worker::start(&options.worker) {
            Ok(worker) => worker,
            Err(error) => return Err(Refused { failure: Failure::nowhere(error), scripts }.into()),
        };
        let mut prepared = Self { worker, scripts, failed: Vec::new(), doubts: Vec::new() };
        match prepared.read(script, options).await {
            Ok(()) => Ok(prepared),
            Err(failure) => {
                prepared.worker.kill().await;
                let failure = known(failure, &prepared.scripts);
                Err(Refused { failure, scripts: prepared.scripts }.into())
            }
        }
    }

    async fn read(&mut self, script: &Script, options: &RunOptions) -> Result<(), Failure> {
        let start = Start { script: script.clone(), limits: options.limits.clone() };
        self.send(&ToWorker::Run(start), &options.budget).await?;
        loop {
            match self.next(&options.budget).await? {
                FromWorker::Import { name, from } => self.import(&name, &from, &options.budget).await?,
                FromWorker::Ready { doubts } => {
                    self.doubts = doubts.into_iter().map(|doubt| self.doubt(doubt)).collect();
                    return Ok(());
                }
                FromWorker::End(End::Error(ended)) => return Err(self.explain(ended)),
                FromWorker::End(End::Faulty { faults, doubts }) => {
                    let all = faults.into_iter().map(|fault| known(self.explain(fault), &self.scripts));
                    let all = all.chain(doubts.into_iter().map(|doubt| self.doubt(doubt)));
                    return Err(Failure::of_findings(all.collect()));
                }
                FromWorker::End(End::Ok(_)) | FromWorker::Call { .. } | FromWorker::Print { .. } => {
                    let problem = "the worker ran a script that was not to start yet".to_owned();
                    return Err(Failure::nowhere(Error::InternalBug { problem }));
                }
            }
        }
    }

    /// Returns the places that most likely do something else than was meant.
    pub fn doubts(&self) -> &[Failure] {
        &self.doubts
    }

    /// Returns them with the scripts that they stand in, and ends the worker.
    pub fn into_doubts(self) -> (Vec<Failure>, Scripts) {
        (self.doubts, self.scripts)
    }

    /// Runs the script to its end, asking `answer` for each call and print. Returns what came of it, and the scripts
    /// that took part.
    pub async fn run(
        mut self,
        budget: &Budget,
        mut answer: impl AsyncFnMut(Ask) -> Result<Value>,
    ) -> (Result<Value, Failure>, Scripts) {
        let end = self.talk(budget, &mut answer).await;
        self.worker.kill().await;
        (end.map_err(|failure| known(failure, &self.scripts)), self.scripts)
    }

    async fn talk(
        &mut self,
        budget: &Budget,
        answer: &mut impl AsyncFnMut(Ask) -> Result<Value>,
    ) -> Result<Value, Failure> {
        self.send(&ToWorker::Ok(Value::Null), budget).await?;
        loop {
            match self.next(budget).await? {
                FromWorker::End(End::Ok(value)) => return Ok(value),
                FromWorker::End(End::Error(ended)) => return Err(self.explain(ended)),
                FromWorker::End(End::Faulty { .. }) | FromWorker::Ready { .. } => {
                    let problem = "the worker read a script that had started".to_owned();
                    return Err(Failure::nowhere(Error::InternalBug { problem }));
                }
                FromWorker::Print { text } => {
                    if let Err(error) = answer(Ask::Print(text)).await {
                        return Err(stop(&mut self.worker, error).await);
                    }
                }
                FromWorker::Import { name, from } => self.import(&name, &from, budget).await?,
                FromWorker::Call { name, args, at } => {
                    let (kept, function) = (args.clone(), name.clone());
                    let call = answer(Ask::Call {
                        name,
                        args,
                        site: at.clone().filter(|site| self.scripts.get(&site.script).is_some()),
                    });
                    let reply = match in_time(call, budget, || written(&function, &kept)).await {
                        Ok(value) => ToWorker::Ok(value),
                        Err(error) => self.refusal(error, kept, at, budget),
                    };
                    self.send(&reply, budget).await?;
                }
            }
        }
    }

    async fn next(&mut self, budget: &Budget) -> Result<FromWorker, Failure> {
        tokio::select! {
            message = self.worker.next() => message.map_err(Failure::nowhere),
            () = budget.spent() => Err(self.overtime(budget).await),
        }
    }

    async fn import(&mut self, name: &str, from: &str, budget: &Budget) -> Result<(), Failure> {
        let found = self.scripts.import(name, from).and_then(|script| {
            serde_json::to_value(script).map_err(|error| Error::InternalBug { problem: error.to_string() })
        });
        let reply = found.map_or_else(|error| self.refusal(error, Vec::new(), None, budget), ToWorker::Ok);
        self.send(&reply, budget).await
    }

    async fn send(&mut self, message: &ToWorker, budget: &Budget) -> Result<(), Failure> {
        let mut sent = pin!(self.worker.send(message));
        let sent = tokio::select! {
            sent = &mut sent => Ok(sent),
            // A worker that does not read may hold up the sending; one that does learns why it ends.
            () = budget.spent() => timeout(FAREWELL, sent).await,
        };
        sent.unwrap_or_else(|_| Err(overrun(budget))).map_err(Failure::nowhere)
    }

    fn refusal(&mut self, error: Error, args: Vec<Value>, site: Option<Site>, budget: &Budget) -> ToWorker {
        let id = u64::try_from(self.failed.len()).unwrap_or(u64::MAX);
        let terminate = budget.is_spent() || matches!(error, Error::BudgetOutput { .. });
        let map = error.to_map();
        self.failed.push(Failed { error, args, site });
        ToWorker::Err(Refusal { id, map, terminate })
    }

    async fn overtime(&mut self, budget: &Budget) -> Failure {
        match farewell(&mut self.worker).await {
            Some(ended) if matches!(ended.fault, Fault::Host { .. }) => self.explain(ended),
            ended => match self.failed.last() {
                // The call that was under way when the time was up; the worker had no time to tell.
                Some(Failed { error, site, .. }) if error.code() == "budget::time" => {
                    let stack = ended.map(|ended| ended.stack).unwrap_or_default();
                    Failure { site: site.clone(), stack, ..Failure::nowhere(error.clone()) }
                }
                _ => stopped(ended, overrun(budget)),
            },
        }
    }

    fn doubt(&self, doubt: Ended) -> Failure {
        Failure { is_doubt: true, ..known(self.explain(doubt), &self.scripts) }
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
        let blamed = blamed(&error, args, &ended.arguments, ended.site.as_ref());
        let blamed = blamed.and_then(|index| ended.arguments.get(index));
        let argument = blamed.map(|argument| match self.scripts.get(&argument.script) {
            Some(script) => narrowed(&error, argument, script),
            None => argument.clone(),
        });
        Failure { site: ended.site, argument, stack: ended.stack, fix: ended.fix, ..Failure::nowhere(error) }
    }
}

/// Waits for a host call, which ends by itself soon after the run's time is up.
async fn in_time(
    call: impl Future<Output = Result<Value>>,
    budget: &Budget,
    written: impl FnOnce() -> String,
) -> Result<Value> {
    let mut call = pin!(call);
    tokio::select! {
        result = &mut call => result,
        () = budget.spent() => match timeout(HOST_FAREWELL, call).await {
            Ok(result) => result,
            Err(_) => Err(overrun(budget).during(&written())),
        },
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
        Some(ended) => Failure { site: ended.site, stack: ended.stack, ..Failure::nowhere(error) },
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
