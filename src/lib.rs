//! Run scripts that drive a real browser through stable element refs.

pub mod budget;
pub mod error;
pub mod host;
pub mod lang;
pub mod reference;
pub mod run;
pub mod script;

/// Serves as script worker over the standard streams. A program that embeds pageboy calls this at the top of `main`
/// when its first argument is [`SUBCOMMAND`](lang::process::WorkerProgram::SUBCOMMAND).
pub fn serve_worker() -> std::process::ExitCode {
    lang::worker::serve()
}
