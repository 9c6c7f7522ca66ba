//! Tests against a real Chromium.

#![expect(clippy::disallowed_methods, reason = "the end of a process in another tree can only be polled for")]

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::budget::{Budget, Layer};

fn budget(milliseconds: u64) -> Budget {
    Budget::new(CancellationToken::new()).child(Duration::from_millis(milliseconds), Layer::Call)
}

struct Live {
    process: BrowserProcess,
    connection: Connection,
    events: mpsc::Receiver<Event>,
}

impl Live {
    async fn launch() -> Self {
        Self::launch_with(LaunchOptions::new(find::find(None).unwrap())).await
    }

    async fn launch_with(options: LaunchOptions) -> Self {
        let (carrier, process) = BrowserProcess::launch(options, &budget(30_000)).await.unwrap();
        let (sender, events) = mpsc::channel();
        let connection = Connection::start(carrier, move |event| drop(sender.send(event)));
        Self { process, connection, events }
    }

    /// Attaches to a new page.
    async fn page(&self, url: &str) -> CdpSession {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            target_id: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Attached {
            session_id: String,
        }
        let browser = self.connection.browser();
        let created = browser.call(protocol::target::CreateTargetParams::new(url), &budget(10_000)).await.unwrap();
        let target = created.decode::<Created>().unwrap().target_id;
        let attach = json!({"targetId": target, "flatten": true});
        let attached = browser.call_json("Target.attachToTarget", &attach, &budget(10_000)).await.unwrap();
        let session = self.connection.session(attached.decode::<Attached>().unwrap().session_id.into());
        session.call(protocol::page::EnableParams::default(), &budget(10_000)).await.unwrap();
        session
    }

    fn profile(&self) -> PathBuf {
        let arguments = std::fs::read(format!("/proc/{}/cmdline", self.process.pid())).unwrap();
        let arguments = String::from_utf8(arguments).unwrap();
        let folder = arguments.split('\0').find_map(|argument| argument.strip_prefix("--user-data-dir=")).unwrap();
        assert!(Path::new(folder).join("Default").is_dir());
        folder.into()
    }
}

async fn evaluate(session: &CdpSession, expression: &str, budget: &Budget) -> Result<Value, Failure> {
    let reply = session.call(js::runtime::EvaluateParams::new(expression), budget).await?;
    Ok(reply.decode::<Value>()?.pointer("/result/value").cloned().unwrap_or_default())
}

/// Returns how many processes have the profile in their command line; zombies have none.
fn processes_of(profile: &Path) -> usize {
    let profile = profile.to_str().unwrap();
    let line = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("cmdline")).ok();
    let lines = std::fs::read_dir("/proc").unwrap().flatten().filter_map(line);
    lines.filter(|line| String::from_utf8_lossy(line).contains(profile)).count()
}

