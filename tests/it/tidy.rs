//! House rules that no compiler holds: layers, file size, a description at the top of each file, names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The layer of each room of `src`. A file may use its own layer and lower ones.
const LAYERS: &[(&str, u8)] = &[
    ("error", 0),
    ("script", 0),
    ("budget", 0),
    ("reference", 0),
    ("cdp", 1),
    ("page", 2),
    ("act", 3),
    ("host", 4),
    ("lang", 5),
    ("run", 6),
    ("session", 6),
    ("blocking", 6),
    ("cli", 7),
    ("demo", 7),
    ("bench", 7),
];

const LONGEST: usize = 500;

/// Names that say nothing about what a file owns.
const GRAB_BAGS: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc", "types", "manager"];

/// Text that has no place in `src`, with the reason.
const BANNED: &[(&str, &str)] = &[
    ("todo!(", "no stubs"),
    ("unimplemented!(", "no stubs"),
    ("#[ignore", "assert today's behavior instead"),
    ("#[allow(", "write `#[expect(…, reason = \"…\")]`"),
    ("dbg!(", "left from a search"),
];

#[test]
fn files_use_their_own_layer_and_lower_ones() {
    let layers: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    let mut found = Vec::new();
    for file in rust_files("src") {
        let Some(room) = room(&file.path) else { continue };
        let Some(layer) = layers.get(room.as_str()) else {
            found.push(format!("{}: `{room}` has no layer", file.path));
            continue;
        };
        for used in file.rooms_used() {
            match layers.get(used.as_str()) {
                Some(other) if other > layer => {
                    found.push(format!("{} (layer {layer}) uses `{used}` (layer {other})", file.path));
                }
                _ => {}
            }
        }
    }
    assert_none(&found);
}

#[test]
fn only_cdp_names_chromiumoxide() {
    let files = rust_files("src").into_iter().filter(|file| room(&file.path).as_deref() != Some("cdp"));
    let named = files.filter(|file| file.code().any(|(_, line)| line.contains("chromiumoxide")));
    assert_none(&named.map(|file| file.path).collect::<Vec<_>>());
}

#[test]
fn only_faces_write_to_the_terminal_or_read_the_environment() {
    let mut found = Vec::new();
    for file in rust_files("src") {
        // Where browsers lie is a question to the environment, also for programs that use the library.
        if matches!(room(&file.path).as_deref(), Some("cli" | "demo") | None) || file.path == "src/cdp/find.rs" {
            continue;
        }
        for (number, line) in file.shipped() {
            for banned in ["println!", "eprintln!", "print!(", "env::var", "home_dir"] {
                if line.contains(banned) {
                    found.push(format!("{}:{number}: `{banned}`", file.path));
                }
            }
        }
    }
    assert_none(&found);
}

#[test]
fn one_place_sleeps() {
    let mut found = Vec::new();
    for file in rust_files("src") {
        if file.path.ends_with("page/settle.rs") {
            continue;
        }
        let sleeps =
            file.shipped().filter(|(_, line)| line.contains("time::sleep(") || line.contains("thread::sleep("));
        found.extend(sleeps.map(|(number, _)| format!("{}:{number}", file.path)));
    }
    assert_none(&found);
}

