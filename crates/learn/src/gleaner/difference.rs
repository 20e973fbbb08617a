//! Clauses of a bin that differ enough from those taken before them. [DIRECTED §5]

use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::gather::KeptClause;
use crate::Covers;

/// The clauses of one bin that differ enough. They are looked at in the order of the seeds, and of each seed in the order in
/// which it kept them. A clause is taken if it differs on train by at least `least` from all that were taken before it. `least`
/// is above 0, so of clauses with one cover only the first is taken.
///
/// Clauses differ by the Jaccard distance of their covers, `1 - |A ∩ B| / |A ∪ B|`, from 0 to 1, where negatives count for
/// those that they stand for.
///
/// DIVERGENCE: the paper names the idea without details. Each seed searches alone there and here, so clauses are compared
/// when the seeds' clauses are united; a seed whose best clause is not taken has no other clause in its place.
///
/// **Cost**: the cover of each clause, and a comparison with each that is taken. The covers of these are held.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn different_clauses<'g>(
    kept: &[&'g KeptClause],
    least: f64,
    train: &Covers<'_>,
    budget: &Budget,
) -> Result<Vec<&'g KeptClause>, Interrupted> {
    let clauses: Vec<&Clause> = kept.iter().map(|kept| &kept.clause).collect();
    let universe = train.universe();
    let size = |set: &ExampleSet| universe.counts(set).weighted(universe.negative_weight()).sum();
    let (mut taken, mut covers_taken) = (Vec::new(), Vec::new());
    train.visit(&clauses, budget, |first, covers| {
        for (&kept, cover) in kept[first..].iter().zip(covers) {
            if take(cover, &mut covers_taken, least, &size) {
                taken.push(kept);
            }
        }
    })?;
    Ok(taken)
}

/// Takes a cover if it differs enough from all that are taken.
fn take(
    cover: &ExampleSet,
    taken: &mut Vec<ExampleSet>,
    least: f64,
    size: &dyn Fn(&ExampleSet) -> f64,
) -> bool {
    let differs = taken.iter().all(|other| difference(other, cover, size) >= least);
    if differs {
        taken.push(cover.clone());
    }
    differs
}

/// The Jaccard distance of two sets of this size; 0 where both are empty.
fn difference(left: &ExampleSet, right: &ExampleSet, size: &dyn Fn(&ExampleSet) -> f64) -> f64 {
    let mut common = left.clone();
    common.intersect_with(right);
    let both = size(&common);
    let either = size(left) + size(right) - both;
    if either > 0.0 { (either - both) / either } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{difference, take};
    use gleaner_base::ExampleSet;

    fn set(positions: &[usize]) -> ExampleSet {
        ExampleSet::from_positions(70, positions.iter().copied())
    }

    /// Each position from 64 on counts for three, as a negative may.
    fn size(set: &ExampleSet) -> f64 {
        set.iter().map(|position| if position < 64 { 1.0 } else { 3.0 }).sum()
    }

    #[test]
    fn distances_are_shares_of_the_union() {
        // 3 of 5 are common; of 1 + 1 + 3 a negative of three.
        assert!((difference(&set(&[1, 2, 3, 4]), &set(&[1, 2, 3, 5]), &size) - 0.4).abs() < 1e-12);
        assert!((difference(&set(&[1, 64]), &set(&[2, 64]), &size) - 0.4).abs() < 1e-12);
        let ends = [(&set(&[1]), &set(&[65]), 1.0), (&set(&[1, 69]), &set(&[1, 69]), 0.0)];
        for (left, right, expected) in ends {
            assert!((difference(left, right, &size) - expected).abs() < 1e-12);
        }
        assert!(difference(&set(&[]), &set(&[]), &size).abs() < 1e-12);
    }

    #[test]
    fn a_cover_is_compared_with_all_that_are_taken() {
        // The second is .4 from the first; the third has 2 of 6 in common with either; the last is the first again.
        let covers = [set(&[1, 2, 3, 4]), set(&[1, 2, 3, 5]), set(&[1, 2, 6, 7]), set(&[1, 2, 3, 4])];
        let taken = |least: f64| {
            let mut taken = Vec::new();
            covers.iter().map(|cover| take(cover, &mut taken, least, &size)).collect::<Vec<_>>()
        };
        assert_eq!(taken(0.01), [true, true, true, false]);
        assert_eq!(taken(0.4), [true, true, true, false]);
        assert_eq!(taken(0.41), [true, false, true, false]);
        assert_eq!(taken(0.7), [true, false, false, false]);
    }
}
