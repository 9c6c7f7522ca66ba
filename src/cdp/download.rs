//! Downloading a browser: Chrome for Testing, for machines where no package brings one.
//!
//! Invariant: a browser counts as downloaded when its folder has its final name, which it gets, whole, in one step.
//! Until then it lies in a folder that belongs to the process that fills it.

use std::error::Error as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Response};
use serde::Deserialize;

use super::find::is_program;
use super::profile::{lock, sweep};
use super::room::free;
use crate::budget::Budget;
use crate::error::{Error, InstallTrouble};

/// Names the latest version of each channel and where it is for each machine.
const VERSIONS: &str =
    "https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json";

/// How long the server may take to answer, and how long it may be silent in the middle of an archive.
const SILENCE: Duration = Duration::from_secs(30);

/// How much of the list of versions is read; it has some 20 kB.
const LIST_SIZE: usize = 4 << 20;

/// How much room an unpacked browser takes, with its archive, as a multiple of the archive.
const UNPACKED: u64 = 4;

const FINISHED: &str = "chrome-";
const UNFINISHED: &str = ".unfinished-";
const MEGABYTE: u64 = 1_000_000;

/// How far a download has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// What was chosen.
    Version(String),
    /// How many bytes have arrived, and how many there are, where the server told.
    Received {
        bytes: u64,
        whole: Option<u64>,
    },
    Unpacking,
}

/// What a kind of machine calls itself there, and the program in its archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Platform {
    name: &'static str,
    program: &'static str,
}

impl Platform {
    /// Returns the program in the folder of a browser.
    pub(super) fn program_in(self, folder: &Path) -> PathBuf {
        folder.join(self.program)
    }
}

const LINUX: Platform = Platform { name: "linux64", program: "chrome-linux64/chrome" };
const MAC_INTEL: Platform = Platform {
    name: "mac-x64",
    program: "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
};
const MAC_ARM: Platform = Platform {
    name: "mac-arm64",
    program: "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
};

/// Returns what can be downloaded for this machine.
///
/// # Errors
/// Why there is nothing, in words.
pub fn platform() -> Result<Platform, String> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        // The loader that the program names; systems with another C library, and NixOS, have it not.
        ("linux", "x86_64") if Path::new("/lib64/ld-linux-x86-64.so.2").exists() => Ok(LINUX),
        ("linux", "x86_64") => Err("Chrome needs glibc, whose loader `/lib64/ld-linux-x86-64.so.2` is not here".into()),
        ("macos", "x86_64") => Ok(MAC_INTEL),
        ("macos", "aarch64") => Ok(MAC_ARM),
        (system, machine) => Err(format!("there is no Chrome for Testing for {system} on {machine}")),
    }
}

/// Returns the newest browser that was downloaded to a folder.
pub fn downloaded(folder: &Path) -> Option<PathBuf> {
    let platform = platform().ok()?;
    newest(folder, platform)
}

fn newest(folder: &Path, platform: Platform) -> Option<PathBuf> {
    let versions = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let program = platform.program_in(&entry.path());
        let numbers: Vec<u64> = name.strip_prefix(FINISHED)?.split('.').map_while(|part| part.parse().ok()).collect();
        is_program(&program).then_some((numbers, program))
    });
    versions.max().map(|(_, program)| program)
}

