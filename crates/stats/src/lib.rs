//! Statistics without clauses: measures of rankings, and learning from tables.
//!
//! [`eval`] has precision-recall curves, areas, folds, calibration and errors of probabilities. [`ml`] has the
//! propositional learners on which relational learners build.

pub mod eval;
pub mod ml;
