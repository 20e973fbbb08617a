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
mod fitting;
mod folds;
mod learner;
mod learning_options;
mod link_model;
mod mined_queries;
mod model;
mod scores;
mod scoring_options;
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
pub use files::{compare_runs, evaluate_table, generate, manual_page, prolog_program, rank_links};
pub use learner::{Learner, SettingInfo};
pub use learning_options::{FitOptions, ValidationOptions};
pub use link_model::{LinkModel, LinkRanks, RankedLink};
pub use mined_queries::{MinedQueries, MinedQuery};
pub use model::Model;
pub use scores::{CurvePoint, Label, Score, Scores};
pub use scoring_options::{EvaluationOptions, ScoreTable, ScoringOptions};
pub use validation::{FoldMetrics, Validation};
pub use watcher::{Event, Watcher};

pub use crate::experiment::links::LinkPart;
pub use crate::jobs::chosen_set::RunSet;
pub use crate::jobs::generate::Domain;
pub use gleaner_data::Value;
pub use gleaner_generate::{AccountsConfig, SentencesConfig, UniversityConfig};
pub use gleaner_learn::links::rank::Among as RankAmong;
pub use gleaner_stats::eval::{Metrics, ProbabilityMetrics};
