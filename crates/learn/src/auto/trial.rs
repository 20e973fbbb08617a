//! Inner folds of train and tune: the scores that each candidate gives to one fold after it has learnt from the others.
//!
//! News of a part of a run's work, as news of the run.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::pooled_sets::{InnerSets, PooledSets};
use crate::reduction::ReducedClauses;
use crate::saved::OverClauses;
use crate::seeds::{KeptSteps, SearchedStep};
use crate::{Covers, Fitting, Monitor, RunContext, SeedSearch, SetStores, StreamPath, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ClassId, ExampleId, Forgetful};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::Clause;
use gleaner_lang::program::settings::DataSummary;
use gleaner_stats::eval::stratified_part;

use super::config::Candidate;
use super::held_out::{FoldExample, FoldScores, HeldOutTable};

/// With so many folds, one of them can be the inner tune. With fewer, too little would be left to learn from.
const FOLDS_WITH_TUNE: usize = 4;

/// Without such a fold, this share of the remaining examples is the inner tune.
const TUNE_SHARE: f64 = 0.25;

/// Most negatives that a trial learns from, unless these are fewer for each positive: the cost of trials grows no
/// further with the data.
const MOST_NEGATIVES: usize = 5_000;

const MOST_NEGATIVES_OF_POSITIVE: usize = 20;

/// The first numbers of the random streams of trials; those of inner runs lie beyond all repetitions of an experiment.
const STREAM: u64 = 3;

const FIRST_INNER_RUN: u64 = 1 << 48;

/// The inputs of trials.
#[derive(Clone, Copy)]
pub struct Trials<'a> {
    /// The run.
    pub task: &'a Task<'a>,
    /// Train and tune.
    pub sets: &'a PooledSets,
    /// The candidates.
    pub candidates: &'a [Candidate],
    /// The data that the candidates' `auto` settings depend on.
    pub data: DataSummary,
    /// Outer stops, and the names of random streams.
    pub context: &'a RunContext<'a>,
}

impl std::fmt::Debug for Trials<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trials").field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

/// The results of the trials.
#[derive(Debug)]
pub struct Tried {
    /// The folds that all candidates were tried on.
    pub table: HeldOutTable,
    /// Whether an outer stop came before the last fold.
    pub is_stopped: bool,
    /// Clauses that were evaluated.
    pub n_evaluated: u64,
}

/// The results of all candidates on one inner fold, as they are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct InnerFold<C = Clause> {
    /// For each candidate, the scores of the fold's examples; none where an outer stop came.
    scores: Vec<Vec<f64>>,
    /// How many clauses the model of each has.
    n_clauses: Vec<usize>,
    /// Clauses that were evaluated.
    n_evaluated: u64,
    /// It has none: its models are not kept.
    #[serde(skip)]
    clauses: PhantomData<C>,
}

impl<C> OverClauses for InnerFold<C> {
    type Clause = C;
    type Over<D> = InnerFold<D>;

    fn visit<'m>(&'m self, _: &mut dyn FnMut(&'m C)) {}

    fn map<D>(&self, _: &mut dyn FnMut(&C) -> D) -> InnerFold<D> {
        let Self { scores, n_clauses, n_evaluated, .. } = self;
        let (scores, n_clauses) = (scores.clone(), n_clauses.clone());
        InnerFold { scores, n_clauses, n_evaluated: *n_evaluated, clauses: PhantomData }
    }
}

/// The result of one candidate on an inner fold.
struct OfCandidate {
    scores: Vec<f64>,
    n_clauses: usize,
    n_evaluated: u64,
}

impl SearchedStep for InnerFold {
    fn searches(&self) -> &[SeedSearch] {
        &[]
    }
}

/// The sets of an inner fold.
struct FoldSets {
    train: Universe,
    tune: Universe,
    test: Universe,
}

impl Trials<'_> {
    /// Tries all candidates on each inner fold, unless the folds so far show that this is hopeless. Finished folds are
    /// kept under names with this beginning.
    pub fn run(
        &self,
        parts: &[Vec<usize>],
        beginning: &str,
        is_hopeless: impl Fn(&HeldOutTable) -> bool,
    ) -> Tried {
        let mut tried = Tried { table: HeldOutTable::default(), is_stopped: false, n_evaluated: 0 };
        let mut kept = KeptSteps::new(self.task, self.context, beginning.to_owned());
        for fold in 0..parts.len() {
            let Some(sets) = self.inner_sets(parts, fold) else { break };
            let InnerFold { scores, n_clauses, n_evaluated, .. } = kept.next(|| self.try_on(&sets, fold));
            tried.n_evaluated += n_evaluated;
            if scores.len() < self.candidates.len() {
                tried.is_stopped = true;
                break;
            }
            let examples = self.examples(&parts[fold], &sets.test);
            tried.table.folds.push(FoldScores { examples, scores, n_clauses }.by_number());
            if is_hopeless(&tried.table) {
                break;
            }
        }
        tried
    }

