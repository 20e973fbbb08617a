//! The source files of a run, kept so that messages can show their lines.

use std::borrow::Cow;
use std::fmt::Debug;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::ast::Span;
use super::diagnostic::{Diagnostic, FileId, Place};
use super::files::{
    BLOCK, Blocks, MAX_STATEMENT_BYTES, Opened, ReadFault, Replaced, name_of, opened, unreadable,
};
use super::stream::{ProgramSink, read_blocks, read_program};
use super::{codes, files};

/// A named text. The text of a long file is not kept; it is read again when it is needed.
///
/// **Invariant**: `line_starts` holds 0 and the offset after each line feed, ascending.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: OnceLock<String>,
    line_starts: OnceLock<Vec<usize>>,
    replaced: Option<Replaced>,
    /// The column names of a table that is no text.
    columns: Option<Vec<String>>,
    /// What the table is, if it stands in no file.
    in_memory: Option<Arc<dyn TableInMemory>>,
}

/// A table in memory, which gives its content as a file does: hashes need it.
pub trait TableInMemory: Debug + Send + Sync {
    /// The content. Different tables have different contents.
    fn content(&self) -> Vec<u8>;
}

impl SourceFile {
    const fn new(name: String, text: OnceLock<String>, replaced: Option<Replaced>) -> Self {
        Self { name, text, line_starts: OnceLock::new(), replaced, columns: None, in_memory: None }
    }

    /// A table that is no text.
    fn table(name: String, columns: Vec<String>) -> Self {
        Self { columns: Some(columns), ..Self::new(name, OnceLock::from(String::new()), None) }
    }

    /// Whether replacement characters stand for bytes that are not UTF-8.
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

    /// The path, or another name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text; empty for a long file that was removed since it was read.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let opened = files::open(self.name.as_ref());
            // A file that cannot be read to its end gives its beginning.
            let bytes = opened.map_or_else(|_| Vec::new(), |mut file| files::read_whole(&mut file.reader).0);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }

    /// The content of the file; a table is read again.
    pub fn content(&self) -> Cow<'_, [u8]> {
        if self.columns.is_none() {
            return Cow::Borrowed(self.text().as_bytes());
        }
        if let Some(table) = &self.in_memory {
            return Cow::Owned(table.content());
        }
        let mut bytes = Vec::new();
        // A file that was removed gives nothing; one that cannot be read to its end gives its beginning.
        let _ = files::open(self.name.as_ref()).and_then(|mut file| file.reader.read_to_end(&mut bytes));
        Cow::Owned(bytes)
    }

    /// Line and column of a byte offset, both from 1; columns count characters. An offset inside a character stands for
    /// that character, and an offset past the end for the end. Cost: `O(log n_lines + column)`.
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

/// The files read so far, and texts in memory that are read as files of their names would be.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    held: Arc<[(PathBuf, Arc<str>)]>,
}

impl Sources {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Holds texts by names, which go before the files of these names.
    pub fn hold(&mut self, texts: &Arc<[(PathBuf, Arc<str>)]>) {
        self.held = Arc::clone(texts);
    }

    /// The names of the texts that it holds.
    pub fn held(&self) -> impl Iterator<Item = &Path> {
        self.held.iter().map(|(name, _)| name.as_path())
    }

    /// The text that it holds by this name.
    pub fn held_text(&self, name: &Path) -> Option<&Arc<str>> {
        self.held.iter().find(|(known, _)| known == name).map(|(_, text)| text)
    }

    fn opened(&self, path: &Path) -> Result<Opened, Diagnostic> {
        match self.held_text(path) {
            Some(text) => {
                let bytes = text.as_bytes().to_vec();
                Ok(Opened { reader: Box::new(Cursor::new(bytes)), is_regular: false })
            }
            None => opened(path),
        }
    }

