//! A minimal CDP client: one WebSocket, blocking, no checks and no decoding that the work does not need. It stands for
//! what the protocol itself costs.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use async_tungstenite::tungstenite::protocol::WebSocketConfig;
use async_tungstenite::tungstenite::{Message, WebSocket, client::client_with_config};
use serde_json::{Value, json};

use crate::error::{Error, Result};

/// How long the browser may take to answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection to a browser.
pub struct Raw {
    socket: WebSocket<TcpStream>,
    sent: u64,
    /// Answers that came before they were asked for.
    early: HashMap<u64, String>,
    product: String,
}

/// A tab of the raw client.
pub struct Tab {
    pub target: String,
    pub session: String,
}

impl Raw {
    /// Connects to the browser with the debugging port at `endpoint` (`http://127.0.0.1:PORT`).
    pub fn connect(endpoint: &str) -> Result<Self> {
        let authority = endpoint.trim_start_matches("http://");
        let version = version(authority).map_err(|error| gone(&error))?;
        let text = |key: &str| version.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let stream = TcpStream::connect(authority).map_err(|error| gone(&error))?;
        stream
            .set_nodelay(true)
            .and_then(|()| stream.set_read_timeout(Some(PATIENCE)))
            .map_err(|error| gone(&error))?;
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (socket, _) =
            client_with_config(text("webSocketDebuggerUrl"), stream, Some(config)).map_err(|error| gone(&error))?;
        Ok(Self { socket, sent: 0, early: HashMap::new(), product: text("Browser") })
    }

    pub fn product(&self) -> &str {
        &self.product
    }

    /// Sends a command and returns its number.
    pub fn send(&mut self, session: &str, method: &str, params: &Value) -> Result<u64> {
        self.sent += 1;
        let message = match session {
            "" => json!({ "id": self.sent, "method": method, "params": params }),
            session => json!({ "id": self.sent, "method": method, "params": params, "sessionId": session }),
        };
        self.socket.send(Message::text(message.to_string())).map_err(|error| gone(&error))?;
        Ok(self.sent)
    }

    /// Waits for the answer to a command; the message is not decoded.
    pub fn answer(&mut self, id: u64) -> Result<String> {
        loop {
            if let Some(message) = self.early.remove(&id) {
                return Ok(message);
            }
            let message = self.message()?;
            if let Some(other) = number(&message) {
                self.early.insert(other, message);
            }
        }
    }

    /// Sends a command and decodes its result.
    pub fn call(&mut self, session: &str, method: &str, params: &Value) -> Result<Value> {
        let id = self.send(session, method, params)?;
        let message = self.answer(id)?;
        result(method, &message)
    }

    /// Waits for an event.
    pub fn event(&mut self, session: &str, method: &str) -> Result<Value> {
        let start = format!("{{\"method\":\"{method}\"");
        loop {
            let message = self.message()?;
            if let Some(id) = number(&message) {
                self.early.insert(id, message);
            } else if message.starts_with(&start) {
                let event: Value = serde_json::from_str(&message).map_err(|error| garbled(method, &error))?;
                if event.get("sessionId").and_then(Value::as_str) == Some(session) {
                    return Ok(event);
                }
            }
        }
    }

    /// Opens a tab and a session with it.
    pub fn tab(&mut self) -> Result<Tab> {
        let target = self.call("", "Target.createTarget", &json!({ "url": "about:blank" }))?;
        let target = text_of(&target, "targetId");
        let session = self.call("", "Target.attachToTarget", &json!({ "targetId": target, "flatten": true }))?;
        let session = text_of(&session, "sessionId");
        self.call(&session, "Page.enable", &json!({}))?;
        Ok(Tab { target, session })
    }

    /// Opens a page and waits until it has loaded.
    pub fn open(&mut self, tab: &Tab, url: &str) -> Result<()> {
        self.send(&tab.session, "Page.navigate", &json!({ "url": url }))?;
        self.event(&tab.session, "Page.loadEventFired").map(drop)
    }

    /// Returns the value of an expression.
    pub fn evaluate(&mut self, tab: &Tab, expression: &str) -> Result<Value> {
        let params = json!({ "expression": expression, "returnByValue": true });
        let result = self.call(&tab.session, "Runtime.evaluate", &params)?;
        Ok(result.pointer("/result/value").cloned().unwrap_or_default())
    }

    pub fn close(&mut self, tab: &Tab) -> Result<()> {
        self.call("", "Target.closeTarget", &json!({ "targetId": tab.target })).map(drop)
    }

    fn message(&mut self) -> Result<String> {
        loop {
            if let Message::Text(text) = self.socket.read().map_err(|error| gone(&error))? {
                return Ok(text.as_str().to_owned());
            }
        }
    }
}

/// Takes the result out of an answer.
pub fn result(method: &str, message: &str) -> Result<Value> {
    let mut answer: Value = serde_json::from_str(message).map_err(|error| garbled(method, &error))?;
    match answer.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err(garbled(method, &answer)),
    }
}

pub fn text_of(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns the number of an answer; Chromium writes it first.
fn number(message: &str) -> Option<u64> {
    message.strip_prefix("{\"id\":")?.split([',', '}']).next()?.parse().ok()
}

/// Asks the debugging port for its version page. The browser keeps the connection open, so that its end is where the
/// announced length says.
fn version(authority: &str) -> std::io::Result<Value> {
    let mut stream = TcpStream::connect(authority)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET /json/version HTTP/1.1\r\nHost: {authority}\r\n\r\n")?;
    let mut text = String::new();
    let mut chunk = [0; 4096];
    loop {
        let read = stream.read(&mut chunk)?;
        text.push_str(&String::from_utf8_lossy(chunk.get(..read).unwrap_or_default()));
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        match serde_json::from_str(body) {
            Ok(version) => return Ok(version),
            Err(error) if read == 0 => return Err(error.into()),
            Err(_) => {}
        }
    }
}

fn gone(problem: &impl ToString) -> Error {
    Error::BrowserGone { reason: problem.to_string() }
}

fn garbled(method: &str, problem: &impl ToString) -> Error {
    Error::BrowserProtocol { method: method.to_owned(), problem: problem.to_string() }
}
