//! How fast pageboy is: each figure beside the raw CDP messages for the same work, sent to the same browser in the
//! same run by a minimal client. Absolute times depend on the machine and what else it does; the ratio hardly does.
//!
//! Invariant: a block of work counts only after the page itself was asked whether it happened.

mod acting;
mod laps;
mod pages;
mod process;
mod raw;
mod reading;
mod table;
mod work;

pub use process::{Errand, run_errand};
pub use table::{Line, Table};

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::pages::Pages;
use self::raw::Raw;
use crate::budget::{Budget, Layer};
use crate::cdp::{BrowserProcess, Carrier, LaunchOptions};
use crate::error::{Error, Resource, Result};
use crate::{ConnectOptions, Session};

/// How long the browser may take to start.
const START: Duration = Duration::from_mins(1);

/// What to measure.
#[derive(Debug, Clone)]
pub struct BenchOptions {
    /// The browser's program.
    pub browser: PathBuf,
    /// Small pages and few repetitions: a check that everything works, no figures to quote.
    pub quick: bool,
}

/// What a block of the bench works with.
struct Bench {
    pages: Pages,
    endpoint: String,
    raw: Raw,
    session: Session,
    quick: bool,
    program: PathBuf,
}

impl Bench {
    /// Returns how often a block is repeated: `thorough` times, or once.
    fn rounds(&self, thorough: usize) -> usize {
        if self.quick { 1 } else { thorough }
    }
}

/// Measures everything; `heard` gets each line as soon as it is known.
///
/// # Errors
/// `browser::launch`, `browser::gone`, and `browser::protocol` when the page says that some work was not done.
pub async fn bench(options: BenchOptions, mut heard: impl FnMut(&Line)) -> Result<Table> {
    let pages = Pages::serve().await?;
    let mut launch = LaunchOptions::new(&options.browser);
    let port = free_port()?;
    launch.arguments.push(format!("--remote-debugging-port={port}"));
    let budget = Budget::new(CancellationToken::new()).child(START, Layer::Run);
    // The carrier stays open: its end would be the browser's.
    let (_carrier, _browser): (Carrier, BrowserProcess) = BrowserProcess::launch(launch, &budget).await?;
    let endpoint = format!("http://127.0.0.1:{port}");
    let session = Session::connect(ConnectOptions { endpoint: endpoint.clone(), isolated: true }).await?;
    let raw = Raw::connect(&endpoint)?;
    let browser = raw.product().to_owned();
    let mut bench = Bench { pages, endpoint, raw, session, quick: options.quick, program: options.browser };
    let mut table = Table::new(browser);
    let mut add = |line: Line| {
        heard(&line);
        table.lines.push(line);
    };
    process::cold_starts(&mut bench, &mut add).await?;
    reading::trees(&mut bench, &mut add).await?;
    reading::frames(&mut bench, &mut add).await?;
    acting::clicks(&mut bench, &mut add).await?;
    acting::fields(&mut bench, &mut add).await?;
    process::form_job(&mut bench, &mut add).await?;
    process::memory(&mut bench, &mut add).await?;
    bench.session.close().await?;
    Ok(table)
}

/// Returns a port that nobody listens on.
fn free_port() -> Result<u16> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    bound
        .map(|address| address.port())
        .map_err(|error| Error::IoSystem { what: Resource::Loopback, reason: error.to_string() })
}
