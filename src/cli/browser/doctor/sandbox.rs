//! Whether Chromium's sandbox can work here.

use std::fs;
use std::path::Path;

use super::finding::Finding;

const CHECK: &str = "sandbox";

/// What decides about the sandbox.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub root: bool,
    /// `kernel.unprivileged_userns_clone`, which Debian's kernels had.
    pub clone: Option<String>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, which came with Ubuntu 23.10.
    pub apparmor: Option<String>,
    /// `user.max_user_namespaces`
    pub most: Option<String>,
    /// Whether a `chrome-sandbox` with the rights of root stands beside the browser.
    pub helper: bool,
}

impl Facts {
    pub fn of_this_machine(program: &Path) -> Self {
        // A value that is not there restricts nothing.
        let value = |path: &str| fs::read_to_string(path).ok();
        Self {
            root: rustix::process::geteuid().is_root(),
            clone: value("/proc/sys/kernel/unprivileged_userns_clone"),
            apparmor: value("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            most: value("/proc/sys/user/max_user_namespaces"),
            helper: has_helper(program),
        }
    }
}

fn has_helper(program: &Path) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let beside = program.canonicalize().ok().map(|real| real.with_file_name("chrome-sandbox"));
    let places = [Some("/usr/lib/chromium/chrome-sandbox".into()), beside];
    places
        .into_iter()
        .flatten()
        .any(|place| place.metadata().is_ok_and(|facts| facts.uid() == 0 && facts.permissions().mode() & 0o4000 != 0))
}

/// Says what the facts mean for the sandbox.
pub fn check(facts: &Facts) -> Finding {
    if facts.root {
        return Finding::note(
            CHECK,
            "off: as root, Chromium runs with `--no-sandbox`, so a page that breaks out of its process has root's rights",
            "run pageboy as another user for pages that you do not trust",
        );
    }
    let is = |value: &Option<String>, wanted: &str| value.as_deref().map(str::trim) == Some(wanted);
    let off = [
        (is(&facts.clone, "0"), "kernel.unprivileged_userns_clone", "1"),
        (is(&facts.most, "0"), "user.max_user_namespaces", "15000"),
    ];
    if let (Some((_, key, value)), false) = (off.iter().find(|(off, ..)| *off), facts.helper) {
        return Finding::problem(
            CHECK,
            format!("users may make no namespaces (`{key}` is 0), which Chromium's sandbox needs"),
            format!(
                "sudo sysctl -w {key}={value}\nor, with Debian's chromium: sudo apt-get install -y chromium-sandbox"
            ),
        );
    }
    if is(&facts.apparmor, "1") && !facts.helper {
        return Finding::note(
            CHECK,
            "AppArmor lets only programs with a profile make namespaces; browsers from packages bring one, others fail",
            "if the browser does not start: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        );
    }
    Finding::ok(CHECK, if facts.helper { "on, by `chrome-sandbox`" } else { "on, by user namespaces" })
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    fn with(clone: Option<&str>, apparmor: Option<&str>, most: Option<&str>, helper: bool) -> Finding {
        let own = |value: Option<&str>| value.map(str::to_owned);
        check(&Facts { root: false, clone: own(clone), apparmor: own(apparmor), most: own(most), helper })
    }

    #[test]
    fn each_setting_that_stops_the_sandbox_is_named_with_its_mend() {
        let off = with(Some("0\n"), None, Some("96364\n"), false);
        assert_eq!(off.level, Level::Problem);
        assert!(off.mend.is_some_and(|mend| mend.starts_with("sudo sysctl -w kernel.unprivileged_userns_clone=1\n")));
        let none = with(None, None, Some("0\n"), false);
        assert!(none.level == Level::Problem && none.message.contains("user.max_user_namespaces"), "{none}");
        let restricted = with(Some("1\n"), Some("1\n"), Some("5\n"), false);
        assert!(restricted.level == Level::Note && restricted.message.contains("AppArmor"), "{restricted}");
        for fine in [
            with(None, None, None, false),
            with(Some("0"), Some("1"), Some("0"), true),
            with(Some(""), Some("x"), Some("-1"), false),
        ] {
            assert_eq!(fine.level, Level::Ok, "{fine}");
        }
    }

    #[test]
    fn root_has_no_sandbox_whatever_the_settings() {
        let root = check(&Facts { root: true, clone: Some("0".into()), ..Facts::default() });
        assert!(root.level == Level::Note && root.message.contains("--no-sandbox"), "{root}");
    }
}
