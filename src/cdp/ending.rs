//! How a launched browser ended: watched while it runs, told in one line when it failed.

use std::process::ExitStatus;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr};
use tokio::sync::{oneshot, watch};

/// How much of stderr is kept, from its end.
const STDERR_KEPT: usize = 16 * 1024;

/// How far a browser has ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending {
    /// How the main process ended, once it has.
    pub exit: Option<String>,
    /// Whether every process that inherited its stderr is gone too.
    pub silent: bool,
    stderr: Vec<u8>,
}

impl Ending {
    /// Says whether no process of the browser is left.
    pub fn is_over(&self) -> bool {
        self.exit.is_some() && self.silent
    }

    /// Returns why the browser ended, in one line: what it wrote, else how its main process ended.
    pub fn reason(&self) -> Option<String> {
        reason(&String::from_utf8_lossy(&self.stderr)).or_else(|| self.exit.clone())
    }
}

/// Keeps the end of a browser's stderr, without which Chromium would stop at a full pipe, and notes how its main
/// process ends.
pub(super) async fn watch_over(
    mut child: Child,
    mut stderr: ChildStderr,
    ending: watch::Sender<Ending>,
    exit: oneshot::Sender<String>,
) {
    let waiting = async {
        let how = child.wait().await.map_or_else(|problem| problem.to_string(), ended);
        ending.send_modify(|ending| ending.exit = Some(how.clone()));
        if exit.send(how).is_err() {
            tracing::trace!("the browser outlived its connection");
        }
    };
    let reading = async {
        let mut chunk = [0; 4096];
        while let Ok(length @ 1..) = stderr.read(&mut chunk).await {
            ending.send_modify(|ending| {
                ending.stderr.extend_from_slice(chunk.get(..length).unwrap_or_default());
                let surplus = ending.stderr.len().saturating_sub(STDERR_KEPT);
                ending.stderr.drain(..surplus);
            });
        }
        ending.send_modify(|ending| ending.silent = true);
    };
    tokio::join!(waiting, reading);
}

/// Words how a browser's main process ended.
fn ended(exit: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (exit.code(), exit.signal()) {
        (Some(code @ 1..), _) => format!("the browser ended with exit status {code}"),
        (_, Some(signal)) => format!("the browser was killed by signal {signal}"),
        _ => "the browser ended".into(),
    }
}

/// Picks what Chromium says about its failure out of its stderr: the fatal message, else the last two errors (the
/// last one often only says that it gives up), else the last line.
fn reason(stderr: &str) -> Option<String> {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty() && !is_usual(line));
    let last = |mark: &str, count: usize| {
        let marked: Vec<_> = lines().filter(|line| line.contains(mark)).collect();
        let texts = marked.get(marked.len().saturating_sub(count)..).unwrap_or_default().iter();
        (!marked.is_empty()).then(|| texts.map(|line| without_prefix(line)).collect::<Vec<_>>().join("; "))
    };
    let told = last(":FATAL:", 1).or_else(|| last(":ERROR:", 2)).or_else(|| lines().next_back().map(str::to_owned))?;
    Some(told.chars().take(500).collect())
}

/// Says whether Chromium writes such a line on every machine without a desktop, or after any other failure.
fn is_usual(line: &str) -> bool {
    line.contains("dbus/") || line.contains("zygote_linux.cc")
}

/// Cuts `[123:123:1130/114500.1:ERROR:file.cc:101] ` off.
fn without_prefix(line: &str) -> &str {
    line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, text)| text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_fatal_message_without_its_prefix() {
        let stderr = "[1:1:1130/1.2:ERROR:dbus/bus.cc:406] Failed to connect to the bus\n\
            [1:1:1130/1.2:ERROR:ozone.cc:1] Missing X server or $DISPLAY\n\
            [1:1:1130/1.2:ERROR:env.cc:257] The platform failed to initialize.\n\
            [2:2:0100/0.8:ERROR:content/zygote/zygote_linux.cc:662] write: Broken pipe (32)\n";
        let told = "Missing X server or $DISPLAY; The platform failed to initialize.";
        assert_eq!(reason(stderr).as_deref(), Some(told));
        let fatal = "[1:1:1130/1.2:FATAL:zygote.cc:1] No usable sandbox!\n#0 0x55 base::debug\n";
        assert_eq!(reason(fatal).as_deref(), Some("No usable sandbox!"));
        let loader = "/opt/chrome: error while loading shared libraries: libnss3.so\n";
        assert_eq!(reason(loader).as_deref(), Some(loader.trim()));
        assert_eq!(reason("\n"), None);
    }
}
