//! Models whose scores rank examples: every score is a threshold, and one of them decides.

use gleaner_base::ExampleSet;
use gleaner_engine::coverage::Universe;

use super::scoring::{Points, Scoring};

/// The scoring of a universe by these scores; `least` is the least score that is called positive.
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
