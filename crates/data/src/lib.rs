//! Turns the files of users into one [`Problem`].
//!
//! A layout gives each file its role (`formats`, a folder each). One grammar reads all files into provisional tables
//! (`gather`). The tables are checked together (`check`), run to a fixpoint for each world, and frozen with canonical
//! ids (`build`). All faults are collected, never only the first.

mod asked;
mod build;
mod builder;
mod cells;
mod check;
mod classes;
pub mod clauses;
mod closed_world;
pub mod convert;
mod defined;
mod directions;
mod domains;
pub mod faults;
mod file_names;
mod formats;
mod frozen;
mod gather;
mod given_clauses;
pub mod graph;
mod idioms;
mod label_columns;
mod leaks;
mod leave_out;
mod lint;
mod load;
mod made_negatives;
mod messages;
mod mode_terms;
mod propose;
mod provisional;
mod recognise;
mod request;
mod rows;
mod rule_graph;
mod scored;
mod sizes;
mod target_facts;
mod type_predicates;
mod types;
mod universal;
mod writing;

pub use builder::{ProblemBuilder, Row, Table, Value};
pub use classes::ClassRequest;
pub use file_names::{folder_below, folder_name};
pub use formats::Format;
pub use frozen::{FilteredPositives, Loaded, PredicateProfile, Problem};
pub use gather::{Division, SetDirective};
pub use given_clauses::GivenClauses;
pub use leaks::leaks;
pub use load::load;
pub use propose::{FEW_CONSTANTS, FEW_SHARED_CONSTANTS};
pub use request::{KnownTarget, LoadPurpose, LoadRequest, Negatives, SetNegatives, TargetInBody};
