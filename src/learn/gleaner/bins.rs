//! Recall bins: the best clauses of each, for one seed.

use std::cmp::Ordering;

use crate::base::NegativeWeight;
use crate::bias::Candidate;
use crate::coverage::Counts;
use crate::search::{Evaluated, Observer};

use super::config::Keep;

/// The bin, from 1 to `n_bins`, whose interval `((b-1)/B, b/B]` holds the recall `tp / p`; `None` for
/// recall 0. Exact: integers only.
#[must_use]
pub const fn recall_bin(true_positives: usize, n_positives: usize, n_bins: usize) -> Option<usize> {
    if true_positives == 0 || n_positives == 0 {
        return None;
    }
    Some((true_positives * n_bins).div_ceil(n_positives))
}

/// A clause that is the best of its bin so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Which literals of the bottom clause.
    pub candidate: Candidate,
    /// Its counts on train.
    pub counts: Counts,
}

impl Best {
    /// Better is greater: precision × recall, then recall, then shorter, then canonically first.
    fn rank(&self, other: &Self, weight: NegativeWeight) -> Ordering {
        compare_precision_recall(self.counts, other.counts, weight)
            .then(self.counts.true_positives.cmp(&other.counts.true_positives))
            .then_with(|| other.candidate.n_literals().cmp(&self.candidate.n_literals()))
            .then_with(|| other.candidate.cmp(&self.candidate))
    }
}

/// The order of precision × recall over the same positives, by exact products.
fn compare_precision_recall(left: Counts, right: Counts, weight: NegativeWeight) -> Ordering {
    let square = |counts: Counts| (counts.true_positives as u128).pow(2);
    let covered = |counts: Counts| weight.covered(counts.true_positives, counts.false_positives);
    (square(left) * covered(right)).cmp(&(square(right) * covered(left)))
}

/// The clauses kept for each bin, at most one of each start that counts; position `b - 1` is bin `b`.
pub type Bins = Vec<Vec<Best>>;

/// Keeps the best clause of each bin, of the whole search or of each restart, and notes the bins at
/// checkpoints.
#[derive(Debug)]
pub struct BinKeeper {
    keep: Keep,
    n_positives: usize,
    negative_weight: NegativeWeight,
    /// What ended restarts kept.
    kept: Bins,
    /// The best since the last start that counts.
    bests: Vec<Option<Best>>,
    start: u64,
    checkpoints: Vec<u64>,
    snapshots: Vec<Bins>,
}

impl BinKeeper {
    /// Empty bins; they are noted after each number of evaluated clauses in `checkpoints`, ascending.
    #[must_use]
    pub fn new(
        keep: Keep,
        n_bins: usize,
        (n_positives, negative_weight): (usize, NegativeWeight),
        checkpoints: Vec<u64>,
    ) -> Self {
        Self {
            keep,
            n_positives,
            negative_weight,
            kept: vec![Vec::new(); n_bins],
            bests: vec![None; n_bins],
            start: 0,
            checkpoints,
            snapshots: Vec::new(),
        }
    }

    /// Keeps the best of each bin, and begins anew.
    fn keep_bests(&mut self) {
        for (kept, best) in self.kept.iter_mut().zip(&mut self.bests) {
            kept.extend(best.take());
        }
    }

    /// The bins as they are now.
    fn bins(&self) -> Bins {
        let with_best =
            |(kept, best): (&Vec<Best>, &Option<Best>)| kept.iter().chain(best).cloned().collect();
        self.kept.iter().zip(&self.bests).map(with_best).collect()
    }

    /// The bins at each checkpoint; those not reached hold what the search ended with.
    #[must_use]
    pub fn finish(mut self) -> Vec<Bins> {
        self.keep_bests();
        self.snapshots.resize(self.checkpoints.len(), self.kept);
        self.snapshots
    }
}