    /// The sets of the fold of this number; `None` where train or tune lacks a class.
    fn inner_sets(&self, parts: &[Vec<usize>], fold: usize) -> Option<FoldSets> {
        let (mut train, mut tune) = (Vec::new(), Vec::new());
        if parts.len() >= FOLDS_WITH_TUNE {
            let tune_fold = (fold + 1) % parts.len();
            tune.clone_from(&parts[tune_fold]);
            let others = (0..parts.len()).filter(|&other| other != fold && other != tune_fold);
            train.extend(others.flat_map(|other| parts[other].iter().copied()));
        } else {
            let mut others: Vec<usize> = (0..parts.len())
                .filter(|&other| other != fold)
                .flat_map(|other| parts[other].clone())
                .collect();
            others.sort_unstable();
            let labels: Vec<ClassId> =
                others.iter().map(|&number| self.sets.examples[number].class).collect();
            let held = stratified_part(&labels, TUNE_SHARE, &mut self.stream(fold, 0)).ok()?;
            for (number, is_held) in others.into_iter().zip(held) {
                if is_held { tune.push(number) } else { train.push(number) }
            }
        }
        train.sort_unstable();
        let are_whole = self.sets.has_both_classes(&train) && self.sets.has_both_classes(&tune);
        are_whole.then(|| FoldSets {
            train: self.universe(&train, fold, 1),
            tune: self.universe(&tune, fold, 2),
            test: self.inner().whole(&parts[fold]),
        })
    }

    fn stream(&self, fold: usize, set: u64) -> rand_pcg::Pcg64 {
        stream(self.context.rng_seed, Purpose::Weights, &[self.task.run_idx, STREAM, fold as u64, set])
    }

    fn inner(&self) -> InnerSets<'_> {
        InnerSets { task: self.task, sets: self.sets }
    }

    /// Examples to learn from: all positives, and no more negatives than a trial takes.
    fn universe(&self, numbers: &[usize], fold: usize, set: u64) -> Universe {
        let n_positives = numbers.iter().filter(|&&number| self.sets.examples[number].is_positive).count();
        let most = MOST_NEGATIVES.max(MOST_NEGATIVES_OF_POSITIVE * n_positives);
        self.inner().to_learn_from(numbers, most, &mut self.stream(fold, set))
    }

    /// The examples of a fold in the order of their positions.
    fn examples(&self, part: &[usize], test: &Universe) -> Vec<FoldExample> {
        let by_id: BTreeMap<ExampleId, usize> =
            part.iter().filter_map(|&number| Some((self.inner().id(number)?, number))).collect();
        let example = |(_, id): (usize, ExampleId)| {
            let number = *by_id.get(&id)?;
            let of = self.sets.examples[number];
            Some(FoldExample { number, is_positive: of.is_positive, weight: self.sets.weight_of(of) })
        };
        test.iter().filter_map(example).collect()
    }

    fn try_on(&self, sets: &FoldSets, fold: usize) -> InnerFold {
        let capacity = |set: &Universe| CoverStore::usual_capacity(set).min(self.context.cover_bytes);
        let store = |set, share: usize| {
            Arc::new(CoverStore::with_capacity(self.task.worlds, set, capacity(set) / share))
        };
        let stores = [store(&sets.train, 1), store(&sets.tune, 4), store(&sets.test, 4)];
        let found: Vec<Option<OfCandidate>> = self
            .candidates
            .par_iter()
            .map(|candidate| self.scores_of(candidate, sets, &stores, fold).ok())
            .collect();
        let n_evaluated = found.iter().flatten().map(|found| found.n_evaluated).sum();
        let all: Vec<OfCandidate> = found.into_iter().collect::<Option<_>>().unwrap_or_default();
        let n_clauses = all.iter().map(|found| found.n_clauses).collect();
        let scores = all.into_iter().map(|found| found.scores).collect();
        InnerFold { scores, n_clauses, n_evaluated, clauses: PhantomData }
    }

    /// The scores of the fold's examples by position, without gaps, by a candidate that learns from the other folds.
    fn scores_of(
        &self,
        candidate: &Candidate,
        sets: &FoldSets,
        stores: &[Arc<CoverStore<'_>>; 3],
        fold: usize,
    ) -> Result<OfCandidate, Interrupted> {
        let data = DataSummary { n_train_positives: sets.train.n_positives(), ..self.data };
        let configured = candidate.configured_for_trial(data);
        let run_idx = self.task.run_idx + FIRST_INNER_RUN * (1 + fold as u64);
        let task = Task { train: &sets.train, tune: &sets.tune, run_idx, ..*self.task };
        let context = RunContext { keeper: &Forgetful, ..*self.context };
        let set_stores = SetStores { train: &stores[0], tune: &stores[1] };
        let found = configured.search(&task, &context, set_stores);
        let budget = self.context.budget;
        budget.check().map_err(Interrupted)?;
        let [train, tune, test] = [0, 1, 2].map(|set| Covers::sharing(&stores[set]));
        let fitting = Fitting {
            train: &train,
            tune: &tune,
            labels: self.task.labels,
            stream: StreamPath { rng_seed: self.context.rng_seed, run_idx },
            budget,
            reduced: &ReducedClauses::default(),
        };
        let whole = configured.points(&found).pop().expect("a learning curve ends with the whole search");
        let learnt = configured.fit(&found, &whole, &fitting)?;
        let scoring = learnt.model.score(&test, budget)?;
        let scores = sets.test.iter().map(|(position, _)| scoring.scores[position]).collect();
        let n_clauses = learnt.model.n_distinct_clauses();
        Ok(OfCandidate { scores, n_clauses, n_evaluated: whole.n_evaluated })
    }
}

