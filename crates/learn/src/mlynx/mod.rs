//! mLynx: frequent queries, naive Bayes over a few of them, and mutual information to choose these. `[MLYNX]`
//!
//! `search` mines queries; `columns` puts their covers on train and tune side by side; `selection` chooses sets of them
//! and fits naive Bayes; `learner` joins these. A model has the form of GleanerSRL's: clauses, and the amount that each
//! adds to a score.

pub mod columns;
pub mod config;
pub mod learner;
pub mod search;
pub mod selection;

pub use learner::Mlynx;
