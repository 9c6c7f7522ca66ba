//! Keys by name and by character, on a US layout.

use crate::cdp::protocol::input::{DispatchKeyEventParams, DispatchKeyEventType};
use crate::error::{Error, Result};
use crate::script::quoted;

/// The bits that the protocol uses for modifier keys.
#[derive(Debug)]
pub struct Modifiers;

impl Modifiers {
    pub const ALT: i64 = 1;
    pub const CONTROL: i64 = 2;
    pub const META: i64 = 4;
    pub const SHIFT: i64 = 8;

    /// The words that scripts use.
    pub const WORDS: [&'static str; 4] = ["Alt", "Control", "Meta", "Shift"];

    /// Returns the bit of a modifier, `None` for any other key.
    pub fn from_word(word: &str) -> Option<i64> {
        match word.to_ascii_lowercase().as_str() {
            "alt" | "option" => Some(Self::ALT),
            "control" | "ctrl" => Some(Self::CONTROL),
            "meta" | "command" | "cmd" | "super" => Some(Self::META),
            "shift" => Some(Self::SHIFT),
            _ => None,
        }
    }
}

/// A key as the protocol describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The value of `KeyboardEvent.key`.
    pub key: String,
    /// The value of `KeyboardEvent.code`; empty where no key of the layout makes the character.
    pub code: &'static str,
    /// The Windows virtual key code, which is `KeyboardEvent.keyCode`.
    pub virtual_key: i64,
    /// What it types.
    pub text: Option<String>,
    /// Whether the layout needs Shift for it.
    pub shifted: bool,
}

/// A key pressed together with modifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    pub modifiers: i64,
    pub key: Key,
}

impl Chord {
    /// Returns whether it is a plain Enter, which may send a form.
    pub fn is_enter(&self) -> bool {
        self.modifiers == 0 && self.key.key == "Enter"
    }

    /// Returns whether it is a key that scrolls what has the focus, unless that takes it for something else.
    pub fn may_scroll(&self) -> bool {
        let key = self.key.key.as_str();
        matches!(key, "PageUp" | "PageDown" | "Home" | "End" | " ") || key.starts_with("Arrow")
    }
}

/// Name, code, virtual key, text.
const NAMED: &[(&str, &str, i64, Option<&str>)] = &[
    ("Enter", "Enter", 13, Some("\r")),
    ("Tab", "Tab", 9, None),
    ("Backspace", "Backspace", 8, None),
    ("Delete", "Delete", 46, None),
    ("Escape", "Escape", 27, None),
    ("Space", "Space", 32, Some(" ")),
    ("ArrowUp", "ArrowUp", 38, None),
    ("ArrowDown", "ArrowDown", 40, None),
    ("ArrowLeft", "ArrowLeft", 37, None),
    ("ArrowRight", "ArrowRight", 39, None),
    ("Home", "Home", 36, None),
    ("End", "End", 35, None),
    ("PageUp", "PageUp", 33, None),
    ("PageDown", "PageDown", 34, None),
    ("Insert", "Insert", 45, None),
    ("CapsLock", "CapsLock", 20, None),
    ("ContextMenu", "ContextMenu", 93, None),
    ("Pause", "Pause", 19, None),
    ("PrintScreen", "PrintScreen", 44, None),
    ("F1", "F1", 112, None),
    ("F2", "F2", 113, None),
    ("F3", "F3", 114, None),
    ("F4", "F4", 115, None),
    ("F5", "F5", 116, None),
    ("F6", "F6", 117, None),
    ("F7", "F7", 118, None),
    ("F8", "F8", 119, None),
    ("F9", "F9", 120, None),
    ("F10", "F10", 121, None),
    ("F11", "F11", 122, None),
    ("F12", "F12", 123, None),
    ("Shift", "ShiftLeft", 16, None),
    ("Control", "ControlLeft", 17, None),
    ("Alt", "AltLeft", 18, None),
    ("Meta", "MetaLeft", 91, None),
];

