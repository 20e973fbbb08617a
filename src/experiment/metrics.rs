//! What a set of examples says of a model.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use gleaner_base::Totals;
use gleaner_engine::coverage::Universe;
use gleaner_learn::{Calibration, Points, Scoring};
use gleaner_stats::eval::{
    Measuring, OperatingPoints, PrCurve, ProbabilityMetrics, Ranking, ReliabilityBin, achievable_auc_pr,
    hull_thresholds, metrics, probability_metrics, reliability_table,
};

use super::filtered::Filtered;

/// The metrics of one set of examples, tune or test; `None` is undefined.
///
/// Those of tune flatter: the decisions were chosen, and clauses and theories weighed, on its examples.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Metrics {
    /// Exact area under the curve of the ranking by score. [PRCURVE §3]
    pub auc_pr: Option<f64>,
    /// Exact area under the curve through the operating points, one for each recall range; of a learner that has none,
    /// that of the ranking.
    pub auc_pr_points: Option<f64>,
    /// Exact area under the achievable curve of the ranking: at the thresholds that are corners of its ROC convex hull on
    /// tune. None of a model that has learnt from tune itself. [GLEANER §9.3]
    pub auc_pr_achievable: Option<f64>,
    /// Area under the ROC curve of the scores.
    pub auc_roc: Option<f64>,
    /// Average precision of the scores.
    pub average_precision: Option<f64>,
    /// Best F1 over the thresholds of the scores; chosen on the same examples, so a bound, not a result.
    pub best_f1: Option<f64>,
    /// Precision of the operating decision, which was chosen on tune.
    pub precision: Option<f64>,
    /// Recall of the operating decision.
    pub recall: Option<f64>,
    /// F1 of the operating decision.
    pub f1: Option<f64>,
    /// Accuracy of the operating decision.
    pub accuracy: Option<f64>,
    /// Positives among all: the area of a random ranking.
    pub prevalence: Option<f64>,
    /// Those of the probabilities; none of tune, to which calibrators are fitted, and none where the model has no calibration.
    #[serde(flatten)]
    pub probabilities: ProbabilityMetrics,
}

/// One of the metrics. To add one takes a field of [`Metrics`], a row of [`METRICS`] and its computation, all in
/// this file: tables, curves, records and comparisons go through the rows.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name in JSON and CSV.
    pub name: &'static str,
    /// The head of a column of nine.
    pub title: &'static str,
    /// Whether small values are good.
    pub is_loss: bool,
    /// Whether it is of probabilities, which are not measured on tune.
    pub is_of_probabilities: bool,
    /// Where its value is.
    pub of: fn(&Metrics) -> Option<f64>,
}

impl Metric {
    const fn gain(name: &'static str, title: &'static str, of: fn(&Metrics) -> Option<f64>) -> Self {
        Self { name, title, is_loss: false, is_of_probabilities: false, of }
    }

    const fn of_probabilities(
        name: &'static str,
        title: &'static str,
        of: fn(&Metrics) -> Option<f64>,
    ) -> Self {
        Self { is_of_probabilities: true, ..Self::gain(name, title, of) }
    }

    const fn loss(self) -> Self {
        Self { is_loss: true, ..self }
    }

    /// The metric of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.name == name)
    }
}

/// All metrics in the order reported.
pub const METRICS: [Metric; 24] = [
    Metric::gain("auc_pr", "auc_pr", |metrics| metrics.auc_pr),
    Metric::gain("auc_pr_points", "points", |metrics| metrics.auc_pr_points),
    Metric::gain("auc_pr_achievable", "achieva…", |metrics| metrics.auc_pr_achievable),
    Metric::gain("auc_roc", "auc_roc", |metrics| metrics.auc_roc),
    Metric::gain("average_precision", "avg.prec", |metrics| metrics.average_precision),
    Metric::gain("best_f1", "best_f1", |metrics| metrics.best_f1),
    Metric::gain("precision", "precisi…", |metrics| metrics.precision),
    Metric::gain("recall", "recall", |metrics| metrics.recall),
    Metric::gain("f1", "f1", |metrics| metrics.f1),
    Metric::gain("accuracy", "accuracy", |metrics| metrics.accuracy),
    Metric::gain("prevalence", "preval.", |metrics| metrics.prevalence),
    Metric::of_probabilities("mean_cross_entropy", "cross en…", |metrics| {
        metrics.probabilities.mean_cross_entropy
    })
    .loss(),
    Metric::of_probabilities("prior_cross_entropy", "prior", |metrics| {
        metrics.probabilities.prior_cross_entropy
    })
    .loss(),
    Metric::of_probabilities("cross_entropy_positives", "of pos", |metrics| {
        metrics.probabilities.cross_entropy_positives
    })
    .loss(),
    Metric::of_probabilities("cross_entropy_negatives", "of neg", |metrics| {
        metrics.probabilities.cross_entropy_negatives
    })
    .loss(),
    Metric::of_probabilities("brier", "brier", |metrics| metrics.probabilities.brier).loss(),
    Metric::of_probabilities("brier_reliability", "reliabi…", |metrics| {
        metrics.probabilities.brier_reliability
    })
    .loss(),
    Metric::of_probabilities("brier_resolution", "resolut…", |metrics| {
        metrics.probabilities.brier_resolution
    }),
    Metric::of_probabilities("brier_uncertainty", "uncerta…", |metrics| {
        metrics.probabilities.brier_uncertainty
    })
    .loss(),
    Metric::of_probabilities("calibration_error", "cal.err.", |metrics| {
        metrics.probabilities.calibration_error
    })
    .loss(),
    Metric::of_probabilities("expected_positives", "expected", |metrics| {
        metrics.probabilities.expected_positives
    }),
    Metric::of_probabilities("observed_positives", "observed", |metrics| {
        metrics.probabilities.observed_positives
    }),
    Metric::of_probabilities("precision_at_probability", "p at p", |metrics| {
        metrics.probabilities.precision_at_probability
    }),
    Metric::of_probabilities("recall_at_probability", "r at p", |metrics| {
        metrics.probabilities.recall_at_probability
    }),
];

