//! A message to the user: code, severity, fault, places and advice.

use super::ast::Span;
use super::codes::Code;
use super::place::{FileId, Place};

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
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The text beside the caret.
    #[must_use]
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
    #[must_use]
    pub fn into_warning(mut self, help: impl Into<String>) -> Self {
        if self.severity == Severity::Warning {
            return self;
        }
        self.severity = Severity::Warning;
        self.with_help(help)
    }

    /// With one more place; the first is the main one.
    #[must_use]
    pub fn with_label(self, file: FileId, span: Span, text: impl Into<String>) -> Self {
        self.at(Place::new(file, span), text)
    }

    /// With one more place, as [`Diagnostic::with_label`].
    #[must_use]
    pub fn at(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push(Label { place, text: text.into() });
        self
    }

    /// With one more piece of advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The severity.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// The fault, in a sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The places, the main one first.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The lines of advice: texts that would be accepted.
    #[must_use]
    pub fn help(&self) -> &[String] {
        &self.help
    }
}
