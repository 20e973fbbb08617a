//! Databases: tables whose keys say how they hang together.
//!
//! [`store`] holds the tables as they are read. [`propose`] finds what their columns mean ([`schema`]), by what their
//! values are ([`profile`]) and which columns point to which ([`keys`]). [`paths`] and [`star`] say what a row sees of
//! the rows it points to; [`rows`], [`times`], [`examples`], [`modes`] and [`aggregates`] make facts, cut-offs, examples
//! and the language of clauses, which [`compile`] puts into the gathered data.

mod aggregates;
mod compile;
mod examples;
mod faults;
mod keys;
mod links;
mod modes;
mod paths;
mod profile;
mod propose;
mod rows;
mod schema;
mod schema_text;
mod star;
mod store;
mod summaries;
mod times;

pub(crate) use compile::{DatabaseRequest, settle};
pub use propose::{FrozenFold, LabelName};
pub(crate) use schema_text::GivenSchema;
pub(crate) use store::{Database, read_stored};
