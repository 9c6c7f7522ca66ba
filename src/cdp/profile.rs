//! The temporary profile folder of a launched browser.
//!
//! Invariant: a folder is removed only by the process that made it, or after the lock of that process is gone.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

const PREFIX: &str = "pageboy-profile-";
const LOCK: &str = "pageboy.lock";

const TEMPORARY: &str = "tmp";

/// The length of `/org.chromium.Chromium.XXXXXX/SingletonSocket` with a little to spare, and the longest path that
/// a socket can have on every system.
const SOCKET_NAME: usize = 48;
const SOCKET_PATH: usize = 103;

/// How long a folder without a lock is taken for one that is just being made.
const YOUNG: Duration = Duration::from_mins(1);

/// How often removing is tried.
const ATTEMPTS: usize = 50;

/// What a new profile is told: people's bubbles about passwords and addresses get in the way of a script.
const PREFERENCES: &str = r#"{"credentials_enable_service":false,"credentials_enable_autosignin":false,
"profile":{"password_manager_enabled":false,"password_manager_leak_detection":false},
"autofill":{"profile_enabled":false,"credit_card_enabled":false}}"#;

/// A profile folder; removed by [`remove`](Self::remove), and on drop if that was not called.
#[derive(Debug)]
pub(super) struct Profile {
    folder: TempDir,
    /// Held as long as we live, so that a folder left behind by a killed process can be told from one in use.
    _lock: File,
}

impl Profile {
    /// Makes a profile folder in the system's folder for temporary files, and removes those of dead processes.
    pub fn create() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        sweep(&parent, PREFIX);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = lock(folder.path())?;
        let default = folder.path().join("Default");
        fs::create_dir(&default)?;
        fs::write(default.join("Preferences"), PREFERENCES)?;
        fs::create_dir(folder.path().join(TEMPORARY))?;
        Ok(Self { folder, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns a folder for the browser's own temporary files, which Chromium 156 leaves behind when it is killed;
    /// `None` where its path is too long for the socket that Chromium makes in it.
    pub fn temporary_folder(&self) -> Option<PathBuf> {
        let folder = self.path().join(TEMPORARY);
        (folder.as_os_str().len() + SOCKET_NAME <= SOCKET_PATH).then_some(folder)
    }

    /// Removes the folder. Chromium's last processes may still be writing, so a failure is tried again a few times.
    pub fn remove(&mut self) -> Result<(), (PathBuf, io::Error)> {
        self.folder.disable_cleanup(true);
        let path = self.folder.path();
        let mut last = Ok(());
        for _ in 0..ATTEMPTS {
            last = match fs::remove_dir_all(path) {
                Err(problem) if problem.kind() != io::ErrorKind::NotFound => Err((path.to_owned(), problem)),
                _ => return Ok(()),
            };
            std::thread::yield_now();
        }
        last
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        if let Err((path, problem)) = self.remove() {
            tracing::warn!(path = %path.display(), %problem, "a temporary profile is left behind");
        }
    }
}

/// Marks a new folder as in use for as long as the file is open.
pub(super) fn lock(folder: &Path) -> io::Result<File> {
    let lock = File::create(folder.join(LOCK))?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    Ok(lock)
}

/// Removes the folders of processes that were killed before they could.
pub(super) fn sweep(parent: &Path, prefix: &str) {
    for folder in abandoned(parent, prefix) {
        if let Err(problem) = fs::remove_dir_all(&folder) {
            tracing::debug!(path = %folder.display(), %problem, "an abandoned folder can't be removed");
        }
    }
}

/// Returns the profile folders of processes that were killed before they could remove them.
pub fn abandoned_profiles() -> Vec<PathBuf> {
    abandoned(&std::env::temp_dir(), PREFIX)
}

fn abandoned(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let folders = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    folders.map(|entry| entry.path()).filter(|folder| is_abandoned(folder)).collect()
}

fn is_abandoned(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok(),
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => {
            let made = fs::metadata(folder).and_then(|facts| facts.modified());
            made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > YOUNG))
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_in_use_is_kept_and_an_abandoned_one_is_swept() {
        let profile = Profile::create().unwrap();
        let parent = tempfile::tempdir().unwrap();
        let abandoned = parent.path().join(format!("{PREFIX}dead"));
        let foreign = parent.path().join("something-else");
        let young = parent.path().join(format!("{PREFIX}young"));
        for folder in [&abandoned, &foreign, &young] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(abandoned.join(LOCK), "").unwrap();
        sweep(parent.path(), PREFIX);
        assert!(!abandoned.exists() && foreign.exists() && young.exists());
        assert!(!is_abandoned(profile.path()));
        let path = profile.path().to_owned();
        drop(profile);
        assert!(!path.exists());
    }
}
