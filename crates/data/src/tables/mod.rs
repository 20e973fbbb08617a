//! The tables of a database: what they hold ([`store`]), what is asked ([`request`]) and said ([`given`]) of them, and what they
//! mean ([`schema`]). How that is found, `database` knows.

pub(crate) mod given;
pub(crate) mod request;
pub(crate) mod schema;
pub(crate) mod store;
pub(crate) mod table_rows;

pub use request::{CutOffTime, FrozenFold, Horizon, LabelName, SplitTimes, TimeSplit};
pub use table_rows::{RowColumn, TableRows};
