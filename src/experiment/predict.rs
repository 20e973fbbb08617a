//! A model applied to examples.

use std::sync::Arc;

use serde::Serialize;

use crate::base::{Budget, ExampleId};
use crate::coverage::{CoverStore, Universe};
use crate::learn::{Covers, Model};
use crate::problem::Problem;

use super::evaluate::WeighedScore;
use super::run::{ScoredExample, scored_examples};

/// The scores of some examples.
#[derive(Clone, Debug, Serialize)]
pub struct PredictAnswer {
    /// How many examples were scored.
    #[serde(rename = "examples")]
    pub n_examples: usize,
    /// Each example.
    #[serde(skip)]
    pub predictions: Vec<Prediction>,
    /// Whether negatives are a sample, so that examples have weights.
    #[serde(skip)]
    pub is_weighted: bool,
}

/// What a model says of one example.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The example as an atom.
    pub example: String,
    /// Its score.
    pub score: f64,
    /// Its probability of being positive; `None` until models are calibrated.
    pub probability: Option<f64>,
    /// Whether it is called positive.
    pub decision: bool,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// Its class in the data.
    pub label: bool,
    /// How many examples of the population it stands for.
    #[serde(skip)]
    pub weight: f64,
}

impl PredictAnswer {
    /// The scores by the problem's names.
    #[must_use]
    pub fn of(problem: &Problem, scored: &[ScoredExample]) -> Self {
        let weight = problem.examples.negative_weight();
        let prediction = |scored: &ScoredExample| {
            let is_positive = problem.examples.is_positive(scored.example);
            Prediction {
                example: problem.example_text(scored.example),
                score: scored.score,
                probability: None,
                decision: scored.decision,
                confidence: scored.confidence,
                label: is_positive,
                weight: if is_positive { 1.0 } else { weight.ratio() },
            }
        };
        Self {
            n_examples: scored.len(),
            predictions: scored.iter().map(prediction).collect(),
            is_weighted: !weight.is_one(),
        }
    }

    /// The scores, for a ranking.
    pub fn weighed_scores(&self) -> impl Iterator<Item = WeighedScore> {
        self.predictions.iter().map(|prediction| (prediction.score, prediction.label, prediction.weight))
    }
}

/// Scores examples of a problem by a model over its symbols; at most so many bytes of covers are kept.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget.
#[must_use]
pub fn predict(
    problem: &Problem,
    model: &dyn Model,
    chosen: &[ExampleId],
    cover_bytes: usize,
) -> PredictAnswer {
    let universe = Universe::new(Arc::clone(&problem.examples), chosen);
    let capacity = cover_bytes.min(CoverStore::usual_capacity(&universe));
    let covers = Covers::new(&problem.worlds, &universe, capacity);
    let scoring = model.score(&covers, &Budget::unlimited()).expect("an unlimited budget never interrupts");
    PredictAnswer::of(problem, &scored_examples(&scoring, &universe))
}
