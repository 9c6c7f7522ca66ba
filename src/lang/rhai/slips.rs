//! Slips of the pen that do not parse: a comma, colon or quote that is missing, a `let` that was left out. What was
//! meant is clear from the words around, so each is told once, with the line as it should be.

mod foreign;

use std::ops::Range;

use rhai::{LexError, ParseErrorType};

use super::habits::Around;
use super::lexer::{Kind, Token};
use super::spans::Span;
use crate::host::function::{Function, bare_ref};
use crate::host::table;
use crate::script::Script;

/// What is wrong, how it is written, and the copy to read on with.
#[derive(Debug)]
pub struct Slip {
    pub span: Span,
    pub problem: String,
    pub hint: String,
    /// The bytes of the copy that were wrong and how they are written, where that is certain.
    pub instead: Option<(Range<usize>, String)>,
    /// The copy with the same columns, mended.
    pub mended: Option<String>,
    /// What was to be declared, such as a variable that lacks its `let`: its other uses are no faults of their own.
    pub names: Vec<String>,
}

/// Words for `else if` in other languages, in lower case and without `_`.
const ELSE_IF: &[&str] = &["elif", "elsif", "elseif", "elsief", "elsiif"];

/// Ends of addresses that are written without a scheme.
const HOSTS: &[&str] = &[".com", ".org", ".net", ".io", ".dev", ".app", ".de", ".uk", ".eu", ".fr", ".test"];

/// Looks for a slip at the fault. `written` is the script as its author wrote it, with the lines and columns of the
/// copy.
pub fn slip(around: &Around<'_>, written: &Script, error: &ParseErrorType) -> Option<Slip> {
    let pen = Pen { around, written };
    let wherever = pen
        .foreign(error)
        .or_else(|| pen.address(error))
        .or_else(|| pen.selector())
        .or_else(|| pen.branch())
        .or_else(|| pen.anonymous());
    wherever.or_else(|| match error {
        ParseErrorType::DuplicatedProperty(key) => pen.twice(key),
        ParseErrorType::BadInput(LexError::UnterminatedString) => pen.interpolation(),
        ParseErrorType::MissingToken(token, place) if token == ":" && place.contains("object map") => pen.colon(),
        ParseErrorType::MissingToken(token, _)
            if matches!(token.as_str(), ";" | "}")
                && pen.closes()
                && let Some(slip) = pen.interpolation() =>
        {
            Some(slip)
        }
        // A word from another language explains more than the sign that is missing beside it.
        ParseErrorType::MissingToken(..) if around.habit().is_some() => None,
        ParseErrorType::MissingToken(token, place) => match token.as_str() {
            "," | "}" if place.contains("object map") => pen.entry(),
            "," if place.contains("array") => pen.comma("two items of an array"),
            "," if place.contains("function call") => pen.still_open().or_else(|| pen.comma("two arguments")),
            "in" => pen.walk(),
            "{" => pen.catching().or_else(|| pen.body()),
            _ => None,
        },
        ParseErrorType::VariableUndefined(name) => {
            pen.declaration(name).or_else(|| pen.key_in_array(name)).or_else(|| {
                let form = *table::function(name)?.signatures.first()?;
                pen.brackets(name, form)
            })
        }
        ParseErrorType::Reserved(word) if matches!(word.as_str(), "print" | "debug") => {
            pen.brackets(word, &format!("{word}(…)"))
        }
        _ => None,
    })
}

/// Returns the scheme that an address without one most likely has: the one of a host name that it begins with.
pub fn scheme_of_host(address: &str) -> Option<&'static str> {
    let host = address.split(['/', '?', '#']).next().unwrap_or(address);
    let name = host.split(':').next().unwrap_or(host);
    let is_loopback = matches!(name, "localhost" | "127.0.0.1");
    let is_host = host.starts_with("www.") || is_loopback || HOSTS.iter().any(|end| name.ends_with(end));
    is_host.then_some(if is_loopback { "http" } else { "https" })
}

