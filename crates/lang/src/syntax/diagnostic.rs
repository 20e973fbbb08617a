//! A message to the user: code, severity, fault, places and advice.
//!
//! A place is bytes of a text, or a cell of a table that is no text.
//!
//! Faults of a text's form, apart from its meaning.

use std::fmt;

use super::ast::Span;
use super::codes::{self, Code};
use super::marks::{Wording, worded};

/// One file among [`Sources`](super::Sources); by default the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub(super) u32);

impl FileId {
    /// The file at this position.
    pub(super) fn of(position: usize) -> Self {
        Self(u32::try_from(position).expect("a run reads fewer files than 4 billion"))
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Bytes of a text.
    Bytes(FileId, Span),
    /// A row of a table that is no text, from 1; 0 stands for the names of its columns. With it, the column from 0 if
    /// the place is a cell.
    Row(FileId, u64, Option<u32>),
}

impl Default for Place {
    /// The beginning of the first file.
    fn default() -> Self {
        Self::new(FileId::default(), Span::default())
    }
}

impl Place {
    /// These bytes of this file.
    pub const fn new(file: FileId, span: Span) -> Self {
        Self::Bytes(file, span)
    }

    /// The file.
    pub const fn file(self) -> FileId {
        match self {
            Self::Bytes(file, _) | Self::Row(file, ..) => file,
        }
    }
}

/// The severity of a message; worse first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The run uses the input, but the user should look at it; a warning never stops a run.
    Warning,
}

/// A place in a source file, with a text for it, which may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    place: Place,
    text: String,
}

impl Label {
    /// The place to which it points.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The text beside the caret.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// One message.
///
/// # Example
///
/// ```
/// use gleaner_lang::syntax::{Diagnostic, Sources, Span, codes, render};
/// let mut sources = Sources::new();
/// let file = sources.add("family.pl", "mother(ann,bob)");
/// let fault = Diagnostic::error(codes::NO_FULL_STOP, "the last statement has no full stop")
///     .with_label(file, Span::new(14, 15), "")
///     .with_help("end it with `.`");
/// let shown = render(&[fault], &sources, false);
/// assert!(shown.starts_with("error[G007]: the last statement has no full stop\n"));
/// assert!(shown.contains("family.pl:1:15"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    code: Code,
    severity: Severity,
    message: String,
    labels: Vec<Label>,
    help: Vec<String>,
}

impl Diagnostic {
    /// An error; the message is lower case without a final stop.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// A warning; the message is lower case without a final stop.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    const fn new(severity: Severity, code: Code, message: String) -> Self {
        Self { code, severity, message, labels: Vec::new(), help: Vec::new() }
    }

    /// Turns an error into a warning, with a help text that says how the run treats it.
    pub fn into_warning(mut self, help: impl Into<String>) -> Self {
        if self.severity == Severity::Warning {
            return self;
        }
        self.severity = Severity::Warning;
        self.with_help(help)
    }

    /// With one more place; the first is the main one.
    pub fn with_label(self, file: FileId, span: Span, text: impl Into<String>) -> Self {
        self.at(Place::new(file, span), text)
    }

    /// With one more place, as [`Diagnostic::with_label`].
    pub fn at(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into() });
        self
    }

    /// With one more piece of advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// With this advice in the place of its own.
    pub fn with_other_help(self, help: impl Into<String>) -> Self {
        Self { help: Vec::new(), ..self }.with_help(help)
    }

    /// The message with its settings in the words of a surface.
    pub fn worded(mut self, say: Wording) -> Self {
        let texts = self.labels.iter_mut().map(|label| &mut label.text);
        for text in std::iter::once(&mut self.message).chain(texts).chain(&mut self.help) {
            *text = worded(text, say).into_owned();
        }
        self
    }

    /// The code.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The severity.
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// The fault, in a sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The places, the main one first.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The lines of advice: texts that would be accepted.
    pub fn help(&self) -> &[String] {
        &self.help
    }
}

