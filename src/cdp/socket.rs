//! Messages over a WebSocket, to a browser that runs already.

use std::io;
use std::time::Duration;

use async_tungstenite::tokio::TokioAdapter;
use async_tungstenite::tungstenite::http::Uri;
use async_tungstenite::tungstenite::protocol::WebSocketConfig;
use async_tungstenite::tungstenite::{self, Message};
use async_tungstenite::{WebSocketReceiver, WebSocketSender};
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::carrier::{Carrier, Sink, Source};
use crate::budget::{Budget, Layer};
use crate::error::Error;

/// How long attaching may take in all.
const ATTACH: Duration = Duration::from_secs(15);

/// The size up to which the answer of `/json/version` is read; Chromium's has some 500 bytes.
const VERSION_SIZE: usize = 1 << 20;

type Socket = TokioAdapter<TcpStream>;

pub(super) struct MessageReader {
    socket: WebSocketReceiver<Socket>,
}

impl MessageReader {
    pub async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match self.socket.next().await {
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                    return Ok(Some(message.into_data().into()));
                }
                Some(Ok(Message::Close(_))) | None => return Ok(None),
                // Pings are answered by the library.
                Some(Ok(_)) => {}
                Some(Err(problem)) => return Err(io::Error::other(problem)),
            }
        }
    }
}

pub(super) struct MessageWriter {
    socket: WebSocketSender<Socket>,
}

