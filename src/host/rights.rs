//! What a run may do. The door asks before each call; addresses are checked before they are opened.

use super::function::{Effect, Function};
use crate::error::{Error, Result};

/// The rights of a run. By default scripts open http and https addresses and run no JavaScript in pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rights {
    /// `--allow-js`: the script may run JavaScript in pages.
    pub js: bool,
    /// `--allow-all`: everything, any kind of address included.
    pub all: bool,
}

/// The schemes that a run may open without `--allow-all`.
const SCHEMES: [&str; 2] = ["http", "https"];

impl Rights {
    /// Checks whether the run may call the function at all.
    ///
    /// # Errors
    /// `policy::right`.
    pub fn check(self, function: &Function) -> Result<()> {
        if function.effect == Effect::Eval && !self.js && !self.all {
            return Err(Error::PolicyRight { function: function.name.into(), right: "js".into() });
        }
        Ok(())
    }

    /// Returns the whole address: an address without a scheme is taken relative to `base`.
    ///
    /// # Errors
    /// `policy::origin` for a scheme that may not be opened, `args::value` for what is no address.
    pub fn address(self, text: &str, base: &str) -> Result<String> {
        let text = text.trim();
        let wrong = |expected: &str| Error::ArgsValue {
            function: "open".into(),
            parameter: "url".into(),
            found: crate::script::quoted(text),
            expected: expected.into(),
        };
        let parsed = match url::Url::parse(text) {
            Ok(url) => url,
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                match url::Url::parse(base).and_then(|base| base.join(text)) {
                    Ok(url) if !text.is_empty() => url,
                    _ => return Err(wrong("a whole address such as \"https://example.com/\"")),
                }
            }
            Err(problem) => return Err(wrong(&format!("a valid address ({problem})"))),
        };
        let allowed = SCHEMES.contains(&parsed.scheme()) || parsed.as_str() == "about:blank";
        if !allowed && !self.all {
            return Err(Error::PolicyOrigin {
                url: text.to_owned(),
                expected: "an http or https address, or about:blank".into(),
                suggestion: with_scheme(text),
            });
        }
        Ok(parsed.into())
    }
}

/// Returns the address that `localhost:3000/cart` means: a host and a port without a scheme, which the grammar of
/// addresses takes for the scheme `localhost`.
fn with_scheme(text: &str) -> Option<String> {
    let (host, rest) = text.split_once(':')?;
    let is_host = host.contains('.') || host == "localhost";
    let whole = url::Url::parse(&format!("http://{text}")).ok()?;
    (is_host && rest.starts_with(|first: char| first.is_ascii_digit())).then(|| whole.into())
}

#[cfg(test)]
mod tests {
    use super::Rights;

    #[test]
    fn opens_web_addresses_only() {
        let rights = Rights::default();
        let base = "http://127.0.0.1:8000/a/b.html";
        assert_eq!(rights.address("https://x.test", base).as_deref(), Ok("https://x.test/"));
        assert_eq!(rights.address("c.html?d", base).as_deref(), Ok("http://127.0.0.1:8000/a/c.html?d"));
        assert_eq!(rights.address(" about:blank ", base).as_deref(), Ok("about:blank"));
        for text in ["file:///etc/passwd", "javascript:alert(1)", "chrome://crash", "view-source:http://a", "data:,x"] {
            assert_eq!(rights.address(text, base).map_err(|error| error.code()), Err("policy::origin"), "{text}");
        }
        assert_eq!(rights.address("", "about:blank").map_err(|error| error.code()), Err("args::value"));
        assert_eq!(rights.address("x", "about:blank").map_err(|error| error.code()), Err("args::value"));
        let help = |text: &str| rights.address(text, base).map_err(|error| error.help());
        assert_eq!(help("localhost:3000"), Err("write `http://localhost:3000/`".into()));
        assert_eq!(help("shop.test:80/a?b"), Err("write `http://shop.test/a?b`".into()));
        assert!(help("file:///etc/passwd").is_err_and(|help| help.contains("`--allow-all`")));
        assert!(help("tel:0123").is_err_and(|help| help.contains("`--allow-all`")));
        let all = Rights { js: false, all: true };
        assert_eq!(all.address("file:///a", base).as_deref(), Ok("file:///a"));
    }
}
