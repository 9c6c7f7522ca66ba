//! Protocol messages as bytes: reading an incoming one without copying its payload, writing an outgoing one.

use std::ops::Range;

use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Where the parts of a received message stand in its text.
#[derive(Debug, PartialEq)]
pub(super) enum Message<'a> {
    /// The answer to the command with this id; the range is its `result`.
    Reply {
        id: u64,
        outcome: Result<Range<usize>, Refusal>,
    },
    Event {
        method: &'a str,
        session: Option<&'a str>,
        params: &'a str,
    },
}

/// The `error` of an answer.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Refusal {
    pub code: i64,
    pub message: String,
    pub data: Option<String>,
}

impl Default for Refusal {
    fn default() -> Self {
        Self { code: 0, message: "no reason given".into(), data: None }
    }
}

/// A message as it stands on the wire. Unknown keys are passed over; the payloads are not looked into.
#[derive(Deserialize)]
struct Incoming<'a> {
    id: Option<u64>,
    method: Option<&'a str>,
    #[serde(rename = "sessionId")]
    session: Option<&'a str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// Splits a message into its parts.
///
/// # Errors
/// Says what is wrong with a text that is not a protocol message.
pub(super) fn parse(text: &str) -> Result<Message<'_>, String> {
    let incoming: Incoming<'_> = serde_json::from_str(text).map_err(|problem| problem.to_string())?;
    match incoming {
        Incoming { id: Some(id), error: Some(error), .. } => {
            let refusal = serde_json::from_str(error.get())
                .unwrap_or_else(|_| Refusal { message: error.get().to_owned(), ..Refusal::default() });
            Ok(Message::Reply { id, outcome: Err(refusal) })
        }
        Incoming { id: Some(id), result, .. } => {
            let range = result.map_or(0..0, |raw| range_in(text, raw.get()));
            Ok(Message::Reply { id, outcome: Ok(range) })
        }
        Incoming { method: Some(method), session, params, .. } => {
            Ok(Message::Event { method, session, params: params.map_or("{}", RawValue::get) })
        }
        // An error without an id answers a command that Chromium could not read.
        Incoming { error: Some(error), .. } => Err(format!("the browser could not read a command: {}", error.get())),
        _ => Err("neither an answer nor an event".into()),
    }
}

/// Returns where `part`, a slice of `whole`, stands in it.
fn range_in(whole: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    start..start + part.len()
}

/// Turns the bytes of a message into text that every JSON reader accepts.
///
/// JavaScript strings may hold half a surrogate pair, and Chromium 156 passes it on as a bare escape (`\ud83c`),
/// which JSON readers refuse together with the whole message. Such an escape becomes `\ufffd`.
pub(super) fn text(mut bytes: Vec<u8>) -> String {
    repair(&mut bytes, b"\\ud");
    repair(&mut bytes, b"\\uD");
    String::from_utf8(bytes).unwrap_or_else(|invalid| String::from_utf8_lossy(invalid.as_bytes()).into_owned())
}

/// Overwrites the lone surrogate escapes that begin with `prefix`. A message without `prefix` costs one search.
fn repair(bytes: &mut [u8], prefix: &[u8]) {
    let finder = memmem::Finder::new(prefix);
    let mut from = 0;
    while let Some(found) = bytes.get(from..).and_then(|rest| finder.find(rest)) {
        let at = from + found;
        from = at + ESCAPE;
        if is_escaped(bytes, at) {
            continue;
        }
        match (surrogate(bytes, at), surrogate(bytes, at + ESCAPE)) {
            (Some(Half::High), Some(Half::Low)) => from = at + 2 * ESCAPE,
            (Some(Half::Low), _) if at >= ESCAPE && is_pair(bytes, at - ESCAPE) => {}
            (Some(_), _) => {
                if let Some(escape) = bytes.get_mut(at..at + ESCAPE) {
                    escape.copy_from_slice(b"\\ufffd");
                }
            }
            (None, _) => {}
        }
    }
}

/// The length of `\uXXXX`.
const ESCAPE: usize = 6;

#[derive(PartialEq)]
enum Half {
    High,
    Low,
}

/// Says whether the backslash at `at` is itself escaped: an odd number of backslashes stands before it.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

fn is_pair(bytes: &[u8], at: usize) -> bool {
    !is_escaped(bytes, at)
        && surrogate(bytes, at) == Some(Half::High)
        && surrogate(bytes, at + ESCAPE) == Some(Half::Low)
}

