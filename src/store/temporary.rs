//! The names of the files that commands put beside their outputs while they write.

use std::path::Path;

/// The beginning of all temporary names.
pub(super) const PREFIX: &str = ".gleaner-";
/// The end of a temporary file's name.
pub(super) const TEMPORARY: &str = ".tmp";
/// The file of the lock.
pub(super) const LOCK: &str = "lock";

/// The folder that holds a path; the current one of a bare name.
pub(super) fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}
