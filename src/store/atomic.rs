//! Writing a file whole or not at all: to a temporary file beside it, then renamed.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes `content` to `path`, whose folder is made if need be. A failure leaves what was there.
///
/// # Errors
///
/// When the folder cannot be made, or the file cannot be written or renamed.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut temporary = temporary_beside(path)?;
    temporary.write_all(content)?;
    temporary.as_file().sync_all()?;
    make_readable(temporary.as_file())?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a file could be written at `path` now: a temporary file can be made beside it.
///
/// # Errors
///
/// When the folder cannot be made, no file can be made in it, or a folder stands at the path.
pub fn check_place(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    temporary_beside(path).map(drop)
}

fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    tempfile::Builder::new().prefix(".gleaner-").tempfile_in(folder)
}

/// Temporary files are private to their owner; results are as readable as any other file.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature as on unix")]
fn make_readable(_file: &std::fs::File) -> io::Result<()> {
    Ok(())
}
