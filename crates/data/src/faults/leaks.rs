//! Messages about single literals and arguments that separate the classes.

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::placed;

/// The most values that a message lists.
const MOST_LISTED: usize = 3;

/// A few values of an argument belong to one class only. The numbers count that class's examples with these values, all
/// its examples, and those of the other class.
pub(crate) fn separating_argument(
    target: &PredicateName,
    argument: usize,
    values: &[&str],
    [n_with, n_class, n_other]: [usize; 3],
    is_positive: bool,
) -> Diagnostic {
    let mut listed = values[..values.len().min(MOST_LISTED)].join(", ");
    if values.len() > MOST_LISTED {
        listed.push_str(", ...");
    }
    let classes = if is_positive { ["positives", "negatives"] } else { ["negatives", "positives"] };
    let what = format!(
        "argument {argument} of {target} alone tells the classes apart: {n_with} of {n_class} {} and 0 of {n_other} {} \
         have {listed}",
        classes[0], classes[1]
    );
    Diagnostic::warning(codes::SEPARATING_LITERAL, what)
        .with_help("if it was computed from the class, write the examples without it")
}

/// One literal covers nearly all positives and no negative. The numbers count the positives that it covers, all
/// positives, and all negatives.
pub(crate) fn separating_literal(
    literal: &str,
    [n_covered, n_positives, n_negatives]: [usize; 3],
    predicate: &PredicateName,
    place: Option<Place>,
) -> Diagnostic {
    let what = format!(
        "the literal {literal} alone tells the classes apart: it covers {n_covered} of {n_positives} positives and 0 of \
         {n_negatives} negatives"
    );
    let warning = Diagnostic::warning(codes::SEPARATING_LITERAL, what);
    placed(warning, place, "its mode").with_help(format!(
        "if {predicate} was computed from the class, drop its mode; if not, this literal is a full answer"
    ))
}
