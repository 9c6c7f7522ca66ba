//! Where a command reads its script: a file, or `-` for the standard input.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::script::Script;

/// The name that reports use for a script on stdin.
const STDIN: &str = "stdin";

/// Reads a script and returns it with the folder that its modules are imported from.
///
/// # Errors
/// `script::file`.
pub fn read(file: &Path) -> Result<(Script, Option<PathBuf>), Error> {
    if file == Path::new("-") {
        return Ok((from_stdin()?, Some(PathBuf::from("."))));
    }
    Ok((Script::from_file(file)?, folder(file)))
}

fn folder(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
}

fn from_stdin() -> Result<Script, Error> {
    let fail = |reason: String| Error::ScriptFile { path: STDIN.into(), reason };
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text).map_err(|error| fail(error.to_string()))?;
    if text.trim().is_empty() {
        return Err(fail("it is empty".into()));
    }
    Ok(Script::from_text(STDIN, text))
}
