//! The reader of statements: ground facts take a short cut, all others go through the parser.

use std::borrow::Cow;

use lalrpop_util::ParseError;
use logos::{Lexer, Logos};

use super::ast::{Span, Statement, Term, TermKind};
use super::diagnostic::{MAX_TOKENS, SyntaxFault, SyntaxFaultKind, expected_in_words};
use super::lexer::{self, Lexed, Raw, RawFault, Token, Tokens, Unclosed};
use super::program::{ArithmeticParser, ConjunctionParser, ProgramParser};

/// Reads a program and gives each statement to `sink`, in order. A statement with a fault is lost, and reading goes on
/// after its full stop. Each statement gives at most one fault.
///
/// Cost: one pass; terms borrow from `source` except where a quoted token has escapes. A ground fact with atoms,
/// strings and numbers as arguments bypasses the parser, which makes it about five times as fast.
///
/// # Example
///
/// ```
/// let text = "mother(ann, bob).\n bird(X) :- wings(X), \\+ plane(X).\n fish(.\n fish(nemo).";
/// let mut read = Vec::new();
/// let faults = gleaner_lang::syntax::read_statements(text, &mut |statement| read.push(statement.to_string()));
/// assert_eq!(read, ["mother(ann, bob).", "bird(X) :- wings(X), \\+ plane(X).", "fish(nemo)."]);
/// assert_eq!(faults[0].to_string(), "found `.`, expected a term");
/// ```
pub fn read_statements<'s>(source: &'s str, sink: &mut dyn FnMut(Statement<'s>)) -> Vec<SyntaxFault> {
    let mut reader = Reader::new(source);
    let mut faults = Vec::new();
    while let Some(read) = reader.next_statement() {
        match read {
            Ok(statement) => sink(statement),
            Err(fault) => faults.push(fault),
        }
    }
    faults
}

/// Reads a text that holds one clause, with its full stop.
///
/// # Errors
///
/// All faults of the text; also when it has no clause, or more than one.
pub fn read_clause(source: &str) -> Result<Statement<'_>, Vec<SyntaxFault>> {
    let mut first = None;
    let mut second = None;
    let mut faults = read_statements(source, &mut |statement| {
        if first.is_none() {
            first = Some(statement);
        } else {
            second.get_or_insert(statement.span);
        }
    });
    if let Some(span) = second {
        faults.push(SyntaxFault::new(SyntaxFaultKind::SecondClause, span));
    }
    match first {
        Some(statement) if faults.is_empty() => Ok(statement),
        None if faults.is_empty() => {
            let end = Span::new(source.len(), source.len());
            Err(vec![SyntaxFault::new(SyntaxFaultKind::NoClause, end)])
        }
        _ => Err(faults),
    }
}

/// Reads goals joined by commas, without a full stop: `student(A), professor(B)`.
///
/// # Errors
///
/// The first fault of the text.
pub fn read_conjunction(source: &str) -> Result<Vec<Term<'_>>, Vec<SyntaxFault>> {
    let reader = Reader::of_whole(source).map_err(|fault| vec![fault])?;
    let parsed = ConjunctionParser::new().parse(Tokens::new(source, &reader.raws));
    parsed.map_err(|error| vec![reader.parse_fault(error)])
}

/// Reads arithmetic, as `-TP/(TP + FP)^2`. It has numbers (all floats), names, calls and brackets, with `+ - * / ^` and
/// similar operators. Operators bind as in a program, but a minus is never part of a number or of a name: `-2^2` is
/// `-(2^2)`. There are no comments.
///
/// # Errors
///
/// The first fault of the text.
///
/// # Example
///
/// ```
/// let term = gleaner_lang::syntax::read_arithmetic("2*sqrt (X)-1")?;
/// assert_eq!(term.to_string(), "2.0 * sqrt(X) - 1.0");
/// let fault = gleaner_lang::syntax::read_arithmetic("2*(X+)").expect_err("a value is missing");
/// assert_eq!(fault.to_string(), "found `)`, expected a term");
/// # Ok::<(), gleaner_lang::syntax::SyntaxFault>(())
/// ```
pub fn read_arithmetic(source: &str) -> Result<Term<'_>, SyntaxFault> {
    // A user who writes `X % 2` means a remainder, not a comment.
    if let Some(at) = source.find('%').or_else(|| source.find("/*")) {
        let found = source[at..].chars().next().unwrap_or('%');
        return Err(SyntaxFault::new(SyntaxFaultKind::Character(found), Span::new(at, at + 1)));
    }
    let reader = Reader::of_whole(source)?;
    let parsed = ArithmeticParser::new().parse(Tokens::arithmetic(source, &reader.raws));
    parsed.map_err(|mut error| {
        if let ParseError::UnrecognizedToken { expected, .. } | ParseError::UnrecognizedEof { expected, .. } =
            &mut error
        {
            expected.retain(|terminal| ARITHMETIC.contains(&terminal.as_str()));
        }
        reader.parse_fault(error)
    })
}

