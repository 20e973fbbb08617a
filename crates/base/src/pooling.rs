//! Two sets counted together, where a negative of one may stand for more than a negative of the other.

use super::{Counts, NegativeWeight, Totals};

/// How counts of two sets that share no example are added: each negative counts in units that are whole for both.
///
/// Suppose that train has a sample of 3 of its 12 negatives, and that tune has all of its own. Each train negative then
/// stands for 4: a false positive on train is 4 units, and one on tune is 1. Sums stay whole numbers, so that they can be
/// compared exactly.
///
/// Where both weights are equal a unit is a negative, and sums are plain sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pooling {
    left_units: usize,
    right_units: usize,
    /// How many negatives of the population a unit stands for.
    pub negative_weight: NegativeWeight,
}

impl Pooling {
    /// The pooling of two sets whose negatives stand for themselves.
    pub const ONE: Self = Self { left_units: 1, right_units: 1, negative_weight: NegativeWeight::ONE };

    /// How to add two sets with these negative weights.
    #[must_use]
    pub fn of(left: NegativeWeight, right: NegativeWeight) -> Self {
        let ([left_units, right_units], negative_weight) = left.common_units(right);
        let whole = |units: u64| usize::try_from(units).unwrap_or(usize::MAX);
        Self { left_units: whole(left_units), right_units: whole(right_units), negative_weight }
    }

    /// The counts on both sets, false positives in units.
    #[must_use]
    pub const fn counts(self, left: Counts, right: Counts) -> Counts {
        // Files may hold any numbers: a sum that is too large stays the largest.
        let of_left = self.left_units.saturating_mul(left.false_positives);
        Counts {
            true_positives: left.true_positives.saturating_add(right.true_positives),
            false_positives: of_left.saturating_add(self.right_units.saturating_mul(right.false_positives)),
        }
    }

    /// The sizes of both sets, negatives in units.
    #[must_use]
    pub const fn totals(self, left: Totals, right: Totals) -> Totals {
        let all = self.counts(left.everything(), right.everything());
        Totals {
            n_positives: all.true_positives,
            n_negatives: all.false_positives,
            negative_weight: self.negative_weight,
        }
    }

    /// The counts on the left set, from the counts on both sets and those on the right set.
    #[must_use]
    pub const fn left_part(self, both: Counts, right: Counts) -> Counts {
        let of_right = self.right_units.saturating_mul(right.false_positives);
        Counts {
            true_positives: both.true_positives.saturating_sub(right.true_positives),
            false_positives: both.false_positives.saturating_sub(of_right) / self.left_units,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::Pooling;
    use crate::{Counts, NegativeWeight, Totals};

    fn counts(true_positives: usize, false_positives: usize) -> Counts {
        Counts { true_positives, false_positives }
    }

    /// Train has 3 of its 12 negatives, tune all of its 5. The cover has 2 positives and 2 negatives on train, and 1
    /// and 1 on tune. Together these are 3 positives and 2·4 + 1 = 9 negatives. So precision is 3/12, where plain sums
    /// give 3/6.
    #[test]
    fn counts_of_a_sampled_train_set_and_a_whole_tune_set_by_hand() {
        let (train, tune) = (NegativeWeight::new(12, 3), NegativeWeight::ONE);
        let pooling = Pooling::of(train, tune);
        let both = pooling.counts(counts(2, 2), counts(1, 1));
        assert_eq!(both, counts(3, 9));
        assert_eq!(both.precision(pooling.negative_weight), Some(0.25));
        let totals =
            |n_positives, n_negatives, negative_weight| Totals { n_positives, n_negatives, negative_weight };
        let all = pooling.totals(totals(4, 3, train), totals(2, 5, tune));
        assert_eq!(all, totals(6, 17, NegativeWeight::ONE));
        assert_eq!(both.recall(all), Some(0.5));
        assert_eq!(pooling.left_part(both, counts(1, 1)), counts(2, 2));
    }

    /// 5 of 12 and all: in fifths, a false positive on train is 12 and one on tune 5.
    #[test]
    fn weights_that_are_no_whole_numbers_have_common_units() {
        let pooling = Pooling::of(NegativeWeight::new(12, 5), NegativeWeight::ONE);
        assert_eq!(pooling.counts(counts(0, 1), counts(0, 0)), counts(0, 12));
        assert_eq!(pooling.counts(counts(0, 0), counts(0, 1)), counts(0, 5));
        assert_eq!(pooling.negative_weight, NegativeWeight::new(1, 5));
    }

    #[test]
    fn equal_weights_are_added_plainly() {
        let weight = NegativeWeight::new(12, 5);
        let pooling = Pooling::of(weight, weight);
        assert_eq!(pooling.counts(counts(1, 2), counts(3, 4)), counts(4, 6));
        assert_eq!(pooling.negative_weight, weight);
    }

    proptest! {
        /// The weight of a sum is the sum of its parts' weights, and `left_part` gives a part back.
        #[test]
        fn a_sum_weighs_what_its_parts_weigh(
            [left_all, left_drawn, right_all, right_drawn] in [1_u64..100_000, 1..500, 1..100_000, 1..500],
            [tp, fp, other_tp, other_fp] in [0_usize..100, 0..100_000, 0..100, 0..100_000],
        ) {
            let left = NegativeWeight::new(left_all.max(left_drawn), left_drawn);
            let right = NegativeWeight::new(right_all.max(right_drawn), right_drawn);
            let pooling = Pooling::of(left, right);
            let both = pooling.counts(counts(tp, fp), counts(other_tp, other_fp));
            let weighed = both.weighted(pooling.negative_weight);
            let expected = counts(tp, fp).weighted(left).negatives + counts(other_tp, other_fp).weighted(right).negatives;
            prop_assert!((weighed.negatives - expected).abs() <= 1e-6 * (1.0 + expected), "{weighed:?} {expected}");
            prop_assert_eq!(pooling.left_part(both, counts(other_tp, other_fp)), counts(tp, fp));
        }

        /// Weights that no units of 64 bits have in common are added nearly right.
        #[test]
        fn weights_far_apart_are_added_nearly_right([all, drawn, other] in [1_u64 << 40..1 << 60, 1 << 20..1 << 40, 1..1 << 40]) {
            let (left, right) = (NegativeWeight::new(all, drawn), NegativeWeight::new(all, other));
            let pooling = Pooling::of(left, right);
            for (part, weight) in [(pooling.counts(counts(0, 1_000), Counts::NONE), left),
                (pooling.counts(Counts::NONE, counts(0, 1_000)), right)] {
                let (is, expected) = (part.weighted(pooling.negative_weight).negatives, 1_000.0 * weight.ratio());
                let greatest = 1_000.0 * left.ratio().max(right.ratio());
                prop_assert!((is - expected).abs() <= 2e-9 * greatest, "{is} {expected}");
            }
        }
    }
}
