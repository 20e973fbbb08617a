//! What ends boosting before its rounds: tune, and the world outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gleaner::experiment::{RunResult, Split, SplitRequest, run, splits};
use gleaner_base::{Budget, Forgetful, StopReason};
use gleaner_data::Problem;
use gleaner_lang::program::settings::DataSummary;
use gleaner_learn::boost::{BoostConfig, BoostModel, BoostingRecord, boost};
use gleaner_learn::{Monitor, RunContext, Silent};

use super::{Ground, LEARNERS, config, fixture, problem, set_stores, settings, university};

use crate::support::gleaner;

const N_ROUNDS: usize = 12;

fn every_round() -> String {
    (1..=N_ROUNDS).map(|round| round.to_string()).collect::<Vec<_>>().join(",")
}

fn first_split(problem: &Problem) -> Split {
    let request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    splits(problem, &request).expect("the fixture has folds").swap_remove(0)
}

fn learnt(problem: &Problem, learner: &str, further: &[(&str, &str)]) -> RunResult {
    let (n_rounds, every_round) = (N_ROUNDS.to_string(), every_round());
    let same =
        [("rounds", &*n_rounds), ("curve-rounds", &*every_round), ("min-pos", "2"), ("first-rounds", "5")];
    let settings = settings(learner, &[&same[..], further].concat());
    let budget = Budget::unlimited();
    let context = RunContext {
        budget: &budget,
        rng_seed: 1,
        monitor: &Silent,
        cover_bytes: 64 << 20,
        keeper: &Forgetful,
    };
    run(problem, &settings, &first_split(problem), &context)
}

fn model(result: &RunResult) -> &BoostModel {
    result.model.downcast().expect("a boosted model")
}

/// The rounds that are kept, and after how many boosting ends, of these areas on tune; the second of two stages
/// has as much time as the first.
fn kept_and_grown(areas: &[f64], patience: usize, n_first: usize) -> (usize, usize) {
    let (mut best, mut n_kept) = (f64::NEG_INFINITY, 0);
    for (at, &area) in areas.iter().enumerate() {
        if area > best {
            (best, n_kept) = (area, at + 1);
        }
        if at + 1 >= patience + n_kept.max(n_first) {
            return (n_kept, at + 1);
        }
    }
    (n_kept, areas.len())
}

/// The learning curve of a run without patience has the area on tune of each round: patience keeps those up to the
/// highest, and its models of fewer rounds are the best of so many.
#[test]
fn patience_keeps_the_rounds_up_to_the_highest_area_on_tune() {
    let problem = problem(fixture("university"));
    let mut n_cut = 0;
    for learner in LEARNERS {
        let whole = learnt(&problem, learner, &[]);
        let areas: Vec<f64> = whole
            .learning_curve
            .iter()
            .map(|point| point.tune.auc_pr().expect("tune has both classes"))
            .collect();
        assert_eq!((areas.len(), model(&whole).rounds.len()), (N_ROUNDS, N_ROUNDS), "{learner}");
        for patience in [1, 3] {
            let result = learnt(&problem, learner, &[("patience", &patience.to_string())]);
            let n_first = if learner == "two-stage" { N_ROUNDS / 2 } else { 0 };
            let (n_kept, n_grown) = kept_and_grown(&areas, patience, n_first);
            assert_eq!(
                model(&result).rounds,
                model(&whole).rounds[..n_kept],
                "{learner}, patience {patience}"
            );
            let points = &result.learning_curve;
            assert_eq!(points.len(), n_grown, "{learner}, patience {patience}");
            let mut best = f64::NEG_INFINITY;
            for (at, point) in points.iter().enumerate() {
                best = best.max(areas[at]);
                assert_eq!(
                    point.tune.auc_pr(),
                    Some(best),
                    "{learner}, patience {patience}, {} rounds",
                    at + 1
                );
                // What it cost to know which rounds are best is counted.
                assert_eq!(point.clauses, whole.learning_curve[at].clauses, "{learner}");
            }
            n_cut += usize::from(n_kept < n_grown);
        }
    }
    assert!(n_cut > 3, "{n_cut} runs lost rounds");
}

