//! `pageboy bench`: the speed table.

use std::io::{self, Write};

use clap::Args;

use super::demo::output_failed;
use super::{chosen_browser, interrupts};
use crate::bench::{BenchOptions, Errand, Line, bench, run_errand};
use crate::cdp;
use crate::error::Error;

#[derive(Debug, Args)]
pub struct BenchArguments {
    /// Only small pages and few repetitions
    #[arg(long)]
    quick: bool,
    /// Print one JSON object at the end instead of lines
    #[arg(long)]
    json: bool,
    /// Do a job of the raw client, whose process the bench measures
    #[arg(long, hide = true, requires_all = ["target", "page"], value_parser = errand)]
    errand: Option<Errand>,
    #[arg(long, hide = true)]
    target: Option<String>,
    #[arg(long, hide = true)]
    page: Option<String>,
}

fn errand(text: &str) -> Result<Errand, String> {
    let known = Errand::ALL.iter().find(|(name, _)| *name == text);
    known.map(|(_, errand)| *errand).ok_or_else(|| "expected tree, own-tree or form".into())
}

/// Measures and prints a line for each piece of work as soon as it is known.
pub async fn run(arguments: BenchArguments) -> Result<(), Error> {
    if let (Some(errand), Some(target), Some(page)) = (arguments.errand, &arguments.target, &arguments.page) {
        return run_errand(errand, target, page, &mut io::stdout()).await;
    }
    let browser = cdp::find::find(chosen_browser().as_deref())?;
    let say = |text: &str| writeln!(io::stdout(), "{text}").map_err(output_failed);
    if !arguments.json {
        if cfg!(debug_assertions) {
            say("This pageboy was built without optimisation; for figures to quote: cargo run --release -- bench\n")?;
        }
        say(&Line::head())?;
    }
    let mut unheard = Ok(());
    let heard = |line: &Line| {
        if !arguments.json && unheard.is_ok() {
            unheard = say(&line.to_string());
        }
    };
    let cancel = interrupts()?;
    // What the bench has started ends when its work is dropped.
    let table = tokio::select! {
        table = bench(BenchOptions { browser, quick: arguments.quick }, heard) => table?,
        () = cancel.cancelled() => return Err(Error::RunCancelled { during: None }),
    };
    unheard?;
    if arguments.json {
        let text = serde_json::to_string(&table).map_err(|error| output_failed(error.into()))?;
        return say(&text);
    }
    say(&format!("\n{}; medians; raw CDP is the same browser driven by the bare messages.", table.browser))
}
