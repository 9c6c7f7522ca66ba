//! The pictures that people send for a cover. They are looked at while they arrive and not kept.

use axum::body::Body;
use futures_util::StreamExt;

/// The largest picture that is taken, in bytes.
const LARGEST: usize = 2 * 1024 * 1024;

/// What is read of a picture that is too large, so that the browser gets an answer instead of a broken connection.
const READ: usize = 8 * LARGEST;

/// The longest name that is repeated, in letters.
const NAME: usize = 80;

/// How the formats begin. The first bytes of WebP are the size of the file between two marks.
const JPEG: &[u8] = b"\xff\xd8\xff";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const HEAD: usize = 12;

/// A picture as it arrived.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub kind: &'static str,
    pub bytes: usize,
}

/// Why a picture was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    TooLarge,
    NoPicture,
    Broken,
}

impl Picture {
    /// Reads a picture up to its end or the limit.
    pub async fn read(body: Body) -> Result<Self, Refused> {
        let mut chunks = body.into_data_stream();
        let mut head = Vec::with_capacity(HEAD);
        let mut bytes = 0;
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| Refused::Broken)?;
            let missing = HEAD - head.len();
            head.extend(chunk.iter().take(missing));
            bytes += chunk.len();
            if bytes > READ {
                return Err(Refused::TooLarge);
            }
        }
        if bytes > LARGEST {
            return Err(Refused::TooLarge);
        }
        let kind = kind(&head).ok_or(Refused::NoPicture)?;
        Ok(Self { kind, bytes })
    }
}

/// Tells the format by the first bytes; the name and the type that the browser names may say anything.
fn kind(head: &[u8]) -> Option<&'static str> {
    match head {
        _ if head.starts_with(PNG) => Some("PNG"),
        _ if head.starts_with(JPEG) => Some("JPEG"),
        _ if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") => Some("GIF"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => Some("WebP"),
        _ => None,
    }
}

/// Returns the name of a file without folders and without what could confuse a reader.
pub(super) fn shown_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = last.chars().filter(|letter| !letter.is_control()).take(NAME).collect();
    if shown.trim().is_empty() { "your picture".into() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: Vec<u8>) -> Result<Picture, Refused> {
        Picture::read(Body::from(bytes)).await
    }

    #[tokio::test]
    async fn the_first_bytes_tell_the_kind() {
        for (head, kind) in [(PNG, "PNG"), (JPEG, "JPEG"), (b"GIF89a", "GIF"), (b"RIFF\0\0\0\0WEBP", "WebP")] {
            assert_eq!(read([head, &[7; 30]].concat()).await, Ok(Picture { kind, bytes: head.len() + 30 }));
        }
        for head in [&b""[..], b"\x89", b"<svg xmlns", b"RIFF\0\0\0\0WAVE"] {
            assert_eq!(read(head.to_vec()).await, Err(Refused::NoPicture));
        }
    }

    #[tokio::test]
    async fn a_picture_above_the_limit_is_refused() {
        assert!(read([PNG, &vec![0; LARGEST - PNG.len()]].concat()).await.is_ok());
        assert_eq!(read([PNG, &vec![0; LARGEST]].concat()).await, Err(Refused::TooLarge));
        assert_eq!(read(vec![0; READ + 1]).await, Err(Refused::TooLarge));
    }

    #[test]
    fn names_are_shown_without_folders_and_control_characters() {
        assert_eq!(shown_name("C:\\photos\\sea.png"), "sea.png");
        assert_eq!(shown_name("../\u{7}a.jpg"), "a.jpg");
        assert_eq!(shown_name("photos/"), "your picture");
        assert_eq!(shown_name(&"x".repeat(500)).len(), NAME);
    }
}
