//! A generated problem, read back: what its planted theory reaches itself.

use std::sync::Arc;

use serde::Serialize;

use crate::base::{Budget, Counts, ExampleId};
use crate::coverage::Universe;
use crate::coverage::component::cover_clause;
use crate::coverage::votes::VoteCounter;
use crate::eval::{Metrics, Ranking, metrics};
use crate::problem::Problem;

/// A generated problem with what its planted theory reaches.
#[derive(Clone, Debug, Serialize)]
pub struct GenerateAnswer {
    /// Examples labelled positive.
    pub positives: usize,
    /// Examples labelled negative.
    pub negatives: usize,
    /// The planted clauses.
    pub planted: Vec<String>,
    /// What they reach; an example's score is the number that cover it.
    pub metrics: Metrics,
    /// What each planted clause covers.
    #[serde(skip)]
    pub counts: Vec<Counts>,
    /// What was made, as pairs of a name and a value.
    #[serde(skip)]
    pub summary: Vec<(String, String)>,
}

/// What the clauses of a problem cover, and what their votes reach.
#[derive(Clone, Debug)]
pub struct PlantedTheory {
    /// The measures of the ranking by votes.
    pub metrics: Metrics,
    /// What each clause covers.
    pub counts: Vec<Counts>,
}

/// Evaluates the clauses that a problem was loaded with.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget.
#[must_use]
pub fn planted_theory(problem: &Problem) -> PlantedTheory {
    let all: Vec<ExampleId> = problem.examples.ids().collect();
    let universe = Universe::new(Arc::clone(&problem.examples), &all);
    let budget = Budget::unlimited();
    let mut votes = VoteCounter::new(universe.len());
    let mut counts = Vec::new();
    for clause in &problem.clauses {
        let covered = cover_clause(&problem.worlds, clause, &universe, &budget)
            .expect("an unlimited budget never interrupts");
        counts.push(universe.counts(&covered));
        votes.add(&covered);
    }
    #[expect(clippy::cast_precision_loss, reason = "votes are few")]
    let pairs = universe
        .iter()
        .map(|(position, id)| (votes.votes(position) as f64, problem.examples.is_positive(id)));
    let ranking = Ranking::new(pairs).expect("votes are finite");
    PlantedTheory { metrics: metrics(&ranking), counts }
}
