//! Mode declarations as written, before the target is known.

use gleaner_lang::program::lower::{atom_parts, lower_aggregate};
use gleaner_lang::program::{AggregateOperator, ComparisonOperator, Lifted, PredicateName, aggregate};
use gleaner_lang::syntax::ast::Term;
use gleaner_lang::syntax::{Place, TermKind};

use crate::provisional::Provisional;

/// The side of a clause that a mode is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModeSide {
    Head,
    Body,
    /// A mode without a keyword: it is for heads if its predicate is the target.
    Either,
}

/// `+`, `-` or `#` before a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Input,
    Output,
    Constant,
}

/// The subject of a mode.
pub(super) type Subject = gleaner_lang::program::Subject<PredicateName>;

/// A mode as written.
#[derive(Clone, Debug)]
pub(super) struct RawMode {
    pub(super) side: ModeSide,
    pub(super) subject: Subject,
    pub(super) arguments: Vec<(Marker, String)>,
    pub(super) instantiation_limit: Option<u32>,
    pub(super) place: Place,
}

impl RawMode {
    /// Adds an argument before the others, if the mode is of a relation.
    pub(super) fn add_first_argument(&mut self, marker: Marker, type_name: String) {
        if let Some(name) = self.subject.predicate_mut() {
            name.arity += 1;
            self.arguments.insert(0, (marker, type_name));
        }
    }
}

/// A mode that no file has.
pub(super) fn raw_mode(
    side: ModeSide,
    subject: Subject,
    arguments: Vec<(Marker, String)>,
    instantiation_limit: Option<u32>,
) -> RawMode {
    RawMode { side, subject, arguments, instantiation_limit, place: Place::default() }
}

/// The comparisons of a type with thresholds.
pub(super) fn comparisons(name: &str) -> [RawMode; 2] {
    [ComparisonOperator::GreaterOrEqual, ComparisonOperator::LessOrEqual].map(|operator| {
        let arguments = vec![(Marker::Input, name.to_owned()), (Marker::Constant, name.to_owned())];
        raw_mode(ModeSide::Body, operator.into(), arguments, Some(1))
    })
}

/// Why a mode term was refused, in words.
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
    let lifted = lifted_mode(subject);
    let (subject, arguments) = match &lifted {
        Some(lifted) => {
            let name = PredicateName::new(lifted.name.as_str(), lifted.arguments.len());
            (Subject::Relation(name), lifted.arguments.as_slice())
        }
        None => subject_and_arguments(subject)?,
    };
    // Only a mode without a limit may lack types.
    let is_untyped = limit.is_none();
    let arguments = arguments
        .iter()
        .map(|argument| read_argument(argument, is_untyped))
        .collect::<Result<Vec<_>, Refusal>>()?;
    check_shape(&subject, &arguments)?;
    if lifted.is_some() {
        check_groups(&arguments)?;
    }
    Ok(RawMode { side, subject, arguments, instantiation_limit, place })
}

/// The subject of a mode that is no aggregate, and its arguments.
fn subject_and_arguments<'t, 's>(subject: &'t Term<'s>) -> Result<(Subject, &'t [Term<'s>]), Refusal> {
    let (name, arguments) = atom_parts(subject).ok_or_else(|| format!("`{subject}` is no predicate"))?;
    Ok(match (name, arguments) {
        ("\\+" | "not", [negated]) => {
            let (name, arguments) =
                atom_parts(negated).ok_or_else(|| format!("`{negated}` is no predicate"))?;
            (Subject::Negated(PredicateName::new(name, arguments.len())), arguments)
        }
        (name, arguments) => match ComparisonOperator::from_symbol(name).filter(|_| arguments.len() == 2) {
            Some(operator) => (Subject::Comparison(operator), arguments),
            None => (Subject::Relation(PredicateName::new(name, arguments.len())), arguments),
        },
    })
}

/// The mode of an aggregate, `aggregate_all(Operator, Goal, -Value)`. Its relation is added to `symbols`.
/// `template` is the variable that the operator takes, if it takes one.
pub(super) fn proposed_aggregate(
    (operator, template): (AggregateOperator, Option<Term<'static>>),
    goal: Vec<Term<'static>>,
    value_type: &str,
    symbols: &mut Provisional,
) -> Option<RawMode> {
    let operator = match template {
        Some(template) => Term::compound(operator.symbol(), vec![template]),
        None => Term::atom(operator.symbol()),
    };
    let parts = vec![operator, Term::conjunction(goal)?, marked('-', value_type)];
    let subject = Term::compound(aggregate::NAME, parts);
    let mode = read_mode(ModeSide::Body, None, &subject, Place::default()).ok()?;
    lower_aggregate(&lifted_mode(&subject)?, symbols).ok()?;
    Some(mode)
}

/// A type within a mode.
pub(super) fn marked(sign: char, type_name: &str) -> Term<'static> {
    Term::compound(sign.to_string(), vec![Term::atom(type_name.to_owned())])
}

