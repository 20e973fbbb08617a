//! Experiments: problem, learner and folds give results. The only room that joins the parts.

pub mod chosen;
mod comparable;
pub mod compare;
pub mod comparison;
pub mod config;
pub mod cross_validation;
pub mod evaluate;
pub mod explain;
pub mod inspect;
pub mod learn;
pub mod load;
pub mod mean_curve;
pub mod metrics;
pub mod nothing_learnt;
pub mod planted;
pub mod reached;
pub mod run;
pub mod run_record;
pub mod search_summary;
pub mod side_by_side;
pub mod split;
pub mod summary;
pub mod why;

pub use chosen::{Chosen, choose};
pub use comparison::{Comparison, compare_variants};
pub use config::{catalog, default_settings, learner_config, resolve_settings};
pub use cross_validation::{CrossValidation, CurveSummary, cross_validate, cross_validate_variants};
pub use load::load;
pub use mean_curve::{MeanPoint, mean_curve};
pub use metrics::Metrics;
pub use reached::{Reached, clauses_until_reached};
pub use run::{RunResult, run, run_variants};
pub use search_summary::{SearchSummary, SeedSummary};
pub use split::{Split, SplitFault, SplitRequest, splits};
pub use summary::{MetricSummaries, MetricSummary};