#[test]
fn files_are_short_and_say_what_lives_in_them() {
    let mut found = Vec::new();
    for file in rust_files("src").into_iter().chain(rust_files("tests")) {
        let lines = file.text.lines().count();
        if lines > LONGEST {
            found.push(format!("{}: {lines} lines, {LONGEST} at most", file.path));
        }
        if !file.text.starts_with("//! ") {
            found.push(format!("{}: does not open with `//!`", file.path));
        }
        let stem = Path::new(&file.path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if stem.is_some_and(|stem| GRAB_BAGS.contains(&stem.as_str())) {
            found.push(format!("{}: name it after what it owns", file.path));
        }
    }
    assert_none(&found);
}

#[test]
fn nothing_banned_is_written() {
    let mut found = Vec::new();
    for file in rust_files("src").into_iter().chain(rust_files("tests")) {
        if file.path.ends_with("tidy.rs") {
            continue;
        }
        for (number, line) in file.code() {
            for (banned, reason) in BANNED.iter().filter(|(banned, _)| line.contains(banned)) {
                found.push(format!("{}:{number}: `{banned}`: {reason}", file.path));
            }
        }
        if file.path.starts_with("src/") {
            let unwraps = file.shipped().filter(|(_, line)| line.contains(".unwrap()"));
            found.extend(unwraps.map(|(number, _)| {
                format!("{}:{number}: `.unwrap()`: say why it can't fail, or return an error", file.path)
            }));
        }
    }
    assert_none(&found);
}

#[test]
fn nothing_knows_the_machine_it_was_written_on() {
    let mut found = Vec::new();
    for name in ["src", "tests", "examples", "scripts", ".ci"] {
        for path in all_files(&root().join(name)) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if path.ends_with("tests/it/tidy.rs") {
                continue;
            }
            for place in ["/home/", "/root/", "/Users/"] {
                if text.contains(place) {
                    found.push(format!("{} names {place}", path.display()));
                }
            }
        }
    }
    assert_none(&found);
}

#[test]
fn error_codes_are_unique_and_formed_alike() {
    let text = std::fs::read_to_string(root().join("src/error/code.rs")).expect("the codes");
    let arms = text.lines().filter_map(|line| line.split_once("=> \"")?.1.split_once('"'));
    let codes: Vec<_> = arms.map(|(code, _)| code.to_owned()).collect();
    assert!(codes.len() > 30, "only {} codes were found", codes.len());
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len(), "a code stands twice: {codes:?}");
    for code in &codes {
        let formed = code == "usage"
            || code.split_once("::").is_some_and(|(family, what)| {
                [family, what].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
            });
        assert!(formed, "`{code}` is not `family::what`");
    }
}

#[test]
fn no_test_file_is_forgotten() {
    let main = std::fs::read_to_string(root().join("tests/it/main.rs")).expect("main.rs");
    let files = rust_files("tests/it").into_iter().filter_map(|file| {
        let stem = Path::new(&file.path).file_stem()?.to_string_lossy().into_owned();
        (stem != "main" && !main.contains(&format!("mod {stem};"))).then_some(file.path)
    });
    assert_none(&files.collect::<Vec<_>>());
}

/// A Rust file of the project; the path is relative to its root.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Lines of code with their numbers: comments are left out.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The code that is shipped: without the test module at the end, and nothing of a file of tests.
    fn shipped(&self) -> impl Iterator<Item = (usize, &str)> {
        let is_test = ["tests.rs", "testing.rs"].iter().any(|end| self.path.ends_with(end));
        let is_test = is_test || (self.path.starts_with("src/") && self.path.contains("/tests/"));
        self.code().take_while(move |(_, line)| !is_test && !line.starts_with("#[cfg(test)]"))
    }

    /// Rooms that the file names by `crate::room` or `crate::{room, …}`.
    fn rooms_used(&self) -> BTreeSet<String> {
        let code: String = self.code().map(|(_, line)| format!("{line}\n")).collect();
        let mut rooms = BTreeSet::new();
        for place in code.split("crate::").skip(1) {
            let list = place.strip_prefix('{').and_then(|list| list.split_once('}')).map(|(list, _)| list);
            for item in list.unwrap_or(place).split(',') {
                let name: String =
                    item.trim().chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
                rooms.insert(name);
                if list.is_none() {
                    break;
                }
            }
        }
        rooms
    }
}

/// Returns the room of a file of `src`; `None` for `lib.rs` and `main.rs`, which join all of them.
fn room(path: &str) -> Option<String> {
    let inside = path.strip_prefix("src/")?;
    let first = inside.split('/').next()?.trim_end_matches(".rs");
    (!matches!(inside, "lib.rs" | "main.rs")).then(|| first.to_owned())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &str) -> Vec<File> {
    let files = all_files(&root().join(folder)).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"));
    files
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a source file is UTF-8");
            let path = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().into_owned();
            File { path, text }
        })
        .collect()
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(all_files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[track_caller]
fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}
