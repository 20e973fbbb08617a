//! The front door of the library: data sets, learners, models and scores by name.
//!
//! All else in this crate is internal: it may change in any release.

mod answer;
mod builder;
mod context;
mod data_jobs;
mod dataset;
mod error;
mod explanation;
mod files;
mod fitting;
mod learner;
mod link_model;
mod mined_queries;
mod model;
mod options;
mod pages;
mod scores;
mod source;
mod validation;
mod watcher;

pub use answer::Answer;
pub use builder::DatasetBuilder;
pub use context::{Cancel, Context};
pub use data_jobs::{ClauseCounts, FeatureTable};
pub use dataset::{Dataset, DatasetReader, Example};
pub use error::{Error, Message, Place};
pub use explanation::{ScoreExplanation, ScorePart};
pub use files::{compare_runs, evaluate_table, generate, manual_page, prolog_program, rank_links};
pub use learner::{Learner, SettingInfo};
pub use link_model::{LinkRanks, NewLink, NewLinkQuery, RankedLink};
pub use mined_queries::{MinedQueries, MinedQuery};
pub use model::Model;
pub use options::{EvaluationOptions, FitOptions, ScoreTable, ScoringOptions, ValidationOptions};
pub use pages::{RunFigure, report_page, run_figure};
pub use scores::{CurvePoint, Label, Predictions, Score, Scores};
pub use source::Source;
pub use validation::{FoldMetrics, Validation};
pub use watcher::{Event, Watcher};

pub use crate::experiment::columns::Column;
pub use crate::experiment::links::LinkPart;
pub use crate::jobs::chosen_set::RunSet;
pub use crate::jobs::generate::Domain;
pub use crate::jobs::kinds::TargetKind;
pub use gleaner_data::{Table, Value, Values};
pub use gleaner_generate::{AccountsConfig, SentencesConfig, ShopConfig, UniversityConfig};
pub use gleaner_learn::links::rank::Among as RankAmong;
pub use gleaner_stats::eval::{Metrics, ProbabilityMetrics};
