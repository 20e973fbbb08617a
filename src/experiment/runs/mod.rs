//! Runs of positives and negatives: division, search, fit, test; and what runs of all kinds share.

pub mod clause_counts;
pub mod counted_rows;
pub mod cross_validation;
pub mod facts;
pub(crate) mod kept_run;
pub mod known_target;
pub mod learn;
pub mod learnt_aggregates;
pub mod monotone;
pub mod result;
pub(crate) mod row_example;
pub mod run;
pub mod scheduled_runs;
pub(crate) mod sharing;
pub mod split;
pub mod train_share;
