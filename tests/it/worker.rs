//! Scripts in a real worker process: what it may do to its parent, and how it ends. No browser is needed: the
//! calls are answered here.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pageboy::budget::{Budget, Layer};
use pageboy::error::Error;
use pageboy::lang::limits::Limits;
use pageboy::lang::process::WorkerProgram;
use pageboy::run::drive::Ask;
use pageboy::run::{Failure, Prepared, RunOptions};
use pageboy::script::Script;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

fn options() -> RunOptions {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_pageboy"));
    RunOptions {
        worker: WorkerProgram { program, args: vec![WorkerProgram::SUBCOMMAND.into()] },
        limits: Limits::trusted(),
        modules_root: None,
        budget: Budget::new(CancellationToken::new()),
    }
}

fn within(time: Duration) -> RunOptions {
    let options = options();
    RunOptions { budget: options.budget.child(time, Layer::Run), ..options }
}

/// Runs a script; `click("ref_9")` fails, `printed` past 1000 bytes too, all other calls give `()`.
async fn run(text: &str, options: &RunOptions) -> Result<Value, Failure> {
    run_for(None, text, options).await
}

/// Runs a script; its time begins when the worker has read it.
async fn run_for(time: Option<Duration>, text: &str, options: &RunOptions) -> Result<Value, Failure> {
    let script = Script::from_text("main.rhai", text);
    let mut printed = 0;
    let prepared = Prepared::start(&script, options).await.map_err(|refused| refused.failure)?;
    let budget = time.map_or(options.budget.clone(), |time| options.budget.child(time, Layer::Run));
    let answer = async |ask| match ask {
        Ask::Call { name, args, .. } if name == "click" && args.first() == Some(&json!("ref_9")) => {
            Err(Error::RefUnknown { reference: "ref_9".into(), instead: None, nearest: Vec::new() })
        }
        Ask::Call { name, args, .. } if name == "sleep" => {
            let time = Duration::from_millis(args.first().and_then(Value::as_u64).unwrap_or(0));
            match timeout(time, budget.spent()).await {
                Ok(()) => Err(budget.overrun().expect("the time is up")),
                Err(_) => Ok(Value::Null),
            }
        }
        Ask::Call { .. } => Ok(Value::Null),
        Ask::Print(text) => {
            printed += text.len();
            if printed > 1000 { Err(Error::BudgetOutput { limit_bytes: 1000 }) } else { Ok(Value::Null) }
        }
    };
    prepared.run(&budget, answer).await.0
}

#[tokio::test]
async fn a_script_runs_and_gives_its_value() {
    let value = run("url(); print(\"x\"); #{a: [1, 2.5, \"ä\"]}", &options()).await.expect("it goes well");
    assert_eq!(value, json!({"a": [1, 2.5, "ä"]}));
}

#[tokio::test]
async fn an_error_of_the_host_comes_back_with_its_place_and_argument() {
    let failure = run("let r = \"ref_9\";\nclick(r);", &options()).await.unwrap_err();
    assert_eq!(failure.error.code(), "ref::unknown");
    let place = |site: Option<pageboy::script::Site>| site.map(|site| (site.line, site.column, site.end_column));
    assert_eq!(place(failure.site), Some((2, 1, 9)));
    assert_eq!(place(failure.argument), Some((2, 7, 8)));
    let failure = run("let kept = (); try { click(\"ref_9\"); } catch (e) { kept = e; } throw kept;", &options())
        .await
        .unwrap_err();
    assert_eq!(failure.error.code(), "ref::unknown");
    assert_eq!(failure.stack.len(), 1);
}

#[tokio::test]
async fn the_worker_is_gone_when_the_run_ends() {
    let folder = tempfile::tempdir().expect("it goes well");
    for text in ["1", "loop { }", "clik(1)"] {
        let note = folder.path().join("pid");
        let shell = format!(
            "echo $$ > {}; exec {} {}",
            note.display(),
            env!("CARGO_BIN_EXE_pageboy"),
            WorkerProgram::SUBCOMMAND
        );
        let worker = WorkerProgram { program: "/bin/sh".into(), args: vec!["-c".into(), shell] };
        let time = if text == "loop { }" { 300 } else { 20_000 };
        let ended = run(text, &RunOptions { worker, ..within(Duration::from_millis(time)) }).await;
        assert_eq!(ended.is_ok(), text == "1", "{ended:?}");
        let pid = std::fs::read_to_string(note).expect("it goes well");
        assert!(!std::path::Path::new("/proc").join(pid.trim()).exists(), "{text}");
    }
}

