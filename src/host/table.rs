//! Every function that scripts can call, in the order of the reference. No bodies.

mod acting;
mod engine;
mod reading;
mod running;
mod travelling;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::function::Function;

/// The rows, by topic.
static ROWS: [&[Function]; 5] = [reading::ROWS, acting::ROWS, travelling::ROWS, running::ROWS, engine::ROWS];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Function>> =
    LazyLock::new(|| functions().map(|function| (function.name, function)).collect());

/// Returns all rows in documentation order, those that only engines use last.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    ROWS.iter().flat_map(|rows| rows.iter())
}

pub fn function(name: &str) -> Option<&'static Function> {
    BY_NAME.get(name).copied()
}

/// Makes one row.
macro_rules! row {
    ($effect:ident, $topic:ident, $name:literal, $signatures:expr, $arity:expr, $options:expr, $body:path, $doc:literal, $example:literal) => {
        $crate::host::function::Function {
            name: $name,
            signatures: &$signatures,
            arity: $arity,
            options: &$options,
            effect: $crate::host::function::Effect::$effect,
            topic: $crate::host::function::Topic::$topic,
            doc: $doc,
            example: $example,
            body: |host, args, budget| Box::pin($body(host, args, budget)),
        }
    };
}
use row;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::functions;
    use crate::host::function::Effect;

    #[test]
    fn rows_are_complete_and_unique() {
        let mut names = HashSet::new();
        for row in functions() {
            assert!(names.insert(row.name), "{} stands twice", row.name);
            assert!(row.arity.0 <= row.arity.1, "{}", row.name);
            if row.effect != Effect::Engine {
                assert!(row.doc.len() > 20 && row.doc.ends_with('.'), "{} has no doc", row.name);
                assert!(row.example.contains(row.name), "{} has no example", row.name);
                for signature in row.signatures {
                    assert!(signature.starts_with(row.name), "{signature}");
                }
            }
        }
    }

    #[test]
    fn examples_can_be_parsed() {
        let engine = rhai::Engine::new();
        for row in functions().filter(|row| row.effect != Effect::Engine) {
            let parsed = engine.compile(row.example);
            assert!(parsed.is_ok(), "the example of {}: {:?}", row.name, parsed.err());
        }
    }

    /// Words that the engine's parser keeps for itself can be registered and then never be called.
    #[test]
    fn no_name_is_reserved_by_the_engine() {
        let engine = rhai::Engine::new();
        for row in functions() {
            assert!(engine.compile(format!("{}()", row.name)).is_ok(), "{} can't be called", row.name);
        }
    }
}
