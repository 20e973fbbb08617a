mod paired {
    use proptest::prelude::{Strategy, prop};
    use proptest::{option, prop_assert, prop_assert_eq, proptest};

    use super::super::{Paired, compare_pairs};

    fn of(left: &[f64], right: &[f64]) -> Paired {
        let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        compare_pairs(&some(left), &some(right))
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-11, "{found} is not {expected}");
    }

    /// scipy 1.17.1: `r = scipy.stats.ttest_rel(a, b)`, `r.confidence_interval(0.95)`; the effect is
    /// `d.mean() / d.std(ddof=1)` of `d = a - b` (numpy); `scipy.stats.wilcoxon(d.round(6), method='exact')`.
    #[test]
    fn five_and_ten_folds_are_those_of_scipy() {
        let a = [0.412, 0.518, 0.377, 0.466, 0.602];
        let b = [0.391, 0.472, 0.389, 0.415, 0.551];
        let five = of(&a, &b);
        let test = five.t_test.expect("defined");
        close(test.t, 2.575_328_202_475_199);
        close(test.p, 0.061_630_747_342_838_38);
        assert_eq!((test.degrees_of_freedom, five.n_pairs, five.n_left_out), (4, 5, 0));
        let [low, high] = five.interval.expect("defined");
        close(low, -0.002_452_142_115_098_150_7);
        close(high, 0.065_252_142_115_098_14);
        close(five.effect_size.expect("defined"), 1.151_721_785_021_377_5);
        close(five.signed_rank.expect("defined").p, 0.125);

        let a = [0.71, 0.64, 0.58, 0.69, 0.73, 0.66, 0.62, 0.59, 0.75, 0.68];
        let b = [0.69, 0.655, 0.53, 0.61, 0.72, 0.69, 0.55, 0.465, 0.745, 0.58];
        let ten = of(&a, &b);
        let test = ten.t_test.expect("defined");
        close(test.t, 2.549_191_132_956_613_3);
        close(test.p, 0.031_236_171_127_693_35);
        let [low, high] = ten.interval.expect("defined");
        close(low, 0.004_672_819_392_619_737);
        close(high, 0.078_327_180_607_380_25);
        close(ten.effect_size.expect("defined"), 0.806_125_017_124_801_8);
        close(ten.signed_rank.expect("defined").p, 0.048_828_125);
    }

    /// Differences 1, 2, 3: mean 2, sd 1, t = 2 √3 with two degrees of freedom. The tail is 1 - t / √(t² + 2), the critical
    /// value 4.30265. Two of the eight assignments of signs are as far apart.
    #[test]
    fn three_folds_by_hand() {
        let paired = of(&[5.0, 6.0, 7.0], &[4.0, 4.0, 4.0]);
        close(paired.mean_difference.expect("defined"), 2.0);
        close(paired.effect_size.expect("defined"), 2.0);
        let test = paired.t_test.expect("defined");
        close(test.t, 12_f64.sqrt());
        close(test.p, 1.0 - (12.0_f64 / 14.0).sqrt());
        let [low, high] = paired.interval.expect("defined");
        close(low, 2.0 - 4.302_652_729_749_462 / 3.0_f64.sqrt());
        close(high, 2.0 + 4.302_652_729_749_462 / 3.0_f64.sqrt());
        close(paired.signed_rank.expect("defined").p, 0.25);
    }

    #[test]
    fn what_is_undefined_is_none() {
        let empty = of(&[], &[]);
        assert_eq!(
            (empty.n_pairs, empty.mean_difference, empty.interval, empty.effect_size),
            (0, None, None, None)
        );
        assert!(empty.t_test.is_none() && empty.signed_rank.is_none());
        let one = of(&[0.5], &[0.25]);
        assert_eq!((one.mean_difference, one.interval, one.effect_size), (Some(0.25), None, None));
        assert!(one.t_test.is_none() && one.signed_rank.is_none());
        let same = of(&[0.5, 0.7, 0.9], &[0.5, 0.7, 0.9]);
        assert_eq!(
            (same.mean_difference, same.interval, same.effect_size),
            (Some(0.0), Some([0.0, 0.0]), None)
        );
        assert!(same.t_test.is_none() && same.signed_rank.is_none());
    }

    /// 0.3 - 0.2, 0.2 - 0.1 and 0.9 - 0.8 are three different floats, but count as one difference.
    #[test]
    fn a_spread_of_rounding_is_none() {
        let paired = of(&[0.3, 0.2, 0.9], &[0.2, 0.1, 0.8]);
        assert_eq!((paired.effect_size, paired.t_test), (None, None));
        close(paired.mean_difference.expect("defined"), 0.1);
        let ranked = paired.signed_rank.expect("signs are told");
        assert_eq!((ranked.positive_ranks, ranked.p), (6.0, 0.25));
    }

    #[test]
    fn undefined_and_missing_values_are_left_out_and_counted() {
        let left = [Some(1.0), None, Some(4.0), Some(2.0), Some(f64::NAN), Some(9.0)];
        let right = [Some(0.5), Some(1.0), Some(2.0), None, Some(1.0)];
        let paired = compare_pairs(&left, &right);
        assert_eq!((paired.n_pairs, paired.n_left_out), (2, 4));
        let whole = of(&[1.0, 4.0], &[0.5, 2.0]);
        assert_eq!(Paired { n_left_out: 0, ..paired }, whole);
    }

    #[test]
    fn huge_values_are_no_nan() {
        let paired = of(&[1e308, 1e308, 1.0], &[-1e308, -7e307, 0.0]);
        assert_eq!((paired.n_pairs, paired.n_left_out), (2, 1));
        let paired = of(&[1.7e308, 1.6e308], &[0.0, 1.0]);
        assert!(paired.mean_difference.is_none_or(f64::is_finite));
        assert!(paired.t_test.is_none_or(|test| test.t.is_finite()));
    }

    /// Multiples of 1/64, which add without rounding.
    fn values() -> impl Strategy<Value = Vec<(Option<f64>, Option<f64>)>> {
        let value = || option::weighted(0.9, (0_i32..=64).prop_map(|value| f64::from(value) / 64.0));
        prop::collection::vec((value(), value()), 0..60)
    }

    proptest! {
        #[test]
        fn swapped_learners_negate_the_difference_and_keep_p(values in values()) {
            let (left, right): (Vec<_>, Vec<_>) = values.into_iter().unzip();
            let (found, swapped) = (compare_pairs(&left, &right), compare_pairs(&right, &left));
            prop_assert_eq!(found.mean_difference, swapped.mean_difference.map(|value| -value));
            prop_assert_eq!(found.effect_size, swapped.effect_size.map(|value| -value));
            prop_assert_eq!(found.interval, swapped.interval.map(|[low, high]| [-high, -low]));
            prop_assert_eq!(found.t_test.map(|test| (test.t, test.p)), swapped.t_test.map(|test| (-test.t, test.p)));
            prop_assert_eq!(found.signed_rank.map(|test| test.p), swapped.signed_rank.map(|test| test.p));
        }

        #[test]
        fn a_constant_added_to_both_changes_nothing(values in values(), constant in -64_i32..=64) {
            let (left, right): (Vec<_>, Vec<_>) = values.into_iter().unzip();
            let constant = f64::from(constant) / 64.0;
            let moved = |values: &[Option<f64>]| -> Vec<Option<f64>> {
                values.iter().map(|value| value.map(|value| value + constant)).collect()
            };
            prop_assert_eq!(compare_pairs(&left, &right), compare_pairs(&moved(&left), &moved(&right)));
        }

        /// The interval leaves 0 out exactly where the test rejects at 5 %.
        #[test]
        fn numbers_are_within_their_ranges_and_agree(values in values()) {
            let (left, right): (Vec<_>, Vec<_>) = values.into_iter().unzip();
            let found = compare_pairs(&left, &right);
            prop_assert_eq!(found.n_pairs + found.n_left_out, left.len());
            if let Some(test) = found.t_test {
                prop_assert!((0.0..=1.0).contains(&test.p) && test.t.is_finite());
                let [low, high] = found.interval.expect("where there is a test");
                let leaves_zero_out = low > 0.0 || high < 0.0;
                prop_assert!(leaves_zero_out == (test.p < 0.05) || (test.p - 0.05).abs() < 1e-9);
            }
            if let Some(test) = found.signed_rank {
                prop_assert!((0.0..=1.0).contains(&test.p));
            }
        }
    }
}