/// The columns of the table of folds, which is as wide as a terminal.
pub const FOLD_COLUMNS: [&str; 6] =
    ["auc_pr", "auc_pr_points", "average_precision", "auc_roc", "f1", "prevalence"];

/// What is compared where no metric is asked for; the first, the area, pair by pair in the text.
pub const COMPARED: [&str; 6] = ["auc_pr", "auc_pr_points", "auc_roc", "average_precision", "best_f1", "f1"];

impl Metrics {
    /// Each metric with its name, in the order reported.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Option<f64>); METRICS.len()] {
        METRICS.map(|metric| (metric.name, (metric.of)(self)))
    }

    /// The metric of this name; `None`, too, where there is no such metric.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        Metric::find(name).and_then(|metric| (metric.of)(self))
    }
}

/// Metrics by name as a record has them, in its order; a record of another release may have others.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamedMetrics(Vec<(String, Option<f64>)>);

impl NamedMetrics {
    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The metric of this name; `None`, too, where the record lacks it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
    }
}

impl From<&Metrics> for NamedMetrics {
    fn from(metrics: &Metrics) -> Self {
        Self(metrics.named().map(|(name, value)| (name.to_owned(), value)).to_vec())
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

/// What a scoring says of a universe, ranked by score.
#[derive(Debug)]
pub(super) struct RankedScoring<'a> {
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
    pub(super) fn new(scoring: &'a Scoring, universe: &'a Universe) -> Self {
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

    /// The same with the probabilities that a calibration makes of its scores. Filtered positives have none, and do not count
    /// there.
    pub(super) fn with_probabilities(
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
    pub(super) fn reliability(&self) -> &[ReliabilityBin] {
        &self.reliability
    }

    /// The same with the filtered positives that count: they add to `P`, and are found by the last point alone.
    pub(super) fn with_filtered(mut self, filtered: Filtered) -> Self {
        self.totals.n_positives += filtered.n_counted();
        self.ranking = self.ranking.with_last_positives(filtered.n_counted());
        self
    }

    /// The thresholds that the achievable curve of another set goes through.
    pub(super) fn hull_thresholds(&self) -> Vec<f64> {
        hull_thresholds(&self.ranking)
    }

    /// The curve of the ranking by score.
    pub(super) fn score_curve(&self) -> PrCurve {
        PrCurve::from_ranking(&self.ranking)
    }

    /// The curve through the decisions' counts; of a learner without them that by score.
    fn points_curve(&self) -> PrCurve {
        let Points::Decisions(counts) = &self.scoring.points else { return self.score_curve() };
        let points = OperatingPoints::from_counts(counts.iter().copied(), self.totals);
        PrCurve::new(points.expect("counts are at most the totals"))
    }

    /// The metrics, with the achievable area at thresholds that tune chose; all undefined of an empty universe.
    pub(super) fn metrics(&self, hull_thresholds: &[f64]) -> Metrics {
        let Self { scoring, universe, ref ranking, totals, .. } = *self;
        if universe.is_empty() {
            return Metrics::default();
        }
        let decided = universe.counts(&scoring.decided);
        let of_scores = metrics(ranking);
        Metrics {
            auc_pr: of_scores.auc_pr,
            auc_pr_points: self.points_curve().auc_pr(),
            auc_pr_achievable: achievable_auc_pr(ranking, hull_thresholds),
            auc_roc: of_scores.auc_roc,
            average_precision: of_scores.average_precision,
            best_f1: of_scores.best_f1,
            precision: decided.precision(totals.negative_weight),
            recall: decided.recall(totals),
            f1: decided.f_beta(1.0, totals),
            accuracy: decided.accuracy(totals),
            prevalence: of_scores.prevalence,
            probabilities: self.probabilities.clone(),
        }
    }
}
