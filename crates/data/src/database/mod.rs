//! Databases: tables whose keys say how they hang together.
//!
//! `tables` holds the tables as they are read. [`propose`] finds what their columns mean, by what is said of them ([`given`],
//! [`given_composites`]), what their values are ([`profile`]) and which columns point to which ([`keys`], [`composite_keys`]).
//! [`given_composites`] makes one column of a key of several, and [`key_tables`] a table of keys that stand in no file.
//!
//! [`star`] says what a row sees of the rows it points to, except along circles of keys; [`sight`] hides what came later. [`rows`],
//! [`times`], [`examples`], [`modes`] and [`aggregates`] make facts, cut-offs, examples and the language of clauses, which
//! [`compile`] puts into the gathered data. [`folds`] divides the rows of the examples, and [`one_day`] gives all of them one
//! cut-off.
//!
//! [`lints`], [`nearly_keys`], [`class_lints`] and [`untimed`] tell what is odd (by [`row_classes`]), and [`odd_cells`] tells of
//! cells that hold no number or no time. [`notations`] reads columns in another notation, and [`words`] tells clauses.

mod aggregates;
mod class_lints;
mod compile;
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
mod odd_cells;
mod one_day;
mod profile;
mod propose;
mod row_classes;
mod rows;
mod schema_text;
mod sight;
mod star;
mod summaries;
mod times;
mod untimed;
mod words;

pub(crate) use compile::settle;
pub(crate) use declared::{DeclaredLink, DeclaredTable, declared};
pub use meaning::{
    CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, ExampleColumns, LatestLink, SeenColumn,
};
