//! Cross-validation over the links of a graph: its folds, all runs of an experiment, and their averages.
//!
//! The record of runs over the links of a graph.
//!
//! The result of `cv` of links: of one learner, or of several variants on the same folds.

use std::fmt;
use std::sync::Arc;

use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_data::Division;
use gleaner_data::graph::FORMAT;
use gleaner_lang::program::examples::GraphData;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_learn::RunContext;
use gleaner_learn::links::rank::{Among, RankMetrics};
use gleaner_learn::links::{Better, Interrupted, Learning, LinkConfig, LinkModel};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::Serialize;

use crate::experiment::comparing::comparison::choose;
use crate::experiment::comparing::side_by_side::{Beside, CvAnswer, VariantName, is_common};
use crate::experiment::links::ranks::{LinkPart, NotAll, RankAnswer, RankRequest};
use crate::experiment::links::run::{LinkFold, LinkRun, shown_name};
use crate::experiment::metrics::metric_list::{COMPARED_OF_LINKS, of_links};
use crate::experiment::metrics::of_run::NamedMetrics;
use crate::experiment::metrics::summary::MetricSummaries;
use crate::experiment::records::run_record::{FoldRecord, LinksRecord, Recorded, Subject};
use crate::experiment::runs::kept_run::{KeptPlace, KeptRuns};
use crate::experiment::runs::scheduled_runs::Measured as _;

/// The name of the fold of a graph with a test part.
const TEST: &str = "test";

/// The part of the time that learning may take where there is a limit; the ranking has the rest.
const LEARNING_SHARE: f64 = 0.7;

/// The runs of one variant and their averages.
#[derive(Clone, Debug)]
pub struct LinkCrossValidation {
    /// One result for each run, by repetition and then fold.
    pub runs: Vec<LinkRun>,
    /// Each metric over the runs.
    pub summaries: MetricSummaries,
    /// Repetitions that an outer stop left out.
    pub n_repeats_left_out: usize,
}

impl LinkCrossValidation {
    fn of(runs: Vec<LinkRun>, n_repeats: usize) -> Self {
        let names: Vec<&str> = of_links().map(|metric| metric.name).collect();
        let n_begun = runs.last().map_or(0, |run| run.repeat + 1);
        let summaries = MetricSummaries::of_runs(&runs, &names);
        Self { summaries, n_repeats_left_out: n_repeats - n_begun, runs }
    }
}

/// A graph with its tested part: the given test links, or made folds of a graph that has none.
pub fn folds(data: GraphData, n_folds: u32, rng_seed: u64) -> Vec<LinkFold> {
    if !data.test.is_empty() {
        return vec![LinkFold { name: TEST.to_owned(), fold_idx: 0, data }];
    }
    let mut order: Vec<usize> = (0..data.train.len()).collect();
    order.shuffle(&mut stream(rng_seed, Purpose::Folds, &[3]));
    let n_folds = n_folds as usize;
    let fold = |fold_idx: usize| {
        let (mut test, mut train) = (Vec::new(), Vec::new());
        for (at, &place) in order.iter().enumerate() {
            let part = if at % n_folds == fold_idx { &mut test } else { &mut train };
            part.push(data.train[place]);
        }
        let data = GraphData { train, test, ..data.clone() };
        LinkFold { name: format!("fold{}", fold_idx + 1), fold_idx, data }
    };
    (0..n_folds).map(fold).collect()
}

/// How the rules of folds are learnt and their test links ranked.
#[derive(Clone, Copy)]
pub struct LinkWork<'a> {
    /// Stops, seed and keeper.
    pub context: &'a RunContext<'a>,
    /// Whether a run folder is asked for. Then models say how likely new links are, and finished runs are kept.
    pub is_written: bool,
    /// Hears of each better model.
    pub told: &'a dyn Fn(Better),
    /// Hears of each model, with the budget that it was learnt in.
    pub learnt: &'a dyn Fn(&LinkModel, &Budget),
}

impl fmt::Debug for LinkWork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkWork").field("is_written", &self.is_written).finish_non_exhaustive()
    }
}

