//! Searches that start from random clauses.
//!
//! Stochastic clause selection (SCS) makes no local moves [GLEANER §3.1.1]. Rapid random restarts (RRR) search
//! best-first around each start [GLEANER §3.1.1; Železný, Srinivasan, Page 2003]. Hill climbing takes the best
//! neighbour, as long as it is better. GSAT and WalkSAT make random moves that improve, and now and then one that
//! does not [GLEANER §3.1.1].
//!
//! Random clauses: the draw of a length, and of a clause of that length. [GLEANER §3.1.1]

use std::collections::BinaryHeap;

use rand::RngExt;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand_pcg::Pcg64;

use crate::bias::{Candidate, RefinementSpace};
use gleaner_base::budget::Poll;
use gleaner_base::{Budget, FixedMap, StopReason, real_number};
use gleaner_lang::program::settings::{Form, Refusal, SettingType};

use super::top_down::OpenClause;
use super::{Evaluations, Outcome, Strategy};

/// Draws a clause, and starts again.
#[derive(Clone, Debug, Default)]
pub struct StochasticClauseSelection {
    /// How clauses are drawn.
    pub lengths: Lengths,
}

impl Strategy for StochasticClauseSelection {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        loop {
            if let Err(reason) = draw.draw_new(evaluations, rng) {
                return reason;
            }
        }
    }
}

/// Starts as stochastic clause selection does. Then it expands the best open clause, evaluating all its neighbours,
/// until `restart_evaluations` clauses were evaluated or none is open. Then it starts anew.
///
/// A clause below the minimum positives has no acceptable specialisation: only the candidates with
/// literals removed are its neighbours.
#[derive(Clone, Debug)]
pub struct RapidRandomRestart {
    /// How the clauses to start from are drawn.
    pub lengths: Lengths,
    /// Evaluations from one start; this limit may cut the last expansion short.
    pub restart_evaluations: u64,
}

impl Strategy for RapidRandomRestart {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        loop {
            if let Err(reason) = self.run_once(evaluations, &draw, rng) {
                return reason;
            }
        }
    }
}

impl RapidRandomRestart {
    fn run_once(
        &self,
        evaluations: &mut Evaluations<'_, '_>,
        draw: &ClauseDraw,
        rng: &mut Pcg64,
    ) -> Result<(), StopReason> {
        let end = evaluations.n_evaluated().saturating_add(self.restart_evaluations);
        evaluations.begin_start();
        let (start, outcome) = draw.draw_new(evaluations, rng)?;
        let mut open = BinaryHeap::new();
        open.extend(OpenClause::new(start, outcome));
        while let Some(best) = open.pop() {
            for neighbour in best.neighbours(evaluations.space()) {
                if evaluations.n_evaluated() >= end {
                    return Ok(());
                }
                match evaluations.evaluate(&neighbour) {
                    Outcome::Stop(reason) => return Err(reason),
                    outcome => open.extend(OpenClause::new(neighbour, outcome)),
                }
            }
        }
        Ok(())
    }
}

/// Climbs from the most general clause, then from random ones. Each climb goes to the best of all neighbours, until no
/// neighbour improves.
#[derive(Clone, Debug, Default)]
pub struct HillClimbing {
    /// How the clauses after the first are drawn.
    pub lengths: Lengths,
}

impl Strategy for HillClimbing {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        let mut known = Known::default();
        let mut start = Ok(OpenClause::most_general());
        evaluations.begin_start();
        loop {
            let climbed = start.and_then(|start| climb(start, evaluations, &mut known));
            if let Err(reason) = climbed {
                return reason;
            }
            evaluations.begin_start();
            start = known.draw(evaluations, &draw, rng);
        }
    }
}

fn climb(
    mut current: OpenClause,
    evaluations: &mut Evaluations<'_, '_>,
    known: &mut Known,
) -> Result<(), StopReason> {
    loop {
        let mut best: Option<OpenClause> = None;
        for neighbour in current.neighbours(evaluations.space()) {
            let neighbour = known.evaluate(evaluations, neighbour)?;
            if best.as_ref().is_none_or(|best| neighbour > *best) {
                best = Some(neighbour);
            }
        }
        match best {
            Some(best) if best.score > current.score => current = best,
            _ => return Ok(()),
        }
    }
}

