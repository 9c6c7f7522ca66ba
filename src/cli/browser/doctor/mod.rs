//! `pageboy browser doctor`: checks whether scripts can run here, and says what to do about what is wrong.
//!
//! Each check looks at the machine in few lines and judges what it saw in a function of its own, which its tests
//! feed with odd machines.

mod finding;
mod fonts;
mod leftovers;
pub mod libraries;
mod program;
mod room;
mod sandbox;
mod start;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::system::System;
use super::version;
use crate::budget::Budget;
use crate::cdp;
use crate::cli::demo::output_failed;
use crate::cli::interrupts;
use crate::error::Error;
use finding::{Finding, Report};

/// How long all checks may take together; only the real start of the browser can come near it.
const START: Duration = Duration::from_mins(1);

/// The exit code where something hinders: that of errors about the browser.
const HINDERED: u8 = 5;

/// Runs all checks, prints what they found and returns the exit code.
pub async fn run(json: bool, explicit: Option<&Path>) -> Result<u8, Error> {
    let mut printer = Printer { json, findings: Vec::new() };
    let cancel = interrupts()?;
    let budget = Budget::of_run(cancel.clone(), Some(START));
    tokio::select! {
        // Dropped on the way, it kills what it started.
        examined = Box::pin(examine(&mut printer, explicit, &budget)) => examined?,
        () = cancel.cancelled() => return Err(Error::RunCancelled { during: None }),
    }
    let report = Report::new(printer.findings);
    let mut out = io::stdout().lock();
    if json {
        let text = serde_json::to_string(&report).map_err(|problem| output_failed(problem.into()))?;
        writeln!(out, "{text}")
    } else {
        writeln!(out, "\n{}", report.summary())
    }
    .map_err(output_failed)?;
    Ok(if report.ok { 0 } else { HINDERED })
}

async fn examine(printer: &mut Printer, explicit: Option<&Path>, budget: &Budget) -> Result<(), Error> {
    let system = System::of_this_machine();
    let temporary = std::env::temp_dir();
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let browser = cdp::find::find(explicit);
    match &browser {
        Err(error) => printer.add(program::missing(error, explicit))?,
        Ok(browser) => {
            printer.add(program::found(browser, explicit))?;
            let said = version::ask(browser).await;
            printer.add(program::version(&version::told(&said)))?;
            if let Some(confinement) = program::confinement(browser) {
                printer.add(confinement)?;
            }
            if cfg!(target_os = "linux") {
                printer.add(libraries::check(browser, &said, &system).await)?;
                printer.add(sandbox::check(&sandbox::Facts::of_this_machine(browser)))?;
            }
        }
    }
    if cfg!(target_os = "linux") {
        printer.add(room::shared_memory(cdp::room::shared_memory()))?;
    }
    printer.add(room::temporary(&temporary))?;
    printer.add(fonts::check(home.as_deref(), &system).await)?;
    let abandoned = cdp::abandoned_profiles();
    if let Ok(browser) = &browser {
        printer.add(start::check(browser, &system, budget).await)?;
    }
    printer.add(leftovers::check(&abandoned))
}

/// Keeps the findings, and shows each as soon as it is there where people read them.
struct Printer {
    json: bool,
    findings: Vec<Finding>,
}

impl Printer {
    fn add(&mut self, finding: Finding) -> Result<(), Error> {
        if !self.json {
            let mut out = io::stdout().lock();
            writeln!(out, "{finding}").and_then(|()| out.flush()).map_err(output_failed)?;
        }
        self.findings.push(finding);
        Ok(())
    }
}
