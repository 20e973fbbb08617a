//! Databases: tables whose keys say how they hang together.
//!
//! `tables` holds the tables as they are read. [`propose`] finds what their columns mean, by what is said of them ([`given`],
//! [`made_keys`]), what their values are ([`profile`]) and which columns point to which ([`keys`], [`composite_keys`]).
//! [`made_keys`] makes one column of a key of several, and a table of keys that stand in no file.
//!
//! [`star`] says what a row sees of the rows it points to, but for circles of keys; [`rows`] hides what came later. [`times`],
//! [`examples`] and [`modes`] make facts, cut-offs, examples and the language of clauses, which
//! [`compile`] puts into the gathered data. [`to_score`] takes the rows to be scored in, [`folds`] divides the rows of the
//! examples, and [`one_day`] gives all of them one cut-off.
//!
//! [`lints`], [`class_lints`] and [`one_day`] tell what is odd, and [`oddities`] tells of keys with few exceptions and of cells
//! that hold no number or no time. [`notations`] reads columns in another notation, and [`words`] tells clauses.

mod calendar;
mod class_lints;
mod compile;
mod composite_keys;
mod examples;
mod fact_writer;
mod faults;
mod folds;
mod given;
mod keys;
mod latest;
mod lints;
mod made_keys;
mod meaning;
mod modes;
mod notations;
mod oddities;
mod one_day;
mod profile;
mod propose;
mod rows;
mod schema_text;
mod star;
mod times;
mod to_score;
mod words;

pub use calendar::CalendarPart;
pub(crate) use compile::settle;
pub(crate) use given::{DeclaredLink, DeclaredTable, declared};
pub use meaning::{
    CellKind, ColumnPlace, DatabaseRelation, DatabaseSchema, ExampleColumns, LatestLink, SeenColumn,
};
