//! Samples of the errors that tell where on the page something was looked for.

use super::{Sample, near};
use crate::error::{Error, Nearest, StaleCause};
use crate::reference::Ref;

pub(super) fn none(wanted: String, role: Option<String>, nearest: Vec<Nearest>) -> Error {
    let looked = "on \"http://shop.test/cart\"".to_owned();
    Error::FindNone { wanted, looked, waited_ms: 5000, role, nth: None, matches: 0, elsewhere: false, nearest }
}

pub(super) fn samples() -> Vec<Sample> {
    let s = |text: &str| text.to_owned();
    vec![
        Sample(
            Error::RefStale {
                reference: Ref(12),
                was: s("textbox \"Card number\""),
                cause: StaleCause::DocumentReplaced,
                by: Some(s("sleep(500)")),
                frame: Some(s("frame_2")),
                nearest: Vec::new(),
                minted: None,
            },
            "fill(\"ref_12\", \"4242\")",
            "fill(\"ref_12\", \"4242\")",
            "\"ref_12\"",
        ),
        Sample(
            Error::FindNone {
                wanted: s("button \"Delete\""),
                looked: s("within list \"Cart\" `ref_7`"),
                waited_ms: 5000,
                role: None,
                nth: Some(4),
                matches: 2,
                elsewhere: false,
                nearest: near(),
            },
            "find(#{role: \"button\", name: \"Delete\", within: cart, nth: 4})",
            "find(#{role: \"button\", name: \"Delete\", within: cart, nth: 4})",
            "4",
        ),
        Sample(
            Error::FindNone {
                wanted: s("button \"Pay\""),
                looked: s("in frame_2 (\"https://pay.test/card\")"),
                waited_ms: 5000,
                role: None,
                nth: None,
                matches: 0,
                elsewhere: true,
                nearest: near(),
            },
            "find(#{name: \"Pay\", frame: \"frame_2\"})",
            "find(#{name: \"Pay\", frame: \"frame_2\"})",
            "\"frame_2\"",
        ),
    ]
}
