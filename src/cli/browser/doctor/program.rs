//! Which browser is used, how old it is, and whether it is confined.

use std::path::Path;

use super::finding::Finding;
use crate::cli::browser::version::{OLDEST, major};
use crate::error::Error;

/// Says which browser is used.
pub fn found(program: &Path, explicit: Option<&Path>) -> Finding {
    let how = if explicit.is_some() { ", by PAGEBOY_BROWSER" } else { "" };
    Finding::ok("browser", format!("{}{how}", program.display()))
}

/// Says that there is none to use.
pub fn missing(error: &Error, explicit: Option<&Path>) -> Finding {
    match explicit {
        Some(chosen) => Finding::problem(
            "browser",
            format!("PAGEBOY_BROWSER is `{}`, where no program is", chosen.display()),
            "unset PAGEBOY_BROWSER   (pageboy then looks for a browser itself)\nor set it to the path of a browser",
        ),
        None => {
            // The places are a screenful.
            let message = match error {
                Error::BrowserMissing { looked } => {
                    format!("no Chrome or Chromium found in {} places; `pageboy browser path` lists them", looked.len())
                }
                other => other.to_string(),
            };
            Finding::problem("browser", message, "pageboy browser install")
        }
    }
}

/// Judges what the browser told of its version.
pub fn version(told: &Result<String, String>) -> Finding {
    const CHECK: &str = "version";
    match told.as_ref().map(|told| (told, major(told))) {
        Ok((told, Some(number))) if number < OLDEST => Finding::problem(
            CHECK,
            format!("{told} is too old: {OLDEST} is the oldest that pageboy works with"),
            "bring the browser up to date, or set PAGEBOY_BROWSER to a newer one",
        ),
        Ok((told, Some(_))) => Finding::ok(CHECK, told),
        Ok((told, None)) => Finding::note(
            CHECK,
            format!("`--version` printed `{}`, which names no version", told.chars().take(100).collect::<String>()),
            "set PAGEBOY_BROWSER to a Chrome or Chromium, if this is none",
        ),
        Err(reason) => Finding::note(
            CHECK,
            format!("it can't be read: `--version` gave {reason}"),
            "see the findings below; if the browser starts, there is nothing to do",
        ),
    }
}

/// Says what a snap keeps the browser from; `None` where it is none.
pub fn confinement(program: &Path) -> Option<Finding> {
    let text = std::fs::read(program).unwrap_or_default();
    let start = String::from_utf8_lossy(text.get(..4096).unwrap_or(&text)).into_owned();
    is_snap(program, &start).then(|| {
        Finding::note(
            "confinement",
            "the browser is a snap: it sees its own folder for temporary files, and no hidden folders",
            "install Google Chrome, or Chromium from another source, and set PAGEBOY_BROWSER to it if runs fail",
        )
    })
}

/// Says whether a program is a snap, or the script by which Ubuntu's package starts one.
fn is_snap(program: &Path, start: &str) -> bool {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let lies_there = |path: &Path| path.starts_with("/snap") || path.starts_with("/var/lib/snapd");
    lies_there(program) || lies_there(&real) || (start.starts_with("#!") && start.contains("/snap/bin/"))
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn old_and_unreadable_versions_are_told_apart() {
        let told = |text: &str| version(&Ok(text.to_owned()));
        assert_eq!(told("Chromium 156.0.8078.114 built on Debian").level, Level::Ok);
        assert_eq!(told("Google Chrome 121.0.6167.85").level, Level::Ok);
        let old = told("Google Chrome 120.0.6099.109");
        assert!(old.level == Level::Problem && old.message.contains("121"), "{old}");
        assert_eq!(told("hello").level, Level::Note);
        let unread = version(&Err("no answer for 10 s".into()));
        assert!(unread.level == Level::Note && unread.message.contains("no answer for 10 s"), "{unread}");
    }

    #[test]
    fn a_snap_is_known_by_its_place_or_its_wrapper() {
        assert!(is_snap(Path::new("/snap/bin/chromium"), ""));
        let wrapper = "#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then\n  echo requires the snap >&2\nfi\n";
        assert!(is_snap(Path::new("/nowhere/chromium-browser"), wrapper));
        assert!(!is_snap(Path::new("/nowhere/chromium"), "#!/bin/sh\nexec /usr/lib/chromium/chromium\n"));
        assert!(!is_snap(Path::new("/nowhere/chromium"), "\u{7f}ELF /snap/bin/"));
    }

    #[test]
    fn a_wrong_choice_is_told_apart_from_no_browser() {
        let error = Error::BrowserMissing { looked: Vec::new() };
        assert!(missing(&error, Some(Path::new("/x"))).message.contains("PAGEBOY_BROWSER is `/x`"));
        assert_eq!(missing(&error, None).mend.as_deref(), Some("pageboy browser install"));
    }
}
