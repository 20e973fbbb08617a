//! Gleaner: keep the best clause of each recall bin from each seed, and combine each bin's clauses
//! into a theory "at least L of these K clauses". [GLEANER §3.1]
//!
//! 1. [`mod@gather`]: searches from K seed examples fill B recall bins each.
//! 2. [`theory`]: each bin's clauses over the seeds vote.
//! 3. [`threshold`]: for each recall bin the theory and the number of votes are chosen on tune.
//! 4. [`model`]: the chosen decisions classify and score examples.

pub mod bins;
pub mod config;
pub mod cover_cache;
pub mod gather;
pub mod model;
pub mod theory;
pub mod threshold;

pub use config::{Duplicates, GleanerConfig, OperatingPoint, SearchKind, ThresholdRule, VoteWeights};
pub use cover_cache::CoverCache;
pub use gather::{Gathering, gather};
pub use model::{GleanerModel, Scoring, learn_from};
