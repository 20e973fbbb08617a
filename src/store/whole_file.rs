//! Writing a file whole or not at all: to a temporary file beside it, then renamed.
//!
//! Other places cannot be replaced so. Devices and FIFOs take the content as it comes, and files of several names are
//! written in place. The temporary file is locked while it is written, so that the next command removes leftovers of a
//! killed one.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::claim::is_at;
use super::own_folder::open_own_file;
use super::place::{PREFIX, Place, TEMPORARY, open_through, parent_of};
use super::whole_folder::clear_left_behind;

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct WriteError {
    /// The system's error.
    pub error: io::Error,
    /// Whether a part of the content may stand at the path.
    pub may_be_half_written: bool,
}

impl WriteError {
    /// The advice for the user, and whether anything was left.
    pub const fn remedy(&self) -> &'static str {
        if self.may_be_half_written {
            "a part of it may be there; choose another path"
        } else {
            "nothing was left half written; choose another path"
        }
    }
}

impl From<io::Error> for WriteError {
    /// The error of a write that failed before anything was written.
    fn from(error: io::Error) -> Self {
        Self { error, may_be_half_written: false }
    }
}

/// A file that is written piece by piece, and stands at its path once it is whole.
///
/// Dropped before [`WholeFile::finish`], it leaves the old file, but for content that was written through.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    manner: Manner,
}

#[derive(Debug)]
enum Manner {
    Beside { temporary: NamedTempFile, target: PathBuf },
    InPlace { content: File, target: PathBuf },
    Through(File),
    Standard(io::Stdout),
}

impl WholeFile {
    /// An empty file, for `path`, whose folder is made if need be. A FIFO waits for its reader.
    ///
    /// # Errors
    ///
    /// When the folder or the temporary file cannot be made, or the present file cannot be opened.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let manner = match Place::of(path)? {
            Place::StandardOutput => Manner::Standard(io::stdout()),
            Place::Through(target) => Manner::Through(open_through(&target)?),
            Place::InPlace(target) => Manner::InPlace { content: tempfile::tempfile()?, target },
            Place::Beside(target) => Manner::Beside { temporary: temporary_beside(&target)?, target },
        };
        Ok(Self { path: path.to_owned(), manner })
    }

    /// The path that it will stand at.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds to the end.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&mut self, content: &[u8]) -> Result<(), WriteError> {
        let half = |error| WriteError { error, may_be_half_written: true };
        match &mut self.manner {
            // Not through the temporary file itself, which would put its own path into the error.
            Manner::Beside { temporary, .. } => Ok(temporary.as_file_mut().write_all(content)?),
            Manner::InPlace { content: file, .. } => Ok(file.write_all(content)?),
            Manner::Through(file) => file.write_all(content).map_err(half),
            Manner::Standard(stdout) => stdout.write_all(content).map_err(half),
        }
    }

    /// Syncs the content so far, where another file is put in the place. To finish then takes but a moment.
    ///
    /// # Errors
    ///
    /// When the system cannot.
    pub fn sync(&self) -> Result<(), WriteError> {
        match &self.manner {
            Manner::Beside { temporary, .. } => Ok(temporary.as_file().sync_all()?),
            Manner::InPlace { .. } | Manner::Through(_) | Manner::Standard(_) => Ok(()),
        }
    }

    /// Puts the file in its place; it has the mode of the one that it replaces.
    ///
    /// # Errors
    ///
    /// When it cannot be written out or renamed.
    pub fn finish(self) -> Result<(), WriteError> {
        let half = |error| WriteError { error, may_be_half_written: true };
        match self.manner {
            Manner::Beside { temporary, target } => {
                if let Ok(there) = std::fs::symlink_metadata(&target)
                    && there.is_file()
                {
                    temporary.as_file().set_permissions(there.permissions())?;
                }
                temporary.as_file().sync_all()?;
                temporary.persist(target).map_err(|error| error.error)?;
                Ok(())
            }
            Manner::InPlace { mut content, target } => {
                let mut file = open_own_file(&target, true)?;
                copy_over(&mut content, &mut file).map_err(half)
            }
            Manner::Through(_) => Ok(()),
            Manner::Standard(mut stdout) => stdout.flush().map_err(half),
        }
    }
}

/// Replaces the content of a file.
fn copy_over(content: &mut File, file: &mut File) -> io::Result<()> {
    use std::io::Seek;
    content.rewind()?;
    file.set_len(0)?;
    io::copy(content, file)?;
    file.sync_all()
}

/// Writes `content` to `path`, whose folder is made if need be. If that fails, a file of one name keeps its old
/// content.
///
/// # Errors
///
/// When the folder cannot be made, or the file cannot be written or renamed.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let mut file = WholeFile::create(path)?;
    file.write(content)?;
    file.finish()
}