impl MessageWriter {
    pub async fn send(&mut self, messages: &mut Vec<Vec<u8>>) -> io::Result<()> {
        for message in messages.drain(..) {
            let text = String::from_utf8(message).map_err(io::Error::other)?;
            self.socket.send(Message::text(text)).await.map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// Attaches to a running browser.
///
/// `endpoint` is its WebSocket address (`ws://…`), or the address of its debugging port (`http://host:port`), which
/// is asked for the WebSocket address (one request of `/json/version`). Gives up after 15 s.
///
/// # Errors
/// `browser::launch` names the endpoint, without its query, which may hold a token, and what was wrong.
pub async fn attach(endpoint: &str, budget: &Budget) -> Result<Carrier, Error> {
    let failed = |reason: String| Error::BrowserAttach {
        endpoint: endpoint.split(['?', '#']).next().unwrap_or_default().to_owned(),
        reason,
    };
    let budget = budget.child(ATTACH, Layer::Call);
    tokio::select! {
        carrier = attach_to(endpoint) => carrier.map_err(failed),
        () = budget.spent() => Err(budget.overrun().unwrap_or_else(|| {
            failed(format!("no answer for {} s", ATTACH.as_secs()))
        })),
    }
}

async fn attach_to(endpoint: &str) -> Result<Carrier, String> {
    let uri: Uri = endpoint.trim().parse().map_err(|problem| format!("it is no address: {problem}"))?;
    match uri.scheme_str() {
        Some("ws") => open(&uri).await,
        Some("http") => {
            let address = discover(&uri).await?;
            open(&address.parse().map_err(|problem| format!("the browser named `{address}`: {problem}"))?).await
        }
        Some(scheme @ ("wss" | "https")) => {
            Err(format!("`{scheme}:` is not supported; forward the port and attach to `http://localhost:PORT` instead"))
        }
        _ => Err("expected `ws://…` or `http://host:port`".into()),
    }
}

async fn open(uri: &Uri) -> Result<Carrier, String> {
    let stream = connect(uri).await?;
    // A reply with the tree of a big page has tens of megabytes.
    let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
    let (socket, _) = async_tungstenite::tokio::client_async_with_config(uri.clone(), stream, Some(config))
        .await
        .map_err(|problem| match problem {
            tungstenite::Error::Http(answer) => format!("it answered with HTTP status {}", answer.status()),
            other => other.to_string(),
        })?;
    let (sender, receiver) = socket.split();
    Ok(Carrier {
        source: Source::Socket(MessageReader { socket: receiver }),
        sink: Sink::Socket(MessageWriter { socket: sender }),
        exit: None,
    })
}

async fn connect(uri: &Uri) -> Result<TcpStream, String> {
    let host = uri.host().ok_or("the address names no host")?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let stream =
        TcpStream::connect((host, uri.port_u16().unwrap_or(80))).await.map_err(|problem| problem.to_string())?;
    stream.set_nodelay(true).map_err(|problem| problem.to_string())?;
    Ok(stream)
}

/// Asks a debugging port for the browser's WebSocket address.
async fn discover(uri: &Uri) -> Result<String, String> {
    let mut stream = connect(uri).await?;
    let named = uri.authority().map_or("localhost", |authority| authority.as_str());
    let answer = get_version(&mut stream, named).await?;
    // Chromium refuses every host name but `localhost`, against DNS rebinding; the address behind it will do.
    if answer.contains("Host header is specified") {
        let mut stream = connect(uri).await?;
        let address = stream.peer_addr().map_err(|problem| problem.to_string())?;
        return websocket_address(&get_version(&mut stream, &address.to_string()).await?);
    }
    websocket_address(&answer)
}

async fn get_version(stream: &mut TcpStream, host: &str) -> Result<String, String> {
    // Chromium hangs up on HTTP/1.0.
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|problem| problem.to_string())?;
    let mut answer = Vec::new();
    // Chromium keeps the connection open whatever is asked for, so the end is where the length says.
    while !is_whole(&answer) && answer.len() < VERSION_SIZE {
        if stream.read_buf(&mut answer).await.map_err(|problem| problem.to_string())? == 0 {
            break;
        }
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Says whether an HTTP answer has as much body as its head announces.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().filter_map(|line| line.split_once(':')).find_map(|(name, value)| {
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok()).flatten()
    });
    length.is_some_and(|length| body.len() >= length)
}

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    address: String,
}

/// Takes the WebSocket address out of an HTTP answer.
fn websocket_address(answer: &str) -> Result<String, String> {
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("it does not speak HTTP")?;
    let status = head.lines().next().and_then(|line| line.split(' ').nth(1)).unwrap_or("missing");
    if status != "200" {
        let told = body.lines().next().unwrap_or_default();
        return Err(format!("`/json/version` was answered with HTTP status {status} {told}").trim_end().to_owned());
    }
    // A server between us and the browser may answer in chunks, whose lengths stand around the object.
    let object = body.find('{').zip(body.rfind('}')).and_then(|(start, end)| body.get(start..=end));
    let version: Version = serde_json::from_str(object.unwrap_or(body))
        .map_err(|problem| format!("`/json/version` is not what a browser answers: {problem}"))?;
    Ok(version.address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_read_from_the_version_page() {
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n{\"Browser\":\"Chrome\",\"webSocketDebuggerUrl\":\"ws://h/1\"}";
        assert_eq!(websocket_address(answer).as_deref(), Ok("ws://h/1"));
        let chunked = "HTTP/1.1 200 OK\r\n\r\n20\r\n{\"webSocketDebuggerUrl\":\"ws://h\"}\r\n0\r\n\r\n";
        assert_eq!(websocket_address(chunked).as_deref(), Ok("ws://h"));
    }

    #[test]
    fn other_answers_are_told_in_words() {
        let refused = websocket_address("HTTP/1.1 500 Oops\r\n\r\nHost header is specified").unwrap_err();
        assert_eq!(refused, "`/json/version` was answered with HTTP status 500 Host header is specified");
        assert!(websocket_address("SSH-2.0").unwrap_err().contains("does not speak HTTP"));
        assert!(websocket_address("HTTP/1.1 200 OK\r\n\r\n<html>").unwrap_err().contains("not what a browser answers"));
    }

    #[test]
    fn an_answer_is_whole_when_the_announced_length_is_there() {
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\nContent-Length:2\r\n\r\n{}"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\n\r\n{}"));
    }

    #[tokio::test]
    async fn a_host_name_that_the_browser_refuses_is_replaced_by_its_address() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = tokio::spawn(async move {
            for answer in [
                "500 No\r\nContent-Length: 24\r\n\r\nHost header is specified",
                "200 OK\r\n\r\n{\"webSocketDebuggerUrl\":\"ws://a\"}",
            ] {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = [0; 1000];
                let length = stream.read(&mut request).await.unwrap();
                let request = String::from_utf8_lossy(&request[..length]).into_owned();
                assert_eq!(request.contains(&format!("Host: 127.0.0.1:{port}\r\n")), answer.starts_with("200"));
                stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).await.unwrap();
            }
        });
        let uri = format!("http://localhost:{port}").parse().unwrap();
        assert_eq!(discover(&uri).await.as_deref(), Ok("ws://a"));
        serving.await.unwrap();
    }

    #[tokio::test]
    async fn endpoints_that_cannot_work_say_so_at_once() {
        let budget = Budget::new(tokio_util::sync::CancellationToken::new());
        for (endpoint, words) in [
            ("wss://host/x?token=secret", "`wss:` is not supported"),
            ("https://host", "`https:` is not supported"),
            ("ftp://host", "expected `ws://…`"),
            ("host:9222", "expected `ws://…`"),
            ("http://127.0.0.1:1", "refused"),
        ] {
            let Err(error) = attach(endpoint, &budget).await else { panic!("{endpoint} was accepted") };
            assert_eq!(error.code(), "browser::launch");
            let text = error.to_string();
            assert!(text.contains(words) && !text.contains("secret"), "{text}");
        }
    }
}
