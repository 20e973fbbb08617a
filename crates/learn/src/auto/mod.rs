//! A choice among learners. Each is tried on inner folds of train and tune; then the best one learns, or several whose
//! mean is taken.

mod as_model;
pub mod candidate;
pub mod choice;
pub mod config;
mod explanation;
pub mod held_out;
pub mod learner;
pub mod model;
pub mod record;
pub mod saved;
pub mod scale;
mod summary;
pub mod trial;

pub use learner::Auto;
