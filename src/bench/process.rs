//! Whole processes: `pageboy run` from its start to its end, against this same program as a raw client.

use std::io::Write;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio_util::sync::CancellationToken;

use super::laps::expect;
use super::pages::SHOPS;
use super::raw::Raw;
use super::table::Unit;
use super::{Bench, Line, START, free_port, work};
use crate::budget::{Budget, Layer};
use crate::cdp::{BrowserProcess, LaunchOptions};
use crate::error::{Error, Resource, Result};

/// What a process prints once its first tree is there.
const READY: &str = "ready";

const FIRST_TREE: &str = "open(arg(\"page\", \"\")); tree(); log(\"ready\");";

/// Keeps the process alive until its memory was looked at.
const TREE_AND_WAIT: &str = "open(arg(\"page\", \"\")); tree(); log(\"ready\"); sleep(1000);";

const FORM: &str = "open(arg(\"page\", \"\")); let page = tree();
for i in 1..21 { fill(page.find(\"textbox\", `Text field ${i}`), `value ${i}`); }
for i in 1..6 { select(page.find(\"combobox\", `Choice ${i}`), \"green\"); }
for i in 1..5 { check(page.find(\"checkbox\", `Accept rule ${i}`)); }
click(page.find(\"button\", \"Submit form\"));
eval_js(\"window.__sent\")";

/// How often a process is started on each side.
const ROUNDS: usize = 7;

/// A job of the raw client in a process of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// Opens the page in the browser at the endpoint and reads its tree.
    Tree,
    /// The same in a browser that it starts; the endpoint is the browser's program.
    OwnTree,
    /// The form job.
    Form,
}

impl Errand {
    pub const ALL: [(&str, Self); 3] = [("tree", Self::Tree), ("own-tree", Self::OwnTree), ("form", Self::Form)];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, errand)| *errand == self).map_or("", |(name, _)| name)
    }
}

/// Does an errand in this process and writes its result to `out`.
///
/// # Errors
/// `browser::launch`, `browser::gone`, `browser::protocol`.
pub async fn run_errand(errand: Errand, endpoint: &str, page: &str, out: &mut impl Write) -> Result<()> {
    let mut say = |text: &str| {
        writeln!(out, "{text}").map_err(|error| Error::IoSystem { what: Resource::Output, reason: error.to_string() })
    };
    match errand {
        Errand::Tree => first_tree(endpoint, page).and_then(|()| say(READY)),
        Errand::OwnTree => {
            let port = free_port()?;
            let mut launch = LaunchOptions::new(endpoint);
            launch.arguments.push(format!("--remote-debugging-port={port}"));
            let budget = Budget::new(CancellationToken::new()).child(START, Layer::Run);
            let (_carrier, _browser) = BrowserProcess::launch(launch, &budget).await?;
            first_tree(&format!("http://127.0.0.1:{port}"), page).and_then(|()| say(READY))
        }
        Errand::Form => say(&work::form_job(&mut Raw::connect(endpoint)?, page)?.to_string()),
    }
}

fn first_tree(endpoint: &str, page: &str) -> Result<()> {
    let mut raw = Raw::connect(endpoint)?;
    let tab = raw.tab()?;
    raw.open(&tab, page)?;
    work::tree(&mut raw, &tab)?;
    raw.close(&tab)
}

/// From the start of the process to the first tree, in a running browser and in one of its own.
pub async fn cold_starts(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    let page = bench.pages.url(&SHOPS[1].path());
    let script = script_file(FIRST_TREE)?;
    let program = bench.program.display().to_string();
    for (work, errand) in
        [("cold start to first tree, browser runs", Errand::Tree), ("cold start to first tree", Errand::OwnTree)]
    {
        let (mut ours, mut raw) = (Vec::new(), Vec::new());
        for _ in 0..bench.rounds(ROUNDS) {
            let mut run = pageboy_run(script.path(), &page)?;
            match errand {
                Errand::OwnTree => run.env("PAGEBOY_BROWSER", &bench.program),
                _ => run.args(["--connect", &bench.endpoint]),
            };
            ours.push(until_ready(run).await?);
            let target = if errand == Errand::OwnTree { &program } else { &bench.endpoint };
            raw.push(until_ready(errand_process(errand, target, &page)?).await?);
        }
        add(Line::timed(work, &ours, &raw));
    }
    Ok(())
}

/// A form with 30 steps, from the start of the process to its end.
pub async fn form_job(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    let page = bench.pages.url("form");
    let script = script_file(FORM)?;
    let (mut ours, mut raw) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds(ROUNDS) {
        let mut run = pageboy_run(script.path(), &page)?;
        run.args(["--connect", &bench.endpoint, "--allow-js"]);
        let started = Instant::now();
        let sent = output(run).await?;
        ours.push(started.elapsed());
        expect_form(sent.trim())?;
        let started = Instant::now();
        let sent = output(errand_process(Errand::Form, &bench.endpoint, &page)?).await?;
        raw.push(started.elapsed());
        let sent: Value = serde_json::from_str(&sent).unwrap_or_default();
        expect_form(sent.as_str().unwrap_or_default())?;
    }
    add(Line::timed("form of 30 steps, whole process", &ours, &raw));
    Ok(())
}

/// Checks what the form sent: each field in order, the ones that were left alone too.
fn expect_form(sent: &str) -> Result<()> {
    let told: Value = serde_json::from_str(sent).unwrap_or_default();
    let texts = (1..31).map(|i| json!([format!("t{i}"), if i < 21 { format!("value {i}") } else { String::new() }]));
    let selects = (1..11).map(|i| json!([format!("s{i}"), if i < 6 { "green" } else { "red" }]));
    let checks = (1..5).map(|i| json!([format!("c{i}"), "on"]));
    expect("the form", &told, &texts.chain(selects).chain(checks).collect())
}

/// The most memory that pageboy has used, its worker process included, after a tree of the 10k page.
pub async fn memory(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    let shop = SHOPS[if bench.quick { 1 } else { 2 }];
    let script = script_file(TREE_AND_WAIT)?;
    let mut run = pageboy_run(script.path(), &bench.pages.url(&shop.path()))?;
    run.args(["--connect", &bench.endpoint]);
    let (mut child, _out) = start_until_ready(run).await?;
    let peak = child.id().and_then(peak_of_tree);
    ended(child.wait().await.map_err(failed)?)?;
    if let Some(peak) = peak {
        add(Line::size(format!("peak memory, tree of {} nodes", shop.nodes), Unit::Megabytes, peak));
    }
    Ok(())
}

/// Returns the most memory that a process and its children have had resident so far, in megabytes; `None` where the
/// system does not tell.
fn peak_of_tree(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().split(' ').next()?.parse().ok()?;
    let mut peak = kibibytes * 1024.0 / 1e6;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|child| child.parse().ok());
        peak += children.filter_map(peak_of_tree).sum::<f64>();
    }
    Some(peak)
}

fn script_file(source: &str) -> Result<tempfile::NamedTempFile> {
    let written = tempfile::Builder::new().suffix(".rhai").tempfile().and_then(|mut file| {
        file.write_all(source.as_bytes())?;
        Ok(file)
    });
    written.map_err(failed)
}

fn this_program() -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    Ok(command)
}

fn pageboy_run(script: &Path, page: &str) -> Result<Command> {
    let mut command = this_program()?;
    command.arg("run").arg(script).arg("--arg").arg(format!("page={page}"));
    Ok(command)
}

fn errand_process(errand: Errand, target: &str, page: &str) -> Result<Command> {
    let mut command = this_program()?;
    command.args(["bench", "--errand", errand.name(), "--target", target, "--page", page]);
    Ok(command)
}

/// Starts a process, returns the time until it says that its tree is there, and waits for its end.
async fn until_ready(command: Command) -> Result<Duration> {
    let started = Instant::now();
    let (mut child, _out) = start_until_ready(command).await?;
    let took = started.elapsed();
    ended(child.wait().await.map_err(failed)?)?;
    Ok(took)
}

async fn start_until_ready(mut command: Command) -> Result<(Child, BufReader<ChildStdout>)> {
    let mut child = command.spawn().map_err(failed)?;
    let out = child.stdout.take().ok_or_else(|| failed("its output is not a pipe"))?;
    let mut out = BufReader::new(out);
    let mut line = String::new();
    out.read_line(&mut line).await.map_err(failed)?;
    if line.trim() == READY { Ok((child, out)) } else { Err(failed(format!("it printed `{}`", line.trim()))) }
}

async fn output(mut command: Command) -> Result<String> {
    let mut child = command.spawn().map_err(failed)?;
    let mut text = String::new();
    let mut out = child.stdout.take().ok_or_else(|| failed("its output is not a pipe"))?;
    out.read_to_string(&mut text).await.map_err(failed)?;
    ended(child.wait().await.map_err(failed)?)?;
    Ok(text)
}

fn ended(status: ExitStatus) -> Result<()> {
    if status.success() { Ok(()) } else { Err(failed(status)) }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn failed(problem: impl ToString) -> Error {
    Error::IoSystem { what: Resource::Process, reason: problem.to_string() }
}
