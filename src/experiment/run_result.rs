//! The result of a run.

use std::sync::Arc;

use gleaner_base::{Counts, ExampleId, Totals};
use gleaner_learn::shown::Reading;
use gleaner_learn::{Calibration, Density, Model};
use gleaner_stats::eval::{PrPoint, ReliabilityBin};

use super::metrics::RunMetrics;
use super::search_summary::SearchSummary;
use super::split::Split;

/// A test example with the model's score.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ScoredExample {
    /// The example.
    pub example: ExampleId,
    /// The example's score, finite; of Gleaner 0 to 1.
    pub score: f64,
    /// Whether the operating decision covers it.
    pub decision: bool,
    /// The probability that the example is positive, 0 to 1; none where the model has no calibration.
    #[serde(default)]
    pub probability: Option<f64>,
    /// Votes over K of the operating decision's theory, or the learner's substitute for them; 0 to 1.
    pub confidence: f64,
}

/// The metrics of the model made of a part of the search. In JSON the test metrics are fields beside `clauses`, and the
/// tune metrics are fields of `tune`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LearningPoint {
    /// The part: `50x1000` is 50 seeds, each of 1,000 clauses, or 50 theories, each of 1,000 clauses.
    pub point: String,
    /// Clauses evaluated for it.
    pub clauses: u64,
    /// Metrics on test.
    #[serde(flatten)]
    pub test: RunMetrics,
    /// Metrics on tune, which chose the part's decisions; records before this release may lack them.
    #[serde(default)]
    pub tune: RunMetrics,
}

/// One run's result.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The run's number and fold.
    pub split: Split,
    /// The repetition of the experiment that the run belongs to, from 0.
    pub repeat: usize,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The summary of the search.
    pub search: SearchSummary,
    /// Where the clauses lie that were evaluated, if the learner looked.
    pub density: Option<Density>,
    /// Whether the search came far enough to be judged; if not, all metrics are undefined.
    pub was_searched: bool,
    /// The model's decisions on test; none where the scores are one ranking.
    pub test_points: Vec<Counts>,
    /// The test curve of the ranking by score; empty without a test set.
    pub curve: Vec<PrPoint>,
    /// The thresholds of the achievable curve, chosen on tune, falling; none without tune, or where the model has learnt
    /// from tune itself.
    pub hull_thresholds: Vec<f64>,
    /// The calibration that turns the model's scores into probabilities, if there is one.
    pub calibration: Option<Calibration>,
    /// The reliability table of test; empty without probabilities or without a test set.
    pub reliability: Vec<ReliabilityBin>,
    /// The test examples, ascending.
    pub scored: Vec<ScoredExample>,
    /// Test metrics; all undefined without a test set.
    pub metrics: RunMetrics,
    /// Metrics on tune, the examples that decisions were chosen on; all undefined without a tune set.
    pub tune_metrics: RunMetrics,
    /// Parts of the search; the last is all of it.
    pub learning_curve: Vec<LearningPoint>,
    /// Examples of each set, positives first: train, tune, test.
    pub sizes: [Totals; 3],
    /// The summary of the model for a person; `reading` finds it.
    pub reading: Reading,
}

impl RunResult {
    /// The fold's name; of repetitions after the first with their number.
    #[must_use]
    pub fn name(&self) -> String {
        result_name(&self.split.name, self.repeat)
    }
}

/// The name of a fold's result; of repetitions after the first with their number.
#[must_use]
pub fn result_name(fold: &str, repeat: usize) -> String {
    match repeat {
        0 => fold.to_owned(),
        repeat => format!("{fold}-{}", repeat + 1),
    }
}
