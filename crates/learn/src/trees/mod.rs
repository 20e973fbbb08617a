//! Relational regression trees: one, or boosted. (RDNBOOST, SOFTMARGIN, TILDE)

mod another_answer;
pub mod booster;
pub mod config;
pub mod gradient;
pub mod grow;
pub mod learner;
mod making;
pub mod model;
mod node_sums;
pub mod open_clause;
mod passing;
pub mod proposed;
pub mod proposing;
mod shown;
pub mod test;
pub mod tree;

pub use learner::Trees;