    /// Adds a text that is already in memory.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(name.into(), text.into().into(), None)
    }

    fn push(&mut self, name: String, text: OnceLock<String>, replaced: Option<Replaced>) -> FileId {
        self.files.push(SourceFile::new(name, text, replaced));
        FileId::of(self.files.len() - 1)
    }

    /// Adds a table that is no text. Messages name its columns, or number those without a name.
    pub fn add_table(&mut self, name: impl Into<String>, columns: Vec<String>) -> FileId {
        self.files.push(SourceFile::table(name.into(), columns));
        FileId::of(self.files.len() - 1)
    }

    /// Adds a table that stands in no file, as [`Sources::add_table`] does.
    pub fn add_in_memory(
        &mut self,
        name: impl Into<String>,
        columns: Vec<String>,
        table: Arc<dyn TableInMemory>,
    ) -> FileId {
        let file = self.add_table(name, columns);
        self.files[file.index()].in_memory = Some(table);
        file
    }

    /// Adds the bytes of a file.
    ///
    /// # Errors
    ///
    /// `G006` at the first byte that is not UTF-8. The text is kept with replacement characters, so that the message
    /// can show the line.
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
    /// `G005` when it cannot be read, `G006` when it is not UTF-8, `G009` when a line is too long.
    pub fn load(&mut self, path: &Path) -> Result<FileId, Diagnostic> {
        let bytes = self.whole(path, self.opened(path)?)?;
        self.add_bytes(name_of(path), bytes)
    }

    /// Reads a file of data. Bytes that are not UTF-8 become replacement characters, which
    /// [`Sources::replacement_warning`] reports.
    ///
    /// # Errors
    ///
    /// `G005` when it cannot be read, `G009` when a line is too long.
    pub fn load_data(&mut self, path: &Path) -> Result<FileId, Diagnostic> {
        self.load_opened(path, self.opened(path)?)
    }

    /// Sets the names that messages use for the columns of a table that is no text.
    ///
    /// # Panics
    ///
    /// When the id comes from other `Sources`.
    pub fn name_columns(&mut self, table: FileId, names: Vec<String>) {
        self.files[table.index()].columns = Some(names);
    }

    fn load_opened(&mut self, path: &Path, file: Opened) -> Result<FileId, Diagnostic> {
        let bytes = self.whole(path, file)?;
        let mut replaced = None;
        let text = match files::replace(&bytes, 0, &mut replaced) {
            Some(text) => text,
            None => String::from_utf8(bytes).unwrap_or_default(),
        };
        Ok(self.push(name_of(path), text.into(), replaced))
    }

    /// The bytes of a file. If a line is too long, the bytes before it are kept, to show the place.
    fn whole(&mut self, path: &Path, mut file: Opened) -> Result<Vec<u8>, Diagnostic> {
        match files::read_whole(&mut file.reader) {
            (bytes, Ok(())) => match utf16(&bytes) {
                Some(encoding) => Err(in_utf16(path, encoding)),
                None => Ok(files::without_mark(bytes)),
            },
            (_, Err(ReadFault::Io(error))) => Err(unreadable(path, &error)),
            (bytes, Err(ReadFault::TooLong(at))) => {
                let before = String::from_utf8_lossy(&bytes[..at]).len();
                let file = self.add(name_of(path), String::from_utf8_lossy(&bytes));
                Err(too_long(file, before))
            }
        }
    }

    /// `G008`, where bytes of a file are not UTF-8.
    pub fn replacement_warning(&self, file: FileId) -> Option<Diagnostic> {
        // A reader of several texts may have found none.
        let Replaced { first, n_bytes } = self.files.get(file.index())?.replaced?;
        let (bytes, are) = if n_bytes == 1 { ("byte", "is") } else { ("bytes", "are") };
        let end = first + char::REPLACEMENT_CHARACTER.len_utf8();
        let message = format!("replaced {n_bytes} {bytes} that {are} not UTF-8 by \u{FFFD}");
        let warning = Diagnostic::warning(codes::REPLACED_BYTES, message);
        Some(warning.with_label(file, Span::new(first, end), "the first").with_help(TO_UTF8))
    }

    /// Reads a program part by part, so that a long one is never in memory as a whole. Its id is that of
    /// [`Sources::next_id`]. False where the file itself has a fault, which [`Sources::load_data`] then reports. The
    /// file then has no id, and `sink` may already have a part of it.
    ///
    /// # Errors
    ///
    /// `G005` when the file cannot be opened, `G009` where it has too many bytes without the end of a statement.
    pub fn read(&mut self, path: &Path, sink: &mut impl ProgramSink) -> Result<bool, Diagnostic> {
        let opened = self.opened(path)?;
        if !opened.is_regular {
            // It cannot be read a second time.
            let id = self.load_opened(path, opened)?;
            let file = self.get(id);
            if file.is_replaced() {
                sink.replaced();
            }
            read_program(file.text(), sink);
            return Ok(true);
        }
        let name = name_of(path);
        match read_blocks(Blocks::new(opened.reader, BLOCK), sink) {
            Ok((whole, replaced)) => {
                self.push(name, whole.map_or_else(OnceLock::new, OnceLock::from), replaced);
                Ok(true)
            }
            Err(ReadFault::TooLong(at)) => Err(too_long(self.push(name, OnceLock::new(), None), at)),
            Err(ReadFault::Io(_)) => Ok(false),
        }
    }

    /// The id that the next file will have.
    pub fn next_id(&self) -> FileId {
        FileId::of(self.files.len())
    }

    /// A file by its id.
    ///
    /// # Panics
    ///
    /// When the id comes from other `Sources`.
    pub fn get(&self, file: FileId) -> &SourceFile {
        &self.files[file.index()]
    }

    /// Line and column of a place, from 1. In a table that is no text, the row and the number of the column; the first
    /// column for a whole row.
    ///
    /// # Panics
    ///
    /// When the place is of other `Sources`.
    pub fn position(&self, place: Place) -> (usize, usize) {
        match place {
            Place::Bytes(file, span) => self.get(file).line_column(span.start),
            Place::Row(_, row, column) => {
                (usize::try_from(row).unwrap_or(usize::MAX), column.map_or(1, |column| column as usize + 1))
            }
        }
    }

    /// A place in words: `data.pl:7`, or `data: row 12, column amount` in a table that is no text.
    ///
    /// # Panics
    ///
    /// When the place is of other `Sources`.
    pub fn in_words(&self, place: Place) -> String {
        let file = self.get(place.file());
        let Place::Row(_, row, column) = place else {
            return format!("{}:{}", file.name, self.position(place).0);
        };
        let row = (row > 0).then(|| format!("row {row}"));
        let column = column.map(|column| {
            let name = file.columns.as_ref().and_then(|columns| columns.get(column as usize));
            name.map_or_else(|| format!("column {}", column + 1), |name| format!("column {name}"))
        });
        let parts: Vec<String> = row.into_iter().chain(column).collect();
        if parts.is_empty() { file.name.clone() } else { format!("{}: {}", file.name, parts.join(", ")) }
    }

    /// The files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(idx, file)| (FileId::of(idx), file))
    }
}

