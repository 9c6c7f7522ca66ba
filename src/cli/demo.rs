//! `pageboy demo`: serves the built-in shop and buys something in it, a line for each step.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::Args;

use super::{browser, chosen_browser, close, interrupts, terminal};
use crate::budget::Budget;
use crate::cdp;
use crate::demo::{DemoServer, quickstart};
use crate::error::{Error, Resource, Result};
use crate::host::observe::{Observer, StepEvent};
use crate::page::Browser;
use crate::session::{RunOptions, Session};

/// The script that the demo runs, as people find it in the repository.
const QUICKSTART: &str = "scripts/quickstart.rhai";

/// The port of `demo --serve` where it is free; the scripts in `scripts/` look for the shop there.
const USUAL_PORT: u16 = 4173;

/// The width of the column with the names of the steps.
const NAME_WIDTH: usize = 22;

/// Shop in the built-in demo shop, or only serve it.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Install a browser first if there is none
    #[arg(long, conflicts_with = "serve")]
    pub install_browser: bool,
    /// Serve the shop until Ctrl-C, without running a script
    #[arg(long)]
    pub serve: bool,
    /// Show the browser's window
    #[arg(long, conflicts_with = "serve")]
    pub headed: bool,
    /// Port of the shop, 0 for a free one [default: a free one; with --serve 4173 if it is free]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
}

/// Shops in the demo shop, or serves it until Ctrl-C, and returns the exit code.
///
/// # Errors
/// What keeps the shop or the browser from starting, and `io::failed` when nobody reads the output.
pub async fn run(arguments: DemoArgs) -> Result<u8> {
    if arguments.serve {
        return serve(arguments.port, &mut io::stdout()).await.map(|()| 0);
    }
    let chosen = chosen_browser();
    if arguments.install_browser {
        browser::install(true, chosen.as_deref()).await?;
    }
    let mut launch = cdp::LaunchOptions::new(cdp::find::find(chosen.as_deref())?);
    launch.headed = arguments.headed;
    let shop = DemoServer::start(arguments.port).await?;
    let mut progress = Progress::stdout();
    progress.opened(&shop.url(), QUICKSTART).map_err(output_failed)?;
    let script = quickstart();
    let started = Instant::now();
    let mut session = Session::start(Browser::Launch(launch), &Budget::new(interrupts()?)).await?;
    let options = RunOptions { observer: Some(Box::new(progress)), ..RunOptions::default() }.arg("shop", shop.url());
    let outcome = session.run(&script, options).await;
    let code = close(session, &script, outcome.exit_code()).await;
    shop.stop().await;
    terminal::report_failure(&outcome);
    if let Ok(value) = &outcome.result {
        let number = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Progress::stdout().ordered(&number, started.elapsed()).map_err(output_failed)?;
    }
    code
}

/// Serves the shop until Ctrl-C.
///
/// # Errors
/// `io::failed` when the port is in use or nobody reads the output.
async fn serve(port: Option<u16>, out: &mut impl Write) -> Result<()> {
    let shop = match port {
        Some(port) => DemoServer::start(Some(port)).await?,
        None => match DemoServer::start(Some(USUAL_PORT)).await {
            Ok(shop) => shop,
            Err(_) => DemoServer::start(None).await?,
        },
    };
    announce(out, &shop.url()).map_err(output_failed)?;
    tokio::signal::ctrl_c()
        .await
        .map_err(|error| Error::IoSystem { what: Resource::Signals, reason: error.to_string() })?;
    shop.stop().await;
    Ok(())
}

