//! Many classes: one against the rest, joined.

pub mod metrics;
pub mod mistakes;
pub mod predict;
pub mod validation;
