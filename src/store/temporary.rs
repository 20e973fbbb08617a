//! The names of what commands put beside their outputs while they write.

use std::path::Path;

/// What begins the name of everything temporary.
pub(super) const PREFIX: &str = ".gleaner-";
/// What ends the name of a temporary file.
pub(super) const TEMPORARY: &str = ".tmp";
/// The file of the lock.
pub(super) const LOCK: &str = "lock";

/// The folder that holds a path; the current one of a bare name.
pub(super) fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}
