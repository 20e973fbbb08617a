//! The best clause alone: a baseline that a person can read at a glance.
//!
//! From seed examples clauses are searched as Gleaner searches them. Each seed keeps its best ones by F1 on train; of
//! all that were kept, the one of highest F1 on tune is the model. What it covers is positive.

mod as_model;
mod config;
mod learner;
mod model;
mod saved;
mod search;

pub use config::BestClauseConfig;
pub use learner::BestClause;
pub use model::BestClauseModel;
