//! The interface of sources of rows: tables in text, in binary files, in memory.
//!
//! A source gives the names of its columns and the values of its cells ([`Rows`]). This module alone decides on the
//! meaning of labels, folds and classes, on the role of each column, and on the messages about them. [`read_table`]
//! reads tables; [`take_row`] takes rows that name their own predicate. A source that is no text gives places by row
//! and column.

mod cell;
mod stored;
mod table;
mod take;

pub(super) use cell::{CellValue, Refusal};
pub(super) use cell::{Column, Rows};
pub(super) use table::{FOLD, LABEL, TableName, read_table, type_header};
pub(super) use take::{RowParts, take_row};
