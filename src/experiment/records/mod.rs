//! Records of runs, and run folders that are read again.

pub mod comparable;
pub(crate) mod finished_run;
pub(crate) mod record_kind;
pub mod run_record;
