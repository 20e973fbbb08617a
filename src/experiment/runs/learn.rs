//! The result of `learn`; or of a search that ended without a model: the stage that lost the clauses, and the remedy.

use serde::Serialize;

use gleaner_base::StopReason;
use gleaner_data::Problem;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::search::{Funnel, MIN_POSITIVES, SearchLimits};
use gleaner_lang::program::Symbols;
use gleaner_lang::program::settings::{DataSummary, Given, Settings, Source};
use gleaner_learn::record::Tries;
use gleaner_learn::settings::is_read_by;
use gleaner_learn::shared_config::MIN_TUNE_POSITIVES;
use gleaner_learn::shown::Extent;

use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::records::run_record::FoldRecord;
use crate::experiment::runs::result::{RunResult, SeedSummary};

/// One model with the problem and run that it was learnt from.
#[derive(Clone, Debug, Serialize)]
pub struct LearnAnswer<'r> {
    /// Target and examples.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// The record of the run.
    #[serde(flatten)]
    pub run: FoldRecord,
    /// The run with its model.
    #[serde(skip)]
    pub result: &'r RunResult,
    /// The names in the model's clauses.
    #[serde(skip)]
    pub symbols: &'r Symbols,
    /// How much of the model is shown.
    #[serde(skip)]
    pub extent: Extent,
}

impl<'r> LearnAnswer<'r> {
    /// The answer for one run.
    pub fn of(problem: &'r Problem, result: &'r RunResult, extent: Extent) -> Self {
        let (run, symbols) = (FoldRecord::of(result), problem.symbols());
        Self { problem: ProblemSummary::of(problem), run, result, symbols, extent }
    }
}

/// Where the candidates went when nothing was learnt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NothingLearnt {
    /// The candidates of all seeds.
    pub funnel: Funnel,
    /// The candidates of each seed.
    pub seeds: Vec<SeedSummary>,
    /// The outer stop that a search met, if one did.
    pub stop: Option<StopReason>,
    /// The stage that lost the clauses.
    pub stage: Stage,
    /// Seed examples searched from.
    pub n_seeds: usize,
    /// Bottom clauses that a limit cut.
    pub n_cut_bottoms: usize,
    /// The limits that cut.
    pub cuts: Vec<LimitCut>,
    /// The bounds that clauses had to reach.
    pub bounds: Bounds,
}

/// A stage on the way to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The search was stopped from outside before it had enough for a model.
    Stopped,
    /// Clauses were given in place of a search, and none of them has any weight.
    NoGivenClause,
    /// Trees have no test.
    NoTest,
    /// No query that was mined has any weight.
    NoQuery,
    /// No clause was evaluated: bottom clauses hold nothing to make one of.
    NoClause,
    /// Clauses were evaluated, and none was acceptable on train.
    NotAcceptable,
    /// Clauses were acceptable on train; on tune none was left, or none could be chosen.
    LostOnTune,
}

/// The bounds that a clause had to reach; of several runs, the least.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// Fewest train positives.
    pub min_positives: usize,
    /// Least precision on train.
    pub min_precision: f64,
    /// Most negatives on train, where there is such a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_negatives: Option<usize>,
    /// Fewest tune positives; 0 where the learner asks for none.
    pub min_tune_positives: usize,
    /// The positives of tune.
    pub tune_positives: usize,
}

impl Bounds {
    fn of(runs: &[RunResult], settings: &Settings) -> Self {
        let of_run = |run: &RunResult| {
            let data = DataSummary { n_train_positives: run.sizes[0].n_positives, ..DataSummary::default() };
            let given = Given { settings, data };
            let asks_tune = is_read_by(&settings.learner(), "min-tune-pos");
            (MIN_POSITIVES.read(&given), if asks_tune { MIN_TUNE_POSITIVES.read(&given) } else { 0 })
        };
        let least =
            |of: fn((usize, usize)) -> usize| runs.iter().map(|run| of(of_run(run))).min().unwrap_or(0);
        let limits = SearchLimits::of(settings, DataSummary::default());
        Self {
            min_positives: least(|(on_train, _)| on_train),
            min_precision: limits.min_precision,
            max_negatives: limits.max_negatives,
            min_tune_positives: least(|(_, on_tune)| on_tune),
            tune_positives: runs.iter().map(|run| run.sizes[1].n_positives).max().unwrap_or(0),
        }
    }
}

impl NothingLearnt {
    /// Sums up the searches of some runs whose models all have no clause; the settings are theirs.
    pub fn of(runs: &[RunResult], settings: &Settings) -> Self {
        let mut funnel = Funnel::default();
        runs.iter().for_each(|run| funnel.add(&run.search.funnel));
        let stop = runs.iter().find_map(|run| run.search.outer_stop());
        let mut cuts: Vec<LimitCut> = runs.iter().flat_map(|run| run.search.cuts.iter().copied()).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let tries = |asked: Tries| runs.iter().any(|run| run.search.own.tries() == asked);
        let stage = match (stop, funnel.evaluated(), funnel.acceptable) {
            (Some(_), _, _) => Stage::Stopped,
            (None, _, _) if !tries(Tries::Clauses) => match (tries(Tries::Tests), tries(Tries::Queries)) {
                (true, _) => Stage::NoTest,
                (false, true) => Stage::NoQuery,
                (false, false) => Stage::NoGivenClause,
            },
            (None, 0, _) => Stage::NoClause,
            (None, _, 0) => Stage::NotAcceptable,
            (None, _, _) => Stage::LostOnTune,
        };
        Self {
            funnel,
            seeds: runs.iter().flat_map(|run| run.search.seeds.iter().cloned()).collect(),
            stop,
            stage,
            n_seeds: runs.iter().map(|run| run.search.n_seeds).sum(),
            n_cut_bottoms: runs.iter().map(|run| run.search.n_cut_bottoms).sum(),
            cuts,
            bounds: Bounds::of(runs, settings),
        }
    }
}
