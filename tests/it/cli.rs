//! The command line: bad scripts, bad endpoints, shapes of output, exit codes, pipes and signals.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::{Ended, Running, processes_with};
use crate::site;
use crate::stage::{Stage, pageboy};

#[track_caller]
fn run_in(files: &[(&str, &[u8])], arguments: &[&str]) -> Ended {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    }
    Running::start(pageboy().current_dir(folder.path()).args(arguments)).end_within(Duration::from_mins(1))
}

#[test]
fn scripts_that_can_not_be_read_are_told_apart() {
    for (files, name, words) in [
        (&[][..], "none.rhai", "no such file"),
        (&[("empty.rhai", &b"  \n"[..])][..], "empty.rhai", "empty"),
        (&[("latin.rhai", &b"print(\"caf\xe9\")"[..])][..], "latin.rhai", "UTF-8"),
        (&[][..], ".", "directory"),
    ] {
        let ended = run_in(files, &["run", name]);
        assert_eq!(ended.exit(), 6, "{name}: {}", ended.stderr);
        assert!(ended.stderr.contains("script::file") && ended.stderr.contains(words), "{name}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{name}");
        let ended = run_in(files, &["run", name, "--json"]);
        let json: Value =
            serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout));
        assert_eq!((&json["ok"], &json["error"]["code"]), (&json!(false), &json!("script::file")), "{json}");
    }
}

#[test]
fn a_parse_error_needs_no_browser() {
    let files: &[(&str, &[u8])] = &[("script.rhai", b"let x = ;\n")];
    let start = Instant::now();
    let ended = run_in(files, &["run", "script.rhai"]);
    assert_eq!(ended.exit(), 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("script::parse") && ended.stderr.contains("let x = ;"), "{}", ended.stderr);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_browser_that_is_not_there_is_told_with_the_remedy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("script.rhai");
    std::fs::write(&script, "title()").expect("a file");
    let mut command = pageboy();
    command.arg("run").arg(&script).env("PAGEBOY_BROWSER", "/nowhere/chromium");
    let ended = Running::start(&mut command).end_within(Duration::from_secs(30));
    assert_eq!(ended.exit(), 5, "{}", ended.stderr);
    assert!(ended.stderr.contains("/nowhere/chromium"), "{}", ended.stderr);
    assert!(ended.stderr.contains("browser::missing") || ended.stderr.contains("browser::launch"), "{}", ended.stderr);
    let mut command = pageboy();
    command.arg("run").arg(&script).env_clear().env("PATH", folder.path()).env("HOME", folder.path());
    let ended = Running::start(&mut command).end_within(Duration::from_mins(1));
    // A browser may stand in one of the usual places, which are looked at as well.
    if ended.exit() != 0 {
        assert_eq!(ended.exit(), 5, "{}", ended.stderr);
        assert!(ended.stderr.contains("pageboy browser install"), "{}", ended.stderr);
    }
}

#[test]
fn a_wrong_endpoint_is_a_browser_error() {
    let free =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port").port();
    for endpoint in
        [format!("ws://127.0.0.1:{free}/devtools/browser/x"), format!("http://127.0.0.1:{free}"), site::url("/")]
    {
        let ended = run_in(&[("s.rhai", b"title()")], &["run", "s.rhai", "--connect", &endpoint]);
        assert_eq!(ended.exit(), 5, "{endpoint}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("browser::launch") && ended.stderr.contains("127.0.0.1"),
            "{endpoint}: {}",
            ended.stderr
        );
    }
    let ended = run_in(&[("s.rhai", b"title()")], &["run", "s.rhai", "--connect", "nonsense"]);
    assert!(matches!(ended.exit(), 2 | 5), "{}", ended.stderr);
}

#[test]
fn usage_errors_exit_with_two() {
    for arguments in [
        &["run"][..],
        &["fly"],
        &["run", "x.rhai", "--nonsense"],
        &["run", "x.rhai", "--arg", "novalue"],
        &["run", "x.rhai", "--timeout", "soon"],
    ] {
        let ended = run_in(&[("x.rhai", b"1")], arguments);
        assert_eq!(ended.exit(), 2, "{arguments:?}: {}", ended.stderr);
        assert!(!ended.stderr.is_empty() && ended.stdout.is_empty(), "{arguments:?}");
    }
    let help = run_in(&[], &["--help"]);
    assert_eq!(help.exit(), 0);
    for word in ["run", "demo", "browser"] {
        assert!(help.stdout.contains(word), "{}", help.stdout);
    }
}

