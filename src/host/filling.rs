//! The row that fills many fields: it waits until every key means a field that can be written, then fills all of
//! them in page order. Nothing is touched before.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::Host;
use super::args::Args;
use super::fields::{Place, Planned, look_elsewhere, plan, told};
use super::observe::{Effected, Outcome};
use super::waiting::{Looks, reading};
use crate::act::filling::{self, Entry, Filled, Want};
use crate::budget::{Budget, Layer};
use crate::error::{Error, FieldFault, FieldName, FieldProblem, Result};
use crate::page::millis;
use crate::page::tree::Tree;
use crate::reference::Ref;

/// What each field has when the options do not say.
const EACH: Duration = Duration::from_secs(5);

/// What is known of the fields before anything is touched.
struct Ready {
    planned: Vec<Planned>,
    entries: Vec<Entry>,
}

pub async fn fill_fields(host: &mut Host, args: Args, budget: Budget) -> Result<Value> {
    let options = args.options(1)?;
    let timeout = options.milliseconds("timeout")?;
    let submit = options.bool("submit")?.unwrap_or(false);
    let frame = options.string("frame")?.map(|label| host.frame_named("fill", &label)).transpose()?;
    let place = Place { frame, within: options.reference("within")? };
    let map = match args.get(0) {
        Some(Value::Object(map)) if !map.is_empty() => map.clone(),
        _ => {
            return Err(args.wrong_value(
                "fields",
                "an empty map",
                "at least one field, such as `#{\"City\": \"Porto\"}`",
            ));
        }
    };
    let Ready { planned, entries } = prepare(host, &args, &map, &place, &host.timed(timeout, budget)).await?;
    let base = host.budget();
    let each = || base.child(timeout.unwrap_or(EACH), Layer::Call);
    let mut filled = Vec::new();
    let mut ended = filling::all(&mut host.page, &entries, &mut filled, each).await;
    let names: Vec<FieldName> = planned.iter().zip(&entries).map(|(planned, entry)| planned.name(entry)).collect();
    let mut lost = Vec::new();
    if ended.is_ok() {
        match filling::lost(&host.page, &entries, &each()).await {
            Ok(found) => lost = found,
            Err(error) => ended = Err(error),
        }
    }
    let went: Vec<usize> = lost.iter().map(|&(at, _)| at).collect();
    if let Some((_, error)) = lost.first() {
        ended = Err(error.clone());
    }
    let mut sent = None;
    if let (Ok(()), true, Some(last)) = (&ended, submit, entries.last()) {
        match filling::send(&mut host.page, &last.element, &each()).await {
            Ok(report) => sent = Some(report),
            Err(error) => ended = Err(error),
        }
    }
    for (entry, at) in entries.iter().zip(0..) {
        host.journal.part(effect(entry, filled.get(at), at == filled.len(), ended.as_ref().err()));
    }
    if let Err(error) = ended {
        if !filled.is_empty() {
            host.page.acted("fill(#{…})");
        }
        let (done, rest) = names.split_at_checked(filled.len()).unwrap_or((&names, &[]));
        let lose = |(at, error): (usize, Error)| {
            Some(FieldProblem { key: names.get(at)?.key.clone(), fault: FieldFault::Unusable(error.into()) })
        };
        let holds = |(at, _): &(usize, &FieldName)| !went.contains(at);
        return Err(Error::FillStopped {
            field: rest.first().or_else(|| names.get(*went.first()?)).cloned(),
            filled: done.iter().enumerate().filter(holds).map(|(_, name)| name.clone()).collect(),
            not_started: rest.get(1..).unwrap_or_default().to_vec(),
            lost: lost.into_iter().filter_map(lose).collect(),
            error: Box::new(error),
        });
    }
    Ok(report(&planned, &names, &filled, sent.as_ref()))
}

