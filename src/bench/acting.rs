//! Acting on pages: clicks, texts, keys and selects, against the messages that do just that.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::laps::{Laps, expect, laps};
use super::pages::SHOPS;
use super::raw::{Raw, Tab};
use super::work::{self, Elements};
use super::{Bench, Line};
use crate::error::Result;

const CLICKS: usize = 30;

/// How often each block runs on each side.
const ROUNDS: usize = 5;

/// The raw side of a block, for the field of a turn.
type Work = fn(&mut Raw, &Tab, &Elements, usize) -> Result<()>;

/// Where the pages count the trusted clicks on their buttons.
const PRESSES: &str = "window.__n";

const TEXT: &str = "twenty characters ok";

/// One element again and again, and a hundred clicks on all buttons of the page in turn.
pub async fn clicks(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    let page = bench.pages.url(&SHOPS[1].path());
    let cards = SHOPS[1].cards;
    let name = |turn: usize| format!("Add product {} to cart", turn % cards + 1);
    let source = format!(
        "open(arg(\"page\", \"\")); let one = tree().find(\"button\", \"{}\");
         for turn in 0..{CLICKS} {{ click(one); }} eval_js(\"window.__n\")",
        name(0)
    );
    let ours = async |bench: &mut Bench| laps(&mut bench.session, &source, page.clone()).await;
    let (one, raw) = in_turns(bench, "click", &page, (PRESSES, &CLICKS.into()), ours, |raw, tab, elements| {
        let node = elements.get("button", &name(0))?;
        timed(CLICKS, |_| work::click(raw, tab, node))
    })
    .await?;
    add(Line::timed("click", &one, &raw));

    let source = format!(
        "open(arg(\"page\", \"\")); let page = tree(); let all = [];
         for turn in 0..100 {{ all.push(page.find(\"button\", `Add product ${{turn % {cards} + 1}} to cart`)); }}
         for one in all {{ click(one); }} eval_js(\"window.__n\")"
    );
    let ours = async |bench: &mut Bench| laps(&mut bench.session, &source, page.clone()).await;
    let (hundred, raw) = in_turns(bench, "click", &page, (PRESSES, &json!(100)), ours, |raw, tab, elements| {
        let nodes: Vec<i64> = (0..100).map(|turn| elements.get("button", &name(turn))).collect::<Result<_>>()?;
        timed(100, |turn| nodes.get(turn).map_or(Ok(()), |node| work::click(raw, tab, *node)))
    })
    .await?;
    let sums = |samples: &[Duration]| samples.chunks(100).map(|block| block.iter().sum()).collect::<Vec<Duration>>();
    add(Line::timed("100 clicks on other elements", &sums(&hundred), &sums(&raw)));
    Ok(())
}

/// A text of 20 characters written at once and key by key, and an option selected.
pub async fn fields(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    let page = bench.pages.url("form");
    let text = json!(TEXT).to_string();
    let value_of = |field: &str| format!("document.querySelector('[name={field}]').value");
    let rows: [(&str, &str, String, String, Value, Work); 3] = [
        (
            "fill",
            "fill 20 characters",
            format!("fill(page.find(\"textbox\", `Text field ${{turn}}`), {text});"),
            value_of("t10"),
            json!(TEXT),
            |raw, tab, elements, turn| {
                work::fill(raw, tab, elements.get("textbox", &format!("Text field {turn}"))?, TEXT)
            },
        ),
        (
            "type",
            "type 20 keys",
            format!("type(page.find(\"textbox\", `Text field ${{turn}}`), {text});"),
            value_of("t10"),
            json!(TEXT),
            |raw, tab, elements, turn| {
                work::type_keys(raw, tab, elements.get("textbox", &format!("Text field {turn}"))?, TEXT)
            },
        ),
        (
            "select",
            "select",
            "select(page.find(\"combobox\", `Choice ${turn}`), \"blue\");".into(),
            value_of("s10"),
            json!("blue"),
            |raw, tab, elements, turn| {
                work::select(raw, tab, elements.get("combobox", &format!("Choice {turn}"))?, "blue")
            },
        ),
    ];
    for (call, line, statement, check, wanted, raw_work) in rows {
        // The tree's own `find` is a call to the host too, but not one of this function.
        let source = format!(
            "open(arg(\"page\", \"\")); let page = tree();
             for turn in 1..11 {{ {statement} }} eval_js({})",
            json!(check)
        );
        let ours = async |bench: &mut Bench| laps(&mut bench.session, &source, page.clone()).await;
        let (ours, raw) = in_turns(bench, call, &page, (&check, &wanted), ours, |raw, tab, elements| {
            timed(10, |turn| raw_work(raw, tab, elements, turn + 1))
        })
        .await?;
        add(Line::timed(line, &ours, &raw));
    }
    Ok(())
}

/// Runs a block on both sides in turns and asks the page after each whether it happened.
async fn in_turns(
    bench: &mut Bench,
    call: &str,
    page: &str,
    (check, wanted): (&str, &Value),
    ours: impl AsyncFn(&mut Bench) -> Result<Laps>,
    theirs: impl Fn(&mut Raw, &Tab, &Elements) -> Result<Vec<Duration>>,
) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut pageboy, mut raw) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds(ROUNDS) {
        let laps = ours(bench).await?;
        expect(call, &laps.value, wanted)?;
        pageboy.extend(laps.of(call));
        let client = &mut bench.raw;
        let tab = client.tab()?;
        client.open(&tab, page)?;
        let elements = Elements::read(client, &tab)?;
        raw.extend(theirs(client, &tab, &elements)?);
        expect(call, &client.evaluate(&tab, check)?, wanted)?;
        client.close(&tab)?;
    }
    Ok((pageboy, raw))
}

/// Does a piece of work `times` times and returns how long each took.
fn timed(times: usize, mut work: impl FnMut(usize) -> Result<()>) -> Result<Vec<Duration>> {
    let one = |turn: usize| {
        let started = Instant::now();
        work(turn).map(|()| started.elapsed())
    };
    (0..times).map(one).collect()
}
