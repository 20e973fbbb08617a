//! A lock of the operating system on a file: it ends with the process that holds it, however that ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::own_folder::{OwnError, OwnFolder, open_own_file};

/// How often a lock is tried: a process that only clears leftovers holds it for a moment.
const TRIES: usize = 25;
/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Makes the folder and the file in it, if need be, and locks the file. `None` if another process holds the lock. A
/// holder removes both at its end: then they are made anew.
///
/// # Errors
///
/// When either cannot be made, or something else stands there.
pub(super) fn lock_file(path: &Path, name: &str) -> Result<Option<(OwnFolder, File)>, OwnError> {
    let is_gone = |error: &OwnError| matches!(error, OwnError::Io(error) if error.kind() == std::io::ErrorKind::NotFound);
    for _ in 0..TRIES {
        let opened = OwnFolder::made_at(path).and_then(|folder| Ok((folder.file(name, true)?, folder)));
        let (file, folder) = match opened {
            Ok(opened) => opened,
            // Removed since it was made; a missing folder above stays missing.
            Err(error) if is_gone(&error) && path.parent().is_none_or(Path::is_dir) => continue,
            Err(error) => return Err(error),
        };
        match file.try_lock() {
            Ok(()) if folder.holds(&file, name) => return Ok(Some((folder, file))),
            // The earlier holder has removed the file: the next process would lock another file of this name.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            // This file system knows no locks: two writers at once cannot be detected.
            Err(TryLockError::Error(_)) => return Ok(Some((folder, file))),
        }
    }
    Ok(None)
}

/// Locks a file that is there, if nobody holds it: its owner left it behind.
pub(super) fn lock_left_behind(path: &Path) -> Option<File> {
    let file = open_own_file(path, true).ok()?;
    file.try_lock().ok()?;
    is_at(&file, path).then_some(file)
}

/// The same of a file in a folder of ours.
pub(super) fn lock_left_in(folder: &OwnFolder, name: &str) -> Option<File> {
    let file = folder.file(name, false).ok()?;
    file.try_lock().ok()?;
    folder.holds(&file, name).then_some(file)
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
