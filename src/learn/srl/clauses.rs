//! The clauses that become features.

use crate::base::Counts;
use crate::learn::gleaner::theory::Theory;
use crate::learn::gleaner::{GatheredPart, Gathering};
use crate::program::Clause;

use super::search::SrlFound;

/// A clause that may become a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureClause {
    /// The clause, canonical.
    pub clause: Clause,
    /// What it covers on train.
    pub train: Counts,
    /// Which class its seeds were of.
    pub is_from_positive: bool,
    /// Its bin, from 0; those of negatives follow those of positives.
    pub bin: usize,
}

/// The clauses of a part, bin by bin; within a bin those of one train coverage once, in canonical order. Those that were given
/// are there whole.
#[must_use]
pub fn feature_clauses(found: &SrlFound, part: GatheredPart, n_bins: usize) -> Vec<FeatureClause> {
    if let Some(given) = &found.given {
        return given.clone();
    }
    let mut clauses = of_bins(&found.from_positives, part, n_bins, true);
    if let Some((gathering, part)) = found.part_from_negatives(part) {
        clauses.extend(of_bins(gathering, part, n_bins, false));
    }
    clauses
}

fn of_bins(
    gathering: &Gathering,
    part: GatheredPart,
    n_bins: usize,
    is_from_positive: bool,
) -> Vec<FeatureClause> {
    let first_bin = if is_from_positive { 0 } else { n_bins };
    let of_bin = |bin: usize| {
        let theory = Theory::of_bins(gathering, part, bin..bin + 1);
        theory.clauses.into_iter().map(move |member| FeatureClause {
            clause: member.clause,
            train: if is_from_positive { member.counts } else { member.counts.exchanged() },
            is_from_positive,
            bin: first_bin + bin,
        })
    };
    (0..n_bins).flat_map(of_bin).collect()
}
