//! The model: theories and chosen decisions, and how it scores examples with them.

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::contradiction::{Contradiction, check_counts, check_weight};
use crate::learner::Fitting;
use crate::saved::{Checked, OverClauses, over_clauses};
use crate::shared_config::VoteSet;
use crate::votes::{Votes, curve_of};
use gleaner_base::{Budget, ClassWeights, Counts, ExampleSet, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::PseudoCounts;

use super::config::{GleanerConfig, Selection, TheoryRule, ThresholdSet, VoteWeights};
use super::gather::{GatheredPart, Gathering};
use super::selection::best_prefix;
use super::theory::{Theory, VoteRule};
use super::threshold::{Choice, Choosing, Decision, ThresholdCurve, choose};

/// A learned Gleaner model.
///
/// **Shape**: `theories[b - 1]` is bin `b`'s theory, or there is one theory of all bins' clauses;
/// decisions ascend by target bin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GleanerModel<C = Clause> {
    /// How votes are weighed. The decisions' recall refers to its tune positives.
    #[serde(flatten)]
    pub rule: VoteRule,
    /// The decisions.
    pub decisions: Vec<Decision>,
    /// The position of the decision that classifies.
    pub operating_decision: Option<usize>,
    /// The theories.
    pub theories: Vec<Theory<C>>,
}

over_clauses!(GleanerModel { in theories; rule, decisions, operating_decision });

/// The theories of a part of a gathering.
fn theories(
    gathering: &Gathering,
    part: GatheredPart,
    config: &GleanerConfig,
    fitting: &Fitting<'_>,
) -> Result<Vec<Theory>, Interrupted> {
    let of_bins = |bins| match config.least_difference {
        least if least > 0.0 => Theory::of_different_clauses(gathering, part, bins, least, fitting),
        _ => Ok(Theory::of_bins(gathering, part, bins)),
    };
    let bins = 0..config.gathering.n_bins;
    match config.theories {
        TheoryRule::Bins => bins.map(|bin_idx| of_bins(bin_idx..bin_idx + 1)).collect(),
        TheoryRule::Union => Ok(vec![of_bins(bins)?]),
    }
}

/// The model of a part of a gathering: theories from the bins, decisions from
/// tune, or train and tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    gathering: &Gathering,
    part: GatheredPart,
    config: &GleanerConfig,
    fitting: &Fitting<'_>,
) -> Result<GleanerModel, Interrupted> {
    let Fitting { train, tune, budget, .. } = *fitting;
    let mut model = GleanerModel {
        theories: theories(gathering, part, config, fitting)?,
        decisions: Vec::new(),
        operating_decision: None,
        rule: VoteRule {
            votes: config.votes,
            // As for the smoothing below.
            vote_set: match config.votes {
                VoteWeights::Precision | VoteWeights::Shared => config.vote_set,
                VoteWeights::Equal | VoteWeights::NaiveBayes => VoteSet::Train,
            },
            duplicates: config.duplicates,
            // For other votes it means nothing, and their files do not have it.
            smoothing: match config.votes {
                VoteWeights::NaiveBayes => config.smoothing.pseudo_counts(),
                VoteWeights::Equal | VoteWeights::Precision | VoteWeights::Shared => PseudoCounts::One,
            },
            train_weight: train.universe().negative_weight(),
            tune: tune.universe().totals(),
        },
    };
    let pooling = model.rule.pooling();
    let mut tune_votes = Vec::with_capacity(model.theories.len());
    for theory_idx in 0..model.theories.len() {
        model.retain_by_tune(theory_idx, config.min_tune_positives, tune, budget)?;
        if config.selection == Selection::Sorted {
            let theory = &mut model.theories[theory_idx];
            *theory = best_prefix(theory, &model.rule, tune, budget)?;
        }
        tune_votes.push(model.votes(&model.theories[theory_idx], tune, budget)?);
    }
    let (curves, totals): (Vec<ThresholdCurve>, Totals) = match config.threshold_set {
        ThresholdSet::Tune => {
            let curve = |votes: &Votes| votes.curve(tune.universe());
            (tune_votes.iter().map(curve).collect(), tune.universe().totals())
        }
        ThresholdSet::TrainAndTune => {
            let mut curves = Vec::with_capacity(model.theories.len());
            for (theory, votes) in model.theories.iter().zip(&tune_votes) {
                let on_train = model.votes(theory, train, budget)?;
                let of_train =
                    on_train.ranked(train.universe(), |counts| pooling.counts(counts, Counts::NONE));
                let of_tune = votes.ranked(tune.universe(), |counts| pooling.counts(Counts::NONE, counts));
                curves.push(curve_of(of_train.chain(of_tune).collect()));
            }
            (curves, pooling.totals(train.universe().totals(), tune.universe().totals()))
        }
    };
    let decision = |choice: Choice| {
        let covered = tune_votes[choice.theory_idx].at_least(choice.threshold);
        let on_tune = tune.universe().counts(&covered);
        Decision {
            target_bin: choice.target_bin,
            theory_bin: choice.theory_idx + 1,
            threshold: choice.threshold,
            chosen_on: match config.threshold_set {
                ThresholdSet::Tune => on_tune,
                ThresholdSet::TrainAndTune => pooling.left_part(choice.counts, on_tune).plus(on_tune),
            },
            tune: on_tune,
        }
    };
    let choosing = Choosing {
        rule: config.thresholds,
        partition: config.gathering.partition,
        n_bins: config.n_threshold_bins,
        totals,
    };
    model.decisions = choose(&choosing, &curves).into_iter().map(decision).collect();
    model.operating_decision = model.deciding(config, totals);
    Ok(model)
}

