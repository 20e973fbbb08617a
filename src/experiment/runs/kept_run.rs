//! Finished runs as texts that give the same run again, to the last bit.
//!
//! Clauses are kept as texts, which say the same wherever the data are read. JSON holds every finite number exactly; a run
//! of others is not kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use gleaner_base::{Counts, Keeper, KeptUnder, StopReason, Totals};
use gleaner_data::Problem;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::search::Funnel;
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::{kept_text, read_kept};
use gleaner_lang::program::settings::Settings;
use gleaner_learn::learner::AnyLearner;
use gleaner_learn::shown::Reading;
use gleaner_learn::{Calibration, Density, Model, NetworkWork, learner_named};
use gleaner_stats::eval::{PrPoint, ReliabilityBin};

use crate::experiment::metrics::of_run::RunMetrics;
use crate::experiment::runs::result::{LearningPoint, RunResult, ScoredExample, SearchSummary, SeedSummary};
use crate::experiment::runs::scheduled_runs::Measured;
use crate::experiment::runs::split::Split;

/// The runs of several variants on one fold, as they are kept.
#[derive(Clone, Copy)]
pub(crate) struct KeptRuns<'a, T> {
    /// What is learnt from and tested on.
    pub(crate) task: T,
    pub(crate) variants: &'a [Settings],
    pub(crate) place: KeptPlace<'a>,
    pub(crate) keeper: &'a dyn Keeper,
}

/// The name that a run is kept under: the number of its variant among those of all classes, from 1, its repetition and its
/// fold, from 0.
pub(crate) fn run_name(number: usize, repeat: usize, run_idx: usize) -> String {
    format!("run-{number}-{}-{}", repeat + 1, run_idx + 1)
}

/// The place of a run in an experiment.
#[derive(Clone, Copy)]
pub(crate) struct KeptPlace<'a> {
    pub(crate) fold: &'a str,
    /// The number of the fold, from 0.
    pub(crate) fold_idx: usize,
    pub(crate) repeat: usize,
    /// The number of the part of the experiment, as a class that is learnt against the rest; 0 where there is one.
    pub(crate) part: usize,
}

/// A problem with the examples of a fold.
#[derive(Clone, Copy)]
pub(crate) struct ProblemFold<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) split: &'a Split,
    /// The number of the problem among those of the experiment, from 0.
    pub(crate) part: usize,
}

/// A finished run of a task that a text can hold.
pub(crate) trait Keepable<T>: Measured + Sized {
    /// The text of the run of a learner.
    fn to_text(&self, learner: String, task: T) -> Result<String, serde_json::Error>;

    /// The run of a text, if it is of the settings, the fold and the repetition.
    fn of_text(text: &str, of: &KeptOf<'_, T>) -> Result<Self, String>;

    /// Whether a run that was read is this one, which was written: numbers that are none differ from themselves.
    fn is_same(&self, read: &Self, task: T) -> bool;
}

/// The run that a text is to be of.
#[derive(Clone, Copy)]
pub(crate) struct KeptOf<'a, T> {
    pub(crate) task: T,
    pub(crate) settings: &'a Settings,
    pub(crate) place: KeptPlace<'a>,
}

impl<T> KeptOf<'_, T> {
    /// Refuses a run of another learner, fold or repetition.
    pub(crate) fn check(&self, learner: &str, fold: &str, repeat: usize) -> Result<(), String> {
        if learner == self.settings.learner() && (fold, repeat) == (self.place.fold, self.place.repeat) {
            return Ok(());
        }
        Err(format!("it is of fold {fold}, repetition {}", repeat + 1))
    }
}

impl<'a> KeptRuns<'a, ProblemFold<'a>> {
    /// The runs of a problem on a split.
    pub(crate) fn of_split(
        task: ProblemFold<'a>,
        variants: &'a [Settings],
        repeat: usize,
        keeper: &'a dyn Keeper,
    ) -> Self {
        let ProblemFold { split, part, .. } = task;
        let place = KeptPlace { fold: &split.name, fold_idx: split.run_idx, repeat, part };
        Self { task, variants, place, keeper }
    }
}

impl<T: Copy> KeptRuns<'_, T> {
    /// The run of a variant, if it was finished before.
    pub(crate) fn read<R: Keepable<T>>(&self, variant_idx: usize) -> Option<R> {
        let name = self.name(variant_idx);
        let text = self.keeper.kept(&name)?;
        match R::of_text(&text, &self.of(variant_idx)) {
            Ok(run) => Some(run),
            Err(why) => {
                self.keeper.reject(&name, &why);
                None
            }
        }
    }

    /// Keeps the run of a variant, unless an outer stop cut it short: it is not finished then.
    pub(crate) fn keep<R: Keepable<T>>(&self, variant_idx: usize, run: &R) {
        if run.outer_stop().is_some() {
            return;
        }
        let of = self.of(variant_idx);
        let Ok(text) = run.to_text(of.settings.learner(), self.task) else { return };
        if R::of_text(&text, &of).is_ok_and(|read| run.is_same(&read, self.task)) {
            self.keeper.keep(&self.name(variant_idx), &text);
        }
    }

    const fn of(&self, variant_idx: usize) -> KeptOf<'_, T> {
        KeptOf { task: self.task, settings: &self.variants[variant_idx], place: self.place }
    }

    /// The keeper of the seeds of the search that a variant begins.
    pub(crate) fn seeds(&self, variant_idx: usize) -> KeptUnder<'_> {
        KeptUnder::new(self.keeper, self.seeds_beginning(variant_idx))
    }

    /// Forgets the seeds of a search that ended without a stop, if the runs of the variants that share it are kept. The first of
    /// these began it.
    pub(crate) fn forget_seeds(&self, sharing: &[usize], is_stopped: bool) {
        let is_kept = |&variant: &usize| self.keeper.kept(&self.name(variant)).is_some();
        if let Some(&first) = sharing.first().filter(|_| !is_stopped && sharing.iter().all(is_kept)) {
            self.keeper.forget(&self.seeds_beginning(first));
        }
    }

    fn seeds_beginning(&self, variant_idx: usize) -> String {
        let KeptPlace { fold_idx, repeat, .. } = self.place;
        format!("seed-{}-{}-{}-", self.number(variant_idx), repeat + 1, fold_idx + 1)
    }

    /// Whether the run of a variant is to be done here; to be asked once.
    pub(crate) fn is_wanted(&self, variant_idx: usize) -> bool {
        self.keeper.is_wanted(&self.name(variant_idx))
    }

    fn name(&self, variant_idx: usize) -> String {
        run_name(self.number(variant_idx), self.place.repeat, self.place.fold_idx)
    }

    /// The number of the variant, from 1; of many classes, each class has all variants.
    const fn number(&self, variant_idx: usize) -> usize {
        self.place.part * self.variants.len() + variant_idx + 1
    }
}

