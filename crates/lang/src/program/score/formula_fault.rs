//! Faults of a formula, their places, and the texts accepted there.

use std::fmt;

use super::node::{BinaryOperator, UnaryOperator, Variable};
use crate::program::settings::nearest;
use crate::syntax::SyntaxFault;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault {
    /// The column of the fault, in characters from 1; `None` where the whole formula is at fault.
    column: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is no arithmetic.
    Syntax(SyntaxFault),
    /// An unknown name.
    Unknown(String),
    /// A function's name without brackets.
    NoArguments(&'static str),
    /// A function's name, the number of its arguments in the text, and the number that it takes.
    Arguments(&'static str, usize, usize),
    /// Neither `TP` nor `FP` is used.
    Constant,
}

impl FormulaFault {
    pub(super) const fn at(column: usize, kind: Kind) -> Self {
        Self { column: Some(column), kind }
    }

    /// The fault of a name that does not exist with this number of arguments.
    pub(super) fn of_name(column: usize, name: &str, n_arguments: usize) -> Self {
        let kind = match known().find(|(known, _)| *known == name) {
            None => Kind::Unknown(name.to_owned()),
            Some((known, _)) if n_arguments == 0 => Kind::NoArguments(known),
            Some((known, n_wanted)) => Kind::Arguments(known, n_arguments, n_wanted),
        };
        Self::at(column, kind)
    }

    pub(super) const fn constant() -> Self {
        Self { column: None, kind: Kind::Constant }
    }

    /// Whether the help names a probable correction.
    pub(super) fn has_suggestion(&self) -> bool {
        match &self.kind {
            Kind::Unknown(name) => meant(name).is_some(),
            Kind::NoArguments(_) | Kind::Constant => true,
            Kind::Syntax(_) | Kind::Arguments(..) => false,
        }
    }

    /// What would be accepted.
    #[must_use]
    pub fn help(&self) -> String {
        match &self.kind {
            Kind::Syntax(_) => made_of(),
            Kind::Unknown(name) => match meant(name) {
                Some(meant) => format!("did you mean {meant}? names are {}", names()),
                None if is_word(name) => format!("names are {}", names()),
                None => made_of(),
            },
            Kind::NoArguments(name) | Kind::Arguments(name, ..) => format!("write {}", form(name)),
            Kind::Constant => "use TP, the positives covered, or FP, the negatives covered".to_owned(),
        }
    }
}

impl fmt::Display for FormulaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        match &self.kind {
            Kind::Syntax(fault) => fault.fmt(f),
            Kind::Unknown(name) => write!(f, "there is no {name}"),
            Kind::NoArguments(name) => write!(f, "{name} is a function"),
            Kind::Arguments(name, found, wanted) => {
                let s = if *wanted == 1 { "" } else { "s" };
                write!(f, "{name} takes {wanted} argument{s}, not {found}")
            }
            Kind::Constant => f.write_str("it has neither TP nor FP, and would score all clauses alike"),
        }
    }
}

impl std::error::Error for FormulaFault {}

/// All names and operators, with the number of arguments that each takes.
fn known() -> impl Iterator<Item = (&'static str, usize)> {
    let variables = Variable::ALL.iter().map(|(name, _)| (*name, 0));
    let unary = UnaryOperator::ALL.iter().map(|(name, ..)| (*name, 1));
    variables.chain(unary).chain(BinaryOperator::ALL.iter().map(|(name, ..)| (*name, 2)))
}

fn known_names() -> impl Iterator<Item = &'static str> {
    known().map(|(name, _)| name).filter(|name| is_word(name))
}

fn is_word(name: &str) -> bool {
    name.starts_with(char::is_alphabetic)
}

fn names() -> String {
    known_names().collect::<Vec<_>>().join(" ")
}

fn made_of() -> String {
    format!("a formula is made of numbers below 1.8e308, + - * / ^, brackets and the names {}", names())
}

/// The replacement of an unknown name: the definition of `FN` or `TN`, a known name in other letters, or the nearest
/// name.
fn meant(name: &str) -> Option<&'static str> {
    match name.to_uppercase().as_str() {
        "FN" => Some("P - TP"),
        "TN" => Some("N - FP"),
        _ if !is_word(name) => None,
        _ => known_names()
            .find(|known| known.eq_ignore_ascii_case(name))
            .or_else(|| nearest(&name.to_uppercase(), Variable::ALL.iter().map(|(name, _)| *name)))
            .or_else(|| nearest(&name.to_lowercase(), known_names())),
    }
}

/// The form of a name with its arguments, for messages.
fn form(name: &str) -> String {
    match known().find(|(known, _)| *known == name) {
        Some((_, 2)) if is_word(name) => format!("{name}(TP, FP)"),
        Some((_, 2)) => format!("TP {name} FP"),
        Some((_, 1)) => format!("{name}(TP)"),
        _ => name.to_owned(),
    }
}
