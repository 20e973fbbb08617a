//! The numbers of a candidate's open thresholds: for each the best over all values.
//!
//! A candidate is a set of literals, some of them open. Its clause has for each of these the number that the search's
//! score likes best. One evaluation finds the extreme number of each covered example, and a sweep over these gives the
//! counts of all thresholds. The seed's own value bounds them, so that each clause still covers its seed. A round number
//! takes the place of the best where both cover the same examples.
//!
//! Several open thresholds are swept in turn, twice over: each with the others at the best known so far, or not there.
//!
//! DIVERGENCE: a range is two thresholds on one variable, `V >= c1, V =< c2`, which every Prolog reads; there is no literal
//! `V in c1..c2`.

use crate::bias::{BottomClause, Candidate};
use crate::coverage::component::{Extreme, Extremes, Interrupted, keep_quantiles};
use gleaner_base::{ConstantId, Counts, Totals};
use gleaner_lang::program::{Threshold, Thresholds};

use super::evaluations::{Counted, Counting, Evaluations, Swept};
use super::{ClauseScore, Score, SearchLimits};

/// Rounds over several open thresholds.
const N_ROUNDS: usize = 2;

/// Sums over the examples that a threshold lets pass.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    positives: usize,
    negatives: usize,
    emphasised: usize,
}

impl Tally {
    const fn add(&mut self, other: &Self) {
        self.positives += other.positives;
        self.negatives += other.negatives;
        self.emphasised += other.emphasised;
    }
}

/// A threshold with the counts of the clause that has it.
type Step = (ConstantId, Counted);

impl Evaluations<'_, '_> {
    /// The positions of the open thresholds of a candidate.
    pub(super) fn open_positions(&self, candidate: &Candidate) -> Vec<u16> {
        let bottom = self.space().bottom();
        candidate.positions().iter().copied().filter(|&at| bottom.open_threshold(at).is_some()).collect()
    }

    /// Gives the open thresholds of a candidate their numbers. `None`: no number leaves enough positives, or there are
    /// too many fixed thresholds already.
    pub(super) fn sweep(
        &mut self,
        candidate: &Candidate,
        open: &[u16],
    ) -> Result<Option<Swept>, Interrupted> {
        let bottom = self.space().bottom();
        let others = candidate.positions().iter().copied().filter(|position| !open.contains(position));
        let mut current = Candidate::new(others.collect());
        let mut most = None;
        let n_rounds = if open.len() > 1 { N_ROUNDS } else { 1 };
        let mut last = None;
        let mut n_unchanged = 0;
        for &position in std::iter::repeat_n(open, n_rounds).flatten() {
            // The last of the others that changed was swept with all others as they are now.
            if n_unchanged + 1 == open.len() && n_rounds > 1 {
                break;
            }
            let rest = current.positions().iter().copied();
            let rest = rest.filter(|&known| bottom.thresholds.in_bottom(known) != position);
            let rest = Candidate::new(rest.collect());
            let Some((extremes, mut steps)) = self.steps(bottom, &rest, position)? else { return Ok(None) };
            most = most.or_else(|| steps.last().map(|(_, (_, scored))| *scored));
            if rises(&self.limits.score) {
                keep_corners(&mut steps);
            }
            let is_free = |(constant, _): &Step| bottom.thresholds.can_fix(position, *constant);
            let Some(best) = self.best(&steps, is_free, candidate.n_literals()) else { return Ok(None) };
            let constant = self.engine.rounded(&extremes, steps[best].0);
            let Some(with) = bottom.with_threshold(&rest, position, constant) else { return Ok(None) };
            n_unchanged = if with == current { n_unchanged + 1 } else { 0 };
            current = with;
            last = Some(steps[best].1);
        }
        Ok(last.zip(most).map(|(counted, most)| Swept { candidate: current, counted, most }))
    }

