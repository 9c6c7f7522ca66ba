//! What came of an action: navigation, tab, dialog, download, what changed, and the next sensible step.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::dialogs;
use super::ready::Target;
use crate::budget::{Budget, Layer};
use crate::page::Session;
use crate::page::probe::Facts;
use crate::page::settle::Spent;
use crate::page::world::{Download, Frame, Loading, World};

/// How long a navigation that has begun may take to show its document before the action returns without it.
const ARRIVES_WITHIN: Duration = Duration::from_secs(5);

/// How long after the end of a navigation without a document the browser may take to tell of a file: 3 to 10 ms when
/// it is not busy (Chromium 156).
const FILE_FOLLOWS_WITHIN: Duration = Duration::from_millis(250);

/// How long a link that opens a tab may take to do so.
const TAB_WITHIN: Duration = Duration::from_secs(1);

/// What a frame had seen before an action.
#[derive(Debug)]
struct Before {
    loader: Option<String>,
    commits: u64,
    requests: u64,
    fruitless: u64,
}

impl Before {
    fn of(frame: &Frame) -> Self {
        let &Frame { commits, requests, fruitless, .. } = frame;
        Self { loader: frame.loader.clone(), commits, requests, fruitless }
    }
}

/// The state of the browser before an action.
#[derive(Debug)]
pub struct Mark {
    frames: HashMap<String, Before>,
    tabs: usize,
    downloads: usize,
    dialogs: u64,
}

/// What was done.
#[derive(Debug)]
pub struct Deed {
    /// `mouse`, `label`, `keys`, `text`, `set`, `form` or `none`.
    pub method: &'static str,
    /// What the page script saw afterwards.
    pub after: Option<Facts>,
    /// For a field, what it holds now; an inner `None` for a sensitive one.
    pub value: Option<Option<String>>,
}

impl Mark {
    pub fn take(page: &Session) -> Self {
        let target = page.target();
        page.live().read(|world| Self {
            frames: world.frames_of(target).into_iter().map(|(id, frame)| (id.to_owned(), Before::of(frame))).collect(),
            tabs: world.tabs().count(),
            downloads: world.downloads().len(),
            dialogs: world.tab(target).map_or(0, |tab| tab.dialogs_seen),
        })
    }

    /// Returns the frame of the tab that shows another address than before, the main frame first, and whether it
    /// is another document.
    fn navigated(&self, world: &World, target: &str) -> Option<(String, bool)> {
        world.frames_of(target).into_iter().find_map(|(id, frame)| {
            let before = self.frames.get(id)?;
            (frame.commits > before.commits).then(|| (frame.url.clone(), frame.loader != before.loader))
        })
    }

    /// Returns the download that the action began: by a navigation that ended in a file, in a frame or tab that it
    /// navigated or opened, or by a link that asked to save an address. Others that begin meanwhile are not its own.
    fn download<'a>(&self, world: &'a World, target: &str, asked: &[String]) -> Option<&'a Download> {
        // A server may lead on from one address to another.
        let leads_to = |asked: &str, load: &Download| asked == load.url || is_http(asked) && is_http(&load.url);
        let by_request = |load: &Download| {
            let opened = world.tabs().skip(self.tabs).any(|tab| tab.target == load.tab);
            let frame = world.frame(&load.frame);
            opened
                || match self.frames.get(&load.frame) {
                    Some(before) => {
                        frame.is_some_and(|frame| frame.requests > before.requests && leads_to(&frame.requested, load))
                    }
                    None => load.tab == target,
                }
        };
        let led_on = |load: &Download| load.tab == target && asked.iter().any(|asked| leads_to(asked, load));
        let began = || world.downloads().iter().skip(self.downloads);
        let by_link = || began().find(|load| asked.contains(&load.url)).or_else(|| began().find(|load| led_on(load)));
        began().find(|load| by_request(load)).or_else(|| if asked.is_empty() { None } else { by_link() })
    }

    /// Returns whether a navigation that the action asked for ended without a document, and no file came of it yet.
    fn led_nowhere(&self, world: &World, target: &str) -> bool {
        world.frames_of(target).into_iter().any(|(id, frame)| {
            let (requests, fruitless) =
                self.frames.get(id).map_or((0, 0), |before| (before.requests, before.fruitless));
            frame.requests > requests && frame.fruitless > fruitless && self.download(world, target, &[]).is_none()
        })
    }
}

fn is_http(url: &str) -> bool {
    url.starts_with("http:") || url.starts_with("https:")
}

