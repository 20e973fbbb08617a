//! From text to tokens, in two steps.
//!
//! [`Raw`] tokens depend only on the characters; the fast path for facts reads them directly. [`Tokens`] decides for
//! the grammar all that depends on neighbours, which keeps the grammar free of conflicts. Where a term begins, `-`
//! before a digit is the sign of a number, and an operator before `(` is a functor. An operator without operands is an
//! atom, as in `modeb(*, p)` and `=/2`. Where only arithmetic may stand, none of this holds: `-2^2` is `-(2^2)`, as in
//! mathematics.

use std::borrow::Cow;

use logos::{FilterResult, Lexer, Logos, Skip};

use super::ast::Span;
use super::diagnostic::{MAX_TOKENS, SyntaxFault, SyntaxFaultKind};

/// Why no token was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RawFault {
    #[default]
    Character,
    GluedStop,
    DigitName,
    Quote,
    Comment,
}

/// The places up to which the text is known to have no closing quote of each kind. A new search from each quote of
/// a long line would take quadratic time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unclosed {
    single: usize,
    double: usize,
    back: usize,
}

impl Unclosed {
    /// Whether a search for a closing quote reached `end`; more text could then bring one.
    pub(super) const fn reaches(self, end: usize) -> bool {
        self.single >= end || self.double >= end || self.back >= end
    }

    /// Whether a search for a closing quote went beyond `at`, so that a quote there is not closed.
    pub(super) const fn is_beyond(self, at: usize) -> bool {
        self.single > at || self.double > at || self.back > at
    }

    /// The same places in the text without its first `n_bytes` bytes.
    pub(super) const fn without(self, n_bytes: usize) -> Self {
        Self {
            single: self.single.saturating_sub(n_bytes),
            double: self.double.saturating_sub(n_bytes),
            back: self.back.saturating_sub(n_bytes),
        }
    }
}

/// A token that depends only on its characters. Operators of one priority are one kind; their texts tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+", extras = Unclosed, error = RawFault)]
pub(super) enum Raw {
    #[regex("[a-z][A-Za-z0-9_]*", extend_name)]
    #[regex(r"[^\x00-\x7F]", wide_name)]
    Name,
    #[regex("[A-Z_][A-Za-z0-9_]*", extend_name)]
    Variable,
    /// Whether it has no escapes.
    #[token("'", quoted)]
    Quoted(bool),
    /// Whether it has no escapes.
    #[token("\"", quoted)]
    Text(bool),
    /// Whether it has no escapes.
    #[token("`", quoted)]
    Codes(bool),
    #[regex("[0-9]+")]
    #[regex("[0-9]+(_[0-9]+)+", priority = 20)]
    #[regex("0x[0-9A-Fa-f]+", priority = 20)]
    #[regex("0o[0-7]+", priority = 20)]
    #[regex("0b[01]+", priority = 20)]
    #[token("0'", character_code)]
    Integer,
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex("[0-9]+[eE][+-]?[0-9]+", priority = 20)]
    #[regex("[0-9]+[A-Za-z_][A-Za-z0-9_]*", digit_name, priority = 10)]
    Float,
    #[token(":-")]
    #[token("?-")]
    Neck,
    #[token(";")]
    Semicolon,
    #[token("->")]
    Arrow,
    #[token(",")]
    Comma,
    #[token("\\+")]
    Not,
    #[regex(r"=|\\=|==|\\==|<|>|=<|>=|=:=|=\\=|=\.\.|@<|@>|@=<|@>=")]
    // Comparisons over finite domains; they are read so that messages can name the statements with them.
    #[regex(r"#=|#\\=|#<|#>|#=<|#>=")]
    Compare,
    #[token(":")]
    Colon,
    #[regex(r"[+\-]")]
    Sign,
    #[regex(r"\*|/|//")]
    Product,
    #[regex(r"\^|\*\*")]
    Power,
    #[token("#")]
    Hash,
    #[token("!")]
    Cut,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenList,
    #[token("]")]
    CloseList,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("|")]
    Bar,
    #[token(".", stop)]
    #[token("%", line_comment)]
    #[token("/*", comment)]
    Stop,
}

/// Whether a name goes on with `c`; the printer uses it, too.
fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether `name` reads as an atom without quotes; `is` and `mod` do only where no operator can stand.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() && !c.is_uppercase()) && chars.all(continues_name)
}

