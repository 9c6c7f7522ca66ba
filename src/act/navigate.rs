//! Going somewhere: open, back, forward, reload, and what became of it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::budget::{Budget, Layer};
use crate::cdp::js::runtime::TerminateExecutionParams;
use crate::cdp::protocol::page::{
    GetNavigationHistoryParams, NavigateParams, NavigateToHistoryEntryParams, ReloadParams,
};
use crate::cdp::{CdpSession, Command, Reply};
use crate::error::{Error, Result};
use crate::page::Session;
use crate::page::call::Failed;
use crate::page::settle::{Spent, pause};
use crate::page::world::{Loading, OnDialog, World};

/// A navigation that became a download, or was given up for another, shows no error page.
const ABORTED: &str = "net::ERR_ABORTED";

/// How long the browser may take to show its error page after a navigation failed.
const ERROR_PAGE_WITHIN: Duration = Duration::from_secs(1);

/// How much of the page must be there before the call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// The document has committed.
    Committed,
    /// Its HTML is parsed.
    Dom,
    /// Its sub-resources and frames are loaded.
    Load,
}

/// Loads an address in the current tab and returns `{url, status, title}`.
///
/// A page that hangs or has crashed is left all the same. A status of 400 and more is an answer, not an error.
///
/// # Errors
/// `nav::failed` when there is no document, `wait::timeout` when it does not get as far as `until`,
/// `dialog::open` when the page opens a dialog while it loads.
pub async fn open(page: &mut Session, url: &str, until: Until, budget: &Budget) -> Result<Value> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Navigated {
        loader_id: Option<String>,
        error_text: Option<String>,
    }
    page.refuse_in_dialog()?;
    let session = page.reachable()?;
    let reply = leave(page, &session, NavigateParams::new(url), budget).await?;
    // An error page of an earlier failure may have come meanwhile; it is no answer to this navigation.
    let before = page.commits();
    let navigated: Navigated = reply.decode().map_err(|failure| page.explain(failure, budget))?;
    if let Some(error) = navigated.error_text.filter(|text| !text.is_empty()) {
        if let Some(loader) = navigated.loader_id.filter(|_| error != ABORTED) {
            let shown = |world: &World| world.has_shown(page.target(), &loader).then_some(());
            // Without its error page the tab is as it was, and the failure is the same.
            let (Ok(()) | Err(Spent)) = page.live().until(&budget.child(ERROR_PAGE_WITHIN, Layer::Call), shown).await;
        }
        return Err(Error::NavFailed { url: url.to_owned(), reason: net_words(&error) });
    }
    match navigated.loader_id {
        Some(loader) => {
            let awaited = Awaited { loader: Some(&loader), before, of_all: None };
            arrive(page, url, &awaited, until, budget).await
        }
        // No new document: the address differs in its fragment only.
        None => facts(page, budget).await,
    }
}

/// Loads the current page again and returns as [`open`].
///
/// # Errors
/// As [`open`].
pub async fn reload(page: &mut Session, budget: &Budget) -> Result<Value> {
    page.refuse_in_dialog()?;
    let session = page.reachable()?;
    let before = page.commits();
    let url = page.url()?;
    leave(page, &session, ReloadParams::default(), budget).await?;
    arrive(page, &url, &Awaited { loader: None, before, of_all: None }, Until::Load, budget).await
}

/// Goes `steps` back (negative) or forward in the history of the tab. Returns as [`open`], or null when there is
/// no such entry.
///
/// # Errors
/// As [`open`].
pub async fn history(page: &mut Session, steps: i64, budget: &Budget) -> Result<Value> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct History {
        current_index: i64,
        entries: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        id: i64,
        url: String,
    }
    page.refuse_in_dialog()?;
    let session = page.reachable()?;
    let reply = session.call(GetNavigationHistoryParams::default(), budget).await;
    let history: History = reply.and_then(|reply| reply.decode()).map_err(|failure| page.explain(failure, budget))?;
    let wanted = usize::try_from(history.current_index + steps).ok();
    let Some(entry) = wanted.and_then(|at| history.entries.get(at)) else { return Ok(Value::Null) };
    let awaited = Awaited { loader: None, before: page.commits(), of_all: Some(page.commits_of_all()) };
    leave(page, &session, NavigateToHistoryEntryParams::new(entry.id), budget).await?;
    arrive(page, &entry.url, &awaited, Until::Load, budget).await
}

/// Sends the command that leaves the page. A page whose script does not end is cut short first: a renderer that
/// is stuck accepts a navigation but never commits it (measured, Chromium 156).
async fn leave<C: Command>(page: &Session, session: &CdpSession, command: C, budget: &Budget) -> Result<Reply> {
    if page.is_silent() {
        session.post(TerminateExecutionParams::default());
    }
    page.leave_crash();
    page.answered(session.start(command), budget).await.map_err(|failed| match failed {
        Failed::Dialog(error) => error,
        Failed::Command(failure) => page.explain(failure, budget),
    })
}

/// What tells that a navigation came to its document.
struct Awaited<'a> {
    /// The document, where the browser names it.
    loader: Option<&'a str>,
    /// How many documents the main frame had committed before.
    before: u64,
    /// How many all frames had, where the navigation may be one of a frame: then the page around it stays.
    of_all: Option<u64>,
}

