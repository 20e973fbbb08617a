//! Theories: the clauses kept over all seeds, and their votes. [GLEANER §3.1.2]

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::learner::Fitting;
use crate::saved::over_clauses;
use crate::shared_config::VoteSet;
use gleaner_base::{Counts, NegativeWeight, Pooling, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::PseudoCounts;

use super::config::{Duplicates, VoteWeights};
use super::difference::different_clauses;
use super::gather::{GatheredPart, Gathering, KeptClause, SeedResult};

/// A clause of a theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheoryClause<C = Clause> {
    /// The clause, canonical.
    pub clause: C,
    /// Its counts on train.
    #[serde(rename = "train")]
    pub counts: Counts,
    /// Its counts on tune; older files have none.
    #[serde(default = "nothing")]
    pub tune: Counts,
    /// How often a clause of this coverage was kept: over seeds, and over restarts where each restart keeps one.
    pub n_kept: usize,
}

const fn nothing() -> Counts {
    Counts::NONE
}

over_clauses!(TheoryClause { clause; counts, tune, n_kept });

/// Clauses that vote together.
///
/// **Invariant**: the clauses differ in train coverage. They have the canonical order of the problem that they were
/// learnt on, before any is reduced. In this order, weighted votes are summed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Theory<C = Clause> {
    /// The clauses.
    pub clauses: Vec<TheoryClause<C>>,
}

over_clauses!(Theory { in clauses; });

impl Theory {
    /// The theory of some bins, from 0, at one checkpoint of the first seeds. Each distinct train coverage is there
    /// once, represented by the shortest clause, then the canonically first. Nothing of tune is known yet.
    pub fn of_bins(gathering: &Gathering, part: GatheredPart, bins: Range<usize>) -> Self {
        Self::of_seeds(&mut gathering.seeds[..part.n_seeds].iter(), part.checkpoint_idx, bins)
    }

    /// As [`Self::of_bins`], of some seeds that were searched on the same examples.
    pub fn of_seeds(
        seeds: &mut dyn Iterator<Item = &SeedResult>,
        checkpoint_idx: usize,
        bins: Range<usize>,
    ) -> Self {
        let kept = seeds.flat_map(|seed| seed.bins[checkpoint_idx][bins.clone()].iter().flatten());
        Self::of_kept(kept.map(|kept| &**kept))
    }

    /// As [`Self::of_bins`], of the clauses of each bin that differ enough from those before them. [DIRECTED §5]
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget of `fitting` ran out first.
    pub fn of_different_clauses(
        gathering: &Gathering,
        part: GatheredPart,
        bins: Range<usize>,
        least_difference: f64,
        fitting: &Fitting<'_>,
    ) -> Result<Self, Interrupted> {
        let seeds = &gathering.seeds[..part.n_seeds];
        let mut taken = Vec::new();
        for bin_idx in bins {
            let kept = seeds.iter().flat_map(|seed| &seed.bins[part.checkpoint_idx][bin_idx]);
            let kept: Vec<&KeptClause> = kept.map(|kept| &**kept).collect();
            taken.extend(different_clauses(&kept, least_difference, fitting.train, fitting.budget)?);
        }
        Ok(Self::of_kept(taken.into_iter()))
    }

    fn of_kept<'k>(kept_clauses: impl Iterator<Item = &'k KeptClause>) -> Self {
        let mut distinct: BTreeMap<(Counts, u128), (&KeptClause, usize)> = BTreeMap::new();
        for kept in kept_clauses {
            let (known, n_kept) = distinct.entry((kept.counts, kept.coverage)).or_insert((kept, 0));
            *n_kept += 1;
            if represents_better(&kept.clause, &known.clause) {
                *known = kept;
            }
        }
        let clause = |(kept, n_kept): (&KeptClause, usize)| TheoryClause {
            clause: kept.clause.clone(),
            counts: kept.counts,
            tune: Counts::NONE,
            n_kept,
        };
        let mut clauses: Vec<TheoryClause> = distinct.into_values().map(clause).collect();
        clauses.sort_by(|left, right| left.clause.cmp(&right.clause));
        Self { clauses }
    }

    /// The weight of each clause's vote, in order.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn weights(&self, rule: &VoteRule) -> Vec<f64> {
        self.clauses
            .iter()
            .map(|clause| {
                let copies = match rule.duplicates {
                    Duplicates::Merge => 1.0,
                    Duplicates::Count => clause.n_kept as f64,
                };
                let weights = match rule.vote_set {
                    VoteSet::Train => clause.counts.weighted(rule.train_weight),
                    VoteSet::Tune => clause.tune.weighted(rule.tune.negative_weight),
                };
                let (true_positives, covered) = (weights.positives, weights.sum());
                match rule.votes {
                    VoteWeights::Equal => copies,
                    // Nothing where the clause covers nothing.
                    VoteWeights::Precision | VoteWeights::Shared if true_positives <= 0.0 => 0.0,
                    VoteWeights::Precision => copies * true_positives / covered,
                    VoteWeights::Shared => {
                        // Multiplied out, as `powi` may round differently on another platform.
                        let shrunken = true_positives / (covered + 3.0);
                        let square = shrunken * shrunken;
                        copies * square * square * shrunken / true_positives
                    }
                    VoteWeights::NaiveBayes => copies * rule.log_odds(clause.tune),
                }
            })
            .collect()
    }
}

