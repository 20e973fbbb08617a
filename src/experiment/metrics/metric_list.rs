//! The list of all metrics. Tables, run records, comparisons and reports take their metrics from its rows.
//!
//! To add a metric, add a field with its computation, where [`Of`] says, and a row here.

use gleaner_stats::eval::{Metrics, ProbabilityMetrics};

use crate::experiment::classes::metrics::ClassMetrics;
use crate::experiment::links::ranks::RankAnswer;
use crate::experiment::metrics::of_run::DecisionMetrics;
use crate::experiment::numbers::metrics::NumberFigures;

/// One of the metrics.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name in JSON and CSV; of metrics of two classes, and of many, each has its own.
    pub name: &'static str,
    /// The head of a column of nine.
    pub title: &'static str,
    /// The meaning of the metric, in some words.
    pub meaning: &'static str,
    /// Whether small values are good.
    pub is_loss: bool,
    /// Where its value is.
    pub of: Of,
    /// Where it is shown.
    pub shown: Shown,
}

/// Where a metric is defined, with its value there.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// A metric of a ranking by score, `eval::metrics`.
    Ranking(fn(&Metrics) -> Option<f64>),
    /// A metric of the decisions of a run, [`DecisionMetrics`].
    Decisions(fn(&DecisionMetrics) -> Option<f64>),
    /// A metric of probabilities, `eval::probabilities`; not measured on tune, to which calibrators are fitted.
    Probabilities(fn(&ProbabilityMetrics) -> Option<f64>),
    /// A metric of many classes, [`ClassMetrics`].
    Classes(fn(&ClassMetrics) -> Option<f64>),
    /// A metric of predicted numbers, [`NumberFigures`].
    Numbers(fn(&NumberFigures) -> Option<f64>),
    /// A metric of ranked links, [`RankAnswer`].
    Links(fn(&RankAnswer) -> Option<f64>),
}

/// Where a metric is shown. Numbers are places from the left or from above; 0 is nowhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// Whether runs have it, and so their records, tables and curves.
    pub is_recorded: bool,
    /// The row of `evaluate`.
    pub evaluated: u8,
    /// The column of the table of folds, which is as wide as a terminal.
    pub in_folds: u8,
    /// The column of comparisons where no metric is asked for; the first is compared pair by pair.
    pub compared: u8,
    /// Whether groups of examples have it.
    pub is_of_groups: bool,
}

/// The measurements that metrics take their values from; `None` for a part that is not measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct MetricSources<'m> {
    /// A ranking by score.
    pub ranking: Option<&'m Metrics>,
    /// Decisions of a run.
    pub decisions: Option<&'m DecisionMetrics>,
    /// Probabilities.
    pub probabilities: Option<&'m ProbabilityMetrics>,
}

impl Metric {
    const fn new(name: &'static str, title: &'static str, meaning: &'static str, of: Of) -> Self {
        let shown = Shown { is_recorded: false, evaluated: 0, in_folds: 0, compared: 0, is_of_groups: false };
        Self { name, title, meaning, is_loss: false, of, shown }
    }

    /// A metric of predicted numbers.
    const fn of_number(
        name: &'static str,
        title: &'static str,
        meaning: &'static str,
        of: fn(&NumberFigures) -> Option<f64>,
    ) -> Self {
        Self::new(name, title, meaning, Of::Numbers(of))
    }

    /// A metric of ranked links.
    const fn of_link(
        name: &'static str,
        title: &'static str,
        meaning: &'static str,
        of: fn(&RankAnswer) -> Option<f64>,
    ) -> Self {
        Self::new(name, title, meaning, Of::Links(of))
    }

    const fn loss(self) -> Self {
        Self { is_loss: true, ..self }
    }

    const fn recorded(self) -> Self {
        Self { shown: Shown { is_recorded: true, ..self.shown }, ..self }
    }

    const fn evaluated(self, row: u8) -> Self {
        Self { shown: Shown { evaluated: row, ..self.shown }, ..self }
    }

    const fn in_folds(self, column: u8) -> Self {
        Self { shown: Shown { in_folds: column, ..self.shown }, ..self }
    }

    const fn compared(self, column: u8) -> Self {
        Self { shown: Shown { compared: column, ..self.shown }, ..self }
    }

    const fn of_groups(self) -> Self {
        Self { shown: Shown { is_of_groups: true, ..self.shown }, ..self }
    }

