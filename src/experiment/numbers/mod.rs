//! Numbers as targets.

pub mod answers;
pub mod metrics;
pub mod reasons;
pub(crate) mod record;
pub mod result;
pub mod run;
pub mod validation;