struct Pen<'a> {
    around: &'a Around<'a>,
    written: &'a Script,
}

fn told(token: &Token, problem: impl Into<String>, hint: impl Into<String>) -> Slip {
    let (problem, hint) = (problem.into(), hint.into());
    Slip { span: Span::of(token), problem, hint, instead: None, mended: None, names: Vec::new() }
}

impl<'a> Pen<'a> {
    fn here(&self) -> usize {
        self.around.index
    }

    fn at(&self, index: usize) -> &'a str {
        self.around.at(Some(index))
    }

    fn token(&self, index: usize) -> Option<&'a Token> {
        self.around.tokens.get(index)
    }

    /// Returns whether the fault stands at a bracket or a sign that ends something.
    fn closes(&self) -> bool {
        matches!(self.at(self.here()), ")" | "]" | "," | ";" | "")
    }

    fn before(&self, index: usize) -> Option<&'a Token> {
        self.token(index.checked_sub(1)?)
    }

    /// Returns what the author wrote in place of a token, cut where it is long.
    fn shown(&self, token: &Token) -> String {
        let text = self.written.part(&Span::of(token).site(&self.written.name));
        let short: String = text.chars().take(40).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    }

    /// Puts a text in place of another; the copy is mended where the new one is not longer.
    fn put(&self, slip: Slip, bytes: Range<usize>, instead: &str) -> Slip {
        let mended = self.filled_up(&bytes, instead);
        Slip { instead: Some((bytes, instead.to_owned())), mended, ..slip }
    }

    fn filled_up(&self, bytes: &Range<usize>, instead: &str) -> Option<String> {
        let text = self.around.text;
        let width = text.get(bytes.clone())?.chars().count();
        let (head, tail) = (text.get(..bytes.start)?, text.get(bytes.end..)?);
        (instead.chars().count() <= width).then(|| format!("{head}{instead:width$}{tail}"))
    }

    /// Adds a sign behind a token; in the copy it takes the place of the blank there, or stands at the line's end.
    fn add(&self, slip: Slip, after: &Token, sign: &str) -> Slip {
        let end = after.bytes.end;
        let mended = || {
            let (head, tail) = (self.around.text.get(..end)?, self.around.text.get(end..)?);
            match tail.chars().next() {
                Some(' ' | '\t') => Some(format!("{head}{sign}{}", tail.get(1..)?)),
                None | Some('\n' | '\r') => Some(format!("{head}{sign}{tail}")),
                Some(_) => None,
            }
        };
        Slip { mended: mended(), instead: Some((end..end, sign.to_owned())), ..slip }
    }

    /// Returns what the author wrote from a token on, up to where an argument ends.
    fn raw(&self, token: &Token) -> &'a str {
        let line = self.written.line(token.line);
        let start = line.char_indices().nth(token.column - 1).map_or(line.len(), |(at, _)| at);
        let rest = line.get(start..).unwrap_or("");
        let ends =
            |character: char| character.is_whitespace() || matches!(character, ')' | ',' | ';' | '"' | '\'' | '`');
        rest.get(..rest.find(ends).unwrap_or(rest.len())).unwrap_or("")
    }

    /// Returns the bytes of the copy where `raw` stands.
    fn bytes_of(&self, token: &Token, raw: &str) -> Option<Range<usize>> {
        let rest = self.around.text.get(token.bytes.start..)?;
        let length: usize = rest.chars().take(raw.chars().count()).map(char::len_utf8).sum();
        Some(token.bytes.start..token.bytes.start + length)
    }

    /// Puts quotes around what was written without them.
    fn quoted(&self, slip: Slip, token: &Token, raw: &str) -> Option<Slip> {
        let bytes = self.bytes_of(token, raw)?;
        // What the text says is told already; the copy only needs one of the same width.
        let mended = self.filled_up(&bytes, &format!("\"{}\"", "_".repeat(raw.chars().count().checked_sub(2)?)));
        let width = raw.chars().count();
        let end = (token.line, token.column + width);
        let span = Span { start: (token.line, token.column), end };
        Some(Slip { span, instead: Some((bytes, format!("\"{raw}\""))), mended, ..slip })
    }

    /// `open(https://…)`, `open(localhost:3000)`: the engine stops at the first word, or at the colon behind it.
    fn address(&self, error: &ParseErrorType) -> Option<Slip> {
        let here = self.here();
        [Some(here), here.checked_sub(1)].into_iter().flatten().find_map(|index| {
            let token = self.token(index).filter(|token| token.kind == Kind::Name)?;
            let (word, raw) = (token.text(self.around.text), self.raw(token));
            let is_url = raw.strip_prefix(word).is_some_and(|rest| rest.starts_with("://"));
            if is_url {
                let slip = told(token, "this address stands in no quotes", format!("write `\"{raw}\"`"));
                return self.quoted(slip, token, raw);
            }
            let scheme = scheme_of_host(raw);
            let call = self.around.called(index).filter(|call| matches!(*call, "open" | "new_tab"))?;
            let is_undefined = matches!(error, ParseErrorType::VariableUndefined(name) if name == word) || index < here;
            let scheme = scheme.filter(|_| is_undefined)?;
            let hint = format!("write `{call}(\"{scheme}://{raw}\")`");
            let slip = self.quoted(told(token, "this address stands in no quotes", hint), token, raw)?;
            // Which scheme it has, only the author knows.
            Some(Slip { instead: None, ..slip })
        })
    }

    /// `click(#id)`, `click(.name)`
    fn selector(&self) -> Option<Slip> {
        let here = self.here();
        [Some(here), here.checked_sub(1), Some(here + 1)].into_iter().flatten().find_map(|index| {
            let sign = self.token(index).filter(|sign| matches!(sign.text(self.around.text), "#" | "."))?;
            let is_first = matches!(self.before(index)?.text(self.around.text), "(" | ",");
            let name =
                self.token(index + 1).filter(|name| name.kind == Kind::Name && name.bytes.start == sign.bytes.end);
            let call = self.around.called(index).filter(|_| is_first && name.is_some())?;
            let raw = self.raw(sign);
            let takes_ref = table::function(call).is_some_and(Function::takes_ref);
            if let Some(reference) = bare_ref(raw).filter(|_| takes_ref) {
                let slip = told(sign, "a ref is a text: it stands in quotes", format!("write `\"{reference}\"`"));
                let bytes = self.bytes_of(sign, raw)?;
                return Some(Slip {
                    instead: Some((bytes, format!("\"{reference}\""))),
                    ..self.quoted(slip, sign, raw)?
                });
            }
            let hint =
                if takes_ref { format!("write `{call}(query(\"{raw}\")[0])`") } else { format!("write `\"{raw}\"`") };
            let slip = told(sign, "this CSS selector stands in no quotes", hint);
            let slip = self.quoted(slip, sign, raw)?;
            Some(if takes_ref { Slip { instead: None, ..slip } } else { slip })
        })
    }

    /// `elif`, `els if`, `else f`
    fn branch(&self) -> Option<Slip> {
        let here = self.here();
        let token = self.token(here).filter(|token| token.kind == Kind::Name)?;
        let word = token.text(self.around.text);
        let lower = word.to_lowercase().replace('_', "");
        let before = self.before(here)?;
        match before.text(self.around.text) {
            "}" if ELSE_IF.contains(&lower.as_str()) => {
                let slip = told(token, format!("Rhai has no `{word}`"), "use `else if`");
                let mended = self.filled_up(&token.bytes, "if");
                Some(Slip { instead: Some((token.bytes.clone(), "else if".into())), mended, ..slip })
            }
            "}" if matches!(self.at(here + 1), "if" | "{") && strsim::damerau_levenshtein(&lower, "else") <= 2 => {
                let slip = told(token, format!("Rhai has no `{word}`"), "use `else`");
                let mended = self.filled_up(&token.bytes, "");
                Some(Slip { instead: Some((token.bytes.clone(), "else".into())), mended, ..slip })
            }
            "else" if strsim::damerau_levenshtein(&lower, "if") <= 1 => {
                let slip = told(token, format!("found `{word}`, expected `if` or `{{`"), "use `else if`");
                let mended = self.filled_up(&(before.bytes.start..token.bytes.end), "if");
                Some(Slip { instead: Some((token.bytes.clone(), "if".into())), mended, ..slip })
            }
            _ => None,
        }
    }

    /// What stands behind the key of a map where a colon should.
    fn colon(&self) -> Option<Slip> {
        let here = self.here();
        let (key, found) = (self.before(here)?, self.token(here)?);
        let name = self.shown(key);
        match found.text(self.around.text) {
            sign @ ("=" | "=>" | "->" | "==" | ":=") => {
                let problem = format!("found `{sign}`, expected `:` between a key and its value");
                let slip = told(found, problem, format!("write `{name}: …`"));
                Some(self.put(slip, found.bytes.clone(), ":"))
            }
            "," | "}" => Some(told(key, format!("the key `{name}` has no value"), format!("write `{name}: …`"))),
            _ if key.kind != Kind::Text && self.key_end(here).is_some() => self.blanks_in_key(key, self.key_end(here)?),
            _ if self.begins_value(here) => {
                let value = self.shown(found);
                let problem = format!("found `{value}`, expected `:` behind the key `{name}`");
                Some(self.add(told(key, problem, format!("write `{name}: {value}`")), key, ":"))
            }
            _ => None,
        }
    }

    /// `First name: "x"`
    fn blanks_in_key(&self, key: &Token, last: usize) -> Option<Slip> {
        let last = self.token(last)?;
        let span = Span { start: (key.line, key.column), end: (last.end_line, last.end_column) };
        let name = self.written.part(&span.site(&self.written.name)).to_owned();
        let slip = told(key, format!("the key `{name}` is more than one word"), format!("write `\"{name}\": …`"));
        let bytes = key.bytes.start..last.bytes.end;
        let plain = |character: char| if character.is_alphanumeric() { character } else { '_' };
        let one_word: String = self.around.text.get(bytes.clone())?.chars().map(plain).collect();
        let mended = self.filled_up(&bytes, &one_word);
        Some(Slip { span, instead: Some((bytes, format!("\"{name}\""))), mended, ..slip })
    }

    /// Returns the last token of a key of several words that goes on at a token: its colon stands on the same line.
    fn key_end(&self, from: usize) -> Option<usize> {
        const MOST_WORDS: usize = 12;
        let line = self.token(from)?.line;
        let ahead = (from..from + MOST_WORDS).map_while(|at| self.token(at).map(|token| (at, token)));
        let mut ahead = ahead.take_while(|(_, token)| token.line == line && token.kind != Kind::Text);
        let (at, end) =
            ahead.find(|(_, token)| matches!(token.text(self.around.text), ":" | "," | ";" | "}" | "{" | "#{"))?;
        (end.text(self.around.text) == ":").then(|| at.checked_sub(1)).flatten()
    }

    /// What stands behind the value of a map's entry where a comma should.
    fn entry(&self) -> Option<Slip> {
        let here = self.here();
        let found = self.token(here)?;
        let is_key = |at: usize| {
            let is_word = self.token(at).is_some_and(|token| !matches!(token.kind, Kind::Sign));
            is_word && (matches!(self.at(at + 1), ":" | "=") || self.key_end(at).is_some())
        };
        if found.text(self.around.text) == ";" && (is_key(here + 1) || self.at(here + 1) == "}") {
            let slip = told(found, "found `;`, expected `,` between two entries of a map", "write `,` here");
            return Some(self.put(slip, found.bytes.clone(), ","));
        }
        if is_key(here) { self.comma("two entries of a map") } else { None }
    }

    /// Two values without a comma between them.
    fn comma(&self, between: &str) -> Option<Slip> {
        let here = self.here();
        let before = self.before(here).filter(|_| self.begins_value(here))?;
        let found = self.shown(self.token(here)?);
        let problem = format!("found `{found}`, expected `,` between {between}");
        let slip = told(before, problem, format!("add `,` after `{}`", self.shown(before)));
        Some(self.add(slip, before, ","))
    }

    fn begins_value(&self, index: usize) -> bool {
        let is_word = |token: &Token| matches!(token.kind, Kind::Name | Kind::Number | Kind::Text);
        let is_value = matches!(self.at(index), "#{" | "[" | "{" | "true" | "false" | "|" | "||");
        is_value || self.token(index).is_some_and(is_word)
    }

    /// `click(find("Save")` and the next statement on the next line.
    fn still_open(&self) -> Option<Slip> {
        let here = self.here();
        let (before, found) = (self.before(here)?, self.token(here)?);
        let open = self.around.open_bracket(here)?;
        let name = self.before(open)?;
        let line = self.token(open)?.line;
        // A brace at the start of its line ends the closure in the call.
        let ends_block = before.text(self.around.text) == "}" && self.before(here - 1)?.end_line < before.line;
        let is_next_line = found.line > before.end_line && (line == before.end_line || ends_block);
        if !is_next_line || self.around.ends_statement() {
            return None;
        }
        let place = if ends_block { format!("of line {line} ") } else { String::new() };
        let problem = format!("`{}(` {place}is still open at the end of line {}", self.shown(name), before.end_line);
        let slip = told(before, problem, format!("add `)` after `{}`", self.shown(before)));
        let mended = self.add(slip, before, ");");
        if ends_block {
            return Some(mended);
        }
        // Which of several brackets lacks its partner, only the author knows.
        Some(Slip { instead: None, ..mended })
    }

    /// `for x of list`
    fn walk(&self) -> Option<Slip> {
        let found = self.token(self.here())?;
        let word = found.text(self.around.text);
        if !matches!(word, "of" | ":" | "=" | "on") {
            return None;
        }
        let item = self.shown(self.before(self.here())?);
        let slip = told(found, format!("found `{word}`, expected `in`"), format!("write `for {item} in … {{ … }}`"));
        // A colon stands close to the word before it.
        let instead = if word == ":" { " in" } else { "in" };
        Some(self.put(slip, found.bytes.clone(), instead))
    }

    /// `if c log("x");`
    fn body(&self) -> Option<Slip> {
        let found =
            self.token(self.here()).filter(|found| found.kind == Kind::Keyword || self.begins_value(self.here()))?;
        let problem = format!("found `{}`, expected `{{`", self.shown(found));
        Some(told(found, problem, "what a condition or a loop governs stands in `{` and `}`, also one statement"))
    }

    /// `x = find("Save");` without a `let` before.
    fn declaration(&self, name: &str) -> Option<Slip> {
        let here = self.here();
        let token = self.token(here).filter(|token| token.text(self.around.text) == name)?;
        let starts = matches!(self.around.before(), "" | ";" | "{" | "}");
        let is_near = |other: &&str| other.chars().count() > 3 && strsim::damerau_levenshtein(other, name) <= 2;
        // A name that is declared elsewhere, or nearly, has another cause.
        let is_known = self.around.names().iter().any(|other| *other == name || is_near(other));
        if !starts || self.at(here + 1) != "=" || is_known {
            return None;
        }
        let problem = format!("`{name}` is set and was never declared");
        let slip = told(token, problem, format!("write `let {name} = …`"));
        let sign = self.token(here + 1)?;
        let mended = self.filled_up(&(token.bytes.start..sign.bytes.end), "");
        let start = token.bytes.start;
        Some(Slip { instead: Some((start..start, "let ".into())), mended, names: vec![name.into()], ..slip })
    }

    /// `function(x) { … }` and `fn() { … }` where a value should stand.
    fn anonymous(&self) -> Option<Slip> {
        let here = self.here();
        let is_word =
            |at: usize| matches!(self.at(at), "fn" | "function" | "func" | "lambda") && self.at(at + 1) == "(";
        // The engine takes `function(x)` for a call and stops at the block behind it.
        let called = || {
            let close =
                self.before(here).filter(|close| close.text(self.around.text) == ")" && self.at(here) == "{")?;
            let at = self.around.tokens.iter().position(|token| token == close)?;
            self.around.open_bracket(at)?.checked_sub(1)
        };
        let at = if is_word(here) { here } else { called().filter(|at| is_word(*at))? };
        let (word, open) = (self.token(at)?, self.token(at + 1)?);
        let close = (at + 2..self.around.tokens.len()).find(|close| self.at(*close) == ")")?;
        let is_value =
            matches!(self.before(at).map_or("", |before| before.text(self.around.text)), "(" | "," | "=" | ":");
        if !is_value || self.at(close + 1) != "{" {
            return None;
        }
        let (close, at_open) = (self.token(close)?, close + 1);
        let parameters = self.around.text.get(open.bytes.end..close.bytes.start)?;
        let bars = format!("|{parameters}|");
        let problem = format!("Rhai has no `{}` for a value", self.shown(word));
        let slip = told(word, problem, format!("write a closure: `{bars} …`"));
        // Words stay apart from the brace behind them.
        let gap = if close.bytes.end == self.token(at_open)?.bytes.start { " " } else { "" };
        Some(self.put(slip, word.bytes.start..close.bytes.end, &format!("{bars}{gap}")))
    }

    /// `catch e { … }`
    fn catching(&self) -> Option<Slip> {
        let here = self.here();
        let name = self.token(here).filter(|name| name.kind == Kind::Name && self.at(here + 1) == "{")?;
        self.before(here).filter(|before| before.text(self.around.text) == "catch")?;
        let shown = self.shown(name);
        let slip = told(name, format!("`{shown}` stands in no brackets"), format!("write `catch ({shown}) {{ … }}`"));
        let around = name.bytes.start.checked_sub(1)?..name.bytes.end + 1;
        let is_free =
            self.around.text.get(around.clone()).is_some_and(|text| text.starts_with(' ') && text.ends_with(' '));
        let mended = self.filled_up(&around, &format!("({shown})")).filter(|_| is_free);
        Some(Slip { instead: Some((name.bytes.clone(), format!("({shown})"))), mended, ..slip })
    }

    /// `[product: "x"]`
    fn key_in_array(&self, name: &str) -> Option<Slip> {
        let here = self.here();
        let token = self.token(here).filter(|token| token.text(self.around.text) == name)?;
        let is_in_array = self.around.open_bracket(here).is_some_and(|open| self.at(open) == "[");
        if !is_in_array || self.at(here + 1) != ":" {
            return None;
        }
        let slip = told(token, "names and values stand in a map, not in an array", format!("write `#{{{name}: …}}`"));
        let mended = self.filled_up(&(token.bytes.start..self.token(here + 1)?.bytes.end), "");
        Some(Slip { mended, ..slip })
    }

    /// `print "x"`, `assert title() == "x"`
    fn brackets(&self, word: &str, form: &str) -> Option<Slip> {
        let here = self.here();
        let token = self.token(here).filter(|token| token.text(self.around.text) == word)?;
        let value = self.token(here + 1).filter(|value| value.line == token.line && self.begins_value(here + 1))?;
        let slip = told(token, format!("`{word}` needs its argument in brackets"), format!("write `{form}`"));
        let mended = self.filled_up(&token.bytes, "");
        let ends = matches!(self.at(here + 2), "" | ";" | "}")
            || self.token(here + 2).is_some_and(|next| next.line > value.line);
        let instead = ends.then(|| (token.bytes.start..value.bytes.end, format!("{word}({})", self.shown(value))));
        Some(Slip { instead, mended, ..slip })
    }
}
