//! Reads a program of any length: plain facts on a fast path, all other statements by the reader.
//!
//! The fast path takes ground facts, `name(constant, ...).`, which most files consist of. It cuts a fact at its
//! commas and brackets, eight bytes at a time. It looks at the text between them only when it did not see this text
//! before. It leaves every other statement to the reader, which decides: the fast path must not take a statement that
//! the reader refuses or reads otherwise.

use super::ast::{Span, Statement};
use super::diagnostic::SyntaxFault;
use super::files::{Block, Blocks, ReadFault, Replaced};
use super::lexer::{Unclosed, is_plain_name};
use super::reader::{BYTE_ORDER_MARK, read_one};

/// A constant written as the printer would write it, so that its text identifies it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainConstant {
    /// An atom, with quotes where it needs them.
    Atom,
    /// A double-quoted string.
    Text,
    /// An integer.
    Integer(i64),
    /// A finite float.
    Float(f64),
}

/// A fact cut into its parts.
#[derive(Debug)]
pub struct PlainFact<'text> {
    /// Its name, which is an atom without quotes.
    pub name: &'text str,
    /// Whether the fact taken before in the same text has the same name.
    pub is_same_name: bool,
    /// From its first byte to its full stop.
    pub span: Span,
    text: &'text str,
    arguments: &'text [(usize, usize)],
}

impl<'text> PlainFact<'text> {
    /// How many arguments there are: at least one.
    pub const fn arity(&self) -> usize {
        self.arguments.len()
    }

    /// The arguments as written, without needless quotes. Call [`plain_constant`] for an argument that is not a known
    /// constant in the printer's form; leave the whole fact to the parser where it gives `None`.
    pub fn arguments(&self) -> impl Iterator<Item = &'text str> + use<'text> {
        let text = self.text;
        self.arguments.iter().map(move |&(start, end)| &text[start..end])
    }
}

/// Cuts facts out of one text.
#[derive(Debug, Default)]
struct Cutter {
    /// The start and end of the last fact's name, with the opening bracket.
    last_name: (usize, usize),
    arguments: Vec<(usize, usize)>,
}

impl Cutter {
    /// Forgets the text.
    const fn start_text(&mut self) {
        self.last_name = (0, 0);
    }

    /// The fact that begins at `at`, if it is one. `is_last` tells that nothing follows the text.
    #[inline]
    pub(super) fn cut<'t>(&'t mut self, text: &'t str, at: usize, is_last: bool) -> Option<PlainFact<'t>> {
        let bytes = text.as_bytes();
        let known = &bytes[self.last_name.0..self.last_name.1];
        let is_same_name = !known.is_empty() && bytes[at..].starts_with(known);
        let name_end = if is_same_name {
            at + known.len() - 1
        } else {
            delimiter(bytes, at).filter(|&end| bytes[end] == b'(' && is_plain_ascii_name(&bytes[at..end]))?
        };
        self.arguments.clear();
        let mut end = name_end;
        while bytes[end] != b')' {
            let mut start = end + 1;
            while *bytes.get(start)? == b' ' {
                start += 1;
            }
            end = constant_end(bytes, start).filter(|&end| matches!(bytes[end], b',' | b')'))?;
            // Quotes around a name that needs none are not part of its text.
            let is_bare = matches!(&bytes[start..end], [b'\'', name @ .., b'\'']
                if is_plain_ascii_name(name) && !matches!(name, b"is" | b"mod"));
            self.arguments.push(if is_bare { (start + 1, end - 1) } else { (start, end) });
        }
        match bytes.get(end + 1..)? {
            [b'.', b'\n' | b' ' | b'\r' | b'\t', ..] => {}
            [b'.'] if is_last => {}
            _ => return None,
        }
        self.last_name = (at, name_end + 1);
        let (name, span) = (&text[at..name_end], Span::new(at, end + 2));
        Some(PlainFact { name, is_same_name, span, text, arguments: &self.arguments })
    }
}