/// Returns which half of a surrogate pair the escape at `at` is.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    match bytes.get(at..at + ESCAPE)? {
        [b'\\', b'u', b'd' | b'D', kind, third, fourth] if third.is_ascii_hexdigit() && fourth.is_ascii_hexdigit() => {
            match kind {
                b'8' | b'9' | b'a' | b'b' | b'A' | b'B' => Some(Half::High),
                b'c'..=b'f' | b'C'..=b'F' => Some(Half::Low),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A command as it stands on the wire.
#[derive(Serialize)]
struct Outgoing<'a, P> {
    id: u64,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    method: &'a str,
    params: P,
}

/// Writes a command.
///
/// # Errors
/// Says why the parameters can't be written as JSON.
pub(super) fn command(id: u64, session: Option<&str>, method: &str, params: impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(&Outgoing { id, session, method, params }).map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(json: &str) -> String {
        text(json.as_bytes().to_vec())
    }

    #[test]
    fn a_reply_gives_the_range_of_its_result() {
        let text = r#"{"id":7,"result":{"a":[1,2]},"sessionId":"S"}"#;
        let Ok(Message::Reply { id: 7, outcome: Ok(range) }) = parse(text) else { panic!("not a reply") };
        assert_eq!(&text[range], r#"{"a":[1,2]}"#);
    }

    #[test]
    fn a_refusal_carries_code_and_message() {
        let text = r#"{"id":7,"error":{"code":-32000,"message":"No node","data":"x"}}"#;
        let refusal = Refusal { code: -32000, message: "No node".into(), data: Some("x".into()) };
        assert_eq!(parse(text), Ok(Message::Reply { id: 7, outcome: Err(refusal) }));
        let odd = parse(r#"{"id":7,"error":"because"}"#);
        let refusal = Refusal { code: 0, message: "\"because\"".into(), data: None };
        assert_eq!(odd, Ok(Message::Reply { id: 7, outcome: Err(refusal) }));
    }

    #[test]
    fn an_event_passes_unknown_keys_over() {
        let text = r#"{"method":"Page.x","params":{"k":1},"sessionId":"S","later":[{}]}"#;
        let event = Message::Event { method: "Page.x", session: Some("S"), params: r#"{"k":1}"# };
        assert_eq!(parse(text), Ok(event));
        assert_eq!(
            parse(r#"{"method":"Inspector.targetCrashed"}"#),
            Ok(Message::Event { method: "Inspector.targetCrashed", session: None, params: "{}" })
        );
    }

    #[test]
    fn garbage_is_named_and_never_a_panic() {
        for text in ["", "{", "[]", "null", "{}", "{\"id\":-1}", "{\"id\":\"x\"}", "\u{0}", "{\"error\":{\"code\":1}}"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        assert_eq!(repaired(r#"{"a":"\ud83c"}"#), r#"{"a":"\ufffd"}"#);
        assert_eq!(repaired(r#"{"a":"\ud83cx\uDE00"}"#), r#"{"a":"\ufffdx\ufffd"}"#);
        assert_eq!(repaired(r#"["\udf00\ud83c\udf00\ud83c"]"#), r#"["\ufffd\ud83c\udf00\ufffd"]"#);
        assert_eq!(repaired(r#"["\ud83c\ud83c\udf00"]"#), r#"["\ufffd\ud83c\udf00"]"#);
    }

    #[test]
    fn pairs_plain_escapes_and_escaped_backslashes_stay() {
        for json in [
            r#"["\ud83c\udf00"]"#,
            r#"["\ud83c\uDF00"]"#,
            r#"["\uD83C\udf00\uD83C\uDF00"]"#,
            r#"["\ud7ff\u00e9"]"#,
            r#"["\\ud83c"]"#,
            r#"["\\\\ud83c"]"#,
            r#"["\ud8"]"#,
        ] {
            assert_eq!(repaired(json), json);
        }
        assert_eq!(repaired(r#"["\\\ud83c"]"#), r#"["\\\ufffd"]"#);
        assert_eq!(repaired(r#"["\\ud83c\udf00"]"#), r#"["\\ud83c\ufffd"]"#);
    }

    #[test]
    fn invalid_utf8_becomes_replacement_characters() {
        assert_eq!(text(b"\"\xff\"".to_vec()), "\"\u{fffd}\"");
    }

    #[test]
    fn a_command_names_its_session_only_where_it_has_one() {
        let params = serde_json::json!({"x": 1});
        let text = command(3, Some("S"), "Page.enable", &params).unwrap();
        assert_eq!(text, br#"{"id":3,"sessionId":"S","method":"Page.enable","params":{"x":1}}"#);
        let text = command(4, None, "Page.enable", &params).unwrap();
        assert_eq!(text, br#"{"id":4,"method":"Page.enable","params":{"x":1}}"#);
    }
}
