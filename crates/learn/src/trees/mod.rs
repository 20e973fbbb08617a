//! Relational regression trees: one, or boosted. (RDNBOOST, SOFTMARGIN, TILDE)

mod another_answer;
pub mod booster;
mod class_objective;
pub mod config;
mod forests;
pub mod gradient;
pub mod grow;
pub mod learner;
pub mod loss;
mod making;
pub mod model;
mod node_sums;
mod number_fit;
mod number_objective;
pub mod number_scale;
mod number_shown;
mod objective;
pub mod open_clause;
mod passing;
pub mod proposed;
pub mod proposing;
mod shown;
pub mod split_order;
mod table;
pub mod test;
pub mod tree;

pub use learner::{Trees, number_defaults};
