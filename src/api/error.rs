//! The one error of the library: its text, and each message on its own.

use std::fmt;
use std::path::Path;

use crate::experiment::learn::NothingLearnt;
use crate::jobs::Failure;
use crate::store::WriteError;
use gleaner_data::clauses::ClauseFaults;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Severity, Sources, codes, render};
use gleaner_stats::eval::EvalError;

/// Why a call of the library did not give its result.
///
/// `Display` prints every fault with its code, its place in the file, and the remedy. So does `Debug`, which Rust prints if
/// `main` returns the error. [`Error::messages`] gives the same faults one by one. Where the command line says
/// `--min-pos 3`, they say `min_pos=3`, as [`Learner::with`](super::Learner::with) takes it.
pub struct Error(Box<Kind>);

enum Kind {
    /// Faults of files, models, settings or calls, with the texts that they point into.
    Faults { diagnostics: Vec<Diagnostic>, sources: Sources },
    /// A search kept no clause, at its end or when time, memory or the user ended it.
    NothingLearnt(NothingLearnt),
}

/// One fault or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The stable code, as `G012`; `gleaner explain-code G012` prints its page of the manual.
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
    /// The line; of a table that is no text, as of facts in memory, the row.
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
            Failure::NothingLearnt(nothing) => Self::nothing_learnt(*nothing),
            Failure::ClosedPipe => {
                Self::fault(Diagnostic::error(codes::WRITE_FAILED, "the reader of the output closed it"))
            }
        }
    }
}

impl Error {
    /// The run folder holds the finished run already.
    pub(crate) fn nothing_to_do() -> Self {
        let message = "the folder holds the finished run: nothing is left to do";
        Self::fault(Diagnostic::error(codes::EARLIER_RESULT, message).with_help("choose another folder"))
    }

    pub(crate) fn faults(diagnostics: Vec<Diagnostic>, sources: Sources) -> Self {
        Self(Box::new(Kind::Faults { diagnostics, sources }))
    }

    pub(crate) fn fault(diagnostic: Diagnostic) -> Self {
        Self::faults(vec![diagnostic], Sources::new())
    }

    /// The error of a value that a call does not take, with the values that it takes.
    pub(crate) fn bad_value(call: &str, value: &str, takes: impl Into<String>) -> Self {
        let message = format!("`{value}` is no value for {call}");
        Self::fault(Diagnostic::error(codes::SETTING_VALUE, message).with_help(takes))
    }

    pub(crate) fn bad_scores(error: &EvalError) -> Self {
        Self::fault(Diagnostic::error(codes::BAD_SCORES, error.to_string()))
    }

    pub(crate) fn nothing_learnt(nothing: NothingLearnt) -> Self {
        Self(Box::new(Kind::NothingLearnt(nothing)))
    }

    pub(crate) fn unwritable(path: &Path, error: &WriteError) -> Self {
        let message = format!("{} cannot be written: {error}", path.display());
        Self::fault(Diagnostic::error(codes::WRITE_FAILED, message).with_help(error.remedy()))
    }

    /// The faults one by one, in the order in which they were found; empty where nothing was learnt.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        match self.0.as_ref() {
            Kind::Faults { diagnostics, sources } => messages(diagnostics, sources),
            Kind::NothingLearnt(_) => Vec::new(),
        }
    }

    /// Whether a search kept no clause: at its end, or before the time limit ended it.
    #[must_use]
    pub const fn is_nothing_learnt(&self) -> bool {
        matches!(*self.0, Kind::NothingLearnt(_))
    }
}

/// Messages as text, which names settings as a program does.
pub(super) fn rendered(messages: &[Diagnostic], sources: &Sources) -> String {
    let messages: Vec<Diagnostic> =
        messages.iter().map(|message| message.clone().worded(in_library)).collect();
    render(&messages, sources, false)
}

/// Messages with their places in words and numbers.
pub(crate) fn messages(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Message> {
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
        match self.0.as_ref() {
            Kind::Faults { diagnostics, sources } => f.write_str(rendered(diagnostics, sources).trim_end()),
            Kind::NothingLearnt(nothing) => {
                f.write_str(nothing.document().worded(in_library).text().trim_end())
            }
        }
    }
}

impl fmt::Debug for Error {
    /// As `Display`: the texts that faults point into may be megabytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
