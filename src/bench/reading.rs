//! Reading pages: trees of growing shops, of frames and of shadow roots, against `Accessibility.getFullAXTree`.

use std::time::{Duration, Instant};

use serde_json::json;

use super::laps::{expect, laps};
use super::pages::SHOPS;
use super::table::Unit;
use super::{Bench, Line, work};
use crate::error::Result;

/// Reads twice: the first tree of a new document, and a second one while nothing changed.
const TWO_TREES: &str = "open(arg(\"page\", \"\")); let first = tree(); let second = tree();
[first.text.len(), first.text == second.text, first.counters.nodes]";

/// Pages with fewer nodes than this are part of a quick bench.
const QUICK: usize = 5_000;

/// The tree of each shop, the second tree of it, and the size of its text.
pub async fn trees(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    for shop in SHOPS {
        if bench.quick && shop.nodes > QUICK {
            continue;
        }
        let rounds = bench.rounds(match shop.nodes {
            0..5_000 => 15,
            5_000..20_000 => 7,
            _ => 3,
        });
        let (first, second, raw, characters) = both(bench, &shop.path(), rounds, None).await?;
        let nodes = shop.nodes;
        add(Line::timed(format!("tree of {nodes} nodes"), &first, &raw));
        add(Line::timed(format!("second tree of {nodes} nodes"), &second, &raw));
        add(Line::size(format!("text of the tree of {nodes} nodes"), Unit::Characters, characters));
    }
    Ok(())
}

/// Trees that are joined from several documents or cross shadow roots. The raw client has attached to all frames
/// before its time is taken; pageboy's first tree may still wait for some of them.
pub async fn frames(bench: &mut Bench, add: &mut impl FnMut(Line)) -> Result<()> {
    for (work, page, elsewhere) in [
        ("tree of 20 frames, same origin", "frames", Some(0)),
        ("tree of 5 frames in other processes", "xframes", Some(5)),
        ("tree of 250 shadow roots", "shadow", None),
    ] {
        let rounds = bench.rounds(9);
        let (first, second, raw, _) = both(bench, page, rounds, elsewhere).await?;
        add(Line::timed(work, &first, &raw));
        add(Line::timed(format!("second {work}"), &second, &raw));
    }
    Ok(())
}

/// Reads a page in turns with both clients: pageboy's first and second trees, the raw ones, and the size of the text.
/// `elsewhere` is the number of frames in other processes on a page with frames.
async fn both(
    bench: &mut Bench,
    page: &str,
    rounds: usize,
    elsewhere: Option<usize>,
) -> Result<(Vec<Duration>, Vec<Duration>, Vec<Duration>, f64)> {
    let url = bench.pages.url(page);
    let (mut first, mut second, mut raw) = (Vec::new(), Vec::new(), Vec::new());
    let mut characters = 0.0;
    for _ in 0..rounds {
        let run = laps(&mut bench.session, TWO_TREES, url.clone()).await?;
        expect(page, &run.value[1], &json!(true))?;
        characters = run.value[0].as_f64().unwrap_or_default();
        let mut trees = run.of("tree").into_iter();
        first.extend(trees.next());
        second.extend(trees.next());
        raw.push(raw_tree(bench, &url, elsewhere)?);
    }
    Ok((first, second, raw, characters))
}

fn raw_tree(bench: &mut Bench, url: &str, elsewhere: Option<usize>) -> Result<Duration> {
    let client = &mut bench.raw;
    let tab = client.tab()?;
    let took = match elsewhere {
        None => {
            client.open(&tab, url)?;
            let started = Instant::now();
            work::tree(client, &tab)?;
            started.elapsed()
        }
        Some(elsewhere) => {
            let frames = work::frames_of(client, &tab, url, elsewhere)?;
            let started = Instant::now();
            work::trees(client, &frames)?;
            started.elapsed()
        }
    };
    client.close(&tab)?;
    Ok(took)
}
