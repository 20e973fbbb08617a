//! Opens files, and reads them as a sequence of texts that end at line feeds, so that no file need be in memory as a
//! whole.
//!
//! A regular file may be opened and, where a user named them, FIFOs and standard input. A device, as `/dev/zero`, may
//! have no end, and reading it can have effects. A FIFO in a folder would keep a command waiting for a writer.

use std::fs::{File, FileType};
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::codes;
use super::diagnostic::Diagnostic;

/// The most bytes of an input without a length, as a FIFO. Memory holds them at once, as they cannot be read again.
const MAX_UNSIZED_BYTES: u64 = 1 << 30;

/// Standard input as an argument, and its name in messages.
pub const STANDARD_INPUT: (&str, &str) = ("-", "standard input");

/// The names that systems give to standard input, which may be a terminal.
const STANDARD_INPUTS: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// A file that may be read.
pub(super) struct Opened {
    /// Its content, decompressed.
    pub(super) reader: Box<dyn Read>,
    /// Whether it can be read again.
    pub(super) is_regular: bool,
}

/// Checks that a path leads to something that can be read: a file, a pipe or the standard input.
///
/// # Errors
///
/// `Unsupported` for a device or a socket, `IsADirectory` for a folder, and the system's error where the path does not
/// exist.
pub fn check_readable(path: &Path) -> io::Result<()> {
    let kind = path.metadata()?.file_type();
    let is_standard = || STANDARD_INPUTS.iter().any(|name| path == Path::new(name));
    if kind.is_file() || is_fifo(kind) || is_standard() {
        return Ok(());
    }
    Err(if kind.is_dir() {
        io::ErrorKind::IsADirectory.into()
    } else {
        io::Error::new(io::ErrorKind::Unsupported, format!("it is {}, not a file", in_words(kind)))
    })
}

/// As [`check_readable`], for a file that the user did not name: it must be a regular file.
///
/// # Errors
///
/// `Unsupported` for a FIFO, too.
pub fn check_regular(path: &Path) -> io::Result<()> {
    check_readable(path)?;
    if path.metadata()?.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, "it is a FIFO, not a file"))
}

/// Checks that a file lies in the folder of data that it is read as a part of, wherever links lead. The data may be one file:
/// then it is the folder of that file, and of what it is a link to. A path that leads nowhere is left to its reader.
///
/// # Errors
///
/// `G005` for a file outside: its lines would be shown as if they were the data's.
pub fn check_within(path: &Path, data: &Path) -> Result<(), Diagnostic> {
    let Ok(file) = path.canonicalize() else { return Ok(()) };
    let folder_of = |path: &Path| path.parent().filter(|up| !up.as_os_str().is_empty()).map(Path::to_owned);
    let whole = data.canonicalize().ok();
    let folders = if data.is_dir() {
        [whole, None]
    } else {
        let named = folder_of(data).unwrap_or_else(|| Path::new(".").to_owned());
        [whole.as_deref().and_then(folder_of), named.canonicalize().ok()]
    };
    if folders.iter().flatten().any(|folder| file.starts_with(folder)) {
        return Ok(());
    }
    let what = format!("cannot read {}: it leads out of the data's folder", name_of(path));
    Err(Diagnostic::error(codes::UNREADABLE_FILE, what).with_help("put a copy of the file in its place"))
}

#[cfg(unix)]
fn is_fifo(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
const fn is_fifo(_kind: FileType) -> bool {
    false
}

#[cfg(unix)]
fn in_words(kind: FileType) -> &'static str {
    if std::os::unix::fs::FileTypeExt::is_socket(&kind) { "a socket" } else { "a device" }
}

#[cfg(not(unix))]
const fn in_words(_kind: FileType) -> &'static str {
    "something else"
}

/// The first bytes of a file compressed by gzip.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Opens a file that a user named. A file compressed by gzip, as its first bytes tell, gives its decompressed content.
pub(super) fn open(path: &Path) -> io::Result<Opened> {
    if path == Path::new(STANDARD_INPUT.0) {
        return Ok(Opened { reader: content(Box::new(io::stdin()), None)?, is_regular: false });
    }
    check_readable(path)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    // Files that the system generates while they are read have no length.
    let n_bytes = Some(metadata.len()).filter(|&len| metadata.is_file() && len > 0);
    Ok(Opened { reader: content(Box::new(file), n_bytes)?, is_regular: metadata.is_file() })
}

