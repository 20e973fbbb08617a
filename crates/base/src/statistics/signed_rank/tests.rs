use proptest::prelude::prop;
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::{SignedRank, exact_p, normal_p};

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
            let positive: f64 =
                ranks.iter().enumerate().filter(|(at, _)| signs >> at & 1 == 1).map(|(_, rank)| rank).sum();
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
