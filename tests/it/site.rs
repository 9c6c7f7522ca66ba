//! The loopback site on two host names, so that cross-origin is real: `tests/pages` under `/pages/`, each case
//! under its own name, and a few routes under `/_/` for what files can't do.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;

/// Returns the site's port; the first call starts it.
pub fn port() -> u16 {
    static PORT: OnceLock<u16> = OnceLock::new();
    *PORT.get_or_init(|| {
        let listeners = listeners();
        let port = listeners.first().expect("one at least").local_addr().expect("bound").port();
        thread::Builder::new().name("site".into()).spawn(move || serve(listeners)).expect("a thread");
        port
    })
}

/// Returns an address on the first name, `127.0.0.1`.
pub fn url(path: &str) -> String {
    format!("http://127.0.0.1:{}/{}", port(), path.trim_start_matches('/'))
}

/// Returns the same address on the second name, `localhost`: another origin, another process.
pub fn other_url(path: &str) -> String {
    format!("http://localhost:{}/{}", port(), path.trim_start_matches('/'))
}

/// Binds one port on both loopback addresses. A machine without IPv6 serves `localhost` by IPv4 alone.
fn listeners() -> Vec<TcpListener> {
    for _ in 0..50 {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = first.local_addr().expect("bound").port();
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Ok(second) => return vec![first, second],
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {}
            Err(_) => return vec![first],
        }
    }
    panic!("no port is free on both loopback addresses");
}

fn serve(listeners: Vec<TcpListener>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut servers = tokio::task::JoinSet::new();
        for listener in listeners {
            listener.set_nonblocking(true).expect("a socket that need not block");
            let listener = tokio::net::TcpListener::from_std(listener).expect("inside the runtime");
            servers.spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        }
        while servers.join_next().await.is_some() {}
    });
}

async fn answer(request: Request) -> Response {
    let uri = request.uri().clone();
    match uri.path().strip_prefix("/_/") {
        Some(route) => special(route, &uri).await,
        None => file(uri.path()),
    }
}

/// `status/N` · `empty` · `loop` · `hop?to=` · `slow?ms=` · `hanging-body` · `silent` · `attachment?ms=` ·
/// `count/NAME` (counts up) · `counted/NAME` (only tells)
async fn special(route: &str, uri: &Uri) -> Response {
    let query = |name: &str| {
        let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).next().unwrap_or_default()
    };
    let (route, rest) = route.split_once('/').unwrap_or((route, ""));
    match route {
        "status" => {
            let status = rest.parse::<u16>().ok().and_then(|code| StatusCode::from_u16(code).ok());
            let page = format!("<title>Status {rest}</title><h1>Status {rest}</h1><button>Try again</button>");
            (status.expect("a status code"), html(page)).into_response()
        }
        "empty" => StatusCode::NO_CONTENT.into_response(),
        "loop" => redirect("/_/loop"),
        "hop" => redirect(&query("to")),
        "slow" => {
            let wait = query("ms").parse().expect("milliseconds");
            tokio::time::sleep(Duration::from_millis(wait)).await;
            html("<title>Slow</title><h1>Slow page</h1>".into()).into_response()
        }
        "hanging-body" => {
            let start =
                Bytes::from_static(b"<!doctype html><title>Half</title><h1>First half</h1><button>Go on</button>");
            let first = stream::iter([Ok::<_, std::io::Error>(start)]);
            let body = Body::from_stream(futures_util::StreamExt::chain(first, stream::pending()));
            ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body).into_response()
        }
        "silent" => std::future::pending().await,
        "attachment" => {
            let wait = query("ms").parse().unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let headers = [
                (header::CONTENT_TYPE, "text/csv"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"report.csv\""),
            ];
            (headers, "a,b\n1,2\n").into_response()
        }
        "count" => count(rest, 1).to_string().into_response(),
        "counted" => count(rest, 0).to_string().into_response(),
        _ => (StatusCode::NOT_FOUND, html(format!("<h1>No route {route}</h1>"))).into_response(),
    }
}

/// Adds to a named counter and returns it.
pub fn count(name: &str, step: u32) -> u32 {
    static COUNTERS: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);
    let mut counters = COUNTERS.lock().expect("no holder panics");
    let value = counters.get_or_insert_default().entry(name.to_owned()).or_default();
    *value += step;
    *value
}

fn redirect(to: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to.to_owned())]).into_response()
}

fn html(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

fn file(path: &str) -> Response {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let path = path.trim_start_matches('/');
    let full = match path.strip_prefix("pages/") {
        Some(page) => tests.join("pages").join(page),
        None => tests.join("cases").join(path),
    };
    match std::fs::read(&full) {
        Ok(bytes) if !path.contains("..") => ([(header::CONTENT_TYPE, content_type(path))], bytes).into_response(),
        _ => (StatusCode::NOT_FOUND, html(format!("<title>Missing</title><h1>No page {path}</h1>"))).into_response(),
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "text/plain; charset=utf-8",
    }
}

#[test]
fn both_names_are_served_and_what_is_not_there_is_missing() {
    use std::io::{Read as _, Write as _};
    let get = |host: &str, path: &str| {
        let mut stream = std::net::TcpStream::connect((host, port())).expect("the site listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        text
    };
    for host in ["127.0.0.1", "localhost"] {
        let page = get(host, "/pages/basic.html");
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("text/html") && page.contains("<h1>Basic"), "{page}");
        assert!(get(host, "/click-alert/index.html").contains("text/html"));
        assert!(get(host, "/pages/none.html").starts_with("HTTP/1.1 404"));
        assert!(get(host, "/pages/../it/main.rs").starts_with("HTTP/1.1 404"));
    }
    assert!(get("127.0.0.1", "/_/status/503").starts_with("HTTP/1.1 503"));
    assert_eq!((count("here", 1), count("here", 1), count("here", 0)), (1, 2, 2));
}