/// The terminals to name where arithmetic goes wrong; brackets could hold any term.
const ARITHMETIC: [&str; 6] = ["variable", "sign", "product", "power", "\",\"", "\")\""];

/// A statement or its fault, and the place after it. The statement is `None` where the text ends before another one.
pub(super) type ReadOne<'s> = (Option<Result<Statement<'s>, SyntaxFault>>, usize);

/// Reads the statement at `at`. `None` where the text ends within the statement, or may do so, and is not the last text
/// of the program. `unclosed` has the results of earlier searches for quotes in the same text.
pub(super) fn read_one<'s>(
    source: &'s str,
    at: usize,
    is_last: bool,
    unclosed: &mut Unclosed,
) -> Option<ReadOne<'s>> {
    let mut reader = Reader::at(source, at);
    reader.lexer.extras = *unclosed;
    let mut fault = None;
    let ending = reader.lex_statement(&mut fault);
    let is_whole = ending == Ending::FullStop && !reader.lexer.extras.reaches(source.len());
    if !is_last && !is_whole {
        return None;
    }
    *unclosed = reader.lexer.extras;
    Some((reader.read(ending, fault), reader.lexer.span().end))
}

/// The mark that may precede the first statement of a text.
pub(super) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// How the tokens of a statement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    FullStop,
    Input,
}

struct Reader<'s> {
    source: &'s str,
    lexer: Lexer<'s, Raw>,
    parser: ProgramParser,
    /// The tokens of the current statement, its full stop included.
    raws: Vec<Lexed>,
}

impl<'s> Reader<'s> {
    fn new(source: &'s str) -> Self {
        Self::at(source, if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 })
    }

    /// The reader with all tokens of a text that is no statement. A full stop stays among them, and the parser refuses
    /// it.
    fn of_whole(source: &'s str) -> Result<Self, SyntaxFault> {
        let mut reader = Self::new(source);
        let mut fault = None;
        reader.lex_statement(&mut fault);
        fault.map_or(Ok(reader), Err)
    }

    fn at(source: &'s str, at: usize) -> Self {
        let mut lexer = Raw::lexer(source);
        lexer.bump(at);
        Self { source, lexer, parser: ProgramParser::new(), raws: Vec::new() }
    }

    /// Collects tokens up to a full stop; only the first fault is kept.
    fn lex_statement(&mut self, fault: &mut Option<SyntaxFault>) -> Ending {
        self.raws.clear();
        while let Some(token) = self.lexer.next() {
            let span = self.lexer.span();
            let span = Span::new(span.start, span.end);
            match token {
                Ok(raw) => {
                    if self.raws.len() < MAX_TOKENS {
                        self.raws.push(Lexed { raw, span });
                    } else {
                        fault.get_or_insert_with(|| SyntaxFault::new(SyntaxFaultKind::TooLong, span));
                    }
                    if raw == Raw::Stop {
                        return Ending::FullStop;
                    }
                }
                // In `:- set(clauses, 10k)`, the token `10k` stands for itself as a setting's value.
                Err(RawFault::DigitName) if self.makes_setting() => {
                    self.raws.push(Lexed { raw: Raw::Name, span });
                }
                Err(error) => {
                    fault.get_or_insert_with(|| lexer::raw_fault(error, self.source, span));
                }
            }
        }
        Ending::Input
    }

    /// Whether the tokens so far are `:- set(name,`, so that a value follows.
    fn makes_setting(&self) -> bool {
        let [neck, name, open, setting @ .., comma] = &*self.raws else { return false };
        [neck.raw, name.raw, open.raw, comma.raw] == [Raw::Neck, Raw::Name, Raw::Open, Raw::Comma]
            && matches!(name.text(self.source), "set" | "aleph_set")
            && setting.iter().all(|lexed| lexed.raw != Raw::Comma)
    }

    fn next_statement(&mut self) -> Option<Result<Statement<'s>, SyntaxFault>> {
        let mut fault = None;
        let ending = self.lex_statement(&mut fault);
        self.read(ending, fault)
    }

    /// The statement or the fault that the collected tokens make.
    fn read(&self, ending: Ending, fault: Option<SyntaxFault>) -> Option<Result<Statement<'s>, SyntaxFault>> {
        if let Some(fault) = fault {
            return Some(Err(fault));
        }
        if ending == Ending::Input {
            let last = self.raws.last()?;
            return Some(Err(SyntaxFault::new(SyntaxFaultKind::NoFullStop, last.span)));
        }
        Some(match fact(self.source, &self.raws) {
            Some(statement) => Ok(statement),
            None => self.parse(),
        })
    }

    fn parse(&self) -> Result<Statement<'s>, SyntaxFault> {
        let parsed = self.parser.parse(Tokens::new(self.source, &self.raws));
        parsed.map_err(|error| self.parse_fault(error))
    }

    fn parse_fault(&self, error: ParseError<usize, Token<'s>, SyntaxFault>) -> SyntaxFault {
        let (found, span, expected) = match error {
            ParseError::User { error } => return error,
            ParseError::UnrecognizedToken { token: (start, _, end), .. } if self.ends_probability(start) => {
                return SyntaxFault::new(SyntaxFaultKind::Probability, Span::new(start - 1, end));
            }
            ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
                (Some(&self.source[start..end]), Span::new(start, end), expected)
            }
            ParseError::ExtraToken { token: (start, _, end) } => {
                (Some(&self.source[start..end]), Span::new(start, end), Vec::new())
            }
            ParseError::InvalidToken { location } => (None, Span::new(location, location), Vec::new()),
            ParseError::UnrecognizedEof { expected, .. } => {
                (None, Span::new(self.source.len(), self.source.len()), expected)
            }
        };
        let starts_line = self.source[..span.start].trim_end_matches([' ', '\t']).ends_with('\n');
        let kind = SyntaxFaultKind::Unexpected {
            found: found.map(lexer::shortened),
            expected: expected_in_words(&expected),
            starts_line,
        };
        SyntaxFault::new(kind, span)
    }
}

