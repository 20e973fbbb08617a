//! A text of any length, from a file or standard input, as blocks that end at line ends.
//!
//! Only a comment or a quoted line can cross a line end and change how the text before it is read. So the statements of
//! a block are those of the whole text, up to the last complete one. The next block repeats the text after that. A
//! thread of its own reads the source. So the caller notices a stop while nothing arrives, and gets each part at once.
//!
//! Reads and checks the clauses of a text, block by block; after the first fault, only further faults count.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use gleaner_base::{Budget, StopReason};
use gleaner_lang::program::lower::Widened;
use gleaner_lang::syntax::{
    Diagnostic, MAX_STATEMENT_BYTES, STANDARD_INPUT, check_readable, codes, read_statements,
};

use super::check::{Checker, ReadClause};
use super::{ClauseFault, ClauseFaults, FaultLog, MOST_FAULTS};

/// The most bytes of one read.
const PART_BYTES: usize = 1 << 18;

/// The most parts to read ahead, and so the most in one block.
const N_PARTS_AHEAD: usize = 4;

/// How long to wait for text before the next check for a stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// Some whole lines of the text.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The lines.
    pub text: String,
    /// The offset in `text` where the new text begins.
    pub skip: usize,
    /// The offset of `text` in the whole text, in bytes.
    pub start: usize,
    /// The number of the first line, from 1.
    pub first_line: usize,
    /// Whether this is the last block.
    pub is_last: bool,
    /// The first byte that is not UTF-8, and its offset.
    pub bad_byte: Option<(u8, usize)>,
}

impl Block {
    /// A whole text.
    pub(super) const fn whole(text: String) -> Self {
        Self { text, skip: 0, start: 0, first_line: 1, is_last: true, bad_byte: None }
    }
}

/// The answer to a request for more text.
#[derive(Debug)]
pub(super) enum More {
    /// A block.
    Block(Block),
    /// The budget ended first.
    Stopped(StopReason),
}

/// A text while it is read.
#[derive(Debug)]
pub(super) struct Stream {
    parts: Receiver<io::Result<Vec<u8>>>,
    /// The size of the text in bytes, if known.
    n_bytes: Option<u64>,
    /// The text read so far without the part that is done; it begins at `start` in the whole text.
    buffer: Vec<u8>,
    start: usize,
    first_line: usize,
    skip: usize,
    is_at_end: bool,
}

impl Stream {
    /// Begins to read a file, or standard input for `-`.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let is_standard = path == Path::new(STANDARD_INPUT.0);
        let (source, n_bytes): (Box<dyn Read + Send>, _) = if is_standard {
            (Box::new(io::stdin()), None)
        } else {
            check_readable(path)?;
            let file = File::open(path)?;
            let known = file.metadata().ok().filter(std::fs::Metadata::is_file);
            (Box::new(file), known.map(|metadata| metadata.len()))
        };
        Ok(Self { n_bytes, ..Self::of(source) })
    }

    /// Begins to read from `source`.
    fn of(mut source: Box<dyn Read + Send>) -> Self {
        let (sender, parts) = sync_channel(N_PARTS_AHEAD);
        // The thread ends with its source, without a receiver, or with the process.
        thread::spawn(move || {
            loop {
                let mut part = vec![0; PART_BYTES];
                let read = match source.read(&mut part) {
                    Ok(0) => break,
                    Ok(n_read) => {
                        part.truncate(n_read);
                        Ok(part)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let is_over = read.is_err();
                if sender.send(read).is_err() || is_over {
                    break;
                }
            }
        });
        Self { parts, n_bytes: None, buffer: Vec::new(), start: 0, first_line: 1, skip: 0, is_at_end: false }
    }

    /// The size of the text in bytes, if known.
    pub(super) const fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }

    /// The lines that have arrived, at least one, or the end of the text. Text that is not done comes first.
    ///
    /// # Errors
    ///
    /// When the text cannot be read on, or a line is too long.
    pub(super) fn next(&mut self, budget: &Budget) -> io::Result<More> {
        // A long rest must double before it is given again: each further line would otherwise cost a look at all of it.
        let enough = if self.buffer.len() > PART_BYTES { 2 * self.buffer.len() } else { 0 };
        let mut n_searched = self.buffer.len();
        let end = loop {
            if self.is_at_end {
                break self.buffer.len();
            }
            if let Some(reason) = self.receive(budget)? {
                return Ok(More::Stopped(reason));
            }
            let feed = self.buffer[n_searched..].iter().rposition(|&byte| byte == b'\n');
            match feed {
                Some(feed) if !self.is_at_end && self.buffer.len() >= enough => break n_searched + feed + 1,
                Some(_) => {}
                None if self.buffer.len() > MAX_STATEMENT_BYTES => {
                    let n_mebibytes = MAX_STATEMENT_BYTES >> 20;
                    let what =
                        format!("more than {n_mebibytes} MiB without the end of line {}", self.first_line);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, what));
                }
                None => n_searched = self.buffer.len(),
            }
        };
        Ok(More::Block(self.block(end)))
    }

    /// Takes the parts read since, and waits for one if there are none. Gives the reason if the budget ends first.
    fn receive(&mut self, budget: &Budget) -> io::Result<Option<StopReason>> {
        loop {
            if let Some(reason) = budget.stop() {
                return Ok(Some(reason));
            }
            match self.parts.recv_timeout(PATIENCE) {
                Ok(part) => self.buffer.extend(part?),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    self.is_at_end = true;
                    return Ok(None);
                }
            }
            for part in self.parts.try_iter().take(N_PARTS_AHEAD) {
                self.buffer.extend(part?);
            }
            return Ok(None);
        }
    }

    fn block(&mut self, end: usize) -> Block {
        let error = std::str::from_utf8(&self.buffer[..end]).err();
        // Before the first bad byte, offsets in the replaced text and in the bytes are the same.
        let bad_byte = error.map(|error| (self.buffer[error.valid_up_to()], error.valid_up_to()));
        Block {
            text: String::from_utf8_lossy(&self.buffer[..end]).into_owned(),
            skip: self.skip,
            start: self.start,
            first_line: self.first_line,
            is_last: self.is_at_end,
            bad_byte,
        }
    }

    /// Marks the text of the last block before `end` as done, but not the rest of that line.
    pub(super) fn done(&mut self, end: usize) {
        let line = self.buffer[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |feed| feed + 1);
        self.first_line += self.buffer[..line].iter().filter(|&&byte| byte == b'\n').count();
        self.buffer.drain(..line);
        self.start += line;
        self.skip = end - line;
    }
}

