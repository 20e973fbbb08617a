//! Directed rapid random restarts. [DIRECTED §2.3, Figure 1]
//!
//! A `Trail` keeps the way from a start to each clause evaluated around it.

use std::collections::BinaryHeap;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

use crate::bias::Candidate;
use crate::search::random_starts::MAX_IDLE_DRAWS;
use crate::search::top_down::OpenClause;
use crate::search::{ClauseDraw, ClauseScore, Evaluations, Lengths, Outcome, Score, Scored, Strategy};
use gleaner_base::StopReason;

use super::network::Network;
use super::parameters::Transfer;
use super::weigher::{DirectedCost, Scale, Weigher};

/// Rapid random restarts in which two networks choose the starts and thin out the neighbours.
///
/// For each start `alpha` is drawn uniformly from `alphas`. `climbs` clauses are drawn. From each, a hill climb goes to
/// the neighbour of highest weight W while that weighs more, without touching data. Each climb gives the last clause
/// on its way that was not evaluated yet: its peak, unless the peak is known. One of these clauses is drawn in
/// proportion to W and evaluated. Then the search expands the best open clause, again and again, until
/// `restart_evaluations` clauses were evaluated or none is open. Of a clause's neighbours it evaluates only the
/// `neighbours` of highest W that are not known.
///
/// EXPLORED counts every evaluated clause. EXPLOIT counts the clauses that the observer keeps, and those on the way
/// from the start to them, each once and weighted by its F1. A clause with fewer than the minimum positives has no F1,
/// and does not count.
///
/// The search ends at the limits of the evaluations, or when 2,000 draws in a row gave climbs over known
/// clauses only.
///
/// DIVERGENCE: the paper does not say what happens to peaks and neighbours that were evaluated before. We leave them
/// out: otherwise a start at the peak of EXPLOIT would be lost each time, and repeated neighbours would use up L.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectedRestart {
    /// How the clauses that climbs begin with are drawn.
    pub lengths: Lengths,
    /// Evaluations from one start; this limit may cut the last expansion short.
    pub restart_evaluations: u64,
    /// `K`, hill climbs for each start; 0 is taken for 1. Default 10 [DIRECTED §3].
    pub climbs: usize,
    /// `L`, neighbours of a clause that are evaluated. Default 20 [DIRECTED §3].
    pub neighbours: usize,
    /// The values from which `alpha` is drawn, each from 0 (explore) to 1 (exploit); `alpha` is 0.5 where there are
    /// none. Default 0.01, 0.25, 0.5, 0.75, within the range of [DIRECTED §3].
    pub alphas: Vec<f64>,
    /// How probabilities enter the weight.
    pub scale: Scale,
}

impl DirectedRestart {
    /// The published settings.
    pub fn new(restart_evaluations: u64) -> Self {
        Self {
            lengths: Lengths::Uniform,
            restart_evaluations,
            climbs: 10,
            neighbours: 20,
            alphas: vec![0.01, 0.25, 0.5, 0.75],
            scale: Scale::Product,
        }
    }

    /// Runs the search with EXPLOIT as learnt on other bottom clauses, and adds this search's counts to `transfer`.
    /// Without `transfer` both networks begin uniform; EXPLORED always does.
    ///
    /// Seeds that share a transfer must run one after another, in a fixed order: each begins with the counts of those
    /// before it.
    pub fn run_with(
        &self,
        evaluations: &mut Evaluations<'_, '_>,
        rng: &mut Pcg64,
        transfer: Option<&mut Transfer>,
    ) -> (StopReason, DirectedCost) {
        let bottom = evaluations.space().bottom();
        let budget = evaluations.budget();
        let made = ClauseDraw::within(&self.lengths, evaluations.space(), budget)
            .and_then(|draw| Ok((draw, Network::within(bottom, budget)?)));
        let (draw, network) = match made {
            Ok(made) => made,
            Err(reason) => return (reason, DirectedCost::default()),
        };
        let priors = transfer.as_deref().map(|transfer| transfer.priors(bottom, &network));
        let weigher = Weigher::new(network, self.scale, priors);
        let mut search = DirectedSearch { config: self, draw, evaluations, rng, weigher };
        let reason = search.run();
        if let Some(transfer) = transfer {
            transfer.learn(bottom, search.weigher.network(), search.weigher.exploit_parameters());
        }
        (reason, search.weigher.cost)
    }
}

impl Strategy for DirectedRestart {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        self.run_with(evaluations, rng, None).0
    }
}

/// One search, from one seed example.
struct DirectedSearch<'s, 'a, 'e> {
    config: &'s DirectedRestart,
    draw: ClauseDraw,
    evaluations: &'s mut Evaluations<'a, 'e>,
    rng: &'s mut Pcg64,
    weigher: Weigher,
}

/// A clause to start from, and its weight.
struct Peak {
    candidate: Candidate,
    weight: f64,
}