    /// The thresholds of an open literal beside a body that the seed passes and that leave enough positives. The one that
    /// fewest examples pass comes first. With them come the numbers of the examples that the body covers.
    fn steps(
        &mut self,
        bottom: &BottomClause,
        rest: &Candidate,
        position: u16,
    ) -> Result<Option<(Extremes, Vec<Step>)>, Interrupted> {
        let Some(Threshold { variable, constant, is_least }) = bottom.open_threshold(position) else {
            return Ok(None);
        };
        let extreme = if is_least { Extreme::Greatest } else { Extreme::Least };
        let extremes = self.engine.extremes(rest.positions(), variable, extreme)?;
        let universe = self.universe;
        let remaining = match self.counting {
            Counting::Remaining { positives, n_positives } if n_positives != universe.n_positives() => {
                Some(positives)
            }
            _ => None,
        };
        let tally = |at: usize| {
            if universe.is_positive(at) {
                let counts = remaining.is_none_or(|positives| positives.contains(at));
                return Tally { positives: usize::from(counts), ..Tally::default() };
            }
            let is_emphasised =
                matches!(self.counting, Counting::Emphasised { negatives, .. } if negatives.contains(at));
            Tally { positives: 0, negatives: 1, emphasised: usize::from(is_emphasised) }
        };
        let is_exact = bottom.thresholds.source() == Thresholds::Exact;
        let mut sums = self.engine.sums_from((constant, is_exact), &extremes, tally, Tally::add);
        if !is_exact {
            keep_quantiles(&mut sums, |tally| tally.positives);
        }
        self.funnel.thresholds += sums.len() as u64;
        let times = if let Counting::Emphasised { times, .. } = self.counting { times } else { 1 };
        let step = |(threshold, tally): (ConstantId, Tally)| {
            let counts = Counts { true_positives: tally.positives, false_positives: tally.negatives };
            let false_positives = tally.negatives + (times - 1) * tally.emphasised;
            (threshold, (counts, Counts { false_positives, ..counts }))
        };
        let min_positives = self.limits.min_positives;
        let is_wanted = |(_, (counts, _)): &Step| counts.true_positives >= min_positives;
        let steps = sums.into_iter().map(step).filter(is_wanted).collect();
        Ok(Some((extremes, steps)))
    }

    /// The best of some thresholds: one that makes the clause acceptable, of the highest score, that most examples pass.
    fn best(&self, steps: &[Step], is_free: impl Fn(&Step) -> bool, n_literals: usize) -> Option<usize> {
        let value = |&(_, (counts, scored)): &Step| {
            let score = self.limits.score.of(scored, self.totals, n_literals);
            (is_acceptable(&self.limits, counts, self.totals), score.unwrap_or(f64::NEG_INFINITY))
        };
        let mut best: Option<(usize, (bool, f64))> = None;
        for (at, step) in steps.iter().enumerate() {
            let value = value(step);
            if best.is_none_or(|(_, best)| value >= best) && is_free(step) {
                best = Some((at, value));
            }
        }
        best.map(|(at, _)| at)
    }
}

/// Whether a score rises with the positives and falls with the negatives. FOIL's gain does so above the prior alone.
const fn rises(score: &Score) -> bool {
    !matches!(score, Score::FoilGain | Score::InformationGain | Score::Entropy | Score::Custom(_))
}

/// Leaves out each threshold that the next or the one before is never worse than: the next covers only more positives,
/// or the one before only fewer negatives. So it is for scores that rise with the positives and fall with the negatives.
fn keep_corners(steps: &mut Vec<Step>) {
    let counts: Vec<Counts> = steps.iter().map(|&(_, (counts, _))| counts).collect();
    let mut at = 0..;
    steps.retain(|_| {
        let Some(at) = at.next() else { return false };
        let Counts { true_positives, false_positives } = counts[at];
        let next_is_better = counts.get(at + 1).is_some_and(|next| next.false_positives == false_positives);
        let before_is_better = at.checked_sub(1).is_some_and(|before| {
            counts[before].true_positives == true_positives
                && counts[before].false_positives < false_positives
        });
        !next_is_better && !before_is_better
    });
}

/// Whether a clause of these counts is acceptable, if it covers enough positives.
fn is_acceptable(limits: &SearchLimits, counts: Counts, totals: Totals) -> bool {
    let weight = totals.negative_weight;
    counts.precision(weight).is_some_and(|precision| precision >= limits.min_precision)
        && limits.allows(counts, weight)
}
