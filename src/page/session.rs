//! A browser session: the connection, its tabs and the ref map. It outlives runs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::attach;
use super::frozen::Shelf;
use super::refs::{Key, RefMap};
use super::settle::Live;
use super::tree::Tree;
use super::world::{OnDialog, Tab};
use crate::budget::{Budget, Layer};
use crate::cdp::protocol::target::{
    CloseTargetParams, CreateBrowserContextParams, CreateTargetParams, DisposeBrowserContextParams,
    SetDiscoverTargetsParams,
};
use crate::cdp::{BrowserProcess, Carrier, CdpSession, Connection, Failure, LaunchOptions, Reply};
use crate::error::{Error, Result};
use crate::script::Site;

/// How long the browser may take to show its first tab.
const FIRST_TAB: Duration = Duration::from_secs(20);

/// A live browser with its tabs, frames and refs.
#[derive(Debug)]
pub struct Session {
    pub(super) connection: Connection,
    pub(super) live: Arc<Live>,
    /// The browser's process, when this session started it.
    process: Option<BrowserProcess>,
    /// A browser context of our own, thrown away at the end.
    context: Option<String>,
    /// Tabs that this session opened in somebody else's browser.
    opened: Vec<String>,
    /// The target id of the current tab.
    pub(super) current: String,
    pub(super) refs: RefMap,
    /// Fields that were seen to hold a secret; they stay secret, whatever the page makes of them.
    pub(super) secrets: HashSet<Key>,
    /// The frame and the DOM node that hold a frame of another process.
    pub(super) owners: HashMap<String, (String, i64)>,
    pub(super) latest: HashMap<String, Arc<Tree>>,
    pub(super) shelf: Shelf,
    /// A field that the page guards although nothing is written into it any more.
    pub(super) guarded: Option<super::Element>,
    /// Where in the script the call under way stands.
    pub(super) site: Option<Site>,
    _steward: AbortOnDropHandle<()>,
}

/// The browser to work with.
#[derive(Debug, Clone)]
pub enum Browser {
    /// Starts a browser of our own.
    Launch(LaunchOptions),
    /// Attaches to a running one by `ws://…` or `http://…`. With `isolated`, in a browser context of its own:
    /// no cookies or storage are shared, and its tabs close at the end.
    Connect { endpoint: String, isolated: bool },
}

impl Session {
    /// Starts or attaches to a browser and waits for a first tab; `budget` is that of the run it is for.
    ///
    /// # Errors
    /// `browser::launch`, `browser::gone`; `budget::time` where the run's time ends first or it is cancelled.
    pub async fn start(browser: Browser, budget: &Budget) -> Result<Self> {
        let doing = match &browser {
            Browser::Launch(_) => "starting the browser",
            Browser::Connect { .. } => "attaching to the browser",
        };
        Self::start_within(browser, budget).await.map_err(|error| error.during(doing))
    }

    async fn start_within(browser: Browser, budget: &Budget) -> Result<Self> {
        match browser {
            Browser::Launch(options) => {
                let (carrier, process) = BrowserProcess::launch(options, budget).await?;
                let budget = budget.child(FIRST_TAB, Layer::Call);
                let mut session = Self::over(carrier, Some(process));
                session.discover(&budget).await?;
                session.current = session.first_tab(&budget).await?;
                Ok(session)
            }
            Browser::Connect { endpoint, isolated } => {
                let carrier = crate::cdp::attach(&endpoint, budget).await?;
                let budget = budget.child(FIRST_TAB, Layer::Call);
                let mut session = Self::over(carrier, None);
                match session.settle_in(isolated, &budget).await {
                    Ok(()) => Ok(session),
                    Err(Error::PageHung { .. }) => {
                        Err(Error::BrowserAttach { endpoint, reason: "it does not answer".into() })
                    }
                    Err(error) => Err(error),
                }
            }
        }
    }

    /// Returns whether some frames of the current tab are in processes of their own.
    pub fn has_other_processes(&self) -> bool {
        self.live.read(|world| world.sessions_of(&self.current).len() > 1)
    }

