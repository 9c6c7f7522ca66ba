//! The version that a browser tells of itself.

use std::path::Path;
use std::time::Duration;

use super::ask::{Answer, ask as ask_program};

/// How long a browser may take to tell its version.
const TIME: Duration = Duration::from_secs(10);

/// The first version that everything pageboy asks of a page works in. The newest of these is the option
/// `visibilityProperty` of `Element.checkVisibility` (CSSOM View, <https://github.com/w3c/csswg-drafts/pull/9549>;
/// in Chromium since commit position 1219676, which is 121): older ones ignore it and take what is
/// `visibility: hidden` for visible. `--headless=new` is there since 112.
pub const OLDEST: u32 = 121;

/// Asks a browser for its version.
///
/// # Errors
/// Why there is no answer, in words.
pub async fn ask(program: &Path) -> Result<Answer, String> {
    ask_program(program, &["--version"], TIME).await
}

/// Takes the version out of what the browser said.
///
/// # Errors
/// Why there is none, in words: what the browser wrote, or how it ended.
pub fn told(answer: &Result<Answer, String>) -> Result<String, String> {
    let answer = answer.as_ref().map_err(String::clone)?;
    let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    match (&answer.failure, line(&answer.stdout)) {
        (None, Some(version)) => Ok(version),
        (None, None) => Err("it printed nothing".into()),
        (Some(failure), _) => Err(match line(&answer.stderr) {
            Some(said) => format!("{failure}: {said}"),
            None => failure.clone(),
        }),
    }
}

/// Returns the major number of a version such as `Chromium 156.0.8078.114 built on Debian`.
pub fn major(version: &str) -> Option<u32> {
    let number = |word: &str| {
        let (major, rest) = word.split_once('.')?;
        let is_version = rest.starts_with(|first: char| first.is_ascii_digit());
        if is_version { major.parse().ok() } else { None }
    };
    version.split_whitespace().find_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_number_is_that_of_the_first_version() {
        for (version, major_number) in [
            ("Chromium 156.0.8078.114 built on Debian GNU/Linux 12 (bookworm)", Some(156)),
            ("Google Chrome for Testing 131.0.6778.204", Some(131)),
            ("Google Chrome 99.0.4844.51 unknown", Some(99)),
            ("Microsoft Edge 120.0.2210.91", Some(120)),
            ("Brave Browser 121.1.62.153", Some(121)),
            ("Chromium 121.0.6167.85 snap", Some(121)),
            ("Mozilla Firefox", None),
            ("v1.2", None),
            ("see http://example.test/. 12 files", None),
            ("", None),
        ] {
            assert_eq!(major(version), major_number, "{version}");
        }
    }

    #[test]
    fn what_the_browser_wrote_tells_why_it_has_no_version() {
        let answer = |stdout: &str, stderr: &str, failure: Option<&str>| {
            told(&Ok(Answer { stdout: stdout.into(), stderr: stderr.into(), failure: failure.map(str::to_owned) }))
        };
        assert_eq!(answer("\nChromium 1.2 \nmore", "noise", None), Ok("Chromium 1.2".into()));
        assert_eq!(answer("", "noise", None), Err("it printed nothing".into()));
        assert_eq!(answer("half", "\nlibx.so\n", Some("exit status: 127")), Err("exit status: 127: libx.so".into()));
        assert_eq!(told(&Err("no answer for 10 s".into())), Err("no answer for 10 s".into()));
    }
}