/// Other names for the same keys, in lower case.
const ALIASES: &[(&str, &str)] = &[
    ("esc", "Escape"),
    ("return", "Enter"),
    ("del", "Delete"),
    ("ins", "Insert"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("spacebar", "Space"),
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("super", "Meta"),
    ("option", "Alt"),
];

/// Code, virtual key, character, character with Shift.
const PRINTED: &[(&str, i64, char, char)] = &[
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Digit0", 48, '0', ')'),
    ("Minus", 189, '-', '_'),
    ("Equal", 187, '=', '+'),
    ("BracketLeft", 219, '[', '{'),
    ("BracketRight", 221, ']', '}'),
    ("Backslash", 220, '\\', '|'),
    ("Semicolon", 186, ';', ':'),
    ("Quote", 222, '\'', '"'),
    ("Backquote", 192, '`', '~'),
    ("Comma", 188, ',', '<'),
    ("Period", 190, '.', '>'),
    ("Slash", 191, '/', '?'),
    ("Space", 32, ' ', ' '),
];

const LETTERS: [&str; 26] = [
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL", "KeyM", "KeyN",
    "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX", "KeyY", "KeyZ",
];

/// Returns the key that types a character; `None` where the layout has none. A line feed is Enter, a tab is Tab.
pub fn of_char(character: char) -> Option<Key> {
    match character {
        '\n' | '\r' => return named("Enter"),
        '\t' => return named("Tab"),
        _ => {}
    }
    let typed = |code: &'static str, virtual_key: i64, shifted: bool| Key {
        key: character.to_string(),
        code,
        virtual_key,
        text: Some(character.to_string()),
        shifted,
    };
    if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        let place = usize::from(u8::try_from(upper).ok()? - b'A');
        return Some(typed(LETTERS.get(place)?, i64::from(u32::from(upper)), character.is_ascii_uppercase()));
    }
    PRINTED.iter().find_map(|&(code, virtual_key, plain, shifted)| {
        (character == plain || character == shifted).then(|| typed(code, virtual_key, character != plain))
    })
}

/// Returns a key by its name, in any case.
fn named(name: &str) -> Option<Key> {
    let lower = name.to_ascii_lowercase();
    let name = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(name, |(_, name)| name);
    NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(|&(known, code, virtual_key, text)| Key {
        key: if known == "Space" { " ".into() } else { known.into() },
        code,
        virtual_key,
        text: text.map(str::to_owned),
        shifted: false,
    })
}

/// Reads `Control+A`, `Enter`, `a`, `+` or `Control++`.
///
/// # Errors
/// `args::value` for a key that is not known, with the name that was most likely meant.
pub fn parse(keys: &str) -> Result<Chord> {
    let (before, last) = match keys {
        "+" => ("", "+"),
        _ if keys.ends_with("++") => (keys.strip_suffix("++").unwrap_or(keys), "+"),
        _ => keys.rsplit_once('+').unwrap_or(("", keys)),
    };
    let mut modifiers = 0;
    for word in before.split('+').filter(|_| !before.is_empty()) {
        modifiers |= Modifiers::from_word(word).ok_or_else(|| unknown(keys, word, &Modifiers::WORDS))?;
    }
    let mut characters = last.chars();
    let key = match (characters.next(), characters.next()) {
        (Some(only), None) => of_char(only).or_else(|| Some(unlisted(only))),
        _ => named(last),
    };
    let names: Vec<&str> = NAMED.iter().map(|(name, ..)| *name).collect();
    let mut key = key.ok_or_else(|| unknown(keys, last, &names))?;
    // `Control+A` is the key A with Control; only a written Shift presses Shift.
    if modifiers & (Modifiers::CONTROL | Modifiers::ALT | Modifiers::META) != 0 {
        if modifiers & Modifiers::SHIFT == 0 && key.code.starts_with("Key") {
            key.key = key.key.to_lowercase();
        }
        key.text = None;
    } else if modifiers & Modifiers::SHIFT != 0 {
        key = with_shift(key);
    }
    Ok(Chord { modifiers, key })
}

fn unlisted(character: char) -> Key {
    let text = character.to_string();
    Key { key: text.clone(), code: "", virtual_key: 0, text: Some(text), shifted: false }
}