    /// Returns how many commands were sent to the browser so far.
    pub fn messages_sent(&self) -> u64 {
        self.connection.counters().0
    }

    /// Makes itself at home in a browser that is attached to.
    async fn settle_in(&mut self, isolated: bool, budget: &Budget) -> Result<()> {
        if isolated {
            self.make_context(budget).await?;
        }
        self.discover(budget).await?;
        self.new_tab(budget).await?;
        Ok(())
    }

    fn over(carrier: Carrier, process: Option<BrowserProcess>) -> Self {
        let live = Arc::new(Live::new());
        let events = Arc::clone(&live);
        let connection = Connection::start(carrier, move |event| events.fold(event));
        let steward = tokio::spawn(attach::steward(connection.clone(), Arc::clone(&live)));
        Self {
            connection,
            live,
            process,
            context: None,
            opened: Vec::new(),
            current: String::new(),
            refs: RefMap::default(),
            secrets: HashSet::new(),
            owners: HashMap::new(),
            latest: HashMap::new(),
            shelf: Shelf::default(),
            guarded: None,
            site: None,
            _steward: AbortOnDropHandle::new(steward),
        }
    }

    async fn make_context(&mut self, budget: &Budget) -> Result<()> {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Made {
            browser_context_id: String,
        }
        let params = CreateBrowserContextParams { dispose_on_detach: Some(true), ..Default::default() };
        let made: Made = self.browser_call(params, budget).await?.decode().map_err(|failure| unattached(&failure))?;
        self.live.change(|world| world.only_context(&made.browser_context_id));
        self.context = Some(made.browser_context_id);
        Ok(())
    }

    async fn discover(&self, budget: &Budget) -> Result<()> {
        self.browser_call(SetDiscoverTargetsParams::new(true), budget).await?;
        Ok(())
    }

    async fn first_tab(&self, budget: &Budget) -> Result<String> {
        let ready = |world: &super::world::World| {
            world.tabs().find(|tab| tab.ready && !tab.closed).map(|tab| tab.target.clone())
        };
        self.live.until(budget, ready).await.map_err(|_| budget.overrun().unwrap_or_else(|| self.no_tab()))
    }

