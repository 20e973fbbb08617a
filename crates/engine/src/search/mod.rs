//! Searches over the candidates of one bottom clause.
//!
//! A strategy chooses what to evaluate next; an observer sees every evaluated clause; neither knows
//! the other. [`Evaluations`] stands between them: it evaluates no candidate twice, counts, prunes by
//! minimum positives, and ends the search at its limits.

pub mod config;
pub mod directed;
pub mod evaluations;
pub mod random_starts;
pub mod score;
mod sweep;
pub mod top_down;

pub use config::{
    CLAUSES, Funnel, MANY_POSITIVES, MAX_LITERALS, MIN_POSITIVES, SEARCH, SearchConfig, SearchKind,
    SearchLimits,
};
pub use directed::{DirectedCost, DirectedRestart, Scale, Transfer};
pub use evaluations::{
    Counting, Evaluated, Evaluations, Observer, Outcome, REDUNDANT_CLAUSES, RedundantClauses, Scored,
};
pub use random_starts::{
    ClauseDraw, HillClimbing, Lengths, LocalMoves, RapidRandomRestart, StochasticClauseSelection,
};
pub use score::{ClauseScore, Score};
pub use top_down::{
    Beam, BestFirst, BreadthFirst, DepthFirst, GeneralFirst, IteratedBeam, IterativeDeepening,
};

use gleaner_base::StopReason;
use rand_pcg::Pcg64;

/// A way to walk the candidates of one bottom clause.
pub trait Strategy: Sync {
    /// Walks until a limit or the space ends. Every evaluated clause reaches the observer.
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason;
}
