//! Claims of named work in a folder that several processes share.
//!
//! A lock of the operating system on a file: it ends with the process that holds it, however that ends.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::own_folder::{OwnError, OwnFolder, open_own_file};

/// Ends the name of a claim's file.
pub(super) const SUFFIX: &str = ".claim";

/// A piece of work that this process has claimed: others leave it alone until the claim, or the process, ends.
///
/// Nothing depends on it: where two processes do the same work, both keep the same bytes.
#[derive(Debug)]
pub struct Claim {
    /// Its file, open for its lock; none where it could not be made, so that the work may be done twice.
    locked: Option<(PathBuf, File)>,
}

impl Claim {
    /// Claims the work of this name; `None` if another process has.
    pub fn take(folder: &Path, name: &str) -> Option<Self> {
        let path = folder.join(format!("{name}{SUFFIX}"));
        loop {
            let file = match opened(&path) {
                Ok(file) => file,
                // The earlier holder has just removed it.
                Err(error) if error.kind() == ErrorKind::NotFound && folder.is_dir() => continue,
                Err(_) => return Some(Self { locked: None }),
            };
            match file.try_lock() {
                Ok(()) if !is_at(&file, &path) => {}
                Err(TryLockError::WouldBlock) => return None,
                // Some file systems know no locks.
                Ok(()) | Err(TryLockError::Error(_)) => return Some(Self { locked: Some((path, file)) }),
            }
        }
    }

    /// Whether a process has claimed the work of this name.
    pub fn is_held(folder: &Path, name: &str) -> bool {
        let file = open_own_file(&folder.join(format!("{name}{SUFFIX}")), false);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // While the lock is held the file is ours.
        if let Some((path, _)) = &self.locked {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The file of a claim, made if it is not there.
fn opened(path: &Path) -> io::Result<File> {
    match File::options().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => open_own_file(path, true),
        made => made,
    }
}

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
    let is_gone =
        |error: &OwnError| matches!(error, OwnError::Io(error) if error.kind() == ErrorKind::NotFound);
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

/// Whether this path leads to the open file.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    open.dev() == named.dev() && open.ino() == named.ino()
}

/// Whether this path leads to the open file. It does by assumption: no open file is removed on this system.
#[cfg(not(unix))]
pub(super) fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::Claim;

    #[test]
    fn a_claim_ends_with_its_holder() {
        let place = tempfile::tempdir().expect("a folder");
        let first = Claim::take(place.path(), "run-1").expect("nobody has it");
        assert!(Claim::take(place.path(), "run-1").is_none());
        assert!(Claim::take(place.path(), "run-2").is_some());
        assert!(Claim::is_held(place.path(), "run-1") && !Claim::is_held(place.path(), "run-2"));
        drop(first);
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0);
        // A killed process leaves the file without a lock.
        std::fs::write(place.path().join("run-1.claim"), "").expect("it can be written");
        assert!(!Claim::is_held(place.path(), "run-1"));
        assert!(Claim::take(place.path(), "run-1").is_some());
    }
}