/// The most bytes of a statement; a longer one counts as endless.
const LONGEST_STATEMENT: usize = 1 << 24;

/// The most constants kept from block to block that only clauses name.
const MOST_FURTHER_CONSTANTS: usize = 1 << 16;

/// The next part of the text.
#[derive(Debug)]
pub enum Next {
    /// Clauses, perhaps none.
    Clauses(Vec<ReadClause>),
    /// Nothing more.
    End,
    /// Nothing more in time.
    Stopped(StopReason),
}

/// A text of clauses.
#[derive(Debug)]
pub struct ClauseReader<'p> {
    path: String,
    stream: Stream,
    checker: Checker<'p>,
    log: FaultLog,
    is_over: bool,
    n_bytes_read: u64,
    /// How often the reader forgot the constants that only clauses name.
    n_forgotten: usize,
}

impl<'p> ClauseReader<'p> {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub fn open(path: &Path, checker: Checker<'p>) -> Result<Self, ClauseFaults> {
        let shown = path.display().to_string();
        let stream = Stream::open(path).map_err(|error| unreadable(&shown, &error))?;
        let name = if stream.n_bytes().is_none() && shown == "-" { "standard input" } else { &shown };
        let log = FaultLog::new(name.to_owned());
        Ok(Self { path: shown, stream, checker, log, is_over: false, n_bytes_read: 0, n_forgotten: 0 })
    }

    /// The bytes read so far, and the size of the text, if known.
    pub const fn progress(&self) -> (u64, Option<u64>) {
        (self.n_bytes_read, self.stream.n_bytes())
    }

