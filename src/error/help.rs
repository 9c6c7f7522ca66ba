//! The next step for each error: imperative, one step, readable without color.

use super::{Change, Error, FieldName, InstallTrouble, Nearest, NoOption, Resource, StaleCause};
use crate::script::{own, quoted};

impl Error {
    /// Returns what to do next, with the nearest refs as indented lines where there are any.
    pub fn help(&self) -> String {
        match self {
            Self::RefStale { nearest, cause, .. } => stale(nearest, *cause),
            Self::RefChanged { nearest, .. } => {
                let step = "call `tree()` or `find(…)` again and use the ref of the element you mean";
                with_refs(step, "nearest refs that are valid now:", nearest)
            }
            Self::RefUnknown { instead: Some(call), nearest, .. } => {
                with_refs(&format!("write `{call}`"), "closest on the page:", nearest)
            }
            Self::RefUnknown { nearest, .. } => with_refs(
                "take refs from `tree()`, `find(…)` or `query(…)` of this session",
                "nearest refs that are valid now:",
                nearest,
            ),
            Self::RefOtherTab { tab, .. } => format!("call `tab(\"{tab}\")` first"),
            Self::FindNone { role: Some(role), nearest, .. } => {
                let step = format!("`\"{role}\"` is a role: write `find(#{{role: \"{role}\"}})`");
                with_refs(&step, "closest on the page:", nearest)
            }
            Self::FindNone { nearest, matches, nth: Some(_), .. } => {
                let step = format!("count from 0: the last one is `nth: {}`", matches.saturating_sub(1));
                with_refs(&step, "matches in page order:", nearest)
            }
            Self::FindNone { nearest, elsewhere: true, .. } => {
                with_refs("leave `within` and `frame` out, or say where it is", "it matches elsewhere:", nearest)
            }
            Self::FindNone { nearest, .. } => with_refs(
                "check role and name against `tree()`, or wait longer with `find(#{name: …, timeout: 10000})`",
                "closest on the page:",
                nearest,
            ),
            Self::FindAmbiguous { matches, .. } => with_refs(&narrowing(matches), "matches in page order:", matches),
            Self::SnapshotStale { .. } => "call `tree()` again and use its `snapshot_id`".into(),
            Self::ActHidden { .. } => {
                "open what contains it first (a menu, a tab, a section), or wait with `wait_for(#{ref: …})`".into()
            }
            Self::ActDisabled { .. } => "do what enables it first, or give more time with `#{timeout: 10000}`".into(),
            Self::ActCovered { coverer: Some(top), .. } => {
                format!("close or answer `{}` first", top.reference)
            }
            Self::ActCovered { coverer: None, .. } => "close what lies on top first".into(),
            Self::ActMoving { .. } => "wait until the animation ends, or pass `#{force: true}`".into(),
            Self::ActNotTypable { instead, .. } => match instead {
                Some(call) => format!("use `{call}` instead"),
                None => "use the ref of a text field".into(),
            },
            Self::ActReadonly { .. } => "the page fills this field itself; use the control that sets it".into(),
            Self::ActNoOption { reason, options, .. } => no_option(*reason, options),
            Self::ActNotKept { expected: Some(expected), .. } => format!("write {expected}"),
            Self::ActNotKept { .. } => {
                "write a value that the field accepts (length, format, allowed characters)".into()
            }
            Self::FieldsRefused { problems, .. } => super::fields::help(problems),
            Self::FillStopped { filled, not_started, error, .. } => {
                let keys = |fields: &[FieldName]| {
                    let keys: Vec<String> = fields.iter().map(|field| own(&field.key)).collect();
                    if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
                };
                format!("{}\nfilled: {}\nnot started: {}", error.help(), keys(filled), keys(not_started))
            }
            Self::ActUnknown { .. } => "look at the page (`tree()`) before doing it again: it may have happened".into(),
            Self::DialogOpen { tab, .. } => {
                format!("call `accept()`, `accept(text)` or `dismiss()` first, with `{tab}` as the current tab")
            }
            Self::NavFailed { .. } => "check the address and that its server answers".into(),
            Self::WaitTimeout { nearest, change, .. } => {
                let what = match change {
                    Change::Reach => "url: …",
                    Change::Disappear => "text: …, gone: true",
                    Change::Appear | Change::Happen => "text: …",
                };
                let step = format!("look at `tree()`, or wait longer with `wait_for(#{{{what}, timeout: 20000}})`");
                with_refs(&step, "closest on the page:", nearest)
            }
            Self::PageHung { .. } => "go on with another call, or leave the page with `open(…)`".into(),
            Self::PageCrashed { .. } => "call `open(…)` to load a page in this tab again".into(),
            Self::DialogNone { .. } => "click what opens it first, or check `dialog()`".into(),
            Self::TabClosed { open, .. } | Self::TabUnknown { open, .. } => match open.as_slice() {
                [] => "call `new_tab(url)`".into(),
                tabs => format!("call `tab(id)` with an open tab: {}", tabs.join(", ")),
            },
            Self::ArgsCount { hint: Some(hint), .. }
            | Self::ArgsType { hint: Some(hint), .. }
            | Self::ScriptUnknownFunction { hint: Some(hint), .. } => hint.clone(),
            Self::ArgsCount { takes, .. } | Self::ArgsType { takes, .. } => format!("write `{takes}`"),
            Self::ArgsValue { expected, .. } => format!("pass {expected}"),
            Self::ArgMissing { name } => {
                format!("run with `--arg {name}=…`, or write `arg({}, otherwise)`", quoted(name))
            }
            Self::RoleUnknown { suggestion: Some(role), .. } => format!("did you mean `{role}`?"),
            Self::RoleUnknown { .. } => "the first word of each line of `tree()` is a role".into(),
            Self::ListExpected { instead: Some(call), .. } => format!("use `{call}` instead"),
            Self::ListExpected { .. } => "open it and click the option, as in `click(find(\"option\", …))`".into(),
            Self::ArgsOption { suggestion, known, .. } => match suggestion {
                Some(option) => format!("did you mean `{option}`?"),
                None if known.is_empty() => "it takes no options".into(),
                None => format!("known options: {}", known.join(", ")),
            },
            Self::ScriptFile { .. } => {
                "check the path: a script is a UTF-8 text file, and a module stands in the script's own folder".into()
            }
            Self::ScriptParse { hint, .. } => {
                hint.clone().unwrap_or_else(|| "correct the script at the marked place".into())
            }
            Self::ScriptError { hint, .. } => {
                hint.clone().unwrap_or_else(|| "catch it with `try { … } catch (e) { … }` where it may happen".into())
            }
            Self::ScriptUnknownFunction { suggestion, takes, .. } => match (suggestion, takes) {
                (Some(_), Some(takes)) => format!("did you mean `{takes}`?"),
                (Some(name), None) => format!("did you mean `{name}`?"),
                (None, _) => "see `pageboy api` for all functions".into(),
            },
            Self::ScriptAssert { .. } => {
                "the script itself ended the run here: compare what it expected with `tree()`".into()
            }
            Self::ScriptLimit { limit, .. } => within_limit(limit).into(),
            Self::PolicyOrigin { suggestion: Some(url), .. } => format!("write `{url}`"),
            Self::PolicyOrigin { .. } => "start with `--allow-all` if you trust the script with it".into(),
            Self::PolicyRight { right, .. } => {
                format!("start with `--allow-{right}` if you trust the script with it")
            }
            Self::PolicySecret { .. } => "write into the field only; its value stays in the page".into(),
            Self::BudgetTime { layer, .. } if layer == "the run" => {
                "give it more time with `--timeout`, or do less in one run".into()
            }
            Self::BudgetTime { .. } => "give it more time, or do less in it".into(),
            Self::RunCancelled { .. } => "run it again".into(),
            Self::BudgetOutput { .. } => "print less, or hand rows out with `emit(row)`".into(),
            // One that was named is the only one that is looked at.
            Self::BrowserMissing { looked } if looked.len() == 1 => {
                "no program is at this path: correct PAGEBOY_BROWSER, or unset it so \
                 that pageboy looks for a browser itself"
                    .into()
            }
            Self::BrowserMissing { .. } => {
                "run `pageboy browser install`, or set PAGEBOY_BROWSER to the program's path".into()
            }
            Self::BrowserInstall { trouble, .. } => not_installed(*trouble).into(),
            // Chromium says so when a window is wanted where none can be shown.
            Self::BrowserLaunch { reason, .. } if reason.contains("$DISPLAY") => {
                "leave out `--headed`, or set DISPLAY to the display of a desktop".into()
            }
            Self::BrowserLaunch { .. } => "run `pageboy browser doctor`: it says what is wrong and what to do".into(),
            Self::BrowserAttach { .. } => {
                "start the browser with `--remote-debugging-port=9222` and pass `http://127.0.0.1:9222`".into()
            }
            Self::BrowserGone { .. } => "run the script again; it starts a new browser".into(),
            Self::BrowserProtocol { .. } => "a newer browser may help; please report it with this message".into(),
            Self::IoDiskFull { .. } => "make room on that disk, or write to another one".into(),
            Self::IoFailed { .. } => "check that its folder exists, and that it may be read and written".into(),
            Self::IoPort { .. } => "choose another one with `--port N`, or `--port 0` for one that is free".into(),
            Self::IoSystem { what, .. } => system(*what).into(),
            Self::Usage { hint, .. } => hint.clone(),
            Self::InternalBug { .. } => "please report it with the script and this message".into(),
        }
    }
}

