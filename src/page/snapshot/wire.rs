//! The reply of `DOMSnapshot.captureSnapshot` as it stands on the wire: indices into one string table, lists
//! of lists flattened while reading, no text copied twice.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

/// Longest data URI that is kept; longer ones are cut, since nobody reads pictures as text.
const DATA_URI_CAP: usize = 120;

#[derive(Deserialize)]
pub(super) struct Reply {
    pub documents: Vec<Document>,
    pub strings: Strings,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    #[serde(rename = "documentURL", default = "none")]
    pub url: i32,
    #[serde(default = "none")]
    pub title: i32,
    pub frame_id: i32,
    pub nodes: Nodes,
    pub layout: Layout,
    #[serde(default)]
    pub scroll_offset_x: f64,
    #[serde(default)]
    pub scroll_offset_y: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct Nodes {
    pub parent_index: Vec<i32>,
    pub node_type: Vec<u8>,
    pub shadow_root_type: Sparse,
    pub node_name: Vec<i32>,
    pub node_value: Vec<i32>,
    pub backend_node_id: Vec<i64>,
    pub attributes: Lists<i32>,
    pub text_value: Sparse,
    pub input_value: Sparse,
    pub input_checked: Sparse,
    pub option_selected: Sparse,
    pub content_document_index: Sparse,
    pub pseudo_type: Sparse,
    pub is_clickable: Sparse,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct Layout {
    pub node_index: Vec<u32>,
    pub styles: Lists<i32>,
    pub bounds: Lists<f64>,
    pub text: Vec<i32>,
    pub paint_orders: Vec<u32>,
}

/// A property that few nodes have: the nodes, and the values where it has any.
#[derive(Deserialize, Default)]
pub(super) struct Sparse {
    pub index: Vec<u32>,
    #[serde(default)]
    pub value: Vec<i32>,
}

impl Sparse {
    pub fn pairs(&self) -> impl Iterator<Item = (u32, i32)> + '_ {
        self.index.iter().copied().zip(self.value.iter().copied())
    }
}

fn none() -> i32 {
    -1
}

/// A list of lists, end to end.
#[derive(Debug, Default)]
pub(super) struct Lists<T> {
    pub flat: Vec<T>,
    pub ends: Vec<u32>,
}

impl<T> Lists<T> {
    pub fn get(&self, at: usize) -> &[T] {
        let end = self.ends.get(at).map_or(0, |&end| end as usize);
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize);
        self.flat.get(start..end).unwrap_or(&[])
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lists<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Outer<T>(std::marker::PhantomData<T>);
        struct Inner<'a, T>(&'a mut Vec<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Outer<T> {
            type Value = Lists<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of lists")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut lists: A) -> Result<Lists<T>, A::Error> {
                let mut out = Lists { flat: Vec::new(), ends: Vec::new() };
                while lists.next_element_seed(Inner(&mut out.flat))?.is_some() {
                    out.ends.push(u32::try_from(out.flat.len()).unwrap_or(u32::MAX));
                }
                Ok(out)
            }
        }

        impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Inner<'_, T> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.deserialize_seq(self)
            }
        }

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Inner<'_, T> {
            type Value = ();

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
                while let Some(value) = list.next_element()? {
                    self.0.push(value);
                }
                Ok(())
            }
        }

        deserializer.deserialize_seq(Outer(std::marker::PhantomData))
    }
}

/// The string table, end to end in one buffer.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a string; the empty one for an index that is not there, as -1 is.
    pub fn get(&self, at: u32) -> &str {
        let at = at as usize;
        let Some(&end) = self.ends.get(at) else { return "" };
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    pub fn push(&mut self, text: &str) {
        let kept = if text.len() > DATA_URI_CAP && text.starts_with("data:") {
            text.get(..DATA_URI_CAP).unwrap_or("data:")
        } else {
            text
        };
        self.text.push_str(kept);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    /// Adds another table; returns the number to add to its indices.
    pub fn append(&mut self, other: &Self) -> u32 {
        let shift = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        let base = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| end.saturating_add(base)));
        shift
    }

    /// Returns the table with only the strings for which `keep` holds; the others become empty.
    pub fn retain(&self, keep: &[bool]) -> Self {
        let mut out = Self { text: String::with_capacity(self.text.len()), ends: Vec::with_capacity(self.ends.len()) };
        for (at, &keep) in (0_u32..).zip(keep) {
            out.push(if keep { self.get(at) } else { "" });
        }
        out
    }
}

impl<'de> Deserialize<'de> for Strings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Table;
        struct Entry<'a>(&'a mut Strings);

        impl<'de> Visitor<'de> for Table {
            type Value = Strings;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of strings")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Strings, A::Error> {
                let mut out = Strings::default();
                while entries.next_element_seed(Entry(&mut out))?.is_some() {}
                Ok(out)
            }
        }

        impl<'de> DeserializeSeed<'de> for Entry<'_> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                deserializer.deserialize_str(self)
            }
        }

        impl Visitor<'_> for Entry<'_> {
            type Value = ();

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<(), E> {
                self.0.push(text);
                Ok(())
            }
        }

        deserializer.deserialize_seq(Table)
    }
}

/// Reads a reply.
///
/// # Errors
/// Says what is wrong with the JSON.
pub(super) fn read(json: &str) -> Result<Reply, String> {
    // A reply may be the whole command result or hold more keys than are known.
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_flattened_and_strings_shared() {
        let lists: Lists<i32> = serde_json::from_str("[[],[1,2],[],[3]]").unwrap();
        assert_eq!(lists.get(0), &[] as &[i32]);
        assert_eq!(lists.get(1), &[1, 2]);
        assert_eq!(lists.get(3), &[3]);
        let strings: Strings = serde_json::from_str(r#"["a","","ä\nb"]"#).unwrap();
        assert_eq!((strings.get(0), strings.get(1), strings.get(2), strings.get(u32::MAX)), ("a", "", "ä\nb", ""));
    }

    #[test]
    fn retain_forgets_the_rest() {
        let strings: Strings = serde_json::from_str(r#"["keep","secret","too"]"#).unwrap();
        let kept = strings.retain(&[true, false, true]);
        assert_eq!((kept.get(0), kept.get(1), kept.get(2)), ("keep", "", "too"));
        assert!(!kept.text.contains("secret"));
    }
}
