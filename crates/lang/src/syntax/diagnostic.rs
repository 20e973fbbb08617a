//! A message to the user: code, severity, fault, places and advice.
//!
//! A place is bytes of a text, or a cell of a table that is no text.

use super::ast::Span;
use super::codes::Code;
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