/// The greatest depth of a term; a constant has depth 1. A larger one is a fault. Hand-written
/// programs stay below 20; 500 leaves room for generated ones on the smallest usual thread stack.
pub const MAX_DEPTH: usize = 500;

/// The most tokens of a statement: a term takes a hundred times the bytes of its text.
pub(super) const MAX_TOKENS: usize = 500_000;

/// A fault of the text at a place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    kind: SyntaxFaultKind,
    span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SyntaxFaultKind {
    /// A character that begins no token.
    Character(char),
    /// A full stop with text right after it.
    GluedStop,
    /// `3d`: a number with letters right after it.
    DigitName(String),
    UnterminatedQuote,
    UnterminatedComment,
    Escape(String),
    NumberRange(String),
    TooDeep,
    /// A statement of too many tokens, at the place of the first token beyond the limit.
    TooLong,
    NoFullStop,
    /// A token out of place, or the end of the text (`found` is `None`).
    Unexpected {
        found: Option<String>,
        expected: Vec<&'static str>,
        starts_line: bool,
    },
    /// `0.3::p(a)`.
    Probability,
    NoClause,
    SecondClause,
}

impl SyntaxFault {
    pub(super) const fn new(kind: SyntaxFaultKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// The bytes at fault; empty at the end of the text.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Whether the fault is a replacement character where no token can begin.
    pub const fn is_replacement(&self) -> bool {
        matches!(self.kind, SyntaxFaultKind::Character(char::REPLACEMENT_CHARACTER))
    }

    /// Whether the fault is a probability before an atom.
    pub const fn is_probability(&self) -> bool {
        matches!(self.kind, SyntaxFaultKind::Probability)
    }

    /// The code of its message.
    pub const fn code(&self) -> Code {
        match self.kind {
            SyntaxFaultKind::UnterminatedQuote | SyntaxFaultKind::UnterminatedComment => codes::UNTERMINATED,
            SyntaxFaultKind::NumberRange(_) => codes::NUMBER_RANGE,
            SyntaxFaultKind::TooDeep => codes::TOO_DEEP,
            SyntaxFaultKind::NoFullStop => codes::NO_FULL_STOP,
            SyntaxFaultKind::Probability => codes::PROBABILITY,
            _ => codes::SYNTAX,
        }
    }

    /// The message that points into `file`, where the text this fault was found in begins at `start`.
    pub fn to_diagnostic(&self, file: FileId, start: usize) -> Diagnostic {
        let span = Span::new(start + self.span.start, start + self.span.end);
        self.at(Place::new(file, span))
    }

    /// The diagnostic of the fault at this place of a file.
    pub fn at(&self, place: Place) -> Diagnostic {
        let message = Diagnostic::error(self.code(), self.to_string()).at(place, "");
        match self.help() {
            Some(help) => message.with_help(help),
            None => message,
        }
    }

    fn help(&self) -> Option<String> {
        Some(match &self.kind {
            SyntaxFaultKind::Character(c) if !c.is_control() => format!("if it belongs to a name, quote the name: 'a{c}b'"),
            SyntaxFaultKind::GluedStop => "put a space or line break after the full stop, or quote the name: 'a.b'".into(),
            SyntaxFaultKind::DigitName(name) => format!("quote it: '{name}'"),
            SyntaxFaultKind::UnterminatedQuote => {
                "close it on the same line; a quote inside is written twice, a line break as \\n".into()
            }
            SyntaxFaultKind::UnterminatedComment => "close it with */".into(),
            SyntaxFaultKind::Escape(_) => {
                "accepted are \\\\ \\' \\\" \\` \\n \\t \\r \\a \\b \\f \\v \\e \\s and \\xHH\\ with hexadecimal digits".into()
            }
            SyntaxFaultKind::NumberRange(_) => {
                "integers lie within 64 bits, floats below 1.8e308; quote it to make it a name".into()
            }
            SyntaxFaultKind::TooLong => "write a fact for each item of a long list, or look for a full stop that is missing".into(),
            SyntaxFaultKind::Probability => CERTAIN.into(),
            SyntaxFaultKind::NoFullStop => "end it with `.`; if it looks cut off, the file is truncated".into(),
            SyntaxFaultKind::Unexpected { found: Some(_), expected, starts_line: true }
                if expected.contains(&FULL_STOP) =>
            {
                "if a new statement starts here, put a full stop after the one before".into()
            }
            _ => return None,
        })
    }
}

const FULL_STOP: &str = "a full stop";

/// What to do with probabilities.
const CERTAIN: &str = "gleaner reads what is certain: take the probability away";

/// The message that statements of a file have probabilities: one for all of them, at the place of the first.
pub fn with_probabilities(first: Place, n: usize) -> Diagnostic {
    let what = match n {
        1 => "1 statement has a probability".to_owned(),
        n => format!("{n} statements have probabilities"),
    };
    Diagnostic::error(codes::PROBABILITY, what)
        .at(first, if n == 1 { "this one" } else { "the first" })
        .with_help(CERTAIN)
        .with_help(
            "leave out what is unlikely, or write `p(a, 0.3).`, a fact with a number that clauses compare",
        )
}

impl fmt::Display for SyntaxFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SyntaxFaultKind::Character(c) if c.is_control() || c.is_whitespace() => {
                write!(f, "unexpected character U+{:04X}", u32::from(*c))
            }
            SyntaxFaultKind::Character(c) => write!(f, "unexpected character `{c}`"),
            SyntaxFaultKind::GluedStop => {
                f.write_str("a full stop must be followed by white space or a comment")
            }
            SyntaxFaultKind::DigitName(name) => write!(f, "a name cannot start with a digit: `{name}`"),
            SyntaxFaultKind::UnterminatedQuote => f.write_str("this quote is not closed"),
            SyntaxFaultKind::UnterminatedComment => f.write_str("this comment is not closed"),
            SyntaxFaultKind::Escape(escape) => write!(f, "unknown escape `{escape}`"),
            SyntaxFaultKind::NumberRange(number) => write!(f, "number out of range: `{number}`"),
            SyntaxFaultKind::TooDeep => write!(f, "this term is nested more than {MAX_DEPTH} deep"),
            SyntaxFaultKind::TooLong => {
                write!(f, "this statement has more than {MAX_TOKENS} words and signs")
            }
            SyntaxFaultKind::NoFullStop => f.write_str("the last statement has no full stop"),
            SyntaxFaultKind::Unexpected { found, expected, .. } => {
                match found {
                    Some(found) => write!(f, "found `{found}`")?,
                    None => f.write_str("found the end of the text")?,
                }
                for (idx, what) in expected.iter().enumerate() {
                    let joint = match idx {
                        0 => ", expected ",
                        _ if idx + 1 == expected.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{joint}{what}")?;
                }
                Ok(())
            }
            SyntaxFaultKind::Probability => f.write_str("a probability stands before this atom"),
            SyntaxFaultKind::NoClause => f.write_str("found no clause"),
            SyntaxFaultKind::SecondClause => f.write_str("found a second clause, expected only one"),
        }
    }
}

impl std::error::Error for SyntaxFault {}

/// The terminals that a parser would accept, in a user's words. A term can begin with many terminals, so these have one
/// common name, and so do the operators that can follow a term.
pub(super) fn expected_in_words(terminals: &[String]) -> Vec<&'static str> {
    let has = |name: &str| terminals.iter().any(|terminal| terminal == name);
    let term = has("variable");
    let operator = if has("compare") {
        Some("an operator")
    } else if has("product") || has("sign") {
        Some("an arithmetic operator")
    } else {
        None
    };
    let mut words = Vec::new();
    if term {
        words.push("a term");
    }
    let plain = [
        ("\",\"", "`,`"),
        ("\"|\"", "`|`"),
        ("\")\"", "`)`"),
        ("\"]\"", "`]`"),
        ("\"}\"", "`}`"),
        ("\":-\"", "`:-`"),
    ];
    words.extend(plain.into_iter().filter(|(name, _)| has(name)).map(|(_, word)| word));
    words.extend(operator.filter(|_| !term));
    if has("stop") {
        words.push(FULL_STOP);
    }
    words
}