/// Waits for the new document and for as much of it as is wanted.
async fn arrive(page: &mut Session, url: &str, awaited: &Awaited<'_>, until: Until, budget: &Budget) -> Result<Value> {
    let reached = match until {
        Until::Committed => Loading::Committed,
        Until::Dom => Loading::DomReady,
        Until::Load => Loading::Loaded,
    };
    let target = page.target().to_owned();
    let arrived = |world: &World| {
        let tab = world.tab(&target)?;
        if tab.closed || tab.crashed {
            return Some(Err(()));
        }
        if tab.dialog.is_some() && world.on_dialog == OnDialog::Fail {
            return Some(Ok(()));
        }
        let frame = world.frame(&target)?;
        let frames = || world.frames_of(&target).into_iter().map(|(_, frame)| frame);
        let has_moved = |of_all: u64| frames().map(|frame| frame.commits).sum::<u64>() > of_all;
        if frame.commits == awaited.before
            && awaited.of_all.is_some_and(has_moved)
            && frames().all(|frame| frame.navigating.is_none())
        {
            return Some(Ok(()));
        }
        let committed =
            frame.commits > awaited.before || awaited.loader.is_some_and(|loader| world.has_shown(&target, loader));
        (committed && frame.loading >= reached && frame.session.is_some()).then_some(Ok(()))
    };
    let name = match until {
        Until::Committed => "an answer",
        Until::Dom => "the document",
        Until::Load => "the load event",
    };
    let outcome = page.live().until(budget, arrived).await;
    page.refuse_in_dialog()?;
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(())) => {
            page.page()?;
        }
        Err(_) => return Err(page.out_of_time(&format!("{name} of {}", crate::script::quoted(url)), budget)),
    }
    if let Some(url) = page.unreachable() {
        return Err(Error::NavFailed { url, reason: "the browser shows an error page instead".into() });
    }
    page.wait_for_frames(budget).await;
    facts(page, budget).await
}

/// Returns `{url, status, title}` of the current document. The status is null where the browser keeps none, as
/// for `about:blank`.
async fn facts(page: &mut Session, budget: &Budget) -> Result<Value> {
    const FACTS: &str = "({title: document.title, \
        status: performance.getEntriesByType('navigation')[0]?.responseStatus || null})";
    let target = page.target().to_owned();
    // The page may navigate on by itself meanwhile; then its context is gone and the next document is asked.
    for moment in [0, 20, 100] {
        if moment > 0 && pause(Duration::from_millis(moment), budget).await.is_err() {
            break;
        }
        match page.evaluate(&target, FACTS, budget).await {
            Ok(mut facts) => {
                let mut take = |key: &str| facts.get_mut(key).map_or(Value::Null, Value::take);
                let (status, title) = (take("status"), take("title"));
                page.told_title(title.as_str().unwrap_or_default());
                return Ok(json!({ "url": page.url()?, "status": status, "title": title }));
            }
            Err(Error::BrowserProtocol { .. }) => page.forget_world(&target),
            Err(error) => return Err(error),
        }
    }
    Ok(json!({ "url": page.url()?, "status": null, "title": "" }))
}

/// Words a network error of Chromium's `net::` list.
pub fn net_words(error: &str) -> String {
    let words = match error {
        "net::ERR_CONNECTION_REFUSED" => "the server refused the connection",
        "net::ERR_NAME_NOT_RESOLVED" => "there is no host of this name",
        "net::ERR_INTERNET_DISCONNECTED" => "there is no network",
        "net::ERR_CONNECTION_TIMED_OUT" | "net::ERR_TIMED_OUT" => "the server did not answer in time",
        "net::ERR_CONNECTION_RESET" | "net::ERR_CONNECTION_CLOSED" => "the server closed the connection",
        "net::ERR_EMPTY_RESPONSE" => "the server sent nothing",
        "net::ERR_TOO_MANY_REDIRECTS" => "the redirects do not end",
        "net::ERR_ABORTED" => "the server sent no document (a download, or an answer without content)",
        "net::ERR_UNSAFE_PORT" => "browsers do not open this port",
        "net::ERR_INVALID_URL" => "the address is not valid",
        "net::ERR_UNKNOWN_URL_SCHEME" => "browsers do not open this kind of address",
        "net::ERR_BLOCKED_BY_CLIENT" => "the browser blocked it",
        "net::ERR_ADDRESS_UNREACHABLE" => "the address can't be reached",
        "net::ERR_HTTP_RESPONSE_CODE_FAILURE" => "the server answered with an error and no document",
        "net::ERR_FAILED" => "the request failed (a service worker or the network refused it)",
        other if other.starts_with("net::ERR_CERT_AUTHORITY") => "its certificate is not from a trusted authority",
        other if other.starts_with("net::ERR_CERT_COMMON_NAME") => "its certificate is for another host",
        other if other.starts_with("net::ERR_CERT_DATE") => "its certificate is out of date",
        other if other.starts_with("net::ERR_CERT") => "its certificate is not valid",
        other if other.starts_with("net::ERR_SSL") => "no secure connection could be made",
        other => return format!("the browser says {other}"),
    };
    format!("{words} ({})", error.trim_start_matches("net::"))
}

#[cfg(test)]
mod tests {
    use super::net_words;

    #[test]
    fn words_every_error_and_keeps_its_name() {
        assert_eq!(
            net_words("net::ERR_CONNECTION_REFUSED"),
            "the server refused the connection (ERR_CONNECTION_REFUSED)"
        );
        assert_eq!(net_words("net::ERR_CERT_INVALID"), "its certificate is not valid (ERR_CERT_INVALID)");
        assert_eq!(net_words("net::ERR_NEW"), "the browser says net::ERR_NEW");
    }
}
