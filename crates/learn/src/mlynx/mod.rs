//! mLynx: frequent queries, naive Bayes over a few of them, and mutual information to choose these. `[MLYNX]`
//!
//! Queries are mined on train, or given. [`selection`] puts their covers on train and tune side by side, chooses sets of
//! them and fits naive Bayes. A model has the form of GleanerSRL's: clauses, and the amount that each
//! adds to a score.

pub mod selection;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use crate::deciding::Alignment;
use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt};
use crate::pooled_sets::{HeldOutParts, PooledSets};
use crate::record::{MiningRecord, SearchRecord, mine_train};
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{OPERATING_POINT, SMOOTHING, Smoothing};
use crate::srl::model::{ScoredClause, SrlModel};
use crate::{Model, OperatingPoint, RunContext, SetStores, Task};
use gleaner_base::StopReason;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::mining::{Level, MiningConfig};
use gleaner_lang::program::Clause;
use gleaner_lang::program::settings::{Declaration, Group, Setting, SettingGroup, Settings, settings, words};
use gleaner_stats::ml::mrmr::MrmrConfig;

use selection::{MeanBayes, QueryColumns, Selection};

words! {
    /// The measure by which one set of queries is better than another.
    pub enum SetGoal {
        /// The area under the precision-recall curve of the examples learnt from.
        ///
        /// DIVERGENCE: where positives are few, fewest errors favours sets that call everything negative.
        AucPr = "auc-pr",
        /// Few errors on the examples learnt from.
        Errors = "errors",
        /// The area on tune, by naive Bayes of train.
        TuneAucPr = "tune-auc-pr",
    }
}

