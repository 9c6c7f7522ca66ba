//! The script's own JavaScript, on a session of its own. Values come back as JSON, elements as backend ids.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Session;
use super::call::Failed;
use super::session::millis;
use crate::budget::{Budget, Layer};
use crate::cdp::js::runtime::{EvaluateParams, TerminateExecutionParams};
use crate::cdp::{CdpSession, Failure};
use crate::error::{Change, Error, Result};

/// How deep values are read; deeper parts come as null.
const DEEPEST: i64 = 32;

/// How long before our own deadline the browser ends a script that does not end by itself.
const MARGIN: Duration = Duration::from_millis(30);

/// Under this key an element stands in the JSON until it gets its ref.
pub const ELEMENT: &str = "$backend";

impl Session {
    /// Evaluates an expression in the main frame of the current tab, in the page's own world, and awaits a
    /// promise. Elements come back as `{"$backend": id}`. One round trip.
    ///
    /// # Errors
    /// `script::error` when it throws, `page::hung` when it does not end (it is then terminated, and what it did
    /// before stays), `wait::timeout` for a promise that does not settle.
    pub async fn evaluate_script(&self, code: &str, budget: &Budget) -> Result<Value> {
        self.page()?;
        self.refuse_in_dialog()?;
        let tab = self.tab()?;
        let Some(id) = tab.eval_session else {
            return Err(Error::PageHung { doing: "`eval_js`".into(), waited_ms: 0, freed: None });
        };
        let session = self.cdp(&id);
        let mut params = EvaluateParams::new(code);
        params.await_promise = Some(true);
        params.user_gesture = Some(true);
        params.repl_mode = Some(false);
        let mut params = serde_json::to_value(&params).unwrap_or_default();
        params["serializationOptions"] = json!({
            "serialization": "deep",
            "maxDepth": DEEPEST,
            "additionalParameters": { "maxNodeDepth": 0, "includeShadowTree": "none" },
        });
        if let Some(left) = budget.remaining() {
            params["timeout"] = json!(millis(left.saturating_sub(MARGIN)).max(1));
        }
        let pending = session.start_json("Runtime.evaluate", &params);
        let reply = match self.answered(pending, budget).await {
            Ok(reply) => reply,
            // How Chromium 156 answers when its own time limit ended the code.
            Err(Failed::Command(Failure::Refused { message, .. })) if message == "Internal error" => {
                return Err(budget.overrun().unwrap_or_else(|| terminated(budget)));
            }
            Err(Failed::Command(Failure::NoAnswer { .. })) => return Err(self.unsettled(&session, budget).await),
            Err(failed) => return Err(self.word(failed, budget)),
        };
        let evaluated: Evaluated = reply.decode().map_err(|failure| self.explain(failure, budget))?;
        if let Some(details) = evaluated.exception_details {
            let problem = details.words();
            if problem.contains("Execution was terminated") {
                return Err(budget.overrun().unwrap_or_else(|| terminated(budget)));
            }
            return Err(Error::ScriptError { problem: format!("the page's JavaScript threw: {problem}"), hint: None });
        }
        Ok(evaluated.result.deep_serialized_value.map_or(Value::Null, plain))
    }

    /// Nothing came back although the browser ends code that does not end: the page is stuck in something else,
    /// or the promise does not settle. Which of them, a moment's question tells.
    async fn unsettled(&self, session: &CdpSession, budget: &Budget) -> Error {
        let moment = Budget::new(budget.cancel_token()).child(Duration::from_millis(100), Layer::Call);
        let alive = session.call(EvaluateParams::new("1"), &moment).await.is_ok();
        if alive {
            return budget.overrun().unwrap_or_else(|| Error::WaitTimeout {
                wanted: "the end of the promise of `eval_js`".into(),
                change: Change::Happen,
                waited_ms: millis(budget.granted()),
                now: None,
                nearest: Vec::new(),
            });
        }
        session.post(TerminateExecutionParams::default());
        budget.overrun().unwrap_or_else(|| terminated(budget))
    }
}

