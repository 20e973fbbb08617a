//! Databases: tables whose keys say how they hang together.
//!
//! [`store`] holds the tables as they are read. [`propose`] finds what their columns mean ([`schema`]), by what is
//! said of them ([`given`], [`given_composites`]), what their values are ([`profile`]) and which columns point to which ([`keys`],
//! [`composite_keys`]); [`composite_cells`] makes one column of a key of several, and [`key_tables`] a table of keys that
//! stand in no file. [`paths`] and [`star`] say what a row sees of
//! the rows it points to, but for [`circles`] of keys; [`sight`] hides what came later, and [`rows`], [`times`], [`examples`], [`modes`] and [`aggregates`] make facts, cut-offs, examples
//! and the language of clauses, which [`compile`] puts into the gathered data. [`folds`] divides the rows of the examples,
//! [`lints`], [`nearly_keys`] and [`class_lints`] tell what is odd (by [`row_classes`]), and [`table_rows`] is what scores join back to.
//! [`written`] reads durations. [`number_columns`] and [`time_cells`] tell of cells that hold no number or no time ([`odd_cells`]), and
//! [`number_texts`] knows other notations of numbers. [`notations`] reads columns in another notation, by [`date_texts`], [`period_texts`], [`number_values`]
//! and what names say ([`time_names`]); [`untimed`] tells of rows without a time. [`one_day`] gives all examples one cut-off. [`to_score`] knows tables of rows without labels, [`toml_key`] writes names, and [`words`] tells clauses.

mod aggregates;
mod circles;
mod class_lints;
mod compile;
mod composite_cells;
mod composite_keys;
mod date_texts;
mod declared;
mod examples;
mod fact_writer;
mod faults;
mod folds;
mod given;
mod given_composites;
mod key_tables;
mod keys;
mod links;
mod lints;
mod meaning;
mod modes;
mod nearly_keys;
mod notations;
mod number_columns;
mod number_texts;
mod number_values;
mod odd_cells;
mod one_day;
mod paths;
mod period_texts;
mod plain_numbers;
mod profile;
mod propose;
mod row_classes;
mod row_order;
mod rows;
mod same_moment;
mod schema;
mod schema_text;
mod sight;
mod star;
mod store;
mod summaries;
mod table_rows;
mod time_cells;
mod time_names;
mod time_sources;
mod times;
mod to_score;
mod toml_key;
mod untimed;
mod words;
mod written;

pub(crate) use compile::{DatabaseRequest, settle};
pub(crate) use declared::{DeclaredLink, DeclaredTable, declared};
pub use folds::{Horizon, SplitTimes, TimeSplit};
pub(crate) use given::{GivenSchema, Says};
pub use meaning::{
    CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, ExampleColumns, LatestLink, SeenColumn,
};
pub(crate) use number_values::is_number_with_comma;
pub use one_day::CutOffTime;
pub(crate) use profile::unquoted;
pub use propose::{FrozenFold, LabelName};
pub(crate) use schema::{GivenBy, Kind};
pub(crate) use store::{Database, read_stored};
pub use table_rows::{RowColumn, TableRows};
