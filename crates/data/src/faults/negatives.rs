//! Messages about negatives that are made or sampled.

use crate::request::{Negatives, SetNegatives};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::plural;

/// The warning about negatives that loading made or sampled.
pub fn took_negatives(n_taken: u64, population: u64, of: &str) -> Diagnostic {
    let taken = plural(n_taken, "negative");
    Diagnostic::warning(codes::NEGATIVES_MADE, format!("gleaner takes {n_taken} {taken} of the {population} {of}"))
        .with_help(if n_taken == population {
            "tuples that are not listed as positive count as negative"
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
        format!("{n_wanted} negatives are too many: the limit is {most}"),
    )
    .with_help(
        "sample them: --negatives ratio:100 --negatives-test ratio:100 takes 100 for each positive; samples are \
         weighted",
    )
}

/// The warning about negatives that each set of a run draws.
pub(crate) fn sets_draw_negatives(of_sets: SetNegatives, is_scoring: bool) -> Option<Diagnostic> {
    let drawn = |wanted: Negatives| match wanted {
        Negatives::All => "all negatives".to_owned(),
        Negatives::Number(n) => format!("a sample of {n} negatives"),
        Negatives::Ratio(ratio) => format!("a sample of {ratio} negatives for each positive"),
    };
    let (train, test) = (drawn(of_sets.train), drawn(of_sets.test));
    let message = match of_sets {
        SetNegatives { train: Negatives::All, test: Negatives::All, .. } => return None,
        SetNegatives { test: Negatives::All, .. } if is_scoring => return None,
        _ if is_scoring => format!("the scored data have {test}"),
        _ => format!("in each run, train has {train}; tune and test each have {test}"),
    };
    Some(Diagnostic::warning(codes::NEGATIVES_MADE, message).with_help(
        "--negatives sets train, --negatives-test sets tune, test and scored data; equal values draw one sample for \
         all",
    ))
}
