//! gleaner
pub mod base;
pub mod bias;
pub mod cli;
pub mod coverage;
pub mod datalog;
pub mod eval;
pub mod experiment;
pub mod generate;
pub mod learn;
pub mod problem;
pub mod program;
pub mod relation;
pub mod report;
pub mod search;
pub mod store;
pub mod syntax;
