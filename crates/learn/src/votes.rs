//! Votes of clauses, or of theories, on each example of a universe, and the curves they make.

use gleaner_base::{Counts, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::votes::{VoteCounter, add_weighted_votes, at_least};

/// The votes of a theory on each position of a universe.
#[derive(Clone, Debug)]
pub enum Votes {
    /// Whole votes, in bit slices.
    Counted(VoteCounter, usize),
    /// Weighted votes by position, summed in clause order, and their greatest possible sum.
    Weighted(Vec<f64>, f64),
}

impl Votes {
    /// No votes yet, of clauses with these weights.
    pub fn none(universe: &Universe, weights: &[f64]) -> Self {
        if weights.iter().all(|&weight| weight.to_bits() == 1.0_f64.to_bits()) {
            return Self::Counted(VoteCounter::new(universe.len()), 0);
        }
        Self::none_weighted(universe)
    }

    /// No votes yet; they will be summed one by one whatever their weights.
    pub fn none_weighted(universe: &Universe) -> Self {
        Self::Weighted(vec![0.0; universe.len()], 0.0)
    }

    /// Adds the votes of clauses with these covers and weights. A weight below 0 is a vote, of its size, for the
    /// examples that the clause does not cover. Cost: one pass over the words of each cover. Weighted votes also visit
    /// each position that has the vote, many at once where they are dense.
    pub fn add(&mut self, universe: &Universe, covers: &[&ExampleSet], weights: &[f64]) {
        match self {
            Self::Counted(counter, n_votes) => {
                counter.add_all(covers);
                *n_votes += covers.len();
            }
            Self::Weighted(sums, total) => {
                let against: Vec<Option<ExampleSet>> = covers
                    .iter()
                    .zip(weights)
                    .map(|(cover, weight)| rest(universe, cover, *weight))
                    .collect();
                let voters: Vec<&ExampleSet> =
                    covers.iter().zip(&against).map(|(cover, rest)| rest.as_ref().unwrap_or(cover)).collect();
                let sizes: Vec<f64> = weights.iter().map(|weight| weight.abs()).collect();
                add_weighted_votes(sums, &voters, &sizes);
                *total = sizes.iter().fold(*total, |total, size| total + size);
            }
        }
    }

    /// The votes at a position.
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn at(&self, position: usize) -> f64 {
        match self {
            Self::Counted(counter, _) => counter.votes(position) as f64,
            Self::Weighted(sums, _) => sums[position],
        }
    }

    /// `K`: the most votes a position can have.
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn greatest(&self) -> f64 {
        match self {
            Self::Counted(_, n_votes) => *n_votes as f64,
            Self::Weighted(_, total) => *total,
        }
    }

    /// The positions with at least this many votes; `threshold` is above 0.
    pub fn at_least(&self, threshold: f64) -> ExampleSet {
        match self {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole thresholds")]
            Self::Counted(counter, _) => counter.at_least(threshold.ceil() as usize),
            Self::Weighted(sums, _) => at_least(sums, threshold),
        }
    }

    /// Every threshold above 0 that changes which examples are covered, descending, with its counts.
    #[expect(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
    pub fn curve(&self, universe: &Universe) -> Vec<(f64, Counts)> {
        match self {
            Self::Counted(counter, _) => {
                let counts = counter.counts(universe.n_positive_words());
                counts.into_iter().enumerate().rev().map(|(idx, counts)| ((idx + 1) as f64, counts)).collect()
            }
            Self::Weighted(..) => curve_of(self.ranked(universe, |counts| counts).collect()),
        }
    }

    /// The votes of each example that has any, with its own counts as `counted` takes them.
    pub fn ranked(
        &self,
        universe: &Universe,
        counted: impl Fn(Counts) -> Counts,
    ) -> impl Iterator<Item = (f64, Counts)> {
        let [positive, negative] = [true, false].map(|is_positive| counted(one(is_positive)));
        let of = move |at: usize| if universe.is_positive(at) { positive } else { negative };
        universe
            .iter()
            .map(move |(position, _)| (self.at(position), of(position)))
            .filter(|&(votes, _)| votes > 0.0)
    }
}

/// The examples that a clause with a weight below 0 votes for: those it does not cover. Nothing for other clauses.
fn rest(universe: &Universe, cover: &ExampleSet, weight: f64) -> Option<ExampleSet> {
    (weight < 0.0).then(|| {
        let mut rest = ExampleSet::empty(universe.len());
        rest.union_with_difference(universe.all(), cover);
        rest
    })
}

/// The counts of one covered example.
pub const fn one(is_positive: bool) -> Counts {
    Counts { true_positives: is_positive as usize, false_positives: !is_positive as usize }
}

/// Every number of votes that changes which examples are called positive, descending, with the counts of the examples
/// that have at least so many. `ranked` has each example's votes and counts.
pub fn curve_of(mut ranked: Vec<(f64, Counts)>) -> Vec<(f64, Counts)> {
    ranked.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let mut curve: Vec<(f64, Counts)> = Vec::new();
    let mut counts = Counts::NONE;
    for (sum, counted) in ranked {
        counts = counts.plus(counted);
        match curve.last_mut() {
            Some((threshold, last)) if threshold.to_bits() == sum.to_bits() => *last = counts,
            _ => curve.push((sum, counts)),
        }
    }
    curve
}
