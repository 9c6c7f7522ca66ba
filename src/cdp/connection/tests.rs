//! The multiplexer over a carrier in memory, with the test as the browser.

use std::sync::Mutex as StdMutex;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use super::*;
use crate::budget::{Budget, Layer};
use crate::cdp::EventKind;
use crate::cdp::js::runtime::EvaluateParams;

/// The browser's end of the carrier.
struct Browser {
    commands: BufReader<ReadHalf<DuplexStream>>,
    answers: WriteHalf<DuplexStream>,
}

impl Browser {
    async fn command(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.commands.read_until(0, &mut bytes).await.unwrap();
        bytes.pop();
        serde_json::from_slice(&bytes).unwrap()
    }

    async fn say(&mut self, text: &str) {
        self.answers.write_all(text.as_bytes()).await.unwrap();
        self.answers.write_all(&[0]).await.unwrap();
    }

    async fn answer(&mut self, command: &Value, result: Value) {
        self.say(&json!({"id": command["id"], "result": result}).to_string()).await;
    }
}

fn pair(on_event: impl FnMut(Event) + Send + 'static) -> (Connection, Browser) {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(ours);
    let (commands, answers) = tokio::io::split(theirs);
    (
        Connection::start(Carrier::pipe(reader, writer), on_event),
        Browser { commands: BufReader::new(commands), answers },
    )
}

fn budget(milliseconds: u64) -> Budget {
    Budget::new(CancellationToken::new()).child(Duration::from_millis(milliseconds), Layer::Call)
}

fn command() -> EvaluateParams {
    EvaluateParams::new("1")
}

