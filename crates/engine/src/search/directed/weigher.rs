//! The weight of candidates: both networks together. [DIRECTED §2.3]

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::bias::{Candidate, RefinementSpace};
use gleaner_base::budget::{Poll, Stopwatch};
use gleaner_base::{Budget, StopReason};
use gleaner_lang::program::settings::words;

use super::candidate_probability::{CandidateProbability, exp};
use super::network::Network;
use super::parameters::{Parameters, Priors};

words! {
/// How EXPLOIT and EXPLORED enter the weight.
#[derive(Default)]
pub enum Scale {
    /// The geometric mean of a network's factors, `P^(1 / n_nodes)`, on which scale EXPLOIT and EXPLORED can
    /// be traded whatever the bottom clause's size.
    ///
    /// DIVERGENCE: the paper's formula has the probabilities themselves.
    GeometricMean = "geometric-mean",
    /// The probabilities themselves. Where both are too small to matter every weight is `1 - alpha`;
    /// then only what the clauses differ in tells them apart.
    ///
    /// Of ten generated problems (25 seeds, the thesis's Gleaner) the mean area after 1,000, 10,000 and
    /// 25,000 clauses a seed was .479, .526 and .552 with these, .428, .537 and .542 with geometric means,
    /// .449, .522 and .546 without networks.
    #[default]
    Product = "product",
}
}

/// The cost of the networks, beside that of evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectedCost {
    /// Candidates weighed, including those that were evaluated before.
    pub n_weighted: u64,
    /// Clauses counted in a network; each evaluated clause is in EXPLORED.
    pub n_updates: u64,
    /// Time in both networks and in drawing the clauses with which climbs begin. It differs from run to run, so it
    /// belongs beside other times.
    pub time: Duration,
}

/// A relative gain in weight below this is a rounding error: no climb takes it.
const LEAST_GAIN: f64 = 1e-9;

/// Additions weighed between looks at the budget: each may have thousands of compound children.
const NEIGHBOURS_BETWEEN_LOOKS: u32 = 64;

/// The two networks of one bottom clause, and the candidate where the search stands.
#[derive(Debug)]
pub(super) struct Weigher {
    network: Network,
    exploit: Model,
    explored: Model,
    is_in: Vec<bool>,
    here: Candidate,
    scale: Scale,
    alpha: f64,
    pub(super) cost: DirectedCost,
}

/// One network's parameters, and the probability of the current candidate by them.
#[derive(Debug)]
struct Model {
    parameters: Parameters,
    current: CandidateProbability,
    /// The probability of candidates with one literal less, beside the way of the search.
    aside: CandidateProbability,
}

/// The neighbours of a candidate in the order of their weights, the highest first. Of equal weights the neighbour with
/// fewer literals comes first, then the one whose added or removed literal stands earlier.
#[derive(Debug)]
pub(super) struct Neighbours {
    here: Candidate,
    removals: Vec<Candidate>,
    additions: Vec<u16>,
    ranked: BinaryHeap<Ranked>,
}

#[derive(Clone, Copy, Debug)]
struct Ranked {
    rank: f64,
    neighbour_idx: u32,
}

/// Logarithms of EXPLOIT and EXPLORED.
#[derive(Clone, Copy, Debug)]
struct LnProbabilities {
    exploit: f64,
    explored: f64,
}

impl Weigher {
    pub(super) fn new(network: Network, scale: Scale, exploit: Option<Priors>) -> Self {
        Self {
            exploit: Model::new(&network, exploit),
            explored: Model::new(&network, None),
            is_in: vec![false; network.n_nodes()],
            here: Candidate::default(),
            network,
            scale,
            alpha: 0.0,
            cost: DirectedCost::default(),
        }
    }

    /// Trades exploitation (1) for exploration (0) from now on.
    pub(super) const fn set_alpha(&mut self, alpha: f64) {
        self.alpha = alpha;
    }

    pub(super) const fn network(&self) -> &Network {
        &self.network
    }

    /// The parameters of EXPLOIT.
    pub(super) const fn exploit_parameters(&self) -> &Parameters {
        &self.exploit.parameters
    }

    /// Counts a clause that was evaluated.
    pub(super) fn explore(&mut self, candidate: &Candidate) {
        self.cost.n_updates += 1;
        self.explored.parameters.update(&self.network, candidate, 1.0);
    }

    /// Counts a clause that led to one worth keeping.
    pub(super) fn exploit(&mut self, candidate: &Candidate, weight: f64) {
        self.cost.n_updates += 1;
        self.exploit.parameters.update(&self.network, candidate, weight);
    }

