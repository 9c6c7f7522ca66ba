//! Rhai's own errors in our words.

use rhai::{Dynamic, EvalAltResult, Map};

use super::names::Names;
use super::parse::lowercase;
use super::spans::Place;
use super::value::{describe, plain_type};
use crate::lang::fault::Fault;
use crate::script::quoted;

/// Words an engine error, seen without the calls around it.
pub fn of_engine(error: &EvalAltResult, names: &Names) -> Fault {
    use EvalAltResult as E;
    match error {
        E::ErrorFunctionNotFound(signature, _) => not_found(signature, names),
        E::ErrorVariableNotFound(name, _) => variable(name),
        E::ErrorPropertyNotFound(name, _) => property(name, "map", names),
        E::ErrorDotExpr(problem, _) => match unknown_property(problem) {
            Some((name, kind)) => property(name, plain_type(kind), names),
            None => Fault::script(lowercase(problem)),
        },
        E::ErrorModuleNotFound(name, _) => {
            Fault::hinted(format!("there is no module `{name}`"), format!("add `import \"{name}\" as {name};`"))
        }
        E::ErrorIndexNotFound(index, _) => Fault::script(format!("there is no entry {index}")),
        E::ErrorArrayBounds(length, index, _) => bounds("the array", *length, *index, "items"),
        E::ErrorStringBounds(length, index, _) => bounds("the string", *length, *index, "characters"),
        E::ErrorBitFieldBounds(length, index, _) => bounds("the number", *length, *index, "bits"),
        E::ErrorMismatchDataType(expected, found, _) | E::ErrorMismatchOutputType(expected, found, _) => {
            mismatch(expected, found)
        }
        E::ErrorFor(_) => Fault::hinted(
            "`for` can't go through this value",
            "give it an array, a map's `keys()`, a range or a tree's `nodes`",
        ),
        E::ErrorIndexingType(kind, _) => indexing(kind),
        E::ErrorDataRace(name, _) => data_race(name),
        E::ErrorNonPureMethodCallOnConstant(name, _) => {
            let name = name.trim_start_matches("set$").trim_start_matches("get$");
            Fault::hinted(format!("`{name}` would change a constant"), "declare it with `let`")
        }
        E::ErrorAssignmentToConstant(name, _) => {
            Fault::hinted(format!("`{name}` is a constant"), format!("declare it with `let {name}`"))
        }
        E::ErrorUnboundThis(_) => Fault::script("`this` stands for nothing here"),
        E::ErrorArithmetic(problem, _) if problem.contains("by zero") => {
            Fault::hinted(lowercase(problem), "test the divisor first")
        }
        E::ErrorArithmetic(problem, _) => no_number(problem).unwrap_or_else(|| Fault::script(lowercase(problem))),
        E::ErrorTooManyOperations(_) => limit("operations", "it ran too long without an end"),
        E::ErrorTooManyVariables(_) => limit("variables", "too many variables at once"),
        E::ErrorTooManyModules(_) => limit("modules", "too many imports"),
        E::ErrorStackOverflow(_) => limit("call depth", "functions call each other too deep"),
        E::ErrorDataTooLarge(what, _) => limit("value size", too_large(what)),
        E::ErrorParsing(kind, _) => Fault::Parse { problem: lowercase(&kind.to_string()), hint: None },
        E::ErrorRuntime(thrown, _) => of_thrown(thrown),
        other => Fault::script(lowercase(&other.to_string())),
    }
}

/// Words a value that the script threw.
pub fn of_thrown(thrown: &Dynamic) -> Fault {
    if thrown.is_unit() {
        return Fault::script("the script threw an error without a value");
    }
    let text = match thrown.read_lock::<rhai::ImmutableString>() {
        Some(text) => quoted(&text),
        None => {
            let text = serde_json::to_string(&super::value::result(thrown)).unwrap_or_else(|_| describe(thrown));
            let short: String = text.chars().take(200).collect();
            if short.len() < text.len() { format!("{short}…") } else { short }
        }
    };
    Fault::script(format!("the script threw {text}"))
}

/// One of Rhai's own errors as `catch` gives it.
pub struct Caught {
    pub fault: Fault,
    /// Inside the engine.
    pub place: Option<Place>,
}

