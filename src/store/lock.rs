//! A lock of the operating system on a file: it ends with the process that holds it, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// How often a lock is tried: one who only clears what was left holds it for a moment.
const TRIES: usize = 25;
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Makes the file if need be and locks it; none where another process holds it. `make_room` makes its folder anew before
/// each try, for whoever held the lock removes both.
///
/// # Errors
///
/// When the file cannot be made.
pub(super) fn lock_file(
    path: &Path,
    mut make_room: impl FnMut() -> io::Result<()>,
) -> io::Result<Option<File>> {
    for _ in 0..TRIES {
        make_room()?;
        let file = match OpenOptions::new().create(true).append(true).open(path) {
            Ok(file) => file,
            // Removed since room was made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, path) => return Ok(Some(file)),
            // Whoever held it has removed it: the next to come would lock another file of this name.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            // This file system knows no locks: two writers at once are not told, as nobody can tell.
            Err(TryLockError::Error(_)) => return Ok(Some(file)),
        }
    }
    Ok(None)
}

/// Locks a file that is there, if nobody holds it: what it stands for was left behind.
pub(super) fn lock_left_behind(path: &Path) -> Option<File> {
    let file = OpenOptions::new().append(true).open(path).ok()?;
    file.try_lock().ok()?;
    is_at(&file, path).then_some(file)
}

/// Whether the open file is the one of this path.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    open.dev() == named.dev() && open.ino() == named.ino()
}

/// Whether the open file is the one of this path: an open file is not removed here.
#[cfg(not(unix))]
pub(super) fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}
