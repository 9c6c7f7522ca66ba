//! The command line program.

use std::process::ExitCode;

fn main() -> ExitCode {
    pageboy::serve_worker();
    pageboy::cli::main()
}
