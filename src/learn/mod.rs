//! Learners: from training examples to a model that scores examples.

pub mod boost;
pub mod covering;
pub mod covers;
pub mod deciding;
pub mod density;
pub mod gleaner;
pub mod learner;
pub mod model;
pub mod ranked;
pub mod scoring;
pub mod seed_pipeline;
pub mod seeds;
pub mod settings;
pub mod shared_config;
pub mod votes;

pub use covers::Covers;
pub use deciding::OperatingPoint;
pub use density::{Density, DensityCell};
pub use learner::{CurvePoint, Found, LearnerConfig, Learnt};
pub use model::Model;
pub use scoring::{Points, Scoring};
pub use seed_pipeline::SeedBottom;
pub use seeds::{NetworkWork, SeedSearch};

use std::sync::Arc;
use std::time::Duration;

use crate::base::Budget;
use crate::coverage::{CoverStore, Universe};
use crate::datalog::Background;
use crate::program::Examples;
use crate::program::mode::Modes;

/// What every learner is given.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The facts, by world id.
    pub worlds: &'a [Background],
    /// The language bias.
    pub modes: &'a Modes,
    /// All examples of the problem.
    pub examples: &'a Arc<Examples>,
    /// The examples that clauses are searched on.
    pub train: &'a Universe,
    /// The examples that thresholds are chosen on.
    pub tune: &'a Universe,
    /// The number of the run in its experiment: names its random streams.
    pub run_idx: u64,
}

/// What is known of covers on the sets that a learner is given.
#[derive(Clone, Copy, Debug)]
pub struct SetStores<'a, 's> {
    /// Of train.
    pub train: &'a Arc<CoverStore<'s>>,
    /// Of tune.
    pub tune: &'a Arc<CoverStore<'s>>,
}

/// Is told of finished work, from any thread; what it shows never reaches a result.
pub trait Monitor: Sync {
    /// A seed example's search ended.
    fn seed_finished(&self, run_idx: u64, n_evaluated: u64, best_score: Option<f64>);

    /// The networks of a directed search took so long.
    fn networks_took(&self, _time: Duration) {}
}

/// A monitor that shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {
    fn seed_finished(&self, _run_idx: u64, _n_evaluated: u64, _best_score: Option<f64>) {}
}

/// What stops the work and how it is seeded; the same for every run of an experiment.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// Outer stops.
    pub budget: &'a Budget,
    /// The seed that all random streams flow from.
    pub rng_seed: u64,
    /// Is told of finished work.
    pub monitor: &'a dyn Monitor,
    /// The most bytes of covers that each search may keep.
    pub cover_bytes: usize,
}

impl std::fmt::Debug for RunContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunContext").field("rng_seed", &self.rng_seed).finish_non_exhaustive()
    }
}
