//! The metrics of a model on a set of examples.
//!
//! Metrics of a run's decisions.

use std::collections::BTreeMap;

use gleaner_base::{Counts, Totals};
use gleaner_engine::coverage::Universe;
use gleaner_learn::{Calibration, Points, Scoring};
use gleaner_stats::eval::{
    Measuring, OperatingPoints, PrCurve, ProbabilityMetrics, Ranking, ReliabilityBin, achievable_auc_pr,
    hull_thresholds, metrics, probability_metrics, reliability_table,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use crate::experiment::loading::load::Filtered;
use crate::experiment::metrics::metric_list::{MetricSources, recorded};
use crate::experiment::runs::scheduled_runs::Measured;

/// The metrics of one set of examples, tune or test, in the order of [`recorded`]; `None` is undefined.
///
/// Those of tune flatter: the decisions were chosen, and clauses and theories weighed, on its examples.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMetrics(Vec<Option<f64>>);

/// All undefined.
impl Default for RunMetrics {
    fn default() -> Self {
        Self(recorded().map(|_| None).collect())
    }
}

impl RunMetrics {
    /// The metrics of these measurements.
    pub fn of(measured: MetricSources<'_>) -> Self {
        Self(recorded().map(|metric| metric.value(measured)).collect())
    }

    /// Metrics with these values by name; the others are undefined.
    pub fn of_values(values: &BTreeMap<String, Option<f64>>) -> Self {
        Self(recorded().map(|metric| values.get(metric.name).copied().flatten()).collect())
    }

    /// Each metric with its name, in the order reported.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        recorded().map(|metric| metric.name).zip(self.0.iter().copied())
    }

    /// The metric of this name; `None` also if there is no such metric.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.named().find(|(known, _)| *known == name).and_then(|(_, value)| value)
    }

    /// The area under the precision-recall curve of the ranking by score.
    pub fn auc_pr(&self) -> Option<f64> {
        self.get("auc_pr")
    }
}

impl Serialize for RunMetrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

impl<'de> Deserialize<'de> for RunMetrics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Other releases have other fields beside these, which need not be numbers.
        let fields: BTreeMap<String, Json> = Deserialize::deserialize(deserializer)?;
        Ok(Self::of_values(&fields.into_iter().map(|(name, value)| (name, value.as_f64())).collect()))
    }
}

/// Metrics by name as a record has them, in its order; a record of another release may have others.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamedMetrics(Vec<(String, Option<f64>)>);

impl NamedMetrics {
    /// These metrics of a run, in their order.
    pub fn of<R: Measured>(run: &R, names: &[&str]) -> Self {
        Self(names.iter().map(|&name| (name.to_owned(), run.metric(name))).collect())
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The metric of this name; `None`, too, where the record lacks it.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
    }
}

impl From<&RunMetrics> for NamedMetrics {
    fn from(metrics: &RunMetrics) -> Self {
        Self(metrics.named().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl Serialize for NamedMetrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for NamedMetrics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let by_name: BTreeMap<String, Option<f64>> = Deserialize::deserialize(deserializer)?;
        Ok(Self(by_name.into_iter().collect()))
    }
}

/// The examples of a universe, ranked by a number of each position.
fn ranked(universe: &Universe, of: impl Fn(usize) -> f64) -> Ranking {
    let negative_weight = universe.negative_weight().ratio();
    let ranked = universe.iter().map(|(position, _)| {
        let is_positive = universe.is_positive(position);
        (of(position), is_positive, if is_positive { 1.0 } else { negative_weight })
    });
    Ranking::weighted(ranked).expect("scores are finite")
}

/// A scoring of a universe, ranked by score.
#[derive(Debug)]
pub(crate) struct RankedScoring<'a> {
    scoring: &'a Scoring,
    universe: &'a Universe,
    /// `P`, with filtered positives if they count, and `N`.
    totals: Totals,
    probabilities: ProbabilityMetrics,
    reliability: Vec<ReliabilityBin>,
    /// A sampled negative counts as many times as the negatives it represents.
    ranking: Ranking,
}

impl<'a> RankedScoring<'a> {
    pub(crate) fn new(scoring: &'a Scoring, universe: &'a Universe) -> Self {
        let ranking = ranked(universe, |position| scoring.scores[position]);
        Self {
            scoring,
            universe,
            totals: universe.totals(),
            probabilities: ProbabilityMetrics::default(),
            reliability: Vec::new(),
            ranking,
        }
    }

    /// Adds the probabilities that a calibration makes of the scores. Filtered positives have none, and do not count
    /// there.
    pub(crate) fn with_probabilities(
        mut self,
        calibration: Option<&Calibration>,
        at_probability: f64,
    ) -> Self {
        let Some(calibration) = calibration else { return self };
        let Self { scoring, universe, .. } = self;
        let probability = |position: usize| calibration.calibrator.probability(scoring.scores[position]);
        let ranking = ranked(universe, probability);
        let measuring = Measuring { prior: Some(calibration.prior), at_probability };
        self.probabilities = probability_metrics(&ranking, measuring);
        self.reliability = if universe.is_empty() { Vec::new() } else { reliability_table(&ranking) };
        self
    }

    /// The reliability table of the probabilities; empty without them or without examples.
    pub(crate) fn reliability(&self) -> &[ReliabilityBin] {
        &self.reliability
    }

