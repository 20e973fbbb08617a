//! Searches over the candidates of one bottom clause.
//!
//! A strategy chooses what to evaluate next; an observer sees every evaluated clause; neither knows
//! the other. [`Evaluations`] stands between them: it evaluates no candidate twice, counts, prunes by
//! minimum positives, and ends the search at its limits.

pub mod clause_draw;
pub mod config;
pub mod directed;
pub mod evaluations;
pub mod funnel;
pub mod general_first;
pub mod hill_climbing;
pub mod iterated_beam;
pub mod limits;
pub mod local_moves;
mod open_clause;
pub mod rapid_random_restart;
pub mod redundant;
pub mod score;
pub mod stochastic_clause_selection;
pub mod top_down;

pub use clause_draw::{ClauseDraw, Lengths};
pub use config::{MAX_LITERALS, SEARCH, SearchConfig, SearchKind};
pub use directed::{DirectedCost, DirectedRestart, Scale, Transfer};
pub use evaluations::{Counting, Evaluated, Evaluations, Observer, Outcome, Scored};
pub use funnel::Funnel;
pub use general_first::GeneralFirst;
pub use hill_climbing::HillClimbing;
pub use iterated_beam::IteratedBeam;
pub use limits::{CLAUSES, MANY_POSITIVES, MIN_POSITIVES, SearchLimits};
pub use local_moves::LocalMoves;
pub use rapid_random_restart::RapidRandomRestart;
pub use redundant::{REDUNDANT_CLAUSES, RedundantClauses};
pub use score::{ClauseScore, Score};
pub use stochastic_clause_selection::StochasticClauseSelection;
pub use top_down::{Beam, BestFirst, BreadthFirst, DepthFirst, IterativeDeepening};

use gleaner_base::StopReason;
use rand_pcg::Pcg64;

/// A way to walk the candidates of one bottom clause.
pub trait Strategy: Sync {
    /// Walks until a limit or the space ends. Every evaluated clause reaches the observer.
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason;
}
