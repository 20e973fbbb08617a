//! Reading a program of any length: plain facts on their own fast way, all else by the reader.

use super::ast::Statement;
use super::facts::{Cutter, PlainFact};
use super::fault::SyntaxFault;
use super::lexer::Unclosed;
use super::reader::read_one;

/// What takes the statements of a program, in order. Places are within a part of the text; `start` is
/// where that begins.
pub trait ProgramSink {
    /// A ground fact; false leaves it to be read as a statement.
    fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool;

    /// Any other statement.
    fn statement(&mut self, statement: &Statement<'_>, start: usize);

    /// A statement that cannot be read.
    fn fault(&mut self, fault: &SyntaxFault, start: usize);
}

/// Reads a program that is in memory. Says the same as [`super::read_statements`], in the same order,
/// but for the facts that the sink takes.
pub fn read_program(text: &str, sink: &mut impl ProgramSink) {
    read_part(text, 0, true, &mut Cutter::default(), sink);
}

/// Reads the statements of a part of a program; how many bytes of it are done with. What is left needs
/// more text. `is_last` tells that there is none.
pub(super) fn read_part(
    text: &str,
    start: usize,
    is_last: bool,
    cutter: &mut Cutter,
    sink: &mut impl ProgramSink,
) -> usize {
    cutter.start_text();
    let mut unclosed = Unclosed::default();
    let mut at = if start == 0 && text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    loop {
        let Some(next) = statement_start(text.as_bytes(), at) else { return text.len() };
        at = next;
        if let Some(fact) = cutter.cut(text, at, is_last)
            && sink.fact(&fact, start)
        {
            at = fact.span.end;
            continue;
        }
        let Some((read, end)) = read_one(text, at, is_last, &mut unclosed) else { return at };
        match read {
            Some(Ok(statement)) => sink.statement(&statement, start),
            Some(Err(fault)) => sink.fault(&fault, start),
            None => return text.len(),
        }
        at = end;
    }
}

/// The first byte at or after `at` that is neither white space nor in a `%` comment.
fn statement_start(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'\n' | b' ' | b'\r' | b'\t' | 0x0B | 0x0C => at += 1,
            b'%' => at += bytes[at..].iter().position(|&byte| byte == b'\n')?,
            _ => return Some(at),
        }
    }
}