impl Keepable<ProblemFold<'_>> for RunResult {
    fn to_text(&self, learner: String, task: ProblemFold<'_>) -> Result<String, serde_json::Error> {
        serde_json::to_string(&KeptRun::of(self, learner, task.problem)?)
    }

    fn of_text(text: &str, of: &KeptOf<'_, ProblemFold<'_>>) -> Result<Self, String> {
        let kept: KeptRun = serde_json::from_str(text).map_err(|error| error.to_string())?;
        of.check(&kept.learner, &kept.fold, kept.repeat)?;
        kept.into_run(of)
    }

    fn is_same(&self, read: &Self, task: ProblemFold<'_>) -> bool {
        is_same_model(&*self.model, &*read.model, task.problem)
            && (&self.search, &self.density, &self.curve) == (&read.search, &read.density, &read.curve)
            && (&self.hull_thresholds, &self.calibration) == (&read.hull_thresholds, &read.calibration)
            && (&self.reliability, &self.scored) == (&read.reliability, &read.scored)
            && self.learning_curve == read.learning_curve
            && (&self.metrics, &self.tune_metrics) == (&read.metrics, &read.tune_metrics)
            && (self.was_searched, &self.test_points, self.sizes)
                == (read.was_searched, &read.test_points, read.sizes)
    }
}

/// Whether two models have the same files and the same clauses.
pub(crate) fn is_same_model(left: &dyn Model, right: &dyn Model, problem: &Problem) -> bool {
    let saved = |model: &dyn Model| serde_json::to_string(&model.saved(problem.symbols())).ok();
    saved(left) == saved(right) && left.clauses() == right.clauses()
}

/// A model as text.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptModel {
    /// The model as its file holds it.
    model: Box<RawValue>,
    /// Its clauses, in order: a file holds them in a form for people.
    clauses: Vec<String>,
}

impl KeptModel {
    pub(crate) fn of(model: &dyn Model, symbols: &Symbols) -> Result<Self, serde_json::Error> {
        Ok(Self {
            model: serde_json::value::to_raw_value(&model.saved(symbols))?,
            clauses: model.clauses().into_iter().map(|clause| kept_text(clause, symbols)).collect(),
        })
    }

    /// The model of a learner.
    pub(crate) fn read(&self, learner: &str, symbols: &Symbols) -> Result<Arc<dyn Model>, String> {
        let saved =
            known_learner(learner)?.read_model(self.model.get()).map_err(|error| error.to_string())?;
        if saved.clause_texts().len() != self.clauses.len() {
            return Err("its clauses are not all there".to_owned());
        }
        let clauses: Result<Vec<_>, String> =
            self.clauses.iter().map(|text| read_kept(text, symbols)).collect();
        Ok(saved.to_model(&mut clauses?.into_iter()))
    }
}

fn known_learner(name: &str) -> Result<&'static dyn AnyLearner, String> {
    learner_named(name).ok_or_else(|| "its learner is not known".to_owned())
}

#[derive(Serialize, Deserialize)]
struct KeptRun {
    learner: String,
    fold: String,
    repeat: usize,
    model: KeptModel,
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
pub(crate) struct KeptSearch {
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
            model: KeptModel::of(&*run.model, problem.symbols())?,
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

    fn into_run(self, of: &KeptOf<'_, ProblemFold<'_>>) -> Result<RunResult, String> {
        Ok(RunResult {
            split: of.task.split.clone(),
            repeat: self.repeat,
            model: self.model.read(&self.learner, of.task.problem.symbols())?,
            search: self.search.into_summary(&self.learner, &self.own)?,
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
            clause_counts: Vec::new(),
            theory_curves: Vec::new(),
            reasons: Vec::new(),
        })
    }
}

impl KeptSearch {
    pub(crate) fn of(search: &SearchSummary) -> Self {
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

    /// The summary, with the part that only this learner has.
    pub(crate) fn into_summary(self, learner: &str, own: &RawValue) -> Result<SearchSummary, String> {
        let own = known_learner(learner)?.read_own(own.get()).map_err(|error| error.to_string())?;
        Ok(SearchSummary {
            n_seeds: self.n_seeds,
            bottom_literals: self.bottom_literals,
            n_cut_bottoms: self.n_cut_bottoms,
            cuts: self.cuts,
            stops: self.stops,
            funnel: self.funnel,
            networks: self.networks,
            seeds: self.seeds,
            own,
        })
    }
}