    /// The same with the filtered positives that count: they add to `P`, and are found by the last point alone.
    pub(crate) fn with_filtered(mut self, filtered: Filtered) -> Self {
        self.totals.n_positives += filtered.n_counted();
        self.ranking = self.ranking.with_last_positives(filtered.n_counted());
        self
    }

    /// The thresholds that the achievable curve of another set goes through.
    pub(crate) fn hull_thresholds(&self) -> Vec<f64> {
        hull_thresholds(&self.ranking)
    }

    /// The curve of the ranking by score.
    pub(crate) fn score_curve(&self) -> PrCurve {
        PrCurve::from_ranking(&self.ranking)
    }

    /// The curve through the decisions' counts; of a learner without them that by score.
    fn points_curve(&self) -> PrCurve {
        let Points::Decisions(counts) = &self.scoring.points else { return self.score_curve() };
        let points = OperatingPoints::from_counts(counts.iter().copied(), self.totals);
        PrCurve::new(points.expect("counts are at most the totals"))
    }

    /// The metrics, with the achievable area at thresholds that tune chose; all undefined of an empty universe.
    pub(crate) fn metrics(&self, hull_thresholds: &[f64]) -> RunMetrics {
        let Self { scoring, universe, ref ranking, totals, .. } = *self;
        if universe.is_empty() {
            return RunMetrics::default();
        }
        let decisions = DecisionMetrics {
            auc_pr_points: self.points_curve().auc_pr(),
            auc_pr_achievable: achievable_auc_pr(ranking, hull_thresholds),
            ..DecisionMetrics::of(universe.counts(&scoring.decided), totals)
        };
        RunMetrics::of(MetricSources {
            ranking: Some(&metrics(ranking)),
            decisions: Some(&decisions),
            probabilities: Some(&self.probabilities),
        })
    }
}

/// The metrics of a run's decisions, which were chosen on tune; `None` is undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecisionMetrics {
    /// Exact area under the curve through the operating points, one for each recall range. For a learner that has none,
    /// the area of the ranking.
    pub auc_pr_points: Option<f64>,
    /// Exact area under the achievable curve of the ranking: at the thresholds that are corners of its ROC convex hull
    /// on tune. `None` if the model has learnt from tune itself. [GLEANER §9.3]
    pub auc_pr_achievable: Option<f64>,
    /// Precision of the operating decision.
    pub precision: Option<f64>,
    /// Recall of the operating decision.
    pub recall: Option<f64>,
    /// F1 of the operating decision.
    pub f1: Option<f64>,
    /// Accuracy of the operating decision.
    pub accuracy: Option<f64>,
    /// The share of the negatives that the operating decision calls positive.
    pub false_positive_rate: Option<f64>,
}

impl DecisionMetrics {
    /// The metrics of the operating decision; areas are those of its curves.
    pub(crate) fn of(decided: Counts, totals: Totals) -> Self {
        Self {
            auc_pr_points: None,
            auc_pr_achievable: None,
            precision: decided.precision(totals.negative_weight),
            recall: decided.recall(totals),
            f1: decided.f_beta(1.0, totals),
            accuracy: decided.accuracy(totals),
            false_positive_rate: decided.false_positive_rate(totals),
        }
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::{Counts, NegativeWeight, Totals};
    use gleaner_stats::eval::{Ranking, metrics};

    use super::{DecisionMetrics, MetricSources, RunMetrics};
    use crate::experiment::metrics::metric_list::fold_columns;

    const NAMES: [&str; 3] = ["break_even", "eleven_point_average", "false_positive_rate"];

    /// By hand: + - + - -, where each negative stands for two, and the first three are called positive.
    ///
    /// The curve goes through (TP, FP) = (1, 0), (1, 2), (2, 2) to (2, 6). Precision equals recall where two are covered:
    /// at (1, 1), where both are 1/2. Up to recall .5 the best precision is 1, at six levels; at the other five it is 2/4.
    #[test]
    fn break_even_eleven_points_and_false_positive_rate_are_recorded() {
        let weight = NegativeWeight::new(2, 1);
        let ranked = [(5.0, true), (4.0, false), (3.0, true), (2.0, false), (1.0, false)];
        let weighed =
            ranked.map(|(score, is_positive)| (score, is_positive, if is_positive { 1.0 } else { 2.0 }));
        let ranking = Ranking::weighted(weighed).expect("scores are finite");
        let totals = Totals { n_positives: 2, n_negatives: 3, negative_weight: weight };
        let called = Counts { true_positives: 2, false_positives: 1 };
        let of = |totals| {
            RunMetrics::of(MetricSources {
                ranking: Some(&metrics(&ranking)),
                decisions: Some(&DecisionMetrics::of(called, totals)),
                probabilities: None,
            })
        };
        let found = NAMES.map(|name| of(totals).get(name).expect(name));
        for (found, expected) in found.into_iter().zip([0.5, 17.0 / 22.0, 1.0 / 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let no_negatives = Totals { n_negatives: 0, ..totals };
        let called = Counts { false_positives: 0, ..called };
        assert_eq!(DecisionMetrics::of(called, no_negatives).false_positive_rate, None);
        // The table of folds is as wide as a terminal.
        assert!(fold_columns().iter().all(|metric| !NAMES.contains(&metric.name)));
    }
}
