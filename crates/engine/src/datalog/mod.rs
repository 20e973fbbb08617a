//! Rules of the background, run to their least model, and the frozen result.

mod aggregates;
pub mod background;
pub mod fixpoint;
mod plan;
mod stratum;
mod tuple;

pub use aggregates::fold_numbers;
pub use background::Background;
pub use fixpoint::{FixpointError, FixpointStatistics, aggregate_relations, fixpoint};
pub use stratum::NumberTable;

#[cfg(test)]
mod text;
