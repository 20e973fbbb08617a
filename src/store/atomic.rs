//! Writing a file whole or not at all: to a temporary file beside it, then renamed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::whole_folder::parent_of;

/// A file that is written piece by piece, and stands at its path once it is whole.
///
/// Dropped before [`WholeFile::finish`], it leaves what was there.
#[derive(Debug)]
pub struct WholeFile {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl WholeFile {
    /// An empty file, for `path`, whose folder is made if need be.
    ///
    /// # Errors
    ///
    /// When the folder or the temporary file cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { temporary: temporary_beside(path)?, path: path.to_owned() })
    }

    /// The path that it will stand at.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds to the end.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&mut self, content: &[u8]) -> io::Result<()> {
        self.temporary.write_all(content)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// When it cannot be written out or renamed.
    pub fn finish(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        make_readable(self.temporary.as_file())?;
        self.temporary.persist(self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Writes `content` to `path`, whose folder is made if need be. A failure leaves what was there.
///
/// # Errors
///
/// When the folder cannot be made, or the file cannot be written or renamed.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write(content)?;
    file.finish()
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
    let folder = parent_of(path);
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
