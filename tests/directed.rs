//! Directed restarts on data: what they find, that they repeat themselves, and that they end.

use std::sync::Arc;

use gleaner::experiment::load;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, StopReason};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe};
use gleaner_engine::search::random_starts::list;
use gleaner_engine::search::{
    DirectedRestart, Evaluated, Evaluations, Lengths, Observer, RapidRandomRestart, RedundantClauses, Scale,
    Score, SearchLimits, Strategy, Transfer,
};
use gleaner_lang::program::Literal;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::syntax::Sources;

use crate::support::fixture;

/// The fixture with its bottom clauses and one universe of all examples.
struct Setting {
    problem: Problem,
    universe: Universe,
}

/// What a search evaluated.
#[derive(Clone, Debug, PartialEq)]
struct Trace {
    evaluated: Vec<Candidate>,
    best: f64,
    stop: StopReason,
}

/// Keeps the clauses that are the best so far, as a bin does.
#[derive(Default)]
struct Recorder {
    evaluated: Vec<Candidate>,
    best: f64,
}

impl Observer for Recorder {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        let score = evaluated.score.unwrap_or(0.0);
        let is_best = score > self.best;
        self.best = self.best.max(score);
        is_best
    }

    fn begin(&mut self, candidate: &Candidate) {
        self.evaluated.push(candidate.clone());
    }
}

impl Setting {
    fn university() -> Self {
        let path = fixture("university");
        let request = LoadRequest { path, ..LoadRequest::default() };
        let problem = load(&request, &mut Sources::new()).expect("the fixture is well formed").problem;
        let universe =
            Universe::new(Arc::clone(problem.examples()), &problem.examples().ids().collect::<Vec<_>>());
        Self { problem, universe }
    }

    fn bottom(&self, seed_idx: usize) -> BottomClause {
        let seed = self.universe.positives().nth(seed_idx).expect("there are as many positives");
        let background = &self.problem.worlds()[self.problem.examples().world(seed).index()];
        let config = SaturationConfig {
            depth: 2,
            max_bottom_literals: 1_000,
            negation: Negation::Modes,
            object_identity: ObjectIdentity::Off,
            thresholds: gleaner_lang::program::Thresholds::Seed,
            max_thresholds: usize::MAX,
        };
        saturate(background, self.problem.modes(), self.problem.examples(), seed, config)
    }

    fn run(
        &self,
        bottom: &BottomClause,
        (max_literals, clauses): (usize, u64),
        search: impl FnOnce(&mut Evaluations<'_, '_>) -> StopReason,
    ) -> Trace {
        let space = RefinementSpace::new(bottom, max_literals);
        let store = Arc::new(CoverStore::new(self.problem.worlds(), &self.universe));
        let literals: Vec<Literal> = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
        let mut engine = ComponentEngine::sharing(&store, bottom.head.clone(), literals, Budget::unlimited());
        let mut recorder = Recorder::default();
        let limits = SearchLimits {
            clauses,
            min_positives: 2,
            min_precision: 0.0,
            literals: None,
            max_negatives: None,
            redundant: RedundantClauses::Infer,
            score: Score::F1,
        };
        let mut evaluations = Evaluations::new(&space, &mut engine, &self.universe, limits, &mut recorder);
        let stop = search(&mut evaluations);
        assert_eq!(evaluations.n_evaluated(), recorder.evaluated.len() as u64);
        Trace { evaluated: recorder.evaluated, best: recorder.best, stop }
    }
}

fn directed_by(
    config: &DirectedRestart,
    rng_seed: u64,
) -> impl FnOnce(&mut Evaluations<'_, '_>) -> StopReason {
    move |evaluations| config.run(evaluations, &mut stream(rng_seed, Purpose::Search, &[]))
}

fn sorted(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_unstable();
    candidates
}

