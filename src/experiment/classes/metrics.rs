//! Metrics of examples of many classes.

use serde::Serialize;

use gleaner_base::statistics::mean;
use gleaner_base::{ClassId, ExampleId};
use gleaner_stats::eval::{ConfusionMatrix, Ranking, log_loss, metrics, most_probable};

/// An example with the probabilities of its classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassScore {
    /// The example.
    pub example: ExampleId,
    /// The example's class, if it is known.
    pub truth: Option<ClassId>,
    /// The most probable class.
    pub said: ClassId,
    /// By class; their sum is 1.
    pub probabilities: Vec<f64>,
}

/// The metrics of a set of examples; `None` is undefined.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClassMetrics {
    /// The share of examples whose most probable class is theirs.
    pub accuracy: Option<f64>,
    /// The accuracy if every example were predicted to be of the most frequent class of train and tune.
    pub accuracy_of_prior: Option<f64>,
    /// The mean over classes of F1.
    pub macro_f1: Option<f64>,
    /// F1 of the counts of all classes together, which is the accuracy.
    pub micro_f1: Option<f64>,
    /// The mean of `-ln` of the probability of each example's class.
    pub log_loss: Option<f64>,
    /// The same, were each example given the classes' shares of train and tune.
    pub log_loss_of_prior: Option<f64>,
    /// The mean over classes of the area against the rest of the ranking by the class's probability.
    pub macro_auc_pr: Option<f64>,
    /// The mean over classes of the ROC area against the rest.
    pub macro_auc_roc: Option<f64>,
}

/// Measurements of scored examples whose classes are known.
#[derive(Clone, Debug)]
pub struct MetricSources {
    /// The count of examples by true class and predicted class.
    pub confusion: ConfusionMatrix,
    /// The metrics.
    pub metrics: ClassMetrics,
    /// By class, the areas under the PR and the ROC curve of its probabilities. `None` of a class that no example has,
    /// or every one.
    pub areas: Vec<[Option<f64>; 2]>,
}

impl MetricSources {
    /// Measures examples; those without a class are left out.
    ///
    /// # Panics
    ///
    /// When a probability is not finite, which is a bug.
    pub fn of(scored: &[ClassScore], priors: &[f64]) -> Self {
        let mut confusion = ConfusionMatrix::new(priors.len());
        let mut by_prior = ConfusionMatrix::new(priors.len());
        let most_frequent = most_probable(priors, priors);
        let labelled = || scored.iter().filter_map(|score| score.truth.map(|truth| (score, truth)));
        for (score, truth) in labelled() {
            confusion.add(truth, score.said);
            by_prior.add(truth, most_frequent);
        }
        let areas: Vec<[Option<f64>; 2]> = (0..priors.len())
            .map(|class| {
                let ranked =
                    labelled().map(|(score, truth)| (score.probabilities[class], truth.index() == class));
                let measured = metrics(&Ranking::new(ranked).expect("probabilities are finite"));
                [measured.auc_pr, measured.auc_roc]
            })
            .collect();
        let mean_area = |at: usize| mean(&areas.iter().filter_map(|of| of[at]).collect::<Vec<_>>());
        let metrics = ClassMetrics {
            accuracy: confusion.accuracy(),
            accuracy_of_prior: by_prior.accuracy(),
            macro_f1: confusion.macro_f1(),
            micro_f1: confusion.micro_f1(),
            log_loss: log_loss(labelled().map(|(score, truth)| score.probabilities[truth.index()])),
            log_loss_of_prior: log_loss(labelled().map(|(_, truth)| priors[truth.index()])),
            macro_auc_pr: mean_area(0),
            macro_auc_roc: mean_area(1),
        };
        Self { confusion, metrics, areas }
    }
}
