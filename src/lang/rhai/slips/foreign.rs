//! Whole constructs of other languages: `match`, `import x from "y"`, `f"…{x}"`; and refs without quotes.

use rhai::ParseErrorType;

use super::{Pen, Slip, told};
use crate::host::function::bare_ref;
use crate::lang::rhai::fields::plain_text;
use crate::lang::rhai::lexer::{Kind, Token};
use crate::lang::rhai::spans::Span;

/// The most tokens that an `import` is looked for back from the fault.
const FAR: usize = 40;

impl Pen<'_> {
    pub(super) fn foreign(&self, error: &ParseErrorType) -> Option<Slip> {
        let named = || match error {
            ParseErrorType::VariableUndefined(name) => self.formatted(name).or_else(|| self.reference(name)),
            _ => None,
        };
        self.import().or_else(|| self.import_of_names()).or_else(|| self.matching()).or_else(named)
    }

    /// Returns the copy with a part blanked out, line ends excepted.
    fn without(&self, first: &Token, last: &Token) -> Option<String> {
        let text = self.around.text;
        let (head, tail) = (text.get(..first.bytes.start)?, text.get(last.bytes.end..)?);
        let blank = |character| if character == '\n' { '\n' } else { ' ' };
        let middle: String = text.get(first.bytes.start..last.bytes.end)?.chars().map(blank).collect();
        Some(format!("{head}{middle}{tail}"))
    }

    /// `import x from "y"`, `import { a } from "y"`, `import x`
    fn import(&self) -> Option<Slip> {
        let here = self.here();
        let at = (here.saturating_sub(FAR)..=here).rev().find(|at| self.at(*at) == "import")?;
        let (word, next) = (self.token(at)?, self.token(at + 1)?);
        let ends = |index: &usize| matches!(self.at(*index), ";" | "") || self.at(*index) == "import";
        let stop = (at + 1..at + FAR).find(ends)?;
        let from = (at + 1..stop).find(|index| self.at(*index) == "from");
        let path = from.and_then(|from| self.token(from + 1)).filter(|path| path.kind == Kind::Text);
        let names = |until: usize| {
            let tokens = self.around.tokens.get(at + 1..until).unwrap_or(&[]).iter();
            tokens.filter(|token| token.kind == Kind::Name).map(|token| self.shown(token)).collect::<Vec<_>>()
        };
        let (Some(from), Some(path)) = (from, path) else {
            let is_python = next.kind == Kind::Name
                && here == at + 1
                && self.token(at + 2).is_none_or(|t| t.line > next.line || self.at(at + 2) == ";");
            let name = self.shown(next);
            let slip = told(
                next,
                "a module is imported by its name as a text",
                format!("write `import \"{name}\" as {name};`"),
            );
            let mended = self.without(word, next);
            return is_python.then(|| Slip { mended, names: vec![name], ..slip });
        };
        if here > from + 1 {
            return None;
        }
        let names = names(from);
        let file = plain_text(path.text(self.around.text)).unwrap_or_default();
        let stem = file.rsplit('/').next().and_then(|last| last.split('.').next()).unwrap_or_default();
        let span = Span { start: (word.line, word.column), end: (path.end_line, path.end_column) };
        let written = self.shown(path);
        let mended = self.without(word, self.token(stop).filter(|_| self.at(stop) == ";").unwrap_or(path));
        let slip = Slip { span, mended, names: names.clone(), ..told(word, "Rhai imports a module as a whole", "") };
        Some(match names.as_slice() {
            [alias] if next.text(self.around.text) != "{" => {
                let instead = format!("import {written} as {alias}");
                let hint = format!("write `{instead};`, and call `{alias}::…(…)`");
                Slip { hint, instead: Some((word.bytes.start..path.bytes.end, instead)), ..slip }
            }
            names => {
                let first = names.first().map_or("…", String::as_str);
                let alias = if stem.is_empty() { "m" } else { stem };
                Slip { hint: format!("write `import {written} as {alias};`, and call `{alias}::{first}(…)`"), ..slip }
            }
        })
    }

    /// `from x import y`
    fn import_of_names(&self) -> Option<Slip> {
        let here = self.here();
        let (word, module) = (self.token(here)?, self.token(here + 1)?);
        let line = |index: usize| self.token(index).is_some_and(|token| token.line == word.line);
        if (self.at(here), self.at(here + 2)) != ("from", "import") || !line(here + 2) {
            return None;
        }
        let last = (here + 3..here + FAR).take_while(|at| line(*at) && self.at(*at) != ";").last()?;
        let tokens = self.around.tokens.get(here + 3..=last)?.iter();
        let names: Vec<String> =
            tokens.filter(|token| token.kind == Kind::Name).map(|token| self.shown(token)).collect();
        let (module, first) = (self.shown(module), names.first().cloned().unwrap_or_default());
        let hint = format!("write `import \"{module}\" as {module};`, and call `{module}::{first}(…)`");
        let mended = self.without(word, self.token(last)?);
        Some(Slip { mended, names, ..told(word, "Rhai imports a module as a whole", hint) })
    }

    /// `match x { 1 => …, _ => … }`
    fn matching(&self) -> Option<Slip> {
        let here = self.here();
        let at = [Some(here), here.checked_sub(1)].into_iter().flatten().find(|at| self.at(*at) == "match")?;
        let word = self.token(at)?;
        let open = (at + 1..self.around.tokens.len())
            .take_while(|index| self.at(*index) != ";")
            .find(|index| self.at(*index) == "{")?;
        let mut depth = 0_i32;
        let close = (open..self.around.tokens.len()).find(|index| {
            depth += match self.at(*index) {
                "{" | "#{" | "${" => 1,
                "}" => -1,
                _ => 0,
            };
            depth == 0
        })?;
        if !(open..close).any(|index| self.at(index) == "=>") {
            return None;
        }
        let slip = told(word, "Rhai has no `match`", "use `switch x { 1 => …, _ => … }`");
        let is_statement =
            matches!(self.before(at).map_or("", |before| before.text(self.around.text)), "" | ";" | "{" | "}");
        let blank = self.without(word, self.token(close)?)?;
        // A value stands for a value.
        let start = word.bytes.start;
        let value = || Some(format!("{}(){}", blank.get(..start)?, blank.get(start + 2..)?));
        let mended = if is_statement { Some(blank.clone()) } else { value() };
        Some(Slip { mended, instead: Some((word.bytes.clone(), "switch".into())), ..slip })
    }

    /// `f"hello {name}"`
    fn formatted(&self, name: &str) -> Option<Slip> {
        let here = self.here();
        let prefix = self.token(here).filter(|token| token.text(self.around.text) == name)?;
        let text =
            self.token(here + 1).filter(|text| text.kind == Kind::Text && text.bytes.start == prefix.bytes.end)?;
        let span = Span { start: (prefix.line, prefix.column), end: (text.end_line, text.end_column) };
        let bytes = prefix.bytes.start..text.bytes.end;
        let width = self.around.text.get(bytes.clone())?.chars().count().checked_sub(2)?;
        let mended = self.filled_up(&bytes, &format!("\"{}\"", "_".repeat(width)));
        let shown = self.shown(prefix);
        if !name.eq_ignore_ascii_case("f") {
            let hint = "write the text without it; one without escapes is written `#\"…\"#`";
            return Some(Slip { span, mended, ..told(prefix, format!("Rhai has no `{shown}\"…\"`"), hint) });
        }
        let slip = told(prefix, "Rhai has no f-strings", "values are filled in as `${…}` between back-ticks");
        let site = Span::of(text).site(&self.written.name);
        let inside = self.written.part(&site).trim_matches(['"', '\'']);
        let is_plain = !inside.contains(['`', '\\']) && !inside.contains("{{") && !inside.contains(['!', ':']);
        let instead = format!("`{}`", inside.replace('{', "${"));
        let hint = if is_plain { format!("write {instead}") } else { slip.hint.clone() };
        Some(Slip { span, mended, hint, instead: is_plain.then_some((bytes, instead)), ..slip })
    }

    /// `click(ref_12)`, `click([ref_12])`
    fn reference(&self, name: &str) -> Option<Slip> {
        let here = self.here();
        let token = self.token(here).filter(|token| token.text(self.around.text) == name)?;
        let written = format!("\"{}\"", bare_ref(name)?);
        let slip = told(token, "a ref is a text: it stands in quotes", format!("write `{written}`"));
        let (before, after) = (here.checked_sub(1)?, here + 1);
        let is_in_brackets =
            self.at(before) == "[" && self.at(after) == "]" && matches!(self.at(before.checked_sub(1)?), "(" | ",");
        if is_in_brackets {
            let bytes = self.token(before)?.bytes.start..self.token(after)?.bytes.end;
            return Some(self.put(slip, bytes, &written));
        }
        // A variable stands for it in the copy.
        Some(Slip { instead: Some((token.bytes.clone(), written)), ..slip })
    }

    /// `#{a: 1, a: 2}`
    pub(super) fn twice(&self, key: &str) -> Option<Slip> {
        let here = self.here();
        let is_key = |token: &&Token| token.text(self.around.text).trim_matches('"') == key;
        let at = [Some(here), here.checked_sub(1)]
            .into_iter()
            .flatten()
            .find(|at| self.token(*at).as_ref().is_some_and(is_key))?;
        let token = self.token(at)?;
        let shown = self.shown(token);
        let slip = told(
            token,
            format!("the key `{shown}` stands twice in this map"),
            "leave one of them out, or give it another name",
        );
        let width = key.chars().count();
        let is_free = |name: &String| {
            !self.around.tokens.iter().any(|token| token.text(self.around.text).contains(name.as_str()))
        };
        let other = ('a'..='z').map(|letter| letter.to_string().repeat(width)).find(is_free);
        let quote = if token.kind == Kind::Text { "\"" } else { "" };
        let mended = other.and_then(|name| self.filled_up(&token.bytes, &format!("{quote}{name}{quote}")));
        Some(Slip { mended, ..slip })
    }

    /// `` `hello ${x` ``
    pub(super) fn interpolation(&self) -> Option<Slip> {
        let here = self.here();
        let open = self.around.open_bracket(here).filter(|open| self.at(*open) == "${")?;
        let (sign, found) = (self.token(open)?, self.token(here));
        let slip = told(sign, "this `${` is still open", "close it with `}`");
        // A back-tick right behind the value ends the text, so the bracket belongs before it.
        let ends = found.filter(|found| found.line == sign.line && found.text(self.around.text).starts_with('`'));
        let Some(ends) = ends else { return Some(slip) };
        let inside = self.around.text.get(sign.bytes.start..ends.bytes.start)?;
        let start = ends.bytes.start;
        let hint = format!("write `{inside}}}`");
        Some(Slip { hint, instead: Some((start..start, "}".into())), ..slip })
    }
}
