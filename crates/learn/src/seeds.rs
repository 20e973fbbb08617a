//! Seed examples, and the search from each.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ExampleId, StopReason};
use gleaner_engine::bias::LimitCut;
use gleaner_engine::search::Funnel;

use super::Task;

/// The record of the search from one seed example.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// The work of a directed search's networks.
    pub networks: NetworkWork,
}

impl SeedSearch {
    /// The record of a seed without a search, because an outer stop came before it had a bottom clause.
    pub fn not_begun(seed_example: ExampleId, stop: StopReason) -> Self {
        Self {
            seed_example,
            n_bottom_literals: 0,
            cuts: Vec::new(),
            stop,
            funnel: Funnel::default(),
            networks: NetworkWork::default(),
        }
    }

    /// Whether the seed has a bottom clause, as far as the record shows: an empty one is searched at once.
    pub const fn is_begun(&self) -> bool {
        self.n_bottom_literals > 0 || !self.stop.is_outer()
    }
}

/// The work of a directed search's networks; the monitor gets their time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NetworkWork {
    /// Candidates weighed without data.
    pub n_weighted: u64,
    /// Clauses counted in a network.
    pub n_updates: u64,
}

impl NetworkWork {
    /// Whether there were no networks.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// This and another's work.
    pub const fn plus(self, other: Self) -> Self {
        Self { n_weighted: self.n_weighted + other.n_weighted, n_updates: self.n_updates + other.n_updates }
    }
}

/// Seeds without repetition while there are unused positives, then again from all of them; a repeated
/// seed is searched with another random stream. The path names the draw within the run.
pub fn draw_seeds(task: &Task<'_>, n_seeds: usize, path: &[u64], rng_seed: u64) -> Vec<ExampleId> {
    SeedDraw::new(task, path, rng_seed).take(n_seeds).collect()
}

/// The seeds of [`draw_seeds`] one by one, without end where there are positives.
#[derive(Debug)]
pub struct SeedDraw {
    positives: Vec<ExampleId>,
    rng: Pcg64,
    /// The positives that are left this time, in the order drawn.
    left: std::vec::IntoIter<ExampleId>,
}

impl SeedDraw {
    /// A draw of the positives of train.
    pub fn new(task: &Task<'_>, path: &[u64], rng_seed: u64) -> Self {
        let path: Vec<u64> = std::iter::once(task.run_idx).chain(path.iter().copied()).collect();
        let rng = stream(rng_seed, Purpose::SeedExamples, &path);
        Self { positives: task.train.positives().collect(), rng, left: Vec::new().into_iter() }
    }
}

impl Iterator for SeedDraw {
    type Item = ExampleId;

    fn next(&mut self) -> Option<ExampleId> {
        if self.left.len() == 0 {
            let mut round = self.positives.clone();
            round.shuffle(&mut self.rng);
            self.left = round.into_iter();
        }
        self.left.next()
    }
}