/// The aggregate that a mode is of: what its goal is marked with are groups.
pub(super) fn lifted_mode(subject: &Term<'_>) -> Option<Lifted> {
    Lifted::with_groups(subject, &is_marked)
}

/// Checks that an aggregate has known groups.
fn check_groups(arguments: &[(Marker, String)]) -> Result<(), Refusal> {
    let groups = arguments.split_last().map_or(&[][..], |(_, groups)| groups);
    if groups.iter().any(|(marker, _)| *marker == Marker::Output) {
        return Err(
            "within an aggregate a mode has + and # arguments; its variables stand for all values".to_owned()
        );
    }
    if !groups.iter().any(|(marker, _)| *marker == Marker::Input) {
        return Err("an aggregate has at least one + argument in its goal".to_owned());
    }
    Ok(())
}

/// Whether a term of an aggregate's goal is an argument of the mode, as `+person`.
fn is_marked(term: &Term<'_>) -> bool {
    let is_type = |inner: &Term<'_>| matches!(inner.kind, TermKind::Atom(_) | TermKind::Compound(..));
    matches!(&term.kind, TermKind::Compound(sign, inner)
        if matches!(&**sign, "+" | "-" | "#") && inner.len() == 1 && is_type(&inner[0]))
}

/// The type of an argument without a declared type.
pub(super) const ANY_TYPE: &str = "any";

fn read_argument(argument: &Term<'_>, is_untyped: bool) -> Result<(Marker, String), Refusal> {
    let refusal = || format!("`{argument}` is no argument of a mode");
    let (sign, inner) = match &argument.kind {
        TermKind::Compound(sign, inner) => (sign, inner.as_slice()),
        // Golem's markers have no type.
        TermKind::Atom(sign) => (sign, [].as_slice()),
        _ => return Err(refusal()),
    };
    let marker = match &**sign {
        "+" => Marker::Input,
        "-" => Marker::Output,
        "#" => Marker::Constant,
        _ => return Err(refusal()),
    };
    match inner {
        [] if is_untyped => Ok((marker, ANY_TYPE.to_owned())),
        [type_name] => Ok((marker, type_name.to_string())),
        _ => Err(refusal()),
    }
}

fn check_shape(subject: &Subject, arguments: &[(Marker, String)]) -> Result<(), Refusal> {
    let count = |marker| arguments.iter().filter(|(known, _)| *known == marker).count();
    match subject {
        Subject::Relation(_) => Ok(()),
        Subject::Negated(_) if count(Marker::Input) > 0 || arguments.is_empty() => Ok(()),
        Subject::Negated(_) => Err("a negated literal has at least one + argument".to_owned()),
        Subject::Comparison(ComparisonOperator::Is) => {
            Err("`is` makes new values; use it in a background rule, and give that rule's predicate a \
                 mode"
                .to_owned())
        }
        Subject::Comparison(_) if count(Marker::Output) == 0 && count(Marker::Input) > 0 => Ok(()),
        Subject::Comparison(_) => Err("a comparison has + and # arguments, at least one +".to_owned()),
        Subject::Aggregate(_) => Err("an aggregate stands in rules of the background only".to_owned()),
    }
}

/// The predicate that a term `name/arity` names.
pub(crate) fn name_and_arity(term: &Term<'_>) -> Option<PredicateName> {
    match &term.kind {
        TermKind::Compound(slash, sides) if slash == "/" => {
            match (&sides[0].kind, sides.get(1).map(|side| &side.kind)) {
                (TermKind::Atom(name), Some(TermKind::Integer(arity))) => {
                    Some(PredicateName::new(name.as_ref(), usize::try_from(*arity).ok()?))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A term as a setting's name or value: atoms and strings without quotes.
pub(crate) fn plain_text(term: &Term<'_>) -> String {
    match &term.kind {
        TermKind::Atom(text) | TermKind::Text(text) => text.to_string(),
        // `min-pos` reads as a difference, `recall=0.5` as an equation.
        _ => term.to_string().replace(' ', ""),
    }
}
