//! What each parameter and option takes, by its name in the signatures. The bodies of the rows word their errors with
//! it, and a script is checked by it before it runs.

use serde_json::Value;

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
            (_, "cond" | "value" | "row" | "otherwise" | "option" | "[options]" | "id" | "fields") => Self::Anything,
            _ => return None,
        })
    }

    /// Returns what an option takes; `None` where several kinds will do.
    pub fn of_option(option: &str) -> Option<Self> {
        Some(match option {
            "timeout" | "delay" => Self::Milliseconds,
            "force" | "submit" | "exact" | "frames" | "gone" => Self::Flag,
            "count" | "nth" | "max_depth" => Self::Count,
            "role" | "url" | "frame" | "filter" | "wait" | "button" => Self::String,
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
            Self::Anything => true,
        }
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
    fn tells_kinds_apart() {
        assert!(Takes::Reference.fits(&json!({"ref": "ref_1"})) && !Takes::Reference.fits(&json!(12)));
        assert!(Takes::Text.fits(&json!(1.5)) && !Takes::Text.fits(&json!([])));
        assert!(Takes::Milliseconds.fits(&json!(0.5)) && !Takes::Milliseconds.fits(&json!(-1)));
        assert!(Takes::Count.fits(&json!(0)) && !Takes::Count.fits(&json!(1.0)));
    }
}
