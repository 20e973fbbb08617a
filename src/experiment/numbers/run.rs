//! One run of a target that is a number: search on train and tune, fit, and measure on test.
//!
//! How numbers are learnt and measured: the loss of the trees, and the metric that comes first.

use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, KeptUnder, StopReason};
use gleaner_data::Problem;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Examples;
use gleaner_lang::program::settings::{DataSummary, Given, LEARNER, Settings, Source, Word};
use gleaner_learn::calibration::HeldOut;
use gleaner_learn::record::SearchRecord;
use gleaner_learn::reduction::{REDUCE_CLAUSES, ReduceClauses, ReducedClauses};
use gleaner_learn::trees::TreeConfig;
use gleaner_learn::trees::loss::{Goal, Loss, LossName};
use gleaner_learn::{
    Covers, Fitting, Learnt, Model, RunContext, SetStores, StreamPath, Task, configured_learner,
    learner_named, learners,
};
use gleaner_stats::eval::numbers::mean;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures, metric_name, shown_metrics};
use crate::experiment::numbers::result::{NumberRun, TriedLearner, scale_of};
use crate::experiment::runs::facts::seen_worlds;
use crate::experiment::runs::kept_run::{KeptRuns, ProblemFold};
use crate::experiment::runs::monotone::modes_of_run;
use crate::experiment::runs::result::SearchSummary;
use crate::experiment::runs::split::Split;
use crate::experiment::runs::train_share::AskedVariants;

/// The learners that learn numbers, among those that the settings ask for: several for a learner that chooses.
pub fn number_learners(settings: &Settings) -> Vec<Settings> {
    let Some(learner) = learner_named(&settings.learner()) else { return Vec::new() };
    let others = learner.others(settings);
    let asked = if learner.learns_by_others() { others } else { vec![settings.clone()] };
    let learns = |settings: &Settings| {
        learner_named(&settings.learner()).is_some_and(|learner| learner.learns_numbers())
    };
    asked.into_iter().filter(learns).collect()
}

/// The names of all learners that learn numbers.
pub fn names_of_number_learners() -> Vec<&'static str> {
    let learning = learners().filter(|learner| learner.learns_numbers() || learner.learns_by_others());
    learning.flat_map(|learner| learner.names()).map(|known| known.name).collect()
}

/// A learner's findings as a model.
struct Fitted {
    settings: Settings,
    tried: TriedLearner,
    learnt: Learnt,
    record: SearchRecord,
    stop: Option<StopReason>,
}

/// Learns on a split's train and tune sets and tests on its test set. Of several learners that are asked for, the model is
/// that with the least loss on examples that were held out.
///
/// # Panics
///
/// When the settings name no learner of numbers, or the target is no number: jobs refuse both.
pub fn run_numbers(
    problem: &Problem,
    settings: &Settings,
    split: &Split,
    context: &RunContext<'_>,
) -> NumberRun {
    let asked = AskedVariants::all(std::slice::from_ref(settings));
    let runs = run_number_variants(problem, asked, split, 0, context);
    runs.into_iter().flatten().next().expect("it is asked for")
}

