//! Databases: tables whose keys say how they hang together.
//!
//! [`store`] holds the tables as they are read. [`propose`] finds what their columns mean ([`schema`]), by what is
//! said of them ([`given`]), what their values are ([`profile`]) and which columns point to which ([`keys`]). [`paths`] and [`star`] say what a row sees of
//! the rows it points to; [`rows`], [`times`], [`examples`], [`modes`] and [`aggregates`] make facts, cut-offs, examples
//! and the language of clauses, which [`compile`] puts into the gathered data.

mod aggregates;
mod compile;
mod declared;
mod examples;
mod faults;
mod given;
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
pub(crate) use declared::{DeclaredLink, DeclaredTable, declared};
pub(crate) use given::{GivenBy, GivenSchema, Says};
pub use propose::{FrozenFold, LabelName};
pub(crate) use schema::Kind;
pub(crate) use store::{Database, read_stored};
