//! What each parameter and option takes, by its name in the signatures. The bodies of the rows word their errors with
//! it, and a script is checked by it before it runs.

use std::time::Duration;

use serde_json::Value;

use super::args::one_of;
use super::function::Function;
use crate::act::keys::{self, Chord};
use crate::act::mouse::Button;
use crate::error::Error;
use crate::page::find::role;
use crate::page::role_words::meant_role;
use crate::reference::Ref;
use crate::script::own;

/// The words of `filter`.
pub const FILTERS: [&str; 3] = ["all", "visible", "interactive"];

/// The words of `wait`.
pub const WAITS: [&str; 3] = ["load", "dom", "none"];

/// The words of `policy`.
pub const POLICIES: [&str; 3] = ["accept", "dismiss", "fail"];

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A ref, or a node.
    Reference,
    String,
    /// A text that may be given as a number or a bool.
    Text,
    Milliseconds,
    /// 0 or more.
    Count,
    Integer,
    Flag,
    /// The trailing map.
    Options,
    /// What a control function runs.
    Closure,
    Anything,
}

impl Takes {
    /// Returns what a parameter takes; `None` for a name that no signature has.
    pub fn of(function: &str, parameter: &str) -> Option<Self> {
        Some(match (function, parameter) {
            (_, "ref" | "host") => Self::Reference,
            ("find" | "find_all", "name") | (_, "text" | "message") => Self::Text,
            (_, "role" | "name" | "css" | "code" | "url" | "keys" | "policy") => Self::String,
            (_, "ms") => Self::Milliseconds,
            (_, "n") => Self::Integer,
            (_, "options") => Self::Options,
            (_, "|| …") => Self::Closure,
            (_, "e" | "cond" | "value" | "row" | "otherwise" | "option" | "[options]" | "id" | "fields") => {
                Self::Anything
            }
            _ => return None,
        })
    }

    /// Returns what an option takes; `None` where several kinds will do.
    pub fn of_option(option: &str) -> Option<Self> {
        Some(match option {
            "timeout" | "delay" => Self::Milliseconds,
            "force" | "submit" | "exact" | "frames" | "gone" | "diff" => Self::Flag,
            "count" | "nth" | "max_depth" | "max_chars" | "page" => Self::Count,
            "role" | "url" | "frame" | "filter" | "wait" | "button" | "snapshot" => Self::String,
            "name" | "text" | "value" => Self::Text,
            "ref" | "within" => Self::Reference,
            _ => return None,
        })
    }

    /// Returns what messages say is expected.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Reference => "a ref such as \"ref_12\", or a node",
            Self::String => "a string",
            Self::Text => "a string, number or bool",
            Self::Milliseconds => "a number of milliseconds, 0 or more",
            Self::Count => "a whole number, 0 or more",
            Self::Integer => "a whole number",
            Self::Flag => "true or false",
            Self::Options => "an options map `#{…}`",
            Self::Closure => "a closure: `|| …`",
            Self::Anything => "a value",
        }
    }

    /// Returns whether a value is of this kind.
    pub fn fits(self, value: &Value) -> bool {
        match self {
            Self::Reference => value.is_string() || value.is_object(),
            Self::String => value.is_string(),
            Self::Text => value.is_string() || value.is_number() || value.is_boolean(),
            Self::Milliseconds => value.as_f64().is_some_and(|number| number >= 0.0),
            Self::Count => value.is_u64(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Flag => value.is_boolean(),
            Self::Options => value.is_object() || value.is_null(),
            Self::Closure => false,
            Self::Anything => true,
        }
    }

    /// Returns how a value of another kind is written as one of this kind, where it is clear what was meant.
    pub fn written(self, found: &Value) -> Option<String> {
        match (self, found) {
            (Self::Milliseconds, Value::String(text)) => milliseconds(text).map(|ms| ms.to_string()),
            (Self::Count, Value::String(text)) => text.trim().parse::<u64>().ok().map(|count| count.to_string()),
            (Self::Integer, Value::String(text)) => text.trim().parse::<i64>().ok().map(|number| number.to_string()),
            (Self::Flag, Value::String(text)) => text.trim().parse::<bool>().ok().map(|flag| flag.to_string()),
            // A number where options go is a time in every other tool.
            (Self::Options, Value::Number(number)) => Some(format!("#{{timeout: {number}}}")),
            _ => None,
        }
    }
}

/// Reads a time that is written with its unit, such as `5s`, `500 ms` or `1.5 min`.
fn milliseconds(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit = text.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    let factor = match unit.trim().to_lowercase().as_str() {
        "" | "ms" | "millis" | "milliseconds" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1000.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
        _ => return None,
    };
    let amount: f64 = text.strip_suffix(unit)?.parse().ok()?;
    let whole = Duration::try_from_secs_f64(amount * factor / 1000.0).ok()?;
    u64::try_from(whole.as_millis()).ok()
}

/// Reads a key, alone or with modifiers. One that is joined with other signs than `+` is told as it is written.
///
/// # Errors
/// `args::value`.
pub fn chord(keys: &str) -> Result<Chord, Error> {
    keys::parse(keys).map_err(|error| match joined(keys) {
        Some(written) => Error::ArgsValue {
            function: "press".into(),
            parameter: "keys".into(),
            found: own(keys),
            expected: format!("\"{written}\""),
        },
        None => error,
    })
}

/// Returns `Control+A` for `Control A`, `Control-A` and `Control + A`.
pub fn joined(keys: &str) -> Option<String> {
    let is_between = |character: char| character.is_whitespace() || matches!(character, '-' | '+');
    let words: Vec<&str> = keys.split(is_between).filter(|word| !word.is_empty()).collect();
    let written = words.join("+");
    (words.len() > 1 && written != keys && keys::parse(&written).is_ok()).then_some(written)
}

