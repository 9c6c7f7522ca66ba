//! What parent and worker say to each other: frames of a little-endian `u32` length and that many bytes of JSON.
//!
//! Invariant: a frame longer than [`FRAME_BYTES`] is refused before anything is allocated for it.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::fault::Fault;
use super::limits::Limits;
use crate::script::{Script, Site};

/// The longest frame that either side takes: the largest string of a script, each character escaped.
pub const FRAME_BYTES: usize = 128 * 1024 * 1024;

/// From the parent to the worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    /// The first frame: what to run.
    Run(Start),
    /// A host call or an import succeeded.
    Ok(Value),
    /// A host call or an import failed.
    Err(Refusal),
    /// End the run now; a call under way gets no answer.
    Cancel {},
}

/// What to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Start {
    pub script: Script,
    pub limits: Limits,
}

/// A failed host call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refusal {
    /// The parent's number for the error.
    pub id: u64,
    /// What `catch (e)` gets.
    pub map: Map<String, Value>,
    /// Whether the script can't catch it.
    pub terminate: bool,
}

/// From the worker to the parent. `Ready`, `Call` and `Import` are answered, the others are not.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromWorker {
    Call {
        name: String,
        args: Vec<Value>,
        at: Option<Site>,
    },
    /// Asks for the source of a module, named as `from` names it. The answer is a [`Script`].
    Import {
        name: String,
        from: String,
    },
    /// The script is compiled and nothing known is wrong with it; the answer lets it start. `doubts` are places that
    /// most likely do something else than was meant.
    Ready {
        doubts: Vec<Ended>,
    },
    Print {
        text: String,
    },
    End(End),
}

/// How the run ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    Ok(Value),
    Error(Ended),
    /// It did not start: all that is wrong with the script and its modules, by file and place, and the doubts.
    Faulty {
        faults: Vec<Ended>,
        doubts: Vec<Ended>,
    },
}

/// The error that ended the run and where it stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ended {
    pub fault: Fault,
    pub site: Option<Site>,
    /// The arguments of the call at `site`, the receiver of a method first.
    pub arguments: Vec<Site>,
    /// The calls that led there, innermost first.
    pub stack: Vec<StackFrame>,
    /// The line as it should be, where that is certain.
    pub fix: Option<String>,
}

/// A call that had not returned: where it stands and what it calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    pub script: String,
    pub line: usize,
    pub column: usize,
    pub function: String,
}

/// Writes one frame and flushes it.
///
/// # Errors
/// When the other side is gone, or the frame would be longer than [`FRAME_BYTES`].
pub fn write(writer: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    writer.write_all(&encode(message)?)?;
    writer.flush()
}

/// Reads one frame; `None` at the end of the stream.
///
/// # Errors
/// When the stream breaks, a frame is too long or is no message.
pub fn read<T: DeserializeOwned>(reader: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match reader.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut body = vec![0; checked(length)?];
    reader.read_exact(&mut body)?;
    decode(&body).map(Some)
}

/// Writes one frame to an asynchronous stream and flushes it.
///
/// # Errors
/// As [`write()`].
pub async fn send(writer: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    writer.write_all(&encode(message)?).await?;
    writer.flush().await
}

/// Reads frames from an asynchronous stream. Dropping [`next`](Frames::next) half way loses nothing.
#[derive(Debug)]
pub struct Frames<R> {
    reader: R,
    buffer: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new() }
    }

    /// Returns the next frame; `None` at the end of the stream.
    ///
    /// # Errors
    /// As [`read`].
    pub async fn next<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        loop {
            if let Some((length, rest)) = self.buffer.split_first_chunk::<4>() {
                let length = checked(*length)?;
                if let Some(body) = rest.get(..length) {
                    let message = decode(body)?;
                    self.buffer.drain(..4 + length);
                    return Ok(Some(message));
                }
                self.buffer.reserve((4 + length).saturating_sub(self.buffer.len()));
            }
            if self.reader.read_buf(&mut self.buffer).await? == 0 {
                return if self.buffer.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            }
        }
    }
}

fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = frame.len() - 4;
    if length > FRAME_BYTES {
        return Err(io::Error::other(format!("a message of {length} bytes is longer than {FRAME_BYTES}")));
    }
    let length = u32::try_from(length).map_err(io::Error::other)?;
    if let Some(head) = frame.first_chunk_mut::<4>() {
        *head = length.to_le_bytes();
    }
    Ok(frame)
}

fn checked(length: [u8; 4]) -> io::Result<usize> {
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
    if length > FRAME_BYTES {
        return Err(io::Error::other(format!("a frame of {length} bytes is longer than {FRAME_BYTES}")));
    }
    Ok(length)
}

fn decode<T: DeserializeOwned>(body: &[u8]) -> io::Result<T> {
    Ok(serde_json::from_slice(body)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let mut bytes = Vec::new();
        write(&mut bytes, &ToWorker::Ok(Value::from(1.0))).expect("a stream in memory");
        write(&mut bytes, &ToWorker::Cancel {}).expect("a stream in memory");
        assert!(bytes.starts_with(b"\x0a\0\0\0{\"ok\":1.0}"));
        let mut reader = bytes.as_slice();
        assert!(
            matches!(read::<ToWorker>(&mut reader).expect("a stream in memory"), Some(ToWorker::Ok(value)) if value.is_f64())
        );
        assert!(matches!(read::<ToWorker>(&mut reader).expect("a stream in memory"), Some(ToWorker::Cancel {})));
        assert!(read::<ToWorker>(&mut reader).expect("a stream in memory").is_none());
    }

    #[test]
    fn refuses_frames_that_are_too_long_cut_off_or_no_message() {
        let long = u32::MAX.to_le_bytes();
        assert!(read::<ToWorker>(&mut long.as_slice()).is_err());
        assert!(read::<ToWorker>(&mut [9, 0, 0, 0, b'{'].as_slice()).is_err());
        assert!(read::<ToWorker>(&mut [2, 0, 0, 0, b'{', b'}'].as_slice()).is_err());
        assert!(read::<ToWorker>(&mut [2, 0, 0, 0, 0xff, 0xff].as_slice()).is_err());
    }

    #[tokio::test]
    async fn frames_arrive_whole_from_pieces() {
        let mut bytes = Vec::new();
        write(&mut bytes, &FromWorker::Print { text: "é".repeat(100) }).expect("a stream in memory");
        write(&mut bytes, &FromWorker::End(End::Ok(Value::Null))).expect("a stream in memory");
        let pieces = bytes.chunks(7).map(|piece| Ok::<_, io::Error>(piece.to_vec()));
        let (mut writer, reader) = tokio::io::duplex(16);
        let pieces: Vec<_> = pieces.collect();
        tokio::spawn(async move {
            for piece in pieces {
                writer.write_all(&piece.expect("a stream in memory")).await.expect("a stream in memory");
            }
        });
        let mut frames = Frames::new(reader);
        assert!(
            matches!(frames.next().await.expect("a stream in memory"), Some(FromWorker::Print { text }) if text.len() == 200)
        );
        assert!(matches!(
            frames.next().await.expect("a stream in memory"),
            Some(FromWorker::End(End::Ok(Value::Null)))
        ));
        assert!(frames.next::<FromWorker>().await.expect("a stream in memory").is_none());
    }
}