mod signed_rank {
    use proptest::prelude::prop;
    use proptest::{prop_assert, prop_assert_eq, proptest};

    use super::super::{SignedRank, exact_p, normal_p};

    fn of(differences: &[f64]) -> SignedRank {
        SignedRank::of(differences, 0.0).expect("not all are 0")
    }

    /// 1 to n, with the sign that `is_negative` says.
    fn up_to(n: u32, is_negative: fn(u32) -> bool) -> Vec<f64> {
        (1..=n).map(|size| if is_negative(size) { -f64::from(size) } else { f64::from(size) }).collect()
    }

    /// scipy 1.17.1: `scipy.stats.wilcoxon(d, method='exact')`, statistic and p.
    #[test]
    fn exact_values_are_those_of_scipy() {
        let cases = [
            (up_to(5, |_| false), 0.0, 0.0625),
            (up_to(8, |size| size == 3 || size == 5), 8.0, 0.195_312_5),
            (up_to(20, |size| size % 3 == 2 && size < 20), 57.0, 0.075_851_440_429_687_5),
            (up_to(50, |size| size % 3 == 1), 425.0, 0.039_968_346_528_423_74),
            (up_to(50, |_| false), 0.0, 1.776_356_839_400_250_5e-15),
        ];
        for (differences, statistic, p) in cases {
            let found = of(&differences);
            assert!((found.p - p).abs() <= 1e-14 * p, "{differences:?}: {}", found.p);
            assert!(found.is_exact);
            assert_eq!(found.positive_ranks.min(found.negative_ranks).to_bits(), f64::to_bits(statistic));
        }
    }

