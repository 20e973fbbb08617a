//! The answer of a job, and the one error of the library: its text, and each message on its own.

use std::fmt;
use std::path::Path;

use crate::jobs::Failure;
use crate::report::{self, answer::Shown};
use crate::store::WriteError;
use gleaner_data::clauses::ClauseFaults;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Severity, Sources, codes, render};

/// The answer of a job. `Display` gives the text of the command line, with settings by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    text: String,
    markdown: String,
    events: Vec<String>,
}

impl Answer {
    pub(super) fn of(answer: &impl report::Answer) -> Self {
        Self::shown(&Shown::of(answer))
    }

    pub(super) fn shown(Shown { document, events }: &Shown) -> Self {
        let events = events.iter().map(ToString::to_string).collect();
        let document = document.clone().worded(in_library);
        Self { text: document.text(), markdown: document.markdown(), events }
    }

    /// The text that `--markdown` prints: tables with bars, clauses as code.
    pub fn markdown(&self) -> &str {
        &self.markdown
    }

    /// The events that `--json` prints, each an object of JSON on one line. The last one is `done` and sums up.
    pub fn events(&self) -> &[String] {
        &self.events
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a call of the library did not give its result. Each has a message with a code.
///
/// `Display` prints every fault with its code, its place in the file, and the remedy. So does `Debug`, which Rust prints if
/// `main` returns the error. Where the command line says `--min-pos 3`, they say `min_pos=3`, as
/// [`Learner::with`](super::Learner::with) takes it.
pub struct Error(Box<Faults>);

/// What went wrong with files, models, settings or calls: messages with their places in texts, and remedies.
struct Faults {
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
    details: String,
}

/// One fault or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The stable code, as `G012`; [`manual_page`](super::manual_page) has its page of the manual.
    pub code: String,
    /// Whether it is a warning: the data were used all the same.
    pub is_warning: bool,
    /// The fault, in lower case without a final stop.
    pub text: String,
    /// The file, line and column it points at, if it points into a file.
    pub place: Option<Place>,
    /// The remedies, or the values that would be accepted.
    pub help: Vec<String>,
}

/// A place in a text or table; lines, rows and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name as it was given.
    pub file: String,
    /// The line; of a table that is no text, as one in memory, the row.
    pub line: usize,
    /// The column, in characters; of a table that is no text the column's number, 1 where the row is meant.
    pub column: usize,
}

impl From<ClauseFaults> for Error {
    fn from(faults: ClauseFaults) -> Self {
        Self::faults(faults.diagnostics, faults.sources)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Data(diagnostics, sources) => Self::faults(diagnostics, sources),
            Failure::Usage(diagnostic) | Failure::OutOfTime(diagnostic) => Self::fault(diagnostic),
            Failure::NothingLearnt(nothing) => {
                let details = nothing.candidates().worded(in_library).text();
                let diagnostics = vec![nothing.diagnostic()];
                Self(Box::new(Faults { diagnostics, sources: Sources::new(), details }))
            }
            Failure::ClosedPipe => {
                Self::fault(Diagnostic::error(codes::WRITE_FAILED, "the reader of the output closed it"))
            }
        }
    }
}

impl Error {
    pub(super) fn faults(diagnostics: Vec<Diagnostic>, sources: Sources) -> Self {
        Self(Box::new(Faults { diagnostics, sources, details: String::new() }))
    }

    pub(super) fn fault(diagnostic: Diagnostic) -> Self {
        Self::faults(vec![diagnostic], Sources::new())
    }

    /// The error of a value that a call does not take, with the values that it takes.
    pub(super) fn bad_value(call: &str, value: &str, takes: impl Into<String>) -> Self {
        Self::fault(bad_value(call, value, takes))
    }

    pub(super) fn unwritable(path: &Path, error: &WriteError) -> Self {
        Failure::write(path, error).into()
    }

    /// The code of the first fault, as `G012`.
    pub fn code(&self) -> String {
        self.0.diagnostics.first().map_or_else(String::new, |fault| fault.code().to_string())
    }

    /// The faults one by one, in the order in which they were found.
    pub fn messages(&self) -> Vec<Message> {
        messages(&self.0.diagnostics, &self.0.sources)
    }
}

/// The fault of a value that a call does not take, with the values that it takes.
pub(super) fn bad_value(call: &str, value: &str, takes: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::SETTING_VALUE, format!("`{value}` is no value for {call}")).with_help(takes)
}

/// Messages as text, which names settings as a program does.
pub(super) fn rendered(messages: &[Diagnostic], sources: &Sources) -> String {
    let messages: Vec<Diagnostic> =
        messages.iter().map(|message| message.clone().worded(in_library)).collect();
    render(&messages, sources, false)
}

/// Messages with their places in words and numbers.
pub(super) fn messages(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Message> {
    let place = |diagnostic: &Diagnostic| {
        let label = diagnostic.labels().first()?;
        let (line, column) = sources.position(label.place());
        Some(Place { file: sources.get(label.place().file()).name().to_owned(), line, column })
    };
    let message = |diagnostic: &Diagnostic| Message {
        code: diagnostic.code().to_string(),
        is_warning: diagnostic.severity() == Severity::Warning,
        text: worded(diagnostic.message(), in_library).into_owned(),
        place: place(diagnostic),
        help: diagnostic.help().iter().map(|help| worded(help, in_library).into_owned()).collect(),
    };
    diagnostics.iter().map(message).collect()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Faults { diagnostics, sources, details } = &*self.0;
        f.write_str((rendered(diagnostics, sources) + details).trim_end())
    }
}

impl fmt::Debug for Error {
    /// As `Display`: the texts that faults point into may be megabytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