    /// The metric of two classes, of numbers or of links that has this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        METRICS.iter().find(|metric| metric.name == name && !matches!(metric.of, Of::Classes(_)))
    }

    /// Whether it is of probabilities.
    pub const fn is_of_probabilities(&self) -> bool {
        matches!(self.of, Of::Probabilities(_))
    }

    /// The value of the metric for two classes.
    pub fn value(&self, measured: MetricSources<'_>) -> Option<f64> {
        match self.of {
            Of::Ranking(of) => measured.ranking.and_then(of),
            Of::Decisions(of) => measured.decisions.and_then(of),
            Of::Probabilities(of) => measured.probabilities.and_then(of),
            Of::Classes(_) | Of::Numbers(_) | Of::Links(_) => None,
        }
    }

    /// The value of the metric for many classes.
    pub fn of_classes(&self, metrics: &ClassMetrics) -> Option<f64> {
        match self.of {
            Of::Classes(of) => of(metrics),
            _ => None,
        }
    }

    /// The value of the metric for predicted numbers.
    pub fn of_numbers(&self, figures: &NumberFigures) -> Option<f64> {
        match self.of {
            Of::Numbers(of) => of(figures),
            _ => None,
        }
    }

    /// The value of the metric for ranked links.
    pub fn of_links(&self, ranks: &RankAnswer) -> Option<f64> {
        match self.of {
            Of::Links(of) => of(ranks),
            _ => None,
        }
    }
}

/// The metrics that runs have, in the order reported.
pub fn recorded() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| metric.shown.is_recorded)
}

/// The metrics of many classes, in the order reported.
pub fn of_classes() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| matches!(metric.of, Of::Classes(_)))
}

/// The metrics of predicted numbers, in the order reported.
pub fn of_numbers() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| matches!(metric.of, Of::Numbers(_)))
}

/// The metrics of ranked links, in the order reported.
pub fn of_links() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| matches!(metric.of, Of::Links(_)))
}

/// The names of the metrics that runs over links are compared in by default; the first is compared pair by pair.
pub const COMPARED_OF_LINKS: [&str; 4] = ["mrr", "hits_1", "hits_3", "hits_10"];

/// The metrics that have such a place, by it.
fn placed(place: fn(&Metric) -> u8) -> Vec<&'static Metric> {
    let mut placed: Vec<&Metric> = METRICS.iter().filter(|metric| place(metric) > 0).collect();
    placed.sort_by_key(|metric| place(metric));
    placed
}

/// The columns of the table of folds of two classes.
pub fn fold_columns() -> Vec<&'static Metric> {
    placed(|metric| if matches!(metric.of, Of::Classes(_)) { 0 } else { metric.shown.in_folds })
}

/// The rows of `evaluate` of a ranking.
pub fn evaluated() -> Vec<&'static Metric> {
    placed(|metric| metric.shown.evaluated)
}

/// The names of the metrics that are compared by default; the text compares the first, the area, pair by pair.
pub fn compared() -> Vec<&'static str> {
    placed(|metric| metric.shown.compared).iter().map(|metric| metric.name).collect()
}