/// The advice about bytes that are not UTF-8.
const TO_UTF8: &str = "save the file as UTF-8; `iconv -f latin1 -t utf-8` converts Western European text";

/// The name of the encoding of bytes that are text in UTF-16, as their byte-order mark says, or else zeros in every other
/// place of their beginning.
fn utf16(bytes: &[u8]) -> Option<&'static str> {
    const LOOKED_AT: usize = 256;
    /// Fewer bytes show nothing.
    const FEWEST: usize = 8;
    match bytes {
        [0xFF, 0xFE, ..] => return Some("UTF-16LE"),
        [0xFE, 0xFF, ..] => return Some("UTF-16BE"),
        _ if bytes.len() < FEWEST => return None,
        _ => {}
    }
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let n_zeros = |first: usize| head.iter().skip(first).step_by(2).filter(|&&byte| byte == 0).count();
    // Letters beyond Latin 1 have no zero.
    let is_most = |n: usize| n * 2 > head.len() / 2;
    match [n_zeros(0), n_zeros(1)] {
        [0, n] if is_most(n) => Some("UTF-16LE"),
        [n, 0] if is_most(n) => Some("UTF-16BE"),
        _ => None,
    }
}

/// `G006`: a file is in another encoding.
fn in_utf16(path: &Path, encoding: &str) -> Diagnostic {
    let what = format!("{} is in {encoding}, not in UTF-8", name_of(path));
    Diagnostic::error(codes::NOT_UTF8, what)
        .with_help(format!("save it as UTF-8 (Excel: CSV UTF-8); `iconv -f {encoding} -t utf-8` converts it"))
}