/// Words one of Rhai's own errors in the form that `catch` gives it; `None` for a map of the script's own.
///
/// Behind calls the map names the outermost place, and only its text says the kind and the innermost one.
pub fn of_caught(map: &Map, names: &Names) -> Option<Caught> {
    let text = |key: &str| map.get(key).map(ToString::to_string);
    let number = |key: &str| map.get(key).and_then(|value| usize::try_from(value.as_int().ok()?).ok());
    if !text("error")?.starts_with("Error") {
        return None;
    }
    let message = text("message")?;
    let first = message.lines().next().unwrap_or("");
    let (first, place) = match first.rsplit_once(" (line ") {
        Some((first, place)) => (first, read_place(place)),
        None => (first, None),
    };
    let problem = first.rsplit_once(" @ '").map_or(first, |(problem, _)| problem);
    let fault = match problem.split_once(": ") {
        Some(("Function not found", signature)) => not_found(signature, names),
        Some(("Variable not found", name)) => variable(name),
        Some(("Property not found", name)) => property(name, "map", names),
        _ if let Some((name, kind)) = unknown_property(problem) => property(name, plain_type(kind), names),
        _ => no_number(problem).unwrap_or_else(|| Fault::script(lowercase(problem))),
    };
    let place = place.or_else(|| number("line").zip(number("position")));
    Some(Caught { fault, place })
}

/// Reads `1, position 51)`.
fn read_place(text: &str) -> Option<(usize, usize)> {
    let (line, position) = text.strip_suffix(')')?.split_once(", position ")?;
    Some((line.parse().ok()?, position.parse().ok()?))
}

/// Reads `Error parsing integer number '12 €': invalid digit found in string`.
fn no_number(problem: &str) -> Option<Fault> {
    let (kind, rest) = problem.strip_prefix("Error parsing ")?.split_once(" number '")?;
    let (text, _) = rest.rsplit_once("': ")?;
    let is_whole = kind.starts_with("int");
    let hint = if is_whole && text.trim().parse::<f64>().is_ok() {
        "write `parse_float(text)`".to_owned()
    } else {
        let function = if is_whole { "parse_int" } else { "parse_float" };
        format!(
            "take the number out first, as in `{function}(text.split(\" \")[0])`, or take away the rest with `replace`"
        )
    };
    let what = if is_whole { "a whole number" } else { "a number" };
    Some(Fault::hinted(format!("{} is not {what}", quoted(text)), hint))
}

fn limit(limit: &str, problem: &str) -> Fault {
    Fault::Limit { limit: limit.into(), problem: problem.into() }
}

/// Rhai names the measure: `Length of string`, `Size of array/BLOB`, `Size of object map`.
fn too_large(what: &str) -> &'static str {
    if what.contains("string") {
        "a string grew too long"
    } else if what.contains("map") {
        "a map grew too large"
    } else {
        "an array grew too long"
    }
}

/// Rhai says "function not found" also where the name is known and the arguments do not fit.
fn not_found(signature: &str, names: &Names) -> Fault {
    let (name, given) = signature.split_once(" (").unwrap_or((signature, ")"));
    let given = given.strip_suffix(')').unwrap_or(given);
    let given: Vec<_> = given.split(", ").filter(|kind| !kind.is_empty()).map(plain_type).collect();
    if name.starts_with(|first: char| !first.is_alphabetic() && first != '_') {
        let hint = if given.contains(&"()") {
            "one side has no value yet: set it first, or start from `0` or `\"\"`"
        } else {
            "convert one side first, as with `to_string()`, `parse_int()` or `to_float()`"
        };
        return Fault::hinted(format!("`{name}` does not work on {}", given.join(" and ")), hint);
    }
    if given.first() == Some(&"()") && names.get(name).is_some() {
        return Fault::hinted(
            format!("`{name}` was called on `()`, which is no value"),
            "look at what the call before it gives back; some methods, such as `sort`, change a value and give nothing",
        );
    }
    if given.first() == Some(&"nodes") && names.get(name).is_some() {
        return Fault::hinted(
            format!("the nodes of a tree have no `{name}`"),
            "walk them with `for node in t.nodes`, or let the host look with `find_all(…)`",
        );
    }
    if matches!(name, "to_int" | "to_float") && given == ["string"] {
        let parse = name.replace("to", "parse");
        return Fault::hinted(
            format!("`{name}` turns one kind of number into another"),
            format!("write `{parse}(text)`"),
        );
    }
    if let Some(known) = names.get(name).filter(|known| !known.takes.is_empty()) {
        let found = if given.is_empty() { "no arguments".to_owned() } else { format!("({})", given.join(", ")) };
        let mut takes: Vec<_> = known.takes.iter().map(|takes| format!("`{takes}`")).collect();
        takes.dedup();
        let more = takes.len().saturating_sub(4);
        takes.truncate(4);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Fault::hinted(
            format!("`{name}` does not take {found}"),
            format!("it takes {}{tail}", takes.join(", ")),
        );
    }
    if name.starts_with("anon$") {
        return Fault::hinted(
            "this closure takes another number of arguments",
            format!("it was given {}", given.len()),
        );
    }
    names.unknown(name, given.len(), &[], |_| true)
}

