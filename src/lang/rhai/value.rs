//! Values across the border: Rhai's `Dynamic` and JSON. Host functions take and give JSON only.

use rhai::{Array, Dynamic, ImmutableString, Map as RhaiMap};
use serde_json::{Map, Number, Value};

use super::tree::{Nodes, Tree};

/// Why a value can't be passed to the host: what it is, and what would do.
#[derive(Debug, PartialEq, Eq)]
pub struct Unfit {
    pub found: String,
    pub expected: &'static str,
}

const PLAIN: &str = "text, a number, true, false, (), an array or a map";

/// The deepest nesting that crosses the border; JSON readers give up at 128.
const DEPTH: usize = 100;

/// Converts an argument of a host function.
///
/// # Errors
/// What has no JSON form: closures, ranges, blobs, timestamps, `NaN` and infinities; also what is nested too deep.
pub fn argument(value: &Dynamic) -> Result<Value, Unfit> {
    nested(value, DEPTH)
}

fn nested(value: &Dynamic, depth: usize) -> Result<Value, Unfit> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Unfit { found: format!("nested deeper than {DEPTH}"), expected: "a flatter value" });
    };
    if let Some(list) = value.read_lock::<Array>() {
        return list.iter().map(|item| nested(item, depth)).collect::<Result<_, _>>().map(Value::Array);
    }
    if let Some(map) = value.read_lock::<RhaiMap>() {
        let entries = map.iter().map(|(key, value)| Ok((key.to_string(), nested(value, depth)?)));
        return entries.collect::<Result<Map<_, _>, _>>().map(Value::Object);
    }
    if let Some(plain) = plain(value) {
        return Ok(plain);
    }
    if let Ok(number) = value.as_float() {
        return Err(Unfit { found: number.to_string(), expected: "a finite number" });
    }
    Err(Unfit { found: describe(value), expected: PLAIN })
}

/// Converts what leaves the script at its end: what has no JSON form becomes its text.
pub fn result(value: &Dynamic) -> Value {
    shown(value, DEPTH)
}

fn shown(value: &Dynamic, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::String("…".into()) };
    if let Some(list) = value.read_lock::<Array>() {
        return list.iter().map(|item| shown(item, depth)).collect();
    }
    if let Some(map) = value.read_lock::<RhaiMap>() {
        return Value::Object(map.iter().map(|(key, value)| (key.to_string(), shown(value, depth))).collect());
    }
    plain(value).unwrap_or_else(|| Value::String(value.to_string()))
}

fn plain(value: &Dynamic) -> Option<Value> {
    if value.is_unit() {
        return Some(Value::Null);
    }
    if let Ok(flag) = value.as_bool() {
        return Some(flag.into());
    }
    if let Ok(number) = value.as_int() {
        return Some(number.into());
    }
    if let Ok(number) = value.as_float() {
        return Number::from_f64(number).map(Value::Number);
    }
    if let Ok(character) = value.as_char() {
        return Some(character.to_string().into());
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Some(text.as_str().into());
    }
    if let Some(tree) = value.read_lock::<Tree>() {
        return Some(Value::Object(tree.fields().clone()));
    }
    value.read_lock::<Nodes>().map(|nodes| Value::String(nodes.to_string()))
}

/// Converts a result of the host.
pub fn dynamic(value: Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(flag) => flag.into(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap_or(f64::MAX).into(),
        },
        Value::String(text) => text.into(),
        Value::Array(items) => Dynamic::from_array(items.into_iter().map(dynamic).collect()),
        Value::Object(entries) => map(entries),
    }
}

/// Converts a JSON object.
pub fn map(entries: Map<String, Value>) -> Dynamic {
    Dynamic::from_map(entries.into_iter().map(|(key, value)| (key.into(), dynamic(value))).collect())
}

/// Returns what a value is, as messages say it: `a closure`, `an array of 3`.
pub fn describe(value: &Dynamic) -> String {
    if let Some(list) = value.read_lock::<Array>() {
        return format!("an array of {}", list.len());
    }
    match value.type_name() {
        "()" => "()".into(),
        "i64" => format!("the int {value}"),
        "f64" => format!("the float {value}"),
        "bool" => format!("the bool {value}"),
        "string" => "text".into(),
        "char" => "a character".into(),
        "map" => "a map".into(),
        "Fn" => "a closure".into(),
        "timestamp" => "a timestamp".into(),
        "blob" => "a blob".into(),
        name if name.contains("range") || name.contains("Range") => "a range".into(),
        name => format!("a {}", plain_type(name)),
    }
}

/// Returns Rhai's name of a type in a form for people.
pub fn plain_type(name: &str) -> &str {
    match name.trim().trim_start_matches("&mut ") {
        "i64" => "int",
        "f64" => "float",
        "&str" | "&str | ImmutableString | String" | "String" | "ImmutableString" | "immutable_string" => "string",
        "Fn" | "FnPtr" => "closure",
        "?" | "Dynamic" => "any",
        other => other.rsplit("::").next().unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_both_ways() {
        let json = serde_json::json!({"a": [1, 2.0, "x", null, true], "b": {"c": -1}});
        let value = dynamic(json.clone());
        assert_eq!(argument(&value), Ok(json));
        assert!(dynamic(Value::from(2.0)).is_float());
        assert!(dynamic(Value::from(u64::MAX)).is_float());
    }

    #[test]
    fn refuses_what_json_lacks_as_an_argument() {
        let closure = Dynamic::from(rhai::FnPtr::new("f").expect("a name of a function"));
        let list = Dynamic::from_array(vec![closure.clone()]);
        assert_eq!(argument(&list).unwrap_err().found, "a closure");
        assert_eq!(argument(&f64::NAN.into()).unwrap_err().expected, "a finite number");
        assert!(argument(&Dynamic::from(0..5_i64)).unwrap_err().found.contains("range"));
        assert!(result(&closure).is_string());
    }
}
