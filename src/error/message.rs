//! What each error says: found before expected, names in backticks, no full stop.

use std::fmt::{Formatter, Result};

use super::{Change, Error, NoOption, Resource, StaleCause};
use crate::script::{own, quoted, quoted_exactly, unseen};

pub(super) fn write(error: &Error, f: &mut Formatter<'_>) -> Result {
    match error {
        Error::RefStale { reference, was, cause, by, frame: Some(frame), .. } => {
            write!(f, "ref `{reference}` ({was}) is stale: ")?;
            match cause {
                StaleCause::FrameGone => write!(f, "its frame {frame} is gone")?,
                _ => write!(f, "its frame {frame} shows another document")?,
            }
            // A frame goes on by itself too: what was under way then need not be the reason.
            by.as_ref().map_or(Ok(()), |call| write!(f, ", since `{call}`"))
        }
        Error::RefStale { reference, was, cause, by, .. } => {
            write!(f, "ref `{reference}` ({was}) is stale: {}", cause_words(*cause))?;
            match by {
                Some(call) => write!(f, " by `{call}`"),
                None => Ok(()),
            }
        }
        Error::RefChanged { reference, was, now, .. } => {
            write!(f, "ref `{reference}` means something else now: was {was}, is {now}")
        }
        Error::RefUnknown { reference, .. } => write!(f, "`{reference}` is no ref of this session"),
        Error::RefOtherTab { reference, was, tab, current, .. } => {
            write!(f, "ref `{reference}` ({was}) belongs to tab `{tab}`, the current tab is `{current}`")
        }
        Error::FindNone { wanted, looked, nth: Some(nth), matches, .. } => {
            let elements = if *matches == 1 { "element" } else { "elements" };
            write!(f, "{looked} {matches} {elements} match {wanted}, expected number {nth} (from 0)")
        }
        Error::FindNone { wanted, looked, waited_ms, .. } => {
            write!(f, "nothing {looked} matches {wanted} (looked for {})", seconds(*waited_ms))
        }
        Error::FindAmbiguous { wanted, total, .. } => write!(f, "{total} elements match {wanted}, expected one"),
        Error::SnapshotStale { snapshot, latest } => match latest {
            Some(latest) => write!(f, "snapshot `{snapshot}` is out of date, the latest is `{latest}`"),
            None => write!(f, "snapshot `{snapshot}` is not kept any more"),
        },
        Error::ActHidden { reference, was, reason, waited_ms } => {
            write!(f, "{was} `{reference}` can't be seen: {reason} (waited {})", seconds(*waited_ms))
        }
        Error::ActDisabled { reference, was, waited_ms } => {
            write!(f, "{was} `{reference}` is disabled (waited {})", seconds(*waited_ms))
        }
        Error::ActCovered { reference, was, coverer, inert, waited_ms } => {
            write!(f, "{was} `{reference}` is ")?;
            if *inert {
                f.write_str("inert")?;
            } else {
                f.write_str("covered")?;
            }
            if let Some(top) = coverer {
                let place = if *inert { "behind" } else { "by" };
                write!(f, " {place} {} {} `{}`", top.role, quoted(&top.name), top.reference)?;
            }
            write!(f, " (waited {})", seconds(*waited_ms))
        }
        Error::ActMoving { reference, was, waited_ms } => {
            write!(f, "{was} `{reference}` keeps moving (waited {})", seconds(*waited_ms))
        }
        Error::ActNotTypable { reference, was, kind, .. } => {
            write!(f, "{was} `{reference}` takes no text: it is {kind}")
        }
        Error::ActReadonly { reference, was } => write!(f, "{was} `{reference}` is read-only"),
        Error::ActNoOption { reference, was, wanted, reason, .. } => {
            let wanted = own(wanted);
            match reason {
                NoOption::Missing => write!(f, "{was} `{reference}` has no option {wanted}"),
                NoOption::Disabled => write!(f, "option {wanted} of {was} `{reference}` is disabled"),
                NoOption::Ambiguous => write!(f, "several options of {was} `{reference}` read {wanted}"),
            }
        }
        Error::ActNotKept { reference, was, wanted, kept, .. } => {
            let (kept, wanted) = told_apart(kept, wanted);
            write!(f, "{was} `{reference}` holds {kept} after {wanted} was written")
        }
        Error::FieldsRefused { problems, waited_ms } => {
            f.write_str("nothing was filled: ")?;
            let first_missing = problems.iter().position(|problem| problem.code() == "find::none");
            for (at, problem) in problems.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { "; " })?;
                f.write_str(&problem.message())?;
                if first_missing == Some(at) {
                    write!(f, " (looked for {})", seconds(*waited_ms))?;
                }
            }
            Ok(())
        }
        Error::FillStopped { field, filled, not_started, lost, error } => {
            match field {
                Some(field) => write!(f, "filling stopped at {}", own(&field.key))?,
                None => f.write_str("the form was not sent")?,
            }
            write!(f, " ({} filled, {} not started): {error}", filled.len(), not_started.len())?;
            // The first of them is what is told above.
            lost.iter().skip(1).try_for_each(|problem| write!(f, "; {}: {}", own(&problem.key), problem.message()))
        }
        Error::ActUnknown { reference, was, evidence } => {
            write!(f, "it is not known whether the input reached {was}")?;
            if let Some(reference) = reference {
                write!(f, " `{reference}`")?;
            }
            write!(f, ": {evidence}")
        }
        Error::DialogOpen { kind, text, tab } => {
            write!(f, "the page in `{tab}` waits for an answer to its {kind} {}", quoted(text))
        }
        Error::NavFailed { url, reason } => write!(f, "no document from {}: {reason}", quoted(url)),
        Error::WaitTimeout { wanted, change, waited_ms, now, .. } => {
            let what = match change {
                Change::Appear => "did not appear",
                Change::Disappear => "did not go away",
                Change::Reach => "was not reached",
                Change::Happen => "did not happen",
            };
            write!(f, "{wanted} {what} within {}", seconds(*waited_ms))?;
            now.as_ref().map_or(Ok(()), |now| write!(f, ": {now}"))
        }
        Error::PageHung { doing, waited_ms, freed } => {
            write!(f, "the page did not answer {doing} for {}", seconds(*waited_ms))?;
            match freed {
                Some(how) => write!(f, "; it was freed: {how}"),
                None => Ok(()),
            }
        }
        Error::PageCrashed { tab } => write!(f, "the page in `{tab}` crashed"),
        Error::DialogNone { .. } => f.write_str("no dialog is open"),
        Error::TabClosed { tab, .. } => write!(f, "tab `{tab}` is closed"),
        Error::ArgsCount { function, found, takes, .. } => {
            let plural = if *found == 1 { "argument" } else { "arguments" };
            write!(f, "`{function}` got {found} {plural}, it takes `{takes}`")
        }
        Error::ArgsType { function, parameter, found, expected, .. } => {
            write!(f, "`{parameter}` of `{function}` is {found}, expected {expected}")
        }
        Error::ArgsValue { function, parameter, found, expected } => {
            write!(f, "`{parameter}` of `{function}` is {found}, expected {expected}")
        }
        Error::ArgMissing { name } => write!(f, "the argument `{name}` was not given"),
        Error::RoleUnknown { role, .. } => write!(f, "there is no role {}", own(role)),
        Error::TabUnknown { tab, .. } => write!(f, "there is no tab {}", own(tab)),
        Error::ListExpected { reference, was, kind, .. } => {
            write!(f, "{was} `{reference}` is no list of options: it is {kind}")
        }
        Error::ArgsOption { function, option, .. } => write!(f, "`{function}` has no option `{option}`"),
        Error::ScriptFile { path, reason } => write!(f, "script `{path}` can't be read: {reason}"),
        Error::ScriptParse { problem, .. } | Error::ScriptError { problem, .. } => f.write_str(problem),
        Error::ScriptUnknownFunction { function, .. } => write!(f, "there is no function `{function}`"),
        Error::ScriptAssert { problem } => f.write_str(problem),
        Error::ScriptLimit { limit, problem } => write!(f, "the script went past the limit of {limit}: {problem}"),
        Error::PolicyOrigin { url, expected, .. } => {
            write!(f, "{} may not be opened, expected {expected}", quoted(url))
        }
        Error::PolicyRight { function, right } => write!(f, "`{function}` needs the right `--allow-{right}`"),
        Error::PolicySecret { function } => write!(f, "`{function}` would take the value out of a sensitive field"),
        Error::BudgetTime { layer, limit_ms, during } => {
            write!(f, "the time of {layer} is up: {}", seconds(*limit_ms))?;
            during.as_ref().map_or(Ok(()), |call| write!(f, ", during `{call}`"))
        }
        Error::RunCancelled { during } => {
            f.write_str("the run was cancelled")?;
            during.as_ref().map_or(Ok(()), |call| write!(f, " during `{call}`"))
        }
        Error::BudgetOutput { limit_bytes } => {
            write!(f, "the script printed more than the {} that a run may print", size(*limit_bytes))
        }
        Error::BrowserMissing { looked } => {
            write!(f, "no Chrome or Chromium found")?;
            if looked.is_empty() { Ok(()) } else { write!(f, " (looked at {})", looked.join(", ")) }
        }
        Error::BrowserInstall { what, reason, .. } => write!(f, "no browser was installed: {what}: {reason}"),
        Error::BrowserLaunch { what, reason } => write!(f, "{what} failed: {reason}"),
        Error::BrowserAttach { endpoint, reason } => write!(f, "attaching to `{endpoint}` failed: {reason}"),
        Error::BrowserGone { reason } => write!(f, "the browser is gone: {reason}"),
        Error::BrowserProtocol { method, problem } => write!(f, "the browser refused `{method}`: {problem}"),
        Error::IoDiskFull { path, needed_mb } => {
            write!(f, "the disk of `{path}` is full, expected {needed_mb} MB of room")
        }
        Error::IoFailed { path, reason } => write!(f, "`{path}` can't be used: {reason}"),
        Error::IoPort { port, reason } => write!(f, "port {port} can't be listened on: {reason}"),
        Error::IoSystem { what, reason } => write!(f, "{} can't be used: {reason}", resource(*what)),
        Error::Usage { problem, .. } => f.write_str(problem),
        Error::InternalBug { problem } => write!(f, "a fault in pageboy itself: {problem}"),
    }
}

