//! Kernels over rows of features: the similarity of two examples, from the clauses that cover both, one or none.
//!
//! A [`Kernel`] is the name of a kernel. A [`KernelFunction`] is a kernel with the [`FeatureStatistics`] by which it
//! weighs features. A [`KernelMatrix`] keeps the columns of a kernel function that a learner needed.

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
