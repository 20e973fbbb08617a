//! How rules for links are learnt, and on which links that are kept back their weights are chosen.

use std::fmt;

use rand::seq::index::sample;

use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_lang::program::graph::Link;

use super::config::LinkConfig;
use super::graph::Graph;

/// Tune links that the weights of kinds are chosen on, at most.
pub(super) const MOST_TUNE_LINKS: usize = 20_000;

/// Tune links that the number of wrong predictions is chosen on, at most.
pub(super) const LINKS_FOR_PSEUDO: usize = 1_000;

/// The links on the longest path that is counted first.
pub(super) const FIRST_LENGTH: usize = 2;

/// How rules for links are learnt.
#[derive(Clone, Copy)]
pub struct Learning<'a> {
    /// How rules are found.
    pub config: LinkConfig,
    /// The seed of what is drawn.
    pub rng_seed: u64,
    /// Whether it is measured how likely new links are.
    pub with_likelihood: bool,
    /// Ends the work; what was found until then is a model.
    pub budget: &'a Budget,
    /// Hears of each better model.
    pub told: &'a dyn Fn(Better),
}

impl fmt::Debug for Learning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learning").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A model that is better than the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Better {
    /// The links on the longest path that is followed.
    pub path_length: usize,
    /// The links that its weights were chosen on.
    pub links: usize,
    /// Their mean reciprocal rank.
    pub mrr: f64,
}

/// Links that were kept back from a graph.
#[derive(Clone, Copy)]
pub(super) struct KeptBack<'a> {
    /// The graph of the other links.
    pub graph: &'a Graph,
    /// The links.
    pub links: &'a Graph,
    /// Whether they are known to the model that is learnt.
    pub are_known_again: bool,
    /// How many links of the test part are missing, too.
    pub n_tested: usize,
    /// Whether longer paths follow while they are worth it.
    pub by_stages: bool,
    /// The links on the longest path of the rules that are weighed.
    pub length: usize,
}

/// So many links at most, in their order.
pub(super) fn drawn(links: &[Link], most: usize, rng_seed: u64) -> Vec<Link> {
    if links.len() <= most {
        return links.to_vec();
    }
    let mut rng = stream(rng_seed, Purpose::Folds, &[1]);
    let mut places = sample(&mut rng, links.len(), most).into_vec();
    places.sort_unstable();
    places.into_iter().map(|place| links[place]).collect()
}
