//! `pageboy browser install`: gets a browser where there is none, by the system's package manager, else by
//! downloading one.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::{Packages, packages};
use super::progress::Display;
use super::system::System;
use super::{doctor, unwritable, version};
use crate::budget::Budget;
use crate::cdp::download::{self, Platform, download};
use crate::cdp::find::{downloads, find};
use crate::cli::interrupts;
use crate::error::{Error, InstallTrouble};

/// How a browser can be got here.
#[derive(Debug, PartialEq, Eq)]
enum Way {
    /// These commands, one after the other.
    Packages(Vec<Vec<String>>),
    Download {
        platform: Platform,
        folder: PathBuf,
    },
}

/// Installs a browser, unless there is one. Says on stderr what it will do and asks, unless `yes`; prints the path
/// of the browser to stdout.
///
/// # Errors
/// `usage` where it can't ask, `browser::missing` where the user says no or the installation fails, `io::disk_full`.
pub async fn install(yes: bool, explicit: Option<&Path>) -> Result<(), Error> {
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
    let system = System::of_this_machine();
    match way(&system, download::platform(), downloads())? {
        Way::Packages(steps) => {
            say(format_args!("no Chrome or Chromium found; to install one, pageboy runs:"))?;
            for step in &steps {
                say(format_args!("  {}", step.join(" ")))?;
            }
            if !yes && !agreed()? {
                return Err(missing);
            }
            execute_all(&steps)?;
            found(&find(None)?, "installed")
        }
        Way::Download { platform, folder } => {
            say(format_args!("no Chrome or Chromium found; to install one, pageboy downloads Chrome for Testing"))?;
            say(format_args!("(about 180 MB, 400 MB unpacked) to {}", folder.display()))?;
            if !yes && !agreed()? {
                return Err(missing);
            }
            let budget = Budget::new(interrupts()?);
            let mut display = Display::stderr();
            let program = download(platform, &folder, &budget, &mut |progress| display.show(&progress)).await?;
            found(&program, "installed")?;
            // What a package would have brought along.
            let said = version::ask(&program).await;
            let libraries = doctor::libraries::check(&program, &said, &system).await;
            if libraries.mend.is_some() { say(format_args!("{libraries}")) } else { Ok(()) }
        }
    }
}

/// Chooses how to get a browser.
///
/// # Errors
/// `browser::missing` with everything that stands in the way.
fn way(system: &System, platform: Result<Platform, String>, folder: Option<PathBuf>) -> Result<Way, Error> {
    let (packages, why) = match packages(system, platform.is_err()) {
        Packages::Steps(steps) => return Ok(Way::Packages(steps)),
        none @ Packages::NotAllowed => (none, "installing the system's package needs root, and there is no `sudo`"),
        none @ Packages::Unknown => (none, "no package manager that pageboy knows brings a browser here"),
    };
    match (platform, folder) {
        (Ok(platform), Some(folder)) => Ok(Way::Download { platform, folder }),
        (Ok(_), None) => Err(Error::Usage {
            problem: format!("{why}, and there is no folder to download one to"),
            hint: "set HOME to your home folder, or XDG_DATA_HOME to the folder for your data".into(),
        }),
        (Err(_), _) if packages == Packages::NotAllowed => {
            Err(Error::Usage { problem: why.into(), hint: "run `pageboy browser install` as root".into() })
        }
        (Err(reason), _) => Err(Error::BrowserInstall {
            what: "there is no way".into(),
            reason: format!("{why}; {reason}"),
            trouble: InstallTrouble::Machine,
        }),
    }
}

fn found(program: &Path, how: &str) -> Result<(), Error> {
    say(format_args!("{how}:"))?;
    writeln!(io::stdout(), "{}", program.display()).map_err(|problem| unwritable(&problem))
}

fn say(text: fmt::Arguments<'_>) -> Result<(), Error> {
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

/// Runs the steps. Only the last one must go well: a list of packages that can't be refreshed, for one of many
/// sources, is often good enough.
fn execute_all(steps: &[Vec<String>]) -> Result<(), Error> {
    let Some((last, before)) = steps.split_last() else {
        return Err(Error::InternalBug { problem: "there are no steps to install a browser".into() });
    };
    for step in before {
        if let Err(error) = execute(step) {
            say(format_args!("{error}; going on"))?;
        }
    }
    execute(last)
}

/// Runs one step; what the package manager prints goes to stderr.
fn execute(step: &[String]) -> Result<(), Error> {
    let failed = |reason: String| Error::BrowserInstall {
        what: format!("`{}`", step.join(" ")),
        reason,
        trouble: InstallTrouble::Packages,
    };
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

    fn step(text: &str) -> Vec<String> {
        ["/bin/sh", "-c", text].map(str::to_owned).into()
    }

    #[test]
    fn a_failing_step_names_the_command() {
        let error = execute(&step("exit 7")).unwrap_err();
        assert_eq!(error.code(), "browser::missing");
        assert!(error.to_string().contains("exit 7") && error.to_string().contains("exit status: 7"), "{error}");
        assert!(execute_all(&[step("exit 7"), step("exit 0")]).is_ok());
        assert!(execute_all(&[step("exit 0"), step("exit 7")]).is_err());
    }

    #[test]
    fn a_download_stands_in_for_a_package_that_is_not_there_or_not_allowed() {
        let Ok(platform) = download::platform() else { return };
        let system = |text: &str, root| System::new(text, root, None, |_| true);
        let folder = || Some(PathBuf::from("/data"));
        let download = || Ok(Way::Download { platform, folder: "/data".into() });
        for (os_release, root) in [("ID=debian", false), ("ID=ubuntu\nID_LIKE=debian", true), ("ID=void", true)] {
            assert_eq!(way(&system(os_release, root), Ok(platform), folder()), download(), "{os_release}");
        }
        assert!(matches!(way(&system("ID=debian", true), Ok(platform), folder()), Ok(Way::Packages(_))));
        let none = way(&system("ID=void", true), Ok(platform), None).unwrap_err();
        assert!(none.help().contains("XDG_DATA_HOME"), "{none}");
    }

    #[test]
    fn no_way_is_an_error_with_every_reason() {
        let nothing = || Err("there is no Chrome for Testing for linux on aarch64".to_owned());
        let system = |text: &str, root| System::new(text, root, None, |_| true);
        let error = way(&system("ID=void", true), nothing(), None).unwrap_err();
        assert_eq!(error.code(), "browser::missing");
        assert!(error.to_string().contains("aarch64") && error.to_string().contains("package manager"), "{error}");
        let error = way(&system("ID=debian", false), nothing(), None).unwrap_err();
        assert!(error.help().contains("as root"), "{error}");
        assert!(matches!(way(&system("ID=ubuntu", true), nothing(), None), Ok(Way::Packages(_))));
    }
}
