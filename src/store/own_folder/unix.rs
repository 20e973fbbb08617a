//! Everything is reached from the opened folder, by the calls of POSIX whose names end with `at`.

use std::ffi::{CStr, OsStr, OsString};
use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::super::place::{PREFIX, parent_of};
use super::strange::{Kind, NotOwn, OwnError, Strange};

/// A folder of ours, opened.
#[derive(Debug)]
pub(in super::super) struct OwnFolder {
    path: PathBuf,
    folder: OwnedFd,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Makes a folder that nobody else may write in, so that nothing can be planted there either.
pub(super) fn make_private(path: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

pub(super) fn open_file(path: &Path, is_written: bool) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(io::Error::other)?;
    OpenOptions::new().read(!is_written).append(is_written).custom_flags(flags).open(path)
}

impl OwnFolder {
    pub(super) fn open(path: &Path) -> Result<Self, OwnError> {
        match openat(CWD, path, FOLDER, Mode::empty()) {
            Ok(folder) => Ok(Self { path: path.to_owned(), folder }),
            // The error for a link differs from system to system.
            Err(error) => match std::fs::symlink_metadata(path) {
                Ok(there) if there.is_symlink() => Err(NotOwn::at(path, Strange::Link)),
                Ok(there) if !there.is_dir() => Err(NotOwn::at(path, Strange::NoFolder)),
                Ok(there) if there.uid() != geteuid().as_raw() => Err(NotOwn::at(path, Strange::OtherUser)),
                Ok(_) | Err(_) => Err(io::Error::from(error).into()),
            },
        }
    }

    /// Whether the folder is this user's. Some file systems give all folders to one user, whoever made them: the owner
    /// of a new folder beside it shows that.
    pub(super) fn is_of_this_user(&self) -> io::Result<bool> {
        let owner = fstat(&self.folder)?.st_uid;
        if owner == geteuid().as_raw() {
            return Ok(true);
        }
        let new = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent_of(&self.path));
        Ok(new.and_then(|new| std::fs::symlink_metadata(new.path())).is_ok_and(|new| new.uid() == owner))
    }

    pub(in super::super) fn path(&self) -> &Path {
        &self.path
    }

    /// The names in the folder, in no order.
    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        names(self.folder.as_fd())
    }

    /// The names in a folder within it, in no order.
    pub(in super::super) fn names_in(&self, name: &str) -> io::Result<Vec<OsString>> {
        names(openat(&self.folder, name, FOLDER, Mode::empty())?.as_fd())
    }

    /// The kind of thing at a name, if there is any.
    pub(super) fn kind_of(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        Ok(kind(self.folder.as_fd(), name)?)
    }

    /// Whether a folder of this name is in it.
    pub(in super::super) fn has_folder(&self, name: &str) -> bool {
        matches!(kind(self.folder.as_fd(), OsStr::new(name)), Ok(Some(Kind::Folder)))
    }

    /// Makes a folder, and those above it as far as they are missing; `name` is a path below this one.
    pub(in super::super) fn make_all(&self, name: &Path) -> io::Result<()> {
        let above: Vec<&Path> = name.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
        for path in above.into_iter().rev() {
            match mkdirat(&self.folder, path, Mode::from_raw_mode(0o777)) {
                Err(error) if error != Errno::EXIST => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes a folder that must not be there.
    pub(in super::super) fn make(&self, name: &str) -> io::Result<()> {
        Ok(mkdirat(&self.folder, name, Mode::from_raw_mode(0o777))?)
    }

    /// A new file, at a path below this folder.
    pub(in super::super) fn new_file(&self, name: &Path) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.folder, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Opens a file in it to write at its end, which is made if asked for.
    pub(in super::super) fn file(&self, name: &str, is_made: bool) -> Result<File, OwnError> {
        let made = if is_made { OFlags::CREATE } else { OFlags::empty() };
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(&self.folder, name, flags | made, Mode::from_raw_mode(0o666));
        // A FIFO that nobody reads is not opened; one that somebody reads is no file either.
        let kind = kind(self.folder.as_fd(), OsStr::new(name)).map_err(io::Error::from)?;
        match (opened, kind) {
            (_, Some(kind)) if kind != Kind::File => {
                Err(NotOwn::at(&self.path.join(name), kind.strange_for(Kind::File)))
            }
            (Ok(file), _) => Ok(file.into()),
            (Err(error), _) => Err(io::Error::from(error).into()),
        }
    }

    /// Whether the open file is the one of this name.
    pub(in super::super) fn holds(&self, file: &File, name: &str) -> bool {
        let (Ok(open), Ok(named)) = (fstat(file), statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW))
        else {
            return false;
        };
        (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino)
    }

    /// Gives a folder in it these permissions.
    pub(in super::super) fn set_permissions(&self, name: &str, permissions: Permissions) -> io::Result<()> {
        File::from(openat(&self.folder, name, FOLDER, Mode::empty())?).set_permissions(permissions)
    }

    /// Renames an entry within the folder.
    pub(in super::super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.folder, from, &self.folder, to)?)
    }

    /// Moves something out; `from` is a path below this folder.
    pub(in super::super) fn move_out(&self, from: &Path, to: &Path) -> io::Result<()> {
        Ok(renameat(&self.folder, from, CWD, to)?)
    }

    /// Moves something in; `to` is a path below this folder.
    pub(in super::super) fn move_in(&self, from: &Path, to: &Path) -> io::Result<()> {
        Ok(renameat(CWD, from, &self.folder, to)?)
    }

    /// Swaps a folder in it and one that is not, at once.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub(in super::super) fn exchange(&self, name: &str, other: &Path) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        Ok(renameat_with(&self.folder, name, CWD, other, RenameFlags::EXCHANGE)?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(in super::super) fn exchange(&self, _name: &str, _other: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Removes the thing at a name with everything below it, if there is any. Links are removed, never followed.
    pub(in super::super) fn remove(&self, name: &str) -> io::Result<()> {
        remove(self.folder.as_fd(), OsStr::new(name))
    }
}

fn kind(folder: BorrowedFd<'_>, name: &OsStr) -> Result<Option<Kind>, Errno> {
    let found = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Ok(None),
        found => found?,
    };
    Ok(Some(match FileType::from_raw_mode(found.st_mode) {
        FileType::Directory => Kind::Folder,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }))
}

fn names(folder: BorrowedFd<'_>) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name: &CStr = entry.file_name();
        if name != c"." && name != c".." {
            names.push(OsStr::from_bytes(name.to_bytes()).to_owned());
        }
    }
    Ok(names)
}

fn remove(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    let flags = match kind(folder, name)? {
        None => return Ok(()),
        Some(Kind::Folder) => {
            let below = openat(folder, name, FOLDER, Mode::empty())?;
            for name in names(below.as_fd())? {
                remove(below.as_fd(), &name)?;
            }
            AtFlags::REMOVEDIR
        }
        Some(Kind::File | Kind::Link | Kind::Other) => AtFlags::empty(),
    };
    match unlinkat(folder, name, flags) {
        Err(error) if error != Errno::NOENT => Err(error.into()),
        _ => Ok(()),
    }
}
