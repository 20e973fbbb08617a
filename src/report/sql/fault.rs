//! Why a model is no query.

use std::fmt;

/// Why a model is no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSql {
    /// The clauses ask for a relation that the schema does not know, or for an aggregate that cannot be read.
    Unknown(String),
    /// The model's schema cannot be read, or the target is not that of its labels.
    Schema,
    /// The clauses call the target, and examples differ in the links of the target that they may use.
    KnownLinks(String),
    /// The model has statistics of train examples.
    Statistics,
    /// The clauses use an operator on whole numbers.
    Arithmetic(&'static str),
    /// A clause has a variable without a value.
    Unbound,
    /// A column that the clauses ask for has dates or numbers in a notation that databases read otherwise.
    Notation(String),
    /// The target has more arguments than this.
    Arguments(usize),
}

impl fmt::Display for NoSql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "a clause of the model asks for {name}, which the schema in its file does not know")
            }
            Self::Schema => write!(f, "the schema in the model's file does not fit its target"),
            Self::KnownLinks(name) => write!(
                f,
                "the model's clauses may call {name}, its target, and no example may be proved by its own link"
            ),
            Self::Statistics => {
                write!(f, "the model has statistics of its train examples, which only gleaner uses")
            }
            Self::Arithmetic(operator) => {
                write!(
                    f,
                    "a clause of the model uses `{operator}`, which databases work out for other numbers, too"
                )
            }
            Self::Notation(column) => write!(
                f,
                "the clauses ask for {column}, whose dates or numbers are in a notation that databases do not read: write them as \
                 2018-12-31 and 1234.5, and learn again"
            ),
            Self::Unbound => write!(f, "a clause of the model has a variable that no literal gives a value"),
            Self::Arguments(most) => write!(f, "the model's target has more than {most} arguments"),
        }
    }
}

impl std::error::Error for NoSql {}