/// The first of the bytes `()*+,-./` at or after `at`.
#[inline]
fn delimiter(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LIKE: u64 = 0x28 * ONES;
    const SAME_BITS: u64 = 0xF8 * ONES;
    const HIGH_BITS: u64 = 0x80 * ONES;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        // A byte becomes 0 where it is one of the eight.
        let word = (u64::from_le_bytes(*word) ^ LIKE) & SAME_BITS;
        let zeros = word.wrapping_sub(ONES) & !word & HIGH_BITS;
        if zeros != 0 {
            return Some(at + zeros.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|byte| (0x28..0x30).contains(byte)).map(|found| at + found)
}

/// The place after the constant that begins at `start`: that of a comma or bracket in a plain fact.
#[inline]
fn constant_end(bytes: &[u8], start: usize) -> Option<usize> {
    let first = *bytes.get(start)?;
    if first == b'\'' || first == b'"' {
        let rest = &bytes[start + 1..];
        let len = rest.iter().position(|&byte| byte == first || byte == b'\n')?;
        return (rest[len] == first && len + 1 < rest.len()).then_some(start + len + 2);
    }
    let mut end = delimiter(bytes, start)?;
    let is_number = first == b'-' || first.is_ascii_digit();
    while is_number && (bytes[end] == b'.' || end == start && first == b'-') {
        end = delimiter(bytes, end + 1)?;
    }
    (end > start).then_some(end)
}

fn is_plain_ascii_name(name: &[u8]) -> bool {
    matches!(name, [first, rest @ ..] if first.is_ascii_lowercase()
        && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}

/// The kind of constant that a text between commas is. `None` where it is none, or is not written as the printer writes
/// it.
pub fn plain_constant(text: &str) -> Option<PlainConstant> {
    match text.as_bytes() {
        [b'a'..=b'z', ..] => {
            let is_atom = is_plain_ascii_name(text.as_bytes()) && !matches!(text, "is" | "mod");
            is_atom.then_some(PlainConstant::Atom)
        }
        [b'\'', inside @ .., b'\''] => {
            let name = &text[1..=inside.len()];
            let needs_quotes = !(name == "!" || is_plain_name(name) && !matches!(name, "is" | "mod"));
            (needs_quotes && is_plain_inside(inside, b'\'')).then_some(PlainConstant::Atom)
        }
        [b'"', inside @ .., b'"'] => is_plain_inside(inside, b'"').then_some(PlainConstant::Text),
        [b'-' | b'0'..=b'9', ..] => plain_number(text),
        _ => None,
    }
}

fn is_plain_inside(inside: &[u8], quote: u8) -> bool {
    inside.iter().all(|&byte| (b' '..=b'~').contains(&byte) && byte != quote && byte != b'\\')
}

fn plain_number(text: &str) -> Option<PlainConstant> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_decimal = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (printed, constant) = match digits.split_once('.') {
        None if is_decimal(digits) => {
            let value: i64 = text.parse().ok()?;
            (value.to_string(), PlainConstant::Integer(value))
        }
        Some((whole, fraction)) if is_decimal(whole) && is_decimal(fraction) => {
            let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
            (format!("{value:?}"), PlainConstant::Float(value))
        }
        _ => return None,
    };
    (printed == text).then_some(constant)
}

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
mod tests {
    use std::collections::BTreeSet;
    use std::io::Cursor;

    use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

    use super::super::files::Blocks;
    use super::super::{Span, Statement, SyntaxFault, Term, TermKind, quote_atom, read_statements};
    use super::{PlainFact, ProgramSink, plain_constant, read_blocks, read_program};

    /// The result of a read: statements and faults in order, each with its place.
    #[derive(Debug, Default, PartialEq)]
    struct Read {
        events: Vec<(Span, String)>,
        faults: Vec<(Span, String)>,
        /// Texts of constants that were seen.
        known: BTreeSet<String>,
        n_plain: usize,
    }

    /// A constant's text in the form of problems: an atom keeps its quotes even where an argument needs none.
    fn text(term: &Term<'_>) -> String {
        match &term.kind {
            TermKind::Atom(name) => quote_atom(name).into_owned(),
            _ => term.to_string(),
        }
    }

    impl Read {
        /// Notes the ground terms in a term, and returns whether the term itself is ground.
        fn learn(&mut self, term: &Term<'_>) -> bool {
            let inner: Vec<&Term<'_>> = match &term.kind {
                TermKind::Variable(_) => return false,
                TermKind::Compound(_, arguments) => arguments.iter().collect(),
                TermKind::List(items, tail) => items.iter().chain(tail.as_deref()).collect(),
                _ => Vec::new(),
            };
            // It must note the ground terms in every inner term, also after one that is not ground.
            let n_ground = inner.iter().filter(|term| self.learn(term)).count();
            let is_ground = n_ground == inner.len();
            if is_ground {
                self.known.insert(text(term));
            }
            is_ground
        }
    }

    impl ProgramSink for Read {
        fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
            let is_plain = |text: &str| self.known.contains(text) || plain_constant(text).is_some();
            if !fact.arguments().all(is_plain) {
                return false;
            }
            let arguments: Vec<&str> = fact.arguments().collect();
            self.known.extend(arguments.iter().map(|&argument| argument.to_owned()));
            assert_eq!(fact.arity(), arguments.len());
            let text = format!("{}({}).", quote_atom(fact.name), arguments.join(", "));
            self.events.push((Span::new(start + fact.span.start, start + fact.span.end), text));
            self.n_plain += 1;
            true
        }

        fn replaced(&mut self) {}

        fn statement(&mut self, statement: &Statement<'_>, start: usize) {
            for term in statement.head.iter().chain(&statement.body) {
                self.learn(term);
            }
            let span = Span::new(start + statement.span.start, start + statement.span.end);
            let shown = match &statement.head {
                Some(Term { kind: TermKind::Compound(name, arguments), .. }) if statement.body.is_empty() => {
                    let arguments: Vec<String> = arguments.iter().map(text).collect();
                    format!("{}({}).", quote_atom(name), arguments.join(", "))
                }
                _ => statement.to_string(),
            };
            self.events.push((span, shown));
        }

        fn fault(&mut self, fault: &SyntaxFault, start: usize) {
            let span = Span::new(start + fault.span().start, start + fault.span().end);
            self.faults.push((span, fault.to_string()));
        }
    }

    /// The reader's word.
    fn slowly(text: &str) -> Read {
        let mut read = Read::default();
        let faults = read_statements(text, &mut |statement| read.statement(&statement, 0));
        faults.iter().for_each(|fault| read.fault(fault, 0));
        read
    }

    /// Texts of whole facts, of rules and comments, and of pieces that spoil them.
    fn texts() -> impl Strategy<Value = String> {
        let facts = [
            "p(a,b).\n",
            "p(a, c1).\n",
            "p(c,'D e').\n",
            "q(1).\r\n",
            "q(-3). ",
            "q(2.5).\n",
            "p('b',\"t u\").\n",
            "q(a).",
            "q(is).\n",
            "q('is').\n",
            "q('p(').\n",
            "q('a,b').\n",
            "'q'(a).\n",
            "q(007).\n",
            "q(2.50).\n",
            "q(-0).\n",
            "q('it''s').\n",
            "q('\\x41\\').\n",
            "q(\u{e9}t\u{e9}).\n",
            "q(f(a)).\n",
            "q([a,b]).\n",
            "q(a:b).\n",
            "q((a;b)).\n",
            "q(a;b).\n",
            "q(1e5).\n",
            "q(99999999999999999999).\n",
            "p(X,a) :- q(X).\n",
            "p(a)=b.\n",
            "q(#a).\n",
            "q(+a).\n",
            "q(- 1).\n",
            "q(a = b).\n",
            "q(!).\n",
            "q('!').\n",
            "q('').\n",
            "r.\n",
            "p(a,b).% c\n",
            "q(a)\n.\n",
            "q( a ).\n",
        ];
        let pieces = [
            "p(", "a", ",", ")", ".", "\n", " ", "\t", "% c . \n", "/* x. */", "/*", "*/", "'", "\"", "\\",
            "\\\n", ":-", "\r\n", "X", "_", "-", "3", "\u{e9}", "\u{0}", "\u{feff}", "\u{b}", "#", "|", "[",
            "]", "(", "?", "e", "0x",
        ];
        let piece = prop::sample::select([facts.as_slice(), &facts, &pieces].concat());
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_fast_way_says_what_the_reader_says(text in texts()) {
            let expected = slowly(&text);
            let mut read = Read::default();
            read_program(&text, &mut read);
            prop_assert_eq!(&read.events, &expected.events);
            prop_assert_eq!(&read.faults, &expected.faults);
        }

        #[test]
        fn blocks_of_any_size_say_the_same(text in texts(), block in 1..40_usize) {
            let expected = slowly(&text);
            let mut read = Read::default();
            let whole = read_blocks(Blocks::new(Box::new(Cursor::new(text.clone())), block), &mut read).unwrap();
            prop_assert_eq!(&read.events, &expected.events);
            prop_assert_eq!(&read.faults, &expected.faults);
            prop_assert_eq!(whole.0.is_none_or(|whole| whole == text), true);
            prop_assert_eq!(whole.1, None);
        }

        #[test]
        fn what_is_not_utf8_is_replaced_in_blocks_of_any_size(
            text in texts(),
            at in prop::collection::vec(0..200_usize, 1..4),
            block in 1..40_usize,
        ) {
            let mut bytes = text.into_bytes();
            at.iter().for_each(|&at| bytes.insert(at.min(bytes.len()), 0xE9));
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let mut expected = Read::default();
            read_program(&text, &mut expected);
            let mut read = Read::default();
            let blocks = Blocks::new(Box::new(Cursor::new(bytes.clone())), block);
            let (whole, replaced) = read_blocks(blocks, &mut read).unwrap();
            prop_assert_eq!(&read.events, &expected.events);
            prop_assert_eq!(&read.faults, &expected.faults);
            prop_assert_eq!(whole.is_none_or(|whole| whole == text), true);
            prop_assert_eq!(replaced.map(|replaced| replaced.first), text.find(char::REPLACEMENT_CHARACTER));
        }
    }

    #[test]
    fn plain_facts_are_taken_the_fast_way() {
        let text = "p(a,b).\np(c1, 'D e').\r\n% p(x).\nq(-3).\nq(2.5). q('abc').\nq(\"t\").";
        let mut read = Read::default();
        read_program(text, &mut read);
        assert_eq!(read.n_plain, 6);
        assert_eq!(read.events.len(), 6);
    }

    /// Blocks of any size have the same replacements of bytes that are not UTF-8 as the whole text, at the same places.
    #[test]
    fn bytes_that_are_not_utf8_are_replaced_at_their_places() {
        let bytes =
            b"p('\xE9').\nq(a, \"\xC3\x28\xFF\"). % \xE2\x82\np(b).\n\xF0\x9F(c).\n'\xED\xA0\x80'(d).";
        let text = String::from_utf8_lossy(bytes);
        let mut expected = Read::default();
        read_program(&text, &mut expected);
        for block in 1..=bytes.len() + 1 {
            let mut found = Read::default();
            let blocks = Blocks::new(Box::new(Cursor::new(bytes.to_vec())), block);
            let (whole, replaced) = read_blocks(blocks, &mut found).expect("memory can be read");
            assert!(whole.is_none_or(|whole| whole == text));
            assert_eq!(found.events, expected.events, "in blocks of {block}");
            let replaced = replaced.expect("something is replaced");
            assert_eq!((replaced.first, replaced.n_bytes), (3, 10), "in blocks of {block}");
        }
    }
}
