//! Databases: tables whose keys say how they hang together.
//!
//! `tables` holds the tables as they are read. [`propose`] finds what their columns mean, by what is said of them ([`given`],
//! [`given_composites`]), what their values are ([`profile`]) and which columns point to which ([`keys`], [`composite_keys`]).
//! [`composite_cells`] makes one column of a key of several, and [`key_tables`] a table of keys that stand in no file.
//!
//! [`paths`] and [`star`] say what a row sees of the rows it points to, but for [`circles`] of keys; [`sight`] hides what came
//! later. [`rows`], [`times`], [`examples`], [`modes`] and [`aggregates`] make facts, cut-offs, examples and the language of
//! clauses, which [`compile`] puts into the gathered data. [`folds`] divides the rows of the examples, [`one_day`] gives all of
//! them one cut-off, and [`table_rows`] is what scores join back to.
//!
//! [`lints`], [`nearly_keys`], [`class_lints`] and [`untimed`] tell what is odd (by [`row_classes`]); [`number_columns`] and
//! [`time_cells`] tell of cells that hold no number or no time ([`odd_cells`]). [`notations`] reads columns in another notation.
//! [`to_score`] knows tables of rows without labels, [`toml_key`] writes names, and [`words`] tells clauses.

mod aggregates;
mod circles;
mod class_lints;
mod compile;
mod composite_cells;
mod composite_keys;
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
mod odd_cells;
mod one_day;
mod paths;
mod profile;
mod propose;
mod row_classes;
mod row_order;
mod rows;
mod same_moment;
mod schema_text;
mod sight;
mod star;
mod summaries;
mod table_rows;
mod time_cells;
mod time_sources;
mod times;
mod to_score;
mod toml_key;
mod untimed;
mod words;

pub(crate) use compile::settle;
pub(crate) use declared::{DeclaredLink, DeclaredTable, declared};
pub use meaning::{
    CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, ExampleColumns, LatestLink, SeenColumn,
};
