//! The two ways that messages travel: a pipe to a browser that we launched, a WebSocket to one that we attached to.

use std::fmt;
use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;

use super::{pipe, socket};

/// A way to a browser, ready for [`Connection::start`](super::Connection::start).
pub struct Carrier {
    pub(super) source: Source,
    pub(super) sink: Sink,
    /// Tells how the browser's process ended, where it is ours. It comes earlier than the end of the pipe, which
    /// Chromium's child processes keep open for some 0.15 s after a kill.
    pub(super) exit: Option<oneshot::Receiver<String>>,
}

pub(super) enum Source {
    Pipe(pipe::FrameReader),
    Socket(socket::MessageReader),
}

pub(super) enum Sink {
    Pipe(pipe::FrameWriter),
    Socket(socket::MessageWriter),
}

impl fmt::Debug for Carrier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Carrier").field("launched", &self.exit.is_some()).finish_non_exhaustive()
    }
}

impl Carrier {
    /// Makes a carrier of two byte streams with a NUL byte after each message.
    pub fn pipe(
        from_browser: impl AsyncRead + Send + Unpin + 'static,
        to_browser: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self {
            source: Source::Pipe(pipe::FrameReader::new(from_browser)),
            sink: Sink::Pipe(pipe::FrameWriter::new(to_browser)),
            exit: None,
        }
    }
}

impl Source {
    /// Returns the next message, or `None` when the browser ended the carrier. Dropping the future loses nothing.
    pub async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Pipe(reader) => reader.next().await,
            Self::Socket(reader) => reader.next().await,
        }
    }
}

impl Sink {
    /// Sends the messages in order and empties the list.
    pub async fn send(&mut self, messages: &mut Vec<Vec<u8>>) -> io::Result<()> {
        match self {
            Self::Pipe(writer) => writer.send(messages).await,
            Self::Socket(writer) => writer.send(messages).await,
        }
    }
}
