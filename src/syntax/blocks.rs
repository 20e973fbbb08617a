//! A file as a row of texts that end at line feeds, so that it need not be in memory as a whole.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// Bytes read at once: small beside a processor's cache, large beside the cost of a call.
pub(super) const BLOCK: usize = 1 << 20;

/// A part of a file's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'blocks> {
    pub(super) text: &'blocks str,
    /// Where it begins in the file.
    pub(super) start: usize,
    /// Whether nothing follows; else it ends with a line feed.
    pub(super) is_last: bool,
}

/// A file that is read from its beginning to its end.
pub(super) struct Blocks {
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    start: usize,
    n_filled: usize,
    is_at_end: bool,
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blocks").field("start", &self.start).finish_non_exhaustive()
    }
}

/// How a file compressed by gzip begins.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Opens a file; one that is compressed by gzip, which its first bytes tell, gives its content.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let is_compressed = head == GZIP;
    let whole = Cursor::new(head).chain(file);
    Ok(if is_compressed { Box::new(MultiGzDecoder::new(BufReader::new(whole))) } else { Box::new(whole) })
}

impl Blocks {
    /// Reads `block` bytes at once, or more where they hold no line feed.
    pub(super) fn new(reader: Box<dyn Read>, block: usize) -> Self {
        Self { reader, buffer: vec![0; block], start: 0, n_filled: 0, is_at_end: false }
    }

    /// The text after the first `n_done` bytes of the one before, longer than what is left of that, if
    /// anything is left.
    ///
    /// # Errors
    ///
    /// When the file cannot be read on, or its text is not UTF-8.
    pub(super) fn next(&mut self, n_done: usize) -> io::Result<Block<'_>> {
        self.buffer.copy_within(n_done..self.n_filled, 0);
        self.n_filled -= n_done;
        self.start += n_done;
        let mut n_searched = self.n_filled;
        let end = loop {
            if self.is_at_end {
                break self.n_filled;
            }
            if self.n_filled == self.buffer.len() {
                self.buffer.resize(2 * self.n_filled, 0);
            }
            self.fill()?;
            let fresh = &self.buffer[n_searched..self.n_filled];
            if let Some(feed) = fresh.iter().rposition(|&byte| byte == b'\n').filter(|_| !self.is_at_end) {
                break n_searched + feed + 1;
            }
            n_searched = self.n_filled;
        };
        let text = std::str::from_utf8(&self.buffer[..end])
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Block { text, start: self.start, is_last: self.is_at_end })
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
