//! Jobs: the work of each command after its flags are read, and of each call of the library.
//!
//! A job is a struct of its inputs. It runs with `Means`: a `Listener`, who hears of progress and remarks, and
//! `Limits`. It gives one answer, or a `Failure` with its messages.

pub(crate) mod checkpoint;
pub(crate) mod convert;
pub(crate) mod cover;
pub(crate) mod cross_validate;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod failure;
pub(crate) mod feature_clauses;
pub(crate) mod features;
pub(crate) mod files;
pub(crate) mod folder_output;
pub(crate) mod generate;
pub(crate) mod inspect;
pub(crate) mod kinds;
pub(crate) mod learn;
pub(crate) mod links;
pub(crate) mod listener;
pub(crate) mod memory;
pub(crate) mod order;
pub(crate) mod plan;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod rerun;
pub(crate) mod run_folder;
pub(crate) mod run_place;
pub(crate) mod scoring;
pub(crate) mod session;
pub(crate) mod show;
pub(crate) mod text;
pub(crate) mod variants;

pub(crate) use cross_validate::{CrossValidate, CrossValidated};
pub(crate) use failure::{Failure, NOTHING};
pub(crate) use feature_clauses::FeatureClauses;
pub(crate) use folder_output::{Earlier, FolderOutput};
pub(crate) use learn::{Learn, LearntModel, ToLearn};
pub(crate) use listener::{Limits, Listener, Means, Told};
pub(crate) use run_place::RunPlace;
pub(crate) use session::{FoldChoice, GroupChoice, Made, Opening, Session};
pub(crate) use variants::VariantsAsked;
