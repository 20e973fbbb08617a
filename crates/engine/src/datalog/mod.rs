//! Rules of the background, run to their least model, and the frozen result.

mod aggregates;
pub mod background;
pub mod fixpoint;
mod groups;
mod plan;
mod stratum;
mod tuple;

pub use aggregates::Value;
pub use background::Background;
pub use fixpoint::{FixpointError, FixpointStatistics, aggregate_relations, fixpoint};
pub use groups::GroupedAggregate;
pub use stratum::NumberTable;

#[cfg(test)]
mod text;