/// As `run_numbers`, for several settings over the same examples. Repetition 0 has the random streams of `run_numbers`.
///
/// **Shape**: one result for each of the variants, in order; `None` where it is not asked for.
///
/// # Panics
///
/// As for `run_numbers`.
pub(crate) fn run_number_variants(
    problem: &Problem,
    asked: AskedVariants<'_>,
    split: &Split,
    repeat: usize,
    context: &RunContext<'_>,
) -> Vec<Option<NumberRun>> {
    let variants = asked.variants;
    let kept = KeptRuns::of_split(ProblemFold { problem, split, part: 0 }, variants, repeat, context.keeper);
    let mut results: Vec<Option<NumberRun>> = vec![None; variants.len()];
    let (all, is_asked) = (variants.iter().enumerate(), asked.is_asked);
    let asked: Vec<(usize, &Settings)> =
        all.filter(|&(idx, settings)| is_asked(settings) && kept.is_wanted(idx)).collect();
    if asked.is_empty() {
        return results;
    }
    let own = problem.with_modes_of(split.run_idx);
    let problem = own.as_ref().unwrap_or(problem);
    // What test's numbers are changes no model: so the halves are those of train and tune.
    let known = [&*split.train, &split.tune].concat();
    let examples = Arc::new(problem.examples().with_upper_half_of(&known));
    let sets = split.universes(&examples);
    let [train, tune, test] = &sets;
    // Reduced clauses may lack the literal that led to others.
    let reduces = |settings: &Settings| {
        REDUCE_CLAUSES.read(&Given { settings, data: DataSummary::default() }) != ReduceClauses::None
    };
    let are_of_modes = !variants.iter().any(reduces);
    let learning = seen_worlds(problem, &[train, tune], are_of_modes);
    let testing = seen_worlds(problem, &[test], are_of_modes);
    let stores = [(train, &learning), (tune, &learning), (test, &testing)].map(|(set, worlds)| {
        let capacity = CoverStore::usual_capacity(set).min(context.cover_bytes);
        Arc::new(CoverStore::with_capacity(worlds, set, capacity))
    });
    let run_idx = split.run_idx as u64 + ((repeat as u64) << 32);
    let (worlds, stores) = (&*learning, &stores);
    let fitting =
        NumberFitting { problem, examples: &examples, split, worlds, sets: &sets, stores, run_idx, repeat };
    for (n_left, (variant, settings)) in (1..=count(asked.len())).rev().zip(asked) {
        if let Some(run) = kept.read::<NumberRun>(variant) {
            context.monitor.seeds_kept(run.search.n_seeds);
            results[variant] = Some(run);
            continue;
        }
        let part = context.budget.for_one_of(n_left);
        let run =
            fitting.best(settings, &RunContext { budget: &part, keeper: &kept.seeds(variant), ..*context });
        kept.keep(variant, &run);
        kept.forget_seeds(&[variant], run.stop.is_some());
        results[variant] = Some(run);
    }
    results
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The sets that a learner learns from.
struct NumberFitting<'a> {
    problem: &'a Problem,
    /// The examples of the problem, in halves by the numbers of train and tune.
    examples: &'a Arc<Examples>,
    split: &'a Split,
    /// The facts that the examples of train and tune see.
    worlds: &'a [Background],
    sets: &'a [Universe; 3],
    stores: &'a [Arc<CoverStore<'a>>; 3],
    /// Names the random streams.
    run_idx: u64,
    repeat: usize,
}

