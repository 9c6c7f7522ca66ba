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
    pub guessed: Option<Text>,
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
        ("guessed=", &mut node.guessed),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::page::layout::PrintOptions;
    use crate::page::lines;
    use crate::page::snapshot::{folded, testing};
    use crate::page::tree::{Hidden, Mixed, Node, Tree};

    /// Texts that pages use against readers of trees.
    fn hostile() -> impl Strategy<Value = String> {
        let nasty = prop::sample::select(vec![
            "\"",
            "\\",
            "\n",
            "\r\n",
            "\u{2028}",
            "\u{85}",
            "[ref_9]",
            "ref_12",
            "\" [ref_3] checked\n button \"Pay",
            "[open overlays]",
            "\u{202e}",
            "\u{200b}",
            "\u{e0041}",
            "\u{7}",
            "\u{0}",
            "\u{1f}",
            "…(+12)",
            "\\u{72}",
            "👩\u{200d}🚀",
            "e\u{301}",
            " ",
            "value=\"x\"",
            "hidden:aria",
            "]",
            "ش\u{200c}ش",
        ]);
        let piece = prop_oneof![3 => nasty.prop_map(str::to_owned), 2 => any::<String>(), 1 => "[a-z ]{0,8}"];
        let plain = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
        prop_oneof![8 => plain.clone(), 1 => plain.prop_map(|text| text.repeat(200))]
    }

    fn mixed() -> impl Strategy<Value = Option<Mixed>> {
        prop::option::of(prop::sample::select(vec![Mixed::No, Mixed::Yes, Mixed::Mixed]))
    }

    fn states() -> impl Strategy<Value = States> {
        let two = || prop::option::of(any::<bool>());
        (mixed(), mixed(), two(), two(), any::<[bool; 7]>()).prop_map(
            |(checked, pressed, expanded, selected, flags)| {
                let [disabled, required, readonly, invalid, focused, busy, multiselectable] = flags;
                States {
                    checked,
                    pressed,
                    expanded,
                    selected,
                    disabled,
                    required,
                    readonly,
                    invalid,
                    focused,
                    busy,
                    multiselectable,
                    modal: false,
                }
            },
        )
    }

    fn dress(node: &mut Node, texts: &[String; 5], states: States, number: u32) {
        let [name, value, href, kind, placeholder] = texts;
        node.name = folded(name);
        node.value = (number.is_multiple_of(2)).then(|| value.clone());
        node.href = (number.is_multiple_of(3)).then(|| href.as_str().into());
        node.input_type = (number.is_multiple_of(4)).then(|| kind.as_str().into());
        node.placeholder = (number.is_multiple_of(5)).then(|| placeholder.as_str().into());
        node.guessed = (number.is_multiple_of(9)).then(|| kind.as_str().into());
        node.level = (number.is_multiple_of(6)).then_some(3);
        node.reference = (!number.is_multiple_of(7)).then_some(Ref(number + 1));
        node.hidden = (number.is_multiple_of(8)).then_some(Hidden::AriaHidden);
        node.states = states;
    }

    /// What a quoted text says when it is read back.
    fn read(text: &str) -> Text {
        let head: String = text.chars().take(1000).collect();
        Text { text: folded(&head), cut: text.chars().count().saturating_sub(1000) }
    }

    fn told(node: &Node) -> ParsedNode {
        let shown = |text: &Option<Box<str>>| text.as_deref().map(read);
        ParsedNode {
            role: node.role.to_owned(),
            name: read(&node.name),
            reference: node.reference,
            level: node.level,
            guessed: shown(&node.guessed),
            href: shown(&node.href),
            input_type: shown(&node.input_type),
            placeholder: shown(&node.placeholder).filter(|_| node.placeholder.as_deref() != Some(node.name.as_str())),
            value: node.value.as_deref().filter(|value| !value.is_empty()).map(read),
            states: node.states,
            hidden: node.hidden.and_then(Hidden::tag).map(str::to_owned),
        }
    }

    /// The depth that a node must have: its listed ancestors.
    fn depth(tree: &Tree, at: u32) -> usize {
        tree.ancestors(at).filter(|&above| tree.get(above).is_some_and(|node| node.listed)).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn a_written_tree_reads_back_the_same(
            nesting in prop::collection::vec(any::<bool>(), 1..24),
            texts in prop::collection::vec([hostile(), hostile(), hostile(), hostile(), hostile()], 24),
            states in prop::collection::vec(states(), 24),
        ) {
            let mut html = String::new();
            let mut open = 0;
            for deeper in nesting {
                html.push_str("<div role=\"group\">");
                open += 1;
                if !deeper {
                    html.push_str("</div>");
                    open -= 1;
                }
            }
            html.push_str(&"</div>".repeat(open));
            let mut tree = testing::tree(&html);
            let listed = tree.nodes.iter_mut().filter(|node| node.listed);
            for (number, (node, (texts, states))) in (0..).zip(listed.zip(texts.iter().zip(&states))) {
                dress(node, texts, *states, number);
            }
            let printed = lines::print(&tree, &PrintOptions::default());
            let parsed = parse(&printed.text).unwrap();
            prop_assert_eq!(parsed.len(), printed.nodes.len());
            for (line, &at) in parsed.iter().zip(&printed.nodes) {
                let ParsedContent::Node(node) = &line.content else { panic!("a note where a node was written") };
                prop_assert_eq!(&**node, &told(tree.get(at).unwrap()));
                prop_assert_eq!(line.depth, depth(&tree, at));
            }
        }

        #[test]
        fn no_text_makes_the_reader_fail_badly(text in any::<String>()) {
            // What comes out does not matter; that nothing panics does.
            prop_assert!(parse(&text).is_ok() || parse(&text).is_err());
        }
    }

    #[test]
    fn notes_and_lines_that_nobody_wrote_are_told_apart() {
        let read = parse("[open overlays]\n dialog \"Ask\" [ref_3]").unwrap();
        assert_eq!(read[0].content, ParsedContent::Note("open overlays".to_owned()));
        assert_eq!(read[1].depth, 1);
        for line in
            ["button", "button \"a", "Button \"a\"", "button \"a\" pink", "button \"a\" [ref_0]", "button \"a\"checked"]
        {
            assert_eq!(parse(line), Err(NotALine(1)), "{line}");
        }
    }
}
