//! A search of the planted problem, with all that it showed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, StopReason};
use gleaner_engine::bias::Candidate;
use gleaner_engine::coverage::ComponentEngine;
use gleaner_engine::search::{
    Evaluated, Evaluations, Funnel, Observer, RedundantClauses, Score, SearchLimits, Strategy,
};

use super::planted::{Mask, mask, planted};

/// What a run is for.
pub(crate) struct Wanted {
    pub(crate) min_positives: usize,
    pub(crate) n_clauses: u64,
    pub(crate) n_literals: Option<u64>,
    pub(crate) score: Score,
    pub(crate) best_only: bool,
    pub(crate) redundant: RedundantClauses,
    pub(crate) budget: Budget,
    /// So many clauses are observed, then the user interrupts; instead of the budget.
    pub(crate) interrupt_after: Option<usize>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            min_positives: 1,
            n_clauses: u64::MAX,
            n_literals: None,
            score: Score::PrecisionRecall,
            best_only: false,
            redundant: RedundantClauses::Infer,
            budget: Budget::unlimited(),
            interrupt_after: None,
        }
    }
}

/// What a run showed.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    /// What was evaluated, in order.
    pub(crate) stream: Vec<Mask>,
    /// What of it was acceptable, with its start.
    pub(crate) observed: Vec<(Mask, u64)>,
    /// The scores of these.
    pub(crate) scores: Vec<Option<f64>>,
    pub(crate) stop: StopReason,
    pub(crate) funnel: Funnel,
}

#[derive(Default)]
struct Recorder {
    stream: Vec<Mask>,
    observed: Vec<(Mask, u64)>,
    scores: Vec<Option<f64>>,
    interrupt_after: Option<usize>,
    interrupted: Arc<AtomicBool>,
}

impl Observer for Recorder {
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool {
        assert_eq!(self.stream.last(), Some(&mask(evaluated.candidate)), "announced before");
        assert_eq!(self.stream.len() as u64, evaluated.n_evaluated);
        self.observed.push((mask(evaluated.candidate), evaluated.start));
        self.scores.push(evaluated.score);
        if self.interrupt_after == Some(self.observed.len()) {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        // All are wanted: each may bound what is left.
        true
    }

    fn begin(&mut self, candidate: &Candidate) {
        self.stream.push(mask(candidate));
    }
}

pub(crate) fn run(strategy: &dyn Strategy, wanted: &Wanted, rng_seed: u64) -> Run {
    let problem = planted();
    let space = problem.refinement_space();
    let mut recorder = Recorder { interrupt_after: wanted.interrupt_after, ..Recorder::default() };
    let budget = match wanted.interrupt_after {
        Some(_) => Budget::new(None, Arc::clone(&recorder.interrupted)),
        None => wanted.budget.clone(),
    };
    let literals = problem.bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
    let head = problem.bottom.head.clone();
    let mut engine = ComponentEngine::sharing(&problem.store(), head, literals, budget);
    let limits = SearchLimits {
        clauses: wanted.n_clauses,
        min_positives: wanted.min_positives,
        min_precision: 0.0,
        literals: wanted.n_literals,
        max_negatives: None,
        redundant: wanted.redundant,
        score: wanted.score.clone(),
    };
    let mut evaluations = Evaluations::new(&space, &mut engine, &problem.universe, limits, &mut recorder);
    if wanted.best_only {
        evaluations = evaluations.for_best_only();
    }
    let stop = strategy.run(&mut evaluations, &mut stream(rng_seed, Purpose::Search, &[]));
    let funnel = evaluations.funnel();
    let Recorder { stream, observed, scores, .. } = recorder;
    Run { stream, observed, scores, stop, funnel }
}
