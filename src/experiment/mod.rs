//! Experiments: problem, learner and folds give results. The only room that joins the parts.

pub mod classes;
pub mod clauses;
pub mod comparing;
pub mod links;
pub mod loading;
pub mod metrics;
pub mod numbers;
pub mod records;
pub mod runs;
pub mod scoring;
pub mod settings;

pub use comparing::comparison::{Chosen, Comparison, choose, compare_variants};
pub use loading::load::load;
pub use metrics::mean_curve::{MeanPoint, Reached, clauses_until_reached, mean_curve};
pub use metrics::of_run::RunMetrics;
pub use metrics::summary::{MetricSummaries, MetricSummary};
pub use runs::cross_validation::{
    CrossValidation, CurveSummary, cross_validate, cross_validate_problems, cross_validate_variants,
};
pub use runs::result::{RunResult, SearchSummary, SeedSummary};
pub use runs::run::{run, run_variants};
pub use runs::split::{
    Split, SplitFault, SplitRequest, divided, left_out_warnings, splits, undivided_warning,
};
pub use runs::train_share::{Divisions, is_reduced};
pub use settings::config::{GivenSettings, catalog, default_settings, resolve_settings};
pub use settings::file::{check_agreement, diagnostic_of};
