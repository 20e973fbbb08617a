//! The probabilities of all test folds together.

use serde::Serialize;

use gleaner_stats::eval::ReliabilityBin;

use super::cross_validation::CrossValidation;
use super::run_result::RunResult;

/// Measures of the probabilities of the test examples of all folds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PooledProbabilities {
    /// The sum of the probabilities of all test examples, by weight; the mean over repetitions.
    pub expected_positives: f64,
    /// The positives among them.
    pub observed_positives: f64,
    /// The runs whose mean cross entropy is above that of the prior: these probabilities are worse than the base rate.
    pub worse_than_prior: Vec<String>,
    /// Runs without probabilities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_calibrated: Vec<String>,
    /// The reliability table of all runs.
    pub reliability: Vec<ReliabilityBin>,
}

impl PooledProbabilities {
    /// Pools all runs of an experiment; `None` where no run has probabilities.
    #[must_use]
    pub fn of(validation: &CrossValidation) -> Option<Self> {
        let (calibrated, others): (Vec<&RunResult>, Vec<&RunResult>) =
            validation.runs.iter().partition(|run| !run.reliability.is_empty());
        let first = calibrated.first()?;
        let mut reliability: Vec<ReliabilityBin> = first.reliability.clone();
        for run in &calibrated[1..] {
            reliability.iter_mut().zip(&run.reliability).for_each(|(sum, bin)| sum.add(bin));
        }
        #[expect(clippy::cast_precision_loss, reason = "numbers of runs are small")]
        let n_repeats = calibrated.len() as f64 / validation.n_folds() as f64;
        let sum = |of: fn(&ReliabilityBin) -> f64| reliability.iter().map(of).sum::<f64>() / n_repeats;
        let names = |runs: &[&RunResult]| runs.iter().map(|run| run.name()).collect();
        let worse: Vec<&RunResult> = calibrated.iter().copied().filter(|run| is_worse(run)).collect();
        Some(Self {
            expected_positives: sum(|bin| bin.expected_positives),
            observed_positives: sum(|bin| bin.positives),
            worse_than_prior: names(&worse),
            not_calibrated: names(&others),
            reliability,
        })
    }
}

fn is_worse(run: &RunResult) -> bool {
    let [own, prior] = ["mean_cross_entropy", "prior_cross_entropy"].map(|name| run.metrics.get(name));
    own.zip(prior).is_some_and(|(own, prior)| own > prior)
}
