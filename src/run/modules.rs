//! Where the modules of a script come from: the standard library by bare name, then files beside the importing
//! script, never outside the main script's folder.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::error::Error;
use crate::lang::stdlib;
use crate::script::Script;

/// The scripts of a run by name, and the folders that they import from.
#[derive(Debug, Default)]
pub struct Scripts {
    all: HashMap<String, Script>,
    folders: HashMap<String, PathBuf>,
    root: Option<PathBuf>,
    most_bytes: usize,
}

impl Scripts {
    /// Starts with the main script. Without `root` only the standard library can be imported.
    pub fn new(main: &Script, root: Option<&Path>, most_bytes: usize) -> Self {
        let mut scripts = Self { root: root.and_then(|root| root.canonicalize().ok()), most_bytes, ..Self::default() };
        if let Some(root) = root {
            scripts.folders.insert(main.name.clone(), root.to_owned());
        }
        scripts.all.insert(main.name.clone(), main.clone());
        scripts
    }

    pub fn get(&self, name: &str) -> Option<&Script> {
        self.all.get(name)
    }

    #[cfg(test)]
    pub fn add(&mut self, script: Script) {
        self.all.insert(script.name.clone(), script);
    }

    /// Finds a module by the name in `import`, seen from the script `from`.
    ///
    /// # Errors
    /// `script::file` when there is no such module or it lies outside the script's folder.
    pub fn import(&mut self, name: &str, from: &str) -> Result<Script, Error> {
        if let Some(script) = stdlib::module(name) {
            self.all.insert(script.name.clone(), script.clone());
            return Ok(script);
        }
        let (script, folder) = self.file(name, from)?;
        self.folders.insert(script.name.clone(), folder);
        self.all.insert(script.name.clone(), script.clone());
        Ok(script)
    }

    fn file(&self, name: &str, from: &str) -> Result<(Script, PathBuf), Error> {
        let fail = |reason: &str| Error::ScriptFile { path: name.to_owned(), reason: reason.to_owned() };
        let (Some(folder), Some(root)) = (self.folders.get(from), &self.root) else {
            let known: Vec<_> = stdlib::names().map(|name| format!("`{name}`")).collect();
            return Err(fail(&format!("there is no such module; those of pageboy are {}", known.join(", "))));
        };
        let relative = relative(name).ok_or_else(|| fail("expected a path below the script's own folder"))?;
        let path = folder.join(&relative);
        // A link may lead elsewhere, and between this look and the reading it may be changed: so the file is read
        // through the path that was found to be inside.
        let real = path.canonicalize().map_err(|_| fail("there is no such file"))?;
        if !real.starts_with(root) {
            return Err(fail("it lies outside the script's own folder"));
        }
        let size = fs::metadata(&real).map_err(|error| fail(&error.to_string()))?.len();
        if size > self.most_bytes as u64 {
            return Err(fail(&format!("it has {size} bytes, expected at most {}", self.most_bytes)));
        }
        let text = Script::from_file(&real).map_err(|error| match error {
            Error::ScriptFile { reason, .. } => fail(&reason),
            other => other,
        })?;
        let shown = Path::new(from).parent().map_or_else(|| relative.clone(), |parent| parent.join(&relative));
        let folder = path.parent().map_or_else(|| folder.clone(), Path::to_owned);
        Ok((Script::from_text(shown.display().to_string(), text.text), folder))
    }
}

/// Returns the path below the folder, `.rhai` added where the name has no ending.
fn relative(name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.contains(['\\', '\0', ':']) {
        return None;
    }
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return None,
        }
    }
    path.file_name()?;
    if path.extension().is_none() {
        path.set_extension("rhai");
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("it is there");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("it is there")).expect("it is there");
            fs::write(path, text).expect("it is there");
        };
        write("own/lib/a.rhai", "1");
        write("own/lib/b.rhai", "2");
        write("outside.rhai", "3");
        write("own/big.rhai", &"x".repeat(2000));
        std::os::unix::fs::symlink(folder.path().join("outside.rhai"), folder.path().join("own/link.rhai"))
            .expect("it is there");
        folder
    }

    #[test]
    fn finds_library_and_neighbours() {
        let folder = folder();
        let mut scripts =
            Scripts::new(&Script::from_text("own/main.rhai", "0"), Some(&folder.path().join("own")), 1000);
        assert_eq!(scripts.import("forms", "own/main.rhai").expect("it is there").name, "std:forms");
        let a = scripts.import("./lib/a", "own/main.rhai").expect("it is there");
        assert_eq!((a.name.as_str(), a.text.as_str()), ("own/lib/a.rhai", "1"));
        assert_eq!(scripts.import("b.rhai", "own/lib/a.rhai").expect("it is there").text, "2");
        assert_eq!(scripts.get("own/lib/b.rhai").expect("it is there").text, "2");
    }

    #[test]
    fn refuses_what_lies_outside() {
        let folder = folder();
        let own = folder.path().join("own");
        let mut scripts = Scripts::new(&Script::from_text("main", "0"), Some(&own), 1000);
        for name in [
            "../outside",
            "/etc/passwd",
            "link",
            "lib/../../outside",
            "..\\outside",
            "none",
            "lib",
            "",
            ".",
            "big",
            "a\0b",
        ] {
            assert_eq!(scripts.import(name, "main").unwrap_err().code(), "script::file", "{name}");
        }
        let mut bare = Scripts::new(&Script::from_text("main", "0"), None, 1000);
        let error = bare.import("lib/a", "main").unwrap_err().to_string();
        assert!(error.contains("those of pageboy are `forms`"), "{error}");
    }
}
