//! Relational regression trees: one, or boosted. (RDNBOOST, SOFTMARGIN, TILDE)

mod another_answer;
mod as_model;
pub mod booster;
pub mod config;
mod explanation;
pub mod gradient;
pub mod grow;
pub mod learner;
mod making;
pub mod model;
pub mod open_clause;
mod prolog;
pub mod proposed;
pub mod proposing;
pub mod saved;
mod summary;
pub mod test;
pub mod tree;

pub use learner::Trees;
