//! Rows that wait for the page: until an element, a text or an address is there, or gone.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::Host;
use super::args::{Args, Options};
use super::reading::Locator;
use crate::budget::{Budget, Layer};
use crate::error::{Change, Error, Nearest, Result, StaleCause};
use crate::page::millis;
use crate::page::nearest::describe;
use crate::page::settle::pause;

/// The first and the longest time between two looks at the page.
const LOOKS: (Duration, Duration) = (Duration::from_millis(25), Duration::from_millis(200));

/// Waits for the one match of a locator.
///
/// # Errors
/// `find::none` at the deadline, `find::ambiguous` as soon as several match.
pub async fn find(host: &mut Host, locator: &Locator, budget: &Budget) -> Result<Value> {
    let budget = host.timed(locator.timeout, budget.clone());
    let started = Instant::now();
    let mut looks = Looks::new();
    loop {
        let tree = host.page.read_tree(&reading(host, &budget)).await?;
        let matches = locator.matches_now(host, &tree, &reading(host, &budget)).await?;
        if !matches.is_empty() {
            return locator.only(host, &tree, &matches, 0);
        }
        if looks.next(&budget).await.is_err() {
            if let Some(error) = budget.overrun() {
                return Err(error);
            }
            return locator.only(host, &tree, &matches, millis(started.elapsed()));
        }
    }
}

/// A short timeout of `find` or `wait_for` limits the wait, not the single look: a look has the time that reads
/// have by default, so that `timeout: 0` looks once.
pub(super) fn reading(host: &Host, budget: &Budget) -> Budget {
    const READ: Duration = Duration::from_secs(10);
    let look = host.budget().child(READ, Layer::Call);
    match (budget.remaining(), look.remaining()) {
        (Some(wait), Some(read)) if wait > read => budget.clone(),
        _ => look,
    }
}

pub async fn wait_for(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let mut wanted = Wanted::read(host, &args)?;
    let budget = host.timed(wanted.timeout, budget);
    let started = Instant::now();
    let mut looks = Looks::new();
    loop {
        if let Some(found) = wanted.look(host, &budget).await? {
            return Ok(found);
        }
        if looks.next(&budget).await.is_err() {
            let nearest = match host.page.latest_tree() {
                Some(tree) if !wanted.gone && wanted.seen.is_none() => wanted.locator.meant(host, &tree).0,
                _ => Vec::new(),
            };
            return Err(budget.overrun().unwrap_or_else(|| Error::WaitTimeout {
                wanted: wanted.words(),
                change: wanted.change(),
                waited_ms: millis(started.elapsed()),
                now: wanted.now(host),
                nearest,
            }));
        }
    }
}

/// What `wait_for` waits for. Everything that is given must hold at once.
#[derive(Debug, Default)]
struct Wanted {
    locator: Locator,
    has_locator: bool,
    reference: Option<String>,
    gone: bool,
    url: Option<String>,
    value: Option<String>,
    /// Whether the field whose value is waited for holds a secret: then the value is not told.
    is_secret: bool,
    /// What there was at the last look: the element that is still there, or the one with another value.
    seen: Option<Nearest>,
    /// Its value; `None` for what is no field.
    seen_value: Option<String>,
    timeout: Option<Duration>,
}

impl Wanted {
    fn read(host: &Host, args: &Args) -> Result<Self> {
        let text = if args.is_options(0) { None } else { Some(args.text(0, "text")?) };
        let options = args.options(usize::from(text.is_some()))?;
        let mut wanted = Self::from_options(&options)?;
        wanted.locator = Locator::from_options(host, args.function.name, &options)?;
        if let Some(text) = text
            && wanted.locator.query.text.replace(text).is_some()
        {
            return Err(args.wrong_value("options", "with a second text", "one text"));
        }
        wanted.has_locator = !wanted.locator.is_empty();
        if !wanted.has_locator && wanted.reference.is_none() && wanted.url.is_none() {
            return Err(args.wrong_value("options", "without something to wait for", "text, role, name, ref or url"));
        }
        Ok(wanted)
    }

    fn from_options(options: &Options) -> Result<Self> {
        Ok(Self {
            reference: options.reference("ref")?,
            gone: options.bool("gone")?.unwrap_or(false),
            url: options.string("url")?,
            value: options.text("value")?,
            timeout: options.milliseconds("timeout")?,
            ..Self::default()
        })
    }