/// Waits until every key names a field that can be written.
async fn prepare(
    host: &mut Host,
    args: &Args,
    map: &Map<String, Value>,
    place: &Place,
    budget: &Budget,
) -> Result<Ready> {
    let started = Instant::now();
    let mut looks = Looks::new();
    loop {
        let look = reading(host, budget);
        let tree = host.page.read_tree(&look).await?;
        let (planned, mut problems) = plan(host, args, &tree, map, place, &look).await?;
        let entries = entries(host, &tree, &planned, &look).await?;
        for (entry, against) in entries.iter().zip(filling::survey(&mut host.page, &entries, &look).await?) {
            if let Err(error) = against {
                problems.push(FieldProblem { key: entry.key.clone(), fault: FieldFault::Unusable(error.into()) });
            }
        }
        if problems.is_empty() {
            return Ok(Ready { planned, entries });
        }
        // What is not there yet may come, what is disabled may be enabled and what is inert set free; nothing else mends
        // itself.
        let may_pass = problems.iter().all(|problem| {
            matches!(problem.fault, FieldFault::None { .. })
                || matches!(problem.code(), "act::disabled" | "act::covered")
        });
        if !may_pass || looks.next(budget).await.is_err() {
            look_elsewhere(host, &mut problems);
            return Err(budget.overrun().unwrap_or_else(|| refusal(problems, millis(started.elapsed()))));
        }
    }
}

/// Returns the error for the problems.
fn refusal(mut problems: Vec<FieldProblem>, waited_ms: u64) -> Error {
    for problem in &mut problems {
        if let FieldFault::Unusable(error) = &mut problem.fault
            && let Error::ActDisabled { waited_ms: waited, .. } | Error::ActCovered { waited_ms: waited, .. } =
                &mut **error
        {
            *waited = waited_ms;
        }
    }
    Error::FieldsRefused { problems, waited_ms }
}

/// Resolves the controls, all together.
async fn entries(host: &mut Host, tree: &Tree, planned: &[Planned], budget: &Budget) -> Result<Vec<Entry>> {
    let references: Vec<Ref> = planned.iter().map(|plan| Ok(told(host, tree, plan.node)?.0)).collect::<Result<_>>()?;
    let elements = host.page.resolve_all(&references, budget).await?;
    let entry = |(plan, mut element): (&Planned, crate::page::Element)| {
        if !plan.is_ref {
            element.told_by_name = true;
            element.row = None;
        }
        Entry { key: plan.key.clone(), element, want: plan.want.clone() }
    };
    Ok(planned.iter().zip(elements).map(entry).collect())
}

/// Returns the entry of one field in the effects of the run.
fn effect(entry: &Entry, filled: Option<&Filled>, is_next: bool, error: Option<&Error>) -> Effected {
    let outcome = match (filled, error) {
        (Some(_), _) => Outcome::Done,
        (None, Some(error)) if is_next => super::journal::outcome_of(error),
        (None, _) => Outcome::NotDone,
    };
    let (verb, reference) = (entry.want.verb(), entry.element.reference);
    let more = if matches!(entry.want, Want::Tick(_)) { "" } else { ", …" };
    Effected {
        call: format!("{verb}(\"{reference}\"{more})"),
        reference: Some(reference.to_string()),
        outcome,
        ms: filled.map_or(0, |filled| millis(filled.took)),
    }
}

fn report(planned: &[Planned], names: &[FieldName], filled: &[Filled], sent: Option<&Value>) -> Value {
    let field = |((plan, name), done): ((&Planned, &FieldName), &Filled)| {
        json!({
            "key": name.key,
            "label": name.label,
            "ref": name.reference,
            "verb": plan.want.verb(),
            "value": plan.value(&done.report),
            "changed": done.report.get("changed"),
        })
    };
    let fields: Vec<Value> = planned.iter().zip(names).zip(filled).map(field).collect();
    let mut whole = json!({ "success": true, "fields": fields });
    let reports = || filled.iter().map(|done| &done.report).chain(sent);
    // What came of the whole: of each kind the last that happened.
    for key in ["navigated", "opened_tab", "dialog", "download", "hint", "rebound"] {
        let last = reports().filter_map(|report| report.get(key)).rfind(|value| !value.is_null());
        whole[key] = last.cloned().unwrap_or_default();
    }
    whole
}
