//! The model: theories and chosen decisions; what it says of examples.

use crate::base::{Budget, ExampleSet};
use crate::coverage::Counts;
use crate::coverage::component::Interrupted;
use crate::program::Clause;

use super::config::{Duplicates, GleanerConfig, VoteWeights};
use super::cover_cache::CoverCache;
use super::gather::Gathering;
use super::theory::{Theory, Votes};
use super::threshold::{Decision, choose, operating_decision};

/// A learned Gleaner model.
///
/// **Shape**: `theories[b - 1]` is bin `b`'s theory; decisions ascend by target bin.
#[derive(Clone, Debug, PartialEq)]
pub struct GleanerModel {
    /// The theories, by bin.
    pub theories: Vec<Theory>,
    /// The decisions chosen on tune.
    pub decisions: Vec<Decision>,
    /// The position of the decision that classifies.
    pub operating_decision: Option<usize>,
    /// Positives of the tune set, which the decisions' recall refers to.
    pub n_tune_positives: usize,
    /// What a vote weighs.
    pub votes: VoteWeights,
    /// What duplicates count.
    pub duplicates: Duplicates,
}

/// What a model says of the examples of one universe.
///
/// **Shape**: `scores` and `confidences` have one entry for each position of the universe.
#[derive(Clone, Debug)]
pub struct Scoring {
    /// The highest tune precision among the decisions that cover the example, else 0. Range 0 to 1.
    pub scores: Vec<f64>,
    /// The examples that the operating decision covers.
    pub decided: ExampleSet,
    /// Votes over `K` of the operating decision's theory. Range 0 to 1.
    pub confidences: Vec<f64>,
    /// Each decision's counts, in the order of the decisions.
    pub points: Vec<Counts>,
}

/// The model of one checkpoint of a gathering: theories from the bins, decisions from tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' tune covers were known.
pub fn learn_from(
    gathering: &Gathering,
    checkpoint_idx: usize,
    config: &GleanerConfig,
    tune: &mut CoverCache<'_>,
    budget: &Budget,
) -> Result<GleanerModel, Interrupted> {
    let mut theories: Vec<Theory> =
        (0..config.n_bins).map(|bin_idx| Theory::of_bin(gathering, checkpoint_idx, bin_idx)).collect();
    tune.find(all_clauses(&theories), budget)?;
    for theory in &mut theories {
        theory.clauses.retain(|clause| {
            tune.universe().counts(tune.cover(&clause.clause)).0 >= config.min_tune_positives
        });
    }
    let mut model = GleanerModel {
        theories,
        decisions: Vec::new(),
        operating_decision: None,
        n_tune_positives: tune.universe().n_positives(),
        votes: config.votes,
        duplicates: config.duplicates,
    };
    let curves: Vec<_> =
        model.theories.iter().map(|theory| model.votes_of(theory, tune).curve(tune.universe())).collect();
    model.decisions = choose(config.thresholds, &curves, model.n_tune_positives);
    model.operating_decision =
        operating_decision(config.operating_point, &model.decisions, model.n_tune_positives);
    Ok(model)
}

fn all_clauses(theories: &[Theory]) -> impl Iterator<Item = &Clause> {
    theories.iter().flat_map(|theory| &theory.clauses).map(|clause| &clause.clause)
}

impl GleanerModel {
    /// How many clauses the theories hold, each distinct one once.
    #[must_use]
    pub fn n_distinct_clauses(&self) -> usize {
        let mut clauses: Vec<&Clause> = all_clauses(&self.theories).collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses.len()
    }

    fn votes_of(&self, theory: &Theory, covers: &CoverCache<'_>) -> Votes {
        let sets: Vec<&ExampleSet> =
            theory.clauses.iter().map(|clause| covers.cover(&clause.clause)).collect();
        Votes::new(covers.universe(), &sets, &theory.weights(self.votes, self.duplicates))
    }

    /// What the model says of the examples of `covers`' universe. Only theories that a decision uses
    /// are evaluated.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn score(&self, covers: &mut CoverCache<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let used = self.decisions.iter().map(|decision| &self.theories[decision.theory_bin - 1]);
        let clauses: Vec<&Clause> =
            used.flat_map(|theory| theory.clauses.iter().map(|clause| &clause.clause)).collect();
        covers.find(clauses, budget)?;
        let universe = covers.universe();
        let mut scoring = Scoring {
            scores: vec![0.0; universe.len()],
            decided: ExampleSet::empty(universe.len()),
            confidences: vec![0.0; universe.len()],
            points: Vec::with_capacity(self.decisions.len()),
        };
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let votes = self.votes_of(&self.theories[decision.theory_bin - 1], covers);
            let covered = votes.at_least(decision.threshold);
            let (true_positives, false_positives) = universe.counts(&covered);
            scoring.points.push(Counts { true_positives, false_positives });
            let precision = decision.tune_precision().unwrap_or(0.0);
            for position in covered.iter() {
                scoring.scores[position] = scoring.scores[position].max(precision);
            }
            if self.operating_decision == Some(decision_idx) {
                for (position, _) in universe.iter() {
                    scoring.confidences[position] = votes.at(position) / votes.greatest();
                }
                scoring.decided = covered;
            }
        }
        Ok(scoring)
    }
}