/// Starts as stochastic clause selection does. Then it adds or removes a random literal, and keeps the move if the
/// score improves. After `restart_moves` moves it starts anew.
#[derive(Clone, Debug)]
pub struct LocalMoves {
    /// How the clauses to start from are drawn.
    pub lengths: Lengths,
    /// Moves considered from one start.
    pub restart_moves: u64,
    /// The probability that a move is taken though it does not improve: 0 is GSAT, above 0 WalkSAT.
    pub walk: f64,
}

impl Strategy for LocalMoves {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let draw = match ClauseDraw::within(&self.lengths, evaluations.space(), evaluations.budget()) {
            Ok(draw) => draw,
            Err(reason) => return reason,
        };
        let mut known = Known::default();
        loop {
            if let Err(reason) = self.run_once(evaluations, &draw, &mut known, rng) {
                return reason;
            }
        }
    }
}

impl LocalMoves {
    fn run_once(
        &self,
        evaluations: &mut Evaluations<'_, '_>,
        draw: &ClauseDraw,
        known: &mut Known,
        rng: &mut Pcg64,
    ) -> Result<(), StopReason> {
        evaluations.begin_start();
        let mut current = known.draw(evaluations, draw, rng)?;
        for _ in 0..self.restart_moves {
            let neighbours = current.neighbours(evaluations.space());
            if neighbours.is_empty() {
                break;
            }
            let neighbour = neighbours[rng.random_range(0..neighbours.len())].clone();
            let next = known.evaluate(evaluations, neighbour)?;
            // The draw is made for every move, so that GSAT is WalkSAT with probability 0.
            let walks = rng.random::<f64>() < self.walk;
            if next.score > current.score || walks {
                current = next;
            }
        }
        Ok(())
    }
}

/// The scores of the clauses evaluated so far: a search by moves meets the same clauses again.
#[derive(Debug, Default)]
pub(super) struct Known(FixedMap<Candidate, (f64, bool)>);

impl Known {
    fn remember(&mut self, candidate: Candidate, outcome: Outcome) -> OpenClause {
        let open = OpenClause::new(candidate.clone(), outcome);
        let open = open.unwrap_or(OpenClause { score: f64::NEG_INFINITY, may_grow: false, candidate });
        self.0.insert(open.candidate.clone(), (open.score, open.may_grow));
        open
    }

    /// Evaluates a clause, or remembers it.
    pub(super) fn evaluate(
        &mut self,
        evaluations: &mut Evaluations<'_, '_>,
        candidate: Candidate,
    ) -> Result<OpenClause, StopReason> {
        match evaluations.evaluate(&candidate) {
            Outcome::Stop(reason) => Err(reason),
            Outcome::Repeated => {
                let known = self.0.get(&candidate);
                let &(score, may_grow) = known.unwrap_or(&(f64::NEG_INFINITY, true));
                Ok(OpenClause { score, may_grow, candidate })
            }
            outcome => Ok(self.remember(candidate, outcome)),
        }
    }

    /// Draws a new clause.
    pub(super) fn draw(
        &mut self,
        evaluations: &mut Evaluations<'_, '_>,
        draw: &ClauseDraw,
        rng: &mut Pcg64,
    ) -> Result<OpenClause, StopReason> {
        let (candidate, outcome) = draw.draw_new(evaluations, rng)?;
        Ok(self.remember(candidate, outcome))
    }
}

/// Draws in a row that may all repeat known candidates before the space counts as exhausted.
pub(super) const MAX_IDLE_DRAWS: u32 = 2_000;

/// The most candidates that are listed for draws: a tenth of a second for each bottom clause.
const MAX_LISTED: usize = 50_000;

/// How a search draws the clauses from which it starts.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Lengths {
    /// All lengths up to the limit are equally likely. A clause then grows literal by literal, each drawn uniformly
    /// from the legal ones (pseudo-uniform, [Železný 2003]).
    #[default]
    Uniform,
    /// The length is drawn by these weights of 1, 2, ... body literals; the clause then grows in the same way.
    Weighted(Vec<f64>),
    /// All candidates of the space are equally likely; they are listed first. Draws from a space of more than
    /// `MAX_LISTED` candidates are as under `Uniform`.
    Exact,
}

