//! Messages about Popper's bias.

use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::counted;

/// The most modes that a message lists.
const MOST_LISTED: usize = 5;

/// Modes of predicates without directions are left out, each with the mean answers of its calls.
pub(crate) fn chosen_directions(
    place: Place,
    n_predicates: usize,
    left_out: Vec<(String, f64)>,
) -> Diagnostic {
    let n_more = left_out.len().saturating_sub(MOST_LISTED);
    let n_left_out = left_out.len();
    let mut listed: Vec<String> = left_out
        .into_iter()
        .take(MOST_LISTED)
        .map(|(direction, n_answers)| format!("{direction} has {n_answers:.0} answers on average"))
        .collect();
    if n_more > 0 {
        listed.push(format!("and {n_more} more"));
    }
    let what = format!(
        "the bias gives no directions for {}: gleaner leaves out {}, whose calls have many answers",
        counted(n_predicates, "predicate"),
        counted(n_left_out, "mode")
    );
    Diagnostic::warning(codes::CHOSEN_DIRECTIONS, what)
        .at(place, "the first without directions")
        .with_help(listed.join("; "))
        .with_help("to choose others, declare `direction(name,(in,out)).` or `any_direction(name,arity).` in the bias, or give modes by --modes")
}

/// The bias asks for clauses that call the target.
pub(crate) fn no_recursion(place: Place) -> Diagnostic {
    Diagnostic::warning(
        codes::UNUSED_SETTING,
        "enable_recursion has no effect: learnt clauses do not call the target",
    )
    .at(place, "asked for here")
    .with_help(
        "background rules may be recursive: define a recursive predicate there, and give it a body_pred",
    )
}