#[test]
fn the_outcome_has_every_key() {
    let keys = [
        "ok",
        "value",
        "rows",
        "printed",
        "error",
        "effects",
        "rebinds",
        "steps",
        "session",
        "boundary",
        "script_sandbox",
        "stats",
    ];
    let fine = Stage::page("basic.html").script("click(find(\"button\", \"Save\")); 1").ok();
    let failed =
        Stage::page("basic.html").script("fn push_it() {\n  click(\"ref_99\")\n}\npush_it()").fails("ref::unknown");
    for outcome in [&fine, &failed] {
        for key in keys {
            assert!(outcome.json().get(key).is_some(), "{key} is missing:\n{outcome}");
        }
        let session = &outcome.json()["session"];
        for key in ["name", "tab", "url", "title"] {
            assert!(session.get(key).is_some(), "session.{key} is missing:\n{outcome}");
        }
        assert_eq!(session["title"], "Basic", "{outcome}");
        assert_eq!(session["url"], json!(site::url("/pages/basic.html")), "{outcome}");
    }
    assert_eq!(fine.json()["error"], Value::Null);
    let click = fine.json()["effects"].as_array().and_then(|all| {
        all.iter().find(|effect| effect["call"].as_str().is_some_and(|call| call.starts_with("click")))
    });
    let click = click.unwrap_or_else(|| panic!("no click in effects:\n{fine}"));
    assert_eq!(click["outcome"], "done", "{fine}");
    assert!(click["ref"].is_string() && click["ms"].is_number(), "{fine}");
    let error = failed.error().expect("an error");
    for key in [
        "code",
        "message",
        "help",
        "script",
        "line",
        "column",
        "end_line",
        "end_column",
        "excerpt",
        "stack",
        "nearest",
        "fix",
    ] {
        assert!(error.get(key).is_some(), "error.{key} is missing:\n{failed}");
    }
    assert_eq!(
        (&error["script"], &error["line"], &error["column"]),
        (&json!("script.rhai"), &json!(3), &json!(3)),
        "{failed}"
    );
    assert!(error["excerpt"].as_str().is_some_and(|text| text.contains("click(\"ref_99\")")), "{failed}");
    let names: Vec<_> = error["stack"].as_array().expect("a stack").iter().map(|frame| &frame["function"]).collect();
    assert!(names.contains(&&json!("push_it")), "{failed}");
}

#[test]
fn without_json_the_value_and_rows_go_to_stdout() {
    let ended = Stage::page("basic.html")
        .script("print(\"hello\"); emit(#{n: 1}); find(\"heading\", \"Basic\").text()")
        .rendered();
    assert_eq!(ended.exit(), 0, "{}", ended.stderr);
    for text in ["hello", "{\"n\":1}", "Basic"] {
        assert!(ended.stdout.contains(text), "{text} in {:?}", ended.stdout);
    }
    assert_eq!(ended.stderr, "", "a run that goes well is silent");
}

#[test]
fn timings_are_one_line_for_each_call_in_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("timings.jsonl");
    let path = file.display().to_string();
    let script = "tree();\nclick(find(\"button\", \"Save\"));\nclick(\"ref_99\");";
    Stage::page("basic.html").flag("--timings").flag(&path).script(script).fails("ref::unknown");
    let text = std::fs::read_to_string(&file).expect("the timings");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let calls: Vec<_> = lines.iter().map(|line| line["call"].as_str().unwrap_or_default()).collect();
    assert_eq!(calls, ["open", "tree", "find", "click", "click"], "{text}");
    for line in &lines {
        assert!(line["ms"].is_number() && line["at"].as_u64() > Some(1_600_000_000_000), "{line}");
        assert!(line["chars"].is_u64() && line.get("error").is_some(), "{line}");
    }
    assert_eq!(
        (&lines[0]["ok"], &lines[4]["ok"], &lines[4]["error"]),
        (&json!(true), &json!(false), &json!("ref::unknown"))
    );
    assert!(lines[1]["chars"].as_u64() > Some(100), "{text}");
}

