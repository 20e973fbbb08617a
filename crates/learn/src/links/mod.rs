//! Links: the pairs of entities that a relation of a graph holds of.
//!
//! A graph has many relations, and the examples of each are facts for the others. So all relations are learnt in one
//! go, by counting instead of by search. [`closed`] counts every path of up to two links that joins the two ends of
//! known links, and in sparse graphs longer ones. [`anchored`] counts, for each relation and entity, the links that the entity's partners have in common.
//! Both counts are exact; AnyBURL samples them. [`general`] counts what is likely of an answer whoever asks. (ANYBURL)
//!
//! A rule never uses the link that it is asked for. In closed rules distinct variables stand for distinct entities, and
//! the head's own atom is no body. So no proof of a link can hold the link itself. Anchored rules leave the head's own
//! atom out of the links that the partners have in common. So every count is a leave-one-out count.
//!
//! What rules say of an answer counts less if such an answer hardly lacks a link ([`lacking`]).
//!
//! [`scorer`] ranks all entities for a question such as `r(a, ?)`, and [`rank`] measures the ranks of true answers.

pub mod anchored;
mod ask;
mod beside;
mod candidates;
mod choose;
pub mod closed;
pub mod config;
pub mod evidence;
pub mod general;
pub mod graph;
mod joined;
mod kept_back;
pub mod kinds;
pub mod lacking;
mod learn;
mod likelihood;
pub mod longer;
pub mod model;
pub mod new_links;
mod own;
pub mod probability;
pub mod rank;
mod reached;
pub mod reasons;
pub mod saved;
pub mod scorer;
mod stages;
mod steps;
pub mod text;

use gleaner_base::StopReason;

pub use config::LinkConfig;
pub use evidence::Evidence;
pub use graph::{Directed, Graph};
pub use kept_back::{Better, Learning};
pub use model::LinkModel;

/// The budget ran out before the work was done; the counts until then say nothing of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out before all links were counted")]
pub struct Interrupted(pub StopReason);
