//! Support vector machines with kernels.
//!
//! A [`LinearProgram`] over rows and a kernel gives a [`KernelModel`] for each cost: the 1-norm machine, which takes any kernel,
//! indefinite ones included. Ask for costs in ascending order, since each starts from the rows and columns of the one before.

mod cholesky;
mod intercept;
mod linear_program;
mod master;
mod model;

pub use linear_program::{LinearProgram, LinearProgramFit, Precision};
pub use model::KernelModel;

#[cfg(test)]
mod tests;
