//! The command line: one file for each command. Only here are arguments and the environment read, text written to
//! the terminal and exit codes made.

mod api;
mod bench;
mod browser;
mod check;
mod demo;
mod run;
mod source;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Resource};
use crate::script::Script;
use crate::session::Session;

/// Run scripts that drive a real browser.
#[derive(Debug, Parser)]
#[command(name = "pageboy", version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a script file in a browser
    Run(run::RunArguments),
    /// Tell all that is wrong with a script, without a browser
    Check(check::CheckArguments),
    /// Shop in the built-in demo shop, or only serve it
    Demo(demo::DemoArgs),
    /// Find or install a browser, or check why it does not work
    Browser(browser::BrowserArguments),
    /// Print the reference of all functions that scripts can call
    Api(api::ApiArguments),
    /// Measure how fast pageboy is beside the raw CDP messages
    Bench(bench::BenchArguments),
}

/// Runs the command of this process's arguments.
pub fn main() -> ExitCode {
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) => {
            // The reader of the help may have gone away; that is no reason for another message.
            drop(error.print());
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let result = crate::blocking::runtime().and_then(|runtime| {
        let code = runtime.block_on(dispatch(command));
        // A task that still waits for a browser that is gone must not hold up the end.
        runtime.shutdown_background();
        code
    });
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            terminal::report(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

async fn dispatch(command: Command) -> Result<u8, Error> {
    match command {
        Command::Run(arguments) => run::run(arguments).await,
        Command::Check(arguments) => check::run(arguments).await,
        Command::Demo(arguments) => demo::run(arguments).await,
        Command::Browser(arguments) => browser::run(arguments, chosen_browser().as_deref()).await,
        Command::Api(arguments) => api::run(&arguments).map(|()| 0),
        Command::Bench(arguments) => bench::run(arguments).await.map(|()| 0),
    }
}

/// Returns the browser that the user chose.
fn chosen_browser() -> Option<PathBuf> {
    std::env::var_os("PAGEBOY_BROWSER").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Returns a signal that fires when the user or the system asks this process to end.
///
/// # Errors
/// `io::failed` when the signals can't be listened to.
fn interrupts() -> Result<CancellationToken, Error> {
    use tokio::signal::unix::{SignalKind, signal};
    let failed = |error: std::io::Error| Error::IoSystem { what: Resource::Signals, reason: error.to_string() };
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut hangup = signal(SignalKind::hangup()).map_err(failed)?;
    let cancel = CancellationToken::new();
    let fired = cancel.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        fired.cancel();
    });
    Ok(cancel)
}

/// Closes a session; what it leaves behind is an error only when the run itself went well.
async fn close(session: Session, script: &Script, code: u8) -> Result<u8, Error> {
    match session.close().await {
        Err(error) if code == 0 => Err(error),
        Err(error) => {
            tracing::debug!(%error, script = script.name, "the session did not end in order");
            Ok(code)
        }
        Ok(()) => Ok(code),
    }
}
