//! Errors of kernels.

use super::words::Kernel;

/// Why a kernel, or a classifier with it, cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KernelError {
    /// A kernel weighs features by a statistic that is not given for all of them.
    #[error("{n_given} values of {statistic} for {n_features} features; the kernel needs one for each")]
    Missing {
        /// The statistic.
        statistic: &'static str,
        /// How many values there are.
        n_given: usize,
        /// How many features there are.
        n_features: usize,
    },
    /// A statistic is not between 0 and 1.
    #[error("the {statistic} of feature {feature} (from 0) is {value}; it must be from 0 to 1")]
    NotAShare {
        /// The statistic.
        statistic: &'static str,
        /// The feature.
        feature: usize,
        /// Its value.
        value: f64,
    },
    /// The Gaussian kernel has no such width.
    #[error("the width of the Gaussian kernel is {width}; it must be above 0")]
    Width {
        /// The width.
        width: f64,
    },
    /// A classifier that needs a positive semi-definite kernel was asked for with another one.
    #[error(
        "the kernel {kernel} is not positive semi-definite, so the support vector machine that minimises squared weights has \
         no optimum with it; the linear program takes it"
    )]
    Indefinite {
        /// The kernel.
        kernel: Kernel,
    },
}
