//! Why a model is no program.

use std::fmt;

/// Why a model is no program beside the user's facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// The model's clauses call a predicate that is part of Prolog's language, or that changes SWI-Prolog.
    Prologs(String),
    /// The model's clauses call a predicate that the program itself has to give the user.
    Own(String),
    /// The model's clauses call the target, and examples differ in the links of the target that they may use.
    KnownLinks(String),
    /// A constant of its clauses cannot be written.
    Constant(String),
    /// The model's target has more arguments than this.
    Arguments(usize),
}

impl fmt::Display for NoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prologs(name) => {
                write!(
                    f,
                    "a clause of the model calls {name}, which in SWI-Prolog cannot be a predicate of data"
                )
            }
            Self::Own(name) => write!(f, "a clause of the model calls {name}, which the program itself has"),
            Self::KnownLinks(name) => {
                write!(
                    f,
                    "the model's clauses may call {name}, its target, and no example may be proved by its own link"
                )
            }
            Self::Constant(text) => {
                write!(f, "a clause of the model has the constant {text}, which cannot be written")
            }
            Self::Arguments(most) => write!(f, "the model's target has more than {most} arguments"),
        }
    }
}

impl std::error::Error for NoProgram {}
