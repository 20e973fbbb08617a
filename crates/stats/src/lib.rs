//! Numbers without clauses: how good a ranking is, and learning from tables.
//!
//! [`eval`] has precision-recall curves, areas, folds and probabilities' errors; [`ml`] has the propositional learners and
//! calibrations that relational learners are made of.

pub mod eval;
pub mod ml;