fn with_shift(key: Key) -> Key {
    let shifted = if key.code.starts_with("Key") {
        key.key.chars().next().map(|letter| letter.to_ascii_uppercase())
    } else {
        PRINTED.iter().find(|(code, ..)| *code == key.code).map(|(_, _, _, shifted)| *shifted)
    };
    shifted.and_then(of_char).unwrap_or(key)
}

fn unknown(keys: &str, word: &str, known: &[&str]) -> Error {
    let lower = word.to_ascii_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_ascii_lowercase());
    let named =
        known.iter().map(|name| (distance(name), *name)).filter(|(distance, name)| *distance <= 2.max(name.len() / 3));
    // `Ctl` is nearer to `Ctrl` than to `Alt`. Of two letters, every other word is near.
    let aliased = ALIASES
        .iter()
        .filter(|(alias, name)| alias.len() > 2 && known.contains(name))
        .map(|(alias, name)| (distance(alias), *name))
        .filter(|(distance, _)| *distance <= 1);
    let near = named.chain(aliased).min();
    let expected = match near {
        Some((_, name)) => format!("`{name}` in place of `{word}`"),
        None => "a key such as \"Enter\", \"Control+A\" or \"a\"".into(),
    };
    // What is like no key may be a password that was to be typed.
    let found = if near.is_some() { quoted(keys) } else { format!("a text of {} characters", keys.chars().count()) };
    Error::ArgsValue { function: "press".into(), parameter: "keys".into(), found, expected }
}

/// Returns the events of pressing and letting go of a key with modifiers that are held already.
pub fn stroke(key: &Key, modifiers: i64) -> [DispatchKeyEventParams; 2] {
    let down = if key.text.is_some() { DispatchKeyEventType::KeyDown } else { DispatchKeyEventType::RawKeyDown };
    let mut press = event(down, key, modifiers);
    press.text.clone_from(&key.text);
    press.unmodified_text.clone_from(&key.text);
    press.commands = command(key, modifiers).map(|command| vec![command.to_owned()]);
    [press, event(DispatchKeyEventType::KeyUp, key, modifiers)]
}

/// Returns the events of a chord: modifiers down in order, the key, modifiers up in reverse.
pub fn strokes(chord: &Chord) -> Vec<DispatchKeyEventParams> {
    let held: Vec<(i64, Key)> = Modifiers::WORDS
        .iter()
        .filter_map(|word| Some((Modifiers::from_word(word)?, named(word)?)))
        .filter(|(bit, _)| chord.modifiers & bit != 0)
        .collect();
    let mut events = Vec::new();
    let mut modifiers = 0;
    for (bit, key) in &held {
        modifiers |= bit;
        events.push(event(DispatchKeyEventType::RawKeyDown, key, modifiers));
    }
    events.extend(stroke(&chord.key, modifiers));
    for (bit, key) in held.iter().rev() {
        modifiers &= !bit;
        events.push(event(DispatchKeyEventType::KeyUp, key, modifiers));
    }
    events
}

fn event(kind: DispatchKeyEventType, key: &Key, modifiers: i64) -> DispatchKeyEventParams {
    let mut params = DispatchKeyEventParams::new(kind);
    params.modifiers = Some(modifiers);
    params.key = Some(key.key.clone());
    params.code = Some(key.code.to_owned());
    params.windows_virtual_key_code = Some(key.virtual_key);
    params.native_virtual_key_code = Some(key.virtual_key);
    params
}

/// Returns the editing command of a Meta chord: on macOS the menu makes it, and events from outside pass the menu by.
fn command(key: &Key, modifiers: i64) -> Option<&'static str> {
    if modifiers & Modifiers::META == 0 || modifiers & (Modifiers::CONTROL | Modifiers::ALT) != 0 {
        return None;
    }
    match (key.code, modifiers & Modifiers::SHIFT != 0) {
        ("KeyA", false) => Some("selectAll"),
        ("KeyC", false) => Some("copy"),
        ("KeyX", false) => Some("cut"),
        ("KeyV", false) => Some("paste"),
        ("KeyZ", false) => Some("undo"),
        ("KeyZ", true) => Some("redo"),
        _ => None,
    }
}

