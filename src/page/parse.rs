//! Reading a written tree back: the proof that no page can forge a line.

use super::tree::States;
use crate::reference::Ref;

/// One line of a written tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    pub depth: usize,
    pub content: ParsedContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedContent {
    Node(Box<ParsedNode>),
    /// A remark in brackets, such as `open overlays`.
    Note(String),
}

/// What a line tells of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedNode {
    pub role: String,
    pub name: Text,
    pub reference: Option<Ref>,
    pub level: Option<u8>,
    pub href: Option<Text>,
    pub input_type: Option<Text>,
    pub placeholder: Option<Text>,
    pub value: Option<Text>,
    pub states: States,
    /// How it can't be seen, such as `hidden:aria`.
    pub hidden: Option<String>,
}

/// A quoted text, and how many characters were cut off its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub cut: usize,
}

/// The line that can't be read; counts from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotALine(pub usize);

/// Reads a written tree.
///
/// # Errors
/// The number of the first line that [`super::lines::write`] can't have written.
pub fn parse(text: &str) -> Result<Vec<Parsed>, NotALine> {
    let lines = text.split('\n').enumerate().filter(|_| !text.is_empty());
    lines.map(|(number, line)| parse_line(line).ok_or(NotALine(number + 1))).collect()
}

fn parse_line(line: &str) -> Option<Parsed> {
    let rest = line.trim_start_matches(' ');
    let depth = line.len() - rest.len();
    let content = match rest.strip_prefix('[') {
        Some(note) => ParsedContent::Note(note.strip_suffix(']')?.to_owned()),
        None => ParsedContent::Node(Box::new(parse_node(rest)?)),
    };
    Some(Parsed { depth, content })
}

fn parse_node(line: &str) -> Option<ParsedNode> {
    let (role, rest) = line.split_once(' ')?;
    if role.is_empty() || !role.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let (name, mut rest) = parse_text(rest)?;
    let mut node = ParsedNode { role: role.to_owned(), name, ..ParsedNode::default() };
    while !rest.is_empty() {
        rest = parse_fact(rest.strip_prefix(' ')?, &mut node)?;
    }
    Some(node)
}

/// Reads one fact into the node; returns what follows it.
fn parse_fact<'a>(text: &'a str, node: &mut ParsedNode) -> Option<&'a str> {
    if let Some(inside) = text.strip_prefix('[') {
        let (word, rest) = inside.split_once(']')?;
        match word.parse() {
            Ok(reference) if node.reference.is_none() => node.reference = Some(reference),
            _ if word.starts_with("hidden:") => node.hidden = Some(word.to_owned()),
            _ => return None,
        }
        return Some(rest);
    }
    for (key, slot) in [
        ("href=", &mut node.href),
        ("type=", &mut node.input_type),
        ("placeholder=", &mut node.placeholder),
        ("value=", &mut node.value),
    ] {
        if let Some(quoted) = text.strip_prefix(key) {
            let (value, rest) = parse_text(quoted)?;
            *slot = Some(value);
            return Some(rest);
        }
    }
    let (word, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    match word.strip_prefix("level=") {
        Some(level) => node.level = Some(level.parse().ok()?),
        None if node.states.set(word) => {}
        None => return None,
    }
    Some(rest)
}

/// Reads a quoted text and the mark of a cut behind it.
fn parse_text(text: &str) -> Option<(Text, &str)> {
    let mut out = Text::default();
    let mut characters = text.strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => out.text.push(parse_escape(&mut characters)?),
            character => out.text.push(character),
        }
    }
    let rest = characters.as_str();
    let Some(cut) = rest.strip_prefix("…(+") else { return Some((out, rest)) };
    let (count, rest) = cut.split_once(')')?;
    out.cut = count.parse().ok()?;
    Some((out, rest))
}

fn parse_escape(characters: &mut std::str::Chars<'_>) -> Option<char> {
    match characters.next()? {
        'u' => {
            let (code, rest) = characters.as_str().strip_prefix('{')?.split_once('}')?;
            *characters = rest.chars();
            char::from_u32(u32::from_str_radix(code, 16).ok()?)
        }
        plain @ ('"' | '\\') => Some(plain),
        _ => None,
    }
}
