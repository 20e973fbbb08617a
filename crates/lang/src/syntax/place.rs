//! Places in files: bytes of a text, or a cell of a table that is no text.

use super::ast::Span;

/// One file among [`Sources`](super::Sources); by default the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(super) u32);

impl FileId {
    /// The file at this position.
    pub(super) fn of(position: usize) -> Self {
        Self(u32::try_from(position).expect("a run reads fewer files than 4 billion"))
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Bytes of a text.
    Bytes(FileId, Span),
    /// A row of a table that is no text, from 1; 0 stands for the names of its columns. With it, the column from 0 if
    /// the place is a cell.
    Row(FileId, u64, Option<u32>),
}

impl Default for Place {
    /// The beginning of the first file.
    fn default() -> Self {
        Self::new(FileId::default(), Span::default())
    }
}

impl Place {
    /// These bytes of this file.
    #[must_use]
    pub const fn new(file: FileId, span: Span) -> Self {
        Self::Bytes(file, span)
    }

    /// The file.
    #[must_use]
    pub const fn file(self) -> FileId {
        match self {
            Self::Bytes(file, _) | Self::Row(file, ..) => file,
        }
    }
}
