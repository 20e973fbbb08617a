//! Places of annotations: numbers of characters, as corpora give them, and bytes, as documents have them.

use std::ops::Range;

use gleaner_lang::syntax::{Diagnostic, FileId, Span, codes};

/// Where the characters of a text begin.
pub(super) struct Places {
    /// The first byte of each character, and the end.
    starts: Vec<usize>,
}

impl Places {
    pub(super) fn of(text: &str) -> Self {
        Self { starts: text.char_indices().map(|(at, _)| at).chain([text.len()]).collect() }
    }

    /// The bytes of the characters from `start` to before `end`, moved by `offset` bytes; none where these are not in the text,
    /// or none at all.
    pub(super) fn bytes(&self, start: usize, end: usize, offset: usize) -> Option<Range<usize>> {
        (start < end).then_some(())?;
        Some(offset + *self.starts.get(start)?..offset + *self.starts.get(end)?)
    }
}

/// The fault of something in a file that is not as the format has it.
pub(super) fn malformed(file: FileId, span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::BAD_CORPUS, what).with_label(file, span, "")
}

/// The fault of a text that is no XML.
pub(super) fn no_xml(file: FileId, span: Span, error: &impl std::fmt::Display) -> Diagnostic {
    malformed(file, span, format!("this is no XML: {error}"))
        .with_help("take the file as its authors publish it, whole")
}

/// The fault of an annotation that does not fit the text.
pub(super) fn misplaced(file: FileId, span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::BAD_ANNOTATION, what).with_label(file, span, "")
}

/// The fault of a relation between entities of which one is not known.
pub(super) fn unknown_end(file: FileId, span: Span, id: &str) -> Diagnostic {
    misplaced(file, span, format!("a relation has the end {id}, and no entity is called so"))
        .with_help("name an entity that stands before it, in the same document")
}
