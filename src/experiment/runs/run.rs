//! One run: search on train, choose on tune (and train), report on test.

use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::budget::Stopwatch;
use gleaner_base::{Budget, Keeper, StopReason};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::settings::{DataSummary, Given, Settings, Source};
use gleaner_learn::calibration::{Calibrated, Calibrating, CalibrationConfig, CalibrationWay};
use gleaner_learn::model::scoring;
use gleaner_learn::reduction::{REDUCE_CLAUSES, ReduceClauses, ReducedClauses};
use gleaner_learn::shared_config::OPERATING_POINT;
use gleaner_learn::shown::Reading;
use gleaner_learn::{
    Calibration, Configured, Covers, CurvePoint, Fitting, Found, Model, OperatingPoint, RunContext, Scoring,
    SetStores, StreamPath, Task, configured_learner,
};
use gleaner_stats::eval::ReliabilityBin;

use crate::experiment::metrics::of_run::{RankedScoring, RunMetrics};
use crate::experiment::runs::facts::{seen_worlds, with_facts_of_run};
use crate::experiment::runs::kept_run::{KeptRuns, ProblemFold};
use crate::experiment::runs::monotone::modes_of_run;
use crate::experiment::runs::result::{LearningPoint, RunResult, ScoredExample, SearchSummary};
use crate::experiment::runs::sharing::Reserve;
use crate::experiment::runs::split::Split;
use crate::experiment::runs::train_share::AskedVariants;

/// Learns on a split's train and tune sets and tests on its test set.
///
/// When the budget ends, the search stops at once; its findings are still combined and tested. The search leaves a part
/// of the time for that.
pub fn run(problem: &Problem, settings: &Settings, split: &Split, context: &RunContext<'_>) -> RunResult {
    run_variants(problem, std::slice::from_ref(settings), split, 0, context).swap_remove(0)
}

/// As `run`, for several settings. Settings that differ only in how clauses are combined combine the same clauses.
/// Repetition 0 has the random streams of `run`.
///
/// **Shape**: one result for each of the settings, in order.
pub fn run_variants(
    problem: &Problem,
    variants: &[Settings],
    split: &Split,
    repeat: usize,
    context: &RunContext<'_>,
) -> Vec<RunResult> {
    let mut shared = Shared { reserve: &Reserve::default(), found: BTreeMap::new() };
    let asked = AskedVariants::all(variants);
    let task = ProblemFold { problem, split, part: 0 };
    run_variants_sharing(task, asked, repeat, context, &mut shared).into_iter().flatten().collect()
}

/// As `run_variants`, for the binary problems of all classes in turn, with the known time that results take. Searches
/// share the time. A learner that searches for all classes at once searches in the first problem.
///
/// **Shape**: one result for each problem and, of it, each of the variants; `None` where it is not asked for.
pub(crate) fn run_problems_keeping(
    problems: &[Problem],
    asked: AskedVariants<'_>,
    split: &Split,
    repeat: usize,
    context: &RunContext<'_>,
    reserve: &Reserve,
) -> Vec<Option<RunResult>> {
    let mut shared = Shared { reserve, found: BTreeMap::new() };
    let mut results = Vec::with_capacity(problems.len() * asked.variants.len());
    let n_left = (1_u32..=u32::try_from(problems.len()).unwrap_or(u32::MAX)).rev();
    for ((part, problem), n_left) in problems.iter().enumerate().zip(n_left) {
        let budget = context.budget.for_one_of(n_left);
        let context = RunContext { budget: &budget, ..*context };
        let task = ProblemFold { problem, split, part };
        results.extend(run_variants_sharing(task, asked, repeat, &context, &mut shared));
    }
    results
}

/// As `run`, for the binary problems of all classes, which share one search where they can.
///
/// **Shape**: one result for each problem.
pub fn run_problems(
    problems: &[Problem],
    settings: &Settings,
    split: &Split,
    context: &RunContext<'_>,
) -> Vec<RunResult> {
    let asked = AskedVariants::all(std::slice::from_ref(settings));
    let results = run_problems_keeping(problems, asked, split, 0, context, &Reserve::default());
    results.into_iter().flatten().collect()
}

