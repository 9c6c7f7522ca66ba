//! Messages over a byte stream, each ended by a NUL byte: the form of `--remote-debugging-pipe`.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// How much is read at least in one go; equal to the size that a pipe can be given without privileges.
pub(super) const CHUNK: usize = 1 << 20;

/// Splits a byte stream into messages.
pub(super) struct FrameReader {
    stream: Box<dyn AsyncRead + Send + Unpin>,
    buffer: Vec<u8>,
    /// Where the next message begins in `buffer`.
    start: usize,
    /// Up to where `buffer` is known to hold no NUL byte.
    searched: usize,
}

impl FrameReader {
    pub fn new(stream: impl AsyncRead + Send + Unpin + 'static) -> Self {
        Self { stream: Box::new(stream), buffer: Vec::new(), start: 0, searched: 0 }
    }

    /// Returns the next message, or `None` at the end of the stream. Dropping the future loses nothing.
    ///
    /// # Errors
    /// Fails where the stream fails, and with `UnexpectedEof` where it ends inside a message.
    pub async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(message) = self.take() {
                return Ok(Some(message));
            }
            if self.start > 0 {
                self.buffer.drain(..self.start);
                self.searched -= self.start;
                self.start = 0;
            }
            // Doubling keeps a message of many megabytes from being copied once per read.
            self.buffer.reserve(CHUNK.max(self.buffer.len()));
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                let torn = io::Error::new(io::ErrorKind::UnexpectedEof, "the stream ended inside a message");
                return if self.buffer.is_empty() { Ok(None) } else { Err(torn) };
            }
        }
    }

    /// Cuts the next whole message out of the buffer.
    fn take(&mut self) -> Option<Vec<u8>> {
        let unsearched = self.buffer.get(self.searched..)?;
        let Some(found) = memchr::memchr(0, unsearched) else {
            self.searched = self.buffer.len();
            return None;
        };
        let end = self.searched + found;
        let next = end + 1;
        // A big message hands the buffer over; small ones, which come many in one read, are copied out.
        if self.start == 0 && end >= CHUNK {
            let rest = self.buffer.split_off(next);
            let mut message = std::mem::replace(&mut self.buffer, rest);
            message.truncate(end);
            self.searched = 0;
            return Some(message);
        }
        let message = self.buffer.get(self.start..end).map(<[u8]>::to_vec);
        self.start = next;
        self.searched = next;
        message
    }
}

/// Writes messages to a byte stream.
pub(super) struct FrameWriter {
    stream: Box<dyn AsyncWrite + Send + Unpin>,
}

impl FrameWriter {
    pub fn new(stream: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self { stream: Box::new(stream) }
    }

    /// Writes the messages in one go, so that commands that were started together travel together.
    pub async fn send(&mut self, messages: &mut Vec<Vec<u8>>) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(messages.iter().map(|message| message.len() + 1).sum());
        for message in messages.drain(..) {
            bytes.extend_from_slice(&message);
            bytes.push(0);
        }
        self.stream.write_all(&bytes).await?;
        self.stream.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_all(bytes: &[u8], chunk: usize) -> (Vec<Vec<u8>>, Option<io::ErrorKind>) {
        let (mut writer, reader) = tokio::io::duplex(chunk);
        let bytes = bytes.to_vec();
        let writing = tokio::spawn(async move { writer.write_all(&bytes).await });
        let mut reader = FrameReader::new(reader);
        let mut messages = Vec::new();
        let end = loop {
            match reader.next().await {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => break None,
                Err(problem) => break Some(problem.kind()),
            }
        };
        writing.await.unwrap().unwrap();
        (messages, end)
    }

    #[tokio::test]
    async fn messages_are_cut_at_nul_bytes_however_they_arrive() {
        for chunk in [1, 2, 3, 7, 64] {
            let (messages, end) = read_all(b"one\0two\0\0three\0", chunk).await;
            assert_eq!(messages, [&b"one"[..], b"two", b"", b"three"]);
            assert_eq!(end, None);
        }
    }

    #[tokio::test]
    async fn a_torn_message_is_an_error_after_the_whole_ones() {
        let (messages, end) = read_all(b"one\0tw", 4).await;
        assert_eq!(messages, [&b"one"[..]]);
        assert_eq!(end, Some(io::ErrorKind::UnexpectedEof));
    }

    #[tokio::test]
    async fn big_messages_stand_between_small_ones() {
        let big = vec![b'x'; 5 * CHUNK + 3];
        let bytes = [b"small\0", &big[..], b"\0after\0", &big[..], b"\0"].concat();
        let (messages, end) = read_all(&bytes, 300_000).await;
        assert_eq!(messages.iter().map(Vec::len).collect::<Vec<_>>(), [5, big.len(), 5, big.len()]);
        assert_eq!(end, None);
    }
}