fn extend_name(lex: &mut Lexer<'_, Raw>) {
    let rest = lex.remainder();
    if rest.bytes().next().is_some_and(|byte| !byte.is_ascii()) {
        lex.bump(rest.find(|c| !continues_name(c)).unwrap_or(rest.len()));
    }
}

fn wide_name(lex: &mut Lexer<'_, Raw>) -> Result<Raw, RawFault> {
    let first = lex.slice().chars().next().ok_or(RawFault::Character)?;
    if !first.is_alphabetic() {
        return Err(RawFault::Character);
    }
    let rest = lex.remainder();
    lex.bump(rest.find(|c| !continues_name(c)).unwrap_or(rest.len()));
    Ok(if first.is_uppercase() { Raw::Variable } else { Raw::Name })
}

/// The character of `0'c`, which is a number; a quote is written twice.
fn character_code(lex: &mut Lexer<'_, Raw>) -> Result<(), RawFault> {
    let rest = lex.remainder();
    match coded(rest) {
        Some((_, len)) => {
            lex.bump(len);
            Ok(())
        }
        None => {
            // More text may bring the character.
            if rest.len() < 2 {
                lex.extras.single = lex.source().len();
            }
            Err(RawFault::Quote)
        }
    }
}

/// The character that begins a text after `0'`, and the bytes that it takes.
fn coded(rest: &str) -> Option<(char, usize)> {
    match rest.chars().next()? {
        '\\' => escape(&rest[1..]).map(|(c, len)| (c, len + 1)),
        '\'' => rest.starts_with("''").then_some(('\'', 2)),
        '\n' => None,
        c => Some((c, c.len_utf8())),
    }
}

fn digit_name(_: &mut Lexer<'_, Raw>) -> Result<Raw, RawFault> {
    Err(RawFault::DigitName)
}

/// Finds the closing quote on the same line; without one, only the opening quote is consumed, so
/// that the rest of the line still shows where the statement ends.
fn quoted(lex: &mut Lexer<'_, Raw>) -> Result<bool, RawFault> {
    let quote = lex.slice().as_bytes()[0];
    let start = lex.span().end;
    let source = lex.source().as_bytes();
    let unclosed = match quote {
        b'"' => &mut lex.extras.double,
        b'`' => &mut lex.extras.back,
        _ => &mut lex.extras.single,
    };
    if start < *unclosed {
        return Err(RawFault::Quote);
    }
    let byte = |at: usize| source.get(start + at).copied();
    let (mut at, mut plain) = (0, true);
    loop {
        match byte(at) {
            None | Some(b'\n') => {
                *unclosed = start + at;
                return Err(RawFault::Quote);
            }
            Some(b'\\') => {
                plain = false;
                at += 1;
                if byte(at) == Some(b'x') {
                    at += 1;
                    while byte(at).is_some_and(|digit| digit.is_ascii_hexdigit()) {
                        at += 1;
                    }
                    at += usize::from(byte(at) == Some(b'\\'));
                } else if byte(at) != Some(b'\n') {
                    at += 1;
                }
            }
            Some(found) if found == quote => {
                at += 1;
                if byte(at) != Some(quote) {
                    break;
                }
                plain = false;
                at += 1;
            }
            Some(_) => at += 1,
        }
    }
    lex.bump(at);
    Ok(plain)
}

fn stop(lex: &mut Lexer<'_, Raw>) -> FilterResult<(), RawFault> {
    match lex.remainder().bytes().next() {
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C | b'%') => FilterResult::Emit(()),
        Some(_) => FilterResult::Error(RawFault::GluedStop),
    }
}

fn line_comment(lex: &mut Lexer<'_, Raw>) -> Skip {
    let rest = lex.remainder();
    lex.bump(rest.find('\n').unwrap_or(rest.len()));
    Skip
}

fn comment(lex: &mut Lexer<'_, Raw>) -> FilterResult<(), RawFault> {
    let rest = lex.remainder();
    let end = rest.find("*/");
    lex.bump(end.map_or(rest.len(), |end| end + 2));
    end.map_or(FilterResult::Error(RawFault::Comment), |_| FilterResult::Skip)
}

/// A raw token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexed {
    pub(super) raw: Raw,
    pub(super) span: Span,
}

impl Lexed {
    pub(super) fn text<'s>(&self, source: &'s str) -> &'s str {
        &source[self.span.start..self.span.end]
    }
}

