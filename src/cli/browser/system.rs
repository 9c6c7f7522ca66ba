//! What kind of system this is, and how packages get installed on it.

use std::fs;
use std::path::{Path, PathBuf};

/// A family of systems that share a package manager and the names of packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Debian,
    Fedora,
    Arch,
    Suse,
    Alpine,
    Mac,
}

/// What decides how something is installed here.
#[derive(Debug, Clone)]
pub struct System {
    /// `ID` of `/etc/os-release`, then the words of `ID_LIKE`; `macos` on a Mac.
    pub names: Vec<String>,
    /// The number before the first point of `VERSION_ID`.
    version: Option<u32>,
    pub root: bool,
    pub sudo: Option<PathBuf>,
    pub has_program: fn(&str) -> bool,
}

impl System {
    pub fn of_this_machine() -> Self {
        let exists = |program: &str| Path::new(program).is_file();
        let sudo = Some(PathBuf::from("/usr/bin/sudo")).filter(|sudo| sudo.is_file());
        let text = if cfg!(target_os = "macos") {
            "ID=macos".to_owned()
        } else {
            // A system without the file is one that no package manager is known for.
            fs::read_to_string("/etc/os-release").unwrap_or_default()
        };
        Self::new(&text, rustix::process::geteuid().is_root(), sudo, exists)
    }

    pub fn new(os_release: &str, root: bool, sudo: Option<PathBuf>, has_program: fn(&str) -> bool) -> Self {
        let names = format!("{} {}", value(os_release, "ID"), value(os_release, "ID_LIKE"));
        let version = value(os_release, "VERSION_ID");
        Self {
            names: names.split_whitespace().map(str::to_lowercase).collect(),
            version: version.split('.').next().and_then(|major| major.parse().ok()),
            root,
            sudo,
            has_program,
        }
    }

    /// Says whether this is the system of that name itself, not one that is like it.
    pub fn is(&self, name: &str) -> bool {
        self.names.first().is_some_and(|own| own == name)
    }

    pub fn is_like(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }

    pub fn family(&self) -> Option<Family> {
        let known = |name: &String| match name.as_str() {
            "debian" | "ubuntu" => Some(Family::Debian),
            "fedora" | "rhel" | "centos" => Some(Family::Fedora),
            "arch" => Some(Family::Arch),
            "suse" | "opensuse" => Some(Family::Suse),
            "alpine" => Some(Family::Alpine),
            "macos" => Some(Family::Mac),
            _ => None,
        };
        self.names.iter().find_map(known)
    }

    /// Says whether the names of libraries carry the mark of Debian's change to 64-bit times.
    pub fn has_long_times(&self) -> bool {
        match self.names.first().map(String::as_str) {
            Some("debian") => self.version.is_none_or(|version| version >= 13),
            Some("ubuntu") => self.version.is_some_and(|version| version >= 24),
            _ => false,
        }
    }

    /// Returns the command that installs packages, for people to copy; `None` where none is known.
    pub fn install_command(&self, packages: &[String]) -> Option<String> {
        let command = match self.family()? {
            Family::Debian => "apt-get install -y",
            Family::Fedora => "dnf install -y",
            Family::Arch => "pacman -S --needed",
            Family::Suse => "zypper install -y",
            Family::Alpine => "apk add",
            Family::Mac => return Some(format!("brew install {}", packages.join(" "))),
        };
        let sudo = if self.root { "" } else { "sudo " };
        Some(format!("{sudo}{command} {}", packages.join(" ")))
    }
}

/// Reads a value out of an os-release file.
fn value<'a>(os_release: &'a str, key: &str) -> &'a str {
    let line = os_release.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix('='));
    line.unwrap_or_default().trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(os_release: &str) -> System {
        System::new(os_release, true, None, |_| true)
    }

    #[test]
    fn names_and_version_are_read_however_they_are_quoted() {
        let mint =
            system("NAME=\"Linux Mint\"\r\nID=linuxmint\r\nID_LIKE=\"ubuntu debian\"\r\nVERSION_ID=\"21.3\"\r\n");
        assert_eq!(
            (&mint.names[..], mint.version),
            (&["linuxmint", "ubuntu", "debian"].map(str::to_owned)[..], Some(21))
        );
        let arch = system("ID='arch'\nBUILD_ID=rolling");
        assert_eq!((arch.is("arch"), arch.version, arch.family()), (true, None, Some(Family::Arch)));
        let tumbleweed = system("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\nVERSION_ID=\"20250101\"");
        assert_eq!(tumbleweed.family(), Some(Family::Suse));
        for odd in ["", "ID", "ID=", "LIKE=debian", "\u{0}\u{1}", "PRETTY_ID=debian"] {
            let unknown = system(odd);
            assert_eq!((unknown.family(), unknown.is(""), unknown.version), (None, false, None), "{odd:?}");
        }
    }

    #[test]
    fn long_times_came_with_debian_13_and_ubuntu_24() {
        for (os_release, long) in [
            ("ID=debian\nVERSION_ID=\"12\"", false),
            ("ID=debian\nVERSION_ID=\"13\"", true),
            ("ID=debian", true),
            ("ID=ubuntu\nVERSION_ID=\"22.04\"", false),
            ("ID=ubuntu\nVERSION_ID=\"24.04\"", true),
            ("ID=fedora\nVERSION_ID=41", false),
        ] {
            assert_eq!(system(os_release).has_long_times(), long, "{os_release}");
        }
    }

    #[test]
    fn commands_can_be_copied() {
        let packages = ["a".to_owned(), "b".to_owned()];
        let user = System::new("ID=debian", false, None, |_| true);
        assert_eq!(user.install_command(&packages).as_deref(), Some("sudo apt-get install -y a b"));
        assert_eq!(system("ID=alpine").install_command(&packages).as_deref(), Some("apk add a b"));
        assert_eq!(system("ID=nixos").install_command(&packages), None);
    }
}
