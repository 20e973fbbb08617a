//! What a cross-validation keeps while it runs, and going on from it.

mod killed;
pub(crate) mod links;
mod numbers;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gleaner::experiment::{
    CrossValidation, Divisions, SplitRequest, cross_validate_problems, default_settings, load, splits,
};
use gleaner_base::{Budget, Keeper, PartText};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;
use gleaner_learn::registry::learner_names;
use gleaner_learn::{Monitor, RunContext, Silent};

use crate::support::fixture;

pub(crate) fn university() -> Problem {
    let request = LoadRequest { path: fixture("university"), ..LoadRequest::default() };
    let loaded = load(&request, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the fixture loads").problem
}

/// Keeps texts in memory.
#[derive(Default)]
struct Memory {
    texts: Mutex<BTreeMap<String, String>>,
    /// Whether every seed is worth being kept.
    keeps_seeds: bool,
    /// Whether nothing is forgotten, as if a kill came before.
    never_forgets: bool,
    /// How often it was asked whether something is worth being kept; of stretches of steps only each third is.
    keeps_each_third: Option<AtomicUsize>,
}

impl Memory {
    fn names(&self) -> Vec<String> {
        self.texts.lock().expect("no thread panicked").keys().cloned().collect()
    }

    fn take(&self, name: &str) {
        assert!(self.texts.lock().expect("no thread panicked").remove(name).is_some(), "{name}");
    }
}

impl Keeper for Memory {
    fn kept(&self, name: &str) -> Option<String> {
        self.texts.lock().expect("no thread panicked").get(name).cloned()
    }

    fn keep(&self, name: &str, text: &str) {
        self.texts.lock().expect("no thread panicked").insert(name.to_owned(), text.to_owned());
    }

    fn keep_part(&self, name: &str, text: PartText, _seconds: f64) {
        self.keep(name, &text().expect("a text holds it"));
    }

    fn forget(&self, beginning: &str) {
        let mut texts = self.texts.lock().expect("no thread panicked");
        texts.retain(|name, _| self.never_forgets || !name.starts_with(beginning));
    }

    fn reject(&self, name: &str, why: &str) {
        panic!("{name}: {why}");
    }

    fn is_worth(&self, seconds: f64) -> bool {
        match &self.keeps_each_third {
            Some(asked) => seconds.is_infinite() || asked.fetch_add(1, Ordering::Relaxed) % 3 == 2,
            None => self.keeps_seeds,
        }
    }
}

/// Notes the runs that are searched.
#[derive(Debug, Default)]
struct Searched(Mutex<Vec<u64>>);

impl Searched {
    /// The runs, each once, ascending.
    fn runs(self) -> Vec<u64> {
        let mut runs = self.0.into_inner().expect("no thread panicked");
        runs.sort_unstable();
        runs.dedup();
        runs
    }
}

impl Monitor for Searched {
    fn seed_finished(&self, run_idx: u64, _n_evaluated: u64, _best_score: Option<f64>) {
        self.0.lock().expect("no thread panicked").push(run_idx);
    }
}

pub(crate) fn settings(given: &[(&str, &str)]) -> Settings {
    let mut settings = default_settings();
    for (name, value) in [("learner", "gleaner")].iter().chain(given) {
        settings.set(name, value).expect("a setting");
    }
    settings
}

fn validate(
    problem: &Problem,
    variants: &[Settings],
    monitor: &dyn Monitor,
    keeper: &dyn Keeper,
) -> Vec<CrossValidation> {
    let request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    let splits = splits(problem, &request).expect("the fixture has folds");
    let budget = Budget::unlimited();
    let context = RunContext { budget: &budget, rng_seed: 1, monitor, cover_bytes: 64 << 20, keeper };
    let divisions = Divisions::of(problem, &splits, variants, 1).expect("each set has both classes");
    cross_validate_problems(std::slice::from_ref(problem), variants, &divisions, 2, &context)
}

/// All that a run holds is printed: each number by the digits that tell it from its neighbours.
fn text(validations: &[CrossValidation]) -> String {
    format!("{validations:#?}")
}

#[test]
fn a_kept_run_is_the_run_for_every_learner() {
    let problem = university();
    // These data have no sentences.
    for learner in learner_names().filter(|learner| learner.name != "text-hmm") {
        let settings = settings(&[
            ("learner", learner.name),
            ("clauses", "60"),
            ("seeds", "4"),
            ("rounds", "5"),
            ("ensemble-size", "3"),
        ]);
        let keeper = Memory::default();
        let first = validate(&problem, std::slice::from_ref(&settings), &Silent, &keeper);
        assert_eq!(keeper.names().len(), first[0].runs.len(), "{}: {:?}", learner.name, keeper.names());
        let searched = Searched::default();
        let again = validate(&problem, std::slice::from_ref(&settings), &searched, &keeper);
        assert!(searched.runs().is_empty(), "{}: what is kept is not searched", learner.name);
        assert_eq!(text(&first), text(&again), "{}", learner.name);
        assert!(first[0].runs.iter().any(|run| !run.model.is_empty()), "{}", learner.name);
    }
}

/// Variants with several shares of the labels are kept under names of their own, and each is read back for its share.
#[test]
fn runs_of_shares_are_kept_apart() {
    let problem = university();
    let variant = |share: &str, votes: &str| {
        settings(&[("clauses", "60"), ("seeds", "4"), ("train-share", share), ("votes", votes)])
    };
    let variants = [variant("0.5", "equal"), variant("1", "equal"), variant("0.5", "precision")];
    let keeper = Memory::default();
    let first = validate(&problem, &variants, &Silent, &keeper);
    assert_eq!(keeper.names().len(), 3 * first[0].runs.len(), "{:?}", keeper.names());
    for (half, whole) in first[0].runs.iter().zip(&first[1].runs) {
        assert!(half.split.train.len() < whole.split.train.len() && half.split.test == whole.split.test);
    }
    // The third variant, the second repetition, the first fold.
    keeper.take("run-3-2-1");
    let searched = Searched::default();
    let again = validate(&problem, &variants, &searched, &keeper);
    assert_eq!(searched.runs(), [1_u64 << 32]);
    assert_eq!(text(&first), text(&again));
}

/// Variants that share a search: the one that is missing is made of what the first found, as it was before.
#[test]
fn only_what_is_missing_is_searched_again() {
    let problem = university();
    let variant = |votes: &str| settings(&[("clauses", "60"), ("seeds", "4"), ("votes", votes)]);
    let variants = [variant("equal"), variant("precision")];
    let keeper = Memory::default();
    let first = validate(&problem, &variants, &Silent, &keeper);
    // The second variant, the second repetition, the first fold.
    keeper.take("run-2-2-1");
    let searched = Searched::default();
    let again = validate(&problem, &variants, &searched, &keeper);
    assert_eq!(searched.runs(), [1_u64 << 32]);
    assert_eq!(text(&first), text(&again));
    assert_eq!(keeper.names().len(), 2 * first[0].runs.len());
}

/// A seed that took long is kept until its run is, and is not searched again.
#[test]
fn a_kept_seed_is_the_seed() {
    let problem = university();
    for given in [&[("learning-curve", "20,40"), ("emphasis", "multiply")][..], &[("learner", "best-clause")]]
    {
        let settings = settings(&[&[("clauses", "60"), ("seeds", "4")], given].concat());
        let variants = std::slice::from_ref(&settings);
        let kept_to_the_end = Memory { keeps_seeds: true, ..Memory::default() };
        let first = validate(&problem, variants, &Silent, &kept_to_the_end);
        let n_runs = first[0].runs.len();
        assert_eq!(kept_to_the_end.names().len(), n_runs, "seeds go with their run");
        let keeper = Memory { keeps_seeds: true, never_forgets: true, ..Memory::default() };
        validate(&problem, variants, &Silent, &keeper);
        assert_eq!(keeper.names().len(), n_runs + 4 * n_runs, "{:?}", keeper.names());
        keeper.names().iter().filter(|name| name.starts_with("run-")).for_each(|name| keeper.take(name));
        // Of the second repetition and the third fold.
        keeper.take("seed-1-2-3-4");
        let searched = Searched::default();
        let again = validate(&problem, variants, &searched, &keeper);
        assert_eq!(searched.0.lock().expect("no thread panicked").as_slice(), [(1_u64 << 32) + 2]);
        assert_eq!(text(&first), text(&again));
    }
}

/// A learner whose steps depend on those before, with the settings of short runs.
struct StepByStep {
    /// The settings.
    given: &'static [(&'static str, &'static str)],
    /// Seeds of each step.
    n_seeds: usize,
}

const STEP_BY_STEP: [StepByStep; 7] = [
    StepByStep { given: &[("learner", "aleph"), ("clauses", "40"), ("max-literals", "3")], n_seeds: 1 },
    StepByStep {
        given: &[("learner", "aleph-ensemble"), ("clauses", "40"), ("ensemble-size", "3")],
        n_seeds: 1,
    },
    StepByStep { given: &[("learner", "rankboost"), ("rounds", "6")], n_seeds: 1 },
    StepByStep {
        given: &[
            ("learner", "prankboost-path"),
            ("rounds", "6"),
            ("round-seeds", "2"),
            ("literal-share", "0.5"),
            ("patience", "4"),
            ("refit", "train-and-tune"),
        ],
        n_seeds: 2,
    },
    StepByStep {
        given: &[("search", "directed"), ("transfer", "seeds"), ("clauses", "40"), ("seeds", "6")],
        n_seeds: 1,
    },
    StepByStep {
        given: &[("learner", "sayu"), ("network", "tan"), ("clauses", "100"), ("seeds", "7")],
        n_seeds: 1,
    },
    StepByStep { given: &[("learner", "kfoil"), ("clauses", "60"), ("seeds", "6")], n_seeds: 1 },
];

/// Of a search whose steps depend on each other any that were kept are taken, and those between are searched anew for the
/// same state: the run has the same bytes whatever was lost.
#[test]
fn kept_steps_are_the_steps() {
    let problem = university();
    for StepByStep { given, n_seeds } in STEP_BY_STEP {
        let settings = settings(given);
        let variants = std::slice::from_ref(&settings);
        let all = Memory { keeps_seeds: true, never_forgets: true, ..Memory::default() };
        let first = validate(&problem, variants, &Silent, &all);
        assert!(first[0].runs.iter().any(|run| !run.model.is_empty()), "{given:?}");
        let steps = |keeper: &Memory| -> Vec<String> {
            keeper.names().into_iter().filter(|name| name.starts_with("seed-")).collect()
        };
        let n_searched: usize = first[0].runs.iter().map(|run| run.search.n_seeds).sum();
        assert_eq!(steps(&all).len() * n_seeds, n_searched, "{given:?}: {:?}", all.names());
        all.names().iter().filter(|name| name.starts_with("run-")).for_each(|name| all.take(name));
        // Every step is kept.
        let searched = Searched::default();
        let again = validate(&problem, variants, &searched, &all);
        assert!(searched.runs().is_empty(), "{given:?}: what is kept is not searched");
        assert_eq!(text(&first), text(&again), "{given:?}");
        // Each second step, in no order of time, is lost.
        all.names().iter().filter(|name| name.starts_with("run-")).for_each(|name| all.take(name));
        let lost: Vec<String> = steps(&all).into_iter().step_by(2).collect();
        lost.iter().for_each(|name| all.take(name));
        let searched = Searched::default();
        let again = validate(&problem, variants, &searched, &all);
        assert_eq!(searched.0.lock().expect("no thread panicked").len(), lost.len() * n_seeds, "{given:?}");
        assert_eq!(text(&first), text(&again), "{given:?}");
    }
}

/// Short steps are kept together, under the number of the first; the last ones at the end of the search.
#[test]
fn a_kept_stretch_is_its_steps() {
    let problem = university();
    for StepByStep { given, .. } in STEP_BY_STEP {
        let settings = settings(given);
        let variants = std::slice::from_ref(&settings);
        let whole = validate(&problem, variants, &Silent, &Memory::default());
        let keeper = Memory {
            never_forgets: true,
            keeps_each_third: Some(AtomicUsize::default()),
            ..Memory::default()
        };
        let first = validate(&problem, variants, &Silent, &keeper);
        assert_eq!(text(&whole), text(&first), "{given:?}");
        keeper.names().iter().filter(|name| name.starts_with("run-")).for_each(|name| keeper.take(name));
        let searched = Searched::default();
        let again = validate(&problem, variants, &searched, &keeper);
        assert_eq!(text(&first), text(&again), "{given:?}");
        assert!(searched.runs().is_empty(), "{given:?}: what is kept is not searched");
    }
}