impl NumberFitting<'_> {
    /// The run of the learner that does best on examples that were held out, of those that the settings ask for.
    fn best(&self, settings: &Settings, context: &RunContext<'_>) -> NumberRun {
        let Self { problem, split, sets, stores, repeat, .. } = *self;
        let asked = number_learners(settings);
        let mut fitted: Vec<Fitted> = Vec::with_capacity(asked.len());
        for (n_left, settings) in (1..=count(asked.len())).rev().zip(asked) {
            // Each learner keeps its trees under a name of its own.
            let keeper = KeptUnder::new(context.keeper, format!("{}-", fitted.len() + 1));
            let part = context.budget.for_one_of(n_left);
            fitted.push(self.fit(settings, &RunContext { budget: &part, keeper: &keeper, ..*context }));
        }
        let tried: Vec<TriedLearner> = fitted.iter().map(|fitted| fitted.tried.clone()).collect();
        let stop = fitted.iter().find_map(|fitted| fitted.stop);
        let loss = |fitted: &Fitted| fitted.tried.held_out.unwrap_or(f64::INFINITY);
        let least = |best: (usize, Fitted), next: (usize, Fitted)| {
            if loss(&next.1) < loss(&best.1) { next } else { best }
        };
        let best = fitted.into_iter().enumerate().reduce(least);
        let (taken, best) = best.expect("a job refuses learners that learn no numbers");
        let scale = scale_of(&*best.learnt.model).expect("a learner of numbers gives a model of numbers");
        let covers = Covers::sharing(&stores[2]);
        // The test set is scored to the end: a part of it would not describe it.
        let scoring = best.learnt.model.score(&covers, &Budget::unlimited()).expect("nothing interrupts");
        let mut judged: Vec<(ExampleId, JudgedNumber)> = sets[2]
            .iter()
            .filter_map(|(position, example)| {
                let number = problem.number(example)?;
                Some((example, JudgedNumber::of(&scale, scoring.scores[position], number)))
            })
            .collect();
        judged.sort_by_key(|&(example, _)| example);
        let all: Vec<JudgedNumber> = judged.iter().map(|(_, judged)| judged.clone()).collect();
        NumberRun {
            split: split.clone(),
            repeat,
            tried,
            taken,
            figures: NumberFigures::of(&all, scale.loss),
            scale,
            model: Arc::clone(&best.learnt.model),
            search: SearchSummary::of(problem, &best.record),
            stop,
            judged,
            settings: best.settings,
            sizes: NumberRun::sizes_of(problem, split),
        }
    }

    fn fit(&self, settings: Settings, context: &RunContext<'_>) -> Fitted {
        let Self { problem, examples, worlds, sets, stores, run_idx, .. } = *self;
        let data = DataSummary {
            n_train_positives: sets[0].n_positives(),
            callable_depth: problem.modes().callable_depth(),
            has_negated_modes: problem.modes().has_negated(),
            has_thresholds: problem.modes().has_thresholds(),
            is_database: problem.has_proposed_modes(),
        };
        let learner = configured_learner(&settings, data);
        let modes = modes_of_run(problem, &settings);
        let task = Task {
            worlds,
            modes: &modes,
            examples,
            train: &sets[0],
            tune: &sets[1],
            run_idx,
            labels: problem.labels(),
            given: None,
        };
        let found = learner.search(&task, context, SetStores { train: &stores[0], tune: &stores[1] });
        let [train, tune] = [0, 1].map(|set| Covers::sharing(&stores[set]));
        let ending = context.budget.ending();
        let unlimited = Budget::unlimited();
        let reduced = ReducedClauses::default();
        let fitting = |budget| Fitting {
            train: &train,
            tune: &tune,
            labels: problem.labels(),
            stream: StreamPath { rng_seed: context.rng_seed, run_idx },
            budget,
            reduced: &reduced,
        };
        let whole = learner.points(&found).pop().expect("a learning curve ends with the whole search");
        let mut stop = found.record.stop;
        let learnt = learner.fit(&found, &whole, &fitting(&ending)).unwrap_or_else(|interrupted| {
            stop = Some(interrupted.0);
            let nothing = learner.nothing();
            let whole = learner.points(&nothing).pop().expect("a learning curve ends with the whole search");
            learner.fit(&nothing, &whole, &fitting(&unlimited)).expect("nothing is there to interrupt")
        });
        let goal = TreeConfig::of(&settings, data);
        let tried = TriedLearner {
            learner: settings.learner(),
            rounds: scale_of(&*learnt.model).map_or(0, |scale| scale.rounds),
            held_out: learnt
                .held_out
                .as_ref()
                .and_then(|held_out| self.held_out_loss(held_out, &goal, &*learnt.model)),
        };
        Fitted { tried, record: found.record, stop, learnt, settings }
    }

    /// The mean loss of examples that were held out.
    fn held_out_loss(&self, held_out: &HeldOut, config: &TreeConfig, model: &dyn Model) -> Option<f64> {
        let scale = scale_of(model)?;
        let loss = config.goal.loss(config.quantile);
        let losses: Option<Vec<f64>> = held_out
            .examples
            .iter()
            .map(|of| {
                let set = &self.sets[usize::from(of.is_tune)];
                let number = self.problem.number(set.example(of.position)?)?;
                Some(loss.of(number, scale.prediction(of.score)))
            })
            .collect();
        mean(losses?.into_iter())
    }
}

