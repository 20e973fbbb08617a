//! What is asked of clauses alone: covers, features, frequent queries, planted theories.

pub mod cover;
pub mod mine;
pub mod planted;
