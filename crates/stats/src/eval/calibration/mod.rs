//! Probabilities from scores, fitted to examples whose classes are known. Examples from which the model has not learnt
//! are best.
//!
//! All of them count weights: a sampled negative counts for all the negatives that it stands for.

pub mod beta;
pub mod binning;
pub mod blend;
pub mod calibrator;
mod clamp;
mod cumulated;
pub mod isotonic;
mod logistic;
pub mod platt;
mod step;
pub mod venn_abers;

pub use beta::Beta;
pub use binning::Binning;
pub use blend::Blend;
pub use calibrator::{Calibrator, Curve, Method};
pub use clamp::CLAMPS;
pub use isotonic::Isotonic;
pub use platt::Platt;
pub use step::Step;
pub use venn_abers::{Interval, VennAbers};
