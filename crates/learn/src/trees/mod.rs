//! Relational regression trees: one, or boosted. (RDNBOOST, SOFTMARGIN, TILDE)

mod another_answer;
pub mod booster;
mod class_objective;
pub mod config;
pub mod gradient;
pub mod grow;
pub mod learner;
pub mod loss;
mod making;
pub mod model;
mod node_sums;
pub mod number_model;
mod number_objective;
mod number_shown;
mod objective;
pub mod open_clause;
mod passing;
pub mod proposed;
pub mod proposing;
mod shown;
pub mod test;
pub mod tree;

pub use learner::{Trees, number_defaults};
