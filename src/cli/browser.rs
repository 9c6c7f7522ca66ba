//! `pageboy browser`: which browser is used, and how to get one.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cdp::find::find;
use crate::error::Error;

/// How long a program may take to tell its version.
const VERSION: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
pub struct BrowserArguments {
    #[command(subcommand)]
    command: BrowserCommand,
}

#[derive(Debug, Subcommand)]
enum BrowserCommand {
    /// Install Chromium with the system's package manager, if there is no browser yet
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
}

/// Runs `pageboy browser …`; `explicit` is the program that the user chose by `PAGEBOY_BROWSER`.
pub async fn run(arguments: BrowserArguments, explicit: Option<&Path>) -> Result<(), Error> {
    match arguments.command {
        BrowserCommand::Install { yes } => install(yes, explicit),
        BrowserCommand::Path { version } => path(version, explicit).await,
    }
}

/// Prints the path of the browser in use to stdout, on a second line its version where that is wanted.
pub async fn path(version: bool, explicit: Option<&Path>) -> Result<(), Error> {
    let program = find(explicit)?;
    let version = if version { Some(version_of(&program).await?) } else { None };
    let mut out = io::stdout().lock();
    writeln!(out, "{}", program.display())
        .and_then(|()| version.map_or(Ok(()), |version| writeln!(out, "{version}")))
        .map_err(|problem| unwritable(&problem))
}

async fn version_of(program: &Path) -> Result<String, Error> {
    let failed = |reason: String| Error::BrowserLaunch { what: format!("`{} --version`", program.display()), reason };
    let asked = tokio::process::Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(VERSION, asked)
        .await
        .map_err(|_| failed(format!("no answer for {} s", VERSION.as_secs())))?
        .map_err(|problem| failed(problem.to_string()))?;
    let told = String::from_utf8_lossy(&output.stdout);
    match told.lines().next() {
        Some(line) if output.status.success() => Ok(line.trim().to_owned()),
        _ => Err(failed(output.status.to_string())),
    }
}

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
    let system = System::of_this_machine();
    let steps = system.steps()?;
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

fn unwritable(problem: &io::Error) -> Error {
    Error::IoFailed { path: "the terminal".into(), reason: problem.to_string() }
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

/// A package manager and what it calls the browser; the first row that fits is used.
struct PackageManager {
    /// `ID` or a word of `ID_LIKE` in `/etc/os-release`.
    system: &'static str,
    program: &'static str,
    steps: &'static [&'static [&'static str]],
}

const PACKAGE_MANAGERS: &[PackageManager] = &[
    PackageManager {
        // Ubuntu has no package `chromium`; this one brings the snap.
        system: "ubuntu",
        program: "/usr/bin/apt-get",
        steps: &[&["apt-get", "update"], &["apt-get", "install", "-y", "chromium-browser"]],
    },
    PackageManager {
        system: "debian",
        program: "/usr/bin/apt-get",
        steps: &[&["apt-get", "update"], &["apt-get", "install", "-y", "chromium"]],
    },
];

/// What decides how a browser is installed here.
struct System {
    /// `ID`, then the words of `ID_LIKE`.
    names: Vec<String>,
    root: bool,
    sudo: Option<PathBuf>,
    has_program: fn(&str) -> bool,
}

impl System {
    fn of_this_machine() -> Self {
        let exists = |program: &str| Path::new(program).is_file();
        Self {
            names: names(&fs::read_to_string("/etc/os-release").unwrap_or_default()),
            root: rustix::process::geteuid().is_root(),
            sudo: Some(PathBuf::from("/usr/bin/sudo")).filter(|sudo| sudo.is_file()),
            has_program: exists,
        }
    }

    /// Returns the commands that install a browser.
    fn steps(&self) -> Result<Vec<Vec<String>>, Error> {
        let by_hand =
            "install Chrome or Chromium yourself; a path that is not found by itself goes into PAGEBOY_BROWSER";
        let fits = |manager: &&PackageManager| {
            (self.has_program)(manager.program) && self.names.iter().any(|name| name == manager.system)
        };
        // Of a derived system the own name counts more than what it is like: only Ubuntu itself lacks the package.
        let manager = self
            .names
            .first()
            .and_then(|own| PACKAGE_MANAGERS.iter().filter(fits).find(|manager| manager.system == own))
            .or_else(|| PACKAGE_MANAGERS.iter().rfind(fits))
            .ok_or_else(|| Error::Usage {
                problem: "installing a browser is only known for Debian, Ubuntu and their relatives".into(),
                hint: by_hand.into(),
            })?;
        let prefix = match (self.root, &self.sudo) {
            (true, _) => None,
            (false, Some(sudo)) => Some(sudo.display().to_string()),
            (false, None) => {
                return Err(Error::Usage {
                    problem: "installing a browser needs root, and there is no `sudo`".into(),
                    hint: "run `pageboy browser install` as root".into(),
                });
            }
        };
        let command =
            |step: &&[&str]| prefix.iter().cloned().chain(step.iter().map(|word| (*word).to_owned())).collect();
        Ok(manager.steps.iter().map(command).collect())
    }
}

/// Reads `ID` and `ID_LIKE` out of an os-release file.
fn names(os_release: &str) -> Vec<String> {
    let value = |key: &str| {
        let line = os_release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
    };
    let all = format!("{} {}", value("ID"), value("ID_LIKE"));
    all.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(os_release: &str, root: bool, sudo: bool) -> Result<Vec<String>, Error> {
        let sudo = sudo.then(|| PathBuf::from("/usr/bin/sudo"));
        let system = System { names: names(os_release), root, sudo, has_program: |_| true };
        Ok(system.steps()?.iter().map(|step| step.join(" ")).collect())
    }

    #[test]
    fn each_system_gets_the_package_it_knows() {
        let debian = ["apt-get update", "apt-get install -y chromium"].map(str::to_owned);
        assert_eq!(steps("NAME=x\nID=debian\n", true, false).as_deref(), Ok(&debian[..]));
        assert_eq!(steps("ID=linuxmint\nID_LIKE=\"ubuntu debian\"", true, false).as_deref(), Ok(&debian[..]));
        let ubuntu = steps("ID=ubuntu\nID_LIKE=debian\n", false, true).unwrap();
        assert_eq!(ubuntu[1], "/usr/bin/sudo apt-get install -y chromium-browser");
    }

    #[test]
    fn what_cannot_be_installed_is_a_usage_error_with_a_next_step() {
        for (os_release, root) in [("ID=plan9", true), ("", true), ("ID=debian", false)] {
            let error = steps(os_release, root, false).unwrap_err();
            assert_eq!(error.code(), "usage");
            assert!(!error.help().is_empty());
        }
    }

    #[test]
    fn a_failing_step_names_the_command() {
        let error = execute(&["/bin/sh".into(), "-c".into(), "exit 7".into()]).unwrap_err();
        assert_eq!(error.code(), "browser::launch");
        assert!(error.to_string().contains("exit 7") && error.to_string().contains("exit status: 7"), "{error}");
    }

    #[tokio::test]
    async fn a_version_is_the_first_line_that_the_program_prints() {
        let told = version_of(Path::new("/bin/cat")).await.unwrap();
        assert!(told.starts_with("cat "), "{told}");
        assert!(version_of(Path::new("/bin/false")).await.is_err());
    }
}
