//! Folders of ours by paths, for systems where by default no other user may write beside a folder. Links are reported,
//! and not followed.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use super::strange::{Kind, NotOwn, OwnError};

/// A folder of ours.
#[derive(Debug)]
pub(in super::super) struct OwnFolder {
    path: PathBuf,
}

pub(super) fn make_private(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

pub(super) fn open_file(path: &Path, is_written: bool) -> io::Result<File> {
    match kind(path)? {
        Some(Kind::File) => OpenOptions::new().read(!is_written).append(is_written).open(path),
        Some(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file")),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

impl OwnFolder {
    pub(super) fn open(path: &Path) -> Result<Self, OwnError> {
        match kind(path)? {
            Some(Kind::Folder) => Ok(Self { path: path.to_owned() }),
            Some(other) => Err(NotOwn::at(path, other.strange_for(Kind::Folder))),
            None => Err(io::Error::from(io::ErrorKind::NotFound).into()),
        }
    }

    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "the same signature as on unix")]
    pub(super) fn is_of_this_user(&self) -> io::Result<bool> {
        Ok(true)
    }

    pub(in super::super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        names(&self.path)
    }

    pub(in super::super) fn names_in(&self, name: &str) -> io::Result<Vec<OsString>> {
        names(&self.path.join(name))
    }

    pub(super) fn kind_of(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        kind(&self.path.join(name))
    }

    pub(in super::super) fn has_folder(&self, name: &str) -> bool {
        matches!(kind(&self.path.join(name)), Ok(Some(Kind::Folder)))
    }

    pub(in super::super) fn make_all(&self, name: &Path) -> io::Result<()> {
        std::fs::create_dir_all(self.path.join(name))
    }

    pub(in super::super) fn make(&self, name: &str) -> io::Result<()> {
        std::fs::create_dir(self.path.join(name))
    }

    pub(in super::super) fn new_file(&self, name: &Path) -> io::Result<File> {
        File::create_new(self.path.join(name))
    }

    pub(in super::super) fn file(&self, name: &str, is_made: bool) -> Result<File, OwnError> {
        let path = self.path.join(name);
        match kind(&path)? {
            Some(kind) if kind != Kind::File => Err(NotOwn::at(&path, kind.strange_for(Kind::File))),
            _ => Ok(OpenOptions::new().create(is_made).append(true).open(path)?),
        }
    }

    /// Whether the open file is the one of this name: an open file is not removed here.
    pub(in super::super) fn holds(&self, _file: &File, name: &str) -> bool {
        self.path.join(name).exists()
    }

    pub(in super::super) fn set_permissions(&self, name: &str, permissions: Permissions) -> io::Result<()> {
        std::fs::set_permissions(self.path.join(name), permissions)
    }

    pub(in super::super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    pub(in super::super) fn move_out(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(self.path.join(from), to)
    }

    pub(in super::super) fn move_in(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, self.path.join(to))
    }

    #[expect(clippy::unused_self, reason = "the same signature as on unix")]
    pub(in super::super) fn exchange(&self, _name: &str, _other: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(in super::super) fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path.join(name);
        match kind(&path)? {
            None => Ok(()),
            Some(Kind::Folder) => std::fs::remove_dir_all(path),
            Some(Kind::File | Kind::Link | Kind::Other) => std::fs::remove_file(path),
        }
    }
}

fn kind(path: &Path) -> io::Result<Option<Kind>> {
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(there) if there.is_symlink() => Ok(Some(Kind::Link)),
        Ok(there) if there.is_dir() => Ok(Some(Kind::Folder)),
        Ok(there) if there.is_file() => Ok(Some(Kind::File)),
        Ok(_) => Ok(Some(Kind::Other)),
    }
}

fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}
