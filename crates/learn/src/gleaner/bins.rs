//! Recall bins: the best clauses of each, for one seed.

use std::cmp::Ordering;

use gleaner_base::{Counts, NegativeWeight, Totals};
use gleaner_engine::bias::Candidate;
use gleaner_engine::search::{Evaluated, Observer};

use super::config::{Keep, Partition};

/// The bin, from 1 to `n_bins`, whose interval `((b-1)/B, b/B]` holds the recall `tp / p`; `None` for
/// recall 0. Exact: integers only.
const fn recall_bin(true_positives: usize, n_positives: usize, n_bins: usize) -> Option<usize> {
    if true_positives == 0 || n_positives == 0 {
        return None;
    }
    Some((true_positives * n_bins).div_ceil(n_positives))
}

impl Partition {
    /// The bin, from 1 to `n_bins`, of a clause with these counts; `None` without true positives. Exact.
    ///
    /// A false positive rate of 0 is in the first bin, else the intervals are open below.
    pub const fn bin(self, counts: Counts, totals: Totals, n_bins: usize) -> Option<usize> {
        match self {
            Self::Recall => recall_bin(counts.true_positives, totals.n_positives, n_bins),
            Self::Roc if counts.true_positives == 0 || totals.n_positives == 0 => None,
            Self::Roc if counts.false_positives == 0 => Some(1),
            Self::Roc => Some((counts.false_positives * n_bins).div_ceil(totals.n_negatives)),
        }
    }

    /// The order of two clauses of one bin; better is greater. Exact.
    pub fn compare(self, left: Counts, right: Counts, weight: NegativeWeight) -> Ordering {
        let by_recall = left.true_positives.cmp(&right.true_positives);
        match self {
            Self::Recall => compare_precision_recall(left, right, weight).then(by_recall),
            Self::Roc => by_recall.then(right.false_positives.cmp(&left.false_positives)),
        }
    }
}

/// A clause that is among the best of its bin so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The literals of the bottom clause that it has.
    pub candidate: Candidate,
    /// Its counts on train.
    pub counts: Counts,
}

/// The order of precision × recall over the same positives, by exact products.
fn compare_precision_recall(left: Counts, right: Counts, weight: NegativeWeight) -> Ordering {
    let square = |counts: Counts| (counts.true_positives as u128).pow(2);
    let covered = |counts: Counts| counts.in_parts(weight);
    (square(left) * covered(right)).cmp(&(square(right) * covered(left)))
}

/// The clauses kept for each bin, at most one of each start that counts; position `b - 1` is bin `b`.
pub type Bins = Vec<Vec<Best>>;

/// How bins divide, and which clauses they keep.
#[derive(Clone, Copy, Debug)]
pub struct BinRule {
    /// The measure that they divide.
    pub partition: Partition,
    /// Their number.
    pub n_bins: usize,
    /// The clauses that they keep.
    pub keep: Keep,
    /// How many examples the train set holds.
    pub totals: Totals,
}

/// Keeps the best clauses of each bin, of the whole search or of each restart, and notes the bins at
/// checkpoints.
#[derive(Debug)]
pub struct BinKeeper {
    rule: BinRule,
    /// The clauses that ended restarts kept.
    kept: Bins,
    /// The best since the last start that counts, best first.
    bests: Bins,
    start: u64,
    checkpoints: Vec<u64>,
    snapshots: Vec<Bins>,
}

impl BinKeeper {
    /// Empty bins; they are noted after each number of evaluated clauses in `checkpoints`, ascending.
    pub fn new(rule: BinRule, checkpoints: Vec<u64>) -> Self {
        let empty = vec![Vec::new(); rule.n_bins];
        Self { rule, kept: empty.clone(), bests: empty, start: 0, checkpoints, snapshots: Vec::new() }
    }

    /// Keeps the best of each bin, and begins anew.
    fn keep_bests(&mut self) {
        for (kept, bests) in self.kept.iter_mut().zip(&mut self.bests) {
            kept.append(bests);
        }
    }

    /// The bins as they are now.
    fn bins(&self) -> Bins {
        let with_bests =
            |(kept, bests): (&Vec<Best>, &Vec<Best>)| kept.iter().chain(bests).cloned().collect();
        self.kept.iter().zip(&self.bests).map(with_bests).collect()
    }

    /// The bins at each checkpoint; a checkpoint that was not reached holds the bins at the end of the search.
    pub fn finish(mut self) -> Vec<Bins> {
        self.keep_bests();
        self.snapshots.resize(self.checkpoints.len(), self.kept);
        self.snapshots
    }