/// All metrics in the order reported.
pub const METRICS: &[Metric] = &[
    Metric::new(
        "auc_pr",
        "auc_pr",
        "exact area under the precision-recall curve",
        Of::Ranking(|of| of.auc_pr),
    )
    .recorded()
    .evaluated(1)
    .in_folds(1)
    .compared(1)
    .of_groups(),
    Metric::new(
        "auc_pr_points",
        "points",
        "exact area under the curve through the operating points",
        Of::Decisions(|of| of.auc_pr_points),
    )
    .recorded()
    .in_folds(2)
    .compared(2),
    Metric::new(
        "auc_pr_achievable",
        "achieva…",
        "at thresholds of the ROC convex hull on tune",
        Of::Decisions(|of| of.auc_pr_achievable),
    )
    .recorded(),
    Metric::new("auc_roc", "auc_roc", "area under the ROC curve", Of::Ranking(|of| of.auc_roc))
        .recorded()
        .evaluated(5)
        .in_folds(4)
        .compared(3)
        .of_groups(),
    Metric::new("average_precision", "avg.prec", "uninterpolated", Of::Ranking(|of| of.average_precision))
        .recorded()
        .evaluated(4)
        .in_folds(3)
        .compared(4)
        .of_groups(),
    Metric::new(
        "best_f1",
        "best_f1",
        "best threshold, chosen on these very examples",
        Of::Ranking(|of| of.best_f1),
    )
    .recorded()
    .evaluated(6)
    .compared(5),
    Metric::new(
        "precision",
        "precisi…",
        "precision of the operating decision",
        Of::Decisions(|of| of.precision),
    )
    .recorded(),
    Metric::new("recall", "recall", "recall of the operating decision", Of::Decisions(|of| of.recall))
        .recorded(),
    Metric::new("f1", "f1", "F1 of the operating decision", Of::Decisions(|of| of.f1))
        .recorded()
        .in_folds(5)
        .compared(6),
    Metric::new(
        "accuracy",
        "accuracy",
        "accuracy of the operating decision",
        Of::Decisions(|of| of.accuracy),
    )
    .recorded(),
    Metric::new(
        "false_positive_rate",
        "fp rate",
        "share of the negatives that the operating decision calls positive",
        Of::Decisions(|of| of.false_positive_rate),
    )
    .recorded()
    .loss(),
    Metric::new("prevalence", "preval.", "the area of a random ranking", Of::Ranking(|of| of.prevalence))
        .recorded()
        .evaluated(3)
        .in_folds(6),
    Metric::new(
        "minimum_auc_pr",
        "minimum",
        "the least that any ranking can have",
        Of::Ranking(|of| of.minimum_auc_pr),
    )
    .evaluated(2),
    Metric::new("break_even", "break e…", "where precision equals recall", Of::Ranking(|of| of.break_even))
        .recorded()
        .evaluated(7),
    Metric::new(
        "eleven_point_average",
        "11 poin…",
        "interpolated at recall 0, 0.1, ... 1",
        Of::Ranking(|of| of.eleven_point_average),
    )
    .recorded()
    .evaluated(8),
    Metric::new(
        "mean_cross_entropy",
        "cross en…",
        "of the probabilities; 0 is best",
        Of::Probabilities(|of| of.mean_cross_entropy),
    )
    .recorded()
    .loss(),
    Metric::new(
        "prior_cross_entropy",
        "prior",
        "of the base rate of train and tune alone",
        Of::Probabilities(|of| of.prior_cross_entropy),
    )
    .recorded()
    .loss(),
    Metric::new(
        "cross_entropy_positives",
        "of pos",
        "mean over positives",
        Of::Probabilities(|of| of.cross_entropy_positives),
    )
    .recorded()
    .loss(),
    Metric::new(
        "cross_entropy_negatives",
        "of neg",
        "mean over negatives",
        Of::Probabilities(|of| of.cross_entropy_negatives),
    )
    .recorded()
    .loss(),
    Metric::new(
        "brier",
        "brier",
        "mean squared error: reliability - resolution + uncertainty",
        Of::Probabilities(|of| of.brier),
    )
    .recorded()
    .loss(),
    Metric::new("brier_reliability", "reliabi…", "0 is best", Of::Probabilities(|of| of.brier_reliability))
        .recorded()
        .loss(),
    Metric::new(
        "brier_resolution",
        "resolut…",
        "the uncertainty is best",
        Of::Probabilities(|of| of.brier_resolution),
    )
    .recorded(),
    Metric::new(
        "brier_uncertainty",
        "uncerta…",
        "of the prevalence",
        Of::Probabilities(|of| of.brier_uncertainty),
    )
    .recorded()
    .loss(),
    Metric::new(
        "calibration_error",
        "cal.err.",
        "expected, over ten bins",
        Of::Probabilities(|of| of.calibration_error),
    )
    .recorded()
    .loss(),
    Metric::new(
        "expected_positives",
        "expected",
        "the sum of the probabilities",
        Of::Probabilities(|of| of.expected_positives),
    )
    .recorded(),
    Metric::new("observed_positives", "observed", "by weight", Of::Probabilities(|of| of.observed_positives))
        .recorded(),
    Metric::new(
        "precision_at_probability",
        "p at p",
        "at ⁅at-probability⁆ or more",
        Of::Probabilities(|of| of.precision_at_probability),
    )
    .recorded(),
    Metric::new(
        "recall_at_probability",
        "r at p",
        "at ⁅at-probability⁆ or more",
        Of::Probabilities(|of| of.recall_at_probability),
    )
    .recorded(),
    Metric::new("accuracy", "accuracy", "of the most probable class", Of::Classes(|of| of.accuracy))
        .in_folds(1),
    Metric::new(
        "accuracy_of_prior",
        "prior",
        "of the most frequent class of train and tune",
        Of::Classes(|of| of.accuracy_of_prior),
    )
    .in_folds(2),
    Metric::new("macro_f1", "macro f1", "mean over classes", Of::Classes(|of| of.macro_f1)).in_folds(3),
    Metric::new(
        "micro_f1",
        "micro f1",
        "of all classes together: the accuracy",
        Of::Classes(|of| of.micro_f1),
    ),
    Metric::new("log_loss", "log loss", "of the probabilities; 0 is best", Of::Classes(|of| of.log_loss))
        .in_folds(5)
        .loss(),
    Metric::new(
        "log_loss_of_prior",
        "prior",
        "of the classes' shares of train and tune",
        Of::Classes(|of| of.log_loss_of_prior),
    )
    .in_folds(6)
    .loss(),
    Metric::new(
        "macro_auc_pr",
        "auc_pr",
        "mean over classes, each against the rest",
        Of::Classes(|of| of.macro_auc_pr),
    )
    .in_folds(7),
    Metric::new(
        "macro_auc_roc",
        "auc_roc",
        "mean over classes, each against the rest",
        Of::Classes(|of| of.macro_auc_roc),
    )
    .in_folds(8),
    Metric::of_number("mae", "MAE", "mean absolute error", |of| of.model.mae).loss(),
    Metric::of_number("rmse", "RMSE", "root of the mean squared error", |of| of.model.rmse).loss(),
    Metric::of_number(
        "r2",
        "R2",
        "share of the squares about the mean of test that predictions explain",
        |of| of.model.r2,
    ),
    Metric::of_number(
        "poisson_deviance",
        "deviance",
        "mean Poisson deviance, with ⁅loss=poisson⁆",
        |of| of.model.poisson_deviance,
    )
    .loss(),
    Metric::of_number("pinball", "pinball", "mean pinball loss, with ⁅loss=quantile⁆", |of| {
        of.model.pinball
    })
    .loss(),
    Metric::of_number(
        "mae_of_mean",
        "of mean",
        "mae of the mean of train and tune as prediction of all",
        |of| of.of_mean.mae,
    )
    .loss(),
    Metric::of_number(
        "rmse_of_mean",
        "of mean",
        "rmse of the mean of train and tune as prediction of all",
        |of| of.of_mean.rmse,
    )
    .loss(),
    Metric::of_number(
        "r2_of_mean",
        "of mean",
        "r2 of the mean of train and tune as prediction of all",
        |of| of.of_mean.r2,
    ),
    Metric::of_number(
        "poisson_deviance_of_mean",
        "of mean",
        "poisson_deviance of the mean of train and tune as prediction of all",
        |of| of.of_mean.poisson_deviance,
    )
    .loss(),
    Metric::of_number(
        "pinball_of_mean",
        "of mean",
        "pinball of the mean of train and tune as prediction of all",
        |of| of.of_mean.pinball,
    )
    .loss(),
    Metric::of_number(
        "mae_of_median",
        "of median",
        "mae of the median of train and tune as prediction of all",
        |of| of.of_median.mae,
    )
    .loss(),
    Metric::of_number(
        "rmse_of_median",
        "of median",
        "rmse of the median of train and tune as prediction of all",
        |of| of.of_median.rmse,
    )
    .loss(),
    Metric::of_number(
        "r2_of_median",
        "of median",
        "r2 of the median of train and tune as prediction of all",
        |of| of.of_median.r2,
    ),
    Metric::of_number(
        "poisson_deviance_of_median",
        "of median",
        "poisson_deviance of the median of train and tune as prediction of all",
        |of| of.of_median.poisson_deviance,
    )
    .loss(),
    Metric::of_number(
        "pinball_of_median",
        "of median",
        "pinball of the median of train and tune as prediction of all",
        |of| of.of_median.pinball,
    )
    .loss(),
    Metric::of_number(
        "within_80",
        "in 80 %",
        "share of test whose number lies within its interval of 80 %",
        |of| of.covered(0),
    ),
    Metric::of_number(
        "within_90",
        "in 90 %",
        "share of test whose number lies within its interval of 90 %",
        |of| of.covered(1),
    ),
    Metric::of_number("width_80", "wide 80", "mean width of the intervals of 80 %", |of| of.width(0)).loss(),
    Metric::of_number("width_90", "wide 90", "mean width of the intervals of 90 %", |of| of.width(1)).loss(),
    Metric::of_number(
        "at_or_below",
        "below",
        "share of test whose number is at most the prediction, with ⁅loss=quantile⁆",
        |of| of.at_or_below,
    ),
    Metric::of_link("mrr", "MRR", "mean of one over the rank, over both ends of each link", |of| {
        of.metrics.mrr
    }),
    Metric::of_link("hits_1", "hits@1", "share of ranks of 1", |of| of.metrics.hits_1),
    Metric::of_link("hits_3", "hits@3", "share of ranks up to 3", |of| of.metrics.hits_3),
    Metric::of_link("hits_10", "hits@10", "share of ranks up to 10", |of| of.metrics.hits_10),
    Metric::of_link("mean_rank", "rank", "mean rank; 1 is best", |of| of.metrics.mean_rank).loss(),
    Metric::of_link("mrr_of_subjects", "subjects", "mrr of the subjects of links", |of| of.subjects.mrr),
    Metric::of_link("mrr_of_objects", "objects", "mrr of the objects of links", |of| of.objects.mrr),
    Metric::of_link(
        "checked_auc_pr",
        "auc_pr",
        "auc_pr of the scores beside links checked to be false",
        |of| of.checked.as_ref()?.auc_pr,
    ),
    Metric::of_link(
        "checked_auc_roc",
        "auc_roc",
        "auc_roc of the scores beside links checked to be false",
        |of| of.checked.as_ref()?.auc_roc,
    ),
    Metric::of_link(
        "checked_accuracy",
        "accuracy",
        "share of links and of links checked to be false that thresholds tell apart",
        |of| of.checked.as_ref()?.accuracy,
    ),
];
