//! Claims of named work in a folder that several processes share.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::lock::is_at;
use super::own_folder::open_own_file;

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