impl Observer for BinKeeper {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        while self.checkpoints.get(self.snapshots.len()).is_some_and(|&at| evaluated.n_evaluated > at) {
            self.snapshots.push(self.bins());
        }
        if self.keep == Keep::BestPerRestart && evaluated.start != self.start {
            self.keep_bests();
            self.start = evaluated.start;
        }
        let n_bins = self.bests.len();
        let Some(bin) = recall_bin(evaluated.counts.true_positives, self.n_positives, n_bins) else {
            return false;
        };
        let slot = &mut self.bests[bin - 1];
        let weight = self.negative_weight;
        let is_worse = |best: &Best| compare_precision_recall(evaluated.counts, best.counts, weight).is_lt();
        if slot.as_ref().is_some_and(is_worse) {
            return false;
        }
        let challenger = Best { candidate: evaluated.candidate.clone(), counts: evaluated.counts };
        let is_best = slot.as_ref().is_none_or(|best| challenger.rank(best, weight).is_gt());
        if is_best {
            *slot = Some(challenger);
        }
        is_best
    }
}

#[cfg(test)]
mod tests {
    use super::{BinKeeper, recall_bin};
    use crate::base::NegativeWeight;
    use crate::bias::Candidate;
    use crate::coverage::Counts;
    use crate::learn::gleaner::config::Keep;
    use crate::search::{Evaluated, Observer};

    #[test]
    fn bins_are_open_below_and_closed_above() {
        // P = 40, B = 20: two positives a bin.
        assert_eq!(recall_bin(0, 40, 20), None);
        assert_eq!(recall_bin(1, 40, 20), Some(1));
        assert_eq!(recall_bin(2, 40, 20), Some(1));
        assert_eq!(recall_bin(3, 40, 20), Some(2));
        assert_eq!(recall_bin(40, 40, 20), Some(20));
        // P = 3, B = 20: recalls 1/3, 2/3, 1 lie in (6/20, 7/20], (13/20, 14/20], (19/20, 1].
        assert_eq!([1, 2, 3].map(|tp| recall_bin(tp, 3, 20)), [Some(7), Some(14), Some(20)]);
    }

    /// Two evaluations a start.
    fn observe(keeper: &mut BinKeeper, position: u16, tp: usize, fp: usize, n_evaluated: u64) {
        let candidate = Candidate::new(vec![position]);
        let counts = Counts { true_positives: tp, false_positives: fp };
        keeper.observe(&Evaluated {
            candidate: &candidate,
            counts,
            score: None,
            n_evaluated,
            start: n_evaluated.div_ceil(2),
        });
    }

    /// The literal of each clause that the one bin holds.
    fn kept(snapshots: &[super::Bins]) -> Vec<Vec<u16>> {
        let literal = |best: &super::Best| best.candidate.positions()[0];
        snapshots.iter().map(|bins| bins[0].iter().map(literal).collect()).collect()
    }

    #[test]
    fn the_best_by_precision_times_recall_stays() {
        let mut keeper = BinKeeper::new(Keep::Best, 1, (10, NegativeWeight::ONE), vec![2, 9]);
        observe(&mut keeper, 5, 4, 4, 1);
        observe(&mut keeper, 4, 4, 4, 2);
        // 3·3/3 = 3 beats 4·4/8 = 2.
        observe(&mut keeper, 6, 3, 0, 3);
        assert_eq!(kept(&keeper.finish()), [[4], [6]]);
    }

    #[test]
    fn each_restart_keeps_its_best() {
        let mut keeper = BinKeeper::new(Keep::BestPerRestart, 1, (10, NegativeWeight::ONE), vec![1, 3, 9]);
        observe(&mut keeper, 5, 4, 4, 1);
        // 4·4/5 beats 4·4/8.
        observe(&mut keeper, 4, 4, 1, 2);
        // Worse than the first restart's best, and the second's only one.
        observe(&mut keeper, 6, 2, 5, 3);
        observe(&mut keeper, 7, 1, 5, 4);
        assert_eq!(kept(&keeper.finish()), [vec![5], vec![4, 6], vec![4, 6]]);
    }
}
