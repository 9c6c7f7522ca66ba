//! `pageboy check`: reads a script and its modules as a run would and tells all that is wrong with them, without a
//! browser.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::demo::output_failed;
use super::{interrupts, source, terminal};
use crate::budget::Budget;
use crate::error::Error;
use crate::lang::process::WorkerProgram;
use crate::run::modules::Scripts;
use crate::run::{Failure, Outcome};
use crate::session::{RunOptions, prepare};

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The script file, or - for stdin
    file: PathBuf,
    /// Print one JSON object with the findings
    #[arg(long)]
    json: bool,
}

/// What there is to say of a script.
struct Checked {
    findings: Vec<Failure>,
    scripts: Scripts,
}

/// Checks the script and returns the exit code.
///
/// # Errors
/// What keeps the script from being checked.
pub async fn run(arguments: CheckArguments) -> Result<u8, Error> {
    let (checked, code) = match check(&arguments.file).await {
        Ok(checked) => {
            // A doubt keeps no script from running, so it is no reason to fail either.
            let code = if checked.findings.iter().all(|finding| finding.is_doubt) { 0 } else { 2 };
            (checked, code)
        }
        Err(error) if arguments.json => {
            // Programs that asked for JSON get it also when there was nothing to check.
            let code = error.exit_code();
            (Checked { findings: vec![Failure::nowhere(error)], scripts: Scripts::default() }, code)
        }
        Err(error) => return Err(error),
    };
    let Checked { findings, scripts } = checked;
    let mut out = io::stdout().lock();
    if arguments.json {
        let findings = Failure::findings_to_json(&findings, &scripts);
        writeln!(out, "{}", json!({ "ok": code == 0, "findings": findings })).map_err(output_failed)?;
    } else {
        terminal::report_findings(&findings, &scripts);
        if code == 0 {
            writeln!(out, "ok").map_err(output_failed)?;
        }
    }
    Ok(code)
}

async fn check(file: &Path) -> Result<Checked, Error> {
    let (script, modules_root) = source::read(file)?;
    let options = RunOptions { modules_root, ..RunOptions::default() };
    let budget = Budget::new(interrupts()?);
    let (mut findings, scripts) = match prepare(&script, &options, &WorkerProgram::current()?, &budget).await {
        Ok(prepared) => prepared.into_doubts(),
        Err(outcome) => {
            let Outcome { result, scripts, .. } = *outcome;
            match result {
                Err(failure) if failure.findings.is_empty() => return Err(failure.error),
                Err(failure) => (failure.findings, scripts),
                Ok(_) => (Vec::new(), scripts),
            }
        }
    };
    findings.sort_by_key(|finding| {
        let site = finding.site.as_ref();
        site.map(|site| (site.script != script.name, site.script.clone(), site.line, site.column))
    });
    Ok(Checked { findings, scripts })
}
