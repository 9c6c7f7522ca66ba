//! Which argument of a call an error is about, and which part of it.

use serde_json::Value;

use crate::error::{Error, FieldFault, FieldProblem, Nearest};
use crate::host::function::parameters;
use crate::host::table;
use crate::lang::{IN_WORKER, rhai};
use crate::reference::Ref;
use crate::script::{Script, Site};

/// Returns the index of the argument that an error is about. `args` are the values of the call, where it was made;
/// `written` is where its arguments stand in the script, the receiver of a method first.
pub fn blamed(error: &Error, args: &[Value], written: &[Site], call: Option<&Site>) -> Option<usize> {
    let has_receiver = || {
        let start = |site: &Site| (site.line, site.column);
        written.first().is_some_and(|first| call.is_some_and(|call| start(call) == start(first)))
    };
    match error {
        // It is easily forgotten that the receiver counts.
        Error::ArgsCount { found, .. } => (*found == written.len() && has_receiver()).then_some(0),
        error => blamed_of(error, args, written.len()),
    }
}

fn blamed_of(error: &Error, args: &[Value], count: usize) -> Option<usize> {
    let by_value = |wanted: &str| args.iter().position(|value| names(value, wanted));
    match error {
        Error::RefStale { reference, .. }
        | Error::RefChanged { reference, .. }
        | Error::RefOtherTab { reference, .. }
        | Error::ActHidden { reference, .. }
        | Error::ActDisabled { reference, .. }
        | Error::ActCovered { reference, .. }
        | Error::ActMoving { reference, .. }
        | Error::ActNotTypable { reference, .. }
        | Error::ActReadonly { reference, .. }
        | Error::ActUnknown { reference: Some(reference), .. }
        | Error::ListExpected { reference, .. } => by_value(&reference.to_string()),
        Error::FieldsRefused { .. } | Error::FillStopped { .. } => Some(0),
        Error::ActNotKept { reference, wanted, .. } | Error::ActNoOption { reference, wanted, .. } => {
            by_value(wanted).or_else(|| by_value(&reference.to_string()))
        }
        // What is wrong with a script before it runs comes without values.
        Error::RefUnknown { .. } if args.is_empty() => (count > 0).then_some(0),
        Error::RoleUnknown { .. } if args.is_empty() => (count > 0).then(|| count.saturating_sub(2)),
        Error::RefUnknown { reference: wanted, .. }
        | Error::RoleUnknown { role: wanted, .. }
        | Error::TabUnknown { tab: wanted, .. }
        | Error::TabClosed { tab: wanted, .. }
        | Error::SnapshotStale { snapshot: wanted, .. } => by_value(wanted),
        Error::NavFailed { url, .. } | Error::PolicyOrigin { url, .. } => by_value(url).or_else(|| first_text(args)),
        Error::ArgMissing { .. } | Error::WaitTimeout { .. } => (count > 0).then_some(0),
        Error::FindNone { nearest, .. } => locator(args, nearest),
        Error::FindAmbiguous { .. } => locator(args, &[]),
        Error::ArgsType { function, parameter, takes, .. } => {
            let takes: Vec<_> = takes.split("` or `").collect();
            parameter_index(&takes, parameter, count).or_else(|| option_index(function, parameter, count))
        }
        Error::ArgsValue { function, parameter, .. } => parameter_index(&signatures(function), parameter, count)
            .or_else(|| option_index(function, parameter, count)),
        Error::ArgsOption { .. } => count.checked_sub(1),
        _ => None,
    }
}

