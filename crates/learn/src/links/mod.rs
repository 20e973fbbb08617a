//! Links: which pairs of entities a relation of a graph holds of.
//!
//! A graph has many relations, and the examples of each are facts for the others. So all relations are learnt in one
//! go, by counting instead of by search: [`closed`] counts every path of up to two links that joins the two ends of
//! known links; [`anchored`] counts, for each relation and entity, what the entity's partners
//! have in common. Both counts are exact; AnyBURL samples them. (ANYBURL)
//!
//! A rule never uses the link that it is asked for. In closed rules distinct variables stand for distinct entities, and the
//! head's own atom is no body, so that no proof of a link can hold the link itself; anchored rules leave the head's own atom
//! out of what the partners have in common. So every count is a leave-one-out count.
//!
//! [`scorer`] ranks all entities for a question such as `r(a, ?)`, and [`rank`] measures the ranks that true answers have.

pub mod anchored;
pub mod closed;
pub mod config;
pub mod evidence;
pub mod graph;
mod joined;
pub mod kinds;
mod learn;
pub mod model;
pub mod rank;
mod reached;
pub mod saved;
pub mod scorer;
pub mod text;

use gleaner_base::StopReason;

pub use config::LinkConfig;
pub use evidence::Evidence;
pub use graph::{Directed, Graph};
pub use model::LinkModel;

/// The budget ran out before the work was done; what was counted until then says nothing of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out before all links were counted")]
pub struct Interrupted(pub StopReason);