#[tokio::test]
async fn a_call_that_is_under_way_when_the_time_is_up_is_marked() {
    let text = "step(\"outer\", || {\n    step(\"inner\", || {\n        sleep(9000);\n    });\n});";
    for _ in 0..5 {
        let failure = run_for(Some(Duration::from_millis(300)), text, &options()).await.unwrap_err();
        assert_eq!(failure.error.code(), "budget::time");
        assert_eq!(failure.site.map(|site| (site.line, site.column)), Some((3, 9)));
        assert!(failure.stack.iter().all(|frame| frame.function != "throw"), "{:?}", failure.stack);
    }
}

#[tokio::test]
async fn the_worker_has_an_empty_environment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("environment");
    let worker = WorkerProgram {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), format!("/usr/bin/env > {}", note.display())],
    };
    run("1", &RunOptions { worker, ..options() }).await.unwrap_err();
    let text = std::fs::read_to_string(note).expect("the shell wrote it");
    // The shell adds its own folder and nothing else.
    assert!(
        text.lines().all(|line| line.starts_with("PWD=") || line.starts_with("_=") || line.starts_with("OLDPWD=")),
        "{text}"
    );
}

#[tokio::test]
async fn time_and_cancel_end_any_script_at_once() {
    for text in [
        "loop { }",
        "sleep(60000)",
        "try { loop { } } catch { loop { } }",
        "retry(100, || { throw 1; })",
        "within(90000, || { loop { } })",
    ] {
        let started = Instant::now();
        let failure = run(text, &within(Duration::from_millis(100))).await.unwrap_err();
        assert_eq!(failure.error.code(), "budget::time", "{text}: {failure:?}");
        assert!(started.elapsed() < Duration::from_secs(3), "{text}: {:?}", started.elapsed());
    }
    let cancel = CancellationToken::new();
    let options = RunOptions { budget: Budget::new(cancel.clone()), ..options() };
    let timer = tokio::spawn(async move {
        timeout(Duration::from_millis(100), std::future::pending::<()>()).await.ok();
        cancel.cancel();
    });
    assert_eq!(run("loop { }", &options).await.unwrap_err().error.code(), "budget::time");
    timer.await.expect("it goes well");
}

#[tokio::test]
async fn printing_without_end_is_cut() {
    let failure = run("loop { print(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }", &options()).await.unwrap_err();
    assert_eq!(failure.error.code(), "budget::output");
}

/// Scripts that overflow the stack or the memory of their process. The parent gets a typed error and lives on.
#[tokio::test]
async fn scripts_that_kill_their_worker_do_not_harm_the_parent() {
    let small = Limits { memory_bytes: 64 << 20, stack_bytes: 2 << 20, operations: 3_000_000, ..Limits::trusted() };
    for text in [
        "let f = 0; for i in 0..100000 { let g = f; f = || g; } f = 0;",
        "let a = []; for i in 0..2000 { a = [a]; } a.to_string().len()",
        "let a = \"a\"; for i in 0..16 { a += a; } a.replace(\"a\", a); a.len()",
        "let m = #{}; let i = 0; loop { m[`k${i}`] = \"x\" + i; i += 1; }",
        "let all = []; loop { let b = blob(10000000, 1); all.push(|| b); }",
        "fn f(n) { let a = []; a.pad(20000, n); f(n + 1) + a.len() } f(0)",
    ] {
        let started = Instant::now();
        let options = RunOptions { limits: small.clone(), ..within(Duration::from_secs(30)) };
        let failure = run(text, &options).await.unwrap_err();
        assert_eq!(failure.error.code(), "script::limit", "{text}: {failure:?}");
        assert!(started.elapsed() < Duration::from_secs(32), "{text}");
    }
    assert_eq!(run("1 + 1", &options()).await.expect("it goes well"), json!(2));
}