settings! {
    /// Settings of mLynx.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MlynxConfig {
        /// How queries are mined.
        pub mining: MiningConfig = Group,
        /// How many sets are built.
        pub restarts: usize = Setting::within("restarts", 1..=1_000_000, "100")
            .unit("sets")
            .help("Sets of queries that are built, each from a random query")
            .source("[MLYNX §4]"),
        /// How often a random query comes next.
        pub random_step: f64 = Setting::within("random-step", 0.0..=1.0, "0.05")
            .unit("probability")
            .help("The probability that the next query of a set is a random one")
            .source("[MLYNX §4]"),
        /// Where a set ends.
        pub least_gain: f64 = Setting::within("least-gain", 0.0..=1.0, "0.0001")
            .unit("nats")
            .help("A set of queries is complete when no other query's relevance minus redundancy exceeds this")
            .source("[MLYNX §4]: 0.0001 and 0.01"),
        /// Which set is best.
        pub goal: SetGoal = Setting::new("set-goal", "auc-pr")
            .help("Measure of a set of queries, by which the best are chosen")
            .source("our own, by experiment; errors: [MLYNX §3]"),
        /// How many of the best sets make the model.
        pub n_sets: usize = Setting::within("best-sets", 1..=1_000_000, "5")
            .unit("sets")
            .help("Best sets of queries; the score is the mean of their naive Bayes models")
            .source("our own, by experiment; 1: [MLYNX §3]"),
        /// The pseudo-counts that naive Bayes adds to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// Whether clauses are reduced.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

impl MlynxConfig {
    /// How sets are searched.
    pub const fn mrmr(&self) -> MrmrConfig {
        MrmrConfig { restarts: self.restarts, random_step: self.random_step, least_gain: self.least_gain }
    }
}

/// mLynx.
#[derive(Clone, Copy, Debug)]
pub struct Mlynx;

/// The parts that name random streams: all examples, those of train, then the inner folds.
const ALL: u64 = 0;

const OF_TRAIN: u64 = 1;

const FIRST_FOLD: u64 = 2;

impl Learner for Mlynx {
    type Config = MlynxConfig;
    type Found = MlynxFound;
    type Part = usize;
    type Own = MiningRecord;
    type Saved = SrlModel<String>;

    const NAMES: &'static [LearnerName] = &[LearnerName {
        name: "mlynx",
        help: "mLynx: frequent queries, chosen by mutual information, and naive Bayes over them",
    }];

    const MAY_SPEAK_AGAINST: bool = true;

    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] =
        &[("object-identity", "on"), ("negation", "modes")];

    const FINDS_FOR_ALL_CLASSES: bool = true;

    fn same_search(left: &MlynxConfig, right: &MlynxConfig) -> bool {
        left.mining == right.mining
    }

    fn only_of_search(_settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        Some(MiningConfig::declarations())
    }

    fn search(
        task: &Task<'_>,
        config: &MlynxConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> MlynxFound {
        search(task, &config.mining, context, stores)
    }

    fn record(found: &MlynxFound) -> SearchRecord {
        SearchRecord::new(Vec::new(), found.stop.filter(|stop| stop.is_outer()), found.record())
    }

    fn points(_config: &MlynxConfig, found: &MlynxFound) -> Vec<CurvePoint<usize>> {
        vec![first_queries(found, found.queries.len())]
    }

    fn lesser(_config: &MlynxConfig, found: &MlynxFound) -> Vec<CurvePoint<usize>> {
        let sizes = std::iter::successors(Some(FEWEST_QUERIES), |&n| n.checked_mul(4));
        sizes.take_while(|&n| n < found.queries.len()).map(|n| first_queries(found, n)).collect()
    }

    fn fit(
        config: &MlynxConfig,
        found: &MlynxFound,
        &n_queries: &usize,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let queries: Cow<'_, [Clause]> = match fitting.labels.classes() {
            Some(list) => found.queries[..n_queries].iter().map(|query| list.with_own_head(query)).collect(),
            None => Cow::Borrowed(&found.queries[..n_queries]),
        };
        let own = fitting.labels.classes().map_or(0, |list| list.own.index());
        let columns = QueryColumns::of(&queries, fitting)?;
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let sets = match fitting.labels.classes() {
            Some(list) => PooledSets::of_classes(train, tune, list.len()),
            None => PooledSets::of(train, tune),
        };
        let selection = Selection {
            columns: &columns,
            sets: &sets,
            config,
            path: fitting.stream,
            budget: fitting.budget,
            own,
        };
        let choosing =
            Choosing { selection: &selection, found, has_classes: fitting.labels.classes().is_some() };
        let of_all = choosing.fit(ALL, |_| true)?;
        let of_train = choosing.fit(OF_TRAIN, |example| !sets.examples[example].is_tune)?;
        let held_out = held_out(&choosing, &of_all, &of_train, fitting)?;
        let model = |mean: MeanBayes| SrlModel {
            cost: None,
            decision: ChosenThreshold::none(tune.totals()),
            clauses: mean.columns.iter().map(|&column| scored(&columns, column)).collect(),
            network: mean.network(own),
        };
        let mut learnt = model(of_all);
        fitting.reduce(config.reduce_clauses, learnt.clauses.iter_mut().map(|scored| &mut scored.clause))?;
        let before_tune: Arc<dyn Model> = Arc::new(model(of_train));
        Ok(Learnt {
            model: Arc::new(learnt),
            before_tune: Some(before_tune),
            held_out: Some(sets.held_out(&held_out)),
        })
    }
}

fn scored(columns: &QueryColumns<'_>, column: usize) -> ScoredClause {
    ScoredClause { clause: columns.queries[column].clone(), train: columns.on_train[column] }
}

/// How sets are chosen: once for all classes.
#[derive(Clone, Copy)]
struct Choosing<'a> {
    selection: &'a Selection<'a>,
    found: &'a MlynxFound,
    has_classes: bool,
}

impl Choosing<'_> {
    fn fit(&self, part: u64, is_learnt_from: impl Fn(usize) -> bool) -> Result<MeanBayes, Interrupted> {
        let Self { selection, found, has_classes } = *self;
        if has_classes {
            found.chosen(selection.config, part, || selection.fit(part, is_learnt_from))
        } else {
            selection.fit(part, is_learnt_from)
        }
    }
}

