//! Why an example has its score: what each round adds to it.

use std::collections::BTreeSet;

use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::learn::Covers;
use crate::program::Clause;

use super::model::{BoostModel, Round, Rule};

/// What one round adds to an example's score.
#[derive(Clone, Copy, Debug)]
pub struct Share<'m> {
    /// The round's position in the model, from 0.
    pub round_idx: usize,
    /// The round.
    pub round: &'m Round,
    /// The rule that speaks for the example: the last of the round's that covers it.
    pub rule: &'m Rule,
    /// `alpha * h`, above 0.
    pub product: f64,
    /// The product over the score, in `(0, 1]`.
    pub share: f64,
}

impl BoostModel {
    /// What each round adds to the score of the example at a position of `covers`' universe, in the order of the
    /// rounds; rounds that add nothing are left out. In this order the products sum to the score of
    /// [`BoostModel::score`], to the bit; the shares sum to 1, but for rounding.
    ///
    /// **Cost**: the covers of the distinct rules on the universe, of which one example is used: make it of that
    /// example alone.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn shares(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Vec<Share<'_>>, Interrupted> {
        let covering = self.covering(covers, position, budget)?;
        let mut shares: Vec<Share<'_>> = Vec::new();
        for (round_idx, round) in self.rounds.iter().enumerate() {
            let Some(rule) = round.speaker(|rule| covering.contains(&rule.clause)) else { continue };
            let product = round.alpha * rule.value;
            if product > 0.0 {
                shares.push(Share { round_idx, round, rule, product, share: 0.0 });
            }
        }
        let score: f64 = shares.iter().map(|share| share.product).sum();
        shares.iter_mut().for_each(|share| share.share = share.product / score);
        Ok(shares)
    }

    /// The rules that cover the example.
    fn covering(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<BTreeSet<&Clause>, Interrupted> {
        let clauses: BTreeSet<&Clause> = self.clauses().collect();
        let clauses: Vec<&Clause> = clauses.into_iter().collect();
        let mut covering = BTreeSet::new();
        covers.visit(&clauses, budget, |first, block| {
            let covered = block.iter().zip(&clauses[first..]).filter(|(cover, _)| cover.contains(position));
            covering.extend(covered.map(|(_, clause)| *clause));
        })?;
        Ok(covering)
    }
}