    /// The problem's symbols with the constants of the clauses that [`Self::next`] gave last.
    pub const fn names(&mut self) -> &mut Widened<'p> {
        self.checker.names()
    }

    /// A mark of the symbols: it changes whenever they change.
    pub fn revision(&mut self) -> (usize, usize, usize) {
        let n_forgotten = self.n_forgotten;
        let names = self.names();
        (n_forgotten, names.further().len(), names.late().len())
    }

    /// Gives the clauses of the next block.
    ///
    /// # Errors
    ///
    /// All faults of the rest of the text, however long it is.
    pub fn next(&mut self, budget: &Budget) -> Result<Next, ClauseFaults> {
        if self.names().further().len() > MOST_FURTHER_CONSTANTS {
            self.names().forget();
            self.n_forgotten += 1;
        }
        let mut clauses = Vec::new();
        while !self.is_over {
            let more = self.stream.next(budget).map_err(|error| unreadable(&self.path, &error))?;
            let block = match more {
                More::Block(block) => block,
                More::Stopped(_) if !self.log.is_empty() => break,
                More::Stopped(reason) => return Ok(Next::Stopped(reason)),
            };
            let faults = self.read(&block, &mut clauses);
            self.log.add(&block, faults);
            if self.log.is_empty() {
                return Ok(Next::Clauses(clauses));
            }
            clauses.clear();
            self.is_over |= self.log.is_full();
        }
        if self.log.is_empty() {
            return Ok(Next::End);
        }
        let log = std::mem::replace(&mut self.log, FaultLog::new(String::new()));
        Err(log.into_faults())
    }

    /// Reads the complete statements of a block.
    fn read(&mut self, block: &Block, clauses: &mut Vec<ReadClause>) -> Vec<ClauseFault> {
        let (mut faults, mut done) = (Vec::new(), block.skip);
        let checker = &mut self.checker;
        let fresh = &block.text[block.skip..];
        let syntax = read_statements(fresh, &mut |statement| {
            done = block.skip + statement.span.end;
            match checker.check(&statement, fresh) {
                Ok(alternatives) => clauses.extend(alternatives),
                Err(found) => faults.extend(found.into_iter().map(|fault| fault.moved(block.skip))),
            }
        });
        let mut syntax: Vec<ClauseFault> =
            syntax.iter().map(|fault| ClauseFault::syntax(fault).moved(block.skip)).collect();
        let n_open = syntax.iter().filter(|fault| fault.start() >= done).count();
        let is_cut = block.text.len() - done > LONGEST_STATEMENT || n_open > MOST_FAULTS;
        self.is_over = block.is_last || block.bad_byte.is_some() || is_cut;
        if !self.is_over {
            // The rest may be the beginning of a statement: the next block repeats it.
            syntax.retain(|fault| fault.start() < done);
        }
        faults.extend(syntax);
        if let Some((byte, at)) = block.bad_byte {
            faults.retain(|fault| fault.start() < at);
            faults.push(ClauseFault::bad_byte(byte, at));
        }
        let end = if self.is_over { block.text.len() } else { done };
        self.n_bytes_read = (block.start + end) as u64;
        if !self.is_over {
            self.stream.done(end);
        }
        faults
    }
}

fn unreadable(path: &str, error: &io::Error) -> ClauseFaults {
    let help = match error.kind() {
        io::ErrorKind::NotFound => "check the path; it is taken from the current folder",
        io::ErrorKind::PermissionDenied => "make the file readable for this user",
        io::ErrorKind::IsADirectory => "this is a folder; name a file in it",
        io::ErrorKind::InvalidData => "a clause ends with a full stop; begin each on a line of its own",
        _ => "give a file of clauses, or - for standard input",
    };
    ClauseFaults::one(
        Diagnostic::error(codes::UNREADABLE_FILE, format!("cannot read {path}: {error}")).with_help(help),
    )
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use gleaner_base::Budget;

    use super::{Block, More, Stream};

    /// Gives its parts one by one, as a pipe does.
    struct Parts(Vec<&'static str>);

    impl Read for Parts {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let part = self.0.remove(0).as_bytes();
            buffer[..part.len()].copy_from_slice(part);
            Ok(part.len())
        }
    }

    fn next(stream: &mut Stream) -> Block {
        match stream.next(&Budget::unlimited()).expect("the parts can be read") {
            More::Block(block) => block,
            More::Stopped(reason) => panic!("stopped: {reason:?}"),
        }
    }

    #[test]
    fn lines_stay_whole_and_keep_their_numbers() {
        let mut stream = Stream::of(Box::new(Parts(vec!["a.\nb. c", "\nd.\n", "e"])));
        let (mut seen, mut numbers) = (String::new(), Vec::new());
        loop {
            let block = next(&mut stream);
            assert!(block.is_last || block.text.ends_with('\n'));
            // The last two bytes of a line are not done: the next block repeats them.
            let end = if block.is_last { block.text.len() } else { block.text.len() - 2 };
            seen.push_str(&block.text[block.skip..end]);
            numbers.push((block.first_line, block.start));
            stream.done(end);
            if block.is_last {
                break;
            }
        }
        assert_eq!(seen, "a.\nb. c\nd.\ne");
        let line_at = |start: usize| 1 + "a.\nb. c\nd.\ne"[..start].matches('\n').count();
        assert!(numbers.iter().all(|&(line, start)| line == line_at(start)), "{numbers:?}");
    }

    #[test]
    fn a_bad_byte_is_found_with_its_place() {
        let mut stream = Stream::of(Box::new(io::Cursor::new(b"a.\nb\xE9.\n".to_vec())));
        let mut block = next(&mut stream);
        while block.bad_byte.is_none() && !block.is_last {
            block = next(&mut stream);
        }
        assert_eq!(block.bad_byte, Some((0xE9, 4)));
    }
}