/// Writes a frame for the shell's `printf`.
fn frame(message: &Value) -> String {
    let body = message.to_string();
    let length = u32::try_from(body.len()).expect("a short message").to_le_bytes();
    length.iter().chain(body.as_bytes()).map(|byte| format!("\\{byte:03o}")).collect()
}

/// A worker that lies is not believed, and one that floods is cut off.
#[tokio::test]
async fn a_worker_that_misbehaves_does_not_harm_the_parent() {
    let site = json!({"script": "/etc/passwd", "line": 1, "column": 1, "end_line": 9_999_999, "end_column": 0});
    let frames = [("/etc/passwd", 1), ("main.rhai", 99)]
        .map(|(script, line)| json!({"script": script, "line": line, "column": line, "function": "f"}));
    let ended =
        |fault: Value| json!({"end": {"error": {"fault": fault, "site": site, "arguments": [site], "stack": frames}}});
    let start = "head -c 4 >/dev/null; ";
    let ready = format!("{start} printf '{}';", frame(&json!({"ready": {"doubts": []}})));
    let call = frame(&json!({"call": {"name": "url", "args": [], "at": null}}));
    for (shell, code) in [
        (format!("{start} printf '{}'; sleep 9", frame(&ended(json!({"host": {"id": 77}})))), "internal::bug"),
        (format!("{start} printf '{}'; sleep 9", frame(&ended(json!("cancelled")))), "script::limit"),
        (format!("{start} printf '\\377\\377\\377\\377'; sleep 9"), "internal::bug"),
        (
            format!("{start} printf '{}'; exit 7", frame(&json!({"import": {"name": "../x", "from": "none"}}))),
            "internal::bug",
        ),
        (format!("{ready} while printf '{call}'; do :; done"), "budget::time"),
        (
            format!("{ready} while printf '{}'; do :; done", frame(&json!({"print": {"text": "xxxxxxxxxx"}}))),
            "budget::output",
        ),
        // Before it was let start, and after.
        (format!("{start} printf '{call}'; sleep 9"), "internal::bug"),
        (format!("{ready} printf '{}'; sleep 9", frame(&json!({"end": {"faulty": []}}))), "internal::bug"),
        (format!("{start} printf '{}'; sleep 9", frame(&json!({"end": {"faulty": []}}))), "internal::bug"),
        ("trap '' TERM; while :; do sleep 9; done".to_owned(), "budget::time"),
    ] {
        let started = Instant::now();
        let worker = WorkerProgram { program: "/bin/sh".into(), args: vec!["-c".into(), shell.clone()] };
        let failure = run("1", &RunOptions { worker, ..within(Duration::from_secs(1)) }).await.unwrap_err();
        assert_eq!(failure.error.code(), code, "{shell}: {failure:?}");
        assert!(failure.site.is_none() && failure.argument.is_none(), "{failure:?}");
        assert!(failure.stack.iter().all(|frame| frame.script == "main.rhai"), "{failure:?}");
        assert!(started.elapsed() < Duration::from_secs(3), "{shell}: {:?}", started.elapsed());
    }
}

#[tokio::test]
async fn a_program_that_is_no_worker_is_a_typed_error() {
    for (program, args) in [
        ("/bin/true", vec![]),
        ("/bin/false", vec![]),
        ("/no/such/program", vec![]),
        ("/bin/cat", vec![]),
        ("/bin/sh", vec!["-c".to_owned(), "echo this is no frame; sleep 60".to_owned()]),
        ("/bin/sh", vec!["-c".to_owned(), "exit 3".to_owned()]),
    ] {
        let started = Instant::now();
        let worker = WorkerProgram { program: program.into(), args };
        let failure = run("1", &RunOptions { worker, ..within(Duration::from_secs(5)) }).await.unwrap_err();
        assert!(matches!(failure.error.code(), "internal::bug"), "{program}: {failure:?}");
        assert!(started.elapsed() < Duration::from_secs(3), "{program}");
    }
}
