//! The mark that tells a tree from other maps on its way between host and engine. It stays inside: neither rows nor
//! outcomes nor printed text show it.

use serde_json::Value;

const TREE: &str = "$tree";

/// Returns the text of a tree; `None` for every other value.
pub fn tree_text(value: &Value) -> Option<&str> {
    let map = value.as_object().filter(|map| map.get(TREE) == Some(&Value::Bool(true)))?;
    map.get("text")?.as_str()
}

/// Returns the value without the marks of the trees in it.
pub fn unmarked(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(unmarked).collect(),
        Value::Object(mut map) => {
            if map.get(TREE) == Some(&Value::Bool(true)) {
                map.shift_remove(TREE);
            }
            Value::Object(map.into_iter().map(|(key, value)| (key, unmarked(value))).collect())
        }
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{tree_text, unmarked};

    #[test]
    fn trees_are_told_apart_and_lose_their_mark() {
        let tree = json!({"$tree": true, "text": "main \"\" [ref_1]", "truncated": false});
        assert_eq!(tree_text(&tree), Some("main \"\" [ref_1]"));
        assert_eq!(tree_text(&json!({"text": "x"})), None);
        let plain = json!({"text": "main \"\" [ref_1]", "truncated": false});
        assert_eq!(unmarked(json!([tree, {"a": tree}])), json!([plain, {"a": plain}]));
        assert_eq!(unmarked(json!({"$tree": 1})), json!({"$tree": 1}));
    }
}
