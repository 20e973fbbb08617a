//! The labelled examples that a classifier covers, the totals of both classes, and the ratios between them.
//!
//! [`Pooling`] counts two sets together, where a negative of one may stand for more than a negative of the other.

use serde::{Deserialize, Serialize};

use super::{ExampleSet, NegativeWeight};

/// True and false positives of a classifier: a clause, a theory, or a ranking cut at a threshold.
///
/// `TP` = `true_positives`, `FP` = `false_positives`; with the [`Totals`] `P` and `N`, `FN = P - TP` and
/// `TN = N - FP`. Units: examples. The ratios weigh each negative with its [`NegativeWeight`].
///
/// Every ratio is `None` where it is 0/0, `O(1)`, and in `[0, 1]`. Source: `[GLEANER §2.2.1]`.
///
/// # Example
///
/// ```
/// use gleaner_base::{Counts, NegativeWeight, Totals};
///
/// let counts = Counts { true_positives: 5, false_positives: 15 };
/// let totals = Totals { n_positives: 20, n_negatives: 180, negative_weight: NegativeWeight::ONE };
/// assert_eq!(counts.precision(totals.negative_weight), Some(0.25));
/// assert_eq!(counts.recall(totals), Some(0.25));
/// assert_eq!(counts.false_positive_rate(totals), Some(15.0 / 180.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Counts {
    /// `TP`: positives covered.
    pub true_positives: usize,
    /// `FP`: negatives covered.
    pub false_positives: usize,
}

/// How many examples of each class there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// `P`.
    pub n_positives: usize,
    /// The negatives there are.
    pub n_negatives: usize,
    /// The number of negatives of the population that each negative stands for. It multiplies `n_negatives` for `N`,
    /// and false positives for `FP`.
    pub negative_weight: NegativeWeight,
}

/// The summed weights of the positives and of the negatives of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassWeights {
    /// The weight of the positives.
    pub positives: f64,
    /// The weight of the negatives.
    pub negatives: f64,
}

/// The two classes of a universe whose positives stand in its first words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// How many there are.
    pub totals: Totals,
    /// Words that hold the positives, and nothing else.
    pub n_positive_words: usize,
}

impl Counts {
    /// Nothing is covered.
    pub const NONE: Self = Self { true_positives: 0, false_positives: 0 };

    /// The counts of the same examples with their classes exchanged.
    pub const fn exchanged(self) -> Self {
        Self { true_positives: self.false_positives, false_positives: self.true_positives }
    }

    /// The summed counts of two sets that share no example.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            true_positives: self.true_positives + other.true_positives,
            false_positives: self.false_positives + other.false_positives,
        }
    }

    /// `TP + FP`: how many examples are covered.
    pub const fn n_covered(self) -> usize {
        self.true_positives + self.false_positives
    }

    /// `TP + weight · FP` as [`NegativeWeight::in_parts`] has it.
    pub fn in_parts(self, weight: NegativeWeight) -> u128 {
        weight.in_parts(self.true_positives, self.false_positives)
    }

    /// The weights of the covered examples, by class.
    #[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
    pub fn weighted(self, negative_weight: NegativeWeight) -> ClassWeights {
        ClassWeights {
            positives: self.true_positives as f64,
            negatives: self.false_positives as f64 * negative_weight.ratio(),
        }
    }

    /// `TP / (TP + FP)`; `None` when nothing is covered.
    pub fn precision(self, negative_weight: NegativeWeight) -> Option<f64> {
        self.weighted(negative_weight).precision()
    }

    /// `TP / P`, also called true positive rate; `None` without positives.
    pub fn recall(self, totals: Totals) -> Option<f64> {
        self.weighted(totals.negative_weight).recall(totals.weighted())
    }

    /// `FP / N`: the share of the negatives that are covered; `None` without negatives.
    pub fn false_positive_rate(self, totals: Totals) -> Option<f64> {
        ratio(self.weighted(totals.negative_weight).negatives, totals.weighted().negatives)
    }

    /// `(TP + TN) / (P + N)`; `None` without examples.
    ///
    /// # Panics
    ///
    /// When more negatives are covered than there are.
    pub fn accuracy(self, totals: Totals) -> Option<f64> {
        let true_negatives = totals.n_negatives - self.false_positives;
        let correct = Self { false_positives: true_negatives, ..self };
        ratio(correct.weighted(totals.negative_weight).sum(), totals.weighted().sum())
    }

    /// See [`ClassWeights::f_beta`].
    pub fn f_beta(self, beta: f64, totals: Totals) -> Option<f64> {
        self.weighted(totals.negative_weight).f_beta(beta, totals.weighted())
    }
}

