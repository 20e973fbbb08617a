//! Gleaner: keep the best clause of each recall bin from each seed, and combine each bin's clauses
//! into a theory "at least L of these K clauses". [GLEANER §3.1]
//!
//! 1. [`mod@gather`]: searches from K seed examples fill B recall bins each.
//! 2. [`theory`]: the clauses kept over the seeds vote: each bin's alone, or all bins' together.
//! 3. [`threshold`]: for each recall bin the theory and the number of votes are chosen.
//! 4. [`model`]: the chosen decisions classify and score examples.

pub mod bins;
pub mod config;
pub mod difference;
pub mod explanation;
pub mod gather;
pub mod gathering_config;
pub mod learner;
pub mod model;
pub mod selection;
mod shown;
pub mod theory;
pub mod threshold;

pub use config::{
    Duplicates, GleanerConfig, Selection, TheoryRule, ThresholdRule, ThresholdSet, VoteWeights,
};
pub use gather::{GatheredPart, Gathering, SearchedSet, gather, gather_in_turn, gather_numbered};
pub use gathering_config::{Emphasis, GatheringConfig, Keep, Partition};
pub use learner::Gleaner;
pub use model::{GleanerModel, learn_from};
