//! Reads the text of a tree back: the logical level, on which role, name and states count and whatever else
//! stands on a line does not. Written from the description of the format, apart from the library's own reader.

use std::fmt;

/// One line of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub depth: usize,
    pub role: String,
    pub name: String,
    pub reference: Option<String>,
    /// States and attributes in the order of the line; a word alone has the value `None`.
    pub attributes: Vec<(String, Option<String>)>,
    /// Tags such as `hidden:opacity`.
    pub tags: Vec<String>,
}

impl Line {
    /// Reads every line that shows a node. Lines without a quoted name (`[open overlays]`, notices) show none.
    pub fn read_all(text: &str) -> Vec<Self> {
        text.lines().filter_map(Self::read).collect()
    }

    pub fn read(line: &str) -> Option<Self> {
        let body = line.trim_start_matches(' ');
        let depth = line.len() - body.len();
        let (role, rest) = body.split_once(' ')?;
        let is_role = !role.is_empty() && role.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        let (name, mut rest) = unquoted(rest).filter(|_| is_role)?;
        let mut read =
            Self { depth, role: role.to_owned(), name, reference: None, attributes: Vec::new(), tags: Vec::new() };
        loop {
            rest = rest.trim_start_matches(' ');
            if rest.is_empty() {
                return Some(read);
            }
            if let Some((tag, after)) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
                match tag.strip_prefix("ref_") {
                    Some(_) => read.reference = Some(tag.to_owned()),
                    None => read.tags.push(tag.to_owned()),
                }
                rest = after;
                continue;
            }
            let end = rest.find([' ', '=']).unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            match after.strip_prefix('=') {
                Some(value) => {
                    let (value, after) = unquoted(value).unwrap_or_else(|| {
                        let end = value.find(' ').unwrap_or(value.len());
                        (value[..end].to_owned(), &value[end..])
                    });
                    read.attributes.push((key.to_owned(), Some(value)));
                    rest = after;
                }
                None => {
                    read.attributes.push((key.to_owned(), None));
                    rest = after;
                }
            }
        }
    }

    /// Returns an attribute's value; `Some("")` for a state that is one word.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_deref().unwrap_or(""))
    }

    /// Returns whether a state stands on the line just so: `checked`, `expanded=false`.
    pub fn has(&self, state: &str) -> bool {
        let (key, value) = state.split_once('=').map_or((state, None), |(key, value)| (key, Some(value)));
        self.attributes.iter().any(|(known, held)| known == key && held.as_deref() == value)
    }
}

/// What a line must be at least: `button "Save" [disabled] [expanded=false]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    role: String,
    name: String,
    states: Vec<String>,
}

impl Wanted {
    #[track_caller]
    pub fn read(text: &str) -> Self {
        let line = Line::read(text).unwrap_or_else(|| panic!("no expectation of a line: {text}"));
        let states = line.tags.into_iter().chain(line.attributes.into_iter().map(|(key, value)| match value {
            Some(value) => format!("{key}={value}"),
            None => key,
        }));
        Self { role: line.role, name: line.name, states: states.collect() }
    }

    pub fn fits(&self, line: &Line) -> bool {
        line.role == self.role && line.name == self.name && self.states.iter().all(|state| line.has(state))
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?} {}", self.role, self.name, self.states.join(" "))
    }
}

/// Reads a quoted text at the start and returns it with what follows.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?.char_indices();
    let inner = &text[1..];
    let mut out = String::new();
    while let Some((at, character)) = rest.next() {
        match character {
            '"' => return Some((out, &inner[at + 1..])),
            '\\' => match rest.next()?.1 {
                'u' => {
                    let digits = inner.get(at + 3..)?.split_once('}')?.0;
                    out.push(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?);
                    rest.nth(digits.len() + 1)?;
                }
                other => out.push(other),
            },
            _ => out.push(character),
        }
    }
    None
}

#[test]
fn reads_everything_that_stands_on_a_line() {
    let line = Line::read(
        r#"  textbox "Na\"me\\ \u{72}ef_1" [ref_12] type="text" value="a b" required checked=mixed [hidden:size]"#,
    )
    .expect("a line");
    assert_eq!((line.depth, line.role.as_str(), line.name.as_str()), (2, "textbox", "Na\"me\\ ref_1"));
    assert_eq!(line.reference.as_deref(), Some("ref_12"));
    assert_eq!(line.attribute("value"), Some("a b"));
    assert_eq!(line.attribute("required"), Some(""));
    assert_eq!(line.tags, ["hidden:size"]);
    assert!(line.has("checked=mixed") && line.has("required") && !line.has("checked"));
}

#[test]
fn lines_that_show_no_node_are_passed_over() {
    for text in ["[open overlays]", "", "… 30 more nodes, `tree(#{page: 2})`", "iframe", "Button \"x\""] {
        assert_eq!(Line::read(text), None, "{text}");
    }
}

#[test]
fn an_expectation_looks_at_role_name_and_states_alone() {
    let line = Line::read(r#"heading "Taxes" [ref_3] level=2 focused"#).expect("a line");
    assert!(Wanted::read(r#"heading "Taxes""#).fits(&line));
    assert!(Wanted::read(r#"heading "Taxes" [focused]"#).fits(&line));
    assert!(!Wanted::read(r#"heading "Taxes" [checked]"#).fits(&line));
    assert!(!Wanted::read(r#"heading "Tax""#).fits(&line));
}