impl Totals {
    /// The totals of the same examples with their classes exchanged, each example counted once.
    pub const fn exchanged(self) -> Self {
        Self {
            n_positives: self.n_negatives,
            n_negatives: self.n_positives,
            negative_weight: NegativeWeight::ONE,
        }
    }

    /// The numbers of positives and of negatives, as run records and model files have them.
    pub const fn numbers(self) -> [usize; 2] {
        [self.n_positives, self.n_negatives]
    }

    /// `P` and `N`.
    pub fn weighted(self) -> ClassWeights {
        self.everything().weighted(self.negative_weight)
    }

    /// The counts of a classifier that covers every example.
    pub const fn everything(self) -> Counts {
        Counts { true_positives: self.n_positives, false_positives: self.n_negatives }
    }
}

impl ClassWeights {
    /// The weight of both classes together.
    pub fn sum(self) -> f64 {
        self.positives + self.negatives
    }

    /// The weights of the rest, without a part.
    pub fn minus(self, part: Self) -> Self {
        Self { positives: self.positives - part.positives, negatives: self.negatives - part.negatives }
    }

    /// The weights with the classes exchanged.
    pub const fn exchanged(self) -> Self {
        Self { positives: self.negatives, negatives: self.positives }
    }

    /// The share of the positives in both; `None` of nothing.
    pub fn precision(self) -> Option<f64> {
        ratio(self.positives, self.sum())
    }

    /// The share of all positives; `None` without positives.
    pub fn recall(self, totals: Self) -> Option<f64> {
        ratio(self.positives, totals.positives)
    }

    /// `(1 + b) p r / (b p + r)`, with `p` the precision, `r` the recall and `b >= 0` = `beta`.
    ///
    /// The weight enters as `b`, as the thesis writes it, where most texts have `b²`; at `b = 1`
    /// they agree. `None` without positives. Source: `[GLEANER §2.2.1]`.
    ///
    /// DIVERGENCE: multiplied out, `(1 + b) TP / (b P + TP + FP)`, which is 0 at `TP = 0`, where the
    /// thesis's form is 0/0. A fold in which nothing was found counts as 0 in a mean, not as absent.
    pub fn f_beta(self, beta: f64, totals: Self) -> Option<f64> {
        (totals.positives > 0.0)
            .then(|| (1.0 + beta) * self.positives / (beta * totals.positives + self.sum()))
    }
}

impl Classes {
    /// Whether a position is one of the positives'.
    pub const fn is_positive(self, position: usize) -> bool {
        position < self.n_positive_words * 64
    }

    /// True and false positives of a set.
    pub fn counts(self, set: &ExampleSet) -> Counts {
        let (true_positives, false_positives) = set.count_split(self.n_positive_words);
        Counts { true_positives, false_positives }
    }

    /// True and false positives of the examples that two sets share.
    pub fn common(self, left: &ExampleSet, right: &ExampleSet) -> Counts {
        let (middle, end) = (self.n_positive_words, left.words().len());
        Counts {
            true_positives: left.count_both(right, 0..middle),
            false_positives: left.count_both(right, middle..end),
        }
    }
}

