//! A sample of every error in both renderings, kept as one snapshot to read.

mod callers;
mod fields;
mod places;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::diagnostic::Diagnostic;
use super::failure::Failure;
use super::modules::Scripts;
use super::render::{Style, report};
use crate::error::{Change, Error, InstallTrouble, Nearest, NoOption, Resource, StaleCause};
use crate::reference::Ref;
use crate::script::{Script, Site};

/// A failing script: the error, the script, the failing call and the argument at fault in it.
struct Sample(Error, &'static str, &'static str, &'static str);

const SHOP: &str = "open(\"https://shop.example/cart\");\nlet t = tree();\nprint(t);\n";

fn near() -> Vec<Nearest> {
    let near = |number, role: &str, name: &str, why: &str| Nearest {
        reference: Ref(number),
        role: role.into(),
        name: name.into(),
        why: why.into(),
    };
    vec![near(31, "textbox", "Coupon code", "same role and name"), near(33, "button", "Apply", "same place")]
}

/// Finds a text in the script of a sample.
fn site(script: &Script, wanted: &str) -> Option<Site> {
    let start = script.text.find(wanted).filter(|_| !wanted.is_empty())?;
    let place = |at: usize| {
        let before = &script.text[..at];
        let line = before.matches('\n').count() + 1;
        (line, before.rsplit('\n').next().expect("it is there").chars().count() + 1)
    };
    let (line, column) = place(start);
    let (end_line, end_column) = place(start + wanted.len());
    Some(Site { script: script.name.clone(), line, column, end_line, end_column })
}

fn minted() -> Option<Site> {
    site(&Script::from_text("main.rhai", SHOP), "tree()")
}

fn samples() -> Vec<Sample> {
    let pay = || "button \"Pay\"".to_owned();
    let s = |text: &str| text.to_owned();
    vec![
        Sample(
            Error::RefStale {
                reference: Ref(12),
                was: s("textbox \"Coupon code\""),
                cause: StaleCause::Replaced,
                by: Some(s("click(\"ref_3\")")),
                frame: None,
                nearest: near(),
                minted: minted(),
            },
            "type( coupon , \"SAVE10\");",
            "type( coupon , \"SAVE10\")",
            "coupon",
        ),
        Sample(
            Error::RefChanged {
                reference: Ref(12),
                was: s("button \"Cancel\""),
                now: s("button \"Delete\""),
                nearest: Vec::new(),
                minted: minted(),
            },
            "\"ref_12\".click();",
            "\"ref_12\".click()",
            "\"ref_12\"",
        ),
        Sample(
            Error::RefUnknown { reference: s("ref_99"), instead: None, nearest: near() },
            "click(\"ref_99\")",
            "click(\"ref_99\")",
            "\"ref_99\"",
        ),
        Sample(
            Error::RefUnknown {
                reference: s("Sign up"),
                instead: Some(s("click(find(\"Sign up\"))")),
                nearest: Vec::new(),
            },
            "click(\"Sign up\")",
            "click(\"Sign up\")",
            "\"Sign up\"",
        ),
        Sample(
            Error::RefOtherTab { reference: Ref(12), was: pay(), tab: s("tab_1"), current: s("tab_2"), minted: None },
            "click(\"ref_12\")",
            "click(\"ref_12\")",
            "\"ref_12\"",
        ),
        Sample(
            places::none(s("button \"Aply\""), None, near()),
            "click(find(\"button\", \"Aply\"));",
            "find(\"button\", \"Aply\")",
            "\"Aply\"",
        ),
        Sample(
            places::none(s("\"status\""), Some(s("status")), Vec::new()),
            "text(find(\"status\"));",
            "find(\"status\")",
            "\"status\"",
        ),
        Sample(
            Error::FindAmbiguous { wanted: s("button \"Apply\""), matches: near(), total: 2 },
            "find(\"button\", \"Apply\")",
            "find(\"button\", \"Apply\")",
            "\"Apply\"",
        ),
        Sample(
            Error::SnapshotStale { snapshot: s("s4"), latest: Some(s("s5")) },
            "tree(#{page: 2, snapshot: \"s4\"})",
            "tree(#{page: 2, snapshot: \"s4\"})",
            "\"s4\"",
        ),
        Sample(
            Error::ActHidden { reference: Ref(7), was: pay(), reason: s("its menu is closed"), waited_ms: 5000 },
            "pay.click();",
            "pay.click()",
            "pay",
        ),
        Sample(
            Error::ActDisabled { reference: Ref(7), was: pay(), waited_ms: 5000 },
            "click(pay)",
            "click(pay)",
            "pay",
        ),
        Sample(
            Error::ActCovered { reference: Ref(7), was: pay(), coverer: near().pop(), inert: false, waited_ms: 5000 },
            "click(pay)",
            "click(pay)",
            "pay",
        ),
        Sample(Error::ActMoving { reference: Ref(7), was: pay(), waited_ms: 5000 }, "click(pay)", "click(pay)", "pay"),
        Sample(
            Error::ActNotTypable {
                reference: Ref(7),
                was: s("checkbox \"Terms\""),
                kind: s("a checkbox"),
                instead: Some(s("check(ref)")),
            },
            "type(terms, \"yes\")",
            "type(terms, \"yes\")",
            "terms",
        ),
        Sample(
            Error::ActReadonly { reference: Ref(7), was: s("textbox \"Total\"") },
            "fill(total, 1)",
            "fill(total, 1)",
            "total",
        ),
        Sample(
            Error::ActNoOption {
                reference: Ref(7),
                was: s("combobox \"Country\""),
                wanted: s("Frnce"),
                reason: NoOption::Missing,
                options: vec![s("France"), s("Spain")],
            },
            "select(country, \"Frnce\")",
            "select(country, \"Frnce\")",
            "\"Frnce\"",
        ),
        Sample(
            Error::ActNoOption {
                reference: Ref(7),
                was: s("combobox \"Country\""),
                wanted: s("Spain"),
                reason: NoOption::Disabled,
                options: vec![s("France")],
            },
            "select(country, \"Spain\")",
            "select(country, \"Spain\")",
            "\"Spain\"",
        ),
        Sample(
            Error::ActNotKept {
                reference: Ref(7),
                was: s("textbox \"Name\""),
                wanted: s("Ann"),
                kept: s("ANN-1"),
                expected: None,
            },
            "fill(name, \"Ann\")",
            "fill(name, \"Ann\")",
            "\"Ann\"",
        ),
        Sample(
            Error::ActNotKept {
                reference: Ref(7),
                was: s("textbox \"Arrival\""),
                wanted: s("3 May"),
                kept: s(""),
                expected: Some(s("a date as YYYY-MM-DD")),
            },
            "fill(arrival, \"3 May\")",
            "fill(arrival, \"3 May\")",
            "\"3 May\"",
        ),
        Sample(
            Error::ActUnknown {
                reference: Some(Ref(7)),
                was: pay(),
                evidence: s("the page went away with the click under way"),
            },
            "click(pay)",
            "click(pay)",
            "pay",
        ),
        Sample(
            Error::DialogOpen { kind: s("confirm"), text: s("Pay 29.90?"), tab: s("tab_1") },
            "title()",
            "title()",
            "",
        ),
        Sample(
            Error::NavFailed { url: s("https://shop.exmple/"), reason: s("there is no server of this name") },
            "open(\"https://shop.exmple/\")",
            "open(\"https://shop.exmple/\")",
            "\"https://shop.exmple/\"",
        ),
        Sample(
            Error::WaitTimeout {
                wanted: s("text \"Thank you\""),
                change: Change::Appear,
                waited_ms: 10_000,
                now: None,
                nearest: Vec::new(),
            },
            "wait_for(\"Thank you\")",
            "wait_for(\"Thank you\")",
            "\"Thank you\"",
        ),
        Sample(
            Error::PageHung { doing: s("`tree()`"), waited_ms: 10_000, freed: Some(s("its script was ended")) },
            "let after = title();",
            "title()",
            "",
        ),
        Sample(Error::PageCrashed { tab: s("tab_1") }, "url()", "url()", ""),
        Sample(Error::DialogNone { function: s("accept") }, "accept();", "accept()", ""),
        Sample(
            Error::TabUnknown { tab: s("tab_9"), open: vec![s("tab_1")] },
            "tab(\"tab_9\")",
            "tab(\"tab_9\")",
            "\"tab_9\"",
        ),
        Sample(Error::ArgMissing { name: s("user") }, "arg(\"user\")", "arg(\"user\")", "\"user\""),
        Sample(
            Error::RoleUnknown { role: s("buton"), suggestion: Some(s("button")) },
            "find(\"buton\", \"Save\")",
            "find(\"buton\", \"Save\")",
            "\"buton\"",
        ),
        Sample(
            Error::ListExpected {
                reference: Ref(7),
                was: s("textbox \"City\""),
                kind: s("a text field"),
                instead: Some(s("fill(\"ref_7\", text)")),
            },
            "select(city, \"Faro\")",
            "select(city, \"Faro\")",
            "city",
        ),
        Sample(
            Error::TabClosed { tab: s("tab_2"), open: vec![s("tab_1")] },
            "tab(\"tab_2\")",
            "tab(\"tab_2\")",
            "\"tab_2\"",
        ),
        Sample(
            Error::ArgsCount { function: s("attr"), found: 1, takes: s("attr(ref, name)"), hint: None },
            "attr(\"ref_1\")",
            "attr(\"ref_1\")",
            "",
        ),
        Sample(
            Error::ArgsType {
                function: s("click"),
                parameter: s("ref"),
                found: s("the int 3"),
                expected: s("a ref such as \"ref_12\", or a node"),
                takes: s("click(ref, #{…})"),
                hint: None,
            },
            "click(3)",
            "click(3)",
            "3",
        ),
        Sample(
            Error::ArgsValue {
                function: s("tree"),
                parameter: s("filter"),
                found: s("\"al\""),
                expected: s("\"all\", \"visible\" or \"interactive\""),
            },
            "tree(#{filter: \"al\"})",
            "tree(#{filter: \"al\"})",
            "\"al\"",
        ),
        Sample(
            Error::ArgsOption {
                function: s("click"),
                option: s("cout"),
                suggestion: Some(s("count")),
                known: vec![s("count"), s("button")],
            },
            "click(pay, #{cout: 2});",
            "click(pay, #{cout: 2})",
            "cout",
        ),
        Sample(Error::ScriptFile { path: s("shop.rhai"), reason: s("there is no such file") }, "", "", ""),
        Sample(
            Error::ScriptParse { problem: s("Rhai has no `null`"), hint: Some(s("write `()` for no value")) },
            "let found = null;",
            "null",
            "",
        ),
        Sample(
            Error::ScriptUnknownFunction {
                function: s("clik"),
                suggestion: Some(s("click")),
                takes: Some(s("click(ref, #{…})")),
                hint: None,
            },
            "clik(pay);",
            "clik",
            "",
        ),
        Sample(
            Error::ScriptError { problem: s("index 9 is out of bounds: the array has 2 items"), hint: None },
            "let last = items[9];",
            "[9]",
            "",
        ),
        Sample(
            Error::ScriptAssert { problem: s("the cart is empty") },
            "assert(count > 0, \"the cart is empty\");",
            "assert(count > 0, \"the cart is empty\")",
            "",
        ),
        Sample(
            Error::ScriptLimit { limit: s("operations"), problem: s("it ran too long without an end") },
            "loop { }",
            "loop",
            "",
        ),
        Sample(
            Error::PolicyOrigin { url: s("file:///etc/passwd"), expected: s("http or https"), suggestion: None },
            "open(\"file:///etc/passwd\")",
            "open(\"file:///etc/passwd\")",
            "\"file:///etc/passwd\"",
        ),
        Sample(
            Error::PolicyOrigin {
                url: s("localhost:3000"),
                expected: s("http or https"),
                suggestion: Some(s("http://localhost:3000/")),
            },
            "open(\"localhost:3000\")",
            "open(\"localhost:3000\")",
            "\"localhost:3000\"",
        ),
        Sample(Error::PolicyRight { function: s("eval_js"), right: s("js") }, "eval_js(\"1\")", "eval_js(\"1\")", ""),
        Sample(
            Error::PolicySecret { function: s("press") },
            "press(password, \"Control+C\")",
            "press(password, \"Control+C\")",
            "",
        ),
        Sample(
            Error::BudgetTime { layer: s("this `within`"), limit_ms: 2000, during: None },
            "sleep(9000)",
            "sleep(9000)",
            "",
        ),
        Sample(
            Error::BudgetTime { layer: s("the run"), limit_ms: 2000, during: Some(s("wait_for(\"Never\")")) },
            "wait_for(\"Never\")",
            "wait_for(\"Never\")",
            "",
        ),
        Sample(Error::RunCancelled { during: Some(s("sleep(9000)")) }, "sleep(9000)", "sleep(9000)", ""),
        Sample(Error::BudgetOutput { limit_bytes: 16 << 20 }, "log(all)", "log(all)", ""),
        Sample(Error::BrowserMissing { looked: vec![s("chromium"), s("google-chrome")] }, "", "", ""),
        Sample(
            Error::BrowserInstall {
                what: s("`dnf install -y chromium`"),
                reason: s("exit status: 1"),
                trouble: InstallTrouble::Packages,
            },
            "",
            "",
            "",
        ),
        Sample(
            Error::BrowserInstall {
                what: s("`https://example.test/chrome.zip`"),
                reason: s("dns error: no such host"),
                trouble: InstallTrouble::Network,
            },
            "",
            "",
            "",
        ),
        Sample(Error::BrowserLaunch { what: s("`/usr/bin/chromium`"), reason: s("exit status: 127") }, "", "", ""),
        Sample(
            Error::BrowserLaunch { what: s("`/usr/bin/chromium`"), reason: s("Missing X server or $DISPLAY") },
            "",
            "",
            "",
        ),
        Sample(
            Error::BrowserAttach { endpoint: s("ws://127.0.0.1:9222/"), reason: s("connection refused") },
            "",
            "",
            "",
        ),
        Sample(Error::BrowserGone { reason: s("it was closed") }, "url()", "url()", ""),
        Sample(
            Error::BrowserProtocol { method: s("DOM.getBoxModel"), problem: s("no such node") },
            "rect(pay)",
            "rect(pay)",
            "",
        ),
        Sample(Error::IoDiskFull { path: s("pageboy/browsers"), needed_mb: 720 }, "", "", ""),
        Sample(Error::IoFailed { path: s("report.json"), reason: s("permission denied") }, "", "", ""),
        Sample(Error::IoPort { port: 4173, reason: s("address in use") }, "", "", ""),
        Sample(Error::IoSystem { what: Resource::Output, reason: s("broken pipe") }, "", "", ""),
        Sample(
            Error::Usage { problem: s("`--timeout` is \"soon\""), hint: s("write a duration such as `60s`") },
            "",
            "",
            "",
        ),
        Sample(Error::InternalBug { problem: s("the worker failed") }, "", "", ""),
    ]
}

fn all_samples() -> Vec<Sample> {
    samples().into_iter().chain(fields::samples()).chain(places::samples()).collect()
}

fn failure(sample: Sample) -> (Failure, Scripts) {
    let Sample(error, line, call, argument) = sample;
    let script = Script::from_text("main.rhai", format!("{SHOP}{line}\n"));
    let place = |wanted: &str| {
        let call = site(&script, call)?;
        let inside = Script::from_text("main.rhai", line);
        let found = site(&inside, wanted)?;
        Some(Site { line: call.line, end_line: call.line, ..found })
    };
    let failure = Failure { site: site(&script, call), argument: place(argument), ..Failure::nowhere(error) };
    let scripts = Scripts::new(&script, None, 1000);
    (failure, scripts)
}

#[test]
fn every_error_in_both_renderings() {
    let codes: BTreeSet<_> = include_str!("../error/code.rs").split('"').filter(|text| is_code(text)).collect();
    let sampled: BTreeSet<_> = all_samples().iter().map(|sample| sample.0.code()).collect();
    assert_eq!(codes, sampled, "every code has a sample");
    let mut text = String::new();
    for sample in all_samples() {
        let (failure, scripts) = failure(sample);
        let json = serde_json::to_string(&failure.to_json(&scripts)).expect("it is there");
        let shown = report(&Diagnostic::of_failure(&failure, &scripts), Style::plain());
        write!(text, "{shown}{json}\n\n").expect("it is there");
    }
    insta::assert_snapshot!(text);
}

/// `usage`, or `family::what`.
fn is_code(text: &str) -> bool {
    text == "usage"
        || text.split_once("::").is_some_and(|(family, what)| {
            !what.is_empty() && (family.to_owned() + what).bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        })
}
