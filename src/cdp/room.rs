//! How much room there is for a browser's memory and files.

use std::path::Path;

use rustix::fs::{Access, access, statvfs};

/// The room that Chromium needs in `/dev/shm`.
pub const SHARED_MEMORY: u64 = 1 << 30;

/// Returns the free bytes of `/dev/shm`; `None` where nothing can be written there.
pub fn shared_memory() -> Option<u64> {
    let folder = Path::new("/dev/shm");
    access(folder, Access::WRITE_OK | Access::EXEC_OK).ok()?;
    free(folder)
}

/// Returns the free bytes of the disk that a folder lies on; `None` where that can't be told.
pub fn free(folder: &Path) -> Option<u64> {
    let facts = statvfs(folder).ok()?;
    Some(facts.f_bavail.saturating_mul(facts.f_frsize))
}