/// Says how to tell one of several matches.
fn narrowing(matches: &[Nearest]) -> String {
    let ways = "`within` (the ref of its row or box), `frame`, `text` or `exact`, or choose one with `nth`";
    match matches {
        [first, rest @ ..] if rest.iter().any(|other| other.role != first.role) => {
            format!("name the role too, such as `role: \"{}\"`; else narrow it with {ways}", first.role)
        }
        _ => format!("narrow it with {ways}"),
    }
}

fn stale(nearest: &[Nearest], cause: StaleCause) -> String {
    let step = match (cause, nearest.first()) {
        (StaleCause::Replaced, Some(twin)) => {
            format!("use `{}` if you mean its replacement, or call `tree()` again", twin.reference)
        }
        (StaleCause::DocumentReplaced, _) => "call `tree()` again: refs end with their document".into(),
        _ => "call `tree()` or `find(…)` again".into(),
    };
    with_refs(&step, "nearest refs that are still valid:", nearest)
}

fn within_limit(limit: &str) -> &'static str {
    match limit {
        "operations" => "give every loop an end, or do less in one run",
        "call depth" | "stack" => "let the function end before it calls itself again, or use a loop",
        "nesting" => "give parts of the expression names of their own with `let`",
        "memory" | "value size" => {
            "keep less at once: go through it piece by piece, and hand rows out with `emit(row)`"
        }
        "source size" | "lines" | "functions" | "literal size" => "split the script, or take data out of it",
        "modules" => "join modules that are used together",
        _ => "do less in one go",
    }
}