/// The decompressed content of a source, whose length is `n_bytes` if that is known.
fn content(mut source: Box<dyn Read>, n_bytes: Option<u64>) -> io::Result<Box<dyn Read>> {
    let mut head = Vec::new();
    source.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let is_compressed = head == GZIP;
    let whole = Cursor::new(head).chain(source);
    let reader: Box<dyn Read> = if is_compressed {
        Box::new(Gzip(MultiGzDecoder::new(BufReader::new(whole))))
    } else {
        Box::new(whole)
    };
    let limit = match n_bytes {
        None => {
            let what = format!("it gives more than {} GiB; save it in a file first", MAX_UNSIZED_BYTES >> 30);
            (MAX_UNSIZED_BYTES, what)
        }
        Some(_) if !is_compressed => return Ok(reader),
        Some(n_bytes) => {
            let what = format!("its content is more than {MOST_RATIO} times as long as the file");
            (n_bytes.saturating_mul(MOST_RATIO).max(LEAST_CONTENT), what)
        }
    };
    Ok(Box::new(Limited { reader, left: limit.0, what: limit.1 }))
}

/// The content of a file compressed by gzip, with an error of plain words where it ends early.
struct Gzip<R>(MultiGzDecoder<R>);

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                io::Error::new(io::ErrorKind::UnexpectedEof, "its gzip data end early")
            }
            _ => error,
        })
    }
}

/// The greatest ratio of content to compressed file. Texts shrink to about a tenth, tables of one value to a hundredth,
/// and a repeated byte to a thousandth, gzip's limit.
const MOST_RATIO: u64 = 200;

/// The bytes that every compressed file may expand to, however small it is.
const LEAST_CONTENT: u64 = 16 << 20;

/// A reader with a limit; a text beyond it is an error.
struct Limited {
    reader: Box<dyn Read>,
    left: u64,
    what: String,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.reader.read(buffer)?;
        let Some(left) = self.left.checked_sub(n_read as u64) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, self.what.clone()));
        };
        self.left = left;
        Ok(n_read)
    }
}

/// The first bytes of a regular file, decompressed, or all bytes of a shorter one. It refuses files that can be read
/// only once, and leaves them to their reader.
///
/// # Errors
///
/// When the file is not regular, or cannot be opened or read.
pub fn read_head(path: &Path, n_bytes: u64) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    let mut head = Vec::new();
    open(path)?.reader.take(n_bytes).read_to_end(&mut head)?;
    Ok(without_mark(head))
}

/// The bytes of a text without a byte order mark. It says how the text is written, and is no part of a name.
pub(super) fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    bytes
}

/// The whole content of a regular file, or its beginning where a line has no end.
///
/// # Errors
///
/// As [`read_head`].
pub fn read_content(path: &Path) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    let (bytes, read) = read_whole(&mut open(path)?.reader);
    match read {
        Err(ReadFault::Io(error)) => Err(error),
        Ok(()) | Err(ReadFault::TooLong(_)) => Ok(without_mark(bytes)),
    }
}

/// The most bytes without the end of a line, or of a statement up to the end of its line. Memory holds all of them at
/// once; half a million words take a tenth of this.
pub const MAX_STATEMENT_BYTES: usize = 64 << 20;

/// Bytes read at once: few enough for a processor's cache, and enough to make the cost of a call small.
pub(super) const BLOCK: usize = 1 << 20;

/// A part of a file's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'blocks> {
    pub(super) text: &'blocks str,
    /// Where it begins in the file.
    pub(super) start: usize,
    /// Whether nothing follows; else it ends with a line feed.
    pub(super) is_last: bool,
    /// Whether any bytes of the file so far had to be replaced.
    pub(super) is_replaced: bool,
}

/// Bytes that are not UTF-8, each replaced by a replacement character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// The place of the first replacement.
    pub(super) first: usize,
    pub(super) n_bytes: usize,
}

/// The text of these bytes with replacements, or `None` where they are UTF-8. The text begins at `start` in the file.
pub(super) fn replace(bytes: &[u8], start: usize, replaced: &mut Option<Replaced>) -> Option<String> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let n_bytes = chunk.invalid().len();
        if n_bytes > 0 {
            let first = start + text.len();
            replaced.get_or_insert(Replaced { first, n_bytes: 0 }).n_bytes += n_bytes;
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    Some(text)
}

/// A file that is read from its beginning to its end.
pub(super) struct Blocks {
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    start: usize,
    n_filled: usize,
    is_at_end: bool,
    replaced: Option<Replaced>,
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blocks").field("start", &self.start).finish_non_exhaustive()
    }
}

/// Why a file cannot be read on.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadFault {
    #[error("{0}")]
    Io(#[from] io::Error),
    /// From this byte of the text on, more than [`MAX_STATEMENT_BYTES`] bytes have no end of a statement or line.
    #[error("a statement or line that is too long, from byte {0} on")]
    TooLong(usize),
}