/// Returns the keys of a literal map of fields that an error is about, or their values, each with what is wrong with
/// it in a few words.
pub fn keys(error: &Error, argument: &Site, script: &Script) -> Vec<(Site, String)> {
    let part = |problem: &FieldProblem, label: String| {
        let (key, value) = rhai::entry(script, argument, &problem.key)?;
        let of_value = matches!(&problem.fault, FieldFault::Unusable(error)
            if matches!(**error, Error::ArgsValue { .. } | Error::ArgsType { .. } | Error::ActNoOption { .. }));
        Some((if of_value { value } else { key }, label))
    };
    match error {
        Error::FieldsRefused { problems, .. } => {
            problems.iter().filter_map(|problem| part(problem, problem.label())).collect()
        }
        Error::FillStopped { lost, .. } if !lost.is_empty() => {
            lost.iter().filter_map(|problem| part(problem, "this did not last".into())).collect()
        }
        Error::FillStopped { field: Some(field), .. } => {
            let entry = rhai::entry(script, argument, &field.key);
            entry.map(|(key, _)| (key, "filling stopped here".into())).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the part of an argument that an error is about: an entry of a literal map, a literal text in a list.
pub fn narrowed(error: &Error, argument: &Site, script: &Script) -> Site {
    let entry = |key: &str| rhai::entry(script, argument, key);
    let value = |key: &str| entry(key).map(|(_, value)| value);
    let literal = |wanted: &str| rhai::literal(script, argument, wanted);
    let part = match error {
        Error::ArgsOption { option, .. } => entry(option).map(|(name, _)| name),
        Error::ArgsType { parameter, .. } | Error::ArgsValue { parameter, .. } => value(parameter),
        Error::FindNone { nth: Some(_), .. } => value("nth"),
        Error::FindNone { elsewhere: true, .. } => value("within").or_else(|| value("frame")),
        Error::FindNone { nearest, .. } if nearest.iter().any(|near| literal(&near.name).is_some()) => value("role"),
        Error::FindNone { .. } | Error::FindAmbiguous { .. } | Error::WaitTimeout { .. } => {
            ["name", "text", "role", "url", "ref"].into_iter().find_map(value)
        }
        Error::RefUnknown { reference: wanted, .. }
        | Error::RoleUnknown { role: wanted, .. }
        | Error::ActNotKept { wanted, .. }
        | Error::ActNoOption { wanted, .. } => literal(wanted),
        _ => None,
    };
    part.unwrap_or_else(|| argument.clone())
}

/// Returns the argument that made `find` find nothing or too much: the role where something else has this name, else
/// the name.
fn locator(args: &[Value], nearest: &[Nearest]) -> Option<usize> {
    let last = args.len().checked_sub(1)?;
    let name = args.get(last)?.as_str();
    let has_role = last > 0 && args.get(last - 1).is_some_and(Value::is_string);
    let is_role = has_role && nearest.iter().any(|near| name.is_some_and(|name| name.eq_ignore_ascii_case(&near.name)));
    Some(if is_role { last - 1 } else { last })
}

/// Returns the index of the first argument if it is a text and no ref.
fn first_text(args: &[Value]) -> Option<usize> {
    let first = args.first()?.as_str()?;
    first.parse::<Ref>().is_err().then_some(0)
}

fn signatures(function: &str) -> Vec<&'static str> {
    let in_worker = IN_WORKER.iter().find(|known| known.name == function).map(|known| vec![known.signature]);
    in_worker.or_else(|| table::function(function).map(|row| row.signatures.to_vec())).unwrap_or_default()
}

/// Returns the place of a parameter in the form of the call that has so many arguments, else in any.
fn parameter_index(signatures: &[&str], parameter: &str, count: usize) -> Option<usize> {
    let forms = signatures.iter().map(|signature| {
        let mut names = parameters(signature);
        if signature.starts_with("tree.") {
            names.insert(0, "tree".into());
        }
        names
    });
    let forms: Vec<_> = forms.collect();
    let index = |form: &Vec<String>| form.iter().position(|name| name == parameter);
    let exact = forms.iter().filter(|form| form.len() == count).find_map(index);
    exact.or_else(|| forms.iter().find_map(index).filter(|index| *index < count))
}

/// Returns the index of the options map, the last argument, if the function knows this option.
fn option_index(function: &str, option: &str, count: usize) -> Option<usize> {
    let row = table::function(function)?;
    row.options.iter().any(|(name, _)| *name == option).then(|| count.checked_sub(1)).flatten()
}

/// Returns whether a value is this text, a node of this ref, or holds one, also as a key.
fn names(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(items) => items.iter().any(|item| names(item, wanted)),
        Value::Object(map) => map.iter().any(|(key, value)| key == wanted || names(value, wanted)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn blames_the_argument() {
        let readonly = Error::ActReadonly { reference: Ref(3), was: String::new() };
        assert_eq!(blamed_of(&readonly, &[json!("x"), json!({"ref": "ref_3"})], 2), Some(1));
        let kind = |parameter: &str| Error::ArgsType {
            function: "press".into(),
            parameter: parameter.into(),
            found: String::new(),
            expected: String::new(),
            takes: "press(keys)` or `press(ref, keys)".into(),
            hint: None,
        };
        assert_eq!(blamed_of(&kind("ref"), &[], 2), Some(0));
        assert_eq!((blamed_of(&kind("keys"), &[], 2), blamed_of(&kind("keys"), &[], 1)), (Some(1), Some(0)));
        assert_eq!(blamed_of(&kind("nothing"), &[], 2), None);
        let value = |function: &str, parameter: &str| Error::ArgsValue {
            function: function.into(),
            parameter: parameter.into(),
            found: String::new(),
            expected: String::new(),
        };
        assert_eq!(blamed_of(&value("click", "button"), &[], 2), Some(1));
        assert_eq!(blamed_of(&value("retry", "n"), &[], 2), Some(0));
        assert_eq!(blamed_of(&value("tree_find", "name"), &[], 3), Some(2));
    }

    fn near(role: &str, name: &str) -> Vec<Nearest> {
        vec![Nearest { reference: Ref(1), role: role.into(), name: name.into(), why: String::new() }]
    }

    fn none(nth: Option<usize>, elsewhere: bool, nearest: Vec<Nearest>) -> Error {
        let (wanted, looked) = (String::new(), String::new());
        Error::FindNone { wanted, looked, waited_ms: 0, role: None, nth, matches: 0, elsewhere, nearest }
    }

    #[test]
    fn blames_the_role_where_something_else_has_the_name() {
        let none = |nearest| none(None, false, nearest);
        let args = [json!("link"), json!("Save")];
        assert_eq!(blamed_of(&none(near("button", "save")), &args, 2), Some(0));
        assert_eq!(blamed_of(&none(near("link", "Save all")), &args, 2), Some(1));
        assert_eq!(blamed_of(&none(Vec::new()), &args[1..], 1), Some(0));
    }

    #[test]
    fn marks_each_key_of_a_map_of_fields() {
        let script = Script::from_text("a", "fill(#{ \"City\": \"x\",\n  Town: 12 });");
        let map = Site { script: "a".into(), line: 1, column: 6, end_line: 2, end_column: 13 };
        let age = Error::ArgsValue {
            function: "fill".into(),
            parameter: "Town".into(),
            found: String::new(),
            expected: "a name".into(),
        };
        let problem = |key: &str, fault| FieldProblem { key: key.into(), fault };
        let refused = Error::FieldsRefused {
            problems: vec![
                problem("City", FieldFault::None { nearest: Vec::new(), elsewhere: None }),
                problem("Town", FieldFault::Unusable(age.into())),
                problem("computed", FieldFault::Ambiguous { matches: Vec::new() }),
            ],
            waited_ms: 0,
        };
        let marked: Vec<(String, String)> =
            keys(&refused, &map, &script).into_iter().map(|(site, label)| (script.part(&site).into(), label)).collect();
        let wanted = [("\"City\"", "no field has this name"), ("12", "expected a name")];
        assert_eq!(marked, wanted.map(|(part, label)| (part.to_owned(), label.to_owned())));
    }

    #[test]
    fn narrows_an_argument_to_its_part() {
        let script =
            Script::from_text("a", "f(#{ role: \"link\", name: \"Save\", timeout: 1 + 1 });\ng([\"a\", \"b\"]);");
        let on =
            |line: usize, end_column: usize| Site { script: "a".into(), line, column: 3, end_line: line, end_column };
        let cut = |error: Error, argument: &Site| {
            let part = narrowed(&error, argument, &script);
            script.text[script.offset(part.line, part.column)..script.offset(part.end_line, part.end_column)].to_owned()
        };
        let map = on(1, script.line(1).len() - 1);
        let option =
            Error::ArgsOption { function: "f".into(), option: "timeout".into(), suggestion: None, known: Vec::new() };
        assert_eq!(cut(option, &map), "timeout");
        let none = |nearest| none(None, false, nearest);
        assert_eq!(cut(none(Vec::new()), &map), "\"Save\"");
        assert_eq!(cut(none(near("button", "Save")), &map), "\"link\"");
        let scoped = Script::from_text("a", "find(#{ name: \"Save\", within: cart, nth: 4 })");
        let map = Site { script: "a".into(), line: 1, column: 6, end_line: 1, end_column: scoped.text.len() };
        let cut_scoped = |error: Error| scoped.part(&narrowed(&error, &map, &scoped)).to_owned();
        assert_eq!(cut_scoped(self::none(Some(4), false, Vec::new())), "4");
        assert_eq!(cut_scoped(self::none(None, true, Vec::new())), "cart");
        let unknown = Error::RefUnknown { reference: "b".into(), instead: None, nearest: Vec::new() };
        assert_eq!(cut(unknown, &on(2, script.line(2).len() - 1)), "\"b\"");
    }
}
