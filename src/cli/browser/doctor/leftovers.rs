//! What runs that were killed left behind.

use std::path::PathBuf;

use super::finding::Finding;

const CHECK: &str = "leftovers";

/// Judges the folders that dead runs left: those seen `before` the browser was started, which sweeps them.
pub fn check(before: &[PathBuf]) -> Finding {
    let left: Vec<_> = before.iter().filter(|folder| folder.exists()).collect();
    let swept = before.len() - left.len();
    if left.is_empty() {
        return Finding::ok(
            CHECK,
            match swept {
                0 => "none".into(),
                1 => "1 profile folder of a killed run was removed".to_owned(),
                more => format!("{more} profile folders of killed runs were removed"),
            },
        );
    }
    let names: Vec<_> = left.iter().map(|folder| folder.display().to_string()).collect();
    let message = match left.len() {
        1 => "1 profile folder of a killed run is left".to_owned(),
        more => format!("{more} profile folders of killed runs are left"),
    };
    Finding::note(CHECK, message, format!("rm -r {}", names.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn what_is_left_is_told_apart_from_what_was_swept() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        assert_eq!(check(&[]).message, "none");
        assert_eq!(check(&[gone.clone(), gone.clone()]).message, "2 profile folders of killed runs were removed");
        let left = check(&[folder.path().to_owned(), gone]);
        assert!(left.level == Level::Note && left.mend.is_some_and(|mend| mend.starts_with("rm -r ")));
    }
}
