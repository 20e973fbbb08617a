//! Experiments: problem, learner and folds give results. The only room that joins the parts.

pub mod comparison;
pub mod config;
pub mod cross_validation;
pub mod load;
pub mod mean_curve;
pub mod run;
pub mod split;
pub mod why;

pub use comparison::{Comparison, compare_variants};
pub use config::{gleaner_config, resolve_settings};
pub use cross_validation::{CrossValidation, cross_validate};
pub use load::load;
pub use mean_curve::{MeanPoint, mean_curve};
pub use run::{Metrics, RunResult, run};
pub use split::{Split, SplitFault, SplitRequest, splits};