impl SettingType for Lengths {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted(_: &()) -> String {
        "uniform, exact, or weights separated by commas, as 4,2,1".to_owned()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        if text == "uniform" {
            return Ok(Self::Uniform);
        }
        if text == "exact" {
            return Ok(Self::Exact);
        }
        let weights: Option<Vec<f64>> = text.split(',').map(|part| real_number(part.trim())).collect();
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        // The shortest clauses are the only ones that every space has.
        let is_distribution = |weights: &Vec<f64>| {
            weights.iter().sum::<f64>().is_finite()
                && weights.iter().all(is_weight)
                && weights.first().is_some_and(|&first| first > 0.0)
        };
        weights.filter(is_distribution).map(Self::Weighted).ok_or(Refusal::NotAccepted)
    }
}

/// Draws candidates of one space.
#[derive(Debug)]
pub struct ClauseDraw {
    lengths: Option<WeightedIndex<f64>>,
    listed: Vec<Candidate>,
    max_body: usize,
}

impl ClauseDraw {
    /// Draws from a space; `None` when it has no candidate, or the weights allow none.
    pub fn new(lengths: &Lengths, space: &RefinementSpace<'_>) -> Option<Self> {
        Self::within(lengths, space, &Budget::unlimited()).ok()
    }

    /// As `new`, within a budget.
    ///
    /// # Errors
    ///
    /// Why a search must end: the space has no candidate that can be drawn, or an outer stop.
    pub fn within(
        lengths: &Lengths,
        space: &RefinementSpace<'_>,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let max_body = space.max_literals().saturating_sub(1);
        if max_body == 0 || space.bottom().literals.is_empty() {
            return Err(StopReason::SpaceExhausted);
        }
        let mut draw = Self { lengths: None, listed: Vec::new(), max_body };
        match lengths {
            Lengths::Uniform => {}
            Lengths::Weighted(weights) => {
                let weights = WeightedIndex::new(weights.iter().take(max_body));
                draw.lengths = Some(weights.map_err(|_| StopReason::SpaceExhausted)?);
            }
            Lengths::Exact => draw.listed = list_within(space, MAX_LISTED, budget)?.unwrap_or_default(),
        }
        Ok(draw)
    }

    /// Draws one candidate. It has the drawn length, or is shorter where no further literal was legal.
    pub fn draw(&self, space: &RefinementSpace<'_>, rng: &mut Pcg64) -> Candidate {
        if !self.listed.is_empty() {
            return self.listed[rng.random_range(0..self.listed.len())].clone();
        }
        let n_body = match &self.lengths {
            Some(lengths) => lengths.sample(rng) + 1,
            None => rng.random_range(1..=self.max_body),
        };
        space.draw(n_body, rng)
    }

    /// Draws and evaluates candidates until one is new.
    ///
    /// # Errors
    ///
    /// Why the search must end: a limit, or so many draws in a row were known that the space counts as
    /// exhausted.
    fn draw_new(
        &self,
        evaluations: &mut Evaluations<'_, '_>,
        rng: &mut Pcg64,
    ) -> Result<(Candidate, Outcome), StopReason> {
        for _ in 0..MAX_IDLE_DRAWS {
            let candidate = self.draw(evaluations.space(), rng);
            match evaluations.evaluate(&candidate) {
                Outcome::Repeated => {}
                Outcome::Stop(reason) => return Err(reason),
                outcome => return Ok((candidate, outcome)),
            }
        }
        Err(StopReason::SpaceExhausted)
    }
}

/// All legal candidates with at least one body literal, by length and then canonically; `None` where
/// there are more than `limit`.
pub fn list(space: &RefinementSpace<'_>, limit: usize) -> Option<Vec<Candidate>> {
    list_within(space, limit, &Budget::unlimited()).ok().flatten()
}

/// Candidates refined between looks at the budget, while they are listed.
const CANDIDATES_BETWEEN_LOOKS: u32 = 16;

/// As `list`, within a budget.
///
/// # Errors
///
/// The outer stop.
pub fn list_within(
    space: &RefinementSpace<'_>,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Vec<Candidate>>, StopReason> {
    let mut poll = Poll::new(budget, CANDIDATES_BETWEEN_LOOKS);
    let mut all: Vec<Candidate> = Vec::new();
    let mut level = vec![Candidate::default()];
    while !level.is_empty() {
        let mut next: Vec<Candidate> = Vec::new();
        for candidate in &level {
            poll.step()?;
            next.extend(space.additions(candidate));
            // Each candidate is met at most once for each of its literals.
            if all.len() + next.len() / space.max_literals() > limit {
                return Ok(None);
            }
        }
        next.sort_unstable();
        next.dedup();
        all.extend(next.iter().cloned());
        level = next;
    }
    Ok((all.len() <= limit).then_some(all))
}