/// Examples by their numbers, each with its score by sets that were chosen without it, on the scale of the last sets.
fn held_out(
    choosing: &Choosing<'_>,
    of_all: &MeanBayes,
    of_train: &MeanBayes,
    fitting: &Fitting<'_>,
) -> Result<Vec<(usize, f64)>, Interrupted> {
    let selection = choosing.selection;
    let sets = selection.sets;
    let parts = sets.held_out_parts(HeldOutParts::TuneOrFolds, fitting.stream);
    let is_tune_alone = parts.len() == 1 && parts[0].len() == sets.n_tune();
    let last = selection.scores(of_all);
    let mut held_out = Vec::with_capacity(sets.examples.len());
    for (stream_part, part) in (FIRST_FOLD..).zip(&parts) {
        let scores = if is_tune_alone {
            selection.scores(of_train)
        } else {
            selection.scores(&choosing.fit(stream_part, |example| part.binary_search(&example).is_err())?)
        };
        let position = |example: usize| selection.columns.position(sets.examples[example]);
        let mut weights = vec![0.0; scores.len()];
        for (example, of) in sets.examples.iter().enumerate() {
            if part.binary_search(&example).is_err() {
                weights[position(example)] = sets.weight_of(*of);
            }
        }
        let alignment = Alignment::fit(&scores, &last, &weights);
        held_out.extend(part.iter().map(|&example| (example, alignment.at(scores[position(example)]))));
    }
    held_out.sort_by_key(|&(example, _)| example);
    Ok(held_out)
}

/// The fewest queries of the model that is made when there is no time to combine all.
const FEWEST_QUERIES: usize = 32;

/// The first so many queries, the shortest ones.
fn first_queries(found: &MlynxFound, n: usize) -> CurvePoint<usize> {
    let n_evaluated = found.levels.iter().map(|level| level.n_candidates).sum();
    CurvePoint { name: format!("{n} queries"), n_evaluated, part: n }
}

/// The mined queries, with the counts of the mining.
#[derive(Debug, Default)]
pub struct MlynxFound {
    /// The queries, by length and then in canonical order.
    pub queries: Vec<Clause>,
    /// The counts of each length.
    pub levels: Vec<Level>,
    /// The stop that ended mining.
    pub stop: Option<StopReason>,
    /// Whether they were given.
    pub are_given: bool,
    /// The sets that were chosen at once for all classes, where there are many.
    chosen: Mutex<Vec<ChosenSets>>,
}

/// Sets that were chosen.
#[derive(Debug)]
struct ChosenSets {
    /// The settings that they were chosen by.
    config: MlynxConfig,
    /// The part of the examples that they were chosen for.
    part: u64,
    mean: MeanBayes,
}

impl MlynxFound {
    /// The record of the mining.
    pub fn record(&self) -> MiningRecord {
        MiningRecord { queries: self.queries.len(), are_given: self.are_given, levels: self.levels.clone() }
    }

    /// The sets for a part of the examples: those that were chosen for another class, or chosen now.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn chosen(
        &self,
        config: &MlynxConfig,
        part: u64,
        choose: impl FnOnce() -> Result<MeanBayes, Interrupted>,
    ) -> Result<MeanBayes, Interrupted> {
        let known = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_this = |known: &&ChosenSets| (&known.config, known.part) == (config, part);
        if let Some(known) = known.iter().find(is_this) {
            return Ok(known.mean.clone());
        }
        drop(known);
        let mean = choose()?;
        let chosen = ChosenSets { config: config.clone(), part, mean: mean.clone() };
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).push(chosen);
        Ok(mean)
    }
}

/// Mines on train, unless clauses are given.
///
/// DIVERGENCE: [MLYNX §2] has no tune examples, and mines on all that it learns from. Sets of queries are learnt from
/// train and tune together.
pub fn search(
    task: &Task<'_>,
    config: &MiningConfig,
    context: &RunContext<'_>,
    stores: SetStores<'_, '_>,
) -> MlynxFound {
    if let Some(given) = task.given {
        return MlynxFound { queries: given.to_vec(), are_given: true, ..MlynxFound::default() };
    }
    let mined = mine_train(task, config, context, stores);
    MlynxFound {
        queries: mined.queries.into_iter().map(|query| query.clause).collect(),
        levels: mined.levels,
        stop: mined.stop,
        are_given: false,
        chosen: Mutex::default(),
    }
}
