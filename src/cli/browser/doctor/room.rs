//! Room for the browser: shared memory, and the folder for temporary files.

use std::io::Write;
use std::path::Path;

use super::finding::Finding;
use crate::cdp::room::{SHARED_MEMORY, free};

const MEGABYTE: u64 = 1 << 20;

/// Room below which a profile of a page or two does not fit.
const LEAST: u64 = 64 * MEGABYTE;

/// Room below which big pages and downloads run short.
const ENOUGH: u64 = 512 * MEGABYTE;

/// Judges the room in `/dev/shm`, `None` where it can't be used.
pub fn shared_memory(room: Option<u64>) -> Finding {
    const CHECK: &str = "shared memory";
    let mend = "in a container: start it with `--shm-size=1g`; else: sudo mount -o remount,size=2g /dev/shm";
    match room {
        Some(room) if room >= SHARED_MEMORY => Finding::ok(CHECK, format!("{} free in /dev/shm", size(room))),
        Some(room) => Finding::note(
            CHECK,
            format!(
                "only {} free in /dev/shm; the browser uses the folder for temporary files instead, which may be slower",
                size(room)
            ),
            mend,
        ),
        None => Finding::note(
            CHECK,
            "/dev/shm can't be written; the browser uses the folder for temporary files instead, which may be slower",
            "sudo mount -t tmpfs -o mode=1777,size=1g tmpfs /dev/shm",
        ),
    }
}

/// Looks at the folder for temporary files.
pub fn temporary(folder: &Path) -> Finding {
    judge_temporary(folder, try_to_write(folder), free(folder))
}

fn try_to_write(folder: &Path) -> Result<(), String> {
    tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(b"pageboy")).map_err(|problem| problem.to_string())
}

fn judge_temporary(folder: &Path, written: Result<(), String>, room: Option<u64>) -> Finding {
    const CHECK: &str = "temporary files";
    let place = folder.display();
    let other = "or set TMPDIR to a folder that you can write to, with room in it";
    match (written, room) {
        (Err(reason), _) => Finding::problem(
            CHECK,
            format!("`{place}` can't be written to: {reason}"),
            format!("mkdir -p {place} && sudo chmod 1777 {place}\n{other}"),
        ),
        (Ok(()), Some(room)) if room < LEAST => Finding::problem(
            CHECK,
            format!("only {} free in `{place}`", size(room)),
            format!("make room in it, {other}"),
        ),
        (Ok(()), Some(room)) if room < ENOUGH => {
            Finding::note(CHECK, format!("only {} free in `{place}`", size(room)), format!("make room in it, {other}"))
        }
        (Ok(()), Some(room)) => Finding::ok(CHECK, format!("{} free in `{place}`", size(room))),
        (Ok(()), None) => Finding::ok(CHECK, format!("`{place}` can be written to")),
    }
}

/// Writes a number of bytes as people read it.
pub fn size(bytes: u64) -> String {
    match bytes / MEGABYTE {
        megabytes @ 0..1024 => format!("{megabytes} MiB"),
        megabytes => format!("{} GiB", megabytes / 1024),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn a_plain_container_has_little_shared_memory() {
        let docker = shared_memory(Some(64 * MEGABYTE));
        assert!(docker.level == Level::Note && docker.message.contains("64 MiB"), "{docker}");
        assert!(docker.mend.is_some_and(|mend| mend.contains("--shm-size=1g")));
        assert_eq!(shared_memory(Some(SHARED_MEMORY)).level, Level::Ok);
        assert_eq!((shared_memory(None).level, shared_memory(Some(0)).level), (Level::Note, Level::Note));
    }

    #[test]
    fn a_folder_that_is_full_or_closed_hinders() {
        let folder = Path::new("/t");
        let level = |room| judge_temporary(folder, Ok(()), room).level;
        assert_eq!(
            [Some(0), Some(100 * MEGABYTE), Some(1 << 40), None].map(level),
            [Level::Problem, Level::Note, Level::Ok, Level::Ok]
        );
        let closed = temporary(Path::new("/nowhere/at/all"));
        assert!(closed.level == Level::Problem && closed.message.contains("/nowhere/at/all"), "{closed}");
        assert!(closed.mend.is_some_and(|mend| mend.contains("TMPDIR")));
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!([0, MEGABYTE, 1023 * MEGABYTE, 3 << 30].map(size), ["0 MiB", "1 MiB", "1023 MiB", "3 GiB"]);
    }
}
