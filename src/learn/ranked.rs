//! Models whose scores rank examples: every score is a threshold, and one of them decides.

use crate::base::{Counts, ExampleSet, Totals};
use crate::coverage::Universe;

use super::deciding::OperatingPoint;
use super::scoring::{Points, Scoring};
use super::votes::{curve_of, one};

/// Every score that an example of a universe has, descending, with the counts of at least so much.
/// **Cost**: `O(n log n)`.
#[must_use]
pub fn curve_on(universe: &Universe, scores: &[f64]) -> Vec<(f64, Counts)> {
    let ranked = universe.iter().map(|(position, _)| (scores[position], one(universe.is_positive(position))));
    curve_of(ranked.collect())
}

/// The least score that is called positive, with its counts; `None` where no threshold is a decision, as to call
/// everything positive is none.
#[must_use]
pub fn deciding_threshold(
    universe: &Universe,
    scores: &[f64],
    operating_point: OperatingPoint,
) -> Option<(f64, Counts)> {
    let ranked = universe.iter().map(|(position, _)| (scores[position], one(universe.is_positive(position))));
    threshold_of(ranked.collect(), universe.totals(), operating_point)
}

/// As [`deciding_threshold`], of scores each with what it counts by itself.
#[must_use]
pub fn threshold_of(
    ranked: Vec<(f64, Counts)>,
    totals: Totals,
    operating_point: OperatingPoint,
) -> Option<(f64, Counts)> {
    let mut curve = curve_of(ranked);
    curve.retain(|&(_, counts)| counts != totals.everything());
    let decisions: Vec<Counts> = curve.iter().map(|&(_, counts)| counts).collect();
    let chosen = operating_point.choose(&decisions, totals);
    chosen.map(|at| curve[at])
}

/// What scores say of a universe, with `least` the least score that is called positive.
#[must_use]
pub fn scoring(
    universe: &Universe,
    scores: Vec<f64>,
    least: Option<f64>,
    confidence: impl Fn(f64) -> f64,
) -> Scoring {
    let least = least.unwrap_or(f64::INFINITY);
    let decided = universe.iter().map(|(position, _)| position).filter(|&at| scores[at] >= least);
    let decided = ExampleSet::from_positions(universe.len(), decided);
    let confidences = scores.iter().map(|&score| confidence(score)).collect();
    Scoring { scores, decided, confidences, points: Points::Thresholds }
}
