//! The best clause alone: a baseline that a person can read at a glance.
//!
//! It searches clauses from seed examples, as Gleaner does. Each seed keeps its best clauses by F1 on train. Among
//! these clauses the model takes the one with the highest F1 on tune. It calls positive what that clause covers.

mod config;
mod learner;
mod model;
mod search;

pub use config::BestClauseConfig;
pub use learner::BestClause;
pub use model::BestClauseModel;