/// Learns from the other links of each fold, and ranks its own. Does so for each variant, and once for each repetition with
/// other random streams. One run follows another, as each has all threads. A stop leaves out the runs that it comes before.
///
/// **Shape**: one result for each of the settings, in order.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before a sample of the first fold was ranked.
pub fn cross_validate_links(
    folds: &[LinkFold],
    variants: &[Settings],
    n_repeats: usize,
    work: &LinkWork<'_>,
) -> Result<Vec<LinkCrossValidation>, Interrupted> {
    let RunContext { budget, keeper, monitor, .. } = *work.context;
    let n_runs = u32::try_from(folds.len() * variants.len() * n_repeats).unwrap_or(u32::MAX);
    let mut n_left = n_runs;
    let mut runs: Vec<Vec<LinkRun>> = vec![Vec::new(); variants.len()];
    for repeat in 0..n_repeats {
        if repeat > 0 && budget.stop().is_some() {
            break;
        }
        let mut stop = None;
        for fold in folds {
            let place = KeptPlace { fold: &fold.name, fold_idx: fold.fold_idx, repeat, part: 0 };
            let kept = KeptRuns { task: fold, variants, place, keeper };
            for (variant, settings) in variants.iter().enumerate() {
                let run_idx = u64::from(n_runs - n_left);
                monitor.share_done(run_idx, 0.0);
                let of_run = budget.for_one_of(n_left);
                n_left = n_left.saturating_sub(1).max(1);
                let run = match (kept.read::<LinkRun>(variant), stop) {
                    (Some(run), _) => run,
                    (None, Some(reason)) => LinkRun::unranked(fold, repeat, None, Some(reason)),
                    // What came to nothing before it began is no result to compare others with.
                    (None, None)
                        if of_run.stop().is_some()
                            && runs[variant].is_empty()
                            && runs.iter().any(|of| !of.is_empty()) =>
                    {
                        LinkRun::unranked(fold, repeat, None, of_run.stop())
                    }
                    (None, None) => {
                        let is_first = runs[variant].is_empty();
                        let run = work.run(fold, settings, repeat, (&of_run, is_first))?;
                        stop = run.stop.filter(|_| run.ranks.links == 0);
                        if work.is_written {
                            kept.keep(variant, &run);
                        }
                        run
                    }
                };
                monitor.share_done(run_idx, 1.0);
                runs[variant].push(run);
            }
        }
    }
    Ok(runs.into_iter().map(|runs| LinkCrossValidation::of(runs, n_repeats)).collect())
}

/// Does those runs of [`cross_validate_links`] that the keeper wants, for it to keep.
pub(crate) fn work_on_links(
    folds: &[LinkFold],
    variants: &[Settings],
    n_repeats: usize,
    work: &LinkWork<'_>,
) {
    let RunContext { budget, keeper, .. } = *work.context;
    let places = (0..n_repeats).flat_map(|repeat| folds.iter().map(move |fold| (repeat, fold)));
    for (repeat, fold) in places {
        let place = KeptPlace { fold: &fold.name, fold_idx: fold.fold_idx, repeat, part: 0 };
        let kept = KeptRuns { task: fold, variants, place, keeper };
        for (variant, settings) in variants.iter().enumerate().filter(|(variant, _)| kept.is_wanted(*variant))
        {
            if let Ok(run) = work.run(fold, settings, repeat, (budget, false)) {
                kept.keep(variant, &run);
            }
        }
    }
}

