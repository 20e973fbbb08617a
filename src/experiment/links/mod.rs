//! The links of a graph.

pub mod answers;
pub(crate) mod lost;
pub mod new_links;
pub mod ranks;
pub mod record;
pub mod run;
pub mod target_rank;
pub mod validation;