fn variable(name: &str) -> Fault {
    Fault::hinted(
        format!("there is no variable `{name}` here"),
        "declare it with `let`, or pass it: a function sees only its parameters",
    )
}

/// Reads `Unknown property 'name' - a getter is not registered for type 'kind'`.
fn unknown_property(problem: &str) -> Option<(&str, &str)> {
    let (name, rest) = problem.strip_prefix("Unknown property '")?.split_once('\'')?;
    let (_, kind) = rest.trim_end_matches('\'').rsplit_once('\'')?;
    Some((name, kind))
}

fn property(name: &str, kind: &str, names: &Names) -> Fault {
    let hint = match (name, kind) {
        ("code" | "message" | "help" | "nearest", "map" | "string") => {
            "`error_of(e)` gives a map for any caught value: `error_of(e).code`".to_owned()
        }
        ("length" | "size" | "count", _) => "use `.len()`".into(),
        ("text" | "value" | "rect", "string") => format!("of a ref, `{name}(ref)` tells it"),
        ("role" | "name" | "states" | "frame" | "tag" | "href" | "input_type" | "label" | "id", "string") => {
            let name = if name == "label" { "name" } else { name };
            match name {
                "id" => "of a ref, `attr(ref, \"id\")` tells it".to_owned(),
                name => format!("a ref is a text; the facts about its element are in its node: `node(ref).{name}`"),
            }
        }
        (_, "array") => "take one of its items first, as in `list[0]`, or go through it with `for`".into(),
        (_, "map") => format!("test with `\"{name}\" in map` first, or look at `map.keys()`"),
        (_, "tree") => {
            "a tree has `text`, `nodes`, `snapshot_id`, `truncated`, `has_more`, `next_page`, `auto_degraded`, \
                         `notice`, `counters`, `origin`"
                .into()
        }
        (_, "()") => "the value before the dot is `()`: look at what it comes from".into(),
        _ if names.get(name).is_some() => format!("call it: `.{name}()`"),
        _ => "only maps and trees have properties".into(),
    };
    let article = if kind.starts_with(['a', 'i']) { "an" } else { "a" };
    let place = if kind == "map" { String::new() } else { format!(" on {article} {kind}") };
    let place = if kind == "()" { " on `()`".to_owned() } else { place };
    Fault::hinted(format!("there is no property `{name}`{place}"), hint)
}

fn bounds(what: &str, length: usize, index: i64, units: &str) -> Fault {
    let units = if length == 1 { units.trim_end_matches('s') } else { units };
    let problem = format!("index {index} is out of bounds: {what} has {length} {units}");
    match length.checked_sub(1) {
        None => Fault::hinted(problem, "look at its `len()` first: there is nothing in it"),
        Some(last) => Fault::hinted(problem, format!("count from 0 to {last}, or from the end with -1")),
    }
}

fn mismatch(expected: &str, found: &str) -> Fault {
    let (expected, found) = (plain_type(expected), plain_type(found));
    let found = if found == "()" { "nothing" } else { found };
    if expected == "bool" {
        let hint = match found {
            "array" => "ask for its length, as in `list.len() > 0`",
            "string" => "compare it, as in `text != \"\"`; whether something is there, `find_all(…).len() > 0` tells",
            "nothing" | "map" => "compare it, as in `x != ()`",
            _ => "compare it, as in `x > 0`",
        };
        return Fault::hinted(format!("found {found}, expected true or false"), hint);
    }
    if found.starts_with("Range") {
        return Fault::hinted(
            "a range can't stand as an index",
            "use `list.extract(start, length)` or `text.sub_string(start, length)`",
        );
    }
    Fault::script(format!("found {found}, expected {expected}"))
}

fn indexing(kind: &str) -> Fault {
    let kind = kind.split(" [").next().map_or("value", plain_type);
    Fault::hinted(format!("a {kind} has no entries to index"), "index an array, a map, a string or a tree's `nodes`")
}

fn data_race(name: &str) -> Fault {
    let name = if name.is_empty() { "the value" } else { name };
    Fault::hinted(
        format!("{name} is used by a closure while it is being changed or walked through"),
        "copy what the closure needs first, as in `let n = items.len();`",
    )
}
