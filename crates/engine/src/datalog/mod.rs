//! Rules of the background, run to their least model, and the frozen result.

pub mod background;
pub mod fixpoint;
pub mod inclusion;
mod number_table;
mod pattern;
mod plan;
mod spending;
mod stratum;
mod tuple;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod text;

pub use background::Background;
pub use fixpoint::{FixpointError, FixpointStatistics, fixpoint};
pub use number_table::NumberTable;
