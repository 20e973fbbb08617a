//! Theories: each bin's clauses over all seeds, and their votes. [GLEANER §3.1.2]

use crate::base::ExampleSet;
use crate::coverage::votes::VoteCounter;
use crate::coverage::{Counts, Universe};
use crate::program::Clause;

use super::config::{Duplicates, VoteWeights};
use super::gather::{Gathering, KeptClause};

/// A clause of a theory.
#[derive(Clone, Debug, PartialEq)]
pub struct TheoryClause {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub counts: Counts,
    /// How many seeds kept a clause of this coverage.
    pub n_seeds: usize,
}

/// The clauses kept for one bin.
///
/// **Invariant**: of distinct train coverage; in the canonical order of the problem they were learnt
/// on, in which weighted votes are summed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Theory {
    /// The clauses.
    pub clauses: Vec<TheoryClause>,
}

impl Theory {
    /// The theory of one bin at one checkpoint: each distinct train coverage once, represented by the
    /// shortest clause, then the canonically first.
    #[must_use]
    pub fn of_bin(gathering: &Gathering, checkpoint_idx: usize, bin_idx: usize) -> Self {
        let mut distinct: Vec<(&KeptClause, usize)> = Vec::new();
        for seed in &gathering.seeds {
            let Some(kept) = seed.bins[checkpoint_idx][bin_idx].as_deref() else { continue };
            let same = distinct
                .iter_mut()
                .find(|(known, _)| known.counts == kept.counts && known.coverage == kept.coverage);
            match same {
                Some((known, n_seeds)) => {
                    *n_seeds += 1;
                    if represents_better(&kept.clause, &known.clause) {
                        *known = kept;
                    }
                }
                None => distinct.push((kept, 1)),
            }
        }
        let mut clauses: Vec<TheoryClause> = distinct
            .into_iter()
            .map(|(kept, n_seeds)| TheoryClause { clause: kept.clause.clone(), counts: kept.counts, n_seeds })
            .collect();
        clauses.sort_by(|left, right| left.clause.cmp(&right.clause));
        Self { clauses }
    }

    /// The weight of each clause's vote, in order.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn weights(&self, votes: VoteWeights, duplicates: Duplicates) -> Vec<f64> {
        self.clauses
            .iter()
            .map(|clause| {
                let copies = match duplicates {
                    Duplicates::Merge => 1.0,
                    Duplicates::Count => clause.n_seeds as f64,
                };
                let covered = clause.counts.true_positives + clause.counts.false_positives;
                match votes {
                    VoteWeights::Equal => copies,
                    VoteWeights::Precision => copies * clause.counts.true_positives as f64 / covered as f64,
                }
            })
            .collect()
    }
}

fn represents_better(challenger: &Clause, known: &Clause) -> bool {
    (challenger.n_literals(), challenger) < (known.n_literals(), known)
}

/// The votes of a theory on each position of a universe.
#[derive(Clone, Debug)]
pub enum Votes {
    /// Whole votes, in bit slices.
    Counted(VoteCounter, usize),
    /// Weighted votes by position, summed in clause order, and their greatest possible sum.
    Weighted(Vec<f64>, f64),
}

impl Votes {
    /// The votes of clauses with these covers and weights. Cost: one pass of words for each whole
    /// vote, one visit of each covered position for each weighted one.
    #[must_use]
    pub fn new(universe: &Universe, covers: &[&ExampleSet], weights: &[f64]) -> Self {
        let all_ones = weights.iter().all(|&weight| weight.to_bits() == 1.0_f64.to_bits());
        if all_ones {
            let counter = VoteCounter::of(universe.len(), covers.iter().copied());
            return Self::Counted(counter, covers.len());
        }
        let mut sums = vec![0.0; universe.len()];
        for (cover, weight) in covers.iter().zip(weights) {
            for position in cover.iter() {
                sums[position] += weight;
            }
        }
        Self::Weighted(sums, weights.iter().sum())
    }

    /// The votes at a position.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn at(&self, position: usize) -> f64 {
        match self {
            Self::Counted(counter, _) => counter.votes(position) as f64,
            Self::Weighted(sums, _) => sums[position],
        }
    }

    /// `K`: the most votes a position can have.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn greatest(&self) -> f64 {
        match self {
            Self::Counted(_, n_votes) => *n_votes as f64,
            Self::Weighted(_, total) => *total,
        }
    }

    /// The positions with at least this many votes; `threshold` is above 0.
    #[must_use]
    pub fn at_least(&self, threshold: f64) -> ExampleSet {
        match self {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole thresholds")]
            Self::Counted(counter, _) => counter.at_least(threshold.ceil() as usize),
            Self::Weighted(sums, _) => ExampleSet::from_positions(
                sums.len(),
                (0..sums.len()).filter(|&position| sums[position] >= threshold),
            ),
        }
    }

    /// Every threshold above 0 that changes what is covered, descending, with its counts.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn curve(&self, universe: &Universe) -> Vec<(f64, Counts)> {
        match self {
            Self::Counted(counter, n_votes) => (1..=*n_votes)
                .rev()
                .map(|threshold| {
                    let (true_positives, false_positives) = universe.counts(&counter.at_least(threshold));
                    (threshold as f64, Counts { true_positives, false_positives })
                })
                .collect(),
            Self::Weighted(sums, _) => weighted_curve(sums, universe),
        }
    }
}

fn weighted_curve(sums: &[f64], universe: &Universe) -> Vec<(f64, Counts)> {
    let mut ranked: Vec<(f64, bool)> = universe
        .iter()
        .map(|(position, _)| (sums[position], position < universe.n_positive_words() * 64))
        .filter(|&(sum, _)| sum > 0.0)
        .collect();
    ranked.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let mut curve: Vec<(f64, Counts)> = Vec::new();
    let mut counts = Counts { true_positives: 0, false_positives: 0 };
    for (sum, is_positive) in ranked {
        if is_positive {
            counts.true_positives += 1;
        } else {
            counts.false_positives += 1;
        }
        match curve.last_mut() {
            Some((threshold, last)) if threshold.to_bits() == sum.to_bits() => *last = counts,
            _ => curve.push((sum, counts)),
        }
    }
    curve
}
