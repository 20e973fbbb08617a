//! The messages of data that are to be scored.

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::are;

/// Data to be scored hold nothing of the model's target.
pub(crate) fn nothing_to_score(target: &impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(codes::NO_EXAMPLES, format!("the data have no examples of {target} to score"))
        .with_help("list them with the data, or in a file of `--examples-file`; they need no labels")
}

/// An atom to score is not of the model's target.
pub(crate) fn asked_of_other(place: Place, name: &PredicateName, target: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::WRONG_TARGET,
        format!("the model's target is {target}, but this atom is of {name}"),
    )
    .at(place, "here")
    .with_help("a file of examples holds ground atoms of the model's target, one in each line")
}

/// An atom to score is not ground: often a name from a layout whose constants may begin with a capital.
pub(crate) fn asked_with_variable(place: Place, name: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXAMPLE, "this is no example")
        .at(place, format!("{name} is a variable here"))
        .with_help(format!("a name that begins with a capital letter needs quotes: '{name}'"))
        .with_help("an example is a ground atom, as `target(a, b)`")
}

/// An atom that is not listed has constants of folds that share no facts.
pub(crate) fn asked_of_no_fold(place: Place) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_EXAMPLE, "no fold's facts have all constants of this atom")
        .at(place, "its constants belong to several folds")
        .with_help("list it with the data, in the fold whose facts shall decide it")
}

/// An atom that is not listed could be proved from the facts of several folds.
pub(crate) fn asked_of_several_folds(place: Place, n_folds: usize) -> Diagnostic {
    let message = format!("{n_folds} folds' facts would give this atom {n_folds} scores");
    Diagnostic::error(codes::UNKNOWN_EXAMPLE, message)
        .at(place, "each of these folds has its constants")
        .with_help("list it with the data, in the fold whose facts shall decide it")
}

/// The data to be scored list examples of one class only.
pub(crate) fn scored_without_classes(missing: &str, target: &PredicateName, n_examples: usize) -> Diagnostic {
    Diagnostic::warning(codes::NO_EXAMPLES, format!("there are no {missing} examples of {target}"))
        .with_help(format!("{} scored without labels", are(n_examples, "listed example")))
}