    /// scipy 1.17.1: `scipy.stats.wilcoxon(d, method=scipy.stats.PermutationMethod(n_resamples=numpy.inf))`.
    #[test]
    fn exact_values_with_ties_are_those_of_all_permutations() {
        let found = of(&[1.0, 1.0, 2.0, -2.0, 3.0, -1.0, 4.0, 4.0, 5.0, -3.0, 6.0]);
        assert_eq!(
            (found.negative_ranks.to_bits(), found.p.to_bits()),
            (13_f64.to_bits(), 0.087_890_625_f64.to_bits())
        );
    }

    /// scipy 1.17.1: `scipy.stats.wilcoxon(d, method='approx', correction=True)`.
    #[test]
    fn beyond_fifty_it_is_the_normal_distribution_of_scipy() {
        let plain = of(&up_to(60, |size| size % 3 == 1));
        assert!((plain.p - 0.016_901_653_275_967_533).abs() < 1e-11 && !plain.is_exact, "{plain:?}");
        let tied: Vec<f64> = (0..60_u32)
            .map(|position| f64::from(1 + position / 4) * if position % 3 == 1 { -1.0 } else { 1.0 })
            .collect();
        let tied = of(&tied);
        assert!((tied.p - 0.024_913_078_664_090_378).abs() < 1e-11, "{tied:?}");
        assert_eq!((tied.positive_ranks + tied.negative_ranks).to_bits(), 1830_f64.to_bits());
    }

