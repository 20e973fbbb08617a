//! Turns the files of users into one [`Problem`].
//!
//! A layout gives each file its role (`formats`, a folder each). One grammar reads all files into provisional tables
//! (`gather`). The tables are checked together (`declare`, `check`), run to a fixpoint for each world (`derive`), and
//! frozen with canonical ids (`freeze`); `build` has the order. All faults are collected, never only the first.

mod aggregates;
mod asked;
mod build;
mod cells;
mod check;
mod classes;
pub mod clauses;
mod closed_world;
pub mod convert;
mod database;
mod declare;
mod defined;
mod derive;
mod directions;
pub mod faults;
mod formats;
mod freeze;
mod gather;
mod leaks;
mod lint;
mod messages;
mod mode_terms;
mod negatives;
mod problem;
mod propose;
mod provisional;
mod recognise;
mod request;
mod rewrites;
mod rows;
mod rule_graph;
mod stated;
mod tables;
mod target_numbers;
mod texts;
mod time;
mod train_rules;
mod types;
mod writing;

pub use build::{load, schema_of};
pub use database::{
    CalendarPart, CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, ExampleColumns, LatestLink,
    SeenColumn,
};
pub use formats::Format;
pub use freeze::{GivenClauses, PredicateProfile};
pub use gather::{ClassRequest, Division, SetDirective};
pub use leaks::leaks;
pub use lint::SENTENCE_FACTS;
pub use negatives::{NegativeSource, Negatives, SetNegatives};
pub use problem::{FilteredPositives, Loaded, Problem, Selection};
pub use propose::{FEW_CONSTANTS, FEW_SHARED_CONSTANTS};
pub use request::{Aggregates, KnownTarget, LoadPurpose, LoadRequest, TargetInBody};
pub use tables::{
    CutOffTime, FrozenFold, Horizon, LabelName, RowColumn, SplitTimes, Table, TableRows, TimeSplit, Values,
};
pub use texts::microseconds;
pub use train_rules::{NewNumbers, Statistics, TrainRules};
pub use writing::{decoded_name, folder_below, folder_name};

/// Graphs in files.
pub mod graph {
    pub use super::formats::triples::{FORMAT, LoadedGraph, constant_texts, load_graph};
}
