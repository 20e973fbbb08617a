//! The candidates of a question, and the rank of its answer among them.

use super::graph::Directed;
use super::kinds::{Kind, KindWeights, Strengths, rounded};

/// What rules say of a candidate, as far as weights tell it from others.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// For each kind the strength of the strongest rule, and the sum of the strengths of the next ones.
    pub parts: [[f32; 2]; Kind::ALL.len()],
    /// The share that lacks a further link of those that have as many.
    pub share: f32,
}

impl Candidate {
    pub(super) fn of((strengths, share): (&Strengths, f64)) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough to choose weights by")]
        let short = |value: f64| value as f32;
        Self { parts: Kind::ALL.map(|kind| strengths.parts(kind).map(short)), share: short(share) }
    }

    pub(super) fn score(&self, weights: KindWeights) -> f64 {
        rounded(weights.discount(f64::from(self.share)) * self.sum(weights))
    }

    pub(super) fn sum(&self, weights: KindWeights) -> f64 {
        weights.sum(&self.parts)
    }
}

/// A question with its answer and the first other candidates under some weights. The rank of an answer beyond them hardly counts.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub directed: Directed,
    pub answer: Candidate,
    pub others: Vec<Candidate>,
    /// Whether the answer is one of the first candidates, too.
    pub is_first: bool,
    /// Candidates beside these and the answer.
    pub n_further: usize,
}

impl Asked {
    /// The answer, and then the others.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        std::iter::once(&self.answer).chain(&self.others)
    }

    pub(super) fn rank(&self, weights: KindWeights) -> f64 {
        let others = self.others.iter().map(|of| of.score(weights));
        rank_among(self.answer.score(weights), others, self.n_further)
    }

    /// The rank of an answer that is one of the first, where other weights order these anew.
    pub(super) fn rank_anew(&self, anew: KindWeights) -> f64 {
        rank_among(self.answer.score(anew), self.others.iter().map(|of| of.score(anew)), 0)
    }
}

/// The rank of a score among others, and among so many further ones that are 0.
pub(super) fn rank_among(own: f64, others: impl Iterator<Item = f64>, n_zero: usize) -> f64 {
    let (mut n_above, mut n_beside) = (0, 0);
    for other in others {
        n_above += usize::from(other > own);
        n_beside += usize::from(other.total_cmp(&own).is_eq());
    }
    rank_of(n_above, n_beside + if own == 0.0 { n_zero } else { 0 })
}

#[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
pub(super) fn rank_of(n_above: usize, n_beside: usize) -> f64 {
    1.0 + n_above as f64 + n_beside as f64 / 2.0
}
