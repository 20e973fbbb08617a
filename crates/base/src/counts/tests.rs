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