/// Returns the zombies among our children that were a browser.
fn zombies() -> usize {
    let ours = std::process::id().to_string();
    let status = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("stat")).ok();
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(status);
    all.filter(|stat| {
        let after = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        stat.contains("(chrom") && after.starts_with(&format!("Z {ours} "))
    })
    .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_answers_and_closing_leaves_nothing() {
    let live = Live::launch().await;
    let profile = live.profile();
    let page = live.page("about:blank").await;
    assert_eq!(evaluate(&page, "6 * 7", &budget(5000)).await, Ok(json!(42)));
    assert!(processes_of(&profile) >= 1);
    let began = Instant::now();
    live.process.close(&live.connection).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(2), "it had to be killed");
    assert!(live.connection.is_closed());
    assert_eq!(processes_of(&profile), 0);
    assert!(!profile.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_leaves_nothing_either() {
    let live = Live::launch().await;
    let profile = live.profile();
    let temporary = profile.join("tmp");
    assert!(std::fs::read_dir(temporary).unwrap().count() > 0, "its temporary files lie in the profile");
    let began = Instant::now();
    drop(live);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(!profile.exists());
    assert_eq!(processes_of(&profile), 0);
}

#[tokio::test]
async fn dropping_works_on_a_runtime_of_one_thread() {
    let live = Live::launch().await;
    let profile = live.profile();
    drop(live);
    assert!(!profile.exists());
    assert_eq!(processes_of(&profile), 0);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(zombies(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_browser_fails_all_waiters_within_200_ms() {
    let live = Live::launch().await;
    let profile = live.profile();
    let page = live.page("about:blank").await;
    let never = js::runtime::EvaluateParams::builder().expression("new Promise(() => {})").await_promise(true).build();
    let waiting: Vec<_> = (0..20).map(|_| page.start(never.clone().unwrap())).collect();
    evaluate(&page, "1", &budget(5000)).await.unwrap();
    let began = Instant::now();
    let pid = rustix::process::Pid::from_raw(live.process.pid()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    for pending in waiting {
        let failure = pending.reply(&budget(5000)).await.unwrap_err();
        assert_eq!(failure, Failure::Closed { reason: "the browser was killed by signal 9".into() });
    }
    assert!(began.elapsed() < Duration::from_millis(200), "{:?}", began.elapsed());
    assert!(matches!(evaluate(&page, "1", &budget(1000)).await, Err(Failure::Closed { .. })));
    live.process.close(&live.connection).await.unwrap();
    assert!(!profile.exists());
    assert_eq!(processes_of(&profile), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_page_fails_its_waiters_and_not_the_others() {
    let live = Live::launch().await;
    let (page, other) = (live.page("about:blank").await, live.page("about:blank").await);
    let never = js::runtime::EvaluateParams::builder().expression("new Promise(() => {})").await_promise(true).build();
    let pending = page.start(never.unwrap());
    page.post(protocol::page::CrashParams::default());
    let began = Instant::now();
    assert!(matches!(pending.reply(&budget(5000)).await, Err(Failure::Crashed { .. })));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(evaluate(&other, "1", &budget(5000)).await, Ok(json!(1)));
    live.process.close(&live.connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_page_fails_its_waiters_as_detached() {
    let live = Live::launch().await;
    let page = live.page("about:blank").await;
    let never = js::runtime::EvaluateParams::builder().expression("new Promise(() => {})").await_promise(true).build();
    let pending = page.start(never.unwrap());
    page.call(protocol::page::CloseParams::default(), &budget(5000)).await.unwrap();
    assert!(matches!(pending.reply(&budget(5000)).await, Err(Failure::Detached { .. })));
    assert!(matches!(evaluate(&page, "1", &budget(5000)).await, Err(Failure::Detached { .. })));
    live.process.close(&live.connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_page_ends_the_wait_and_leaves_no_entry() {
    let live = Live::launch().await;
    let page = live.page("about:blank").await;
    page.post(js::runtime::EvaluateParams::new("while (true) {}"));
    let began = Instant::now();
    assert!(matches!(evaluate(&page, "1", &budget(300)).await, Err(Failure::NoAnswer { .. })));
    assert!(began.elapsed() < Duration::from_millis(400), "{:?}", began.elapsed());
    assert_eq!(live.connection.waiting(), 0);
    page.call(js::runtime::TerminateExecutionParams::default(), &budget(2000)).await.unwrap();
    assert_eq!(evaluate(&page, "1", &budget(5000)).await, Ok(json!(1)));
    live.process.close(&live.connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_surrogate_pair_spoils_no_reply() {
    let live = Live::launch().await;
    let page = live.page("about:blank").await;
    let text = evaluate(&page, r"'a\ud83cb\u{1f300}\udf00'", &budget(5000)).await;
    assert_eq!(text, Ok(json!("a\u{fffd}b\u{1f300}\u{fffd}")));
    live.process.close(&live.connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn events_arrive_before_the_answer_that_follows_them() {
    let live = Live::launch().await;
    for _ in 0..20 {
        let page = live.page("about:blank#1").await;
        let attached = live.events.try_iter().any(|event| {
            matches!(event.kind, EventKind::AttachedToTarget { session, target, .. }
                if Some(&session) == page.id() && target.kind == "page" && target.attached)
        });
        assert!(attached, "the session was announced before it was handed out");
    }
    live.process.close(&live.connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_no_browser_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("chrome");
    std::fs::write(&program, "#!/bin/sh\necho 'cannot open display: :99' >&2\nexit 3\n").unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, permissions).unwrap();
    let failed = BrowserProcess::launch(LaunchOptions::new(&program), &budget(10_000)).await;
    let Err(error) = failed else { panic!("it was taken for a browser") };
    assert_eq!(error.code(), "browser::launch");
    assert!(error.to_string().ends_with("failed: cannot open display: :99"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_a_display_says_so() {
    let options = LaunchOptions {
        headed: true,
        arguments: vec!["--ozone-platform=x11".into()],
        ..LaunchOptions::new(find::find(None).unwrap())
    };
    if let Err(error) = BrowserProcess::launch(options, &budget(30_000)).await {
        assert_eq!(error.code(), "browser::launch");
        assert!(error.to_string().contains("Missing X server or $DISPLAY"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_never_answers_is_ended_at_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("chrome");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 1000.25\n").unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, permissions).unwrap();
    let run = Budget::new(CancellationToken::new()).child(Duration::from_millis(200), Layer::Run);
    let began = Instant::now();
    let Err(error) = BrowserProcess::launch(LaunchOptions::new(&program), &run).await else { panic!("no browser") };
    assert_eq!(error.code(), "budget::time");
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(processes_of(Path::new("1000.25")), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_browser_is_attached_to_by_port_and_by_address() {
    let options = LaunchOptions {
        arguments: vec!["--remote-debugging-port=0".into()],
        ..LaunchOptions::new(find::find(None).unwrap())
    };
    let mut live = Live::launch_with(options).await;
    // The browser's own end of the pipe stays open with this connection.
    let piped = live.connection.clone();
    let port = std::fs::read_to_string(live.profile().join("DevToolsActivePort")).unwrap();
    let (port, path) = port.split_once('\n').unwrap();
    for endpoint in [format!("http://localhost:{port}"), format!("ws://127.0.0.1:{port}{path}")] {
        let carrier = attach(&endpoint, &budget(10_000)).await.unwrap();
        let (sender, events) = mpsc::channel();
        live.connection = Connection::start(carrier, move |event| drop(sender.send(event)));
        live.events = events;
        let page = live.page("about:blank").await;
        let text = evaluate(&page, "'x'.repeat(20e6)", &budget(30_000)).await.unwrap();
        assert_eq!(text.as_str().map(str::len), Some(20_000_000), "no limit on the size of a message");
        live.connection.close();
        assert!(matches!(evaluate(&page, "1", &budget(1000)).await, Err(Failure::Closed { .. })));
    }
    assert!(!piped.is_closed(), "leaving does not end the browser");
    let carrier = attach(&format!("http://localhost:{port}"), &budget(10_000)).await.unwrap();
    let attached = Connection::start(carrier, |_| {});
    live.process.close(&piped).await.unwrap();
    tokio::time::timeout(Duration::from_secs(2), attached.closed()).await.expect("the end of the browser is noticed");
}