/// Exact to rounding: counts of examples are far below 2^53.
fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}

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
    pub fn of(left: NegativeWeight, right: NegativeWeight) -> Self {
        let ([left_units, right_units], negative_weight) = left.common_units(right);
        let whole = |units: u64| usize::try_from(units).unwrap_or(usize::MAX);
        Self { left_units: whole(left_units), right_units: whole(right_units), negative_weight }
    }

    /// The counts on both sets, false positives in units.
    pub const fn counts(self, left: Counts, right: Counts) -> Counts {
        // Files may hold any numbers: a sum that is too large stays the largest.
        let of_left = self.left_units.saturating_mul(left.false_positives);
        Counts {
            true_positives: left.true_positives.saturating_add(right.true_positives),
            false_positives: of_left.saturating_add(self.right_units.saturating_mul(right.false_positives)),
        }
    }

    /// The sizes of both sets, negatives in units.
    pub const fn totals(self, left: Totals, right: Totals) -> Totals {
        let all = self.counts(left.everything(), right.everything());
        Totals {
            n_positives: all.true_positives,
            n_negatives: all.false_positives,
            negative_weight: self.negative_weight,
        }
    }

    /// The counts on the left set, from the counts on both sets and those on the right set.
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

    mod counts {
        use crate::NegativeWeight;

        use super::super::{Counts, Totals};

        fn close(found: Option<f64>, expected: f64) {
            let found = found.expect("defined");
            assert!((found - expected).abs() < 1e-15, "{found} is not {expected}");
        }

        const fn counts(true_positives: usize, false_positives: usize) -> Counts {
            Counts { true_positives, false_positives }
        }

        const fn totals(n_positives: usize, n_negatives: usize) -> Totals {
            Totals { n_positives, n_negatives, negative_weight: NegativeWeight::ONE }
        }

        #[test]
        fn ratios_worked_by_hand() {
            // TP 6, FP 2, FN 4, TN 88: p = 6/8, r = 6/10, accuracy = 94/100.
            let (counts, totals) = (counts(6, 2), totals(10, 90));
            close(counts.precision(NegativeWeight::ONE), 0.75);
            close(counts.recall(totals), 0.6);
            close(counts.accuracy(totals), 0.94);
            // F1 = 2 TP / (2 TP + FP + FN) = 12/18.
            close(counts.f_beta(1.0, totals), 2.0 / 3.0);
            // b = 4 enters unsquared: 5 * 0.75 * 0.6 / (4 * 0.75 + 0.6) = 2.25 / 3.6; squared it would be 7.65 / 12.6.
            close(counts.f_beta(4.0, totals), 0.625);
            // b = 0 leaves the precision.
            close(counts.f_beta(0.0, totals), 0.75);
        }

        /// Each negative stands for three: FP 6, N 270, TN 264.
        #[test]
        fn sampled_negatives_count_for_those_they_stand_for() {
            let counts = counts(6, 2);
            let totals = Totals { negative_weight: NegativeWeight::new(3, 1), ..totals(10, 90) };
            close(counts.precision(totals.negative_weight), 0.5);
            close(counts.accuracy(totals), 270.0 / 280.0);
            close(counts.f_beta(1.0, totals), 12.0 / 22.0);
        }

        #[test]
        fn nothing_over_nothing_is_undefined() {
            let some = totals(10, 90);
            assert_eq!(Counts::NONE.precision(NegativeWeight::ONE), None);
            close(Counts::NONE.f_beta(1.0, some), 0.0);
            close(Counts::NONE.recall(some), 0.0);
            let wrong = counts(0, 3);
            close(wrong.precision(NegativeWeight::ONE), 0.0);
            close(wrong.f_beta(1.0, some), 0.0);
            assert_eq!(counts(0, 1).f_beta(1.0, totals(0, 3)), None);
            assert_eq!(counts(0, 1).recall(totals(0, 3)), None);
            assert_eq!(Counts::NONE.accuracy(totals(0, 0)), None);
        }
    }

    mod pooling {
        use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

        use crate::NegativeWeight;

        use super::super::{Counts, Pooling, Totals};

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
            let totals = |n_positives, n_negatives, negative_weight| Totals {
                n_positives,
                n_negatives,
                negative_weight,
            };
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
}