/// The area that boosting itself sees on tune is the one reported.
#[test]
fn the_area_on_tune_is_that_of_the_ranking() {
    let problem = problem(fixture("university"));
    for learner in LEARNERS {
        let whole = learnt(&problem, learner, &[]);
        let split = first_split(&problem);
        let ground = Ground {
            sets: [split.train, split.tune],
            problem: self::problem(fixture("university")),
            rng_seed: 1,
            budget: Budget::unlimited(),
        };
        let further = [("rounds", "12"), ("min-pos", "2"), ("first-rounds", "5"), ("patience", "12")];
        let usual = BoostConfig::of(&settings(learner, &further), DataSummary::default());
        let boosting = ground.boost(&usual);
        for (grown, point) in boosting.rounds.iter().zip(&whole.learning_curve) {
            let (seen, told) = (grown.tune_area.expect("known"), point.tune.auc_pr().expect("known"));
            assert!((seen - told).abs() < 1e-12, "{learner}, {}: {seen}, not {told}", point.point);
        }
        let best = boosting.best_on_tune(5);
        let of = |rounds: &[gleaner_learn::boost::GrownRound]| {
            rounds.iter().filter_map(|round| round.tune_area).fold(0.0, f64::max)
        };
        assert_eq!(
            best.last().and_then(|round| round.tune_area),
            Some(of(&boosting.rounds[..5])),
            "{learner}"
        );
        assert!(best.len() <= 5 && boosting.best_on_tune(0).is_empty());
    }
}

#[test]
fn an_interrupted_budget_learns_nothing_and_says_so() {
    let ground = Ground { budget: Budget::new(None, Arc::new(AtomicBool::new(true))), ..university(1) };
    for learner in LEARNERS {
        let boosting = ground.boost(&config(learner, &[("rounds", "3")]));
        assert!(boosting.rounds.is_empty() && boosting.searches.is_empty(), "{learner}");
        assert_eq!((boosting.stop, boosting.funnel().evaluated()), (Some(StopReason::Interrupted), 0));
    }
}

/// Interrupts after so many seeds.
struct Interrupting<'a> {
    after: u64,
    n_seeds: AtomicU64,
    flag: &'a AtomicBool,
}

impl Monitor for Interrupting<'_> {
    fn seed_finished(&self, _run_idx: u64, _n_evaluated: u64, _best_score: Option<f64>) {
        if self.n_seeds.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

/// The rounds before a stop are those of a run without one, and the one that the stop came upon is whole.
#[test]
fn a_stop_leaves_the_rounds_before_it() {
    for learner in LEARNERS {
        let config = config(learner, &[("rounds", "6"), ("min-pos", "2")]);
        let whole = university(1).boost(&config);
        let flag = Arc::new(AtomicBool::new(false));
        let ground = Ground { budget: Budget::new(None, Arc::clone(&flag)), ..university(1) };
        let monitor = Interrupting { after: 3, n_seeds: AtomicU64::new(0), flag: &flag };
        let cut = ground.on(|task, context, stores| {
            let context = RunContext { monitor: &monitor, ..*context };
            boost(task, &config, &context, set_stores(stores))
        });
        assert_eq!(cut.stop, Some(StopReason::Interrupted), "{learner}");
        let n_searches = cut.searches.len();
        assert_eq!(n_searches, 3, "{learner}");
        assert_eq!(cut.searches, whole.searches[..n_searches], "{learner}");
        assert_eq!(cut.rounds.len() + cut.n_failed_draws, n_searches, "{learner}");
        for (cut, whole) in cut.rounds.iter().zip(&whole.rounds) {
            assert_eq!((&cut.round, cut.n_evaluated), (&whole.round, whole.n_evaluated), "{learner}");
        }
    }
}

/// Where no rule has enough positives nothing is learnt: the command says so, and leaves no model.
#[test]
fn nothing_learnt_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let data = fixture("boosting").display().to_string();
    for learner in LEARNERS {
        let asked =
            ["learn", &data, "--learner", learner, "--min-pos", "1000", "-o", "model.json", "--quiet"];
        let (code, _, stderr) = gleaner(folder.path(), &asked);
        assert_eq!(code, Some(3), "{learner}:\n{stderr}");
        assert!(stderr.contains("nothing"), "{learner}:\n{stderr}");
        assert!(!folder.path().join("model.json").exists(), "{learner}");
    }
}

/// The threshold of a refitted model is one that an example can reach, though it is scaled from another model's.
#[test]
fn a_refitted_model_can_call_something_positive() {
    let problem = problem(fixture("university"));
    for learner in ["mix1", "prankboost-clause"] {
        for rounds in ["1", "2", "3"] {
            let result = learnt(&problem, learner, &[("rounds", rounds), ("refit", "train-and-tune")]);
            let model = model(&result);
            let greatest: f64 = model.rounds.iter().map(|round| round.alpha).sum();
            assert!(
                model.decision.threshold.is_some_and(|(least, _)| least <= greatest),
                "{learner}, {rounds} rounds"
            );
            assert_eq!(
                result.search.own.downcast::<BoostingRecord>().and_then(|own| own.boosting.refitted_rounds),
                Some(model.rounds.len())
            );
        }
    }
}
