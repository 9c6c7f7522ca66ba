//! `pageboy run`: runs a script file in a browser of its own, or in a connected one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::demo::output_failed;
use super::{chosen_browser, close, interrupts, source, terminal};
use crate::budget::Budget;
use crate::cdp;
use crate::error::Error;
use crate::host::Rights;
use crate::host::observe::{CallRecord, Observer, StepEvent};
use crate::lang::process::WorkerProgram;
use crate::page::Browser;
use crate::run::Outcome;
use crate::script::Script;
use crate::session::{RunOptions, Session, prepare};

#[derive(Debug, Args)]
pub struct RunArguments {
    /// The script file, or - for stdin
    file: PathBuf,
    /// An argument for the script, read with arg("name"); may be given several times
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = name_and_value)]
    args: Vec<(String, String)>,
    /// Show the browser's window
    #[arg(long, conflicts_with = "connect")]
    headed: bool,
    /// Attach to a running browser: ws://… or http://host:port
    #[arg(long, value_name = "URL")]
    connect: Option<String>,
    /// With --connect: share no cookies or storage with the rest of that browser
    #[arg(long, requires = "connect")]
    isolated: bool,
    /// Let the script run JavaScript in pages
    #[arg(long)]
    allow_js: bool,
    /// Let the script do everything, open any kind of address included
    #[arg(long)]
    allow_all: bool,
    /// End the run, the start of the browser included, after this time, such as 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    timeout: Option<Duration>,
    /// Print one JSON object with everything that happened instead of text
    #[arg(long)]
    json: bool,
    /// Write a JSON line for each call to this file
    #[arg(long, value_name = "FILE")]
    timings: Option<PathBuf>,
    /// Show each call on stderr, with its arguments but never with what is typed
    #[arg(long, conflicts_with = "quiet")]
    verbose: bool,
    /// Print nothing but the value and the rows
    #[arg(long)]
    quiet: bool,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".into()),
    }
}

/// Runs the script and returns the exit code.
///
/// # Errors
/// What keeps the run from starting; what goes wrong in it is reported and stands in the exit code.
pub async fn run(arguments: RunArguments) -> Result<u8, Error> {
    let json = arguments.json;
    match attempt(arguments).await {
        Err(error) if json => {
            // Programs that asked for JSON get it also when the run could not start.
            let outcome = Outcome::failed(&Script::from_text("", ""), error);
            print_json(&outcome)?;
            Ok(outcome.exit_code())
        }
        result => result,
    }
}

async fn attempt(arguments: RunArguments) -> Result<u8, Error> {
    let (script, modules_root) = source::read(&arguments.file)?;
    let timings = arguments.timings.as_deref().map(Timings::create).transpose()?;
    let cancel = interrupts()?;
    let failures = Failures::default();
    let console = Console {
        text: !arguments.json && !arguments.quiet,
        rows: !arguments.json,
        steps: !arguments.json && !arguments.quiet && io::stderr().is_terminal(),
        calls: arguments.verbose,
        timings,
        failures: failures.clone(),
        cancel: cancel.clone(),
    };
    let options = RunOptions {
        rights: Rights { js: arguments.allow_js, all: arguments.allow_all },
        args: arguments.args.iter().cloned().collect::<BTreeMap<String, String>>(),
        timeout: arguments.timeout,
        modules_root,
        observer: Some(Box::new(console)),
    };
    // The time of the run counts from here: reading the script and starting the browser are part of it.
    let budget = Budget::of_run(cancel, arguments.timeout);
    let (outcome, code) = match prepare(&script, &options, &WorkerProgram::current()?, &budget).await {
        Ok(prepared) => {
            let mut session = Session::start(browser(&arguments)?, &budget).await?;
            let outcome = session.run_prepared(prepared, &script, options, &budget).await;
            let code = close(session, &script, outcome.exit_code()).await?;
            (outcome, code)
        }
        // A script that can't start needs no browser.
        Err(outcome) => {
            let code = outcome.exit_code();
            (*outcome, code)
        }
    };
    if let Some(error) = failures.take() {
        return Err(error);
    }
    if arguments.json {
        print_json(&outcome)?;
    } else {
        terminal::report_failure(&outcome);
        match (&outcome.shown, &outcome.result) {
            (Some(text), _) => print_value(&Value::from(text.as_str()))?,
            (None, Ok(value)) => print_value(value)?,
            (None, Err(_)) => {}
        }
    }
    Ok(code)
}

