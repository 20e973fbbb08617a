//! Databases in files of text or Parquet, whose keys say how their tables hang together.
//!
//! [`tables`] lie in one folder; [`relbench`] has folders, with the keys in a [`manifest`]; [`duckdb`] has statements of [`sql`]
//! beside them. [`schema_file`] goes before what any of these say.

mod duckdb;
mod manifest;
mod relbench;
mod schema_file;
mod sql;
mod tables;

pub(super) use duckdb::{Duckdb, native};
pub(super) use relbench::Relbench;
pub(super) use schema_file::schema_beside;
pub(super) use tables::Tables;