/// The fault that the lexer met at `span`.
pub(super) fn raw_fault(fault: RawFault, source: &str, span: Span) -> SyntaxFault {
    let text = &source[span.start..span.end];
    let first = source[span.start..].chars().next().unwrap_or('.');
    let only_first = Span::new(span.start, span.start + first.len_utf8());
    match fault {
        RawFault::Character => SyntaxFault::new(SyntaxFaultKind::Character(first), only_first),
        RawFault::GluedStop => SyntaxFault::new(SyntaxFaultKind::GluedStop, span),
        RawFault::DigitName => SyntaxFault::new(SyntaxFaultKind::DigitName(shortened(text)), span),
        RawFault::Quote => SyntaxFault::new(SyntaxFaultKind::UnterminatedQuote, only_first),
        RawFault::Comment => {
            SyntaxFault::new(SyntaxFaultKind::UnterminatedComment, Span::new(span.start, span.start + 2))
        }
    }
}

/// A text from the source, cut to a length that fits into a message.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        short.push_str("...");
    }
    short
}

/// The number written as `text`, sign included: `12`, `1_000`, `0x1F`, `0o17`, `0b101`, `0'c`.
pub(super) fn integer(text: &str, span: Span) -> Result<i64, SyntaxFault> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let sign = &text[..text.len() - digits.len()];
    let in_base = |base: u32| i64::from_str_radix(&format!("{sign}{}", &digits[2..]), base).ok();
    let value = match digits.as_bytes() {
        [b'0', b'x', ..] => in_base(16),
        [b'0', b'o', ..] => in_base(8),
        [b'0', b'b', ..] => in_base(2),
        [b'0', b'\'', ..] => coded(&digits[2..]).map(|(c, _)| {
            let code = i64::from(u32::from(c));
            if sign.is_empty() { code } else { -code }
        }),
        _ if digits.contains('_') => text.replace('_', "").parse().ok(),
        _ => text.parse().ok(),
    };
    value.ok_or_else(|| SyntaxFault::new(SyntaxFaultKind::NumberRange(shortened(text)), span))
}

/// The finite number written as `text`, sign included.
pub(super) fn float(text: &str, span: Span) -> Result<f64, SyntaxFault> {
    // Whole numbers in a notation of their own.
    if text.contains(['x', 'o', 'b', '_', '\'']) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "as the nearest float, like all numbers of arithmetic"
        )]
        return integer(text, span).map(|value| value as f64);
    }
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| SyntaxFault::new(SyntaxFaultKind::NumberRange(shortened(text)), span))
}

/// The value of a quoted token, from its text with the quotes.
pub(super) fn unquote<'s>(token: &'s str, plain: bool, span: Span) -> Result<Cow<'s, str>, SyntaxFault> {
    let inside = &token[1..token.len() - 1];
    if plain {
        return Ok(Cow::Borrowed(inside));
    }
    let quote = token.chars().next();
    let mut value = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '\\' {
            let Some((escaped, len)) = escape(after) else {
                // The message shows the backslash with the next character, or with all digits of `\x`.
                let digits = after
                    .strip_prefix('x')
                    .map(|hex| hex.len() - hex.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len());
                let len = 1 + digits
                    .map_or_else(|| after.chars().next().map_or(0, char::len_utf8), |digits| digits + 1);
                let start = span.start + 1 + (inside.len() - rest.len());
                let kind = SyntaxFaultKind::Escape(shortened(&rest[..len]));
                return Err(SyntaxFault::new(kind, Span::new(start, start + len)));
            };
            value.push(escaped);
            rest = &after[len..];
        } else {
            value.push(c);
            // The lexer let a quote in only when doubled.
            rest = if Some(c) == quote { &after[1..] } else { after };
        }
    }
    Ok(Cow::Owned(value))
}

/// The numbers of the characters of a text in back quotes.
fn codes(token: &str, plain: bool, span: Span) -> Result<Vec<i64>, SyntaxFault> {
    let text = unquote(token, plain, span)?;
    // Each becomes a term, so they are as many as words of a statement may be.
    if text.len() > MAX_TOKENS {
        return Err(SyntaxFault::new(SyntaxFaultKind::TooLong, Span::new(span.start, span.start + 1)));
    }
    Ok(text.chars().map(|c| i64::from(u32::from(c))).collect())
}

