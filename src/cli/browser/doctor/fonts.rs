//! Whether there are fonts to draw text with.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::finding::Finding;
use crate::cli::browser::ask::ask;
use crate::cli::browser::system::{Family, System};

const CHECK: &str = "fonts";

/// How long fontconfig may take; the first time it reads every font.
const TIME: Duration = Duration::from_secs(10);

/// How deep folders of fonts are looked into, and how many entries at most.
const DEPTH: usize = 4;
const ENTRIES: usize = 5000;

/// Asks fontconfig for fonts; where it is not installed, looks into the usual folders.
pub async fn check(home: Option<&Path>, system: &System) -> Finding {
    let count = match ask(Path::new("fc-list"), &["--format", "%{file}\n"], TIME).await {
        Ok(answer) if answer.failure.is_none() => answer.stdout.lines().filter(|line| !line.trim().is_empty()).count(),
        _ => {
            let mut left = ENTRIES;
            folders(home).iter().map(|folder| fonts_in(folder, DEPTH, &mut left)).sum()
        }
    };
    judge(count, system)
}

fn judge(count: usize, system: &System) -> Finding {
    if count > 0 {
        return Finding::ok(CHECK, format!("{count} found"));
    }
    let package = match system.family() {
        Some(Family::Debian) => "fonts-dejavu-core",
        Some(Family::Fedora) => "dejavu-sans-fonts",
        Some(Family::Arch) => "ttf-dejavu",
        Some(Family::Suse) => "dejavu-fonts",
        Some(Family::Alpine) => "ttf-dejavu",
        Some(Family::Mac) | None => "",
    };
    let command = system.install_command(&[package.to_owned()]).filter(|_| !package.is_empty());
    Finding::note(
        CHECK,
        "none found: text is drawn as empty boxes, and sizes differ from what people see; trees are read all the same",
        command.unwrap_or_else(|| "install a package of fonts, such as DejaVu or Noto".into()),
    )
}

fn folders(home: Option<&Path>) -> Vec<PathBuf> {
    let mut folders: Vec<_> = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts"]
        .map(PathBuf::from)
        .into();
    if let Some(home) = home {
        folders.extend([".fonts", ".local/share/fonts"].map(|folder| home.join(folder)));
    }
    folders
}

fn fonts_in(folder: &Path, depth: usize, left: &mut usize) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let mut count = 0;
    for entry in entries.flatten() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let path = entry.path();
        let is_font = path.extension().is_some_and(|extension| {
            ["ttf", "otf", "ttc", "pfb", "woff2"].iter().any(|kind| extension.eq_ignore_ascii_case(kind))
        });
        if is_font {
            count += 1;
        } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            count += fonts_in(&path, depth - 1, left);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn fonts_are_counted_in_folders_of_folders() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("truetype/dejavu");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("DejaVuSans.TTF"), "").unwrap();
        std::fs::write(inner.join("README"), "").unwrap();
        assert_eq!(fonts_in(folder.path(), DEPTH, &mut ENTRIES.clone()), 1);
        assert_eq!(fonts_in(folder.path(), 1, &mut ENTRIES.clone()), 0, "too deep");
        assert_eq!(fonts_in(&folder.path().join("none"), DEPTH, &mut ENTRIES.clone()), 0);
    }

    #[test]
    fn no_fonts_is_a_note_with_a_package() {
        let system = |text| System::new(text, true, None, |_| true);
        let none = judge(0, &system("ID=debian"));
        assert_eq!((none.level, none.mend.as_deref()), (Level::Note, Some("apt-get install -y fonts-dejavu-core")));
        assert!(judge(0, &system("")).mend.is_some_and(|mend| mend.starts_with("install a package")));
        assert_eq!(judge(3, &system("")).message, "3 found");
    }
}