impl DirectedSearch<'_, '_, '_> {
    fn run(&mut self) -> StopReason {
        loop {
            if let Err(reason) = self.run_once() {
                return reason;
            }
        }
    }

    fn run_once(&mut self) -> Result<(), StopReason> {
        let end = self.evaluations.n_evaluated().saturating_add(self.config.restart_evaluations);
        self.evaluations.begin_start();
        let start = self.start()?;
        let mut trail = Trail::default();
        let mut open = BinaryHeap::new();
        open.extend(self.evaluate(start, None, &mut trail)?);
        while let Some((best, step)) = open.pop() {
            let Self { evaluations, weigher, .. } = &mut *self;
            let (space, budget) = (evaluations.space(), evaluations.budget());
            let mut neighbours = weigher.timed(|weigher| {
                weigher.move_to(&best.candidate);
                weigher.neighbours(space, best.may_grow, budget)
            })?;
            for _ in 0..self.config.neighbours {
                let Some(neighbour) = neighbours.find(|candidate| !self.evaluations.is_known(candidate))
                else {
                    break;
                };
                if self.evaluations.n_evaluated() >= end {
                    return Ok(());
                }
                open.extend(self.evaluate(neighbour, Some(step), &mut trail)?);
            }
        }
        Ok(())
    }

    /// A clause to start from that was not evaluated yet.
    fn start(&mut self) -> Result<Candidate, StopReason> {
        let n_climbs = self.config.climbs.max(1);
        let mut n_idle = 0;
        while n_idle < MAX_IDLE_DRAWS {
            self.weigher.set_alpha(self.config.alphas.choose(self.rng).copied().unwrap_or(0.5));
            let climbs = (0..n_climbs).filter_map(|_| self.climb().transpose());
            let peaks: Vec<Peak> = climbs.collect::<Result<_, StopReason>>()?;
            if let Some(peak) = self.choose(peaks) {
                return Ok(peak);
            }
            n_idle = n_idle.saturating_add(u32::try_from(n_climbs).unwrap_or(u32::MAX));
        }
        Err(StopReason::SpaceExhausted)
    }

    /// The last clause on the way from a random one to a peak of W that was not evaluated.
    fn climb(&mut self) -> Result<Option<Peak>, StopReason> {
        let Self { draw, evaluations, rng, weigher, .. } = self;
        let (space, budget) = (evaluations.space(), evaluations.budget());
        weigher.timed(|weigher| {
            let mut next = Some(draw.draw(space, rng));
            let mut last_new = None;
            while let Some(candidate) = next {
                let weight = weigher.move_to(&candidate);
                next = weigher.step(space, budget)?;
                if !evaluations.is_known(&candidate) {
                    last_new = Some(Peak { candidate, weight });
                }
            }
            Ok(last_new)
        })
    }

    /// One of the peaks, drawn in proportion to their weights; the first where all weights are 0.
    fn choose(&mut self, peaks: Vec<Peak>) -> Option<Candidate> {
        let sum: f64 = peaks.iter().map(|peak| peak.weight).sum();
        let mut left = if peaks.is_empty() { 0.0 } else { self.rng.random::<f64>() * sum };
        let chosen = peaks.iter().position(|peak| {
            left -= peak.weight;
            left < 0.0
        });
        peaks.into_iter().nth(chosen.unwrap_or(0)).map(|peak| peak.candidate)
    }

    /// Evaluates a clause that is not known, and teaches the networks.
    fn evaluate(
        &mut self,
        candidate: Candidate,
        from: Option<usize>,
        trail: &mut Trail,
    ) -> Result<Option<(OpenClause, usize)>, StopReason> {
        let outcome = self.evaluations.evaluate(&candidate);
        if let Outcome::Stop(reason) = outcome {
            return Err(reason);
        }
        let scored = if let Outcome::Scored(scored) = outcome { Some(scored) } else { None };
        let weight = scored.and_then(|scored| self.f1(&candidate, scored)).unwrap_or(0.0);
        let is_kept = scored.is_some_and(|scored| scored.is_kept);
        let step = trail.add(candidate.clone(), weight, from);
        self.weigher.timed(|weigher| {
            weigher.explore(&candidate);
            if is_kept {
                trail.visit_way(step, |candidate, weight| {
                    if weight > 0.0 {
                        weigher.exploit(candidate, weight);
                    }
                });
            }
        });
        Ok(OpenClause::new(candidate, outcome).map(|open| (open, step)))
    }

    fn f1(&self, candidate: &Candidate, scored: Scored) -> Option<f64> {
        Score::F1.of(scored.counts, self.evaluations.totals(), candidate.n_literals())
    }
}

/// The clauses evaluated from one start, each with the one whose neighbour it is.
#[derive(Debug, Default)]
struct Trail(Vec<Step>);

#[derive(Debug)]
struct Step {
    candidate: Candidate,
    weight: f64,
    from: Option<usize>,
    is_worth: bool,
}

impl Trail {
    /// Adds a clause with its weight and the step from which it was reached; returns its own step.
    pub(super) fn add(&mut self, candidate: Candidate, weight: f64, from: Option<usize>) -> usize {
        self.0.push(Step { candidate, weight, from, is_worth: false });
        self.0.len() - 1
    }

    /// Visits the clauses on the way to a step, from its end to the start, except those visited before.
    fn visit_way(&mut self, step: usize, mut visit: impl FnMut(&Candidate, f64)) {
        let mut next = Some(step);
        while let Some(at) = next {
            let step = &mut self.0[at];
            // If this clause was visited before, so was the rest of the way back to the start.
            if std::mem::replace(&mut step.is_worth, true) {
                return;
            }
            visit(&step.candidate, step.weight);
            next = step.from;
        }
    }
}
