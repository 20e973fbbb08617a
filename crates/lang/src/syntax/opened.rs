//! Opens files: regular files and, where a user named them, FIFOs and standard input.
//!
//! A device, as `/dev/zero`, may have no end, and reading it can have effects. A FIFO in a folder would keep a command
//! waiting for a writer.

use std::fs::{File, FileType};
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::blocks::{ReadFault, read_whole};
use super::limits::MAX_UNSIZED_BYTES;

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
    let reader: Box<dyn Read> =
        if is_compressed { Box::new(MultiGzDecoder::new(BufReader::new(whole))) } else { Box::new(whole) };
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
    Ok(head)
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
        Ok(()) | Err(ReadFault::TooLong(_)) => Ok(bytes),
    }
}
