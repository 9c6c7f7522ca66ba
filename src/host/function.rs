//! The shape of one row of the function table. A row feeds the script engines, the generated reference and the
//! static checks; its body is reached only through [`Host::call`](super::Host::call).

use std::pin::Pin;
use std::time::Duration;

use serde_json::Value;

use super::Host;
use super::args::Args;
use crate::budget::Budget;
use crate::error::Result;
use crate::reference::Ref;
use crate::script::quoted;

/// One function that scripts can call.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    /// How it is written, one line for each form, the usual form first.
    pub signatures: &'static [&'static str],
    /// The smallest and largest number of arguments, the options map included.
    pub arity: (usize, usize),
    /// Names and docs of the keys of the trailing options map.
    pub options: &'static [(&'static str, &'static str)],
    pub effect: Effect,
    pub topic: Topic,
    pub doc: &'static str,
    pub example: &'static str,
    pub(super) body: Body,
}

/// What a call does to the world outside the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing changes: it may be asked again.
    Read,
    /// Input, navigation or another change of the page. Stands in the effects of the outcome.
    Act,
    /// Runs JavaScript of the script in the page: needs `--allow-js`.
    Eval,
    /// Concerns the run only.
    Run,
    /// Belongs to the engine's side of a control function or a value; scripts can't name it.
    Engine,
}

/// Where the function stands in the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    Reading,
    Refs,
    Acting,
    Travelling,
    Waiting,
    Dialogs,
    Running,
}

pub(super) type Body = for<'a> fn(&'a mut Host, Args, Budget) -> Answer<'a>;
pub(super) type Answer<'a> = Pin<Box<dyn Future<Output = Result<Value>> + Send + 'a>>;

impl Function {
    /// Returns how long a call may take when its options do not say: actions and `find` 5 s, reads and waits 10 s,
    /// navigations 30 s. What concerns the run only has no deadline of its own.
    pub fn deadline(&self) -> Option<Duration> {
        match (self.effect, self.topic) {
            (Effect::Run, _) => None,
            (Effect::Act, Topic::Travelling) => Some(Duration::from_secs(30)),
            (Effect::Act, _) => Some(Duration::from_secs(5)),
            _ if self.name == "find" => Some(Duration::from_secs(5)),
            (Effect::Read | Effect::Eval | Effect::Engine, _) => Some(Duration::from_secs(10)),
        }
    }

    /// Returns whether the first argument is a ref.
    pub fn takes_ref(&self) -> bool {
        self.signatures.iter().any(|signature| parameters(signature).first().is_some_and(|first| first == "ref"))
    }

    /// Returns the call with a ref in place of a text that is none: `fill(find("City"), …)` for a name,
    /// `click(query("#id")[0])` for a CSS selector, `click("ref_5")` for a ref with something around it.
    pub fn with_ref(&self, text: &str) -> Option<String> {
        let start = format!("{}(ref", self.name);
        let rest = self.signatures.iter().find_map(|signature| signature.strip_prefix(&start))?;
        let more = if rest.starts_with(',') { ", …" } else { "" };
        Some(format!("{}({}{more})", self.name, in_place_of_ref(text)))
    }

    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|(known, _)| *known == name)
    }

    /// Returns the forms as one text for messages: `click(ref, #{…})`.
    pub fn takes(&self) -> String {
        self.signatures.join("` or `")
    }
}

/// Returns whether a text reads like a CSS selector and not like a name on a page.
pub fn is_selector(text: &str) -> bool {
    const TAGS: &[&str] = &[
        "a", "button", "div", "form", "iframe", "img", "input", "label", "li", "main", "nav", "ol", "option", "p",
        "section", "select", "span", "table", "td", "textarea", "tr", "ul",
    ];
    let text = text.trim();
    let is_name =
        |rest: &str| rest.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '-' | '_'));
    if let Some(rest) = text.strip_prefix(['#', '.']) {
        return is_name(rest);
    }
    let tag = text.split(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or("");
    let behind = text.get(tag.len()..).unwrap_or("");
    let is_attribute = behind.starts_with('[') && behind.contains(']') && bare_ref(behind).is_none();
    let is_tag = TAGS.contains(&tag);
    is_attribute && (is_tag || tag.is_empty())
        || is_tag && (behind.starts_with(['.', '#', ':', '>']) || behind.trim_start().starts_with('>'))
}

/// Returns what gives the ref that a text was meant for: `find("City")` for a name, `query("#id")[0]` for a CSS
/// selector, `"ref_5"` for a ref that is written in another way.
pub fn in_place_of_ref(text: &str) -> String {
    match bare_ref(text) {
        Some(reference) => format!("\"{reference}\""),
        None if is_selector(text) => format!("query({})[0]", quoted(text)),
        None => format!("find({})", quoted(text)),
    }
}

/// Returns the ref that a text spells in another way: `[ref_12]`, `#ref_12`, `ref12`, `Ref 12`.
pub fn bare_ref(text: &str) -> Option<Ref> {
    let inside = text.trim_matches(|character: char| !character.is_ascii_alphanumeric()).to_ascii_lowercase();
    let number = inside.strip_prefix("ref=").unwrap_or(&inside).strip_prefix("ref")?;
    format!("ref_{}", number.trim_start_matches(['_', '-', ' '])).parse().ok()
}

/// Splits the parameters of a signature such as `click(ref, #{…})`; a map with entries, as in `fill(#{label: value})`,
/// holds no options.
pub fn parameters(signature: &str) -> Vec<String> {
    let inside = signature.split_once('(').map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest));
    let mut names = vec![String::new()];
    let mut depth = 0;
    for character in inside.chars() {
        match character {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        match names.last_mut() {
            Some(last) if character != ',' || depth > 0 => last.push(character),
            _ => names.push(String::new()),
        }
    }
    let plain = |name: &String| match name.trim() {
        fields if fields.contains("#{") && fields.contains(':') => "fields".into(),
        options if options.contains("#{") => "options".into(),
        name => name.to_owned(),
    };
    names.iter().map(plain).filter(|name: &String| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_place_of_a_ref_is_turned_into_one() {
        let click = crate::host::table::function("click").expect("it is there");
        for (text, expected) in [
            ("Save", "click(find(\"Save\"))"),
            ("#id", "click(query(\"#id\")[0])"),
            (".primary", "click(query(\".primary\")[0])"),
            ("button[name=x]", "click(query(\"button[name=x]\")[0])"),
            ("[type=submit]", "click(query(\"[type=submit]\")[0])"),
            ("form > button", "click(query(\"form > button\")[0])"),
            ("[ref_5]", "click(\"ref_5\")"),
            (" ref_5 ", "click(\"ref_5\")"),
            ("ref5", "click(\"ref_5\")"),
            ("#ref_5", "click(\"ref_5\")"),
            ("ref-5", "click(\"ref_5\")"),
            ("ref=ref_5", "click(\"ref_5\")"),
            ("Refund 5", "click(find(\"Refund 5\"))"),
            ("reference", "click(find(\"reference\"))"),
            ("Save as…", "click(find(\"Save as…\"))"),
            ("a > b", "click(query(\"a > b\")[0])"),
            ("# 1", "click(find(\"# 1\"))"),
        ] {
            assert_eq!(click.with_ref(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn splits_signatures() {
        assert_eq!(parameters("click(ref, #{button, count})"), ["ref", "options"]);
        assert_eq!(parameters("fill(#{label: value})"), ["fields"]);
        assert_eq!(parameters("select(ref, [options])"), ["ref", "[options]"]);
        assert!(parameters("url()").is_empty());
    }
}
