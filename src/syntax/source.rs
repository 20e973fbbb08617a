//! The source files of a run, kept so that messages can show their lines.

use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use super::ast::Span;
use super::blocks::{self, BLOCK, Blocks, Replaced};
use super::codes;
use super::diagnostic::Diagnostic;
use super::place::FileId;
use super::stream::{ProgramSink, read_blocks};

/// A named text. That of a long file is not kept: it is read again when it is asked for.
///
/// **Invariant**: `line_starts` holds 0 and the offset after each line feed, ascending.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: OnceLock<String>,
    line_starts: OnceLock<Vec<usize>>,
    replaced: Option<Replaced>,
}

impl SourceFile {
    const fn new(name: String, text: OnceLock<String>, replaced: Option<Replaced>) -> Self {
        Self { name, text, line_starts: OnceLock::new(), replaced }
    }

    /// Whether replacement characters stand for bytes that are not UTF-8.
    #[must_use]
    pub const fn is_replaced(&self) -> bool {
        self.replaced.is_some()
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let bytes = self.text().bytes().enumerate();
            let after_feeds = bytes.filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(after_feeds).collect()
        })
    }

    /// The path or other name it goes by in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text; of a long file that is gone since it was read, nothing.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut bytes = Vec::new();
            let read = blocks::open(self.name.as_ref()).and_then(|mut file| file.read_to_end(&mut bytes));
            read.map_or_else(|_| String::new(), |_| String::from_utf8_lossy(&bytes).into_owned())
        })
    }

    /// Line and column of a byte offset, both from 1; columns count characters. An offset inside a
    /// character means that character, one past the end means the end. Cost: `O(log n_lines + column)`.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = floor_boundary(self.text(), offset);
        let line = self.line_starts().partition_point(|start| *start <= offset);
        (line, self.text()[self.line_starts()[line - 1]..offset].chars().count() + 1)
    }

    /// The bytes of the line holding `offset`, without its line feed.
    pub(super) fn line_around(&self, offset: usize) -> Span {
        let (text, line_starts) = (self.text(), self.line_starts());
        let line = line_starts.partition_point(|start| *start <= offset.min(text.len()));
        let start = line_starts[line - 1];
        let end = line_starts.get(line).map_or(text.len(), |next| next - 1);
        Span::new(start, end)
    }
}

/// The files read so far.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<SourceFile>);

impl Sources {
    /// No files.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a text that is already in memory.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(name.into(), text.into().into(), None)
    }

    fn push(&mut self, name: String, text: OnceLock<String>, replaced: Option<Replaced>) -> FileId {
        self.0.push(SourceFile::new(name, text, replaced));
        FileId(self.0.len() - 1)
    }

    /// Adds the bytes of a file.
    ///
    /// # Errors
    ///
    /// `G006` at the first byte that is not UTF-8. The text is kept all the same, with replacement
    /// characters, for the message to show the line.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> Result<FileId, Diagnostic> {
        let error = match String::from_utf8(bytes) {
            Ok(text) => return Ok(self.add(name, text)),
            Err(error) => error,
        };
        // Up to the first bad byte the replaced text has the same offsets as the file.
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[at];
        let file = self.add(name, String::from_utf8_lossy(error.as_bytes()));
        let end = at + char::REPLACEMENT_CHARACTER.len_utf8();
        Err(Diagnostic::error(codes::NOT_UTF8, format!("byte 0x{byte:02X} is not UTF-8"))
            .with_label(file, Span::new(at, end), "first such byte")
            .with_help(TO_UTF8))
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// `G005` when it cannot be read, `G006` when it is not UTF-8.
    pub fn load(&mut self, path: &Path) -> Result<FileId, Diagnostic> {
        let bytes = whole(path)?;
        self.add_bytes(path.display().to_string(), bytes)
    }

    /// Reads a file of data; bytes that are not UTF-8 become replacement characters, of which
    /// [`Sources::replacement_warning`] tells.
    ///
    /// # Errors
    ///
    /// `G005` when it cannot be read.
    pub fn load_data(&mut self, path: &Path) -> Result<FileId, Diagnostic> {
        let bytes = whole(path)?;
        let mut replaced = None;
        let text = match blocks::replace(&bytes, 0, &mut replaced) {
            Some(text) => text,
            None => String::from_utf8(bytes).unwrap_or_default(),
        };
        Ok(self.push(path.display().to_string(), text.into(), replaced))
    }

    /// `G008`, where bytes of a file are not UTF-8.
    #[must_use]
    pub fn replacement_warning(&self, file: FileId) -> Option<Diagnostic> {
        let Replaced { first, n_bytes } = self.get(file).replaced?;
        let (bytes, are) = if n_bytes == 1 { ("byte", "is") } else { ("bytes", "are") };
        let end = first + char::REPLACEMENT_CHARACTER.len_utf8();
        let message = format!("{n_bytes} {bytes} that {are} not UTF-8 replaced by \u{FFFD}");
        let warning = Diagnostic::warning(codes::REPLACED_BYTES, message);
        Some(warning.with_label(file, Span::new(first, end), "the first").with_help(TO_UTF8))
    }

    /// Reads a program part by part, so that a long one is never in memory as a whole; its id is that
    /// of [`Sources::next_id`]. False where something is wrong with the file itself: [`Sources::load_data`]
    /// then says what, `sink` has perhaps got a part of it already, and the file has no id.
    ///
    /// # Errors
    ///
    /// `G005` when the file cannot be opened.
    pub fn read(&mut self, path: &Path, sink: &mut impl ProgramSink) -> Result<bool, Diagnostic> {
        let file = blocks::open(path).map_err(|error| unreadable(path, &error))?;
        let Ok((whole, replaced)) = read_blocks(Blocks::new(file, BLOCK), sink) else { return Ok(false) };
        self.push(path.display().to_string(), whole.map_or_else(OnceLock::new, OnceLock::from), replaced);
        Ok(true)
    }

    /// The id that the next file will have.
    #[must_use]
    pub const fn next_id(&self) -> FileId {
        FileId(self.0.len())
    }

    /// A file by its id.
    ///
    /// # Panics
    ///
    /// When the id comes from other `Sources`.
    #[must_use]
    pub fn get(&self, file: FileId) -> &SourceFile {
        &self.0[file.0]
    }

    /// The files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.0.iter().enumerate().map(|(idx, file)| (FileId(idx), file))
    }
}

/// What to do about bytes that are not UTF-8.
const TO_UTF8: &str = "save the file as UTF-8; `iconv -f latin1 -t utf-8` converts Western European text";

/// `G006` for a replacement character outside quotes.
#[must_use]
pub fn not_utf8(file: FileId, span: Span) -> Diagnostic {
    Diagnostic::error(codes::NOT_UTF8, "a byte that is not UTF-8 outside quotes")
        .with_label(file, span, "the first")
        .with_help(TO_UTF8)
}

/// The bytes of a file.
fn whole(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    let read = blocks::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    let help = match error.kind() {
        std::io::ErrorKind::NotFound => "check the path; it is taken from the current folder",
        std::io::ErrorKind::PermissionDenied => "make the file readable for this user",
        _ if path.is_dir() => "this is a folder; name a file in it",
        _ => "check that the file can be opened",
    };
    Diagnostic::error(codes::UNREADABLE_FILE, format!("cannot read {}: {error}", path.display()))
        .with_help(help)
}

/// The last place at or before `offset` where a character of `text` begins or the text ends.
pub(super) fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
