//! The front door of the library: data sets, learners, models and scores by name.
//!
//! All else in this crate is internal: it may change in any release.

mod clauses;
mod context;
mod dataset;
mod error;
mod explanation;
mod learner;
mod model;
mod options;
mod predictions;
mod reader;
mod runs;
mod validation;

pub use clauses::{ClauseCounts, FeatureTable, MinedQueries, MinedQuery};
pub use context::{Cancel, Context, Event, Watcher};
pub use dataset::{Argument, ArgumentRole, Dataset, Example};
pub use error::{Answer, Error, Message, Place};
pub use explanation::{ScoreExplanation, ScorePart};
pub use gleaner_data::{Table, Values};
pub use gleaner_generate::{AccountsConfig, SentencesConfig, ShopConfig, UniversityConfig};
pub use gleaner_learn::links::rank::Among as RankAmong;
pub use gleaner_stats::eval::{Metrics, PrPoint, ProbabilityMetrics};
pub use learner::{Learner, SettingInfo};
pub use model::{LinkRanks, Model, NewLinkQuery};
pub use options::{EvaluationOptions, FitOptions, ScoreTable, ScoringOptions, ValidationOptions};
pub use predictions::{Predictions, Score, Scores};
pub use reader::{DatasetReader, Source};
pub use runs::{RunFigure, compare_runs, evaluate_table, generate, manual_page, report_page, run_figure};
pub use validation::{FoldMetrics, Validation};

pub use crate::experiment::links::ranks::{LinkPart, RankedText as RankedLink};
pub use crate::experiment::metrics::columns::Column;
pub use crate::jobs::cover::RunSet;
pub use crate::jobs::generate::Domain;
pub use crate::jobs::kinds::TargetKind;
pub use crate::jobs::show::Form as ModelForm;
