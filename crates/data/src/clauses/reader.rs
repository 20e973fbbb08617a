//! Reads and checks the clauses of a text, block by block; after the first fault, only further faults count.

use std::io;
use std::path::Path;

use gleaner_base::{Budget, StopReason};
use gleaner_lang::program::lower::Widened;
use gleaner_lang::syntax::{Diagnostic, codes, read_statements};

use super::check::{Checker, ReadClause};
use super::faults::{ClauseFault, ClauseFaults, FaultLog, MOST_FAULTS};
use super::stream::{Block, More, Stream};

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