fn announce(out: &mut impl Write, shop: &str) -> io::Result<()> {
    // In one piece, so that a reader who has the address may go away.
    let text = format!(
        "The shop is open at {shop}\nTry:   pageboy run scripts/quickstart.rhai --arg shop={shop}\nStop:  Ctrl-C\n"
    );
    out.write_all(text.as_bytes())?;
    out.flush()
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
pub fn output_failed(error: io::Error) -> Error {
    Error::IoSystem { what: Resource::Output, reason: error.to_string() }
}

/// Writes the progress of the demo: one line for each step, which on a terminal appears when the step begins.
pub struct Progress<W> {
    out: W,
    /// Whether lines can be overwritten and coloured.
    live: bool,
    begun: bool,
}

impl Progress<io::Stdout> {
    pub fn stdout() -> Self {
        let out = io::stdout();
        let live = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Self { out, live, begun: false }
    }
}

impl<W: Write> Progress<W> {
    pub fn opened(&mut self, shop: &str, script: &str) -> io::Result<()> {
        writeln!(self.out, "The shop is open at {shop}")?;
        writeln!(self.out, "Running {script} in it:\n")
    }

    /// Writes the line of a step. A step inside another stands further right.
    pub fn write_step(&mut self, event: &StepEvent) -> io::Result<()> {
        self.clear()?;
        let indent = " ".repeat(2 * event.depth);
        let name = format!("{indent}{}", event.name);
        let Some(end) = event.ended else {
            if self.live {
                write!(self.out, "  \x1b[2m..  {name}\x1b[0m")?;
                self.begun = true;
            }
            return self.out.flush();
        };
        let (word, color) = if end.ok { ("ok", 32) } else { ("no", 31) };
        let took = seconds(Duration::from_millis(end.ms));
        if self.live {
            writeln!(self.out, "  \x1b[{color}m{word}\x1b[0m  {name:<NAME_WIDTH$} \x1b[2m{took:>8}\x1b[0m")
        } else {
            writeln!(self.out, "  {word}  {name:<NAME_WIDTH$} {took:>8}")
        }
    }

    /// Writes what the script printed.
    pub fn write_text(&mut self, text: &str) -> io::Result<()> {
        self.clear()?;
        text.lines().try_for_each(|line| writeln!(self.out, "      {line}"))
    }

    pub fn ordered(&mut self, number: &str, took: Duration) -> io::Result<()> {
        writeln!(self.out, "\nOrder {number} placed in {}.", seconds(took))?;
        self.out.flush()
    }

    /// Removes the line of a step that is under way.
    fn clear(&mut self) -> io::Result<()> {
        if self.begun {
            self.begun = false;
            write!(self.out, "\r\x1b[2K")?;
        }
        Ok(())
    }
}

/// The purchase goes on when nobody reads its progress any more; the last line fails loudly then.
impl<W: Write + Send> Observer for Progress<W> {
    fn printed(&mut self, text: &str) {
        if let Err(error) = self.write_text(text) {
            tracing::debug!(%error, "nobody reads the progress");
        }
    }

    fn step(&mut self, event: &StepEvent) {
        if let Err(error) = self.write_step(event) {
            tracing::debug!(%error, "nobody reads the progress");
        }
    }
}

fn seconds(took: Duration) -> String {
    format!("{:.2} s", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::observe::StepEnd;

    fn step(name: &str, ended: Option<(bool, u64)>) -> StepEvent {
        StepEvent { name: name.into(), depth: 0, ended: ended.map(|(ok, ms)| StepEnd { ok, ms }) }
    }

    fn written(live: bool) -> io::Result<String> {
        let mut progress = Progress { out: Vec::new(), live, begun: false };
        progress.opened("http://127.0.0.1:4173/", "scripts/quickstart.rhai")?;
        progress.step(&step("sign in", None));
        progress.step(&step("sign in", Some((true, 412))));
        progress.step(&step("pay by card", None));
        progress.printed("one\ntwo");
        progress.step(&step("pay by card", Some((false, 5004))));
        progress.ordered("PB-10423", Duration::from_millis(2870))?;
        Ok(String::from_utf8_lossy(&progress.out).into_owned())
    }

    #[test]
    fn plain_output_has_one_line_for_each_step() -> io::Result<()> {
        assert_eq!(
            written(false)?,
            "The shop is open at http://127.0.0.1:4173/\n\
             Running scripts/quickstart.rhai in it:\n\n  \
             ok  sign in                  0.41 s\n      \
             one\n      two\n  \
             no  pay by card              5.00 s\n\n\
             Order PB-10423 placed in 2.87 s.\n"
        );
        Ok(())
    }

    #[test]
    fn a_terminal_sees_a_step_when_it_begins_and_then_its_result_in_the_same_line() -> io::Result<()> {
        let text = written(true)?;
        assert!(text.contains("\x1b[2m..  sign in\x1b[0m\r\x1b[2K  \x1b[32mok\x1b[0m  sign in"), "{text:?}");
        Ok(())
    }
}