/// How votes are weighed, and the sets that this refers to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "RuleFields", into = "RuleFields")]
pub struct VoteRule {
    /// The weight of a vote.
    pub votes: VoteWeights,
    /// The examples whose counts weigh it, if it goes by precision.
    pub vote_set: VoteSet,
    /// The number of votes for duplicates.
    pub duplicates: Duplicates,
    /// The pseudo-counts that votes by naive Bayes add to counts.
    pub smoothing: PseudoCounts,
    /// The number of examples that a negative of train stands for.
    pub train_weight: NegativeWeight,
    /// The size of the tune set.
    pub tune: Totals,
}

/// A [`VoteRule`] as the fields of a model file.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct RuleFields {
    n_tune_positives: usize,
    #[serde(default)]
    n_tune_negatives: usize,
    votes: VoteWeights,
    /// Train in files that do not say.
    #[serde(default = "train", skip_serializing_if = "is_train")]
    vote_set: VoteSet,
    duplicates: Duplicates,
    /// One in files that do not say.
    #[serde(default, skip_serializing_if = "is_one")]
    smoothing: PseudoCounts,
    /// The number of examples that each negative of tune stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    negative_weight: NegativeWeight,
    /// The number that each negative of train stands for, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    train_negative_weight: Option<NegativeWeight>,
}

const fn train() -> VoteSet {
    VoteSet::Train
}

fn is_train(set: &VoteSet) -> bool {
    *set == VoteSet::Train
}

fn is_one(smoothing: &PseudoCounts) -> bool {
    *smoothing == PseudoCounts::One
}

impl From<RuleFields> for VoteRule {
    fn from(fields: RuleFields) -> Self {
        let RuleFields { votes, vote_set, duplicates, smoothing, negative_weight, .. } = fields;
        let (n_positives, n_negatives) = (fields.n_tune_positives, fields.n_tune_negatives);
        Self {
            votes,
            vote_set,
            duplicates,
            smoothing,
            train_weight: fields.train_negative_weight.unwrap_or(negative_weight),
            tune: Totals { n_positives, n_negatives, negative_weight },
        }
    }
}

impl From<VoteRule> for RuleFields {
    fn from(rule: VoteRule) -> Self {
        let VoteRule { votes, vote_set, duplicates, smoothing, train_weight, tune } = rule;
        Self {
            n_tune_positives: tune.n_positives,
            n_tune_negatives: tune.n_negatives,
            votes,
            vote_set,
            duplicates,
            smoothing,
            negative_weight: tune.negative_weight,
            train_negative_weight: Some(train_weight).filter(|train| *train != tune.negative_weight),
        }
    }
}

impl VoteRule {
    /// How counts on train and on tune are added.
    pub fn pooling(&self) -> Pooling {
        Pooling::of(self.train_weight, self.tune.negative_weight)
    }

    /// The log-odds that covering adds to a naive Bayes classifier, against not covering.
    fn log_odds(&self, tune: Counts) -> f64 {
        let (held, all) = (tune.weighted(self.tune.negative_weight), self.tune.weighted());
        self.smoothing.log_odds(held, all) - self.smoothing.log_odds(all.minus(held), all)
    }
}

fn represents_better(challenger: &Clause, known: &Clause) -> bool {
    (challenger.n_literals(), challenger) < (known.n_literals(), known)
}

#[cfg(test)]
mod tests;
