//! Rules of the background, run to their least model, and the frozen result.

pub mod background;
pub mod fixpoint;
pub mod inclusion;
mod plan;
mod stratum;
mod tuple;

use gleaner_base::ConstantId;
use gleaner_lang::program::Number;

pub use background::Background;
pub use fixpoint::{FixpointError, FixpointStatistics, fixpoint};

/// The numbers among the constants, to which `is` adds.
pub trait NumberTable {
    /// The number of a constant, if the constant is a number.
    fn number(&self, constant: ConstantId) -> Option<Number>;

    /// The constant of a number: the known one if there is one, else a new one.
    fn intern(&mut self, number: Number) -> ConstantId;
}

#[cfg(test)]
mod text;
