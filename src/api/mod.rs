//! The front door of the library: data sets, learners, models and scores by name.
//!
//! All else in this crate is internal: it may change in any release.

mod answer;
mod builder;
mod cancel;
mod class_model;
mod clause_counts;
mod data_jobs;
mod dataset;
mod error;
mod explanation;
mod feature_table;
mod files;
mod learner;
mod link_model;
mod mined_queries;
mod model;
mod scores;
mod validation;
mod watcher;

pub use answer::Answer;
pub use builder::DatasetBuilder;
pub use cancel::Cancel;
pub use class_model::{ClassModel, ClassPrediction};
pub use clause_counts::ClauseCounts;
pub use dataset::{Dataset, DatasetReader, Example};
pub use error::{Error, Message, Place};
pub use explanation::{ScoreExplanation, ScorePart};
pub use feature_table::FeatureTable;
pub use files::{compare_runs, evaluate_table, generate, prolog_program, rank_links};
pub use learner::{Learner, SettingInfo};
pub use link_model::{LinkModel, LinkPart, LinkRanks, RankedLink};
pub use mined_queries::{MinedQueries, MinedQuery};
pub use model::Model;
pub use scores::{CurvePoint, Label, Score, Scores};
pub use validation::{FoldMetrics, Validation};
pub use watcher::{Event, Watcher};

pub use gleaner_data::Value;
pub use gleaner_stats::eval::{Metrics, ProbabilityMetrics};
