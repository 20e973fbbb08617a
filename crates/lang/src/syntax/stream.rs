//! Reads a program of any length: plain facts on a fast path, all other statements by the reader.

use super::ast::Statement;
use super::blocks::{Block, Blocks, ReadFault, Replaced};
use super::facts::{Cutter, PlainFact};
use super::fault::SyntaxFault;
use super::lexer::Unclosed;
use super::reader::{BYTE_ORDER_MARK, read_one};

/// A receiver of the statements of a program, in order. Places are within a part of the text, which begins at `start`.
pub trait ProgramSink {
    /// Takes a ground fact, or returns false; the reader then reads the fact as a statement.
    fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool;

    /// Takes any other statement.
    fn statement(&mut self, statement: &Statement<'_>, start: usize);

    /// Takes the fault of a statement that cannot be read.
    fn fault(&mut self, fault: &SyntaxFault, start: usize);

    /// Tells that the next text has replacement characters in place of bytes that are not UTF-8.
    fn replaced(&mut self);

    /// Whether the faults are so many that the rest need not be read.
    fn is_hopeless(&self) -> bool {
        false
    }
}

/// Reads a program that is in memory. It gives the statements of [`super::read_statements`] in the same order, except
/// facts that the sink takes.
pub fn read_program(text: &str, sink: &mut impl ProgramSink) {
    read_block(Block { text, start: 0, is_last: true, is_replaced: false }, &mut State::default(), sink);
}

/// Reads a program block by block. Returns its text, if one block had it all, and the bytes that were replaced.
///
/// # Errors
///
/// When the file cannot be read to its end; `sink` then has the blocks before.
pub(super) fn read_blocks(
    mut blocks: Blocks,
    sink: &mut impl ProgramSink,
) -> Result<(Option<String>, Option<Replaced>), ReadFault> {
    let mut state = State::default();
    let mut n_done = 0;
    loop {
        let block = blocks.next(n_done)?;
        if block.is_replaced {
            sink.replaced();
        }
        n_done = read_block(block, &mut state, sink);
        state.unclosed = state.unclosed.without(n_done);
        if block.is_last || sink.is_hopeless() {
            let whole = (block.start == 0 && block.is_last).then(|| block.text.to_owned());
            return Ok((whole, blocks.replaced()));
        }
    }
}

/// The state that the reader keeps from statement to statement.
#[derive(Debug, Default)]
struct State {
    cutter: Cutter,
    unclosed: Unclosed,
}

/// Reads the statements of a block, and returns how many bytes it read. The rest needs more text.
///
/// It is compiled once for all sinks. In a copy for each sink the cutter would be a call, and facts would cost a third
/// more.
fn read_block(block: Block<'_>, state: &mut State, sink: &mut dyn ProgramSink) -> usize {
    let Block { text, start, is_last, .. } = block;
    let State { cutter, unclosed } = state;
    cutter.start_text();
    let has_mark = start == 0 && text.starts_with(BYTE_ORDER_MARK);
    let mut at = if has_mark { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    loop {
        let Some(next) = statement_start(text.as_bytes(), at) else { return text.len() };
        at = next;
        // After a quote that is not closed the reader takes none on the line.
        let is_clear = !unclosed.is_beyond(at);
        if is_clear
            && let Some(fact) = cutter.cut(text, at, is_last)
            && sink.fact(&fact, start)
        {
            at = fact.span.end;
            continue;
        }
        let Some((read, end)) = read_one(text, at, is_last, unclosed) else { return at };
        match read {
            Some(Ok(statement)) => sink.statement(&statement, start),
            Some(Err(fault)) => {
                sink.fault(&fault, start);
                if sink.is_hopeless() {
                    return text.len();
                }
            }
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

#[cfg(test)]
mod tests;
