//! The result of `learn`; or of a search that ended without a model: the stage that lost the clauses, and the remedy.
//!
//! The summary of a model that a person reads, found on the examples that the model was learnt from: the clauses without
//! literals that change nothing, and the few clauses that tell most.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::{Budget, Counts, ExampleSet, Pooling, StopReason, Totals};
use gleaner_data::Problem;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::{ClauseScore, Funnel, MIN_POSITIVES, Score, SearchLimits};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::settings::{DataSummary, Given, Settings, Source};
use gleaner_lang::program::{Clause, Symbols};
use gleaner_learn::record::Tries;
use gleaner_learn::reduction::Reducing;
use gleaner_learn::settings::is_read_by;
use gleaner_learn::shared_config::MIN_TUNE_POSITIVES;
use gleaner_learn::shown::{Agreement, Extent, Reading, TellingClause, TellingClauses, TwoByTwo};
use gleaner_learn::{Covers, Model};
use serde::Serialize;

use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::records::run_record::FoldRecord;
use crate::experiment::runs::facts::with_facts_of_run;
use crate::experiment::runs::result::{RunResult, SeedSummary};
use crate::experiment::runs::split::Split;

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

/// The shorter forms of clauses, and the few that tell most. Clauses that the budget leaves no time for keep their
/// learnt form.
pub fn reading(
    problem: &Problem,
    split: &Split,
    model: &dyn Model,
    budget: &Budget,
    cover_bytes: usize,
) -> Reading {
    let knowing = with_facts_of_run(problem, split);
    let problem = knowing.as_ref().unwrap_or(problem);
    let [train, tune, _] = split.universes(problem.examples());
    let covers = |set| {
        let capacity = CoverStore::usual_capacity(set).min(cover_bytes);
        Covers::new(problem.worlds(), set, capacity)
    };
    let [train, tune] = [covers(&train), covers(&tune)];
    let reducing = Reducing { train: &train, tune: &tune, budget };
    let telling = telling_clauses(model, problem.symbols(), &reducing).ok().flatten();
    let agreement = agreement(model, &train, &tune, budget).ok();
    let forms = shown_clauses(model, problem.symbols(), &reducing);
    Reading { forms, telling, agreement, schema: problem.schema().map(str::to_owned) }
}

fn agreement(
    model: &dyn Model,
    train: &Covers<'_>,
    tune: &Covers<'_>,
    budget: &Budget,
) -> Result<Agreement, Interrupted> {
    let of = |covers: &Covers<'_>| {
        let universe = covers.universe();
        let called = universe.counts(&model.score(covers, budget)?.decided);
        let all = universe.counts(universe.all());
        let [called, all] = [called, all].map(|counts| [counts.true_positives, counts.false_positives]);
        let predicted_negative = [all[0] - called[0], all[1] - called[1]];
        Ok(TwoByTwo { predicted_positive: called, predicted_negative })
    };
    let is_twice = train.universe().has_examples_of(tune.universe());
    Ok(Agreement { train: of(train)?, tune: if is_twice { TwoByTwo::default() } else { of(tune)? } })
}

/// The clauses, as texts, whose form for people differs from the model's, with that form. Only clauses of the model's
/// summary are considered: some dozens. A clause that the budget leaves no time for keeps its form.
pub(crate) fn shown_clauses(
    model: &dyn Model,
    symbols: &Symbols,
    reducing: &Reducing<'_, '_>,
) -> BTreeMap<String, String> {
    let summary = model.summary(symbols, Extent::Short);
    let rows = summary.tables.iter().flat_map(|table| &table.rows);
    let lines: BTreeSet<&str> = rows.map(|row| row.last.trim()).collect();
    let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    let other_form = |clause: &Clause| {
        let text = clause_text(clause, symbols);
        let reduced = lines.contains(text.as_str()).then(|| reducing.readable(clause).ok())??;
        let shown = clause_text(&reduced, symbols);
        (shown != text).then_some((text, shown))
    };
    distinct.into_iter().filter_map(other_form).collect()
}

