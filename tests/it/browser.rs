//! The one Chromium that most tests share. Each run connects to it; runs that crash or hang a page, and tests
//! of starting and stopping, have a browser of their own instead.
//!
//! Rust runs no destructors for statics, so a shell holds the browser: it waits on its standard input, which
//! ends with the test process, also when that is killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Starts the browser in the background and stops it when standard input ends. `trap` comes after the start:
/// the browser would inherit ignored signals.
const KEEPER: &str = r#"
"$@" </dev/null >"$PROFILE/log" 2>&1 &
browser=$!
trap : INT TERM HUP
read -r line
kill "$browser" 2>/dev/null
wait "$browser" 2>/dev/null
rm -rf "$PROFILE"
"#;

/// No look-up leaves the machine, and no timer is slowed down in a window that nobody sees.
const ARGUMENTS: &[&str] = &[
    "--headless=new",
    "--remote-debugging-port=0",
    "--remote-debugging-address=127.0.0.1",
    "--window-size=1280,900",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-popup-blocking",
    "--password-store=basic",
    "--use-mock-keychain",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]",
    "about:blank",
];

/// Returns the address of the shared browser. `PAGEBOY_TEST_BROWSER` names one that already runs.
pub fn shared() -> &'static str {
    static SHARED: OnceLock<(String, Option<Child>)> = OnceLock::new();
    &SHARED
        .get_or_init(|| match std::env::var("PAGEBOY_TEST_BROWSER") {
            Ok(address) => (address, None),
            Err(_) => start(),
        })
        .0
}

/// Returns the browser program that pageboy itself would use.
pub fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let found = Command::new(env!("CARGO_BIN_EXE_pageboy"))
            .args(["browser", "path"])
            .stdin(Stdio::null())
            .output()
            .expect("pageboy starts");
        let path = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        assert!(
            found.status.success() && !path.is_empty(),
            "the tests need a browser: run `cargo run -- browser install`\n{}",
            String::from_utf8_lossy(&found.stderr)
        );
        path
    })
}

fn start() -> (String, Option<Child>) {
    // The keeper removes the folder, when the browser has ended.
    let profile = tempfile::Builder::new().prefix("pageboy-tests-").tempdir().expect("a temporary folder").keep();
    let mut command = Command::new("sh");
    command.args(["-c", KEEPER, "sh", program()]).args(ARGUMENTS);
    command.arg(format!("--user-data-dir={}", profile.display())).env("PROFILE", &profile);
    if rustix::process::geteuid().is_root() {
        command.arg("--no-sandbox");
    }
    let mut keeper = command.stdin(Stdio::piped()).spawn().expect("sh starts");
    keeper.stdin.as_mut().expect("a pipe").flush().expect("an open pipe");
    let address = address(&profile);
    (address, Some(keeper))
}

/// Reads the port and path that the browser writes when it listens.
fn address(profile: &Path) -> String {
    let start = Instant::now();
    loop {
        if let Ok(file) = std::fs::File::open(profile.join("DevToolsActivePort")) {
            let mut lines = BufReader::new(file).lines();
            if let (Some(Ok(port)), Some(Ok(path))) = (lines.next(), lines.next()) {
                return format!("ws://127.0.0.1:{port}{path}");
            }
        }
        assert!(
            start.elapsed() < Duration::from_secs(40),
            "the shared browser does not listen:\n{}",
            std::fs::read_to_string(profile.join("log")).unwrap_or_default()
        );
        thread::sleep(Duration::from_millis(20));
    }
}
