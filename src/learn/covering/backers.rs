//! Why an example has its score: the clauses that cover it, and what each adds.

use std::collections::BTreeSet;

use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::learn::Covers;

use super::model::{CoveringModel, Member};
use super::weights::Scorer;

/// A clause that covers an example.
#[derive(Clone, Copy, Debug)]
pub struct Backer<'m> {
    /// The clause.
    pub member: &'m Member,
    /// Theories that hold the clause.
    pub n_theories: usize,
    /// Its value, where the scorer sums values or takes the greatest.
    pub value: Option<f64>,
    /// Its value over the score, where the scorer sums values and the sum is above 0.
    pub share: Option<f64>,
}

/// What backs an example.
#[derive(Clone, Debug)]
pub struct Backing<'m> {
    /// The clauses that cover it, each distinct one once, in the order they were added.
    pub backers: Vec<Backer<'m>>,
    /// Theories of which some clause covers it.
    pub n_theories: usize,
}

impl CoveringModel {
    /// The clauses that cover the example at a position of `covers`' universe. Of a scorer that sums, their values
    /// sum to the score and their shares to 1, but for rounding.
    ///
    /// **Cost**: the covers of the distinct clauses on the universe, of which one example is used.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn backing(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Backing<'_>, Interrupted> {
        let mut covering: BTreeSet<usize> = BTreeSet::new();
        self.visit(covers, budget, |at, cover| {
            if cover.contains(position) {
                covering.insert(at);
            }
        })?;
        let members: Vec<(usize, &Member)> = (self.theories.iter().enumerate())
            .flat_map(|(theory_idx, theory)| theory.iter().map(move |member| (theory_idx, member)))
            .collect();
        let theories: BTreeSet<usize> = covering.iter().map(|&at| members[at].0).collect();
        let sum: f64 = covering.iter().filter_map(|&at| self.scorer.value(at)).sum();
        let is_sum = matches!(self.scorer, Scorer::Sum(_)) && sum > 0.0;
        let mut backers: Vec<Backer<'_>> = Vec::new();
        for &at in &covering {
            let member = members[at].1;
            match backers.iter_mut().find(|known| known.member.clause == member.clause) {
                // Only ensembles have a clause in several theories, and these have no values.
                Some(known) => known.n_theories += 1,
                None => {
                    let value = self.scorer.value(at);
                    let share = value.filter(|_| is_sum).map(|value| value / sum);
                    backers.push(Backer { member, n_theories: 1, value, share });
                }
            }
        }
        Ok(Backing { backers, n_theories: theories.len() })
    }
}