/// Whether a chord takes text out of a field.
pub fn takes_out(chord: &Chord) -> bool {
    let main = chord.modifiers & (Modifiers::CONTROL | Modifiers::META) != 0;
    match chord.key.code {
        "KeyC" | "KeyX" | "Insert" => main,
        "Delete" => chord.modifiers & Modifiers::SHIFT != 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(keys: &str) -> (i64, String, &'static str, Option<String>) {
        let Chord { modifiers, key } = parse(keys).expect("a known key");
        (modifiers, key.key, key.code, key.text)
    }

    #[test]
    fn reads_names_characters_and_chords() {
        assert_eq!(chord("Enter"), (0, "Enter".into(), "Enter", Some("\r".into())));
        assert_eq!(chord("esc"), (0, "Escape".into(), "Escape", None));
        assert_eq!(chord("a"), (0, "a".into(), "KeyA", Some("a".into())));
        assert_eq!(chord("A"), (0, "A".into(), "KeyA", Some("A".into())));
        assert_eq!(chord("Control+A"), (2, "a".into(), "KeyA", None));
        assert_eq!(chord("ctrl+shift+ArrowLeft"), (10, "ArrowLeft".into(), "ArrowLeft", None));
        assert_eq!(chord("Shift+a"), (8, "A".into(), "KeyA", Some("A".into())));
        assert_eq!(chord("Shift+1"), (8, "!".into(), "Digit1", Some("!".into())));
        assert_eq!(chord("+"), (0, "+".into(), "Equal", Some("+".into())));
        assert_eq!(chord("Control++"), (2, "+".into(), "Equal", None));
        assert_eq!(chord(" "), (0, " ".into(), "Space", Some(" ".into())));
        assert_eq!(chord("é"), (0, "é".into(), "", Some("é".into())));
    }

    #[test]
    fn says_what_was_meant() {
        let Err(Error::ArgsValue { expected, .. }) = parse("Entr") else { panic!("not refused") };
        assert_eq!(expected, "`Enter` in place of `Entr`");
        let Err(Error::ArgsValue { found, .. }) = parse("correct horse") else { panic!("not refused") };
        assert_eq!(found, "a text of 13 characters");
        let Err(Error::ArgsValue { expected, .. }) = parse("Contrl+A") else { panic!("not refused") };
        assert_eq!(expected, "`Control` in place of `Contrl`");
        for keys in ["", "Control+", "abc", "Hyper+A"] {
            assert!(matches!(parse(keys), Err(Error::ArgsValue { .. })), "{keys}");
        }
    }

    #[test]
    fn holds_modifiers_around_the_key() {
        let kinds: Vec<(String, Option<i64>)> = strokes(&parse("Control+Shift+K").expect("known"))
            .into_iter()
            .map(|event| (format!("{:?} {}", event.r#type, event.code.unwrap_or_default()), event.modifiers))
            .collect();
        let expected = [
            ("RawKeyDown ControlLeft", 2),
            ("RawKeyDown ShiftLeft", 10),
            ("RawKeyDown KeyK", 10),
            ("KeyUp KeyK", 10),
            ("KeyUp ShiftLeft", 2),
            ("KeyUp ControlLeft", 0),
        ];
        assert_eq!(kinds, expected.map(|(event, held)| (event.to_owned(), Some(held))));
    }

    #[test]
    fn types_every_printable_ascii_character() {
        for character in ' '..='~' {
            let key = of_char(character).expect("on the layout");
            assert_eq!(key.text.as_deref(), Some(character.to_string().as_str()));
            assert!(key.virtual_key > 0 && !key.code.is_empty(), "{character}");
        }
        assert_eq!(of_char('é'), None);
        assert_eq!(of_char('\n').map(|key| key.key), Some("Enter".into()));
    }

    #[test]
    fn knows_what_takes_text_out() {
        for keys in ["Control+C", "Control+x", "Meta+C", "Control+Insert", "Shift+Delete"] {
            assert!(takes_out(&parse(keys).expect("known")), "{keys}");
        }
        assert!(!takes_out(&parse("Control+V").expect("known")));
    }
}
