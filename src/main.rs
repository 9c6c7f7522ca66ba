//! The command line program.

use std::process::ExitCode;

use pageboy::lang::process::WorkerProgram;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(WorkerProgram::SUBCOMMAND) => pageboy::serve_worker(),
        _ => ExitCode::from(2),
    }
}