/// The state that the problems of one split share.
struct Shared<'a> {
    /// The known time that results take.
    reserve: &'a Reserve,
    /// The findings for all classes, by the first of the settings that search alike.
    found: BTreeMap<usize, Found>,
}

/// As `run_variants`. Settings with separate searches share the time.
fn run_variants_sharing(
    task: ProblemFold<'_>,
    asked: AskedVariants<'_>,
    repeat: usize,
    context: &RunContext<'_>,
    shared: &mut Shared<'_>,
) -> Vec<Option<RunResult>> {
    let variants = asked.variants;
    let ProblemFold { problem, split, part } = task;
    let wants = KeptRuns::of_split(task, variants, repeat, context.keeper);
    let wanted = |(idx, settings): (usize, &Settings)| (asked.is_asked)(settings) && wants.is_wanted(idx);
    let wanted: Vec<bool> = variants.iter().enumerate().map(wanted).collect();
    if !wanted.contains(&true) {
        return vec![None; variants.len()];
    }
    let knowing = with_facts_of_run(problem, split);
    let problem = knowing.as_ref().unwrap_or(problem);
    let kept = KeptRuns { task: ProblemFold { problem, split, part }, ..wants };
    let sets = split.universes(problem.examples());
    let [train, tune, test] = &sets;
    // Given clauses need not be of the modes, and reduced ones may lack the literal that led to others.
    let reduces = |settings: &Settings| {
        REDUCE_CLAUSES.read(&Given { settings, data: DataSummary::default() }) != ReduceClauses::None
    };
    let are_of_modes = problem.given_clauses().is_none() && !variants.iter().any(reduces);
    let learning = seen_worlds(problem, &[train, tune], are_of_modes);
    let testing = seen_worlds(problem, &[test], are_of_modes);
    let worlds = SetWorlds { learning: &learning, testing: &testing };
    let run_sets = RunSets::new(problem, worlds, split, repeat, context, &sets);
    let data = DataSummary {
        n_train_positives: sets[0].n_positives(),
        callable_depth: problem.modes().callable_depth(),
        has_negated_modes: problem.modes().has_negated(),
        has_thresholds: problem.modes().has_thresholds(),
        is_database: problem.has_proposed_modes(),
    };
    let learners: Vec<Box<dyn Configured>> =
        variants.iter().map(|settings| configured_learner(settings, data)).collect();
    let is_asked = |variant: usize| wanted[variant];
    let read = |variant: usize| is_asked(variant).then(|| kept.read(variant)).flatten();
    let mut results: Vec<Option<RunResult>> = (0..variants.len()).map(read).collect();
    // A class of many that a set lacks cannot be learnt: its model says nothing, and its examples count as all others.
    let lacks_class = |set: &Universe| set.n_positives() == 0 || set.n_negatives() == 0;
    if problem.labels().is_one_of_several() && (lacks_class(train) || lacks_class(tune)) {
        for variant in (0..variants.len()).filter(|&variant| is_asked(variant)) {
            results[variant].get_or_insert_with(|| {
                let run = run_sets.left_out(&variants[variant], &*learners[variant]);
                kept.keep(variant, &run);
                run
            });
        }
        return results;
    }
    let all = sharing_searches(&learners, &is_asked);
    for (n_left, sharing) in (1_u32..=u32::try_from(all.len()).unwrap_or(u32::MAX)).rev().zip(all) {
        let first = sharing[0];
        if sharing.iter().all(|&variant| results[variant].is_some()) {
            context.monitor.seeds_kept(results[first].as_ref().map_or(0, |run| run.search.n_seeds));
            continue;
        }
        // The first variant searches, even if its own run is kept: the search finds the same again.
        let part = context.budget.for_one_of(n_left);
        let seeds = kept.seeds(first);
        let searching = shared.reserve.searching(&part);
        let known = shared.found.remove(&first);
        let found =
            known.unwrap_or_else(|| run_sets.search(&variants[first], &*learners[first], &searching, &seeds));
        let after_end = searching.overdue();
        let watch = Stopwatch::start();
        for &variant in &sharing {
            if results[variant].is_none() {
                let configured = Variant::of(&variants[variant], &*learners[variant]);
                let run = run_sets.result(configured, &found);
                kept.keep(variant, &run);
                results[variant] = Some(run);
            }
        }
        kept.forget_seeds(&sharing, found.record.is_stopped());
        shared.reserve.note(after_end, watch);
        if problem.labels().is_one_of_several() && learners[first].finds_for_all_classes() {
            shared.found.insert(first, found);
        }
    }
    results
}

