//! Where a Chrome or Chromium is installed.

use std::path::{Path, PathBuf};

use chromiumoxide::detection::{DetectionOptions, default_executable};

use super::download;
use crate::error::Error;

/// Where browsers lie that are not in `PATH`, by preference.
const USUAL: &[&str] = &[
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/chromium.org/chromium/chromium",
    "/usr/bin/brave-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
    "/opt/homebrew/bin/chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files\Chromium\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
];

/// Browsers that are confined, which keeps them from most folders: taken where there is no other.
const CONFINED: &[&str] = &[
    "/snap/bin/chromium",
    "/var/lib/flatpak/exports/bin/com.google.Chrome",
    "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
];

/// Returns the browser to use: `explicit` where it is given, else the first one found.
///
/// # Errors
/// `browser::missing` with what was looked at. An explicit program that is not there is never replaced by another.
pub fn find(explicit: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(program) = explicit {
        return if is_program(program) {
            Ok(program.to_owned())
        } else {
            Err(Error::BrowserMissing { looked: vec![program.display().to_string()] })
        };
    }
    search(detected(), USUAL, downloads().as_deref())
}

/// Returns the folder that browsers are downloaded to, in the user's own data.
pub fn downloads() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")))?;
    Some(data.join("pageboy/browsers"))
}

/// Returns what chromiumoxide finds by `CHROME`, `PATH` and the Windows registry.
fn detected() -> Option<PathBuf> {
    default_executable(DetectionOptions::default()).ok()
}

fn search(detected: Option<PathBuf>, usual: &[&str], downloads: Option<&Path>) -> Result<PathBuf, Error> {
    let detected = detected.filter(|program| is_program(program));
    // Ubuntu puts the snap's wrapper into `PATH`; any other browser is the better choice.
    let (snap, detected) = match detected {
        Some(program) if program.starts_with("/snap") => (Some(program), None),
        other => (None, other),
    };
    let one_of = |places: &[&str]| places.iter().map(PathBuf::from).find(|program| is_program(program));
    let downloaded = || downloads.and_then(download::downloaded);
    detected.or_else(|| one_of(usual)).or_else(downloaded).or(snap).or_else(|| one_of(CONFINED)).ok_or_else(|| {
        Error::BrowserMissing {
            looked: ["`$CHROME`", "chrome, google-chrome, chromium and msedge in `$PATH`"]
                .into_iter()
                .chain(usual.iter().chain(CONFINED).copied().filter(|place| belongs_here(place)))
                .map(str::to_owned)
                .chain(downloads.map(|folder| folder.display().to_string()))
                .collect(),
        }
    })
}

/// Keeps the places of other systems out of the list that people read.
fn belongs_here(place: &str) -> bool {
    match place {
        _ if place.starts_with("C:") => cfg!(windows),
        _ if place.starts_with("/Applications") || place.starts_with("/opt/homebrew") => cfg!(target_os = "macos"),
        _ => cfg!(all(unix, not(target_os = "macos"))),
    }
}

#[cfg(unix)]
pub(super) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(super) fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explicit_program_is_used_or_missed_never_replaced() {
        assert_eq!(find(Some(Path::new("/bin/sh"))), Ok(PathBuf::from("/bin/sh")));
        let missed = find(Some(Path::new("/nowhere/chrome")));
        assert_eq!(missed, Err(Error::BrowserMissing { looked: vec!["/nowhere/chrome".into()] }));
        assert!(find(Some(Path::new("/etc/passwd"))).is_err(), "not a program");
        assert!(find(Some(Path::new("/"))).is_err(), "a folder");
    }

    #[test]
    fn what_was_looked_at_is_told() {
        let Err(Error::BrowserMissing { looked }) = search(None, &["/nowhere/chromium", r"C:\chrome.exe"], None) else {
            panic!("found a browser in no place")
        };
        assert!(looked.iter().any(|place| place.contains("$PATH")));
        assert!(looked.contains(&"/nowhere/chromium".to_owned()));
        assert!(!looked.contains(&r"C:\chrome.exe".to_owned()));
    }

    #[test]
    fn a_detected_folder_is_not_taken_for_a_program() {
        let found = search(Some(PathBuf::from("/tmp")), &["/nowhere/chromium", "/bin/sh"], None);
        assert_eq!(found, Ok(PathBuf::from("/bin/sh")));
    }

    #[test]
    fn a_downloaded_browser_comes_after_those_of_the_system() {
        let Ok(platform) = download::platform() else { return };
        let folder = tempfile::tempdir().unwrap();
        let program = platform.program_in(&folder.path().join("chrome-131.0.1.2"));
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::copy("/bin/sh", &program).unwrap();
        assert_eq!(search(None, &["/nowhere/chromium"], Some(folder.path())), Ok(program));
        assert_eq!(search(None, &["/bin/sh"], Some(folder.path())), Ok(PathBuf::from("/bin/sh")));
    }
}
