//! Things that may stand at a name of ours but that no command put there.

use std::io;
use std::path::{Path, PathBuf};

/// Why a folder of ours cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OwnError {
    /// Something else stands there.
    #[error(transparent)]
    NotOwn(#[from] NotOwn),
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Something at a name of ours that no command put there.
#[derive(Debug, thiserror::Error)]
#[error("{} {strange}", path.display())]
pub struct NotOwn {
    /// Where it stands.
    pub path: PathBuf,
    /// The reason why it is none of ours.
    pub strange: Strange,
}

/// Why something is not ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Strange {
    /// It is a link, which leads elsewhere.
    #[error("is a link")]
    Link,
    /// A file, a FIFO or a device, where a folder is expected.
    #[error("is no folder")]
    NoFolder,
    /// A folder, a FIFO or a device, where a file is expected.
    #[error("is no file")]
    NoFile,
    /// Another user's.
    #[error("belongs to another user")]
    OtherUser,
    /// This stands in it.
    #[error("holds {0}, which no command puts there")]
    Holds(String),
}

impl NotOwn {
    /// The remedy that messages give.
    pub const REMEDY: &str = "nothing was written, moved or removed there; remove it or move it away if you know what it is, \
                              or choose another path";

    pub(super) fn at(path: &Path, strange: Strange) -> OwnError {
        Self { path: path.to_owned(), strange }.into()
    }
}

/// The kind of thing at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Link,
    Other,
}

impl Kind {
    /// The fault of this kind where another kind is expected.
    pub(super) const fn strange_for(self, expected: Self) -> Strange {
        match (self, expected) {
            (Self::Link, _) => Strange::Link,
            (_, Self::Folder) => Strange::NoFolder,
            (_, Self::File | Self::Link | Self::Other) => Strange::NoFile,
        }
    }
}