/// Hears of a part, and tells the share of the whole run that is done.
pub(super) struct PartMonitor<'a> {
    of_run: &'a dyn Monitor,
    run_idx: u64,
    /// The shares of the run's work that are done when the part begins and when it ends.
    shares: [f64; 2],
    /// The seeds of the part, if its learner has a number of them.
    n_seeds: Option<u64>,
    n_done: AtomicU64,
}

impl<'a> PartMonitor<'a> {
    pub(super) fn new(of_run: &'a dyn Monitor, run_idx: u64, shares: [f64; 2], n_seeds: Option<u64>) -> Self {
        Self { of_run, run_idx, shares, n_seeds, n_done: AtomicU64::new(0) }
    }

    fn seeds_done(&self, n_seeds: u64) {
        let n_done = n_seeds + self.n_done.fetch_add(n_seeds, Ordering::Relaxed);
        #[expect(clippy::cast_precision_loss, reason = "it is only shown")]
        if let Some(of) = self.n_seeds {
            self.tell(n_done as f64 / of.max(1) as f64);
        }
    }

    fn tell(&self, share: f64) {
        let [from, to] = self.shares;
        self.of_run.share_done(self.run_idx, from + (to - from) * share.min(1.0));
    }
}

impl Monitor for PartMonitor<'_> {
    fn seed_finished(&self, run_idx: u64, n_evaluated: u64, best_score: Option<f64>) {
        self.of_run.seed_finished(run_idx, n_evaluated, best_score);
        self.seeds_done(1);
    }

    fn networks_took(&self, time: Duration) {
        self.of_run.networks_took(time);
    }

    fn share_done(&self, _run_idx: u64, share: f64) {
        self.tell(share);
    }

    fn seeds_kept(&self, n_seeds: usize) {
        self.of_run.seeds_kept(n_seeds);
        self.seeds_done(n_seeds as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use crate::Monitor;

    use super::PartMonitor;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(u64, f64)>>);

    impl Monitor for Heard {
        fn seed_finished(&self, _run_idx: u64, _n_evaluated: u64, _best_score: Option<f64>) {}

        fn share_done(&self, run_idx: u64, share: f64) {
            self.0.lock().expect("no panic").push((run_idx, share));
        }
    }

    /// A part from a half to three quarters: of four seeds one was kept and one is searched, then rounds tell the share. Seeds
    /// of an inner fold are of the run too, and more seeds than were expected are no more than all.
    #[test]
    fn shares_of_a_part_are_shares_of_the_run() {
        let heard = Heard::default();
        let part = PartMonitor::new(&heard, 7, [0.5, 0.75], Some(4));
        part.seeds_kept(1);
        part.seed_finished(99, 10, None);
        part.share_done(99, 0.5);
        (0..4).for_each(|_| part.seed_finished(99, 10, None));
        let told = heard.0.lock().expect("no panic").clone();
        let expected = [0.5625, 0.625, 0.625, 0.6875, 0.75, 0.75, 0.75].map(|share| (7, share));
        assert_eq!(told, expected);
    }
}
