//! Arguments of a call: from JSON to refs, texts, numbers and options. Every `args::*` error is made here.

use std::time::Duration;

use serde_json::{Map, Value};

use super::expected::Takes;
use super::function::{Function, parameters};
use crate::error::{Error, Result};

/// The arguments of one call, with the row that says what they should be.
#[derive(Debug)]
pub struct Args {
    pub function: &'static Function,
    values: Vec<Value>,
}

/// The trailing options map of a call.
#[derive(Debug)]
pub struct Options {
    function: &'static Function,
    map: Map<String, Value>,
}

impl Args {
    /// Checks the number of arguments.
    ///
    /// # Errors
    /// `args::count`.
    pub fn new(function: &'static Function, values: Vec<Value>) -> Result<Self> {
        let (least, most) = function.arity;
        if values.len() < least || values.len() > most {
            return Err(Self { function, values }.wrong_count());
        }
        Ok(Self { function, values })
    }

    /// Returns `args::count` for the arguments as they are.
    pub fn wrong_count(&self) -> Error {
        Error::ArgsCount {
            function: self.function.name.into(),
            found: self.len(),
            takes: self.function.takes(),
            hint: None,
        }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn get(&self, index: usize) -> Option<&Value> {
        self.values.get(index)
    }

    /// Drops the first argument.
    pub fn shift(&mut self) {
        if !self.values.is_empty() {
            self.values.remove(0);
        }
    }

    pub fn take(&mut self, index: usize) -> Value {
        self.values.get_mut(index).map(Value::take).unwrap_or_default()
    }

    /// Returns whether the argument is a map that is no node.
    pub fn is_options(&self, index: usize) -> bool {
        matches!(self.get(index), Some(Value::Object(map)) if !map.contains_key("ref") || !map.contains_key("role"))
    }

    /// Returns the text of a ref: a string, or a node's `ref`.
    pub fn reference(&self, index: usize, parameter: &str) -> Result<String> {
        let value = self.get(index).unwrap_or(&Value::Null);
        reference_text(value).ok_or_else(|| self.wrong_type(parameter, value, Takes::Reference.expected()))
    }

    pub fn string(&self, index: usize, parameter: &str) -> Result<String> {
        match self.get(index) {
            Some(Value::String(text)) => Ok(text.clone()),
            other => Err(self.wrong_type(parameter, other.unwrap_or(&Value::Null), Takes::String.expected())),
        }
    }

    /// Returns a text that may be given as a number or a bool, as for `type` and `fill`.
    pub fn text(&self, index: usize, parameter: &str) -> Result<String> {
        let value = self.get(index).unwrap_or(&Value::Null);
        plain_text(value).ok_or_else(|| self.wrong_type(parameter, value, Takes::Text.expected()))
    }

    pub fn integer(&self, index: usize, parameter: &str) -> Result<i64> {
        let value = self.get(index).unwrap_or(&Value::Null);
        value.as_i64().ok_or_else(|| self.wrong_type(parameter, value, Takes::Integer.expected()))
    }

    /// Returns a time in milliseconds, whole or not.
    pub fn milliseconds(&self, index: usize, parameter: &str) -> Result<Duration> {
        let value = self.get(index).unwrap_or(&Value::Null);
        duration(value).ok_or_else(|| self.wrong_type(parameter, value, Takes::Milliseconds.expected()))
    }

    /// Takes the options map at `index`, or no options when there is no such argument.
    ///
    /// # Errors
    /// `args::type` when it is no map, `args::option` for a key that the function does not know.
    pub fn options(&self, index: usize) -> Result<Options> {
        let map = match self.get(index) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(map)) => map.clone(),
            Some(other) => return Err(self.wrong_type("options", other, Takes::Options.expected())),
        };
        let known: Vec<&str> = self.function.options.iter().map(|(name, _)| *name).collect();
        for key in map.keys() {
            if !known.contains(&key.as_str()) {
                return Err(Error::ArgsOption {
                    function: self.function.name.into(),
                    option: key.clone(),
                    suggestion: closest(key, &known).map(str::to_owned),
                    known: known.iter().map(|&name| name.to_owned()).collect(),
                });
            }
        }
        Ok(Options { function: self.function, map })
    }

    pub fn wrong_type(&self, parameter: &str, found: &Value, expected: &str) -> Error {
        Error::ArgsType {
            function: self.function.name.into(),
            parameter: parameter.into(),
            found: describe(found),
            expected: expected.into(),
            takes: self.function.takes(),
            hint: self.hint(parameter, found),
        }
    }

    /// Returns how the call is written for a value that people often pass here.
    fn hint(&self, parameter: &str, found: &Value) -> Option<String> {
        let name = self.function.name;
        if let Some(written) = self.written(parameter, found) {
            return Some(format!("write `{written}`"));
        }
        match (Takes::of(name, parameter)?, found) {
            (Takes::Reference, Value::Array(items)) if items.is_empty() => {
                Some("the list is empty: nothing matched; look at the page with `tree()`".into())
            }
            (Takes::Reference, Value::Array(_)) => {
                Some(format!("take one of the list, as in `{name}(list[0])`, or go through it with `for`"))
            }
            (Takes::Reference, Value::Null) => Some("look at what gave the ref: it gave nothing".into()),
            (_, Value::Object(_)) if name.starts_with("find") => {
                Some(format!("all of it stands in one map: `{name}(#{{role: …, name: …}})`"))
            }
            _ => None,
        }
    }

    /// Returns the form of the call with a value as the kind that the parameter takes.
    fn written(&self, parameter: &str, found: &Value) -> Option<String> {
        let takes = Takes::of(self.function.name, parameter)?;
        let written =
            takes.written(found).filter(|_| takes != Takes::Options || self.function.has_option("timeout"))?;
        let place = if takes == Takes::Options { "#{…}" } else { parameter };
        let mut forms = self.function.signatures.iter();
        forms.find(|form| parameters(form).len() == self.len()).map(|form| form.replace(place, &written))
    }

    pub fn wrong_value(&self, parameter: &str, found: &str, expected: &str) -> Error {
        Error::ArgsValue {
            function: self.function.name.into(),
            parameter: parameter.into(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

impl Options {
    /// Returns an option that is given and not `()`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    pub fn string(&self, name: &str) -> Result<Option<String>> {
        self.read(name, Takes::String.expected(), |value| value.as_str().map(str::to_owned))
    }

    /// Returns a text that may be given as a number or a bool.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        self.read(name, Takes::Text.expected(), plain_text)
    }

    pub fn reference(&self, name: &str) -> Result<Option<String>> {
        self.read(name, Takes::Reference.expected(), reference_text)
    }

    pub fn bool(&self, name: &str) -> Result<Option<bool>> {
        self.read(name, Takes::Flag.expected(), Value::as_bool)
    }

    pub fn count(&self, name: &str) -> Result<Option<usize>> {
        let whole = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
        self.read(name, Takes::Count.expected(), whole)
    }

    pub fn milliseconds(&self, name: &str) -> Result<Option<Duration>> {
        self.read(name, Takes::Milliseconds.expected(), duration)
    }

    /// Returns one of the allowed words.
    pub fn word(&self, name: &str, allowed: &[&'static str]) -> Result<Option<&'static str>> {
        let Some(text) = self.string(name)? else { return Ok(None) };
        match allowed.iter().find(|word| **word == text) {
            Some(word) => Ok(Some(word)),
            None => Err(Error::ArgsValue {
                function: self.function.name.into(),
                parameter: name.into(),
                found: crate::script::own(&text),
                expected: one_of(allowed),
            }),
        }
    }

    fn read<T>(&self, name: &str, expected: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(Error::ArgsType {
                function: self.function.name.into(),
                parameter: name.into(),
                found: describe(value),
                expected: expected.into(),
                takes: self.function.takes(),
                hint: None,
            }),
        }
    }
}

/// Returns `"a", "b" or "c"`.
pub fn one_of(allowed: &[&str]) -> String {
    let quoted: Vec<String> = allowed.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}

/// Returns the known word that a misspelt one most likely meant.
pub fn closest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|&candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 2.max(candidate.len() / 3) && *distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

fn reference_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => map.get("ref")?.as_str().map(str::to_owned),
        _ => None,
    }
}

fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn duration(value: &Value) -> Option<Duration> {
    let milliseconds = value.as_f64().filter(|number| number.is_finite() && *number >= 0.0)?;
    // A longer wait than a year is a mistake in the script, and would overflow the clock.
    Duration::try_from_secs_f64(milliseconds.min(3.2e10) / 1000.0).ok()
}

/// Describes a value for a message: its type, and the value where that is short.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "`()`".into(),
        Value::Bool(flag) => format!("the bool `{flag}`"),
        Value::Number(number) => format!("the number `{number}`"),
        Value::String(text) if text.chars().count() <= 40 => format!("the string {}", crate::script::own(text)),
        Value::String(_) => "a string".into(),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(map) if map.contains_key("ref") && map.contains_key("role") => "a node".into(),
        Value::Object(_) => "a map".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_close_words_only() {
        assert_eq!(closest("timout", &["timeout", "button"]), Some("timeout"));
        assert_eq!(closest("xyz", &["timeout", "button"]), None);
        assert_eq!(closest("cont", &["count", "button"]), Some("count"));
    }

    #[test]
    fn times_are_finite_and_not_negative() {
        assert_eq!(duration(&Value::from(1.5)), Some(Duration::from_micros(1500)));
        assert_eq!(duration(&Value::from(-1)), None);
        assert!(duration(&Value::from(9e300)).is_some());
        assert_eq!(duration(&Value::from("1")), None);
    }

    #[test]
    fn lists_words_as_people_do() {
        assert_eq!(one_of(&["a"]), "\"a\"");
        assert_eq!(one_of(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
    }
}
