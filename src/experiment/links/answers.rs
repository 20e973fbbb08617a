//! The result of `cv` of links: of one learner, or of several variants on the same folds.

use serde::Serialize;

use gleaner_learn::links::rank::RankMetrics;

use crate::experiment::comparing::comparison::choose;
use crate::experiment::comparing::side_by_side::{Beside, CvAnswer, VariantName};
use crate::experiment::comparing::stopped::is_common;
use crate::experiment::links::ranks::RankAnswer;
use crate::experiment::links::run::{LinkRun, shown_name};
use crate::experiment::links::validation::LinkCrossValidation;
use crate::experiment::metrics::metric_list::{COMPARED_OF_LINKS, of_links};
use crate::experiment::runs::measured::Measured as _;

/// What the answer says of a graph: all stands in its results.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NoData {}

/// The answer of a cross-validation over the links of a graph.
pub type LinkCvAnswer = CvAnswer<NoData, LinkVariant>;

/// The result of one variant over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct LinkVariant {
    /// The names of the runs that were ranked.
    #[serde(skip)]
    pub names: Vec<String>,
    /// The ranks of each run, by repetition and then fold.
    pub folds: Vec<RankAnswer>,
    /// The mean over these of the mean reciprocal rank.
    pub mrr: Option<f64>,
    /// The mean of the hits at the first rank.
    pub hits_1: Option<f64>,
    /// The mean of the hits among the first three.
    pub hits_3: Option<f64>,
    /// The mean of the hits among the first ten.
    pub hits_10: Option<f64>,
}

impl LinkCvAnswer {
    /// The results of a learner, or of variants under these names.
    pub fn of(names: &[VariantName], validations: &[LinkCrossValidation]) -> Self {
        let all: Vec<&[LinkRun]> = validations.iter().map(|validation| &*validation.runs).collect();
        let left_out = validations.first().map_or(0, |first| first.n_repeats_left_out);
        let one = || LinkVariant::of_runs(all[0]);
        Self::of_runs(NoData {}, (names, &all), left_out, one, |stopped| {
            let recorded: Vec<&str> = of_links().map(|metric| metric.name).collect();
            let mut common =
                all.iter().copied().flatten().filter(|run| is_common(&run.result_name(), stopped));
            let are_held_out = common.all(|run| run.held_out().is_some());
            let chosen = choose(&all, stopped, LinkRun::held_out, &recorded).filter(|_| are_held_out);
            let results = all.iter().map(|runs| LinkVariant::of_runs(runs)).collect();
            Beside::of((names, results), &all, &COMPARED_OF_LINKS, stopped, chosen)
        })
    }
}

impl LinkVariant {
    fn of_runs(runs: &[LinkRun]) -> Self {
        let ranked = runs.iter().filter(|run| run.is_searched());
        Self::of(ranked.map(|run| (shown_name(&run.fold, run.repeat), run.ranks.clone())))
    }

    /// The result of runs by their names.
    pub fn of(runs: impl Iterator<Item = (String, RankAnswer)>) -> Self {
        let (names, folds): (Vec<String>, Vec<RankAnswer>) = runs.unzip();
        #[expect(clippy::cast_precision_loss, reason = "few folds")]
        let mean = |value: &dyn Fn(&RankMetrics) -> Option<f64>| {
            let values: Option<Vec<f64>> = folds.iter().map(|fold| value(&fold.metrics)).collect();
            values.filter(|values| !values.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
        };
        Self {
            names,
            mrr: mean(&|of| of.mrr),
            hits_1: mean(&|of| of.hits_1),
            hits_3: mean(&|of| of.hits_3),
            hits_10: mean(&|of| of.hits_10),
            folds,
        }
    }
}
