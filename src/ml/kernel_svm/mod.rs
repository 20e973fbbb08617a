//! Support vector machines with kernels.
//!
//! A [`LinearProgram`] over rows and a kernel gives a [`KernelModel`] for each cost: the 1-norm machine, which takes any kernel,
//! indefinite ones included. Ask for costs in ascending order, since each starts from the rows and columns of the one before.
//! [`fit_squared_norm`] fits the usual machine, which takes positive semi-definite kernels alone.

mod cholesky;
mod intercept;
mod linear_program;
mod master;
mod model;
mod squared;

pub use linear_program::{LinearProgram, LinearProgramFit, Precision};
pub use model::KernelModel;
pub use squared::{SquaredNorm, SupportVectorModel, fit_squared_norm};

#[cfg(test)]
mod tests;