    /// Looks once: the ref, null for `gone` and `url`, or nothing yet.
    async fn look(&mut self, host: &mut Host, budget: &Budget) -> Result<Option<Value>> {
        if let Some(url) = &self.url
            && !host.page.url()?.contains(url)
        {
            return Ok(None);
        }
        if !self.has_locator && self.reference.is_none() {
            return Ok(Some(Value::Null));
        }
        let tree = host.page.read_tree(&reading(host, budget)).await?;
        let found = if self.has_locator { self.locator.matches_now(host, &tree, budget).await } else { Ok(Vec::new()) };
        let mut matches = match found {
            // With its container everything in it is gone. In one that was drawn anew it may stand again.
            Err(Error::RefStale { cause, .. }) if self.gone && cause != StaleCause::Replaced => Vec::new(),
            Err(Error::RefChanged { .. }) if self.gone => Vec::new(),
            found => found?,
        };
        if let Some(text) = &self.reference {
            match host.page.locate(text, &tree, budget).await {
                Ok(at) => {
                    let shown = tree
                        .get(at)
                        .is_some_and(|node| !node.hidden.is_some_and(super::super::page::tree::Hidden::is_left_out));
                    if shown && (!self.has_locator || matches.contains(&at)) {
                        matches = vec![at];
                    } else {
                        matches.clear();
                    }
                }
                Err(Error::RefStale { .. } | Error::RefChanged { .. }) if self.gone => matches.clear(),
                Err(error) => return Err(error),
            }
        }
        if let Some(value) = &self.value {
            self.is_secret |= matches.iter().any(|&at| tree.get(at).is_some_and(|node| node.sensitive));
            self.seen = matches.first().and_then(|&at| describe(&tree, at));
            self.seen_value = matches.first().and_then(|&at| tree.get(at)?.value.clone());
            matches.retain(|&at| tree.get(at).is_some_and(|node| node.value.as_deref() == Some(value)));
        }
        if self.gone {
            self.seen = matches.first().and_then(|&at| describe(&tree, at));
            return Ok(matches.is_empty().then_some(Value::Null));
        }
        let reference = matches.first().and_then(|&at| host.page.mint_at(&tree, at));
        Ok(match (reference, &self.reference) {
            (Some(_), Some(text)) => Some(text.as_str().into()),
            (Some(reference), None) => Some(reference.to_string().into()),
            (None, _) => None,
        })
    }

    fn words(&self) -> String {
        let mut words = Vec::new();
        if self.has_locator {
            words.push(self.locator.words());
        }
        if let Some(reference) = &self.reference {
            words.push(format!("`{reference}`"));
        }
        if let Some(value) = &self.value {
            let value = if self.is_secret { crate::act::form::MASK.to_owned() } else { crate::script::quoted(value) };
            words.push(format!("with value {value}"));
        }
        if let Some(url) = &self.url {
            words.push(format!("the address {}", crate::script::quoted(url)));
        }
        words.join(" ")
    }

    /// Says what there is instead, where that tells more than what is missing.
    fn now(&self, host: &Host) -> Option<String> {
        let element = self
            .seen
            .as_ref()
            .map(|seen| format!("{} {} `{}`", seen.role, crate::script::quoted(&seen.name), seen.reference));
        match (element, &self.seen_value) {
            (Some(element), _) if self.gone => return Some(format!("{element} is still there")),
            (Some(_), Some(value)) if !self.is_secret => {
                return Some(format!("the value is {}", crate::script::quoted(value)));
            }
            (Some(element), None) => {
                return Some(format!("{element} is no field and has no value; what it reads is its `text`"));
            }
            _ => {}
        }
        if self.url.is_none() && !self.is_secret {
            let tree = host.page.latest_tree()?;
            return Some(format!("looked {}", self.locator.looked(host, &tree)));
        }
        let url = host.page.url().ok().filter(|url| self.url.as_ref().is_some_and(|wanted| !url.contains(wanted)))?;
        Some(format!("the address is {}", crate::script::quoted(&url)))
    }

    fn change(&self) -> Change {
        if self.gone {
            Change::Disappear
        } else if self.has_locator || self.reference.is_some() {
            Change::Appear
        } else {
            Change::Reach
        }
    }
}

/// The moments between looks: short at first, then longer.
pub(super) struct Looks {
    next: Duration,
}

impl Looks {
    pub(super) fn new() -> Self {
        Self { next: LOOKS.0 }
    }

    pub(super) async fn next(&mut self, budget: &Budget) -> Result<(), crate::page::settle::Spent> {
        let moment = self.next;
        self.next = (moment * 2).min(LOOKS.1);
        pause(moment, budget).await
    }
}
