//! Metrics: their list, their values for a run, and their means over runs.

pub mod columns;
pub mod mean_curve;
pub mod metric_list;
pub mod of_run;
pub mod summary;
pub(crate) mod threshold_table;
