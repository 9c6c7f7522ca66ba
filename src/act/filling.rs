//! Filling several fields one after the other. A field is read back in the call that gets the next one ready, so
//! that most fields cost two round trips.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::form::{self, Put, Written, read_back, render_patience};
use super::input::{Delivery, unless_gone_on, went_on};
use super::keyboard::{self, focused_at, wants_focus};
use super::outcome::{self, Deed, Mark};
use super::ready::{FirstLook, asking, look_wait, ready_after, refused, seen_through};
use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::page::probe::{Followed, Prepare, Still, Survey, Wants};
use crate::page::{Element, Session, Sketch};

/// A field and what it shall hold.
#[derive(Debug)]
pub struct Entry {
    /// What the script called it.
    pub key: String,
    pub element: Element,
    pub want: Want,
}

/// What a field shall hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    Text(String),
    /// Options of a native list.
    Options(Vec<String>),
    Tick(bool),
}

impl Want {
    /// Returns the function that does the same for one field.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Text(_) => "fill",
            Self::Options(_) => "select",
            Self::Tick(true) => "check",
            Self::Tick(false) => "uncheck",
        }
    }
}

impl Entry {
    /// Returns what the page script is asked about it.
    fn question(&self) -> (&Element, Vec<Value>) {
        let wanted = match &self.want {
            Want::Text(text) => json!([text]),
            Want::Options(options) => json!(options),
            Want::Tick(_) => Value::Null,
        };
        (&self.element, vec![self.want.verb().into(), wanted])
    }

    /// Says that it holds something else by now.
    fn went(&self, secret: bool, kept: Option<String>) -> Error {
        let wanted = match &self.want {
            Want::Text(text) => text.clone(),
            Want::Options(options) => options.join(", "),
            Want::Tick(on) => if *on { "checked" } else { "not checked" }.to_owned(),
        };
        Error::ActNotKept {
            reference: self.element.reference,
            was: self.element.was.clone(),
            wanted: if secret { form::MASK.to_owned() } else { wanted },
            kept: if secret { form::MASK.to_owned() } else { kept.unwrap_or_default() },
            expected: Some("it last or by itself: filling a later field changed it".into()),
        }
    }
}

/// A field that is done.
#[derive(Debug)]
pub struct Filled {
    /// As the function for one field returns it.
    pub report: Value,
    pub took: Duration,
}

/// Asks all fields together what stands against writing them; nothing is touched. One round trip.
///
/// # Errors
/// As [`Session::probe`]; what stands against a single field is in the list.
pub async fn survey(page: &mut Session, entries: &[Entry], budget: &Budget) -> Result<Vec<Result<()>>> {
    let questions: Vec<(&Element, Vec<Value>)> = entries.iter().map(Entry::question).collect();
    let answers = page.probe_all::<Survey>(&questions, "survey", budget).await?;
    let mut told = Vec::with_capacity(entries.len());
    for (entry, answer) in entries.iter().zip(answers) {
        told.push(match answer {
            Some(Survey::Fine) => Ok(()),
            // The ref itself says where its element went.
            None | Some(Survey::Gone) => page.verify(&entry.element, &Sketch::default(), budget).await,
            Some(against) => Err(worded(page, entry, against)),
        });
    }
    Ok(told)
}

fn worded(page: &Session, entry: &Entry, against: Survey) -> Error {
    let Entry { key, element, want } = entry;
    let (reference, was) = (element.reference, element.was.clone());
    let value = |found: String, expected: String| Error::ArgsValue {
        function: "fill".into(),
        parameter: key.clone(),
        found,
        expected: format!("{expected} for {was} `{reference}`"),
    };
    match against {
        Survey::Disabled => Error::ActDisabled { reference, was, waited_ms: 0 },
        Survey::Refused { why, words, instead } => refused(element, want.verb(), why, words, instead),
        Survey::NoOption(lacking) => form::no_option(element, lacking),
        Survey::Unfit { sensitive, rule } => {
            let text = if let Want::Text(text) = want { text.as_str() } else { "" };
            form::unfit(element, key, text, sensitive || page.was_sensitive(element), rule)
        }
        Survey::Single | Survey::Gone | Survey::Fine => {
            let count = if let Want::Options(options) = want { options.len() } else { 0 };
            value(format!("{count} options"), "one option".into())
        }
    }
}