/// Clauses after which a reader would have lost the thread.
const MOST_CLAUSES: usize = 12;

/// The least F1 that each further clause must add to be worth reading.
const LEAST_GAIN: f64 = 0.005;

/// The least share of the examples, in tenths, that a few clauses must call as the model does to stand for it.
const LEAST_TENTHS_ALIKE: usize = 9;

/// The most bytes of covers that clauses are chosen among.
const MOST_BYTES: usize = 1 << 28;

/// A clause with its covers on train and on tune.
struct Candidate<'c> {
    clause: &'c Clause,
    covers: [ExampleSet; 2],
}

/// Train and tune.
struct Sets<'a, 's> {
    on: [&'a Covers<'s>; 2],
    pooling: Pooling,
    /// The sizes of both, negatives as they are pooled.
    totals: Totals,
}

/// A few of the model's clauses that tell most of the class on train and tune. A greedy search adds, again and again,
/// the clause that raises the F1 of their union most, by [`LEAST_GAIN`] at least. Ties go to the shorter clause, then to the first in canonical
/// order. Clauses without which F1 does not fall are left out again. `None` if they are more than half of the model's
/// clauses, cover everything, or disagree with the model on more than a tenth of the examples.
///
/// **Cost**: the covers of the model's clauses, and a pass over them for each clause that is chosen.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(crate) fn telling_clauses(
    model: &dyn Model,
    symbols: &Symbols,
    reducing: &Reducing<'_, '_>,
) -> Result<Option<TellingClauses>, Interrupted> {
    let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    if distinct.len() < 2 {
        return Ok(None);
    }
    let on = [reducing.train, reducing.tune];
    let [train, tune] = on.map(|covers| covers.universe().totals());
    let pooling = Pooling::of(train.negative_weight, tune.negative_weight);
    let sets = Sets { on, pooling, totals: pooling.totals(train, tune) };
    let candidates = sets.candidates(&distinct.iter().copied().collect::<Vec<_>>(), reducing)?;
    let (chosen, f1) = sets.choose(&candidates);
    let covered = sets.union(&chosen);
    let n_examples = train.everything().n_covered() + tune.everything().n_covered();
    let covers_all = covered.iter().map(ExampleSet::count).sum::<usize>() == n_examples;
    if chosen.is_empty() || covers_all || 2 * chosen.len() > distinct.len() {
        return Ok(None);
    }
    let mut n_unlike = 0;
    for (on, covered) in on.into_iter().zip(&covered) {
        let decided = model.score(on, reducing.budget)?.decided;
        n_unlike += decided.count() + covered.count() - 2 * decided.count_common(covered.words());
    }
    if 10 * n_unlike > (10 - LEAST_TENTHS_ALIKE) * n_examples {
        return Ok(None);
    }
    let clause = |candidate: &&Candidate<'_>| {
        let clause = clause_text(&reducing.readable(candidate.clause)?, symbols);
        let train = on[0].universe().counts(&candidate.covers[0]);
        Ok(TellingClause { clause, train })
    };
    let clauses = chosen.iter().map(clause).collect::<Result<_, Interrupted>>()?;
    // Where train is tune, too, each example was counted twice.
    let n_times = if on[0].universe().has_examples_of(on[1].universe()) { 2 } else { 1 };
    let (n_alike, n_examples) = ((n_examples - n_unlike) / n_times, n_examples / n_times);
    Ok(Some(TellingClauses { clauses, f1, n_alike, n_examples }))
}

impl Sets<'_, '_> {
    /// F1 of these counts on train and tune; 0 where it is undefined.
    fn f1(&self, counts: Counts) -> f64 {
        Score::F1.of(counts, self.totals, 0).unwrap_or(0.0)
    }

    /// The counts of the covered examples within a set, negatives as they are pooled.
    fn counts_within(&self, covers: &[ExampleSet; 2], within: &[ExampleSet; 2]) -> Counts {
        let [on_train, on_tune] = [0, 1].map(|set| {
            let words = within[set].words();
            let n_words = self.on[set].universe().n_positive_words();
            let true_positives = covers[set].count_common(&words[..n_words]);
            Counts { true_positives, false_positives: covers[set].count_common(words) - true_positives }
        });
        self.pooling.counts(on_train, on_tune)
    }