/// Returns the browser that the arguments ask for.
fn browser(arguments: &RunArguments) -> Result<Browser, Error> {
    if let Some(endpoint) = &arguments.connect {
        return Ok(Browser::Connect { endpoint: endpoint.clone(), isolated: arguments.isolated });
    }
    let mut launch = cdp::LaunchOptions::new(cdp::find::find(chosen_browser().as_deref())?);
    launch.headed = arguments.headed;
    Ok(Browser::Launch(launch))
}

fn print_json(outcome: &Outcome) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, outcome).map_err(|error| output_failed(error.into()))?;
    writeln!(out).map_err(output_failed)
}

/// Prints the script's value: a text as it is, nothing for `()`, everything else as JSON.
fn print_value(value: &Value) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match value {
        Value::Null => Ok(()),
        Value::String(text) => writeln!(out, "{text}"),
        other => writeln!(out, "{other:#}"),
    }
    .map_err(output_failed)
}

/// What went wrong with the outputs of a run, to be told at its end.
#[derive(Debug, Clone, Default)]
struct Failures(Arc<Mutex<Option<Error>>>);

impl Failures {
    fn keep(&self, error: Error) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn take(&self) -> Option<Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Shows a run while it goes on. A run whose output nobody can read any more ends.
struct Console {
    text: bool,
    rows: bool,
    steps: bool,
    calls: bool,
    timings: Option<Timings>,
    failures: Failures,
    cancel: CancellationToken,
}

impl Console {
    fn print(&self, text: &str) {
        let mut out = io::stdout().lock();
        if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
            self.failures.keep(output_failed(error));
            self.cancel.cancel();
        }
    }
}

impl Observer for Console {
    fn printed(&mut self, text: &str) {
        if self.text {
            self.print(text);
        }
    }

    fn row(&mut self, row: &Value) {
        if self.rows {
            self.print(&row.to_string());
        }
    }

    fn step(&mut self, event: &StepEvent) {
        if let (true, Some(end)) = (self.steps, event.ended) {
            let word = if end.ok { "ok" } else { "no" };
            let indent = " ".repeat(2 * event.depth);
            // Progress is for whoever watches; a terminal that went away is noticed by the output itself.
            drop(writeln!(io::stderr().lock(), "  {word}  {indent}{}  {} ms", event.name, end.ms));
        }
    }

    fn notice(&mut self, text: &str) {
        if self.text {
            // As for steps: who does not look needs no telling.
            drop(writeln!(io::stderr().lock(), "note: {text}"));
        }
    }

    fn call(&mut self, record: &CallRecord) {
        if self.calls {
            let error = record.error.as_deref().unwrap_or("ok");
            drop(writeln!(io::stderr().lock(), "  {:>9.1} ms  {}  {error}", record.ms, record.written));
        }
        if let Some(timings) = &mut self.timings
            && let Err(error) = timings.write(record)
        {
            self.failures.keep(error);
            self.timings = None;
        }
    }
}

/// The file of `--timings`.
struct Timings {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Timings {
    fn create(path: &Path) -> Result<Self, Error> {
        match File::create(path) {
            Ok(file) => Ok(Self { path: path.to_owned(), file: BufWriter::new(file) }),
            Err(error) => Err(Error::IoFailed { path: path.display().to_string(), reason: error.to_string() }),
        }
    }

    /// Writes a line and hands it to the system, so that a run that is killed leaves whole lines.
    fn write(&mut self, record: &CallRecord) -> Result<(), Error> {
        serde_json::to_writer(&mut self.file, record)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(self.file))
            .and_then(|()| self.file.flush())
            .map_err(|error| Error::IoFailed { path: self.path.display().to_string(), reason: error.to_string() })
    }
}
