//! The place that a path leads to, how to write it without replacing it by something else, and the names that commands put
//! beside their outputs while they write.

use std::fs::{Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The beginning of all temporary names.
pub(super) const PREFIX: &str = ".gleaner-";
/// The end of a temporary file's name.
pub(super) const TEMPORARY: &str = ".tmp";
/// The file of the lock.
pub(super) const LOCK: &str = "lock";
/// Where new files go, in a folder of ours.
pub(super) const NEW: &str = "new";
/// Where the old entries go.
pub(super) const OLD: &str = "old";
/// The name that `new` gets once all old entries are out.
pub(super) const READY: &str = "ready";

/// The folder that holds a path; the current one of a bare name.
pub(super) fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// How a path is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// This process's standard output: the printing code writes it.
    StandardOutput,
    /// A device, a FIFO or another open file: it takes the content as it comes.
    Through(PathBuf),
    /// A file that another file cannot replace: it has several names, or is mounted there. Its content is replaced,
    /// which is not atomic.
    InPlace(PathBuf),
    /// A file of one name, or none yet: another takes its place.
    Beside(PathBuf),
}

impl Place {
    /// Where a path leads; links are followed, though nothing be there.
    ///
    /// # Errors
    ///
    /// When a folder stands there, or no file system takes the path.
    pub fn of(path: &Path) -> io::Result<Self> {
        /// The number of links that Linux follows.
        const MOST_LINKS: usize = 40;
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            if let Some(descriptor) = descriptor(&path) {
                return Ok(if descriptor == "1" { Self::StandardOutput } else { Self::Through(path) });
            }
            let Ok(to) = std::fs::read_link(&path) else { break };
            path = parent_of(&path).join(to);
        }
        if path.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
        }
        match std::fs::metadata(&path) {
            Ok(there) if there.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
            Ok(there) if !there.is_file() => Ok(Self::Through(path)),
            Ok(there) if is_fixed(&there, &path) => Ok(Self::InPlace(path)),
            Ok(_) => Ok(Self::Beside(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Beside(path)),
            Err(error) => Err(error),
        }
    }

    /// Whether a write that fails may leave a part of the content there.
    pub const fn may_be_half_written(&self) -> bool {
        match self {
            Self::StandardOutput | Self::Through(_) | Self::InPlace(_) => true,
            Self::Beside(_) => false,
        }
    }
}

/// The number of a file that this process holds open, if the path is in `/proc/self/fd` or leads there by its folder,
/// as `/dev/fd` does.
fn descriptor(path: &Path) -> Option<String> {
    let number = path.file_name()?.to_str()?;
    let folder = parent_of(path).canonicalize().ok()?;
    let own = Path::new("/proc").join(std::process::id().to_string());
    (folder.starts_with(own) && folder.ends_with("fd")).then(|| number.to_owned())
}

/// Whether no other file can take its place: it has other names, is mounted there, or its folder takes no file.
#[cfg(unix)]
fn is_fixed(there: &Metadata, path: &Path) -> bool {
    use rustix::fs::{Access, access};
    use std::os::unix::fs::MetadataExt;
    let folder = parent_of(path);
    let is_mounted = std::fs::metadata(folder).is_ok_and(|folder| folder.dev() != there.dev());
    there.nlink() > 1 || is_mounted || access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err()
}

#[cfg(not(unix))]
fn is_fixed(_there: &Metadata, _path: &Path) -> bool {
    false
}

/// Opens a place that takes content as it comes; a file that is open already, at its end.
pub(super) fn open_through(path: &Path) -> io::Result<std::fs::File> {
    OpenOptions::new().append(true).open(path)
}
