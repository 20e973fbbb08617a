//! The model: theories and chosen decisions; what it says of examples.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::base::{Budget, ExampleSet, NegativeWeight};
use crate::coverage::Counts;
use crate::coverage::component::Interrupted;
use crate::program::Clause;

use super::config::{Duplicates, GleanerConfig, TheoryRule, ThresholdSet, VoteWeights};
use super::covers::Covers;
use super::gather::Gathering;
use super::theory::{Theory, Votes, curve_of};
use super::threshold::{Choice, Decision, ThresholdCurve, choose, operating_decision};

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
    /// How many negatives each of those it was learnt from stands for.
    pub negative_weight: NegativeWeight,
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
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    gathering: &Gathering,
    checkpoint_idx: usize,
    config: &GleanerConfig,
    (train, tune): (&Covers<'_>, &Covers<'_>),
    budget: &Budget,
) -> Result<GleanerModel, Interrupted> {
    let of_bins = |bins| Theory::of_bins(gathering, checkpoint_idx, bins);
    let theories: Vec<Theory> = match config.theories {
        TheoryRule::Bins => (0..config.n_bins).map(|bin_idx| of_bins(bin_idx..bin_idx + 1)).collect(),
        TheoryRule::Union => vec![of_bins(0..config.n_bins)],
    };
    let mut model = GleanerModel {
        theories,
        decisions: Vec::new(),
        operating_decision: None,
        n_tune_positives: tune.universe().n_positives(),
        votes: config.votes,
        duplicates: config.duplicates,
        negative_weight: train.universe().negative_weight(),
    };
    let mut tune_votes = Vec::with_capacity(model.theories.len());
    for theory_idx in 0..model.theories.len() {
        tune_votes.push(model.retain_by_tune(theory_idx, config.min_tune_positives, tune, budget)?);
    }
    let (curves, n_positives): (Vec<ThresholdCurve>, usize) = match config.threshold_set {
        ThresholdSet::Tune => {
            let curve = |votes: &Votes| votes.curve(tune.universe());
            (tune_votes.iter().map(curve).collect(), model.n_tune_positives)
        }
        ThresholdSet::TrainAndTune => {
            let mut curves = Vec::with_capacity(model.theories.len());
            for (theory, votes) in model.theories.iter().zip(&tune_votes) {
                let mut on_train = Votes::none_weighted(train.universe());
                model.add_votes(theory, &mut on_train, train, budget)?;
                let (train, tune) = (on_train.ranked(train.universe()), votes.ranked(tune.universe()));
                curves.push(curve_of(train.chain(tune).collect()));
            }
            (curves, train.universe().n_positives() + model.n_tune_positives)
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
    model.decisions =
        choose(config.thresholds, config.n_threshold_bins, &curves, (n_positives, model.negative_weight))
            .into_iter()
            .map(decision)
            .collect();
    model.operating_decision = operating_decision(
        config.operating_point,
        &model.decisions,
        (model.n_tune_positives, model.negative_weight),
    );
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
        self.theories[theory_bin - 1].weights(self.votes, self.duplicates, self.negative_weight).iter().sum()
    }

    /// Drops the clauses of a theory that cover fewer tune positives than the minimum; the votes of the
    /// rest on tune.
    fn retain_by_tune(
        &mut self,
        theory_idx: usize,
        min_positives: usize,
        tune: &Covers<'_>,
        budget: &Budget,
    ) -> Result<Votes, Interrupted> {
        let theory = &mut self.theories[theory_idx];
        let weights = theory.weights(self.votes, self.duplicates, self.negative_weight);
        let mut votes = Votes::none(tune.universe(), &weights);
        let mut is_wanted = Vec::with_capacity(weights.len());
        let clauses: Vec<&Clause> = theory.clauses.iter().map(|clause| &clause.clause).collect();
        tune.visit(&clauses, budget, |first, covers| {
            is_wanted.extend(covers.iter().map(|cover| tune.universe().counts(cover).0 >= min_positives));
            let wanted = (first..).zip(covers).filter(|&(clause, _)| is_wanted[clause]);
            let (weights, covers): (Vec<f64>, Vec<&ExampleSet>) =
                wanted.map(|(clause, cover)| (weights[clause], cover)).unzip();
            votes.add(&covers, &weights);
        })?;
        let mut is_wanted = is_wanted.into_iter();
        theory.clauses.retain(|_| is_wanted.next().unwrap_or(false));
        Ok(votes)
    }

    /// Adds the votes of a theory's clauses on the universe of `covers`.
    fn add_votes(
        &self,
        theory: &Theory,
        votes: &mut Votes,
        covers: &Covers<'_>,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let weights = theory.weights(self.votes, self.duplicates, self.negative_weight);
        let clauses: Vec<&Clause> = theory.clauses.iter().map(|clause| &clause.clause).collect();
        covers.visit(&clauses, budget, |first, covers| {
            let covers: Vec<&ExampleSet> = covers.iter().collect();
            votes.add(&covers, &weights[first..first + covers.len()]);
        })
    }

    /// What the model says of the examples of `covers`' universe. Only theories that a decision uses
    /// are evaluated.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let universe = covers.universe();
        let mut scoring = Scoring {
            scores: vec![0.0; universe.len()],
            decided: ExampleSet::empty(universe.len()),
            confidences: vec![0.0; universe.len()],
            points: Vec::with_capacity(self.decisions.len()),
        };
        let mut votes_by_theory: BTreeMap<usize, Votes> = BTreeMap::new();
        for decision in &self.decisions {
            if let Entry::Vacant(votes) = votes_by_theory.entry(decision.theory_bin) {
                let theory = &self.theories[decision.theory_bin - 1];
                let weights = theory.weights(self.votes, self.duplicates, self.negative_weight);
                let votes = votes.insert(Votes::none(universe, &weights));
                self.add_votes(theory, votes, covers, budget)?;
            }
        }
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let votes = &votes_by_theory[&decision.theory_bin];
            let covered = votes.at_least(decision.threshold);
            let (true_positives, false_positives) = universe.counts(&covered);
            scoring.points.push(Counts { true_positives, false_positives });
            let precision = decision.chosen_precision(self.negative_weight).unwrap_or(0.0);
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
