//! A choice among learners. Each is tried on inner folds of train and tune; then the best one learns, or several whose
//! mean is taken.

pub mod choice;
pub mod config;
pub mod held_out;
pub mod learner;
pub mod model;
pub mod shown;
pub mod trial;

pub use learner::Auto;