/// The character that an escape stands for and the bytes it takes, without the backslash.
fn escape(after: &str) -> Option<(char, usize)> {
    let c = match after.bytes().next()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'a' => '\x07',
        b'b' => '\x08',
        b'f' => '\x0C',
        b'v' => '\x0B',
        b'e' => '\x1B',
        b's' => ' ',
        c @ (b'\\' | b'\'' | b'"' | b'`') => char::from(c),
        b'x' => {
            let (digits, _) = after[1..].split_once('\\')?;
            let value = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
            return Some((char::from_u32(value)?, digits.len() + 2));
        }
        _ => return None,
    };
    Some((c, 1))
}

/// A token of the grammar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'s> {
    Atom(Cow<'s, str>),
    /// A name right before `(`.
    Functor(Cow<'s, str>),
    Variable(&'s str),
    Text(Cow<'s, str>),
    /// A text in back quotes.
    Codes(Vec<i64>),
    Integer(i64),
    Float(f64),
    /// `dynamic` and its like, first in a directive.
    Declare(&'s str),
    Neck,
    Semicolon,
    Arrow,
    Comma,
    Not,
    Compare(&'s str),
    Colon,
    Sign(&'s str),
    Product(&'s str),
    Power(&'s str),
    Hash,
    Open,
    Close,
    OpenList,
    CloseList,
    OpenBrace,
    CloseBrace,
    Bar,
    Stop,
}

/// Names that are prefix operators at the start of a directive (priority 1150 in Prolog systems).
const DECLARATIONS: [&str; 5] = ["discontiguous", "dynamic", "initialization", "multifile", "table"];

/// The tokens of one statement for the grammar.
#[derive(Debug)]
pub(super) struct Tokens<'s, 'r> {
    source: &'s str,
    raws: &'r [Lexed],
    idx: usize,
    /// Whether the last token ended a term, so that an operator here is infix.
    after_term: bool,
    /// Whether operators are operators in every place, and all numbers are floats.
    is_arithmetic: bool,
}

/// Whether the term before this token has ended, as no term begins with it.
const fn ends_term(next: Raw) -> bool {
    matches!(
        next,
        Raw::Comma
            | Raw::Close
            | Raw::CloseList
            | Raw::CloseBrace
            | Raw::Bar
            | Raw::Stop
            | Raw::Compare
            | Raw::Product
            | Raw::Power
            | Raw::Colon
            | Raw::Semicolon
            | Raw::Arrow
    )
}

impl<'s, 'r> Tokens<'s, 'r> {
    pub(super) const fn new(source: &'s str, raws: &'r [Lexed]) -> Self {
        Self { source, raws, idx: 0, after_term: false, is_arithmetic: false }
    }

    pub(super) const fn arithmetic(source: &'s str, raws: &'r [Lexed]) -> Self {
        Self { is_arithmetic: true, ..Self::new(source, raws) }
    }

    /// The token after the current one, if no space is between them; in arithmetic there may be a space.
    fn glued(&self, span: Span) -> Option<Lexed> {
        let is_glued = |next: &&Lexed| self.is_arithmetic || next.span.start == span.end;
        self.raws.get(self.idx).filter(is_glued).copied()
    }

    fn name(&self, name: Cow<'s, str>, span: Span) -> Token<'s> {
        match self.glued(span) {
            Some(Lexed { raw: Raw::Open, .. }) => Token::Functor(name),
            _ => Token::Atom(name),
        }
    }

    /// An open brace, or `{}` before arguments, which is a functor: `{}(a)` is `{a}`, as in SWI-Prolog.
    fn brace(&mut self, span: Span) -> (Token<'s>, Span) {
        let next = |at: usize| self.raws.get(self.idx + at).copied();
        match (next(0), next(1)) {
            (Some(close), Some(open))
                if close.raw == Raw::CloseBrace
                    && open.raw == Raw::Open
                    && close.span.end == open.span.start =>
            {
                self.idx += 1;
                (Token::Functor(Cow::Borrowed("{}")), Span::new(span.start, close.span.end))
            }
            _ => (Token::OpenBrace, span),
        }
    }

    /// `dynamic` and its like: a declaration of the term after it, if there is one that is no argument list.
    fn declaration(&self, text: &'s str, span: Span) -> Token<'s> {
        let name = self.name(Cow::Borrowed(text), span);
        let next = self.raws.get(self.idx).filter(|_| matches!(name, Token::Atom(_)));
        match next.map(|next| (next.raw, next.text(self.source))) {
            Some((Raw::Name, "is" | "mod")) => name,
            Some((Raw::Name | Raw::Quoted(_) | Raw::Open | Raw::OpenList, _)) => Token::Declare(text),
            _ => name,
        }
    }

    /// An operator where a term begins: the start of a number, a functor, an atom, or itself.
    fn leading(&mut self, op: Token<'s>, lexed: Lexed) -> Result<(Token<'s>, Span), SyntaxFault> {
        let text = lexed.text(self.source);
        let glued = self.glued(lexed.span);
        if let Some(next @ Lexed { raw: Raw::Integer | Raw::Float, .. }) = glued
            && text == "-"
        {
            self.idx += 1;
            let span = Span::new(lexed.span.start, next.span.end);
            let number = &self.source[span.start..span.end];
            let token = match next.raw {
                Raw::Integer => Token::Integer(integer(number, span)?),
                _ => Token::Float(float(number, span)?),
            };
            return Ok((token, span));
        }
        let token = match (glued.map(|next| next.raw), self.raws.get(self.idx).map(|next| next.raw)) {
            (Some(Raw::Open), _) => Token::Functor(Cow::Borrowed(text)),
            (_, None) => Token::Atom(Cow::Borrowed(text)),
            (_, Some(next)) if ends_term(next) => Token::Atom(Cow::Borrowed(text)),
            _ => op,
        };
        Ok((token, lexed.span))
    }

    fn settle(&mut self, lexed: Lexed) -> Result<(Token<'s>, Span), SyntaxFault> {
        let Lexed { raw, span } = lexed;
        let text = lexed.text(self.source);
        let token = match raw {
            Raw::Name => match text {
                "is" if self.after_term => Token::Compare(text),
                "mod" if self.after_term => Token::Product(text),
                _ if self.idx == 2 && self.raws[0].raw == Raw::Neck && DECLARATIONS.contains(&text) => {
                    self.declaration(text, span)
                }
                _ => self.name(Cow::Borrowed(text), span),
            },
            Raw::Quoted(plain) => self.name(unquote(text, plain, span)?, span),
            Raw::Text(plain) => Token::Text(unquote(text, plain, span)?),
            Raw::Codes(plain) => Token::Codes(codes(text, plain, span)?),
            Raw::Cut => self.name(Cow::Borrowed(text), span),
            // A variable takes no arguments, so this is a functor: predicates of other systems may have capitals.
            Raw::Variable if self.glued(span).is_some_and(|next| next.raw == Raw::Open) => {
                Token::Functor(Cow::Borrowed(text))
            }
            Raw::Variable => Token::Variable(text),
            Raw::Integer if !self.is_arithmetic => Token::Integer(integer(text, span)?),
            Raw::Integer | Raw::Float => Token::Float(float(text, span)?),
            Raw::Neck => Token::Neck,
            Raw::Comma => Token::Comma,
            Raw::Open => Token::Open,
            Raw::Close => Token::Close,
            Raw::OpenList => Token::OpenList,
            Raw::CloseList => Token::CloseList,
            Raw::OpenBrace => return Ok(self.brace(span)),
            Raw::CloseBrace => Token::CloseBrace,
            Raw::Bar => Token::Bar,
            Raw::Stop => Token::Stop,
            operator => {
                let token = match operator {
                    Raw::Semicolon => Token::Semicolon,
                    Raw::Arrow => Token::Arrow,
                    Raw::Not => Token::Not,
                    Raw::Compare => Token::Compare(text),
                    Raw::Colon => Token::Colon,
                    Raw::Product => Token::Product(text),
                    Raw::Power => Token::Power(text),
                    Raw::Hash => Token::Hash,
                    _ => Token::Sign(text),
                };
                if !self.after_term && !self.is_arithmetic {
                    return self.leading(token, lexed);
                }
                token
            }
        };
        Ok((token, span))
    }
}

impl<'s> Iterator for Tokens<'s, '_> {
    type Item = Result<(usize, Token<'s>, usize), SyntaxFault>;

    fn next(&mut self) -> Option<Self::Item> {
        let lexed = *self.raws.get(self.idx)?;
        self.idx += 1;
        let settled = self.settle(lexed);
        Some(settled.map(|(token, span)| {
            self.after_term = matches!(
                token,
                Token::Atom(_)
                    | Token::Variable(_)
                    | Token::Text(_)
                    | Token::Codes(_)
                    | Token::Integer(_)
                    | Token::Float(_)
                    | Token::Close
                    | Token::CloseList
                    | Token::CloseBrace
            );
            (span.start, token, span.end)
        }))
    }
}

#[cfg(test)]
mod tests;