impl GleanerModel {
    /// `K`: the most votes that an example can have from the theory of a bin, or from the one theory.
    pub fn greatest_votes(&self, theory_bin: usize) -> f64 {
        let weights = self.theories[theory_bin - 1].weights(&self.rule);
        weights.iter().map(|weight| weight.abs()).sum()
    }

    /// The decision that classifies, by the cover of each on the examples that they were chosen on.
    fn deciding(&self, config: &GleanerConfig, chosen_on: Totals) -> Option<usize> {
        let called = |decision: &Decision| -> ClassWeights {
            let counts = match config.threshold_set {
                ThresholdSet::Tune => decision.tune,
                ThresholdSet::TrainAndTune => decision.pooled(self.rule.pooling()),
            };
            counts.weighted(chosen_on.negative_weight)
        };
        let called: Vec<ClassWeights> = self.decisions.iter().map(called).collect();
        config.operating_point.choose(&called, chosen_on.weighted())
    }

    /// Counts the clauses of a theory on tune, and drops those that cover fewer positives than the minimum.
    fn retain_by_tune(
        &mut self,
        theory_idx: usize,
        min_positives: usize,
        tune: &Covers<'_>,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let theory = &mut self.theories[theory_idx];
        let mut counts: Vec<Counts> = Vec::with_capacity(theory.clauses.len());
        tune.visit(&theory.all_clauses(), budget, |_, covers| {
            counts.extend(covers.iter().map(|cover| tune.universe().counts(cover)));
        })?;
        theory.clauses.iter_mut().zip(counts).for_each(|(clause, counts)| clause.tune = counts);
        theory.clauses.retain(|clause| clause.tune.true_positives >= min_positives);
        Ok(())
    }

    /// The votes of a theory's clauses on the universe of `covers`.
    pub(super) fn votes(
        &self,
        theory: &Theory,
        covers: &Covers<'_>,
        budget: &Budget,
    ) -> Result<Votes, Interrupted> {
        let weights = theory.weights(&self.rule);
        let universe = covers.universe();
        let mut votes = Votes::none(universe, &weights);
        covers.visit(&theory.all_clauses(), budget, |first, covers| {
            let covers: Vec<&ExampleSet> = covers.iter().collect();
            votes.add(universe, &covers, &weights[first..first + covers.len()]);
        })?;
        Ok(votes)
    }
}

impl Checked for GleanerModel<String> {
    type Head = VoteRule;

    fn check(&self) -> Result<(), Contradiction> {
        let n_bins = self.theories.len();
        if self.decisions.iter().any(|decision| !(1..=n_bins).contains(&decision.theory_bin)) {
            return Err(Contradiction("a decision names a bin without a theory"));
        }
        if self.decisions.iter().any(|decision| decision.threshold <= 0.0) {
            return Err(Contradiction("a decision has no positive number of votes"));
        }
        if self.operating_decision.is_some_and(|position| position >= self.decisions.len()) {
            return Err(Contradiction("the operating decision does not exist"));
        }
        check_weight(self.rule.tune.negative_weight)?;
        check_weight(self.rule.train_weight)?;
        let counts = || self.theories.iter().flat_map(|theory| &theory.clauses).map(|clause| clause.counts);
        if counts().any(|counts| counts.true_positives == 0) {
            return Err(Contradiction("a clause covers no positive of train"));
        }
        if self.decisions.iter().any(|decision| self.theories[decision.theory_bin - 1].clauses.is_empty()) {
            return Err(Contradiction("a decision names a theory without clauses"));
        }
        check_counts(counts())
    }
}
