//! Why a command ended without its result.
//!
//! Files that are no models, or models of another kind.

use std::fmt::Display;
use std::io;
use std::path::Path;

use gleaner_base::StopReason;
use gleaner_data::clauses::ClauseFaults;
use gleaner_lang::syntax::{Code, Diagnostic, Sources, codes};

use crate::experiment::runs::learn::NothingLearnt;
use crate::report::text::stop_name;
use crate::store::{ModelError, NotOwn, WriteError};

/// Exit code where nothing was learnt, or the time was short.
pub(crate) const NOTHING: u8 = 3;

/// The failures that a command may end with, and their messages.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Faults of the user's files, with the files.
    Data(Vec<Diagnostic>, Sources),
    /// The command was used wrongly.
    Usage(Diagnostic),
    /// The time limit passed while the problem was loaded.
    OutOfTime(Diagnostic),
    /// Nothing was learnt.
    NothingLearnt(Box<NothingLearnt>),
    /// Whoever read standard output went away: not a fault.
    ClosedPipe,
}

impl Failure {
    /// One fault without a place in a file.
    pub(crate) fn fault(diagnostic: Diagnostic) -> Self {
        Self::Data(vec![diagnostic], Sources::new())
    }

    /// The command was used wrongly.
    pub(crate) fn usage(code: Code, message: impl Into<String>) -> Self {
        Self::Usage(Diagnostic::error(code, message))
    }

    /// The budget ended before something was done, and a part of it does not hold for all.
    pub(crate) fn stopped(reason: StopReason, what: &str) -> Self {
        let message = format!("{} before {what}", stop_name(reason));
        let help = format!("nothing was written, for a part does not hold for all: {}", reason.remedy());
        Self::OutOfTime(Diagnostic::error(codes::TIME_LIMIT, message).with_help(help))
    }

    /// A file or folder could not be written.
    pub(crate) fn write(path: &Path, error: &WriteError) -> Self {
        let message = format!("{} cannot be written: {error}", path.display());
        Self::fault(Diagnostic::error(codes::WRITE_FAILED, message).with_help(error.remedy()))
    }

    /// The failure that something else stands where the command would keep its files for `path`.
    pub(crate) fn not_own(path: &Path, strange: &NotOwn) -> Self {
        let message = format!("{} cannot be written: {strange}", path.display());
        Self::fault(Diagnostic::error(codes::FOLDER_IN_USE, message).with_help(NotOwn::REMEDY))
    }

    /// The same, with one more remedy where it is a fault or wrong usage.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        match self {
            Self::Data(mut diagnostics, sources) => {
                if let Some(last) = diagnostics.pop() {
                    diagnostics.push(last.with_help(help));
                }
                Self::Data(diagnostics, sources)
            }
            Self::Usage(fault) => Self::Usage(fault.with_help(help)),
            other @ (Self::OutOfTime(_) | Self::NothingLearnt(_) | Self::ClosedPipe) => other,
        }
    }

    /// The same, with this remedy in the place of those of each fault.
    pub(crate) fn with_other_help(self, help: &str) -> Self {
        match self {
            Self::Data(diagnostics, sources) => {
                let other = diagnostics.into_iter().map(|fault| fault.with_other_help(help));
                Self::Data(other.collect(), sources)
            }
            Self::Usage(fault) => Self::Usage(fault.with_other_help(help)),
            other @ (Self::OutOfTime(_) | Self::NothingLearnt(_) | Self::ClosedPipe) => other,
        }
    }

    /// Whether one of its faults has this code.
    pub(crate) fn has_code(&self, code: Code) -> bool {
        match self {
            Self::Data(diagnostics, _) => diagnostics.iter().any(|fault| fault.code() == code),
            Self::Usage(fault) | Self::OutOfTime(fault) => fault.code() == code,
            Self::NothingLearnt(_) | Self::ClosedPipe => false,
        }
    }

    /// Two faults without places in files, or the first failure.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Data(mut faults, sources), Self::Data(others, _)) => {
                faults.extend(others);
                Self::Data(faults, sources)
            }
            (first, _) => first,
        }
    }

    /// The process's exit code.
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Data(..) => 1,
            Self::Usage(_) => 2,
            Self::OutOfTime(_) | Self::NothingLearnt(_) => NOTHING,
            Self::ClosedPipe => 0,
        }
    }
}

impl From<ClauseFaults> for Failure {
    fn from(faults: ClauseFaults) -> Self {
        Self::Data(faults.diagnostics, faults.sources)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        let message = format!("standard output cannot be written: {error}");
        Self::fault(Diagnostic::error(codes::WRITE_FAILED, message))
    }
}

/// The failure that a file is no model.
pub(crate) fn bad_model(path: &Path, error: &ModelError) -> Failure {
    let code = if matches!(error, ModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model file is what `gleaner learn DATA -o MODEL` writes"),
    )
}

/// A message about a file; about a text without a file if the path is empty.
pub(crate) fn said_of(path: &Path, what: &dyn Display) -> String {
    if path.as_os_str().is_empty() { what.to_string() } else { format!("{}: {what}", path.display()) }
}

/// The failure that a file, or a model without one, is of links where examples are asked for.
pub(crate) fn is_of_links(path: &Path) -> Failure {
    let message = said_of(path, &"it is a model of links");
    Failure::fault(
        Diagnostic::error(codes::BAD_MODEL, message)
            .with_help("`gleaner rank MODEL DATA` ranks links by it, `gleaner show MODEL` shows its rules"),
    )
}
