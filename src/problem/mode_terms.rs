//! Mode declarations as written, before the target is known.

use crate::program::{ComparisonOperator, PredicateName};
use crate::syntax::TermKind;
use crate::syntax::ast::Term;

use super::faults::Place;
use super::lower::atom_parts;

/// Which side of a clause a mode is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModeSide {
    Head,
    Body,
    /// A mode without a keyword: head if it is of the target.
    Either,
}

/// `+`, `-` or `#` before a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Input,
    Output,
    Constant,
}

/// What the mode is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Relation(PredicateName),
    Negated(PredicateName),
    Comparison(ComparisonOperator),
}

/// A mode as written.
#[derive(Clone, Debug)]
pub(super) struct RawMode {
    pub(super) side: ModeSide,
    pub(super) subject: Subject,
    pub(super) arguments: Vec<(Marker, String)>,
    pub(super) instantiation_limit: Option<u32>,
    pub(super) place: Place,
}

/// Why a mode term was refused: the term's span in words.
pub(super) type Refusal = String;

/// Reads `limit, subject`.
pub(super) fn read_mode(
    side: ModeSide,
    limit: Option<&Term<'_>>,
    subject: &Term<'_>,
    place: Place,
) -> Result<RawMode, Refusal> {
    let instantiation_limit = match limit.map(|limit| &limit.kind) {
        None => None,
        Some(TermKind::Atom(star)) if star == "*" => None,
        Some(TermKind::Integer(limit)) => {
            Some(u32::try_from(*limit).ok().filter(|&limit| limit > 0).ok_or_else(|| {
                format!("{limit} is no instantiation limit; write * or a whole number from 1")
            })?)
        }
        Some(_) => {
            let written = limit.map(ToString::to_string).unwrap_or_default();
            return Err(format!("`{written}` is no instantiation limit; write * or a whole number from 1"));
        }
    };
    let (name, arguments) = atom_parts(subject).ok_or_else(|| format!("`{subject}` is no predicate"))?;
    let (subject, arguments) = match (name, arguments) {
        ("\\+" | "not", [negated]) => {
            let (name, arguments) =
                atom_parts(negated).ok_or_else(|| format!("`{negated}` is no predicate"))?;
            (Subject::Negated(PredicateName::new(name, arguments.len())), arguments)
        }
        (name, arguments) => match ComparisonOperator::from_symbol(name).filter(|_| arguments.len() == 2) {
            Some(operator) => (Subject::Comparison(operator), arguments),
            None => (Subject::Relation(PredicateName::new(name, arguments.len())), arguments),
        },
    };
    let arguments = arguments.iter().map(read_argument).collect::<Result<Vec<_>, Refusal>>()?;
    check_shape(&subject, &arguments)?;
    Ok(RawMode { side, subject, arguments, instantiation_limit, place })
}

fn read_argument(argument: &Term<'_>) -> Result<(Marker, String), Refusal> {
    let refusal = || format!("`{argument}` is no argument of a mode");
    let TermKind::Compound(sign, inner) = &argument.kind else { return Err(refusal()) };
    let marker = match &**sign {
        "+" => Marker::Input,
        "-" => Marker::Output,
        "#" => Marker::Constant,
        _ => return Err(refusal()),
    };
    match inner.as_slice() {
        [type_name] => Ok((marker, type_name.to_string())),
        _ => Err(refusal()),
    }
}

fn check_shape(subject: &Subject, arguments: &[(Marker, String)]) -> Result<(), Refusal> {
    let count = |marker| arguments.iter().filter(|(known, _)| *known == marker).count();
    match subject {
        Subject::Relation(_) => Ok(()),
        Subject::Negated(_) if count(Marker::Input) == arguments.len() => Ok(()),
        Subject::Negated(_) => Err("a negated literal has + arguments only".to_owned()),
        Subject::Comparison(ComparisonOperator::Is) => {
            Err("`is` makes new values; put it into a rule of the background and give that a mode".to_owned())
        }
        Subject::Comparison(_) if count(Marker::Output) == 0 && count(Marker::Input) > 0 => Ok(()),
        Subject::Comparison(_) => Err("a comparison has + and # arguments, at least one +".to_owned()),
    }
}
