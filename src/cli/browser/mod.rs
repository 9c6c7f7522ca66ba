//! `pageboy browser`: which browser is used, how to get one, and what is wrong with it.

mod ask;
mod doctor;
mod install;
mod packages;
mod progress;
mod system;
mod version;

use std::io::{self, Write};
use std::path::Path;

use clap::{Args, Subcommand};

use crate::cdp::find::find;
use crate::error::{Error, Resource};

pub use install::install;

#[derive(Debug, Args)]
pub struct BrowserArguments {
    #[command(subcommand)]
    command: BrowserCommand,
}

#[derive(Debug, Subcommand)]
enum BrowserCommand {
    /// Install a browser, if there is none yet
    Install {
        /// Do it without asking
        #[arg(long)]
        yes: bool,
    },
    /// Print the path of the browser in use
    #[command(disable_version_flag = true)]
    Path {
        /// Print its version too
        #[arg(long)]
        version: bool,
    },
    /// Check whether scripts can run here, and say what to do about what is wrong
    Doctor {
        /// Print the findings as one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs `pageboy browser …` and returns the exit code; `explicit` is the program that the user chose by
/// `PAGEBOY_BROWSER`.
pub async fn run(arguments: BrowserArguments, explicit: Option<&Path>) -> Result<u8, Error> {
    match arguments.command {
        BrowserCommand::Install { yes } => install(yes, explicit).await.map(|()| 0),
        BrowserCommand::Path { version } => path(version, explicit).await.map(|()| 0),
        BrowserCommand::Doctor { json } => doctor::run(json, explicit).await,
    }
}

/// Prints the path of the browser in use to stdout, on a second line its version where that is wanted.
async fn path(version: bool, explicit: Option<&Path>) -> Result<(), Error> {
    let program = find(explicit)?;
    let version = if version { Some(version_of(&program).await?) } else { None };
    let mut out = io::stdout().lock();
    writeln!(out, "{}", program.display())
        .and_then(|()| version.map_or(Ok(()), |version| writeln!(out, "{version}")))
        .map_err(|problem| unwritable(&problem))
}

async fn version_of(program: &Path) -> Result<String, Error> {
    version::told(&version::ask(program).await)
        .map_err(|reason| Error::BrowserLaunch { what: format!("`{} --version`", program.display()), reason })
}

fn unwritable(problem: &io::Error) -> Error {
    Error::IoSystem { what: Resource::Terminal, reason: problem.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_version_is_the_first_line_that_the_program_prints() {
        let told = version_of(Path::new("/bin/cat")).await.unwrap();
        assert!(told.starts_with("cat "), "{told}");
        assert!(version_of(Path::new("/bin/false")).await.is_err());
    }
}
