//! The number that names an element for scripts.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A ref: `ref_12`. Counted upwards from 1 in each session and never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(pub u32);

impl fmt::Display for Ref {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ref_{}", self.0)
    }
}

impl Serialize for Ref {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Ref {
    type Err = NotARef;

    /// Reads `ref_N` as printed: no sign, no leading zero, no blanks.
    fn from_str(text: &str) -> Result<Self, NotARef> {
        let digits = text.strip_prefix("ref_").ok_or(NotARef)?;
        if digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotARef);
        }
        digits.parse().map(Self).map_err(|_| NotARef)
    }
}

/// The text does not have the form `ref_N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotARef;

#[cfg(test)]
mod tests {
    use super::{NotARef, Ref};

    #[test]
    fn reads_what_it_prints_and_nothing_else() {
        assert_eq!("ref_12".parse(), Ok(Ref(12)));
        assert_eq!(Ref(12).to_string(), "ref_12");
        for text in ["ref_", "ref_0", "ref_012", "ref_+1", "ref_1 ", "Ref_1", "12", "ref_99999999999"] {
            assert_eq!(text.parse::<Ref>(), Err(NotARef), "{text}");
        }
    }
}
