//! Folders whose names anybody could guess: `.gleaner-NAME` beside an output, `NAME.partial` of a checkpoint.
//!
//! Others who may write beside an output may plant something there under such a name: a link to a folder of the user's,
//! a FIFO that is never read, a folder with a forged result. So such a folder is opened without following links. It
//! must be this user's, with nothing in it but entries that commands put there. Everything in it is reached from the
//! opened folder, never by its path: a later replacement is not touched. A file is opened only if it is one, and
//! without waiting.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::place::{LOCK, NEW, OLD, READY};

#[cfg(not(unix))]
mod elsewhere;
mod strange;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use elsewhere as system;
#[cfg(unix)]
use unix as system;

use strange::Kind;
pub use strange::{NotOwn, OwnError, Strange};
pub(super) use system::OwnFolder;

impl OwnFolder {
    /// The folder of this path, made if it is not there.
    ///
    /// # Errors
    ///
    /// When something else stands there, or it cannot be made.
    pub(super) fn made_at(path: &Path) -> Result<Self, OwnError> {
        let is_made = match system::make_private(path) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => return Err(error.into()),
        };
        Self::checked(path, is_made)
    }

    /// The folder that stands there.
    ///
    /// # Errors
    ///
    /// When nothing or something else stands there.
    pub(super) fn at(path: &Path) -> Result<Self, OwnError> {
        Self::checked(path, false)
    }

    /// Refuses a folder that is not this user's, or that holds an entry that no folder-writing command puts there.
    fn checked(path: &Path, is_made: bool) -> Result<Self, OwnError> {
        let folder = Self::open(path)?;
        if !is_made && !folder.is_of_this_user()? {
            return Err(NotOwn::at(path, Strange::OtherUser));
        }
        for name in folder.names()? {
            let expected = match name.to_str() {
                Some(NEW | OLD | READY) => Kind::Folder,
                Some(LOCK) => Kind::File,
                // Network file systems and desktops put their own there; none is ever touched.
                Some(hidden) if hidden.starts_with('.') => continue,
                _ => return Err(NotOwn::at(path, Strange::Holds(name.to_string_lossy().into_owned()))),
            };
            let Some(kind) = folder.kind_of(&name)? else { continue };
            if kind != expected {
                return Err(NotOwn::at(&path.join(&name), kind.strange_for(expected)));
            }
        }
        Ok(folder)
    }
}

/// The text of a file of ours, which is neither followed nor waited for.
///
/// # Errors
///
/// When it is not there, no file, or cannot be read.
pub fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_own_file(path, false)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file, and no link to one, to read it or to write at its end.
///
/// # Errors
///
/// When it is not there, no file, or cannot be opened.
pub(super) fn open_own_file(path: &Path, is_written: bool) -> io::Result<File> {
    let file = system::open_file(path, is_written)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"))
    }
}

/// Refuses anything at the path but a folder of this user; its content is not looked at.
///
/// # Errors
///
/// When something else stands there. An empty place is no error.
pub(super) fn check_own(path: &Path) -> Result<(), OwnError> {
    match OwnFolder::open(path) {
        Ok(folder) if folder.is_of_this_user()? => Ok(()),
        Ok(_) => Err(NotOwn::at(path, Strange::OtherUser)),
        Err(OwnError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(all(test, unix))]
mod tests;
