//! A server with a certificate that nobody signed. Rust's own TLS would be a dependency for one test, so a few
//! lines of Python serve it; the key beside it is for this alone.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Ends with its standard input, so also with a killed test process.
const SERVER: &str = "
import http.server, os, ssl, sys, threading
server = http.server.HTTPServer(('127.0.0.1', 0), http.server.BaseHTTPRequestHandler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
";

/// The server under way.
pub struct Untrusted {
    python: Child,
    port: String,
}

impl Untrusted {
    pub fn start() -> Self {
        let pem = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/self-signed.pem");
        let mut command = Command::new("python3");
        command.args(["-c", SERVER]).arg(pem).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut python = command.spawn().expect("python3 starts");
        let mut port = String::new();
        BufReader::new(python.stdout.take().expect("a pipe")).read_line(&mut port).expect("the port");
        Self { python, port: port.trim().to_owned() }
    }

    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Untrusted {
    fn drop(&mut self) {
        drop(self.python.stdin.take());
        self.python.wait().expect("python ends with its input");
    }
}
