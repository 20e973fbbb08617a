//! The members that searches found, and the boosting that tells what they leave unexplained.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::confirm::{Confirmed, Confirming, split_on};
use super::loss::Loss;
use super::members::{Member, Searched};
use super::search::handicap;
use super::split::{Gradients, Split, Subset};
use super::{MOST_OF_SEARCH, search};

/// The most members of the same conditions that are found.
const MOST_ALIKE: usize = 2;

/// So many of the best thresholds have regions that are searched.
const MOST_REGIONS: usize = 4;

/// Rounds of boosting that choose among all members.
const N_LAST_ROUNDS: usize = 40;

/// The least gain of a threshold in boosting.
const LEAST_OF_SPLIT: f64 = 1.0;

/// The share of a leaf's step that is taken.
const SHRINKAGE: f64 = 0.3;

/// The members found so far.
pub(super) struct Pool<'a, 't> {
    pub searched: &'a [Searched<'t>],
    pub loss: &'a Loss<'a>,
    pub members: Vec<Confirmed>,
    /// How many searches there were.
    pub n_searches: usize,
}

impl Pool<'_, '_> {
    /// Adds members that one half proposes and the other confirms by such a gain; gives their number.
    pub(super) fn search(&mut self, gradients: &Gradients, half: u8, least: f64) -> usize {
        let subset = [Subset::Half(half), Subset::Half(1 - half)];
        let confirming = Confirming { searched: self.searched, gradients, subset };
        let mut n_added = 0;
        // Both halves propose of the same conditions.
        let turn = self.n_searches / 2;
        self.n_searches += 1;
        for (gain, member) in search(confirming, turn) {
            if n_added == MOST_OF_SEARCH || gain < least {
                break;
            }
            if !self.is_new(&member) {
                continue;
            }
            let found = confirming.refined(member);
            if self.is_new(&found.member) {
                self.members.push(found);
                n_added += 1;
            }
        }
        n_added
    }

    /// Whether a member is none of those known, nor one more of the same conditions.
    fn is_new(&self, member: &Member) -> bool {
        let alike = self.members.iter().map(|known| &known.member).filter(|known| {
            known.table == member.table
                && known.conditions == member.conditions
                && known.family.counted == member.family.counted
        });
        alike.clone().count() < MOST_ALIKE && alike.clone().all(|known| known != member)
    }

    /// The members that boosting takes by the one half or the other. Trees have one threshold, or with the depth 2 one more on each
    /// side.
    pub(super) fn used(&self, depth: usize) -> BTreeSet<usize> {
        let by_half = |half: u8| {
            let mut scores = vec![self.loss.first_score(); self.loss.n_examples()];
            self.boost(half, N_LAST_ROUNDS, depth, &mut scores)
        };
        [0, 1].into_iter().flat_map(by_half).collect()
    }

    /// Adds trees over the members' values to the scores, by the examples of one half. Gives the members of the trees.
    pub(super) fn boost(
        &self,
        half: u8,
        n_rounds: usize,
        depth: usize,
        scores: &mut [f64],
    ) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        for _ in 0..n_rounds {
            let gradients = self.loss.gradients(scores);
            let Some((root, split)) = self.best_split(&gradients, half) else { break };
            used.insert(root);
            for passes in [true, false] {
                let is_in = |example: usize| split.passes(self.members[root].values[example]) == passes;
                let further = (depth > 1).then(|| self.best_split(&gradients.within(&is_in), half));
                let (at, split) = further.flatten().unwrap_or((root, split));
                used.insert(at);
                let of_side = scores.iter_mut().enumerate().filter(|(example, _)| is_in(*example));
                of_side.for_each(|(example, score)| {
                    *score += SHRINKAGE * split.step(self.members[at].values[example]);
                });
            }
        }
        used
    }

    /// The best threshold of any member, with its number. Of members that tell the same, the plainest is taken.
    fn best_split(&self, gradients: &Gradients, half: u8) -> Option<(usize, Split)> {
        let split = |found: &Confirmed| {
            let split = split_on(&found.values, gradients, Subset::Half(half));
            (split.gain - handicap(found.member.family), split)
        };
        let splits: Vec<(f64, Split)> = self.members.par_iter().map(split).collect();
        let best =
            splits.into_iter().enumerate().reduce(|best, next| if next.1.0 > best.1.0 { next } else { best });
        best.filter(|(_, (gain, _))| *gain > LEAST_OF_SPLIT).map(|(at, (_, split))| (at, split))
    }

    /// The examples on one side of each of the best thresholds: what matters there alone is searched for there. It is the side that is
    /// further from the mean.
    pub(super) fn regions(&self) -> Vec<Vec<bool>> {
        let gradients = self.loss.gradients(&vec![self.loss.first_score(); self.loss.n_examples()]);
        let region = |found: &Confirmed| {
            let split = split_on(&found.values, &gradients, Subset::All);
            let is_in = |value: &f64| split.passes(*value) == split.is_rarer_passing();
            (split.gain, found.values.iter().map(is_in).collect())
        };
        let mut all: Vec<(f64, Vec<bool>)> = self.members.par_iter().map(region).collect();
        all.sort_by(|left, right| right.0.total_cmp(&left.0));
        all.truncate(MOST_REGIONS);
        all.into_iter().map(|(_, is_in)| is_in).collect()
    }
}