fn resource(what: Resource) -> &'static str {
    match what {
        Resource::Output => "the standard output",
        Resource::Terminal => "the terminal",
        Resource::Signals => "the signals of the system",
        Resource::Program => "the running program",
        Resource::Threads => "the threads of the process",
        Resource::Process => "a process of the bench",
        Resource::Loopback => "the loopback address",
    }
}

/// Quotes two texts so that one can see what is different about them: as they are where that is whitespace, or
/// characters that nobody sees, and in short otherwise.
fn told_apart(one: &str, two: &str) -> (String, String) {
    let (short, other) = (quoted(one), own(two));
    if short == other || unseen(one) != unseen(two) {
        (quoted_exactly(one), quoted_exactly(two))
    } else {
        (short, other)
    }
}

fn cause_words(cause: StaleCause) -> &'static str {
    match cause {
        StaleCause::Removed => "its element was removed",
        StaleCause::Replaced => "its element was replaced",
        StaleCause::DocumentReplaced => "its document was replaced",
        StaleCause::FrameGone => "its frame is gone",
    }
}

/// Writes a duration as people read it: `850 ms`, `5 s`, `1.5 s`.
fn seconds(milliseconds: u64) -> String {
    if milliseconds < 1000 {
        return format!("{milliseconds} ms");
    }
    let tenths = (milliseconds + 50) / 100;
    if tenths.is_multiple_of(10) { format!("{} s", tenths / 10) } else { format!("{}.{} s", tenths / 10, tenths % 10) }
}

/// Writes a size as people read it: `16 MiB`, `64 KiB`, `1000 bytes`.
fn size(bytes: usize) -> String {
    match bytes {
        _ if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        _ if bytes >= 10 << 10 => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}
