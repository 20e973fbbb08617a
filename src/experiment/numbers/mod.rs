//! Numbers as targets.

pub mod answers;
pub mod comparison;
pub(crate) mod kept_run;
pub mod metrics;
pub mod reasons;
pub(crate) mod record;
pub mod result;
pub mod run;
pub mod validation;
pub mod way;