/// Whether a file could be written at `path` now, and how: a temporary file can be made beside it, or it can be opened.
/// Leftovers of killed commands are removed. A FIFO is not opened: its reader may be yet to come.
///
/// # Errors
///
/// When the folder cannot be made, no file can be made in it, or a folder stands at the path.
pub fn check_place(path: &Path) -> io::Result<Place> {
    let place = Place::of(path)?;
    match &place {
        Place::StandardOutput | Place::Through(_) => {}
        Place::InPlace(target) => drop(open_own_file(target, true)?),
        Place::Beside(target) => drop(temporary_beside(target)?),
    }
    Ok(place)
}

/// An empty locked file, as accessible as any other new one, that the next command removes if this one is killed.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = parent_of(path);
    std::fs::create_dir_all(folder)?;
    clear_left_behind(folder);
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(TEMPORARY);
        let permissions = new_file_permissions();
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        let temporary = builder.tempfile_in(folder)?;
        match temporary.as_file().try_lock() {
            // Another command took it for one that was left behind, in the moment before it was locked.
            Err(std::fs::TryLockError::WouldBlock) => {}
            Ok(()) if !is_at(temporary.as_file(), temporary.path()) => {}
            // A file system without locks does as well: nothing is removed there.
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => return Ok(temporary),
        }
    }
}

/// The permissions that the system's mask reduces: temporary files would be private to their owner.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "the same signature as elsewhere")]
fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn what_a_killed_command_left_is_removed_and_what_a_living_one_writes_stays() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".gleaner-killed.tmp"), "half").unwrap();
        std::fs::write(folder.path().join("notes.tmp"), "mine").unwrap();
        let mut living = WholeFile::create(&folder.path().join("one")).unwrap();
        living.write(b"one").unwrap();
        write_whole(&folder.path().join("two"), b"two").unwrap();
        living.finish().unwrap();
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["notes.tmp", "one", "two"]);
        assert_eq!(read(&folder.path().join("one")), "one");
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

        use super::*;

        fn mode(path: &Path) -> u32 {
            std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
        }

        #[test]
        fn the_mode_of_what_is_replaced_is_kept() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("private");
            std::fs::write(&path, "old").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            write_whole(&path, b"new").unwrap();
            assert_eq!((read(&path).as_str(), mode(&path)), ("new", 0o600));
            // The same as any new file's: the permissions that `create` gives under the mask of the tests.
            let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
            write_whole(&ours, b"").unwrap();
            File::create(&plain).unwrap();
            assert_eq!(mode(&ours), mode(&plain));
        }

        #[test]
        fn links_are_followed() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            std::fs::create_dir(at("below")).unwrap();
            std::fs::write(at("below/target"), "old").unwrap();
            symlink("below/target", at("link")).unwrap();
            symlink("link", at("link_of_link")).unwrap();
            symlink("below/none_yet", at("dangling")).unwrap();
            for (link, target) in [("link_of_link", "below/target"), ("dangling", "below/none_yet")] {
                write_whole(&at(link), b"new").unwrap();
                assert!(at(link).is_symlink(), "{link}");
                assert_eq!(read(&at(target)), "new");
            }
        }

        #[test]
        fn a_file_of_several_names_stays_one_file() {
            let folder = tempfile::tempdir().unwrap();
            let (one, other) = (folder.path().join("one"), folder.path().join("other"));
            std::fs::write(&one, "what was there is longer").unwrap();
            std::fs::hard_link(&one, &other).unwrap();
            assert_eq!(check_place(&one).unwrap(), Place::InPlace(one.clone()));
            write_whole(&one, b"new").unwrap();
            assert_eq!((read(&other).as_str(), std::fs::metadata(&one).unwrap().nlink()), ("new", 2));
        }

        #[test]
        fn devices_are_written_through() {
            for path in ["/dev/null", "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
                let place = check_place(Path::new(path)).unwrap();
                assert!(matches!(place, Place::Through(_)), "{path}: {place:?}");
            }
            for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
                assert_eq!(check_place(Path::new(path)).unwrap(), Place::StandardOutput, "{path}");
            }
            write_whole(Path::new("/dev/null"), b"nothing").unwrap();
            assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        }

        #[test]
        fn a_name_that_no_file_system_takes_is_found_before() {
            let folder = tempfile::tempdir().unwrap();
            check_place(&folder.path().join("a".repeat(256))).unwrap_err();
            check_place(&folder.path().join("a".repeat(255))).unwrap();
            check_place(Path::new("")).unwrap_err();
        }
    }
}
