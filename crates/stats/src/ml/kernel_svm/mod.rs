//! Support vector machines with kernels.
//!
//! A [`LinearProgram`] over rows and a kernel gives a [`KernelModel`] for each cost: the 1-norm machine, which takes any kernel,
//! indefinite ones included. Ask for costs in ascending order, since each starts from the rows and columns of the one before.
//! Inside, steps of Newton's method solve a `master` program over the rows and columns at work. The `system` of a step
//! is over the whole matrix, or over features where the kernel is a sum over them (`over_features`). `similarities`
//! chooses the one with less work.
//! [`fit_squared_norm`] fits the usual machine, which takes positive semi-definite kernels alone.

mod cholesky;
mod constraints;
mod dense;
mod intercept;
mod linear_program;
mod master;
mod model;
mod over_features;
mod similarities;
mod sparse;
mod squared;
mod system;

pub use linear_program::{LinearProgram, LinearProgramFit, Precision};
pub use model::KernelModel;
pub use squared::{SquaredNorm, SupportVectorModel, fit_squared_norm};

#[cfg(test)]
mod tests;
