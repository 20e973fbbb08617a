//! What can be wrong with a formula, where, and what would be accepted there.

use std::fmt;

use super::formula::{BinaryOperator, UnaryOperator, Variable};
use crate::program::settings::nearest;

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault {
    /// In characters from 1; `None` where the whole is at fault.
    column: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value must begin here, and this stands there.
    NoValue(String),
    /// A value ended here; it goes on with this, though these could follow.
    NoOperator(String, &'static str),
    /// A name of nothing.
    Unknown(String),
    /// A function's name without brackets.
    NoArguments(&'static str),
    /// A function with so many arguments, and how many it takes.
    Arguments(&'static str, usize, usize),
    /// A number beyond what a double holds.
    Number(String),
    /// More levels of brackets than this.
    TooDeep(usize),
    /// More numbers, variables and operations than this.
    TooLong(usize),
    /// Neither `TP` nor `FP` is used.
    Constant,
}

impl FormulaFault {
    pub(super) const fn at(column: usize, kind: Kind) -> Self {
        Self { column: Some(column), kind }
    }

    pub(super) const fn constant() -> Self {
        Self { column: None, kind: Kind::Constant }
    }

    /// Whether the help names what was probably meant.
    pub(super) fn has_suggestion(&self) -> bool {
        match &self.kind {
            Kind::Unknown(name) => meant(name).is_some(),
            Kind::NoArguments(_) | Kind::Constant => true,
            _ => false,
        }
    }

    /// What would be accepted.
    #[must_use]
    pub fn help(&self) -> String {
        match &self.kind {
            Kind::NoValue(_) => format!("a number, a name or ( may stand here; names are {}", names()),
            Kind::NoOperator(_, accepted) => format!("{accepted} may stand here"),
            Kind::Unknown(name) => match meant(name) {
                Some(meant) => format!("did you mean {meant}? names are {}", names()),
                None => format!("names are {}", names()),
            },
            Kind::NoArguments(name) | Kind::Arguments(name, ..) => format!("write {}", form(name)),
            Kind::Number(_) => "numbers are at most 1.79e308".to_owned(),
            Kind::TooDeep(_) => "write it with fewer brackets".to_owned(),
            Kind::TooLong(_) => "write it shorter".to_owned(),
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
            Kind::NoValue(found) => write!(f, "a value is missing before {found}"),
            Kind::NoOperator(found, _) => write!(f, "{found} cannot follow a value"),
            Kind::Unknown(name) => write!(f, "there is no {name}"),
            Kind::NoArguments(name) => write!(f, "{name} is a function"),
            Kind::Arguments(name, found, wanted) => {
                let s = if *wanted == 1 { "" } else { "s" };
                write!(f, "{name} takes {wanted} argument{s}, not {found}")
            }
            Kind::Number(text) => write!(f, "{text} is no number that can be held"),
            Kind::TooDeep(most) => write!(f, "more than {most} levels of brackets and signs"),
            Kind::TooLong(most) => write!(f, "more than {most} numbers, names and operations"),
            Kind::Constant => f.write_str("it has neither TP nor FP, and would score all clauses alike"),
        }
    }
}

impl std::error::Error for FormulaFault {}

fn known() -> impl Iterator<Item = &'static str> {
    let variables = Variable::ALL.iter().map(|(name, _)| *name);
    let unary = UnaryOperator::FUNCTIONS.iter().map(|(name, _)| *name);
    variables.chain(unary).chain(BinaryOperator::FUNCTIONS.iter().map(|(name, _)| *name))
}

fn names() -> String {
    known().collect::<Vec<_>>().join(" ")
}

/// What an unknown name stands for: the missing counts by their definition, a known name in other letters,
/// or the nearest.
fn meant(name: &str) -> Option<&'static str> {
    match name.to_uppercase().as_str() {
        "FN" => Some("P - TP"),
        "TN" => Some("N - FP"),
        _ => known()
            .find(|known| known.eq_ignore_ascii_case(name))
            .or_else(|| nearest(&name.to_uppercase(), Variable::ALL.iter().map(|(name, _)| *name)))
            .or_else(|| nearest(&name.to_lowercase(), known())),
    }
}

fn form(name: &str) -> String {
    let is_binary = BinaryOperator::FUNCTIONS.iter().any(|(known, _)| *known == name);
    if is_binary { format!("{name}(TP, FP)") } else { format!("{name}(TP)") }
}
