//! Where something stands: bytes of a file.

use super::ast::Span;

/// One file among [`Sources`](super::Sources); by default the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(super) usize);

/// Bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Its bytes.
    pub span: Span,
}

impl Place {
    /// These bytes of this file.
    #[must_use]
    pub const fn new(file: FileId, span: Span) -> Self {
        Self { file, span }
    }
}