/// All bytes of a file, or those before the fault.
pub(super) fn read_whole(reader: &mut dyn Read) -> (Vec<u8>, Result<(), ReadFault>) {
    let mut bytes = Vec::new();
    let mut line_start = 0;
    loop {
        let n_before = bytes.len();
        if let Err(error) = Read::take(&mut *reader, BLOCK as u64).read_to_end(&mut bytes) {
            return (bytes, Err(error.into()));
        }
        if bytes.len() == n_before {
            return (bytes, Ok(()));
        }
        if let Some(feed) = bytes[n_before..].iter().rposition(|&byte| byte == b'\n') {
            line_start = n_before + feed + 1;
        }
        if bytes.len() - line_start > MAX_STATEMENT_BYTES {
            return (bytes, Err(ReadFault::TooLong(line_start)));
        }
    }
}

impl Blocks {
    /// Reads `block` bytes at once, or more where they hold no line feed.
    pub(super) fn new(reader: Box<dyn Read>, block: usize) -> Self {
        Self { reader, buffer: vec![0; block], start: 0, n_filled: 0, is_at_end: false, replaced: None }
    }

    /// The text after the first `n_done` bytes of the block before. It is longer than the rest of that block, if the
    /// file goes on.
    ///
    /// # Errors
    ///
    /// When the file cannot be read on, or the rest has no end within [`MAX_STATEMENT_BYTES`].
    pub(super) fn next(&mut self, n_done: usize) -> Result<Block<'_>, ReadFault> {
        self.buffer.copy_within(n_done..self.n_filled, 0);
        self.n_filled -= n_done;
        self.start += n_done;
        let mut n_searched = self.n_filled;
        let end = loop {
            if self.is_at_end {
                break self.n_filled;
            }
            if self.n_filled == self.buffer.len() {
                if self.n_filled >= MAX_STATEMENT_BYTES {
                    return Err(ReadFault::TooLong(self.start));
                }
                self.buffer.resize(2 * self.n_filled, 0);
            }
            self.fill()?;
            let fresh = &self.buffer[n_searched..self.n_filled];
            if let Some(feed) = fresh.iter().rposition(|&byte| byte == b'\n').filter(|_| !self.is_at_end) {
                break n_searched + feed + 1;
            }
            n_searched = self.n_filled;
        };
        let end = self.make_text(end);
        let text = std::str::from_utf8(&self.buffer[..end])
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let is_replaced = self.replaced.is_some();
        Ok(Block { text, start: self.start, is_last: self.is_at_end, is_replaced })
    }

    /// The bytes replaced so far, if any.
    pub(super) const fn replaced(&self) -> Option<Replaced> {
        self.replaced
    }

    /// Replaces bytes that are not UTF-8 among the first `end` bytes of the buffer, and returns the length of the text.
    /// Places count in the text with replacements.
    fn make_text(&mut self, end: usize) -> usize {
        let Some(text) = replace(&self.buffer[..end], self.start, &mut self.replaced) else { return end };
        self.buffer.splice(..end, text.bytes());
        self.n_filled = self.n_filled - end + text.len();
        text.len()
    }

    /// Fills the buffer as far as the file goes.
    fn fill(&mut self) -> io::Result<()> {
        while self.n_filled < self.buffer.len() {
            match self.reader.read(&mut self.buffer[self.n_filled..]) {
                Ok(0) => {
                    self.is_at_end = true;
                    return Ok(());
                }
                Ok(n_read) => self.n_filled += n_read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The file at a path; `G005` if it cannot be opened.
pub(super) fn opened(path: &Path) -> Result<Opened, Diagnostic> {
    open(path).map_err(|error| unreadable(path, &error))
}

/// The name that messages use for the file at a path.
pub(super) fn name_of(path: &Path) -> String {
    let (argument, name) = STANDARD_INPUT;
    if path == Path::new(argument) { name.to_owned() } else { path.display().to_string() }
}

/// `G005`: a file cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let help = match error.kind() {
        io::ErrorKind::NotFound => "check the path; it is taken from the current folder",
        io::ErrorKind::PermissionDenied => "make the file readable for this user",
        io::ErrorKind::Unsupported => {
            "gleaner reads regular files, and FIFOs and standard input that you name"
        }
        io::ErrorKind::UnexpectedEof => "the file was cut off: copy or download it once more",
        io::ErrorKind::InvalidData => "give an uncompressed regular file; it may have any length",
        _ if path.is_dir() => "this is a folder; name a file in it",
        _ => "check that the file can be opened",
    };
    Diagnostic::error(codes::UNREADABLE_FILE, format!("cannot read {}: {error}", name_of(path)))
        .with_help(help)
}
