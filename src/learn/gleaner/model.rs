//! The model: theories and chosen decisions; what it says of examples.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::base::{Budget, ExampleSet};
use crate::coverage::component::Interrupted;
use crate::coverage::{Counts, Universe};
use crate::program::Clause;

use super::config::{Duplicates, GleanerConfig, TheoryRule, ThresholdSet, VoteWeights};
use super::cover_cache::CoverCache;
use super::gather::Gathering;
use super::theory::{GatheredTheory, Theory, Votes, curve_of};
use super::threshold::{Choice, Decision, choose, operating_decision};

/// A learned Gleaner model.
///
/// **Shape**: `theories[b - 1]` is bin `b`'s theory, or there is one theory of all bins' clauses;
/// decisions ascend by target bin.
#[derive(Clone, Debug, PartialEq)]
pub struct GleanerModel {
    /// The theories.
    pub theories: Vec<Theory>,
    /// The decisions.
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
    /// Of the decisions that cover the example the highest precision on the examples they were chosen
    /// on, else 0. Range 0 to 1.
    pub scores: Vec<f64>,
    /// The examples that the operating decision covers.
    pub decided: ExampleSet,
    /// Votes over `K` of the operating decision's theory. Range 0 to 1.
    pub confidences: Vec<f64>,
    /// Each decision's counts, in the order of the decisions.
    pub points: Vec<Counts>,
}

/// The model of one checkpoint of a gathering: theories from the bins, decisions from tune, or train
/// and tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' tune covers were known.
pub fn learn_from(
    gathering: &Gathering,
    checkpoint_idx: usize,
    config: &GleanerConfig,
    train: &Universe,
    tune: &mut CoverCache<'_>,
    budget: &Budget,
) -> Result<GleanerModel, Interrupted> {
    let of_bins = |bins| GatheredTheory::of_bins(gathering, checkpoint_idx, bins);
    let mut gathered: Vec<GatheredTheory<'_>> = match config.theories {
        TheoryRule::Bins => (0..config.n_bins).map(|bin_idx| of_bins(bin_idx..bin_idx + 1)).collect(),
        TheoryRule::Union => vec![of_bins(0..config.n_bins)],
    };
    tune.find(gathered.iter().flat_map(GatheredTheory::clauses), budget)?;
    for theory in &mut gathered {
        theory.retain(|clause| tune.universe().counts(tune.cover(clause)).0 >= config.min_tune_positives);
    }
    let (theories, coverages): (Vec<Theory>, Vec<Vec<&RoaringBitmap>>) =
        gathered.into_iter().map(GatheredTheory::into_parts).unzip();
    let mut model = GleanerModel {
        theories,
        decisions: Vec::new(),
        operating_decision: None,
        n_tune_positives: tune.universe().n_positives(),
        votes: config.votes,
        duplicates: config.duplicates,
    };
    let tune_votes: Vec<Votes> = model.theories.iter().map(|theory| model.votes_of(theory, tune)).collect();
    let (curves, n_positives): (Vec<_>, usize) = match config.threshold_set {
        ThresholdSet::Tune => {
            let curve = |votes: &Votes| votes.curve(tune.universe());
            (tune_votes.iter().map(curve).collect(), model.n_tune_positives)
        }
        ThresholdSet::TrainAndTune => {
            let curve = |((theory, coverages), votes): ((&Theory, &Vec<&RoaringBitmap>), &Votes)| {
                let positions = coverages.iter().map(|coverage| coverage.iter().map(|at| at as usize));
                let weights = theory.weights(config.votes, config.duplicates);
                let on_train = Votes::summed(train, positions, &weights);
                curve_of(on_train.ranked(train).chain(votes.ranked(tune.universe())).collect())
            };
            let curves = model.theories.iter().zip(&coverages).zip(&tune_votes).map(curve).collect();
            (curves, train.n_positives() + model.n_tune_positives)
        }
    };
    let decision = |choice: Choice| {
        let covered = tune_votes[choice.theory_idx].at_least(choice.threshold);
        let (true_positives, false_positives) = tune.universe().counts(&covered);
        Decision {
            target_bin: choice.target_bin,
            theory_bin: choice.theory_idx + 1,
            threshold: choice.threshold,
            chosen_on: choice.counts,
            tune: Counts { true_positives, false_positives },
        }
    };
    model.decisions = choose(config.thresholds, config.n_threshold_bins, &curves, n_positives)
        .into_iter()
        .map(decision)
        .collect();
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

    /// `K`: the most votes an example can have from the theory of a bin, or from the one theory.
    #[must_use]
    pub fn greatest_votes(&self, theory_bin: usize) -> f64 {
        self.theories[theory_bin - 1].weights(self.votes, self.duplicates).iter().sum()
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
        let mut votes_by_theory: BTreeMap<usize, Votes> = BTreeMap::new();
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let votes = votes_by_theory
                .entry(decision.theory_bin)
                .or_insert_with(|| self.votes_of(&self.theories[decision.theory_bin - 1], covers));
            let covered = votes.at_least(decision.threshold);
            let (true_positives, false_positives) = universe.counts(&covered);
            scoring.points.push(Counts { true_positives, false_positives });
            let precision = decision.chosen_precision().unwrap_or(0.0);
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
