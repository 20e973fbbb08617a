//! Why an example has its score: the decision that gives it, and how the clauses vote.

use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::learn::Covers;

use super::model::GleanerModel;
use super::theory::TheoryClause;

/// How the clauses of one theory vote on an example.
#[derive(Clone, Debug)]
pub struct Ballot<'m> {
    /// The decision that gives the score, by its position: of those that cover the example the first of the
    /// highest precision; `None` where none covers it, and the score is 0.
    pub best: Option<usize>,
    /// The theory, from 1: that of the decision that gives the score, else that of the operating decision.
    pub theory_bin: usize,
    /// The votes for the example.
    pub votes: f64,
    /// `K`: the most votes that the theory can give.
    pub greatest: f64,
    /// The clauses that vote for it, in the theory's order.
    pub voters: Vec<Voter<'m>>,
    /// Clauses of the theory.
    pub n_clauses: usize,
    /// Those of them that cover the example.
    pub n_covering: usize,
    /// The votes for the example of the operating decision's theory; `None` where no decision classifies.
    pub deciding_votes: Option<f64>,
}

/// A clause that votes for an example.
#[derive(Clone, Copy, Debug)]
pub struct Voter<'m> {
    /// The clause.
    pub clause: &'m TheoryClause,
    /// Whether it covers the example. A clause with a weight below 0 votes for what it does not cover.
    pub covers: bool,
    /// Its votes, above 0.
    pub votes: f64,
    /// Its votes over those that the example got, in `(0, 1]`.
    pub share: f64,
}

impl GleanerModel {
    /// How the model comes to the score of the example at a position of `covers`' universe; `None` where it has no
    /// decision.
    ///
    /// **Cost**: the covers of the theories that decisions use, twice of the one that is shown.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn ballot(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Option<Ballot<'_>>, Interrupted> {
        let mut votes_of = vec![None; self.theories.len()];
        let mut best: Option<(usize, f64)> = None;
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let known = &mut votes_of[decision.theory_bin - 1];
            if known.is_none() {
                *known = Some(self.votes(&self.theories[decision.theory_bin - 1], covers, budget)?);
            }
            let is_covered =
                known.as_ref().is_some_and(|votes| votes.at_least(decision.threshold).contains(position));
            let precision = decision.chosen_precision(self.rule.tune.negative_weight).unwrap_or(0.0);
            if is_covered && best.is_none_or(|(_, highest)| precision > highest) {
                best = Some((decision_idx, precision));
            }
        }
        let best = best.map(|(decision_idx, _)| decision_idx);
        let Some(shown) = best.or(self.operating_decision).or(self.decisions.len().checked_sub(1)) else {
            return Ok(None);
        };
        let theory_bin = self.decisions[shown].theory_bin;
        let at = |theory_bin: usize| {
            let votes = votes_of[theory_bin - 1].as_ref();
            votes.map_or((0.0, 0.0), |votes| (votes.at(position), votes.greatest()))
        };
        let (votes, greatest) = at(theory_bin);
        let (voters, n_covering) = self.voters(theory_bin, votes, covers, position, budget)?;
        let operating = self.operating_decision.map(|decision_idx| &self.decisions[decision_idx]);
        Ok(Some(Ballot {
            best,
            theory_bin,
            votes,
            greatest,
            voters,
            n_clauses: self.theories[theory_bin - 1].clauses.len(),
            n_covering,
            deciding_votes: operating.map(|decision| at(decision.theory_bin).0),
        }))
    }

    /// The clauses of a theory that vote for the example, which has so many votes, and how many cover it.
    fn voters(
        &self,
        theory_bin: usize,
        votes: f64,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<(Vec<Voter<'_>>, usize), Interrupted> {
        let theory = &self.theories[theory_bin - 1];
        let weights = theory.weights(&self.rule);
        let (mut voters, mut n_covering) = (Vec::new(), 0);
        covers.visit(&theory.all_clauses(), budget, |first, block| {
            for (clause_idx, cover) in (first..).zip(block) {
                let (weight, covers) = (weights[clause_idx], cover.contains(position));
                n_covering += usize::from(covers);
                if weight != 0.0 && covers == (weight > 0.0) {
                    let clause = &theory.clauses[clause_idx];
                    voters.push(Voter { clause, covers, votes: weight.abs(), share: weight.abs() / votes });
                }
            }
        })?;
        Ok((voters, n_covering))
    }

    /// The highest score that an example can have: the highest precision of a decision, on the examples it was
    /// chosen on.
    #[must_use]
    pub fn greatest_score(&self) -> f64 {
        let precisions = self
            .decisions
            .iter()
            .filter_map(|decision| decision.chosen_precision(self.rule.tune.negative_weight));
        precisions.fold(0.0, f64::max)
    }
}
