//! Cross-validation: all runs of an experiment, macro-averaged. [GLEANER §3.1.3]

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::base::statistics::{Summary, summarise};
use crate::learn::Conduct;
use crate::problem::Problem;
use crate::program::settings::Settings;

use super::run::{RunResult, run};
use super::split::Split;

/// The runs and their averages.
#[derive(Clone, Debug)]
pub struct CrossValidation {
    /// One result for each run, in order.
    pub runs: Vec<RunResult>,
    /// Mean and spread of each metric over the runs, in the order of [`super::Metrics::named`].
    pub summaries: Vec<(&'static str, Summary)>,
    /// Mean and spread of the area at each checkpoint.
    pub learning_curve: Vec<(u64, Summary)>,
}

/// Runs all splits, their seeds in parallel.
#[must_use]
pub fn cross_validate(
    problem: &Problem,
    settings: &Settings,
    splits: &[Split],
    conduct: &Conduct<'_>,
) -> CrossValidation {
    let runs: Vec<RunResult> =
        splits.par_iter().map(|split| run(problem, settings, split, conduct)).collect();
    let names = runs.first().map(|run| run.metrics.named()).unwrap_or_default();
    let summaries = names
        .iter()
        .enumerate()
        .map(|(position, &(name, _))| {
            let values: Vec<Option<f64>> = runs.iter().map(|run| run.metrics.named()[position].1).collect();
            (name, summarise(&values))
        })
        .collect();
    let n_checkpoints = runs.iter().map(|run| run.learning_curve.len()).min().unwrap_or(0);
    let learning_curve = (0..n_checkpoints)
        .map(|position| {
            let values: Vec<Option<f64>> =
                runs.iter().map(|run| run.learning_curve[position].auc_pr).collect();
            (runs[0].learning_curve[position].clauses_per_seed, summarise(&values))
        })
        .collect();
    CrossValidation { runs, summaries, learning_curve }
}