/// Waits for what the action set going, then reports it. The action is done: what goes wrong with the page now is
/// part of the report, or the next call's error.
pub async fn report(page: &mut Session, target: Option<&Target>, mark: &Mark, deed: Deed, budget: &Budget) -> Value {
    let opens_tab = target.is_some_and(|target| target.facts.opens_tab) && deed.method == "mouse";
    let asked = deed.after.as_ref().map(|after| after.downloads.clone()).unwrap_or_default();
    settle(page, mark, opens_tab, &asked, budget).await;
    let tab = page.target().to_owned();
    let (navigated, opened, download, dialog, waiting, closed) = page.live().read(|world| {
        let opened: Vec<(String, String)> = world
            .tabs()
            .skip(mark.tabs)
            .filter(|tab| !tab.closed)
            .map(|tab| (tab.label.clone(), tab.target.clone()))
            .collect();
        let download = mark.download(world, &tab, &asked);
        let download = download.map(|load| json!({ "url": load.url, "file": load.file }));
        let here = world.tab(&tab);
        // Also one that `on_dialog` has answered already.
        let dialog = here.filter(|here| here.dialogs_seen > mark.dialogs).and_then(|here| here.last_dialog.clone());
        let waiting = here.is_some_and(|here| here.dialog.is_some());
        (mark.navigated(world, &tab), opened, download, dialog, waiting, here.is_none_or(|here| here.closed))
    });
    let left = matches!(navigated, Some((_, true))) || closed;
    let after = deed.after.as_ref().filter(|_| !left && !waiting);
    let changed = match (target, after) {
        (Some(target), Some(after)) => changed(page, target, after, budget).await,
        _ => Value::Null,
    };
    let into = target.filter(|target| target.facts.is_frame() && deed.method == "mouse");
    let hint = hint(target, after, navigated.as_ref(), &opened, waiting, closed, page.unreachable().is_some())
        .or_else(|| page.leaving().filter(|_| after.is_none()).map(|url| on_its_way(&url)))
        .or_else(|| into.map(|target| in_frame(page.frame_in(&target.element))));
    let name = target.and_then(|target| {
        let (_, entry) = page.known(&target.element.reference.to_string()).ok()?;
        Some(entry.meaning.name.clone())
    });
    let mut report = json!({
        "success": true,
        "method": deed.method,
        "tag": target.map(|target| target.facts.tag.as_str()),
        "rect": target.map(|target| target.rect),
        "name": name,
        "href": target.and_then(|target| target.facts.href.as_deref()),
        "navigated": navigated.map(|(url, _)| url),
        "opened_tab": opened.first().map(|(label, _)| label),
        "dialog": dialog.as_ref().map(dialogs::describe),
        "download": download,
        "changed": changed,
        "hint": hint,
        "rebound": null,
    });
    if let (Some(value), Value::Object(map)) = (deed.value, &mut report) {
        let secret = target.is_some_and(|target| page.was_sensitive(&target.element));
        map.insert("value".into(), value.filter(|_| !secret).into());
    }
    report
}

/// Waits for the tab that a link opens, for the documents of navigations that have begun, and for the downloads that
/// were asked for. Not more: a page that works on is read as it is, and `wait_for` waits for what it will show.
pub(super) async fn settle(page: &Session, mark: &Mark, opens_tab: bool, asked: &[String], budget: &Budget) {
    let target = page.target().to_owned();
    let ends = |world: &World| {
        let tab = world.tab(&target);
        tab.is_none_or(|tab| tab.closed || tab.crashed || tab.dialog.is_some())
    };
    if opens_tab {
        // A target may also be the name of a frame that is there.
        let in_frame = |world: &World| {
            let asks = |(id, frame): &(&str, &Frame)| {
                mark.frames.get(*id).is_some_and(|before| frame.requests > before.requests)
            };
            world.frames_of(&target).iter().any(asks)
        };
        let opened = |world: &World| (ends(world) || in_frame(world) || world.tabs().count() > mark.tabs).then_some(());
        // A blocked tab is no error of the click; the report then names none.
        let (Ok(()) | Err(Spent)) = page.live().until(&budget.child(TAB_WITHIN, Layer::Call), opened).await;
    }
    let arrived = |world: &World| {
        let ready = world.tabs().skip(mark.tabs).all(|tab| tab.ready || tab.closed);
        let loaded = world.frames_of(&target).iter().all(|(id, frame)| {
            // A new frame whose first navigation was a file to save keeps its empty document.
            let stays_empty = frame.commits == 0 && frame.fruitless > 0;
            let moved = mark.frames.get(*id).map_or(!stays_empty, |before| frame.loader != before.loader);
            frame.navigating.is_none() && (!moved || (frame.loading >= Loading::DomReady && frame.session.is_some()))
        });
        (ends(world) || (ready && loaded)).then_some(())
    };
    // A slow document is no error of the action: the report says that it navigates, the next call waits for it.
    let arrived = page.live().until(&budget.child(ARRIVES_WITHIN, Layer::Call), arrived).await;
    let replaced = page.live().read(|world| mark.navigated(world, &target).is_some_and(|(_, replaced)| replaced));
    if arrived.is_ok() && replaced {
        page.wait_for_frames(budget).await;
    }
    let told = |world: &World| (ends(world) || mark.download(world, &target, asked).is_some()).then_some(());
    let begins_within = match asked {
        [] if page.live().read(|world| mark.led_nowhere(world, &target)) => Some(FILE_FOLLOWS_WITHIN),
        [] => None,
        _ => Some(ARRIVES_WITHIN),
    };
    if let Some(within) = begins_within.filter(|_| arrived.is_ok() && !replaced) {
        // Nothing may come of it: a server that answers with nothing at all, a page that is slower than we wait.
        let (Ok(()) | Err(Spent)) = page.live().until(&budget.child(within, Layer::Call), told).await;
    }
}