fn terminated(budget: &Budget) -> Error {
    Error::PageHung {
        doing: "`eval_js`".into(),
        waited_ms: millis(budget.granted()),
        freed: Some("its JavaScript was terminated, and what it did before stays".into()),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: Remote,
    exception_details: Option<Thrown>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remote {
    deep_serialized_value: Option<Deep>,
    description: Option<String>,
    value: Option<Value>,
}

#[derive(Deserialize)]
struct Thrown {
    text: String,
    exception: Option<Remote>,
}

impl Thrown {
    /// Returns the first line of what was thrown, without the stack.
    fn words(&self) -> String {
        let thrown = self.exception.as_ref().and_then(|exception| match &exception.description {
            Some(text) => Some(text.clone()),
            None => exception.value.as_ref().map(Value::to_string),
        });
        let text = thrown.unwrap_or_else(|| self.text.clone());
        text.lines().next().unwrap_or_default().to_owned()
    }
}

/// A value as the browser's deep serialization writes it.
#[derive(Deserialize)]
struct Deep {
    #[serde(rename = "type")]
    kind: String,
    value: Option<Value>,
}

/// Turns a deep value into plain JSON. What JSON can't say (functions, symbols, cycles, NaN) becomes null.
fn plain(deep: Deep) -> Value {
    let value = deep.value.unwrap_or_default();
    match deep.kind.as_str() {
        "string" | "boolean" | "date" => value,
        // NaN and the infinities come as text.
        "number" => {
            if value.is_number() {
                value
            } else {
                Value::Null
            }
        }
        "bigint" => value.as_str().and_then(|text| text.parse::<i64>().ok()).map_or(value, Value::from),
        "array" | "set" | "nodelist" | "htmlcollection" | "typedarray" | "arraybuffer" => match value {
            Value::Array(items) => items.into_iter().map(nested).collect(),
            _ => Value::Array(Vec::new()),
        },
        "object" | "map" => match value {
            Value::Array(pairs) => pairs.into_iter().filter_map(pair).collect::<Map<String, Value>>().into(),
            _ => Value::Object(Map::new()),
        },
        "node" => match value.get("backendNodeId") {
            Some(id) => json!({ ELEMENT: id }),
            None => Value::Null,
        },
        "regexp" => value.get("pattern").cloned().unwrap_or_default(),
        _ => Value::Null,
    }
}

fn nested(value: Value) -> Value {
    serde_json::from_value::<Deep>(value).map_or(Value::Null, plain)
}

fn pair(value: Value) -> Option<(String, Value)> {
    let Value::Array(items) = value else { return None };
    let [key, value] = <[Value; 2]>::try_from(items).ok()?;
    let key = match key {
        Value::String(text) => text,
        other => match nested(other) {
            Value::String(text) => text,
            other => other.to_string(),
        },
    };
    Some((key, nested(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        nested(serde_json::from_str(text).expect("the test's JSON is valid"))
    }

    #[test]
    fn reads_deep_values_as_json() {
        let object = r#"{"type":"object","value":[["a",{"type":"number","value":1}],
            ["n",{"type":"node","value":{"backendNodeId":7,"nodeType":1}}],["u",{"type":"undefined"}]]}"#;
        assert_eq!(read(object), json!({ "a": 1, "n": { "$backend": 7 }, "u": null }));
        assert_eq!(read(r#"{"type":"number","value":"NaN"}"#), Value::Null);
        assert_eq!(read(r#"{"type":"bigint","value":"12"}"#), json!(12));
        assert_eq!(
            read(r#"{"type":"array","value":[{"type":"null"},{"type":"boolean","value":true}]}"#),
            json!([null, true])
        );
        let map = r#"{"type":"map","value":[[{"type":"number","value":1},{"type":"string","value":"x"}]]}"#;
        assert_eq!(read(map), json!({ "1": "x" }));
    }
}