/// With all neighbours evaluated the whole space is, as by plain restarts; with few of them too, since
/// what is not known is drawn at last.
#[test]
fn a_small_space_is_exhausted() {
    let setting = Setting::university();
    let bottom = setting.bottom(1);
    let all = sorted(list(&RefinementSpace::new(&bottom, 3), 100_000).expect("the space is small"));
    assert!(all.len() > 200, "{}", all.len());
    let plain = setting.run(&bottom, (3, u64::MAX), |evaluations| {
        let strategy = RapidRandomRestart { lengths: Lengths::Uniform, restart_evaluations: 1_000 };
        strategy.run(evaluations, &mut stream(1, Purpose::Search, &[]))
    });
    assert_eq!(sorted(plain.evaluated), all);
    for (neighbours, scale) in
        [(usize::MAX, Scale::GeometricMean), (usize::MAX, Scale::Product), (2, Scale::GeometricMean)]
    {
        let config = DirectedRestart { neighbours, scale, ..DirectedRestart::new(1_000) };
        let trace = setting.run(&bottom, (3, u64::MAX), directed_by(&config, 1));
        assert_eq!(trace.stop, StopReason::SpaceExhausted);
        assert_eq!(sorted(trace.evaluated), all, "{neighbours} {scale:?}");
    }
}

#[test]
fn same_seed_same_clauses() {
    let setting = Setting::university();
    let bottom = setting.bottom(0);
    let config = DirectedRestart::new(100);
    let first = setting.run(&bottom, (6, 1_500), directed_by(&config, 1));
    assert_eq!((first.stop, first.evaluated.len()), (StopReason::ClausesEvaluated, 1_500));
    assert_eq!(first, setting.run(&bottom, (6, 1_500), directed_by(&config, 1)));
    assert_ne!(first.evaluated, setting.run(&bottom, (6, 1_500), directed_by(&config, 2)).evaluated);
}

/// The best clause of up to four literals, which the planted ones with three or four are among, is found
/// in a fraction of the space.
#[test]
fn what_the_whole_space_holds_is_found() {
    let setting = Setting::university();
    for seed_idx in 0..4 {
        let bottom = setting.bottom(seed_idx);
        let whole = setting.run(&bottom, (4, u64::MAX), |evaluations| {
            let strategy = RapidRandomRestart { lengths: Lengths::Uniform, restart_evaluations: 1_000 };
            strategy.run(evaluations, &mut stream(1, Purpose::Search, &[]))
        });
        assert_eq!(whole.stop, StopReason::SpaceExhausted);
        let few = whole.evaluated.len() as u64 / 5;
        let trace = setting.run(&bottom, (4, few), directed_by(&DirectedRestart::new(200), 1));
        assert!(
            (trace.best - whole.best).abs() < 1e-12,
            "seed {seed_idx}: {} of {} after {few}",
            trace.best,
            whole.best
        );
    }
}

/// Seeds one after another with what was learnt before give the same clauses each time, and others than
/// seeds by themselves.
#[test]
fn transfer_repeats_itself() {
    let setting = Setting::university();
    let config = DirectedRestart::new(100);
    let both = || {
        let mut transfer = Transfer::new();
        [0, 2].map(|seed_idx| {
            let bottom = setting.bottom(seed_idx);
            setting.run(&bottom, (6, 600), |evaluations| {
                let mut rng = stream(1, Purpose::Search, &[]);
                let (stop, cost) = config.run_with(evaluations, &mut rng, Some(&mut transfer));
                assert!(cost.n_weighted > 600 && cost.n_updates >= 600, "{cost:?}");
                stop
            })
        })
    };
    let [first, second] = both();
    assert_eq!([first.clone(), second.clone()], both());
    assert_eq!(first, setting.run(&setting.bottom(0), (6, 600), directed_by(&config, 1)));
    assert_ne!(second, setting.run(&setting.bottom(2), (6, 600), directed_by(&config, 1)));
}

/// No body literal, or none allowed: there is nothing to search.
#[test]
fn nothing_to_search() {
    let setting = Setting::university();
    let mut bottom = setting.bottom(0);
    let config = DirectedRestart::new(100);
    let trace = setting.run(&bottom, (1, 100), directed_by(&config, 1));
    assert_eq!((trace.stop, trace.evaluated.len()), (StopReason::SpaceExhausted, 0));
    bottom.literals.clear();
    let trace = setting.run(&bottom, (4, 100), directed_by(&config, 1));
    assert_eq!((trace.stop, trace.evaluated.len()), (StopReason::SpaceExhausted, 0));
    // Settings at their edges.
    let bare = DirectedRestart { climbs: 0, neighbours: 0, alphas: Vec::new(), ..config };
    let trace = setting.run(&setting.bottom(0), (4, 50), directed_by(&bare, 1));
    assert_eq!(trace.stop, StopReason::ClausesEvaluated);
}