    #[test]
    fn the_exact_distribution_meets_the_normal_one() {
        let doubled: Vec<usize> = (1..=50).map(|rank| 2 * rank).collect();
        for smaller in [300, 425, 600, 637] {
            let (exact, normal) = (exact_p(&doubled, 2 * smaller), normal_p(&doubled, 2 * smaller));
            assert!((exact - normal).abs() < 0.003, "{smaller}: {exact} and {normal}");
        }
    }

    #[test]
    fn zeros_are_dropped_and_none_is_left() {
        assert_eq!(of(&[0.0, 1.0, 0.0, 2.0]), of(&[1.0, 2.0]));
        assert_eq!(of(&[0.0, 1.0]).n_ranked, 1);
        assert_eq!(SignedRank::of(&[0.0, 0.0], 0.0), None);
        assert_eq!(SignedRank::of(&[], 0.0), None);
    }

    #[test]
    fn what_differs_by_rounding_is_tied() {
        let differences: [f64; 3] = [0.3 - 0.2, -(0.2 - 0.1), 0.1 + 0.2 - 0.3];
        assert!(differences[0].abs() > 0.0 && (differences[0] + differences[1]).abs() > 0.0, "floats differ");
        let found = SignedRank::of(&differences, 1e-15).expect("two are not 0");
        assert_eq!((found.positive_ranks, found.negative_ranks, found.n_ranked), (1.5, 1.5, 2));
    }

    /// The share of all 2^n assignments of signs to the ranks whose smaller sum is at most the observed one.
    fn enumerated(differences: &[f64]) -> f64 {
        let mut sizes: Vec<f64> =
            differences.iter().map(|value| value.abs()).filter(|&size| size > 0.0).collect();
        sizes.sort_by(f64::total_cmp);
        let rank = |size: f64| {
            let below = sizes.iter().filter(|&&other| other < size).count();
            let same = sizes.iter().filter(|&&other| other.to_bits() == size.to_bits()).count();
            f64::from(u32::try_from(2 * below + same + 1).unwrap()) / 2.0
        };
        let ranks: Vec<f64> = sizes.iter().map(|&size| rank(size)).collect();
        let smaller = |positive: f64| positive.min(ranks.iter().sum::<f64>() - positive);
        let observed: f64 = differences.iter().filter(|&&value| value > 0.0).map(|value| rank(*value)).sum();
        let n_assignments = 1_u32 << ranks.len();
        let n_as_far = (0..n_assignments)
            .filter(|signs| {
                let positive: f64 = ranks
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| signs >> at & 1 == 1)
                    .map(|(_, rank)| rank)
                    .sum();
                smaller(positive) <= smaller(observed)
            })
            .count();
        f64::from(u32::try_from(n_as_far).unwrap()) / f64::from(n_assignments)
    }

    proptest! {
        /// Few sizes, so that there are ties and zeros.
        #[test]
        fn exact_equals_enumeration(sizes in prop::collection::vec(-4_i32..=4, 1..12)) {
            let differences: Vec<f64> = sizes.iter().map(|&size| f64::from(size)).collect();
            match SignedRank::of(&differences, 0.0) {
                None => prop_assert!(sizes.iter().all(|&size| size == 0)),
                Some(found) => prop_assert_eq!(found.p.to_bits(), enumerated(&differences).to_bits()),
            }
        }

        #[test]
        fn negated_differences_have_the_same_p(sizes in prop::collection::vec(-20_i32..=20, 1..80)) {
            let of = |sign: f64| {
                let differences: Vec<f64> = sizes.iter().map(|&size| sign * f64::from(size)).collect();
                SignedRank::of(&differences, 0.0)
            };
            if let (Some(found), Some(negated)) = (of(1.0), of(-1.0)) {
                prop_assert_eq!(found.p.to_bits(), negated.p.to_bits());
                prop_assert_eq!(found.positive_ranks.to_bits(), negated.negative_ranks.to_bits());
                prop_assert!((0.0..=1.0).contains(&found.p));
            } else {
                prop_assert!(of(1.0).is_none() && of(-1.0).is_none());
            }
        }
    }
}
