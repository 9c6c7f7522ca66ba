//! Tests against a real Chromium.

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
        let options = LaunchOptions::new(find::find(None).unwrap());
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

/// Returns the processes, but for zombies, whose command line names the profile.
fn processes_of(profile: &Path) -> usize {
    let profile = profile.to_str().unwrap();
    let names_it = |entry: std::fs::DirEntry| {
        std::fs::read(entry.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(profile))
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter(|_| true).filter(|entry| {
        entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit())
    }).map(names_it).filter(|named| *named).count()
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
    eprintln!("closed in {:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(2), "it had to be killed");
    assert!(live.connection.is_closed());
    assert_eq!(processes_of(&profile), 0);
    assert!(!profile.exists());
}
