//! Kernels over rows of features: how alike two examples are, from the clauses that cover both, one or none.
//!
//! A [`Kernel`] is a word; with the [`FeatureStatistics`] that it weighs features by it is a [`KernelFunction`]; a
//! [`KernelMatrix`] keeps the columns of it that a learner asked for.

mod error;
mod function;
mod matrix;
mod statistics;
mod words;

pub use error::KernelError;
pub use function::{KernelFunction, SparseRow};
pub use matrix::KernelMatrix;
pub use statistics::FeatureStatistics;
pub use words::Kernel;

#[cfg(test)]
mod tests;
