//! A file as a sequence of texts that end at line feeds, so that it need not be in memory as a whole.

use std::io::{self, Read};

use super::limits::MAX_STATEMENT_BYTES;

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
