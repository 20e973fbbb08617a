//! Frequent queries: bodies that many examples satisfy, mined level by level. [MLYNX §2]
//!
//! A query is a clause of the target without a claim about it. Queries of one atom come first, then those of two, and so on: what
//! makes a query longer makes it rarer, so that only frequent ones grow (`levels`). What may be added says the `language`, of
//! the modes; of the same query in other words one is kept, by its canonical form (`query`). Under object identity distinct
//! variables stand for distinct constants (`program::object_identity`). An atom that others imply on the facts adds nothing (`implied`).
//! Constants, thresholds and what is implied are taken from the facts that the mined examples lead to (`reach`).
//! What was frequent one level before refuses most candidates unbuilt (`extensions`).

pub mod config;
pub mod extensions;
pub mod implied;
pub mod language;
pub mod levels;
pub mod query;
pub mod reach;

pub use config::MiningConfig;
pub use language::QueryLanguage;
pub use levels::{Level, Mined, MinedQuery, Support, mine};
pub use query::Query;
