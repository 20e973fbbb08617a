//! Messages about negatives that are made or sampled.

use crate::request::{Negatives, SetNegatives};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::plural;

/// The warning about negatives that loading made or sampled.
pub fn took_negatives(n_taken: u64, population: u64, of: &str) -> Diagnostic {
    let taken = plural(n_taken, "negative");
    Diagnostic::warning(codes::NEGATIVES_MADE, format!("{n_taken} {taken} of the {population} {of}"))
        .with_help(if n_taken == population {
            "what is not listed as positive is taken for false"
        } else {
            "sampled negatives are weighted, so that precision, areas and prevalence estimate the whole population"
        })
}

pub(crate) fn no_typed_tuples(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::NEGATIVES_MADE,
        format!("every tuple of the types of {target} is a positive example"),
    )
    .with_help("list the negative examples: the data have no other constants of these types")
}

pub(crate) fn too_many_negatives(n_wanted: u64, most: u64) -> Diagnostic {
    Diagnostic::error(
        codes::NEGATIVES_MADE,
        format!("{n_wanted} negatives are more than the {most} that are taken"),
    )
    .with_help(
        "take samples, as --negatives ratio:100 --negatives-test ratio:100 for a hundred of each positive in train, and \
         in tune and test; they are weighted",
    )
}

/// The warning about negatives that each set of a run draws.
pub(crate) fn sets_draw_negatives(of_sets: SetNegatives, is_scoring: bool) -> Option<Diagnostic> {
    let drawn = |wanted: Negatives| match wanted {
        Negatives::All => "all of its negatives".to_owned(),
        Negatives::Number(n) => format!("a sample of {n} of its negatives"),
        Negatives::Ratio(ratio) => format!("a sample of its negatives, {ratio} for each positive"),
    };
    let (train, test) = (drawn(of_sets.train), drawn(of_sets.test));
    let message = match of_sets {
        SetNegatives { train: Negatives::All, test: Negatives::All, .. } => return None,
        SetNegatives { test: Negatives::All, .. } if is_scoring => return None,
        _ if is_scoring => format!("what is scored has {test}"),
        _ => format!("in each run train has {train}; tune and test have each {test}"),
    };
    Some(Diagnostic::warning(codes::NEGATIVES_MADE, message).with_help(
        "--negatives is of train, --negatives-test of tune, of test and of what is scored; with the same value for both \
         one sample is drawn for all sets",
    ))
}
