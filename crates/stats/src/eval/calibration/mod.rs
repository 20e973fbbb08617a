//! Probabilities from scores, fitted to examples whose classes are known. Examples from which the model has not
//! learnt are best.
//!
//! All of them count weights: a sampled negative counts for all the negatives that it stands for. A bound keeps them
//! away from 0 and 1 [GLEANERSRL §3].

pub mod blend;
pub mod calibrator;
mod cumulated;
pub mod sigmoids;
pub mod steps;

use super::Ranking;
pub use blend::Blend;
pub use calibrator::{Calibrator, Curve, Method};
use cumulated::{Cumulated, Example};
pub use cumulated::{Interval, VennAbers};
pub use sigmoids::{Beta, EDGE, Platt};
pub use steps::{Binning, Isotonic, Step};

/// The bounds to try: probabilities stay between the bound and 1 minus the bound.
pub const CLAMPS: [f64; 8] = [0.25, 0.1, 0.05, 0.01, 0.005, 0.001, 0.000_5, 0.000_1];

/// Examples of one class, with the probability that other examples give to this class.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Judged {
    /// Their weight together.
    weight: f64,
    /// The probability of their class.
    of_class: f64,
}

/// The bound of least cross entropy over examples of this total weight; the greatest of equal bounds.
///
/// DIVERGENCE from the paper: no bound is below `1 / (n + 2)` for `n` examples, by the rule of succession. Where ten
/// examples are all right, the least bound of the paper would claim .9999. The higher bound costs less than 1 in cross
/// entropy over all `n`.
fn best_clamp(judged: impl IntoIterator<Item = Judged>, weight: f64) -> f64 {
    let floor = 1.0 / (weight + 2.0);
    let clamps = CLAMPS.map(|clamp| clamp.max(floor).min(CLAMPS[0]));
    let mut losses = [0.0; CLAMPS.len()];
    for Judged { weight, of_class } in judged {
        for (loss, &clamp) in losses.iter_mut().zip(&clamps) {
            *loss -= weight * of_class.clamp(clamp, 1.0 - clamp).ln();
        }
    }
    let least = (0..CLAMPS.len()).min_by(|&left, &right| losses[left].total_cmp(&losses[right]));
    clamps[least.unwrap_or(0)]
}

/// The examples of a ranking, each judged by the isotonic regression of the others. So no example shapes the step that
/// judges it; otherwise smaller bounds would always look better.
///
/// **Cost**: about linear in the ranking's groups.
fn judged_by_others(ranking: &Ranking) -> impl Iterator<Item = Judged> {
    let cumulated = Cumulated::of(ranking);
    let [positive, negative] = ranking.example_weights();
    let groups = ranking.groups().iter().rev().enumerate();
    groups.flat_map(move |(group, examples)| {
        let of_class = |is_positive: bool, weight: f64, all: f64| {
            let probability = cumulated.without(group, Example { weight, is_positive });
            let of_class = |probability: f64| if is_positive { probability } else { 1.0 - probability };
            probability
                .filter(|_| all > 0.0)
                .map(|probability| Judged { weight: all, of_class: of_class(probability) })
        };
        let both =
            [of_class(true, positive, examples.positives), of_class(false, negative, examples.negatives)];
        both.into_iter().flatten()
    })
}

#[cfg(test)]
mod tests {
    use crate::eval::Ranking;

    use super::{CLAMPS, Judged, best_clamp, judged_by_others};

    fn of_examples(examples: impl IntoIterator<Item = (f64, bool)>) -> f64 {
        let ranking = Ranking::new(examples).expect("numbers");
        let (positives, negatives) = ranking.class_weights();
        best_clamp(judged_by_others(&ranking), positives + negatives)
    }

    fn assert_is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    /// By hand. Scores 1 to 4, classes - - + +. Left out, both negatives have probability 0; the upper positive has one
    /// of 1. The lower positive lies between a negative and the other positive, and takes the negative's 0. So one
    /// example of four is quite wrong: the loss is `-ln c - 3 ln(1 - c)`, least where `c = 1/4`.
    #[test]
    fn one_in_four_is_wrong() {
        assert_is(of_examples([(1.0, false), (2.0, false), (3.0, true), (4.0, true)]), 0.25);
    }

    /// The fit to 200 examples that differ only in class is never 0 or 1. No bound changes the loss, so the greatest
    /// bound stays.
    #[test]
    fn of_equal_bounds_the_greatest() {
        assert_is(of_examples((0..200).map(|at| (0.0, at % 2 == 0))), CLAMPS[0]);
    }

    /// By hand: one of 100 is quite wrong. The loss `-ln c - 99 ln(1 - c)` is least at 1/100; if the 99 weigh three times as much, at
    /// 1/298. The bound nearest to it is the least that there is then, 1/300: 5.704 + 0.992 against 5.298 + 1.489 of 0.005.
    #[test]
    fn weights_count() {
        let wrong = Judged { weight: 1.0, of_class: 0.0 };
        let right = |weight| Judged { weight, of_class: 1.0 };
        assert_is(best_clamp([wrong, right(99.0)], 100.0), 0.01);
        assert_is(best_clamp([wrong, right(297.0)], 298.0), 1.0 / 300.0);
    }

    /// None of eight is wrong: a ninth may be, with 1/10.
    #[test]
    fn few_examples_prove_no_certainty() {
        let right = |weight| [Judged { weight, of_class: 1.0 }];
        assert_is(best_clamp(right(8.0), 8.0), 0.1);
        assert_is(best_clamp(right(98.0), 98.0), 0.01);
        assert_is(best_clamp(right(1.0), 1.0), 0.25);
        assert_is(best_clamp(right(1e6), 1e6), 0.000_1);
    }
}
