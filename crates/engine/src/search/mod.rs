//! Searches over the candidates of one bottom clause.
//!
//! A strategy chooses what to evaluate next; an observer sees every evaluated clause; neither knows
//! the other. [`Evaluations`] stands between them: it evaluates no candidate twice, counts, prunes by
//! minimum positives, and ends the search at its limits.

pub mod clause_draw;
pub mod config;
pub mod directed;
pub mod evaluations;
pub mod limits;
mod open_clause;
pub mod random_starts;
pub mod redundant;
pub mod score;
mod sweep;
pub mod top_down;

pub use clause_draw::{ClauseDraw, Lengths};
pub use config::{MAX_LITERALS, SEARCH, SearchConfig, SearchKind};
pub use directed::{DirectedCost, DirectedRestart, Scale, Transfer};
pub use evaluations::{Counting, Evaluated, Evaluations, Observer, Outcome, Scored};
pub use limits::{CLAUSES, Funnel, MANY_POSITIVES, MIN_POSITIVES, SearchLimits};
pub use random_starts::{HillClimbing, LocalMoves, RapidRandomRestart, StochasticClauseSelection};
pub use redundant::{REDUNDANT_CLAUSES, RedundantClauses};
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
