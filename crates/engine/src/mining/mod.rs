//! Frequent queries: bodies that many examples satisfy, mined level by level. [MLYNX §2]
//!
//! A query is a clause of the target without a claim about it. Queries of one atom come first, then those of two, and
//! so on. A longer query covers no more than its parts, so only frequent ones grow (`levels`). The modes decide which
//! literals may be added (`language`). One form of each query is kept, the canonical one (`query`). Under
//! object identity distinct variables stand for distinct constants (`program::object_identity`). An atom that others
//! imply on the facts adds nothing. Constants, thresholds and implications come from the facts that the mined examples
//! lead to (`reach`). The frequent queries of the level before refuse most candidates before these are built
//! (`extensions`).

pub mod config;
pub mod extensions;
pub mod language;
pub mod levels;
pub mod query;
pub mod reach;

pub use config::MiningConfig;
pub use language::QueryLanguage;
pub use levels::{Level, Mined, MinedQuery, Support, mine};
pub use query::Query;