/// The learners asked for, by their numbers, that search alike; each set ascends, and so do their firsts.
fn sharing_searches(learners: &[Box<dyn Configured>], is_asked: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (idx, learner) in learners.iter().enumerate().filter(|(idx, _)| is_asked(*idx)) {
        match all.iter_mut().find(|sharing| learner.same_search(&*learners[sharing[0]])) {
            Some(sharing) => sharing.push(idx),
            None => all.push(vec![idx]),
        }
    }
    all
}

/// The configuration of a run.
#[derive(Clone, Copy)]
struct Variant<'a> {
    learner: &'a dyn Configured,
    calibration: CalibrationConfig,
    operating_point: OperatingPoint,
}

impl<'a> Variant<'a> {
    fn of(settings: &Settings, learner: &'a dyn Configured) -> Self {
        let data = DataSummary::default();
        Self {
            learner,
            calibration: CalibrationConfig::of(settings, data),
            operating_point: OPERATING_POINT.read(&Given { settings, data }),
        }
    }
}

/// The facts that the examples of one run see.
#[derive(Clone, Copy)]
struct SetWorlds<'a> {
    /// The facts of train and tune.
    learning: &'a [Background],
    testing: &'a [Background],
}

/// The sets of one run, with the known covers on them.
struct RunSets<'a> {
    problem: &'a Problem,
    worlds: SetWorlds<'a>,
    split: &'a Split,
    repeat: usize,
    context: &'a RunContext<'a>,
    sets: &'a [Universe; 3],
    stores: [Arc<CoverStore<'a>>; 3],
    reduced: ReducedClauses,
}