/// Downloads the latest stable Chrome for Testing to a folder and returns its program.
///
/// # Errors
/// `browser::missing` where there is none for this machine or the server does not give it, `io::disk_full`,
/// `io::failed`, `budget::time`.
pub async fn download(
    platform: Platform,
    folder: &Path,
    budget: &Budget,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<PathBuf, Error> {
    download_from(VERSIONS, platform, folder, budget, progress).await
}

async fn download_from(
    list: &str,
    platform: Platform,
    folder: &Path,
    budget: &Budget,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<PathBuf, Error> {
    let cancelled = || budget.overrun().unwrap_or(Error::RunCancelled { during: None });
    let work = async {
        let client = client(list)?;
        let choice = choose(&client, list, platform).await?;
        progress(Progress::Version(choice.version.clone()));
        fs::create_dir_all(folder).map_err(|problem| unwritable(folder, 0, &problem))?;
        sweep(folder, UNFINISHED);
        let unfinished = Unfinished::create(folder).map_err(|problem| unwritable(folder, 0, &problem))?;
        let archive = unfinished.path.join("archive.zip");
        let size = fetch(&client, &choice.url, &archive, progress).await?;
        progress(Progress::Unpacking);
        unfinished.finish(archive, size, &choice, platform, folder).await
    };
    tokio::select! {
        program = work => program,
        () = budget.spent() => Err(cancelled()),
    }
}

/// The version to download and where it is.
#[derive(Debug, PartialEq, Eq)]
struct Choice {
    version: String,
    url: String,
}

fn client(list: &str) -> Result<Client, Error> {
    // It can only be set once; that it is set already is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder()
        .connect_timeout(SILENCE)
        .read_timeout(SILENCE)
        .user_agent(concat!("pageboy/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|problem| unreached(list, &problem))
}

async fn choose(client: &Client, list: &str, platform: Platform) -> Result<Choice, Error> {
    let mut answer = get(client, list).await?;
    let mut text = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|problem| unreached(list, &problem))? {
        text.extend_from_slice(&chunk);
        if text.len() > LIST_SIZE {
            return Err(odd(list, "the list of versions does not end".into()));
        }
    }
    choice(&text, platform).map_err(|reason| odd(list, reason))
}

#[derive(Deserialize)]
struct List {
    channels: Channels,
}

#[derive(Deserialize)]
struct Channels {
    #[serde(rename = "Stable")]
    stable: Channel,
}

#[derive(Deserialize)]
struct Channel {
    version: String,
    downloads: Downloads,
}

#[derive(Deserialize)]
struct Downloads {
    chrome: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    platform: String,
    url: String,
}

/// Chooses out of the list of versions.
fn choice(list: &[u8], platform: Platform) -> Result<Choice, String> {
    let list: List = serde_json::from_slice(list).map_err(|problem| format!("it is no list of versions: {problem}"))?;
    let Channel { version, downloads } = list.channels.stable;
    // It becomes the name of a folder.
    if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(format!("`{version}` is no version"));
    }
    let place = downloads.chrome.into_iter().find(|place| place.platform == platform.name);
    let Place { url, .. } = place.ok_or_else(|| format!("version {version} is not there for {}", platform.name))?;
    Ok(Choice { version, url })
}

async fn get(client: &Client, url: &str) -> Result<Response, Error> {
    let answer = client.get(url).send().await.map_err(|problem| unreached(url, &problem))?;
    if answer.status().is_success() {
        Ok(answer)
    } else {
        Err(odd(url, format!("the server answered with HTTP status {}", answer.status())))
    }
}

/// Writes what is at `url` to a file and returns how many bytes it has.
async fn fetch(
    client: &Client,
    url: &str,
    archive: &Path,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<u64, Error> {
    let mut answer = get(client, url).await?;
    let whole = answer.content_length();
    let needed = whole.unwrap_or_default().saturating_mul(UNPACKED);
    if let (Some(room), Some(folder)) = (archive.parent().and_then(free), archive.parent())
        && room < needed
    {
        return Err(full(folder, needed));
    }
    let failed = |problem: &io::Error| unwritable(archive, needed, problem);
    let mut file = File::create(archive).map_err(|problem| failed(&problem))?;
    let mut bytes = 0;
    progress(Progress::Received { bytes, whole });
    while let Some(chunk) = answer.chunk().await.map_err(|problem| unreached(url, &problem))? {
        file.write_all(&chunk).map_err(|problem| failed(&problem))?;
        bytes += chunk.len() as u64;
        progress(Progress::Received { bytes, whole });
    }
    Ok(bytes)
}

/// A folder in which a browser is put together; removed with everything in it when dropped.
struct Unfinished {
    path: PathBuf,
    _folder: tempfile::TempDir,
    /// Tells other processes that it is in use.
    _lock: File,
}

impl Unfinished {
    fn create(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(parent)?;
        let lock = lock(folder.path())?;
        Ok(Self { path: folder.path().to_owned(), _folder: folder, _lock: lock })
    }

    /// Unpacks the archive and gives the result its name.
    async fn finish(
        self,
        archive: PathBuf,
        size: u64,
        choice: &Choice,
        platform: Platform,
        parent: &Path,
    ) -> Result<PathBuf, Error> {
        let home = parent.join(format!("{FINISHED}{}", choice.version));
        let whole = Arc::new(self);
        let held = Arc::clone(&whole);
        // The thread keeps the folder, so that a cancelled download does not remove it under the unpacking.
        let unpacked = tokio::task::spawn_blocking(move || {
            let into = held.path.join("unpacked");
            let result = File::open(&archive)
                .map_err(zip::result::ZipError::from)
                .and_then(zip::ZipArchive::new)
                .and_then(|mut archive| archive.extract(&into));
            (into, result)
        })
        .await;
        let (into, result) = unpacked.map_err(|problem| Error::InternalBug { problem: problem.to_string() })?;
        result.map_err(|problem| match problem {
            zip::result::ZipError::Io(problem) if problem.kind() != io::ErrorKind::InvalidData => {
                unwritable(&home, size.saturating_mul(UNPACKED), &problem)
            }
            problem => odd(&choice.url, format!("the archive can't be unpacked: {problem}")),
        })?;
        if !is_program(&platform.program_in(&into)) {
            return Err(odd(&choice.url, format!("the archive holds no program `{}`", platform.program)));
        }
        let program = platform.program_in(&home);
        match fs::rename(&into, &home) {
            Ok(()) => Ok(program),
            // Another process was faster with the same version.
            Err(_) if is_program(&program) => Ok(program),
            Err(problem) => Err(unwritable(&home, 0, &problem)),
        }
    }
}

/// Words why a server was not reached, with every cause down to the system's.
fn unreached(url: &str, problem: &reqwest::Error) -> Error {
    let mut reason = String::new();
    let mut cause = problem.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        // Layers repeat what they wrap.
        if !reason.contains(&text) {
            reason.push_str(if reason.is_empty() { "" } else { ": " });
            reason.push_str(&text);
        }
        cause = inner.source();
    }
    if reason.is_empty() {
        reason = problem.to_string();
    }
    let trouble = match reason.to_lowercase() {
        reason if reason.contains("certificate") => InstallTrouble::Certificates,
        _ => InstallTrouble::Network,
    };
    Error::BrowserInstall { what: fetching(url), reason, trouble }
}

fn odd(url: &str, reason: String) -> Error {
    Error::BrowserInstall { what: fetching(url), reason, trouble: InstallTrouble::Answer }
}

fn fetching(url: &str) -> String {
    format!("fetching `{url}`")
}

fn unwritable(path: &Path, needed: u64, problem: &io::Error) -> Error {
    match problem.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => full(path, needed),
        _ => Error::IoFailed { path: path.display().to_string(), reason: problem.to_string() },
    }
}

fn full(path: &Path, needed: u64) -> Error {
    Error::IoDiskFull { path: path.display().to_string(), needed_mb: needed.div_ceil(MEGABYTE).max(1) }
}

#[cfg(test)]
mod tests;
