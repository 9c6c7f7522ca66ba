//! The shape of one row of the function table. A row feeds the script engines, the generated reference and the
//! static checks; its body is reached only through [`Host::call`](super::Host::call).

use std::pin::Pin;
use std::time::Duration;

use serde_json::Value;

use super::Host;
use super::args::Args;
use crate::budget::Budget;
use crate::error::Result;

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

    /// Returns the call with a `find` for its ref, such as `fill(find("City"), …)`.
    pub fn with_find(&self, name: &str) -> Option<String> {
        let start = format!("{}(ref", self.name);
        let rest = self.signatures.iter().find_map(|signature| signature.strip_prefix(&start))?;
        let more = if rest.starts_with(',') { ", …" } else { "" };
        Some(format!("{}(find({}){more})", self.name, crate::script::quoted(name)))
    }

    /// Returns the forms as one text for messages: `click(ref, #{…})`.
    pub fn takes(&self) -> String {
        self.signatures.join("` or `")
    }
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
    fn splits_signatures() {
        assert_eq!(parameters("click(ref, #{button, count})"), ["ref", "options"]);
        assert_eq!(parameters("fill(#{label: value})"), ["fields"]);
        assert_eq!(parameters("select(ref, [options])"), ["ref", "[options]"]);
        assert!(parameters("url()").is_empty());
    }
}