#[test]
fn verbose_shows_calls_with_their_arguments_and_without_what_is_typed() {
    let script =
        "fill(find(#{role: \"textbox\", name: \"City\"}), \"hidden words\"); find(\"button\", \"Save\").text();";
    let ended = Stage::page("basic.html").flag("--verbose").script(script).rendered();
    assert_eq!(ended.exit(), 0, "{}", ended.stderr);
    for part in
        ["find(#{name: \"City\", role: \"textbox\"})  ok", ", …)  ok", "find(\"button\", \"Save\")  ok", "text(\"ref_"]
    {
        assert!(ended.stderr.contains(part), "{part}: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("hidden words"), "{}", ended.stderr);
}

#[test]
fn a_port_in_use_is_told_with_the_flag_for_another() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let ended = run_in(&[], &["demo", "--serve", "--port", &port]);
    assert_eq!(ended.exit(), 6, "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("port {port} can't be listened on")), "{}", ended.stderr);
    assert!(ended.stderr.contains("--port 0") && !ended.stderr.contains("path"), "{}", ended.stderr);
}

#[test]
fn a_timings_file_that_can_not_be_written_is_an_io_error() {
    let ended = run_in(&[("s.rhai", b"1")], &["run", "s.rhai", "--timings", "no/such/folder/t.jsonl"]);
    assert_eq!(ended.exit(), 6, "{}", ended.stderr);
    assert!(ended.stderr.contains("io::failed"), "{}", ended.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let script = "for n in 0..200000 { print(\"a line of some length, number \" + n); }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("s.rhai"), script).expect("a file");
    let mut command = pageboy();
    command.current_dir(folder.path()).args(["run", "s.rhai"]).stdin(Stdio::null());
    command.args(["--connect", crate::browser::shared()]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("pageboy starts");
    let mut first = String::new();
    BufReader::with_capacity(64, child.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
    let ended = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(!stderr.contains("panicked") && !stderr.contains("internal::bug"), "{stderr}");
    assert!(first.starts_with("a line"), "{first}");
}

#[test]
fn an_interrupt_ends_run_and_browser_within_half_a_second() {
    let _alone = crate::stage::alone();
    for script in
        ["print(\"ready\"); sleep(60000);", "print(\"ready\"); loop { }", "find(#{name: \"Never\", timeout: 60000})"]
    {
        let set = Stage::page("basic.html").own_browser().while_alone().script(script).set_up();
        let temp = set.temp().display().to_string();
        let start = Instant::now();
        while processes_with(&temp).iter().filter(|line| line.contains("renderer")).count() == 0 {
            assert!(start.elapsed() < Duration::from_secs(30), "the browser did not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(700));
        set.running.interrupt();
        let interrupted = Instant::now();
        let ended = set.finish();
        assert!(interrupted.elapsed() < Duration::from_millis(500), "{script} took {:?}", interrupted.elapsed());
        assert_ne!(ended.exit(), 0, "{script}");
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    }
}

#[test]
fn a_killed_run_takes_its_browser_along_and_the_next_run_sweeps_its_profile() {
    let _alone = crate::stage::alone();
    let set = Stage::page("basic.html").own_browser().while_alone().script("sleep(60000)").set_up();
    let temp = set.temp().display().to_string();
    let started = Instant::now();
    while processes_with(&temp).iter().filter(|line| line.contains("renderer")).count() == 0 {
        assert!(started.elapsed() < Duration::from_secs(30), "the browser did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    set.running.kill();
    let killed = Instant::now();
    while !processes_with(&temp).is_empty() {
        assert!(killed.elapsed() < Duration::from_secs(2), "the browser outlived its owner");
        std::thread::sleep(Duration::from_millis(20));
    }
    let profiles = || std::fs::read_dir(&temp).expect("the folder is there").count();
    assert!(profiles() > 0, "a killed run can't remove its profile");
    let mut next = pageboy();
    next.current_dir(set.temp().parent().expect("it is in the run's folder"))
        .env("TMPDIR", &temp)
        .args(["run", "next.rhai"]);
    std::fs::write(set.temp().with_file_name("next.rhai"), "1").expect("a file in the run's folder");
    assert!(next.status().expect("pageboy starts").success());
    assert_eq!(profiles(), 0, "the next run sweeps what was left");
}

#[test]
fn an_own_browser_leaves_nothing_behind_after_success_and_failure() {
    let outcome = Stage::page("basic.html").own_browser().script("title()").ok();
    assert_eq!(outcome.text(), "Basic");
    Stage::page("basic.html").own_browser().script("click(\"ref_99\")").fails("ref::unknown");
}

#[test]
fn a_connected_browser_stays_and_its_tabs_are_closed() {
    let list = |what: &str| {
        let outcome = Stage::blank().script("tabs().len()").ok();
        assert_eq!(*outcome.value(), json!(1), "{what}: {outcome}");
    };
    list("before");
    Stage::page("basic.html").arg("b", &site::url("/pages/second.html")).script("new_tab(arg(\"b\")); 1").ok();
    list("after");
}

#[test]
fn installing_again_changes_nothing() {
    let ended = run_in(&[], &["browser", "install", "--yes"]);
    assert_eq!(ended.exit(), 0, "{}", ended.stderr);
    assert!(format!("{}{}", ended.stdout, ended.stderr).contains(crate::browser::program()), "{}", ended.stderr);
}

#[test]
fn browser_path_prints_one_path() {
    let ended = run_in(&[], &["browser", "path"]);
    assert_eq!(ended.exit(), 0, "{}", ended.stderr);
    assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    assert!(std::path::Path::new(ended.stdout.trim()).is_file(), "{}", ended.stdout);
}
