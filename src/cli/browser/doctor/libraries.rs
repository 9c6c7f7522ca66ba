//! Shared libraries that the browser needs and does not find.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::finding::Finding;
use crate::cli::browser::ask::{Answer, ask};
use crate::cli::browser::system::{Family, System};

const CHECK: &str = "libraries";

/// How long the loader may take to list what a program needs.
const TIME: Duration = Duration::from_secs(10);

/// Where the wrapper scripts of packages keep the real program, after the name of the wrapper.
const WRAPPED: &[&str] = &["/usr/lib/", "/usr/lib64/", "/opt/google/"];

/// Looks at what the loader says about the browser's real program, and at what the browser itself `said` when it was
/// asked for its version.
pub async fn check(program: &Path, said: &Result<Answer, String>, system: &System) -> Finding {
    let binary = binary_of(program);
    let listed = match &binary {
        Some(binary) => match ask(Path::new("ldd"), &[&binary.to_string_lossy()], TIME).await {
            Ok(answer) => Some(missing(&format!("{}\n{}", answer.stdout, answer.stderr))),
            // Systems without `ldd` still tell of the first library when the browser is started.
            Err(_) => None,
        },
        None => None,
    };
    let told = said.as_ref().map_or_else(|_| Vec::new(), |answer| missing(&answer.stderr));
    let looked_at = listed.is_some();
    let mut libraries = listed.unwrap_or_default();
    libraries.extend(told);
    libraries.sort();
    libraries.dedup();
    match (libraries.is_empty(), looked_at) {
        (true, true) => Finding::ok(CHECK, "all shared libraries are found"),
        (true, false) => Finding::ok(CHECK, "no missing library was told of; `ldd` could not list them"),
        (false, _) => Finding::problem(CHECK, format!("not found: {}", libraries.join(", ")), mend(&libraries, system)),
    }
}

/// Returns the program in machine code that `program` is or starts.
fn binary_of(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    if is_elf(&real) {
        return Some(real);
    }
    let name = real.file_name()?.to_string_lossy().into_owned();
    let beside = ["chrome", "chromium", "msedge", "brave"].iter().map(|name| real.with_file_name(name));
    let wrapped = WRAPPED
        .iter()
        .flat_map(|folder| [format!("{folder}{name}/{name}"), format!("{folder}{name}/chrome")].map(PathBuf::from));
    beside.chain(wrapped).find(|path| is_elf(path))
}

fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"\x7fELF"
}

