//! Which package brings a browser, and the commands that install it.

use super::system::System;

/// A package manager and what it calls the browser.
struct PackageManager {
    /// The `ID` of a system.
    system: &'static str,
    /// Whether systems that say they are like it have the package too.
    relatives: bool,
    program: &'static str,
    steps: &'static [&'static [&'static str]],
}

/// Waits for another installation that is under way.
const APT: [&str; 4] = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "install"];

/// Ubuntu is not here: its package `chromium-browser` only brings the snap, which needs a running snapd and sees
/// little of the disk. Of Fedora's relatives, those for servers have no Chromium.
const PACKAGE_MANAGERS: &[PackageManager] = &[
    PackageManager {
        system: "debian",
        relatives: true,
        program: "/usr/bin/apt-get",
        steps: &[&["apt-get", "update"], &[APT[0], APT[1], APT[2], APT[3], "-y", "chromium"]],
    },
    PackageManager {
        system: "fedora",
        relatives: false,
        program: "/usr/bin/dnf",
        steps: &[&["dnf", "install", "-y", "chromium"]],
    },
    PackageManager {
        system: "arch",
        relatives: true,
        program: "/usr/bin/pacman",
        steps: &[&["pacman", "-S", "--noconfirm", "--needed", "chromium"]],
    },
    PackageManager {
        system: "suse",
        relatives: true,
        program: "/usr/bin/zypper",
        steps: &[&["zypper", "--non-interactive", "install", "chromium"]],
    },
    PackageManager { system: "alpine", relatives: true, program: "/sbin/apk", steps: &[&["apk", "add", "chromium"]] },
    // Homebrew's `chromium` is not signed, so that macOS refuses to open it.
    PackageManager {
        system: "macos",
        relatives: false,
        program: "/opt/homebrew/bin/brew",
        steps: &[&["/opt/homebrew/bin/brew", "install", "--cask", "google-chrome"]],
    },
    PackageManager {
        system: "macos",
        relatives: false,
        program: "/usr/local/bin/brew",
        steps: &[&["/usr/local/bin/brew", "install", "--cask", "google-chrome"]],
    },
];

/// Ubuntu's own package, for machines that no browser can be downloaded for.
const UBUNTU: PackageManager = PackageManager {
    system: "ubuntu",
    relatives: false,
    program: "/usr/bin/apt-get",
    steps: &[&["apt-get", "update"], &[APT[0], APT[1], APT[2], APT[3], "-y", "chromium-browser"]],
};

/// The commands that install a browser, or why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packages {
    Steps(Vec<Vec<String>>),
    /// There is a package, but nobody may install it: we are not root and there is no `sudo`, or Homebrew is asked
    /// for by root.
    NotAllowed,
    /// No package manager is known for the system.
    Unknown,
}

/// Returns the commands that install a browser on a system. `snap` says whether a snap will do.
pub fn packages(system: &System, snap: bool) -> Packages {
    let fits = |manager: &&PackageManager| {
        let named = system.is(manager.system) || (manager.relatives && system.is_like(manager.system));
        named && (system.has_program)(manager.program)
    };
    let ubuntu = system.is("ubuntu");
    let manager = match ubuntu {
        true if snap => Some(&UBUNTU).filter(fits),
        true => None,
        false => PACKAGE_MANAGERS.iter().find(fits),
    };
    let Some(manager) = manager else { return Packages::Unknown };
    // Homebrew refuses to work as root, and asks for a password itself where it needs one.
    let homebrew = manager.system == "macos";
    let prefix = match (homebrew, system.root, &system.sudo) {
        (true, false, _) | (false, true, _) => None,
        (true, true, _) | (false, false, None) => return Packages::NotAllowed,
        (false, false, Some(sudo)) => Some(sudo.display().to_string()),
    };
    let command = |step: &&[&str]| prefix.iter().cloned().chain(step.iter().map(|word| (*word).to_owned())).collect();
    Packages::Steps(manager.steps.iter().map(command).collect())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn steps(os_release: &str, root: bool, sudo: bool, snap: bool) -> Result<Vec<String>, Packages> {
        let sudo = sudo.then(|| PathBuf::from("/usr/bin/sudo"));
        match packages(&System::new(os_release, root, sudo, |_| true), snap) {
            Packages::Steps(steps) => Ok(steps.iter().map(|step| step.join(" ")).collect()),
            none => Err(none),
        }
    }

    #[test]
    fn each_system_gets_the_package_it_knows() {
        for (os_release, last) in [
            ("ID=debian", "apt-get -o DPkg::Lock::Timeout=300 install -y chromium"),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"", "apt-get -o DPkg::Lock::Timeout=300 install -y chromium"),
            ("ID=fedora", "dnf install -y chromium"),
            ("ID=manjaro\nID_LIKE=arch", "pacman -S --noconfirm --needed chromium"),
            ("ID=opensuse-leap\nID_LIKE=\"suse opensuse\"", "zypper --non-interactive install chromium"),
            ("ID=alpine", "apk add chromium"),
        ] {
            let steps = steps(os_release, true, false, false).unwrap();
            assert_eq!(steps.last().map(String::as_str), Some(last), "{os_release}");
        }
    }

    #[test]
    fn ubuntu_gets_its_snap_only_where_nothing_else_is_left() {
        let ubuntu = "ID=ubuntu\nID_LIKE=debian\n";
        assert_eq!(steps(ubuntu, true, false, false), Err(Packages::Unknown));
        let snap = steps(ubuntu, false, true, true).unwrap();
        assert_eq!(
            snap,
            [
                "/usr/bin/sudo apt-get update",
                "/usr/bin/sudo apt-get -o DPkg::Lock::Timeout=300 install -y chromium-browser"
            ]
        );
    }

    #[test]
    fn who_may_not_install_is_told_apart_from_a_system_without_a_package() {
        assert_eq!(steps("ID=debian", false, false, false), Err(Packages::NotAllowed));
        assert_eq!(steps("ID=macos", true, false, false), Err(Packages::NotAllowed));
        for os_release in ["ID=plan9", "", "ID=almalinux\nID_LIKE=\"rhel centos fedora\"", "ID=nixos"] {
            assert_eq!(steps(os_release, true, false, true), Err(Packages::Unknown), "{os_release}");
        }
        let brew = steps("ID=macos", false, true, false).unwrap();
        assert_eq!(brew, ["/opt/homebrew/bin/brew install --cask google-chrome"]);
        let bare = System::new("ID=debian", true, None, |_| false);
        assert_eq!(packages(&bare, true), Packages::Unknown);
    }
}
