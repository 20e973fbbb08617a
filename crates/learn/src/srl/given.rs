//! Clauses that are given in place of a search.

use crate::{Covers, RunContext, SetStores};
use gleaner_base::Counts;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::config::SrlConfig;
use super::found::{FeatureClause, Searches};

/// The given clauses as features. Each speaks for the class of which it covers the larger share on train; if the shares
/// are equal, for positives.
///
/// **Cost**: their covers on train.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn given_features(
    clauses: &[Clause],
    config: &SrlConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> Result<Vec<FeatureClause>, Interrupted> {
    let covers = Covers::sharing(stores.train);
    let train = covers.universe();
    let totals = train.totals();
    let gathering = &config.gathering;
    let mut features = Vec::with_capacity(clauses.len());
    covers.visit(&clauses.iter().collect::<Vec<_>>(), context.budget, |first, block| {
        for (clause, cover) in clauses[first..].iter().zip(block) {
            let counts = train.counts(cover);
            let Counts { true_positives, false_positives } = counts;
            let is_for_positive = true_positives * totals.n_negatives >= false_positives * totals.n_positives;
            let (of_class, of_totals, first_bin) = if is_for_positive {
                (counts, totals, 0)
            } else {
                (counts.exchanged(), totals.exchanged(), gathering.n_bins)
            };
            let bin = gathering.partition.bin(of_class, of_totals, gathering.n_bins).unwrap_or(1) - 1;
            features.push(FeatureClause {
                clause: clause.clone(),
                train: counts,
                is_from_positive: is_for_positive,
                bin: first_bin + bin,
                found_by: Searches::ALL,
            });
        }
    })?;
    features.sort_by(|one, other| (one.bin, &one.clause).cmp(&(other.bin, &other.clause)));
    Ok(features)
}
