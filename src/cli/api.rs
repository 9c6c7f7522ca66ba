//! `pageboy api`: the reference, printed from the function table.

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};

use clap::Args;
use serde_json::{Value, json};

use super::demo::output_failed;
use crate::error::Error;
use crate::host::function::{Effect, Function, Topic};
use crate::host::table;
use crate::lang::{IN_WORKER, InWorker};

#[derive(Debug, Args)]
pub struct ApiArguments {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the reference to stdout.
///
/// # Errors
/// `io::failed` when nobody reads it.
pub fn run(arguments: &ApiArguments) -> Result<(), Error> {
    let rows: Vec<&Function> = table::functions().filter(|row| row.effect != Effect::Engine).collect();
    let text = if arguments.json { as_json(&rows) } else { as_text(&rows) };
    io::stdout().lock().write_all(text.as_bytes()).map_err(output_failed)
}

fn as_json(rows: &[&Function]) -> String {
    let row = |row: &&Function| {
        let options = row.options.iter().map(|(name, doc)| json!({ "name": name, "doc": doc })).collect::<Value>();
        json!({
            "name": row.name,
            "topic": heading(row.topic),
            "signatures": row.signatures,
            "arguments": { "min": row.arity.0, "max": row.arity.1 },
            "options": options,
            "needs": (row.effect == Effect::Eval).then_some("--allow-js"),
            "doc": row.doc,
            "example": row.example,
        })
    };
    let mut functions: Vec<Value> = rows.iter().map(row).collect();
    functions.extend(IN_WORKER.iter().map(|row| {
        json!({
            "name": row.name,
            "topic": heading(Topic::Running),
            "signatures": [row.signature],
            "options": [],
            "needs": null,
            "doc": row.doc,
            "example": row.example,
        })
    }));
    format!("{:#}\n", json!({ "functions": functions }))
}

fn as_text(rows: &[&Function]) -> String {
    let mut text = String::new();
    let mut topic = None;
    for row in rows {
        if topic != Some(row.topic) {
            topic = Some(row.topic);
            append(&mut text, format_args!("# {}\n\n", heading(row.topic)));
        }
        for signature in row.signatures {
            append(&mut text, format_args!("{signature}\n"));
        }
        text.push_str(&indented(row.doc));
        for (name, doc) in row.options {
            append(&mut text, format_args!("      {name}: {doc}\n"));
        }
        append(&mut text, format_args!("    e.g. {}\n\n", row.example));
    }
    text.push_str("# Control functions\n\n");
    for InWorker { signature, doc, example, .. } in IN_WORKER {
        append(&mut text, format_args!("{signature}\n{}    e.g. {example}\n\n", indented(doc)));
    }
    text
}

fn append(text: &mut String, more: fmt::Arguments<'_>) {
    // Writing to a String can't fail.
    let _ = text.write_fmt(more);
}

fn heading(topic: Topic) -> &'static str {
    match topic {
        Topic::Reading => "Reading the page",
        Topic::Refs => "Refs",
        Topic::Acting => "Acting",
        Topic::Travelling => "Travelling",
        Topic::Waiting => "Waiting",
        Topic::Dialogs => "Dialogs",
        Topic::Running => "The run",
    }
}

/// Folds a doc to lines of 96 characters, each with four blanks before it.
fn indented(doc: &str) -> String {
    const WIDTH: usize = 96;
    let mut lines = String::new();
    let mut line = String::new();
    for word in doc.split_whitespace() {
        if !line.is_empty() && line.len() + word.len() + 1 > WIDTH {
            append(&mut lines, format_args!("    {line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    append(&mut lines, format_args!("    {line}\n"));
    lines
}