/// Reads the keys of `press(ref, keys)`, where a text most likely was to be typed.
///
/// # Errors
/// `args::value`.
pub fn chord_on_element(keys: &str) -> Result<Chord, Error> {
    chord(keys).map_err(|error| match error {
        Error::ArgsValue { function, parameter, found, expected } if joined(keys).is_none() => {
            let expected = format!("{expected}; to write a text, use `type(ref, text)`");
            Error::ArgsValue { function, parameter, found, expected }
        }
        other => other,
    })
}

/// Returns what is wrong with a word where only those of a closed list will do.
pub fn wrong_word(function: &str, parameter: &str, word: &str) -> Option<Error> {
    let listed = |words: &[&str]| {
        let value = || Error::ArgsValue {
            function: function.to_owned(),
            parameter: parameter.to_owned(),
            found: own(word),
            expected: one_of(words),
        };
        (!words.contains(&word)).then(value)
    };
    match parameter {
        "role" => known_role(word).err(),
        "keys" => chord(word).err(),
        "policy" => listed(&POLICIES),
        "button" => listed(&Button::WORDS),
        "filter" => listed(&FILTERS),
        "frame" if word.parse::<Ref>().is_ok() => {
            super::table::function(function).map(|row| ref_as_frame(row, &format!("\"{word}\"")))
        }
        "wait" => listed(&WAITS),
        _ => None,
    }
}

/// Says that a ref stands where the label of a frame belongs; `written` is how the script writes the ref.
pub fn ref_as_frame(row: &Function, written: &str) -> Error {
    let option = if row.has_option("within") { "within" } else { "ref" };
    Error::ArgsValue {
        function: row.name.to_owned(),
        parameter: "frame".to_owned(),
        found: "a ref".to_owned(),
        expected: format!("a `frame` of `frames()` such as \"frame_2\", or `{option}: {written}` in its place"),
    }
}

/// Checks the word of a role, which else would match nothing without a word.
///
/// # Errors
/// `args::value` with the role that was most likely meant.
pub fn known_role(word: &str) -> Result<(), Error> {
    match role(word) {
        Some(_) => Ok(()),
        None => Err(Error::RoleUnknown { suggestion: meant_role(word).map(str::to_owned), role: word.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::function::Effect;
    use crate::host::table;

    #[test]
    fn every_parameter_of_the_table_is_known() {
        for row in table::functions().filter(|row| row.effect != Effect::Engine) {
            for signature in row.signatures {
                for parameter in crate::host::function::parameters(signature) {
                    assert!(Takes::of(row.name, &parameter).is_some(), "`{parameter}` of {signature}");
                }
            }
        }
    }

    #[test]
    fn words_of_closed_lists_are_known() {
        for (function, parameter, word, expected) in [
            ("find", "role", "buton", "there is no role \"buton\""),
            ("press", "keys", "Entr", "expected `Enter` in place of `Entr`"),
            ("tree", "filter", "al", "expected \"all\", \"visible\" or \"interactive\""),
            ("on_dialog", "policy", "acept", "expected \"accept\", \"dismiss\" or \"fail\""),
        ] {
            let error = wrong_word(function, parameter, word).map(|error| error.to_string());
            assert!(error.as_deref().is_some_and(|error| error.contains(expected)), "{error:?}");
        }
        for (parameter, word) in [("role", "button"), ("keys", "Control+A"), ("wait", "dom"), ("name", "x")] {
            assert_eq!(wrong_word("f", parameter, word), None);
        }
    }

    #[test]
    fn what_was_meant_is_written_in_its_kind() {
        for (takes, found, written) in [
            (Takes::Milliseconds, json!("5s"), Some("5000")),
            (Takes::Milliseconds, json!("1.5 min"), Some("90000")),
            (Takes::Milliseconds, json!("250"), Some("250")),
            (Takes::Milliseconds, json!("soon"), None),
            (Takes::Integer, json!("3"), Some("3")),
            (Takes::Flag, json!("true"), Some("true")),
            (Takes::Options, json!(5000), Some("#{timeout: 5000}")),
            (Takes::Text, json!([]), None),
        ] {
            assert_eq!(takes.written(&found).as_deref(), written, "{found}");
        }
    }

    #[test]
    fn keys_are_joined_with_a_plus() {
        for (keys, written) in [
            ("Control A", Some("Control+A")),
            ("Ctrl-A", Some("Ctrl+A")),
            ("Ctrl + Shift + K", Some("Ctrl+Shift+K")),
            ("ctrl+a", None),
            ("Ann Lee", None),
        ] {
            assert_eq!(joined(keys).as_deref(), written, "{keys}");
        }
        let told = |keys: &str| chord_on_element(keys).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told("Ann").ends_with("; to write a text, use `type(ref, text)`"), "{}", told("Ann"));
        assert!(told("Ctrl-A").ends_with("is \"Ctrl-A\", expected \"Ctrl+A\""), "{}", told("Ctrl-A"));
        assert_eq!(told("Control+A"), "");
    }

    #[test]
    fn tells_kinds_apart() {
        assert!(Takes::Reference.fits(&json!({"ref": "ref_1"})) && !Takes::Reference.fits(&json!(12)));
        assert!(Takes::Text.fits(&json!(1.5)) && !Takes::Text.fits(&json!([])));
        assert!(Takes::Milliseconds.fits(&json!(0.5)) && !Takes::Milliseconds.fits(&json!(-1)));
        assert!(Takes::Count.fits(&json!(0)) && !Takes::Count.fits(&json!(1.0)));
    }
}