impl LinkWork<'_> {
    /// Learns from the other links of a fold, and ranks its own. Where the time for that ran out, a run that `is_needed` ranks a
    /// sample.
    fn run(
        &self,
        fold: &LinkFold,
        settings: &Settings,
        repeat: usize,
        (budget, is_needed): (&Budget, bool),
    ) -> Result<LinkRun, Interrupted> {
        let of_learning = budget
            .left()
            .map_or_else(|| budget.clone(), |left| budget.for_at_most(left.mul_f64(LEARNING_SHARE)));
        let model = self.learn(&fold.data, settings, repeat, &of_learning);
        let stop = of_learning.stop();
        let request =
            RankRequest { model: &model, data: &fold.data, part: LinkPart::Test, among: Among::Entities };
        let ranks = match RankAnswer::of(&request, budget) {
            Ok(ranks) => ranks,
            // The runs before have figures.
            Err(Interrupted(reason)) if !is_needed => {
                return Ok(LinkRun::unranked(fold, repeat, Some(model), Some(reason)));
            }
            // A sample of the links tells what the rules that were found until then are worth.
            Err(Interrupted(reason)) => {
                let sample = RankAnswer::of(&request, &budget.last())?;
                let not_all = sample.not_all.map(|not_all| NotAll { stop: reason, ..not_all });
                RankAnswer { not_all, ..sample }
            }
        };
        let stop = stop.or_else(|| Some(ranks.not_all?.stop));
        Ok(LinkRun::of(fold, repeat, Some(model), ranks, stop))
    }

    /// Learns the rules of all relations, and tells of them.
    pub fn learn(
        &self,
        data: &GraphData,
        settings: &Settings,
        repeat: usize,
        budget: &Budget,
    ) -> Arc<LinkModel> {
        let config = LinkConfig::of(settings, DataSummary::default());
        let rng_seed = seed_of(self.context.rng_seed, repeat);
        let (with_likelihood, told) = (self.is_written, self.told);
        let model = LinkModel::learn(data, Learning { config, rng_seed, with_likelihood, budget, told });
        (self.learnt)(&model, budget);
        Arc::new(model)
    }

    /// The run of a fold, as that of the first repetition.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out before a sample was ranked.
    pub fn one(&self, fold: &LinkFold, settings: &Settings) -> Result<LinkRun, Interrupted> {
        self.run(fold, settings, 0, (self.context.budget, true))
    }

    /// A run that learns from all links but those of test, and ranks none.
    pub fn whole(&self, data: GraphData, settings: &Settings) -> LinkRun {
        let model = self.learn(&data, settings, 0, self.context.budget);
        let fold = LinkFold { name: "all".to_owned(), fold_idx: 0, data };
        LinkRun::unranked(&fold, 0, Some(model), self.context.budget.stop())
    }
}

/// The seed of a repetition: that of the experiment for the first.
fn seed_of(rng_seed: u64, repeat: usize) -> u64 {
    if repeat == 0 { rng_seed } else { stream(rng_seed, Purpose::Search, &[repeat as u64]).random() }
}

/// The learner of links, as records name it: there is one.
pub const LINK_LEARNER: &str = "links";

/// The target of a graph, as records name it.
pub const ALL_LINKS: &str = "all";

impl Subject {
    /// The links of a graph.
    pub fn of_links(graph: &GraphData) -> Self {
        Self {
            target: ALL_LINKS.to_owned(),
            format: FORMAT,
            division: match (graph.tune.is_empty(), graph.test.is_empty()) {
                (_, true) => Division::None,
                (true, false) => Division::TrainTest,
                (false, false) => Division::TrainTuneTest,
            },
            positives: graph.train.len() + graph.tune.len() + graph.test.len(),
            negatives: graph.tune_false.len() + graph.test_false.len(),
            negative_weight: None,
        }
    }
}

impl Recorded for LinkRun {
    fn folds(&self) -> Vec<FoldRecord> {
        let [train, tune, test] = self.sizes;
        let names: Vec<&str> = of_links().map(|metric| metric.name).collect();
        let model = self.model.as_deref();
        vec![FoldRecord {
            fold: self.fold.clone(),
            repeat: self.repeat,
            train,
            tune,
            test,
            n_clauses: model.map_or(0, |model| model.closed.len()),
            metrics: NamedMetrics::of(self, &names),
            stop: self.stop,
            links: Some(LinksRecord {
                relations: self.n_relations,
                chosen_on: model.map(|model| model.chosen_on),
                ranks: self.ranks.clone(),
            }),
            ..FoldRecord::default()
        }]
    }
}

impl Recorded for LinkCrossValidation {
    fn folds(&self) -> Vec<FoldRecord> {
        self.runs.iter().flat_map(LinkRun::folds).collect()
    }

    fn summaries(&self) -> [MetricSummaries; 2] {
        [self.summaries.clone(), MetricSummaries::default()]
    }

    fn repeats_left_out(&self) -> usize {
        self.n_repeats_left_out
    }
}

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