fn no_option(reason: NoOption, options: &[String]) -> String {
    let list = options.join(", ");
    match reason {
        NoOption::Missing => format!("choose one of: {list}"),
        NoOption::Disabled => format!("choose one that is enabled: {list}"),
        NoOption::Ambiguous => format!("choose by value: {list}"),
    }
}

fn system(what: Resource) -> &'static str {
    match what {
        Resource::Output => "run it again with a reader for all of its output, or send the output to a file",
        Resource::Terminal => "run it in a terminal, or answer beforehand with `--yes`",
        Resource::Program => "run it again; its file may have been moved or replaced meanwhile",
        Resource::Signals | Resource::Threads | Resource::Process => {
            "end other programs, or raise the limits on processes and open files (`ulimit -a`)"
        }
        Resource::Loopback => "check that programs may listen on 127.0.0.1 on this machine",
    }
}

fn not_installed(trouble: InstallTrouble) -> &'static str {
    match trouble {
        InstallTrouble::Network => {
            "check the connection and run it again; where a proxy is needed, set HTTPS_PROXY to its address"
        }
        InstallTrouble::Certificates => {
            "install the package `ca-certificates` (or your proxy's own certificate) and run it again"
        }
        InstallTrouble::Answer => "run it again later, or install Chrome or Chromium yourself",
        InstallTrouble::Machine => {
            "install Chrome or Chromium yourself; a path that is not found by itself goes into PAGEBOY_BROWSER"
        }
        InstallTrouble::Packages => "do what the package manager says above, then run it again",
    }
}

pub(super) fn with_refs(step: &str, heading: &str, nearest: &[Nearest]) -> String {
    if nearest.is_empty() {
        return step.to_owned();
    }
    let mut text = format!("{step}\n{heading}");
    for near in nearest {
        text.push_str("\n  ");
        text.push_str(&near.line());
        if !near.why.is_empty() {
            text.push_str("  (");
            text.push_str(&near.why);
            text.push(')');
        }
    }
    text
}