/// Reads the names of missing libraries out of what `ldd` or the loader wrote, that of glibc or of musl.
pub fn missing(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim();
        let found = if let Some((library, _)) = line.split_once("=> not found") {
            library
        } else if let Some((_, rest)) = line.split_once("error while loading shared libraries: ") {
            rest.split_once(':')?.0
        } else if let Some((_, rest)) = line.split_once("Error loading shared library ") {
            rest.split_once(':')?.0
        } else {
            return None;
        };
        let found = found.trim();
        let is_name = !found.is_empty() && !found.contains(char::is_whitespace);
        is_name.then(|| found.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// A library by the start of its name, and the packages that bring it in Debian (with `*` where it carries the mark
/// of 64-bit times), Fedora, Arch, openSUSE and Alpine.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const PACKAGES: &[Row] = &[
    ("libasound.so", "libasound2*", "alsa-lib", "alsa-lib", "libasound2", "alsa-lib"),
    ("libatk-1.0.so", "libatk1.0-0*", "atk", "at-spi2-core", "libatk-1_0-0", "at-spi2-core"),
    (
        "libatk-bridge-2.0.so",
        "libatk-bridge2.0-0*",
        "at-spi2-atk",
        "at-spi2-core",
        "libatk-bridge-2_0-0",
        "at-spi2-core",
    ),
    ("libatspi.so", "libatspi2.0-0*", "at-spi2-core", "at-spi2-core", "libatspi0", "at-spi2-core"),
    ("libcairo.so", "libcairo2", "cairo", "cairo", "libcairo2", "cairo"),
    ("libcups.so", "libcups2*", "cups-libs", "libcups", "libcups2", "cups-libs"),
    ("libdbus-1.so", "libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3", "dbus-libs"),
    ("libdrm.so", "libdrm2", "libdrm", "libdrm", "libdrm2", "libdrm"),
    ("libexpat.so", "libexpat1", "expat", "expat", "libexpat1", "libexpat"),
    ("libfontconfig.so", "libfontconfig1", "fontconfig", "fontconfig", "libfontconfig1", "fontconfig"),
    ("libfreetype.so", "libfreetype6", "freetype", "freetype2", "libfreetype6", "freetype"),
    ("libgbm.so", "libgbm1", "mesa-libgbm", "mesa", "libgbm1", "mesa-gbm"),
    ("libgio-2.0.so", "libglib2.0-0*", "glib2", "glib2", "libgio-2_0-0", "glib"),
    ("libglib-2.0.so", "libglib2.0-0*", "glib2", "glib2", "libglib-2_0-0", "glib"),
    ("libgobject-2.0.so", "libglib2.0-0*", "glib2", "glib2", "libgobject-2_0-0", "glib"),
    ("libgtk-3.so", "libgtk-3-0*", "gtk3", "gtk3", "libgtk-3-0", "gtk+3.0"),
    ("libnspr4.so", "libnspr4", "nspr", "nspr", "mozilla-nspr", "nspr"),
    ("libnss3.so", "libnss3", "nss", "nss", "mozilla-nss", "nss"),
    ("libnssutil3.so", "libnss3", "nss-util", "nss", "mozilla-nss", "nss"),
    ("libsmime3.so", "libnss3", "nss", "nss", "mozilla-nss", "nss"),
    ("libpango-1.0.so", "libpango-1.0-0", "pango", "pango", "libpango-1_0-0", "pango"),
    ("libudev.so", "libudev1", "systemd-libs", "systemd-libs", "libudev1", "eudev-libs"),
    ("libX11.so", "libx11-6", "libX11", "libx11", "libX11-6", "libx11"),
    ("libxcb.so", "libxcb1", "libxcb", "libxcb", "libxcb1", "libxcb"),
    ("libXcomposite.so", "libxcomposite1", "libXcomposite", "libxcomposite", "libXcomposite1", "libxcomposite"),
    ("libXdamage.so", "libxdamage1", "libXdamage", "libxdamage", "libXdamage1", "libxdamage"),
    ("libXext.so", "libxext6", "libXext", "libxext", "libXext6", "libxext"),
    ("libXfixes.so", "libxfixes3", "libXfixes", "libxfixes", "libXfixes3", "libxfixes"),
    ("libxkbcommon.so", "libxkbcommon0", "libxkbcommon", "libxkbcommon", "libxkbcommon0", "libxkbcommon"),
    ("libXrandr.so", "libxrandr2", "libXrandr", "libxrandr", "libXrandr2", "libxrandr"),
];

/// Says how to get the libraries.
pub fn mend(libraries: &[String], system: &System) -> String {
    let mut packages = Vec::new();
    let mut unknown = Vec::new();
    for library in libraries {
        match package(library, system) {
            Some(package) => packages.push(package),
            None => unknown.push(library.as_str()),
        }
    }
    packages.sort();
    packages.dedup();
    let command = if packages.is_empty() { None } else { system.install_command(&packages) };
    let search = match (unknown.as_slice(), system.family()) {
        ([], _) => None,
        (unknown, Some(Family::Debian)) => Some(format!(
            "apt-file search {}   (tells the package; `apt-get install apt-file` first)",
            unknown.join(" ")
        )),
        (unknown, Some(Family::Fedora)) => Some(format!("dnf provides '*/{}'", unknown.join("' '*/"))),
        (unknown, Some(Family::Arch)) => Some(format!("pacman -F {}", unknown.join(" "))),
        (unknown, _) => Some(format!("install the packages of your system that bring {}", unknown.join(", "))),
    };
    [command, search].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn package(library: &str, system: &System) -> Option<String> {
    let (_, debian, fedora, arch, suse, alpine) = PACKAGES.iter().find(|row| library.starts_with(row.0))?;
    let name = match system.family()? {
        Family::Debian => {
            return Some(debian.replace('*', if system.has_long_times() { "t64" } else { "" }));
        }
        Family::Fedora => fedora,
        Family::Arch => arch,
        Family::Suse => suse,
        Family::Alpine => alpine,
        Family::Mac => return None,
    };
    Some((*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(os_release: &str) -> System {
        System::new(os_release, true, None, |_| true)
    }

    #[test]
    fn missing_libraries_are_read_from_every_loader() {
        let ldd = "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibnss3.so => not found\n\
            \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)\n\tlibasound.so.2 => not found\n";
        assert_eq!(missing(ldd), ["libnss3.so", "libasound.so.2"]);
        let glibc = "/opt/chrome: error while loading shared libraries: libgbm.so.1: cannot open shared object file: \
            No such file or directory\n";
        assert_eq!(missing(glibc), ["libgbm.so.1"]);
        let musl = "Error loading shared library libglib-2.0.so.0: No such file or directory (needed by /opt/chrome)\n\
            Error relocating /opt/chrome: g_free: symbol not found\n";
        assert_eq!(missing(musl), ["libglib-2.0.so.0"]);
        for none in ["", "\tnot a dynamic executable\n", "=> not found", "a b => not found", "statically linked"] {
            assert_eq!(missing(none), Vec::<String>::new(), "{none:?}");
        }
    }

    #[test]
    fn the_mend_names_the_packages_of_the_system() {
        let libraries = ["libasound.so.2", "libnss3.so", "libnssutil3.so"].map(str::to_owned);
        let old = mend(&libraries, &system("ID=debian\nVERSION_ID=12"));
        assert_eq!(old, "apt-get install -y libasound2 libnss3");
        let new = mend(&libraries, &system("ID=ubuntu\nVERSION_ID=24.04"));
        assert_eq!(new, "apt-get install -y libasound2t64 libnss3");
        assert_eq!(mend(&libraries, &system("ID=fedora")), "dnf install -y alsa-lib nss nss-util");
        let unknown = ["libnss3.so", "libodd.so.7"].map(str::to_owned);
        assert_eq!(mend(&unknown, &system("ID=arch")), "pacman -S --needed nss\npacman -F libodd.so.7");
        assert!(mend(&unknown, &system("ID=plan9")).contains("libnss3.so, libodd.so.7"));
    }

    #[test]
    fn a_script_is_no_program_in_machine_code() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("browser");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        assert_eq!(binary_of(&script), None);
        std::fs::write(folder.path().join("chrome"), b"\x7fELF...").unwrap();
        assert_eq!(binary_of(&script), folder.path().canonicalize().ok().map(|folder| folder.join("chrome")));
        assert_eq!(binary_of(&folder.path().join("none")), None);
    }
}
