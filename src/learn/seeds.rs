//! Seed examples, and what was searched from each.

use rand::seq::SliceRandom;

use crate::base::random::{Purpose, stream};
use crate::base::{ExampleId, StopReason};
use crate::bias::LimitCut;
use crate::search::Funnel;

use super::Task;

/// What was searched from one seed example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedSearch {
    /// The seed.
    pub seed_example: ExampleId,
    /// Literals of its bottom clause.
    pub n_bottom_literals: usize,
    /// Limits that cut the bottom clause.
    pub cuts: Vec<LimitCut>,
    /// Why its search ended.
    pub stop: StopReason,
    /// Where its candidates went.
    pub funnel: Funnel,
    /// What the networks of a directed search did.
    pub networks: NetworkWork,
}

/// What the networks of a directed search did; their time is told to the monitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct NetworkWork {
    /// Candidates weighed without data.
    pub n_weighted: u64,
    /// Clauses counted in a network.
    pub n_updates: u64,
}

impl NetworkWork {
    /// Whether there were no networks.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// This and another's work.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { n_weighted: self.n_weighted + other.n_weighted, n_updates: self.n_updates + other.n_updates }
    }
}

/// Seeds without repetition while there are unused positives, then again from all of them; a repeated
/// seed is searched with another random stream. The path names the draw within the run.
#[must_use]
pub fn draw_seeds(task: &Task<'_>, n_seeds: usize, path: &[u64], rng_seed: u64) -> Vec<ExampleId> {
    let positives: Vec<ExampleId> = task.train.positives().collect();
    let path: Vec<u64> = std::iter::once(task.run_idx).chain(path.iter().copied()).collect();
    let mut rng = stream(rng_seed, Purpose::SeedExamples, &path);
    let mut seeds = Vec::with_capacity(n_seeds);
    while seeds.len() < n_seeds && !positives.is_empty() {
        let mut round = positives.clone();
        round.shuffle(&mut rng);
        seeds.extend(round.into_iter().take(n_seeds - seeds.len()));
    }
    seeds
}
