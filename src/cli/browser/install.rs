//! `pageboy browser install`: gets a browser where there is none.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::process::Command;

use super::packages::{Packages, packages};
use super::system::System;
use super::unwritable;
use crate::cdp::find::find;
use crate::error::Error;

/// Installs a browser, unless there is one. Says on stderr what it will do and asks, unless `yes`; prints the path
/// of the browser to stdout.
///
/// # Errors
/// `usage` where it can't ask or knows no way, `browser::launch` where the package manager fails,
/// `browser::missing` where the user says no.
pub fn install(yes: bool, explicit: Option<&Path>) -> Result<(), Error> {
    let missing = match (find(explicit), explicit) {
        (Ok(program), _) => return found(&program, "there is a browser already"),
        (Err(missing), None) => missing,
        // The browser that gets installed would not be the one that the user chose.
        (Err(_), Some(chosen)) => {
            return Err(Error::Usage {
                problem: format!("PAGEBOY_BROWSER is `{}`, where no program is", chosen.display()),
                hint: "unset PAGEBOY_BROWSER, or set it to the path of a browser".into(),
            });
        }
    };
    let by_hand = "install Chrome or Chromium yourself; a path that is not found by itself goes into PAGEBOY_BROWSER";
    let steps = match packages(&System::of_this_machine(), true) {
        Packages::Steps(steps) => steps,
        Packages::NotAllowed => {
            return Err(Error::Usage {
                problem: "installing a browser needs root, and there is no `sudo`".into(),
                hint: "run `pageboy browser install` as root".into(),
            });
        }
        Packages::Unknown => {
            return Err(Error::Usage {
                problem: "no package manager that pageboy knows brings a browser here".into(),
                hint: by_hand.into(),
            });
        }
    };
    say(format_args!("no Chrome or Chromium found; to install one, pageboy runs:"))?;
    for step in &steps {
        say(format_args!("  {}", step.join(" ")))?;
    }
    if !yes && !agreed()? {
        return Err(missing);
    }
    for step in &steps {
        execute(step)?;
    }
    found(&find(None)?, "installed")
}

fn found(program: &Path, how: &str) -> Result<(), Error> {
    say(format_args!("{how}:"))?;
    writeln!(io::stdout(), "{}", program.display()).map_err(|problem| unwritable(&problem))
}

fn say(text: std::fmt::Arguments<'_>) -> Result<(), Error> {
    writeln!(io::stderr(), "{text}").map_err(|problem| unwritable(&problem))
}

/// Asks on the terminal; only `y` and `yes` agree.
fn agreed() -> Result<bool, Error> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Error::Usage {
            problem: "there is no terminal to ask on whether a browser may be installed".into(),
            hint: "pass `--yes` to install it without asking".into(),
        });
    }
    write!(io::stderr(), "continue? [y/N] ").map_err(|problem| unwritable(&problem))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|problem| unwritable(&problem))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Runs one step; what the package manager prints goes to stderr.
fn execute(step: &[String]) -> Result<(), Error> {
    let what = || format!("`{}`", step.join(" "));
    let failed = |reason: String| Error::BrowserLaunch { what: what(), reason };
    let [program, arguments @ ..] = step else {
        return Err(Error::InternalBug { problem: "an install step is empty".into() });
    };
    let status = Command::new(program)
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(io::stderr())
        .status()
        .map_err(|problem| failed(problem.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(status.to_string())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_step_names_the_command() {
        let error = execute(&["/bin/sh".into(), "-c".into(), "exit 7".into()]).unwrap_err();
        assert_eq!(error.code(), "browser::launch");
        assert!(error.to_string().contains("exit 7") && error.to_string().contains("exit status: 7"), "{error}");
    }
}