/// How numbers are learnt and measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberWay {
    /// The metric that is reported first.
    #[serde(serialize_with = "goal_name", deserialize_with = "named_goal")]
    pub goal: Goal,
    /// The loss of the trees.
    pub loss: Loss,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn goal_name<S: Serializer>(goal: &Goal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(goal.word())
}

fn named_goal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Goal, D::Error> {
    let name = String::deserialize(deserializer)?;
    let known = Goal::WORDS.iter().find(|(word, _)| *word == name);
    known.map(|&(_, goal)| goal).ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no goal")))
}

/// Shares of test within intervals, and the widths of these.
const INTERVALS: [&str; 4] = ["within_80", "within_90", "width_80", "width_90"];

impl NumberWay {
    /// The way that settings ask for.
    pub fn of(settings: &Settings) -> Self {
        let mut settings = settings.clone();
        // The settings of trees are read as they are for a learner of trees.
        let _ = settings.set(LEARNER, "rdn-boost");
        let config = TreeConfig::of(&settings, DataSummary::default());
        Self { goal: config.goal, loss: config.loss() }
    }

    /// Whether losses of held-out examples that another way asks for can be compared with those of this one.
    pub fn decides_alike(self, other: Self) -> bool {
        self.goal.loss(self.loss.quantile) == other.goal.loss(other.loss.quantile)
    }

    /// The metrics that models of this loss have, the goal first.
    pub fn shown(self) -> Vec<Goal> {
        shown_metrics(self.goal, self.loss)
    }

    /// The names of the metrics that runs have, in the order reported: those of the model, of both constants, and of
    /// intervals.
    pub fn recorded(self) -> Vec<&'static str> {
        let shown = self.shown();
        let of = |constant: usize| shown.iter().map(move |&goal| metric_name(goal)[constant]);
        let below = (self.loss.name == LossName::Quantile).then_some("at_or_below");
        of(0).chain(of(1)).chain(of(2)).chain(INTERVALS).chain(below).collect()
    }

    /// The names of the metrics that runs are compared in where no other is asked for; the first is compared pair by pair.
    pub fn compared(self) -> Vec<&'static str> {
        self.shown().iter().map(|&goal| metric_name(goal)[0]).chain(INTERVALS[..2].iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::NumberWay;
    use crate::experiment::metrics::metric_list::{Metric, of_numbers};
    use gleaner_learn::trees::loss::{Goal, Loss, LossName};

    #[test]
    fn names_are_those_of_the_list() {
        let mut known: Vec<&str> = Vec::new();
        for name in [LossName::Squared, LossName::Poisson, LossName::Quantile] {
            let way = NumberWay { goal: Goal::Rmse, loss: Loss { name, quantile: 0.5 } };
            assert_eq!(way.recorded()[..3], ["rmse", "mae", "r2"]);
            assert!(way.compared().iter().all(|name| way.recorded().contains(name)));
            known.extend(way.recorded());
        }
        assert!(known.iter().all(|name| Metric::find(name).is_some()));
        assert!(of_numbers().all(|metric| known.contains(&metric.name)));
    }

    #[test]
    fn a_record_gives_the_way_back() {
        let way =
            NumberWay { goal: Goal::PoissonDeviance, loss: Loss { name: LossName::Poisson, quantile: 0.5 } };
        let text = serde_json::to_string(&way).expect("plain data");
        assert_eq!(serde_json::from_str::<NumberWay>(&text).expect("a way"), way);
        assert!(serde_json::from_str::<NumberWay>(&text.replace("poisson-deviance", "fame")).is_err());
    }
}
