//! Learners: from training examples to a model that scores examples.
//!
//! A learner is a folder here and a line in [`registry`]; no other file knows it. To add one, write
//!
//! - `NAME/mod.rs`: its settings, and a configuration made of them; `SearchConfig`, `SaturationConfig` and the settings
//!   of [`settings`] and [`reduction`] are those that learners share. Beside them stands a type that implements
//!   [`Learner`]: names with a line of help each, search, what the search did ([`record`]), the points of the learning
//!   curve, and a model of each, whose clauses [`Fitting::reduce`] reduces. [`SeedBottom`] is the way from a seed example
//!   to its search;
//! - `NAME/model.rs`: what is learnt, a type over clauses in any form ([`saved::OverClauses`]). Over texts it is what a
//!   file holds, with a check of files that were changed by hand ([`saved::Checked`]). Over ids it is the [`Model`]; where
//!   scores rank examples, [`model::Ranker`] is enough. It says what a person reads of it, why an example has its score
//!   ([`shown`]), and the model as a program ([`prolog`]), if it can be one;
//! - tables of its own, if it has any, named in `Learner::TABLES`;
//! - the type's line in `base_learners::BASE_LEARNERS`.
//!
//! The command line, cross-validation, model files, `explain` and run folders then have it.

pub mod auto;
pub mod bag_of_words;
mod base_learners;
pub mod best_clause;
pub mod boost;
pub mod calibration;
pub mod covering;
pub mod covers;
pub mod deciding;
pub mod decision;
pub mod families;
pub mod gleaner;
pub mod learner;
pub mod links;
pub mod mlynx;
pub mod model;
pub mod network;
pub mod pooled_sets;
pub mod prolog;
pub mod record;
pub mod reduction;
pub mod registry;
pub mod saved;
pub mod sayu;
pub mod seeds;
pub mod settings;
pub mod shared_config;
pub mod shown;
pub mod srl;
pub mod text_hmm;
pub mod trees;

pub use calibration::{Calibration, HeldOut};
pub use covers::Covers;
pub use deciding::OperatingPoint;
pub use decision::HeldOutScore;
pub use learner::{Configured, CurvePoint, Fitting, Found, Learner, Learnt, StreamPath};
pub use model::{Model, Points, Saved, Scoring};
pub use record::{Density, DensityCell};
pub use registry::{configured_learner, learner_named, learners};
pub use seeds::{NetworkWork, SeedBottom, SeedSearch};
pub use shown::Explanation;

use std::sync::Arc;
use std::time::Duration;

use gleaner_base::{Budget, Keeper};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::mode::Modes;
use gleaner_lang::program::{Clause, Examples, Labels};

/// The input of every learner.
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
    /// What the labels of the examples are. Many classes are a problem of one against the rest; numbers are one of their upper
    /// half against the rest.
    pub labels: &'a Labels,
    /// Clauses in place of a search, for learners that take them: ascending, each once.
    pub given: Option<&'a [Clause]>,
}

/// The known covers on the sets that a learner is given.
#[derive(Clone, Copy, Debug)]
pub struct SetStores<'a, 's> {
    /// The stores of train.
    pub train: &'a Arc<CoverStore<'s>>,
    /// The stores of tune.
    pub tune: &'a Arc<CoverStore<'s>>,
}

/// Receives news of finished work, from any thread; it never changes a result.
pub trait Monitor: Sync {
    /// A seed example's search ended.
    fn seed_finished(&self, run_idx: u64, n_evaluated: u64, best_score: Option<f64>);

    /// The networks of a directed search took so long.
    fn networks_took(&self, _time: Duration) {}

    /// This share of a run's work is done, where its learner knows that.
    fn share_done(&self, _run_idx: u64, _share: f64) {}

    /// So many seed examples were searched before, and their results were kept.
    fn seeds_kept(&self, _n_seeds: usize) {}
}

/// A monitor that shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {
    fn seed_finished(&self, _run_idx: u64, _n_evaluated: u64, _best_score: Option<f64>) {}
}

/// How the work is stopped and how it is seeded; the same for every run of an experiment.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// Outer stops.
    pub budget: &'a Budget,
    /// The seed that all random streams flow from.
    pub rng_seed: u64,
    /// Receives news of finished work.
    pub monitor: &'a dyn Monitor,
    /// The most bytes of covers that each search may keep.
    pub cover_bytes: usize,
    /// Keeps finished work.
    pub keeper: &'a dyn Keeper,
}

impl std::fmt::Debug for RunContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunContext").field("rng_seed", &self.rng_seed).finish_non_exhaustive()
    }
}