    /// Opens an empty tab, which becomes the current one.
    ///
    /// # Errors
    /// `browser::launch` when the browser opens none in time.
    pub async fn new_tab(&mut self, budget: &Budget) -> Result<String> {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            target_id: String,
        }
        let mut params = CreateTargetParams::new("about:blank");
        params.browser_context_id = self.context.clone().map(Into::into);
        let created: Created =
            self.browser_call(params, budget).await?.decode().map_err(|failure| unattached(&failure))?;
        let target = created.target_id;
        self.live
            .until(budget, |world| world.tab(&target).filter(|tab| tab.ready).map(|_| ()))
            .await
            .map_err(|_| budget.overrun().unwrap_or_else(|| self.no_tab()))?;
        self.opened.push(target.clone());
        self.current.clone_from(&target);
        Ok(target)
    }

    /// Closes a tab and waits until it is gone. When the current tab closes, the one that was opened before it
    /// becomes current.
    ///
    /// # Errors
    /// `page::hung` when the tab does not close by the deadline.
    pub async fn close_tab(&mut self, target: &str, budget: &Budget) -> Result<()> {
        self.browser_call(CloseTargetParams::new(target.to_owned()), budget).await?;
        let closed = |world: &super::world::World| world.tab(target).is_none_or(|tab| tab.closed).then_some(());
        self.live.until(budget, closed).await.map_err(|_| {
            budget.overrun().unwrap_or_else(|| Error::PageHung {
                doing: "`close_tab`".into(),
                waited_ms: millis(budget.granted()),
                freed: None,
            })
        })?;
        if self.current == target
            && let Some(other) = self.live.read(|world| {
                let open: Vec<String> = world.tabs().filter(|tab| !tab.closed).map(|tab| tab.target.clone()).collect();
                open.last().cloned()
            })
        {
            self.current = other;
        }
        Ok(())
    }

    /// Ends the session: closes what it opened, stops the browser that it started and removes its profile.
    ///
    /// # Errors
    /// `browser::gone` when the browser that it started had to be killed or left something behind.
    pub async fn close(mut self) -> Result<()> {
        let budget = Budget::new(CancellationToken::new()).child(Duration::from_secs(3), Layer::Call);
        if let Some(process) = self.process.take() {
            return process.close(&self.connection).await;
        }
        // The browser is somebody else's: a failure to tidy up in it leaves nothing of ours behind.
        if let Some(context) = self.context.take() {
            drop(self.browser_call(DisposeBrowserContextParams::new(context), &budget).await);
        } else {
            for target in std::mem::take(&mut self.opened) {
                drop(self.browser_call(CloseTargetParams::new(target), &budget).await);
            }
        }
        Ok(())
    }

    pub(super) async fn browser_call<C: crate::cdp::Command>(&self, command: C, budget: &Budget) -> Result<Reply> {
        self.connection.browser().call(command, budget).await.map_err(|failure| self.explain(failure, budget))
    }

    /// Returns the current tab.
    ///
    /// # Errors
    /// `browser::gone`, `tab::closed`.
    pub fn tab(&self) -> Result<Tab> {
        if let Some(reason) = self.connection.closed_reason() {
            return Err(Error::BrowserGone { reason });
        }
        let tab = self.live.read(|world| world.tab(&self.current).cloned());
        match tab {
            Some(tab) if !tab.closed => Ok(tab),
            closed => Err(self.tab_closed(closed.map_or_else(String::new, |tab| tab.label))),
        }
    }

    pub(super) fn tab_closed(&self, label: String) -> Error {
        let open = self
            .live
            .read(|world| world.tabs().filter(|tab| !tab.closed).map(|tab| tab.label.clone()).collect::<Vec<String>>());
        Error::TabClosed { tab: label, open }
    }

    /// Waits until a tab that appeared has its sessions.
    ///
    /// # Errors
    /// `page::hung` when it does not answer, `tab::closed`.
    pub async fn tab_attached(&self, target: &str, budget: &Budget) -> Result<()> {
        let attached = |world: &super::world::World| {
            world.tab(target).filter(|tab| tab.ready || tab.closed || tab.crashed).map(|_| ())
        };
        self.live.until(budget, attached).await.map_err(|_| {
            budget.overrun().unwrap_or_else(|| Error::PageHung {
                doing: "`Target.attachToTarget`".into(),
                waited_ms: millis(budget.granted()),
                freed: None,
            })
        })
    }

    /// Makes a tab the current one.
    pub fn select_tab(&mut self, target: &str) {
        target.clone_into(&mut self.current);
    }

    pub fn live(&self) -> &Live {
        &self.live
    }

    pub fn set_on_dialog(&self, policy: OnDialog) {
        self.live.change(|world| world.on_dialog = policy);
    }

    /// Says which call is under way, for the records of what it ends and mints.
    pub fn begin_call(&mut self, call: &str, site: Option<Site>) {
        self.live.change(|world| world.set_call(Some(call.to_owned())));
        self.site = site;
    }

    /// Returns the session of the current tab's page.
    ///
    /// # Errors
    /// `tab::closed`, `page::crashed`.
    pub fn page(&self) -> Result<CdpSession> {
        let tab = self.tab()?;
        if tab.crashed {
            return Err(Error::PageCrashed { tab: tab.label });
        }
        match tab.session {
            Some(id) => Ok(self.connection.session(id)),
            None => Err(self.tab_closed(tab.label)),
        }
    }

    fn no_tab(&self) -> Error {
        match self.connection.closed_reason() {
            Some(reason) => Error::BrowserGone { reason },
            None => Error::BrowserLaunch {
                what: "opening a first tab".into(),
                reason: format!("the browser showed none within {} s", FIRST_TAB.as_secs()),
            },
        }
    }
}

fn unattached(failure: &Failure) -> Error {
    Error::BrowserLaunch { what: "attaching to the browser".into(), reason: failure.to_string() }
}

/// Returns whole milliseconds.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