/// `G006` for a replacement character outside quotes.
pub fn not_utf8(file: FileId, span: Span) -> Diagnostic {
    Diagnostic::error(codes::NOT_UTF8, "a byte that is not UTF-8 outside quotes")
        .with_label(file, span, "the first")
        .with_help(TO_UTF8)
}

/// `G009`: a statement or a line is too long.
fn too_long(file: FileId, at: usize) -> Diagnostic {
    let n_mebibytes = MAX_STATEMENT_BYTES >> 20;
    Diagnostic::error(
        codes::TOO_LONG,
        format!("more than {n_mebibytes} MiB without the end of a statement or line"),
    )
    .with_label(file, Span::new(at, at + 1), "from here on")
    .with_help(
        "is this a text file? a statement ends with a full stop and a line break, a record \
         with a line break",
    )
    .with_help("is a quote or comment closed?")
}

/// The last place at or before `offset` where a character of `text` begins or the text ends.
pub(super) fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Sources;
    use crate::syntax::{Span, render};

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let mut sources = Sources::new();
        let file = sources.add("a.pl", "p(é).\r\nq.\n");
        assert_eq!(sources.get(file).line_column(0), (1, 1));
        assert_eq!(sources.get(file).line_column(4), (1, 4), "after the two bytes of é");
        assert_eq!(sources.get(file).line_column(3), (1, 3), "inside é");
        assert_eq!(sources.get(file).line_column(8), (2, 1));
        assert_eq!(sources.get(file).line_column(999), (3, 1));
        assert_eq!(sources.get(file).line_around(8), Span::new(8, 10));
        let empty = sources.add("empty.pl", "");
        assert_eq!(sources.get(empty).line_column(0), (1, 1));
        assert_eq!(sources.iter().map(|(_, file)| file.name()).collect::<Vec<_>>(), ["a.pl", "empty.pl"]);
    }

    #[test]
    fn the_first_byte_outside_utf8_is_shown() {
        let mut sources = Sources::new();
        let fault = sources.add_bytes("b.pl", b"p(a).\nq(\xE9t\xE9).\n".to_vec()).unwrap_err();
        let shown = render(&[fault], &sources, false);
        let expected = "error[G006]: byte 0xE9 is not UTF-8\n --> b.pl:2:3\n  |\n2 | q(\u{FFFD}t\u{FFFD}).\n  |   ^ first such byte";
        assert!(shown.replace("  --> ", " --> ").starts_with(expected), "{shown}");
        assert!(sources.add_bytes("c.pl", "p(é).".into()).is_ok());
    }

    #[test]
    fn a_missing_file_or_a_folder_is_named_with_a_remedy() {
        let mut sources = Sources::new();
        let fault = sources.load("no/such/file.pl".as_ref()).unwrap_err();
        assert_eq!(fault.code().to_string(), "G005");
        assert!(fault.message().starts_with("cannot read no/such/file.pl: "));
        assert_eq!(fault.help(), ["check the path; it is taken from the current folder"]);
        let fault = sources.load("src".as_ref()).unwrap_err();
        assert_eq!(fault.help(), ["this is a folder; name a file in it"]);
    }
}