    /// Ranks a candidate with its counts against a known clause; ties go to the shorter, then the canonically first.
    fn rank(&self, candidate: &Candidate, counts: Counts, known: &Best) -> Ordering {
        self.rule
            .partition
            .compare(counts, known.counts, self.rule.totals.negative_weight)
            .then_with(|| known.candidate.n_literals().cmp(&candidate.n_literals()))
            .then_with(|| known.candidate.cmp(candidate))
    }
}

impl Observer for BinKeeper {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        while self.checkpoints.get(self.snapshots.len()).is_some_and(|&at| evaluated.n_evaluated > at) {
            self.snapshots.push(self.bins());
        }
        let BinRule { partition, n_bins, keep, totals, .. } = self.rule;
        if keep == Keep::BestPerRestart && evaluated.start != self.start {
            self.keep_bests();
            self.start = evaluated.start;
        }
        let Some(bin) = partition.bin(evaluated.counts, totals, n_bins) else { return false };
        let n_wanted = if let Keep::BestFew(n_wanted) = keep { n_wanted } else { 1 };
        let slots = &self.bests[bin - 1];
        let at =
            slots.partition_point(|known| self.rank(evaluated.candidate, evaluated.counts, known).is_le());
        if at == n_wanted || at > 0 && slots[at - 1].counts == evaluated.counts {
            return false;
        }
        let slots = &mut self.bests[bin - 1];
        slots.insert(at, Best { candidate: evaluated.candidate.clone(), counts: evaluated.counts });
        if slots.get(at + 1).is_some_and(|next| next.counts == evaluated.counts) {
            slots.remove(at + 1);
        }
        slots.truncate(n_wanted);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{BinKeeper, BinRule, recall_bin};
    use crate::gleaner::config::{Keep, Partition};
    use gleaner_base::{Counts, NegativeWeight, Totals};
    use gleaner_engine::bias::Candidate;
    use gleaner_engine::search::{Evaluated, Observer};

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

    const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 20, negative_weight: NegativeWeight::ONE };

    /// One bin over 10 positives and 20 negatives.
    fn rule(partition: Partition, keep: Keep) -> BinRule {
        BinRule { partition, n_bins: 1, keep, totals: TOTALS }
    }

    #[test]
    fn the_few_best_stay_in_order_and_no_two_of_equal_counts() {
        let mut keeper = BinKeeper::new(rule(Partition::Recall, Keep::BestFew(2)), vec![9]);
        // 4·4/8 = 2, then 3·3/3 = 3, the same again, 5·5/10 = 2.5, and 1·1/1 = 1.
        observe(&mut keeper, 5, 4, 4, 1);
        observe(&mut keeper, 6, 3, 0, 2);
        observe(&mut keeper, 3, 3, 0, 3);
        observe(&mut keeper, 7, 5, 5, 4);
        observe(&mut keeper, 8, 1, 0, 5);
        assert_eq!(kept(&keeper.finish()), [[3, 7]]);
    }

    #[test]
    fn bins_of_the_false_positive_rate_keep_the_highest_recall() {
        let bin = |tp, fp| Partition::Roc.bin(Counts { true_positives: tp, false_positives: fp }, TOTALS, 4);
        assert_eq!(
            [bin(0, 3), bin(1, 0), bin(1, 5), bin(1, 6), bin(9, 20)],
            [None, Some(1), Some(1), Some(2), Some(4)]
        );
        let mut keeper = BinKeeper::new(rule(Partition::Roc, Keep::Best), vec![9]);
        observe(&mut keeper, 5, 3, 0, 1);
        observe(&mut keeper, 6, 4, 9, 2);
        observe(&mut keeper, 7, 4, 8, 3);
        assert_eq!(kept(&keeper.finish()), [[7]]);
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
        let mut keeper = BinKeeper::new(rule(Partition::Recall, Keep::Best), vec![2, 9]);
        observe(&mut keeper, 5, 4, 4, 1);
        observe(&mut keeper, 4, 4, 4, 2);
        // 3·3/3 = 3 beats 4·4/8 = 2.
        observe(&mut keeper, 6, 3, 0, 3);
        assert_eq!(kept(&keeper.finish()), [[4], [6]]);
    }

    #[test]
    fn each_restart_keeps_its_best() {
        let mut keeper = BinKeeper::new(rule(Partition::Recall, Keep::BestPerRestart), vec![1, 3, 9]);
        observe(&mut keeper, 5, 4, 4, 1);
        // 4·4/5 beats 4·4/8.
        observe(&mut keeper, 4, 4, 1, 2);
        // Worse than the first restart's best, and the second's only one.
        observe(&mut keeper, 6, 2, 5, 3);
        observe(&mut keeper, 7, 1, 5, 4);
        assert_eq!(kept(&keeper.finish()), [vec![5], vec![4, 6], vec![4, 6]]);
    }
}