impl<'a> RunSets<'a> {
    fn new(
        problem: &'a Problem,
        worlds: SetWorlds<'a>,
        split: &'a Split,
        repeat: usize,
        context: &'a RunContext<'a>,
        sets: &'a [Universe; 3],
    ) -> Self {
        let capacity = |set: &Universe| CoverStore::usual_capacity(set).min(context.cover_bytes);
        let store = |set: usize, share: usize, worlds: &'a [Background]| {
            let capacity = capacity(&sets[set]) / share;
            Arc::new(CoverStore::with_capacity(worlds, &sets[set], capacity))
        };
        let SetWorlds { learning, testing } = worlds;
        let stores = [store(0, 1, learning), store(1, 4, learning), store(2, 4, testing)];
        Self { problem, worlds, split, repeat, context, sets, stores, reduced: ReducedClauses::default() }
    }

    /// The number of the run among all runs of an experiment; names its random streams.
    fn run_idx(&self) -> u64 {
        self.split.run_idx as u64 + ((self.repeat as u64) << 32)
    }

    fn search(
        &self,
        settings: &Settings,
        learner: &dyn Configured,
        budget: &Budget,
        keeper: &dyn Keeper,
    ) -> Found {
        let modes = modes_of_run(self.problem, settings);
        let given = self.problem.given_clauses();
        let given = given.map(|given| given.of_run(&self.split.name, self.repeat));
        let given = given.map(|clauses| self.problem.labels().with_own_heads(clauses));
        let task = Task {
            worlds: self.worlds.learning,
            modes: &modes,
            examples: self.problem.examples(),
            train: &self.sets[0],
            tune: &self.sets[1],
            run_idx: self.run_idx(),
            labels: self.problem.labels(),
            given: given.as_deref(),
        };
        let stores = SetStores { train: &self.stores[0], tune: &self.stores[1] };
        learner.search(&task, &RunContext { budget, keeper, ..*self.context }, stores)
    }

    /// Fits the model of a part of the findings, and measures it on tune and test.
    fn judge(
        &self,
        configured: Variant<'_>,
        found: &Found,
        point: &CurvePoint,
        budget: &Budget,
    ) -> Result<Judged, Interrupted> {
        let Variant { learner, calibration: config, operating_point } = configured;
        let [train, tune, test] = [0, 1, 2].map(|set| Covers::sharing(&self.stores[set]));
        let stream = StreamPath { rng_seed: self.context.rng_seed, run_idx: self.run_idx() };
        let fitting = Fitting {
            train: &train,
            tune: &tune,
            labels: self.problem.labels(),
            stream,
            budget,
            reduced: &self.reduced,
        };
        let learnt = learner.fit(found, point, &fitting)?;
        let held_out = learnt.held_out.as_ref().and_then(|held_out| held_out.of_tune(tune.universe()));
        let mut of_tune = match held_out {
            Some(scores) => scoring(tune.universe(), scores, None, |score| score),
            None => learnt.on_tune().score(&tune, budget)?,
        };
        let calibrating = Calibrating { config, operating_point, train: &train, tune: &tune, budget };
        let Calibrated { model, calibration, decided_on_tune } =
            calibrating.calibrate(&learnt, &of_tune.scores);
        of_tune.decided = decided_on_tune.unwrap_or(of_tune.decided);
        let scoring = model.score(&test, budget)?;
        let [_, tune, _] = self.sets;
        let tune = RankedScoring::new(&of_tune, tune);
        let on_tune = tune.hull_thresholds();
        // Another model's scores have other thresholds.
        let hull_thresholds = if learnt.before_tune.is_none() { on_tune.clone() } else { Vec::new() };
        let test = self.ranked_test(&scoring).with_probabilities(calibration.as_ref(), config.at_probability);
        let (test, reliability) = (test.metrics(&hull_thresholds), test.reliability().to_vec());
        let tune = tune.metrics(&on_tune);
        Ok(Judged { model, calibration, reliability, scoring, hull_thresholds, test, tune })
    }

    /// A scoring of test, ranked, with the filtered positives that count.
    fn ranked_test<'s>(&'s self, scoring: &'s Scoring) -> RankedScoring<'s> {
        RankedScoring::new(scoring, &self.sets[2]).with_filtered(self.split.filtered)
    }

    /// The result for a class that the run cannot learn. Without a calibration its probability is its share.
    fn left_out(&self, settings: &Settings, learner: &dyn Configured) -> RunResult {
        let mut configured = Variant::of(settings, learner);
        configured.calibration.way = CalibrationWay::None;
        self.result(configured, &learner.nothing())
    }

    /// The model of a search that found nothing.
    fn judge_nothing(&self, configured: Variant<'_>) -> Judged {
        let nothing = configured.learner.nothing();
        let points = configured.learner.points(&nothing);
        let whole = points.into_iter().next_back().expect("a learning curve ends with the whole search");
        self.judge(configured, &nothing, &whole, &Budget::unlimited()).expect("nothing is there to interrupt")
    }

    /// Judges the model of all findings. If that takes too long, the result is the largest part that was judged in
    /// time, with the part and the reason. If no part was judged, the result is the model of nothing.
    ///
    /// With a time limit, ever larger parts are judged first, in a quarter of the time. So there is a model in any
    /// case.
    fn judge_all_or_part(
        &self,
        configured: Variant<'_>,
        found: &Found,
        whole: &CurvePoint,
        ending: &Budget,
    ) -> (Judged, Option<CurvePoint>, Option<StopReason>) {
        let limited = ending.left().map(|left| ending.for_at_most(left / 4));
        let of_part = limited.and_then(|first| self.judge_ever_larger(configured, found, &first));
        let reason = match self.judge(configured, found, whole, ending) {
            Ok(judged) => return (judged, None, None),
            Err(Interrupted(reason)) => reason,
        };
        let of_part =
            of_part.or_else(|| self.judge_ever_larger(configured, found, &self.context.budget.last()));
        let (judged, part) = of_part
            .map_or_else(|| (self.judge_nothing(configured), None), |(judged, part)| (judged, Some(part)));
        (judged, part, Some(reason))
    }

    /// Judges ever larger parts until the budget ends. Returns the last part that was judged, with its result.
    fn judge_ever_larger(
        &self,
        configured: Variant<'_>,
        found: &Found,
        budget: &Budget,
    ) -> Option<(Judged, CurvePoint)> {
        let parts = configured.learner.lesser(found).into_iter();
        let judged = parts.map_while(|part| Some((self.judge(configured, found, &part, budget).ok()?, part)));
        judged.last()
    }

    fn result(&self, configured: Variant<'_>, found: &Found) -> RunResult {
        let test = &self.sets[2];
        let ending = self.context.budget.ending();
        let mut points = configured.learner.points(found);
        let whole = points.pop().expect("a learning curve ends with the whole search");
        // The whole comes first: if the time ends before all parts are judged, the whole model is the one wanted.
        let (mut judged, lesser, mut stop) = self.judge_all_or_part(configured, found, &whole, &ending);
        let whole = lesser.unwrap_or(whole);
        let mut learning_curve: Vec<LearningPoint> = Vec::with_capacity(points.len() + 1);
        // Once the time has ended no further part is begun: each would fit its model before it looks at the budget.
        let parts = if stop.is_none() { points } else { Vec::new() };
        for point in parts {
            match self.judge(configured, found, &point, &ending) {
                Ok(Judged { test, tune, .. }) => {
                    let CurvePoint { name, n_evaluated, .. } = point;
                    learning_curve.push(LearningPoint { point: name, clauses: n_evaluated, test, tune });
                }
                Err(interrupted) => {
                    stop = Some(interrupted.0);
                    break;
                }
            }
        }
        let mut search = SearchSummary::of(self.problem, &found.record);
        if let Some(reason) = stop {
            search.stop_after(reason);
        }
        // A search that was stopped before it found anything is no evidence about the learner.
        let was_searched = !(judged.model.is_empty() && search.outer_stop().is_some());
        if !was_searched {
            (judged.test, judged.tune) = Default::default();
            judged.reliability.clear();
        }
        learning_curve.push(LearningPoint {
            point: whole.name,
            clauses: whole.n_evaluated,
            test: judged.test.clone(),
            tune: judged.tune.clone(),
        });
        RunResult {
            split: self.split.clone(),
            repeat: self.repeat,
            search,
            density: found.record.density.clone(),
            curve: self.ranked_test(&judged.scoring).score_curve().points(),
            hull_thresholds: judged.hull_thresholds,
            scored: scored_examples(&judged.scoring, judged.calibration.as_ref(), test),
            calibration: judged.calibration,
            reliability: judged.reliability,
            metrics: judged.test,
            tune_metrics: judged.tune,
            was_searched,
            test_points: judged.scoring.points.decisions().to_vec(),
            learning_curve,
            sizes: [0, 1, 2].map(|set| self.sets[set].totals()),
            model: judged.model,
            reading: Reading { schema: self.problem.schema().map(str::to_owned), ..Reading::default() },
            clause_counts: Vec::new(),
            theory_curves: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

/// The model of a part of the search.
struct Judged {
    model: Arc<dyn Model>,
    calibration: Option<Calibration>,
    /// The reliability table of test.
    reliability: Vec<ReliabilityBin>,
    /// The model's scores of test.
    scoring: Scoring,
    /// The thresholds of the model's achievable curve, from tune.
    hull_thresholds: Vec<f64>,
    test: RunMetrics,
    tune: RunMetrics,
}

/// The examples of a universe with a model's scoring, ascending by example; probabilities are those of its calibration.
pub fn scored_examples(
    scoring: &Scoring,
    calibration: Option<&Calibration>,
    universe: &Universe,
) -> Vec<ScoredExample> {
    let probability = |score: f64| calibration.map(|calibration| calibration.calibrator.probability(score));
    let mut scored: Vec<ScoredExample> = universe
        .iter()
        .map(|(position, example)| ScoredExample {
            example,
            score: scoring.scores[position],
            probability: probability(scoring.scores[position]),
            decision: scoring.decided.contains(position),
            confidence: scoring.confidences[position],
        })
        .collect();
    scored.sort_by_key(|scored| scored.example);
    scored
}
