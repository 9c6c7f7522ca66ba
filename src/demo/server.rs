//! The server of the demo shop.
//!
//! Invariant: it listens on loopback only, so nobody else on the network sees it.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{pages, services};
use crate::error::{Error, Resource};

/// Everything comes from the page's own origin, except the frame for the payment, which stands under the other
/// loopback name. Frameworks forbid inline code in the same way, so scripts have to work with it.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; \
    frame-src http://localhost:* http://127.0.0.1:*; \
    frame-ancestors http://localhost:* http://127.0.0.1:*; form-action 'self'; base-uri 'none'";

/// How long requests that are under way may take once the server stops.
const GRACE: Duration = Duration::from_secs(1);

/// How many free ports are tried until one is free for both loopback addresses.
const ATTEMPTS: usize = 16;

/// A running shop. It stops when it is dropped.
#[derive(Debug)]
pub struct DemoServer {
    port: u16,
    closing: CancellationToken,
    serving: JoinSet<()>,
}

impl DemoServer {
    /// Starts the shop on `port`, or on a free one.
    ///
    /// It answers as `127.0.0.1` and as `localhost`, over IPv4 and, where the machine has it, IPv6. Must be
    /// called inside a tokio runtime.
    ///
    /// # Errors
    /// `io::failed` when the port can't be listened on.
    pub async fn start(port: Option<u16>) -> Result<Self, Error> {
        // Port 0 stands for a free one.
        let port = port.filter(|port| *port > 0);
        let listeners = listen(port).await.map_err(|error| match port {
            Some(port) => Error::IoPort { port, reason: why_not(&error) },
            None => Error::IoSystem { what: Resource::Loopback, reason: error.to_string() },
        })?;
        let closing = CancellationToken::new();
        let mut serving = JoinSet::new();
        let mut bound = 0;
        for (listener, address) in listeners {
            bound = address.port();
            let shop = services::services(closing.clone()).fallback(answer);
            let closed = closing.clone().cancelled_owned();
            serving.spawn(async move {
                if let Err(error) = axum::serve(listener, shop).with_graceful_shutdown(closed).await {
                    tracing::warn!(%error, "the demo shop stopped");
                }
            });
        }
        Ok(Self { port: bound, closing, serving })
    }

    /// Returns the address of the sign-in page, such as `http://127.0.0.1:41873/`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Stops listening and waits up to a second for the requests under way.
    pub async fn stop(mut self) {
        self.closing.cancel();
        let idle = async { while self.serving.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE, idle).await.is_err() {
            tracing::debug!("the demo shop had open connections when it stopped");
        }
    }
}

impl Drop for DemoServer {
    /// Connections run in tasks of their own and heed the token only.
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

/// Says why a port can't be listened on.
fn why_not(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "another program listens on it".into(),
        io::ErrorKind::PermissionDenied => "ports below 1024 are for the system's own services".into(),
        _ => error.to_string(),
    }
}

/// Listens on one port of both loopback addresses.
async fn listen(port: Option<u16>) -> io::Result<Vec<(TcpListener, SocketAddr)>> {
    let mut attempt = 1;
    loop {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await?;
        let address = four.local_addr()?;
        match TcpListener::bind((Ipv6Addr::LOCALHOST, address.port())).await {
            Ok(six) => {
                let other = six.local_addr()?;
                return Ok(vec![(four, address), (six, other)]);
            }
            // `localhost` would lead to whoever owns the port there.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                if port.is_some() || attempt == ATTEMPTS {
                    return Err(error);
                }
                attempt += 1;
            }
            // A machine without IPv6 resolves `localhost` to 127.0.0.1 alone.
            Err(_) => return Ok(vec![(four, address)]),
        }
    }
}

async fn answer(address: Uri) -> Response {
    match pages::page(address.path()) {
        Some(page) => (
            [
                (header::CONTENT_TYPE, page.content_type),
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::CACHE_CONTROL, page.kept),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            ],
            page.text,
        )
            .into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing at this address.\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    async fn get(host: &str, port: u16, path: &str) -> io::Result<String> {
        ask(host, port, &format!("GET {path}"), b"").await
    }

    async fn ask(host: &str, port: u16, what: &str, body: &[u8]) -> io::Result<String> {
        let mut stream = TcpStream::connect((host, port)).await?;
        let length = body.len();
        let head =
            format!("{what} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body).await?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await?;
        Ok(reply)
    }

    #[tokio::test]
    async fn both_names_answer_and_an_unknown_address_is_a_404() -> Result<(), Box<dyn std::error::Error>> {
        let shop = DemoServer::start(None).await?;
        for host in ["127.0.0.1", "localhost"] {
            assert!(get(host, shop.port, "/").await?.contains("Welcome back"));
        }
        assert!(get("127.0.0.1", shop.port, "/pay?cents=1850").await?.contains("Tallybank"));
        assert!(get("127.0.0.1", shop.port, "/nowhere").await?.starts_with("HTTP/1.1 404"));
        Ok(())
    }

    #[tokio::test]
    async fn the_services_answer() -> Result<(), Box<dyn std::error::Error>> {
        let shop = DemoServer::start(None).await?;
        let get = async |path: &str| get("127.0.0.1", shop.port, path).await;
        let towns = get("/towns?q=ly%C3%B6n").await?;
        assert!(towns.contains("application/json") && towns.contains("Lyon"), "{towns}");
        let (usual, heavy) = (get("/delivery").await?, get("/delivery?product=desk-lamp").await?);
        assert!(usual.contains("4 to 5 days") && heavy.contains("6 to 7 days"), "{usual}\n{heavy}");
        let invoice = get("/invoice?number=PB-12345&name=Ann&shipping=0&line=1%7CTape%7C480").await?;
        assert!(invoice.contains("content-disposition: attachment; filename=\"invoice-PB-12345.txt\""), "{invoice}");
        assert!(get("/invoice?number=1").await?.starts_with("HTTP/1.1 400"));
        assert!(get("/covers").await?.starts_with("HTTP/1.1 405"));
        let picture = [&b"\x89PNG\r\n\x1a\n"[..], &[0; 92]].concat();
        let sent = ask("127.0.0.1", shop.port, "POST /covers?name=a%2Fsea.png", &picture).await?;
        assert!(sent.ends_with(r#"{"name":"sea.png","kind":"PNG","bytes":100}"#), "{sent}");
        let refused = ask("127.0.0.1", shop.port, "POST /covers", b"<svg>").await?;
        assert!(refused.starts_with("HTTP/1.1 415"), "{refused}");
        Ok(())
    }

    #[tokio::test]
    async fn stopping_frees_the_port_although_a_connection_is_open() -> Result<(), Box<dyn std::error::Error>> {
        let shop = DemoServer::start(None).await?;
        let port = shop.port;
        let _idle = TcpStream::connect(("127.0.0.1", port)).await?;
        shop.stop().await;
        let again = DemoServer::start(Some(port)).await?;
        assert_eq!(again.url(), format!("http://127.0.0.1:{port}/"));
        Ok(())
    }

    #[tokio::test]
    async fn a_port_in_use_is_an_error() -> Result<(), Box<dyn std::error::Error>> {
        let shop = DemoServer::start(None).await?;
        let second = DemoServer::start(Some(shop.port)).await;
        assert_eq!(second.err().map(|error| error.code()), Some("io::failed"));
        Ok(())
    }
}