/// Returns what is different about the element: `{was, now, states}`, or null.
async fn changed(page: &mut Session, target: &Target, after: &Facts, budget: &Budget) -> Value {
    let mut states = Map::new();
    if after.sketch.connected {
        for (state, now) in &after.states {
            if target.facts.states.get(state) != Some(now) {
                states.insert(state.clone(), now.clone());
            }
        }
    }
    // The action is done. A page that can't be read now is the next call's matter.
    let meaning = page.retake(&target.element, &after.sketch, budget).await.unwrap_or(None);
    if meaning.is_none() && states.is_empty() {
        return Value::Null;
    }
    let part = |key: &str| meaning.as_ref().and_then(|change| change.get(key)).cloned();
    let was = part("was").unwrap_or_else(|| target.element.was.as_str().into());
    let now = part("now").unwrap_or_else(|| was.clone());
    json!({ "was": was, "now": now, "states": states })
}

/// Says that a document is yet to come.
fn on_its_way(url: &str) -> String {
    format!(
        "it leads to {}, whose server has not answered yet: `wait_for(#{{url: …}})`, or give a longer `timeout`",
        crate::script::quoted(url)
    )
}

/// Says where a press on an iframe went.
fn in_frame(label: Option<String>) -> String {
    let (named, option) = match label {
        Some(label) => (format!(" `{label}`"), format!("#{{frame: \"{label}\"}}")),
        None => (String::new(), String::new()),
    };
    format!(
        "the press went into the frame{named}, on whatever stands in its middle: take the ref that you mean from `tree({option})`"
    )
}

fn hint(
    target: Option<&Target>,
    after: Option<&Facts>,
    navigated: Option<&(String, bool)>,
    opened: &[(String, String)],
    dialog: bool,
    closed: bool,
    failed: bool,
) -> Option<String> {
    if dialog {
        return Some("a dialog is open: `accept()`, `accept(text)` or `dismiss()`".into());
    }
    if closed {
        return Some("the tab closed: `tabs()` lists the open ones".into());
    }
    if let Some((label, _)) = opened.first() {
        return Some(format!("`tab(\"{label}\")` makes the new tab current"));
    }
    if let Some((url, true)) = navigated {
        if failed {
            return Some(format!(
                "no document came from {}: the browser shows its error page",
                crate::script::quoted(url)
            ));
        }
        return Some("a new document: its refs come from `tree()` or `find(…)`".into());
    }
    let (before, after) = (&target?.facts, after?);
    if let Some(unsent) = &after.unsent {
        return Some(unsent.words());
    }
    if let Some(told) = &after.told {
        return Some(told.words());
    }
    if !after.sketch.connected {
        return Some("the element is gone now: take fresh refs from `tree()` or `find(…)`".into());
    }
    if let Some(takes) = &after.takes {
        return Some(format!("it takes {takes}: the browser does not send its form with what it holds now"));
    }
    let opens = |facts: &Facts| facts.states.get("expanded").and_then(Value::as_str) == Some("true");
    let popup = before.popup.as_deref().is_some_and(|popup| popup != "false");
    if popup || (opens(after) && !opens(before)) {
        return Some("what it opened stands first in `tree()`".into());
    }
    if after.unclicked {
        return Some("it was pressed, but no click followed: something moved or came between while it was held".into());
    }
    None
}