    /// Runs work on the networks and adds its time to the cost.
    pub(super) fn timed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let watch = Stopwatch::start();
        let done = work(self);
        self.cost.time += Duration::from_secs_f64(watch.seconds());
        done
    }

    /// Moves to a legal candidate, and returns its weight W.
    pub(super) fn move_to(&mut self, candidate: &Candidate) -> f64 {
        for &position in self.here.positions() {
            self.is_in[usize::from(position)] = false;
        }
        for &position in candidate.positions() {
            self.is_in[usize::from(position)] = true;
        }
        self.here = candidate.clone();
        for model in [&mut self.exploit, &mut self.explored] {
            model.parameters.refresh(&self.network);
            model.current.move_to(&self.network, &model.parameters, candidate, &self.is_in);
        }
        self.cost.n_weighted += 1;
        let here = self.here();
        self.alpha * self.value(here.exploit) + (1.0 - self.alpha) * (1.0 - self.value(here.explored))
    }

    fn here(&self) -> LnProbabilities {
        LnProbabilities {
            exploit: self.exploit.current.ln_probability(),
            explored: self.explored.current.ln_probability(),
        }
    }

    /// A probability as it enters the weight.
    #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^16 literals")]
    fn value(&self, ln_p: f64) -> f64 {
        match self.scale {
            Scale::GeometricMean => exp(ln_p / self.network.n_nodes().max(1) as f64),
            Scale::Product => exp(ln_p),
        }
    }

    /// `alpha * EXPLOIT` and `(1 - alpha) * EXPLORED`, both times a number that depends only on the current candidate.
    /// Their difference orders candidates as W does. It also tells apart candidates whose probabilities would be lost
    /// beside 1 or below the least double.
    fn terms(&self, of: LnProbabilities) -> (f64, f64) {
        let reference = match self.scale {
            Scale::GeometricMean => 0.0,
            Scale::Product => self.here().exploit.max(self.here().explored),
        };
        let exploit = self.alpha * self.value(of.exploit - reference);
        (exploit, (1.0 - self.alpha) * self.value(of.explored - reference))
    }

    fn rank(&self, of: LnProbabilities) -> f64 {
        let (exploit, explored) = self.terms(of);
        exploit - explored
    }

    /// The rank above which a neighbour weighs more than the current candidate.
    fn least_rank_of_a_step(&self) -> f64 {
        let (exploit, explored) = self.terms(self.here());
        (exploit - explored) + LEAST_GAIN * (exploit + explored)
    }

    /// Weighs the neighbours of the current candidate; those with one literal more only if `may_grow`.
    ///
    /// # Errors
    ///
    /// The outer stop.
    pub(super) fn neighbours(
        &mut self,
        space: &RefinementSpace<'_>,
        may_grow: bool,
        budget: &Budget,
    ) -> Result<Neighbours, StopReason> {
        let mut poll = Poll::new(budget, NEIGHBOURS_BETWEEN_LOOKS);
        poll.step()?;
        let here = self.here.clone();
        let mut removals = space.removals(&here);
        removals.retain(|candidate| !candidate.positions().is_empty());
        let mut additions = Vec::new();
        if may_grow && here.n_literals() < space.max_literals() {
            additions = self.network.additions(&here);
            additions.retain(|&position| space.has_room(here.positions(), position));
        }
        let mut ranks: Vec<f64> = Vec::with_capacity(removals.len() + additions.len());
        for candidate in &removals {
            let probabilities = self.after_removal(candidate);
            ranks.push(self.rank(probabilities));
        }
        self.rank_additions(&additions, &mut ranks, &mut poll)?;
        self.cost.n_weighted += ranks.len() as u64;
        let ranked: Vec<Ranked> =
            ranks.into_iter().zip(0..).map(|(rank, neighbour_idx)| Ranked { rank, neighbour_idx }).collect();
        Ok(Neighbours { here, removals, additions, ranked: BinaryHeap::from(ranked) })
    }

    fn rank_additions(
        &mut self,
        additions: &[u16],
        ranks: &mut Vec<f64>,
        poll: &mut Poll<'_>,
    ) -> Result<(), StopReason> {
        if additions.is_empty() {
            return Ok(());
        }
        for model in [&mut self.exploit, &mut self.explored] {
            let current = &mut model.current;
            current.prepare_additions(&self.network, &model.parameters, &self.here, &self.is_in);
        }
        for &position in additions {
            poll.step()?;
            let after = |model: &Model| {
                model.current.after_adding(&self.network, &model.parameters, position, &self.is_in)
            };
            let probabilities =
                LnProbabilities { exploit: after(&self.exploit), explored: after(&self.explored) };
            ranks.push(self.rank(probabilities));
        }
        Ok(())
    }

    /// The probabilities after a removal. There are at most as many removals as literals, so each is weighed by itself.
    fn after_removal(&mut self, kept: &Candidate) -> LnProbabilities {
        let removed = self.here.positions().iter().filter(|at| kept.positions().binary_search(at).is_err());
        let removed: Vec<usize> = removed.map(|&position| usize::from(position)).collect();
        removed.iter().for_each(|&position| self.is_in[position] = false);
        for model in [&mut self.exploit, &mut self.explored] {
            model.aside.move_to(&self.network, &model.parameters, kept, &self.is_in);
        }
        removed.iter().for_each(|&position| self.is_in[position] = true);
        LnProbabilities {
            exploit: self.exploit.aside.ln_probability(),
            explored: self.explored.aside.ln_probability(),
        }
    }

    /// The neighbour of highest weight, if it weighs more than the current candidate.
    ///
    /// # Errors
    ///
    /// The outer stop.
    pub(super) fn step(
        &mut self,
        space: &RefinementSpace<'_>,
        budget: &Budget,
    ) -> Result<Option<Candidate>, StopReason> {
        let least = self.least_rank_of_a_step();
        let mut neighbours = self.neighbours(space, true, budget)?;
        let is_step = neighbours.best_rank().is_some_and(|best| best > least);
        Ok(if is_step { neighbours.next() } else { None })
    }
}

impl Model {
    fn new(network: &Network, priors: Option<Priors>) -> Self {
        let current = CandidateProbability::new(network);
        Self { parameters: Parameters::new(network, priors), aside: current.clone(), current }
    }
}

impl Neighbours {
    fn best_rank(&self) -> Option<f64> {
        self.ranked.peek().map(|best| best.rank)
    }
}

impl Iterator for Neighbours {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let idx = self.ranked.pop()?.neighbour_idx as usize;
        Some(match self.removals.get(idx) {
            Some(candidate) => candidate.clone(),
            None => {
                let added = self.additions[idx - self.removals.len()];
                let positions = self.here.positions().iter().copied().chain([added]);
                Candidate::new(positions.collect())
            }
        })
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.total_cmp(&other.rank).then_with(|| other.neighbour_idx.cmp(&self.neighbour_idx))
    }
}