/// Fills the fields in order. Each is waited for, written with trusted input and read back as by the function for
/// one field; `filled` gets their reports, also when a later one fails. `budget` grants each field its time.
///
/// # Errors
/// As the function for the first field that fails, whose place is the length of `filled`.
pub async fn all(
    page: &mut Session,
    entries: &[Entry],
    filled: &mut Vec<Filled>,
    budget: impl Fn() -> Budget,
) -> Result<()> {
    let mut run = Run { filled, began: Instant::now(), before: None };
    for Entry { element, want, .. } in entries {
        let budget = &budget();
        match want {
            Want::Text(text) => {
                let prepare = Prepare { caret: "all", text: Some(text.clone()), guard: keyboard::guard(budget) };
                let wants = wants_focus("fill", &prepare);
                let (mark, look) = run.lead(page, element, &wants, budget).await?;
                let target = ready_after(page, element, wants, look, budget).await?;
                let (target, prepared) = focused_at(page, target, "fill", &prepare, budget).await?;
                match form::put(page, target, prepared, mark, text, &seen_through(budget)).await? {
                    Put::Chosen(report) => run.done(report),
                    Put::Written(written) => run.before = Some(written),
                }
            }
            Want::Options(options) => {
                let wants = Wants { refuse: "select", tolerant: true, ..Wants::default() };
                let (mark, look) = run.lead(page, element, &wants, budget).await?;
                let target = ready_after(page, element, wants, look, budget).await?;
                let report = form::choose(page, target, &mark, options, &seen_through(budget)).await?;
                run.done(report);
            }
            Want::Tick(on) => {
                run.conclude(page, "keptAndLeft", budget).await?;
                let report = form::check(page, element, *on, budget).await?;
                run.done(report);
            }
        }
    }
    run.conclude(page, "kept", &budget()).await
}

/// Reads all fields back once more, and returns those that lost their value to the filling of a later one. One round
/// trip. Documents that went away meanwhile are no loss: the report tells of them.
///
/// # Errors
/// As [`Session::probe`].
pub async fn lost(page: &Session, entries: &[Entry], budget: &Budget) -> Result<Vec<(usize, Error)>> {
    let questions: Vec<(&Element, Vec<Value>)> = entries.iter().map(Entry::question).collect();
    let answers = match page.probe_all::<Still>(&questions, "still", &seen_through(budget)).await {
        // The report tells where the page went.
        Err(error) if went_on(page, &error) => return Ok(Vec::new()),
        answers => answers?,
    };
    let mut lost = Vec::new();
    for (at, (entry, answer)) in entries.iter().zip(answers).enumerate() {
        let Some(still) = answer.filter(|still| !still.kept) else { continue };
        let secret = still.sensitive || page.was_sensitive(&entry.element);
        lost.push((at, if still.gone { form::taken_away(&entry.element) } else { entry.went(secret, still.value) }));
    }
    Ok(lost)
}

/// Sends what the fields belong to, beginning at the last of them: as `submit: true` does for one field.
///
/// # Errors
/// As [`Session::probe`].
pub async fn send(page: &mut Session, last: &Element, budget: &Budget) -> Result<Value> {
    let mark = Mark::take(page);
    let (_, unsent) = keyboard::submit(page, last, budget).await?;
    let deed = Deed { method: "form", after: None, value: None };
    let report = outcome::report(page, None, &mark, deed, budget).await;
    Ok(keyboard::with_hint(report, unsent.as_ref()))
}

/// Filling under way.
struct Run<'a> {
    filled: &'a mut Vec<Filled>,
    /// When the field before was done.
    began: Instant,
    /// The field before, written and not read back yet.
    before: Option<Box<Written>>,
}

impl Run<'_> {
    fn done(&mut self, report: Value) {
        self.filled.push(Filled { report, took: self.began.elapsed() });
        self.began = Instant::now();
    }

    /// Reads back the field before.
    async fn conclude(&mut self, page: &mut Session, how: &'static str, budget: &Budget) -> Result<()> {
        let Some(written) = self.before.take() else { return Ok(()) };
        let budget = &seen_through(budget);
        let held = read_back(page, &written, how, budget).await?;
        let report = written.finish(page, held, false, budget).await?;
        self.done(report);
        Ok(())
    }

    /// Reads back the field before and takes a first look at the next one, in one call where one document holds
    /// both.
    async fn lead(
        &mut self,
        page: &mut Session,
        next: &Element,
        wants: &Wants,
        budget: &Budget,
    ) -> Result<(Mark, Option<FirstLook>)> {
        let is_beside = |written: &Written| {
            let before = &written.target.element;
            written.sent == Delivery::Done && before.frame == next.frame && before.session.id() == next.session.id()
        };
        let Some(written) = self.before.take_if(|written| is_beside(written)) else {
            self.conclude(page, "keptAndLeft", budget).await?;
            return Ok((Mark::take(page), None));
        };
        let mark = Mark::take(page);
        let started = tokio::time::Instant::now();
        let wants = Wants { wait: look_wait(budget), ..wants.clone() };
        let args = [json!(wants), written.text.as_str().into(), render_patience(budget)];
        let asked =
            page.probe_beside::<Followed>(next, "follow", &args, &written.target.element, &asking(budget)).await;
        let (held, look) = match unless_gone_on(page, asked) {
            Ok(Some(Followed { held, look })) => (Some(written.judged(page, held, &seen_through(budget)).await?), look),
            Ok(None) => {
                page.leave_guard(&written.target.element);
                (None, None)
            }
            Err(error) => return Err(budget.overrun().unwrap_or(error)),
        };
        let report = written.finish(page, held, false, &seen_through(budget)).await?;
        self.done(report);
        Ok((mark, look.map(|look| FirstLook { look, started })))
    }
}
