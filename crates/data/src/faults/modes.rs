//! Messages about modes and determinations.

use gleaner_lang::program::{ComparisonOperator, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::meant_or;

pub(crate) fn no_head_mode(target: &PredicateName) -> Diagnostic {
    let arguments = vec!["+type"; target.arity].join(", ");
    Diagnostic::error(codes::NO_MODES, format!("no mode declares the head {target}"))
        .with_help(format!("add `:- modeh(1, {}({arguments})).` to the modes", target.name))
}

pub(crate) fn no_body_modes(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::NO_MODES, format!("no mode declares a body literal for {target}"))
        .with_help("add `:- modeb(*, p(+type, -type)).` for each predicate p that bodies may use")
}

pub(crate) fn empty_predicate(
    place: Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    Diagnostic::error(codes::EMPTY_PREDICATE, format!("{predicate} is in a mode but has no facts or rules"))
        .at(place, "no clause with this mode can cover an example")
        .with_help(meant_or(nearest, "add facts or rules for it, or remove the mode"))
}

pub(crate) fn determination_without_mode(place: Place, predicate: &PredicateName) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_DECLARATION, format!("{predicate} has a determination but no mode"))
        .at(place, "has no effect")
        .with_help(format!("add `:- modeb(*, {}(...)).`", predicate.name))
}

/// A determination of a predicate without facts and rules.
pub(crate) fn empty_determination(
    place: Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    Diagnostic::warning(
        codes::EMPTY_PREDICATE,
        format!("{predicate} is in a determination but has no facts or rules"),
    )
    .at(place, "has no effect")
    .with_help(meant_or(nearest, "add facts or rules and a mode for it, or remove the determination"))
}

pub(crate) fn mode_without_determination(
    place: Place,
    predicate: &str,
    target: &PredicateName,
) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_DECLARATION, format!("{predicate} has a mode but no determination"))
        .at(place, "not used, because other predicates have determinations")
        .with_help(format!("add `:- determination({target}, {predicate}).`"))
}

pub(crate) fn unreachable_mode(place: Place, type_name: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::warning(codes::UNREACHABLE_MODE, format!("nothing gives a value of type {type_name}"))
            .at(place, "this mode can never be called");
    let given =
        format!("give the head an argument of type {type_name}, or a usable mode an output -{type_name}");
    diagnostic.with_help(match nearest {
        Some(nearest) => format!("{given}; did you mean {nearest}?"),
        None => given,
    })
}

pub(crate) fn read_as_comparison(
    place: Place,
    name: &PredicateName,
    operator: ComparisonOperator,
) -> Diagnostic {
    let symbol = operator.symbol();
    let help = match operator {
        ComparisonOperator::Unify | ComparisonOperator::NotUnify => {
            format!("its modes and literals are read as those of `{symbol}`")
        }
        _ => format!("its mode means `+type {symbol} #type`; the thresholds come from the data"),
    };
    Diagnostic::warning(codes::READ_AS_COMPARISON, format!("{name} is read as the comparison {symbol}"))
        .at(place, "it only compares")
        .with_help(help)
}
