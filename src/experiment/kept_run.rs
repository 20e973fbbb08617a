//! Finished runs as texts that give the same run again, to the last bit.
//!
//! Clauses are kept by the ids of their symbols, which are the same whenever the same files are read: a checkpoint
//! names its files by their hashes. JSON holds every finite number exactly; a run of others is not kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use gleaner_base::{Counts, Keeper, KeptUnder, StopReason, Totals};
use gleaner_data::Problem;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::search::Funnel;
use gleaner_lang::program::Clause;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::record::{Own, SearchRecord};
use gleaner_learn::shown::Reading;
use gleaner_learn::{Calibration, Density, Model, NetworkWork, learner_named};
use gleaner_stats::eval::{PrPoint, ReliabilityBin};

use super::metrics::RunMetrics;
use super::run_result::{LearningPoint, RunResult, ScoredExample, SearchSummary, SeedSummary};
use super::split::Split;

/// The runs of several variants on one split, as they are kept.
#[derive(Clone, Copy)]
pub(super) struct KeptRuns<'a> {
    pub(super) problem: &'a Problem,
    pub(super) variants: &'a [Settings],
    pub(super) split: &'a Split,
    pub(super) repeat: usize,
    pub(super) keeper: &'a dyn Keeper,
}

impl KeptRuns<'_> {
    /// The run of a variant, if it was finished before.
    pub(super) fn read(&self, variant_idx: usize) -> Option<RunResult> {
        let name = self.name(variant_idx);
        let text = self.keeper.kept(&name)?;
        match self.run_of(&text, variant_idx) {
            Ok(run) => Some(run),
            Err(why) => {
                self.keeper.reject(&name, &why);
                None
            }
        }
    }

    /// Keeps the run of a variant, unless an outer stop cut it short: it is not finished then.
    pub(super) fn keep(&self, variant_idx: usize, run: &RunResult) {
        if run.search.outer_stop().is_some() {
            return;
        }
        let learner = self.variants[variant_idx].learner();
        let Ok(text) = KeptRun::of(run, learner, self.problem).and_then(|kept| serde_json::to_string(&kept))
        else {
            return;
        };
        if self.run_of(&text, variant_idx).is_ok_and(|read| self.is_same(run, &read)) {
            self.keeper.keep(&self.name(variant_idx), &text);
        }
    }

    /// The keeper of the seeds of the search that a variant begins.
    pub(super) fn seeds(&self, variant_idx: usize) -> KeptUnder<'_> {
        KeptUnder::new(self.keeper, self.seeds_beginning(variant_idx))
    }

    /// Forgets the seeds of a search that ended without a stop: its runs are kept.
    pub(super) fn forget_seeds(&self, variant_idx: usize, record: &SearchRecord) {
        if !record.is_stopped() && self.keeper.kept(&self.name(variant_idx)).is_some() {
            self.keeper.forget(&self.seeds_beginning(variant_idx));
        }
    }

    fn seeds_beginning(&self, variant_idx: usize) -> String {
        format!("seed-{}-{}-{}-", self.number(variant_idx), self.repeat + 1, self.split.run_idx + 1)
    }

    fn name(&self, variant_idx: usize) -> String {
        format!("run-{}-{}-{}", self.number(variant_idx), self.repeat + 1, self.split.run_idx + 1)
    }

    /// The number of the variant, from 1; of many classes, each class has all variants.
    fn number(&self, variant_idx: usize) -> usize {
        let class = self.problem.classes.as_ref().map_or(0, |list| list.own.index());
        class * self.variants.len() + variant_idx + 1
    }

    fn run_of(&self, text: &str, variant_idx: usize) -> Result<RunResult, String> {
        let kept: KeptRun = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let is_this = kept.learner == self.variants[variant_idx].learner()
            && (&kept.fold, kept.repeat) == (&self.split.name, self.repeat);
        if !is_this {
            return Err(format!("it is of fold {}, repetition {}", kept.fold, kept.repeat + 1));
        }
        kept.into_run(self.split).map_err(|error| error.to_string())
    }

    /// Whether a run that was read is the one that was written: numbers that are none differ from themselves.
    fn is_same(&self, run: &RunResult, read: &RunResult) -> bool {
        let saved = |model: &dyn Model| serde_json::to_string(&model.saved(&self.problem.symbols)).ok();
        saved(&*run.model) == saved(&*read.model)
            && run.model.clauses() == read.model.clauses()
            && (&run.search, &run.density, &run.curve) == (&read.search, &read.density, &read.curve)
            && (&run.hull_thresholds, &run.calibration) == (&read.hull_thresholds, &read.calibration)
            && (&run.reliability, &run.scored) == (&read.reliability, &read.scored)
            && run.learning_curve == read.learning_curve
            && (&run.metrics, &run.tune_metrics) == (&read.metrics, &read.tune_metrics)
            && (run.was_searched, &run.test_points, run.sizes)
                == (read.was_searched, &read.test_points, read.sizes)
    }
}

