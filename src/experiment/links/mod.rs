//! The links of a graph.

pub(crate) mod lost;
pub mod new_links;
pub mod ranks;
pub mod run;
pub mod target_rank;
pub mod validation;