impl Reader<'_> {
    /// Whether the second sign of `::` after a number, a variable or brackets begins at `start`: as in `0.3::p(a)`.
    fn ends_probability(&self, start: usize) -> bool {
        let before = self.raws.partition_point(|lexed| lexed.span.start < start);
        let Some([probability, first]) = before.checked_sub(2).map(|at| &self.raws[at..before]) else {
            return false;
        };
        let second = self.raws.get(before);
        second.is_some_and(|second| second.raw == Raw::Colon && second.span.start == start)
            && (first.raw, first.span.end) == (Raw::Colon, start)
            && matches!(probability.raw, Raw::Integer | Raw::Float | Raw::Variable | Raw::Close)
    }
}

/// The fact of the tokens, if they are `name.` or `name(constant, ...).`, where a constant is an atom, a string or a
/// number. `None` leaves the tokens, and their faults, to the parser.
fn fact<'s>(source: &'s str, raws: &[Lexed]) -> Option<Statement<'s>> {
    let (functor, rest) = raws.split_first()?;
    let (stop, rest) = rest.split_last().filter(|(stop, _)| stop.raw == Raw::Stop)?;
    let name = name(source, functor)?;
    let span = Span::new(functor.span.start, stop.span.end);
    let Some((open, rest)) = rest.split_first() else {
        let head = Term { kind: TermKind::Atom(name), span: functor.span };
        return Some(Statement { head: Some(head), body: Vec::new(), span });
    };
    let (close, mut rest) = rest.split_last()?;
    if open.raw != Raw::Open || open.span.start != functor.span.end || close.raw != Raw::Close {
        return None;
    }
    let mut args = Vec::with_capacity(rest.len().div_ceil(2));
    loop {
        let (arg, after) = constant(source, rest)?;
        args.push(arg);
        match after {
            [] => break,
            [comma, after @ ..] if comma.raw == Raw::Comma => rest = after,
            _ => return None,
        }
    }
    let head =
        Term { kind: TermKind::Compound(name, args), span: Span::new(functor.span.start, close.span.end) };
    Some(Statement { head: Some(head), body: Vec::new(), span })
}

fn name<'s>(source: &'s str, lexed: &Lexed) -> Option<Cow<'s, str>> {
    let text = lexed.text(source);
    match lexed.raw {
        Raw::Name => Some(Cow::Borrowed(text)),
        Raw::Quoted(plain) => lexer::unquote(text, plain, lexed.span).ok(),
        _ => None,
    }
}

fn constant<'s, 'r>(source: &'s str, raws: &'r [Lexed]) -> Option<(Term<'s>, &'r [Lexed])> {
    let (first, mut rest) = raws.split_first()?;
    let mut span = first.span;
    let mut raw = first.raw;
    if raw == Raw::Sign && first.text(source) == "-" {
        let (number, after) = rest.split_first()?;
        if number.span.start != span.end || !matches!(number.raw, Raw::Integer | Raw::Float) {
            return None;
        }
        (span.end, raw, rest) = (number.span.end, number.raw, after);
    }
    let text = &source[span.start..span.end];
    let kind = match raw {
        Raw::Integer => TermKind::Integer(lexer::integer(text, span).ok()?),
        Raw::Float => TermKind::Float(lexer::float(text, span).ok()?),
        Raw::Text(plain) => TermKind::Text(lexer::unquote(text, plain, span).ok()?),
        _ => TermKind::Atom(name(source, first)?),
    };
    Some((Term { kind, span }, rest))
}

#[cfg(test)]
mod tests;