#[derive(Serialize, Deserialize)]
struct KeptRun {
    learner: String,
    fold: String,
    repeat: usize,
    /// The model as its file holds it.
    model: Box<RawValue>,
    /// The model's clauses, in order: a file holds them as texts.
    clauses: Vec<Clause>,
    search: KeptSearch,
    /// The part of the search record that only this learner has.
    own: Box<RawValue>,
    density: Option<Density>,
    was_searched: bool,
    test_points: Vec<Counts>,
    curve: Vec<PrPoint>,
    hull_thresholds: Vec<f64>,
    calibration: Option<Calibration>,
    reliability: Vec<ReliabilityBin>,
    scored: Vec<ScoredExample>,
    metrics: RunMetrics,
    tune_metrics: RunMetrics,
    learning_curve: Vec<LearningPoint>,
    sizes: [Totals; 3],
}

/// A [`SearchSummary`] without the part that only the learner has.
#[derive(Serialize, Deserialize)]
struct KeptSearch {
    n_seeds: usize,
    bottom_literals: [usize; 3],
    n_cut_bottoms: usize,
    cuts: Vec<LimitCut>,
    stops: Vec<(StopReason, usize)>,
    funnel: Funnel,
    networks: NetworkWork,
    seeds: Vec<SeedSummary>,
}

impl KeptRun {
    fn of(run: &RunResult, learner: String, problem: &Problem) -> Result<Self, serde_json::Error> {
        Ok(Self {
            learner,
            fold: run.split.name.clone(),
            repeat: run.repeat,
            model: serde_json::value::to_raw_value(&run.model.saved(&problem.symbols))?,
            clauses: run.model.clauses().into_iter().cloned().collect(),
            search: KeptSearch::of(&run.search),
            own: serde_json::value::to_raw_value(&run.search.own)?,
            density: run.density.clone(),
            was_searched: run.was_searched,
            test_points: run.test_points.clone(),
            curve: run.curve.clone(),
            hull_thresholds: run.hull_thresholds.clone(),
            calibration: run.calibration.clone(),
            reliability: run.reliability.clone(),
            scored: run.scored.clone(),
            metrics: run.metrics.clone(),
            tune_metrics: run.tune_metrics.clone(),
            learning_curve: run.learning_curve.clone(),
            sizes: run.sizes,
        })
    }

    fn into_run(self, split: &Split) -> Result<RunResult, serde_json::Error> {
        let learner = learner_named(&self.learner)
            .ok_or_else(|| serde::de::Error::custom("its learner is not known"))?;
        let saved = learner.read_model(self.model.get())?;
        if saved.clause_texts().len() != self.clauses.len() {
            return Err(serde::de::Error::custom("its clauses are not all there"));
        }
        let model: Arc<dyn Model> = saved.to_model(&mut self.clauses.into_iter());
        Ok(RunResult {
            split: split.clone(),
            repeat: self.repeat,
            model,
            search: self.search.into_summary(learner.read_own(self.own.get())?),
            density: self.density,
            was_searched: self.was_searched,
            test_points: self.test_points,
            curve: self.curve,
            hull_thresholds: self.hull_thresholds,
            calibration: self.calibration,
            reliability: self.reliability,
            scored: self.scored,
            metrics: self.metrics,
            tune_metrics: self.tune_metrics,
            learning_curve: self.learning_curve,
            sizes: self.sizes,
            reading: Reading::default(),
        })
    }
}

impl KeptSearch {
    fn of(search: &SearchSummary) -> Self {
        Self {
            n_seeds: search.n_seeds,
            bottom_literals: search.bottom_literals,
            n_cut_bottoms: search.n_cut_bottoms,
            cuts: search.cuts.clone(),
            stops: search.stops.clone(),
            funnel: search.funnel,
            networks: search.networks,
            seeds: search.seeds.clone(),
        }
    }

    fn into_summary(self, own: Own) -> SearchSummary {
        SearchSummary {
            n_seeds: self.n_seeds,
            bottom_literals: self.bottom_literals,
            n_cut_bottoms: self.n_cut_bottoms,
            cuts: self.cuts,
            stops: self.stops,
            funnel: self.funnel,
            networks: self.networks,
            seeds: self.seeds,
            own,
        }
    }
}