#[tokio::test]
async fn answers_find_their_waiters_in_any_order() {
    let (connection, mut browser) = pair(|_| {});
    let page = connection.session("S".into());
    let (first, second) = (page.start(command()), connection.browser().start(command()));
    let (one, two) = (browser.command().await, browser.command().await);
    assert_eq!((&one["sessionId"], &one["method"]), (&json!("S"), &json!("Runtime.evaluate")));
    assert!(two.get("sessionId").is_none());
    browser.answer(&two, json!({"n": 2})).await;
    browser.answer(&one, json!({"n": 1})).await;
    assert_eq!(first.reply(&budget(1000)).await.unwrap().json(), r#"{"n":1}"#);
    assert_eq!(second.reply(&budget(1000)).await.unwrap().json(), r#"{"n":2}"#);
    assert_eq!(connection.waiting(), 0);
    assert_eq!(connection.counters().0, 2);
}

#[tokio::test]
async fn a_late_answer_and_an_unknown_id_harm_nobody() {
    let (connection, mut browser) = pair(|_| {});
    let page = connection.browser();
    let late = page.call(command(), &budget(20)).await;
    assert!(matches!(late, Err(Failure::NoAnswer { waited, .. }) if waited >= Duration::from_millis(15)));
    assert_eq!(connection.waiting(), 0, "the entry is gone at the deadline");
    drop(page.start(command()));
    assert_eq!(connection.waiting(), 0, "and when nobody waits any more");
    let (one, _posted) = (browser.command().await, browser.command().await);
    browser.answer(&one, json!({})).await;
    browser.say(r#"{"id":9999,"result":{}}"#).await;
    let next = page.start(command());
    let asked = browser.command().await;
    browser.answer(&asked, json!({"n": 3})).await;
    assert_eq!(next.reply(&budget(1000)).await.unwrap().json(), r#"{"n":3}"#);
}

#[tokio::test]
async fn a_spent_or_cancelled_budget_sends_nothing() {
    let (connection, _browser) = pair(|_| {});
    let cancel = CancellationToken::new();
    let cancelled = Budget::new(cancel.clone());
    cancel.cancel();
    let page = connection.browser();
    assert!(matches!(page.call(command(), &cancelled).await, Err(Failure::Cancelled { .. })));
    assert!(matches!(page.call(command(), &budget(0)).await, Err(Failure::NoAnswer { .. })));
    assert_eq!(connection.counters().0, 0);
}

#[tokio::test]
async fn cancelling_ends_a_wait_at_once() {
    let (connection, _browser) = pair(|_| {});
    let cancel = CancellationToken::new();
    let pending = connection.browser().start(command());
    let budget = Budget::new(cancel.clone());
    let waiting = tokio::spawn(async move { pending.reply(&budget).await });
    cancel.cancel();
    assert!(matches!(waiting.await.unwrap(), Err(Failure::Cancelled { method }) if method == "Runtime.evaluate"));
}

#[tokio::test]
async fn a_refusal_is_typed_and_a_lost_session_is_a_detach() {
    let (connection, mut browser) = pair(|_| {});
    let page = connection.session("S".into());
    for (code, message) in [(-32000, "No node"), (-32001, "Session with given id not found.")] {
        let pending = page.start(command());
        let id = browser.command().await["id"].clone();
        browser.say(&json!({"id": id, "error": {"code": code, "message": message}}).to_string()).await;
        let method = Cow::Borrowed("Runtime.evaluate");
        let expected = match code {
            -32001 => Failure::Detached { method },
            _ => Failure::Refused { method, code, message: message.into() },
        };
        assert_eq!(pending.reply(&budget(1000)).await.unwrap_err(), expected);
    }
}

#[tokio::test]
async fn detach_and_crash_fail_the_waiters_of_that_session_only() {
    let (connection, mut browser) = pair(|_| {});
    let pending = |id: &str| connection.session(id.into()).start(command());
    let (detached, crashed, other) = (pending("D"), pending("C"), pending("O"));
    browser.say(r#"{"method":"Target.detachedFromTarget","params":{"sessionId":"D","targetId":"T"}}"#).await;
    browser.say(r#"{"method":"Inspector.targetCrashed","params":{},"sessionId":"C"}"#).await;
    assert!(matches!(detached.reply(&budget(1000)).await, Err(Failure::Detached { .. })));
    assert!(matches!(crashed.reply(&budget(1000)).await, Err(Failure::Crashed { .. })));
    assert_eq!(connection.waiting(), 1);
    connection.fail_session(&"O".into(), SessionEnd::Crashed);
    assert!(matches!(other.reply(&budget(1000)).await, Err(Failure::Crashed { .. })));
}

#[tokio::test]
async fn the_fold_has_seen_an_event_before_a_later_answer_arrives() {
    let seen = Arc::new(StdMutex::new(Vec::new()));
    let fold = Arc::clone(&seen);
    let (connection, mut browser) = pair(move |event| fold.lock().unwrap().push(event.kind));
    for round in 0..200 {
        let pending = connection.browser().start(command());
        let asked = browser.command().await;
        browser.say(r#"{"method":"Network.dropped","params":{"x":1}}"#).await;
        browser.say(&format!(r#"{{"method":"Page.frameStartedLoading","params":{{"frameId":"{round}"}}}}"#)).await;
        browser.answer(&asked, json!({})).await;
        pending.reply(&budget(1000)).await.unwrap();
        let last = EventKind::FrameStartedLoading { frame: round.to_string() };
        assert_eq!(seen.lock().unwrap().last(), Some(&last));
    }
    assert_eq!(seen.lock().unwrap().len(), 200);
}

#[tokio::test]
async fn the_end_of_the_carrier_fails_all_waiters_at_once() {
    for last in ["", "{\"id\":1,\"res"] {
        let (connection, mut browser) = pair(|_| {});
        let waiting: Vec<_> = (0..50).map(|_| connection.session("S".into()).start(command())).collect();
        browser.answers.write_all(last.as_bytes()).await.unwrap();
        drop(browser);
        for pending in waiting {
            let failure = pending.reply(&budget(1000)).await.unwrap_err();
            assert!(matches!(failure, Failure::Closed { .. }), "{failure}");
        }
        assert!(connection.is_closed());
        let later = connection.browser().call(command(), &budget(1000)).await;
        assert!(matches!(later, Err(Failure::Closed { .. })));
    }
}

#[tokio::test]
async fn garbage_ends_the_connection_and_says_so() {
    let (connection, mut browser) = pair(|_| {});
    let pending = connection.browser().start(command());
    browser.say("HTTP/1.1 400 Bad Request").await;
    let failure = pending.reply(&budget(1000)).await.unwrap_err();
    assert!(matches!(&failure, Failure::Closed { reason } if reason.contains("no protocol message")), "{failure}");
    assert_eq!(connection.closed_reason().is_some(), connection.is_closed());
}

#[tokio::test]
async fn a_result_of_another_shape_is_garbled_and_a_missing_one_is_empty() {
    let (connection, mut browser) = pair(|_| {});
    let pending = connection.browser().start(command());
    let id = browser.command().await["id"].clone();
    browser.say(&json!({"id": id}).to_string()).await;
    let reply = pending.reply(&budget(1000)).await.unwrap();
    assert_eq!(reply.json(), "{}");
    assert!(matches!(reply.decode::<Vec<u8>>(), Err(Failure::Garbled { .. })));
}

#[tokio::test]
async fn dropping_the_last_handle_closes_the_carrier() {
    let (connection, mut browser) = pair(|_| {});
    let page = connection.session("S".into());
    drop(connection);
    page.post(command());
    browser.command().await;
    drop(page);
    let mut rest = Vec::new();
    assert_eq!(browser.commands.read_until(0, &mut rest).await.unwrap(), 0);
}

#[tokio::test]
async fn a_panic_in_the_fold_fails_the_waiters_too() {
    let (connection, mut browser) = pair(|_| panic!("on purpose"));
    let pending = connection.browser().start(command());
    browser.say(r#"{"method":"Page.frameStartedLoading","params":{}}"#).await;
    assert!(matches!(pending.reply(&budget(1000)).await, Err(Failure::Closed { .. })));
}

#[tokio::test]
async fn the_end_of_the_process_tells_how_and_lets_the_last_answers_through() {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(ours);
    let (commands, answers) = tokio::io::split(theirs);
    let mut browser = Browser { commands: BufReader::new(commands), answers };
    let (exit, receiver) = oneshot::channel();
    let connection = Connection::start(Carrier { exit: Some(receiver), ..Carrier::pipe(reader, writer) }, |_| {});
    let (answered, lost) = (connection.browser().start(command()), connection.browser().start(command()));
    let asked = browser.command().await;
    browser.answer(&asked, json!({"n": 1})).await;
    exit.send("the browser was killed by signal 9".into()).unwrap();
    assert_eq!(answered.reply(&budget(1000)).await.unwrap().json(), r#"{"n":1}"#);
    let reason = "the browser was killed by signal 9".into();
    assert_eq!(lost.reply(&budget(1000)).await.unwrap_err(), Failure::Closed { reason });
}