    fn all(&self) -> [ExampleSet; 2] {
        self.on.map(|covers| covers.universe().all().clone())
    }

    /// The clauses that cover a positive of train; of too many for the memory those of the highest F1.
    fn candidates<'c>(
        &self,
        clauses: &[&'c Clause],
        reducing: &Reducing<'_, '_>,
    ) -> Result<Vec<Candidate<'c>>, Interrupted> {
        let all = self.all();
        let n_words: usize = all.iter().map(|set| set.words().len()).sum();
        let most = (MOST_BYTES / (8 * n_words).max(1)).max(MOST_CLAUSES);
        let mut found: Vec<(f64, Candidate<'_>)> = Vec::new();
        for block in clauses.chunks(most.min(256)) {
            let mut covers: [Vec<ExampleSet>; 2] = Default::default();
            for (covers, on) in covers.iter_mut().zip(self.on) {
                on.visit(block, reducing.budget, |_, found| covers.extend_from_slice(found))?;
            }
            let [on_train, on_tune] = covers;
            for ((&clause, on_train), on_tune) in block.iter().zip(on_train).zip(on_tune) {
                // The counts that are shown beside a clause are those on train.
                if self.on[0].universe().counts(&on_train).true_positives > 0 {
                    let covers = [on_train, on_tune];
                    let f1 = self.f1(self.counts_within(&covers, &all));
                    found.push((f1, Candidate { clause, covers }));
                }
            }
            found.sort_by(|left, right| {
                right.0.total_cmp(&left.0).then_with(|| left.1.clause.cmp(right.1.clause))
            });
            found.truncate(most);
        }
        let mut found: Vec<Candidate<'_>> = found.into_iter().map(|(_, candidate)| candidate).collect();
        found.sort_by_key(|candidate| (candidate.clause.n_literals(), candidate.clause));
        Ok(found)
    }

    /// The chosen clauses, with F1 of the union of their covers. If candidates are equal, the first is taken.
    fn choose<'a, 'c>(&self, candidates: &'a [Candidate<'c>]) -> (Vec<&'a Candidate<'c>>, f64) {
        let mut chosen: Vec<&Candidate<'_>> = Vec::new();
        let (mut best, mut counts) = (0.0, Counts::NONE);
        let mut left = self.all();
        while chosen.len() < MOST_CLAUSES {
            let mut next: Option<(&Candidate<'_>, Counts)> = None;
            let least = if chosen.is_empty() { 0.0 } else { best + LEAST_GAIN };
            for candidate in candidates {
                let with = counts.plus(self.counts_within(&candidate.covers, &left));
                if self.f1(with) > best.max(least) {
                    best = self.f1(with);
                    next = Some((candidate, with));
                }
            }
            let Some((candidate, with)) = next else { break };
            leave_out(&mut left, &candidate.covers);
            counts = with;
            chosen.push(candidate);
        }
        for at in (0..chosen.len()).rev() {
            let mut fewer = chosen.clone();
            fewer.remove(at);
            let f1 = self.f1(self.counts_within(&self.union(&fewer), &self.all()));
            if f1 >= best {
                (best, chosen) = (f1, fewer);
            }
        }
        (chosen, best)
    }

    /// The examples that any of these clauses covers.
    fn union(&self, clauses: &[&Candidate<'_>]) -> [ExampleSet; 2] {
        let mut union = self.on.map(|covers| ExampleSet::empty(covers.universe().len()));
        for candidate in clauses {
            union.iter_mut().zip(&candidate.covers).for_each(|(union, cover)| union.union_with(cover));
        }
        union
    }
}

fn leave_out(from: &mut [ExampleSet; 2], what: &[ExampleSet; 2]) {
    from.iter_mut().zip(what).for_each(|(from, what)| from.subtract(what));
}
