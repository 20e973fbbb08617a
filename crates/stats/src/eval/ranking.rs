//! Examples ordered by a score, equal scores as one group.

use super::error::{EvalError, Kind};

/// The examples that share one score; they enter a curve together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedGroup {
    /// The score, finite; never a negative zero.
    pub score: f64,
    /// Sum of the weights of its positives, at least 0.
    pub positives: f64,
    /// Sum of the weights of its negatives, at least 0.
    pub negatives: f64,
}

/// Labelled examples grouped by score, highest first.
///
/// Weights are 1 for each example unless given, so that `positives` and `negatives` are counts.
///
/// **Shape**: at most one group for each example; empty without examples of positive weight.
/// **Invariant**: scores fall strictly and each group has positive weight; the constructors sort
/// and check. The order of the input has no effect, not even on rounding.
/// **Cost** of construction: `O(n log n)` time and 16 bytes for each of the `n` examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    groups: Vec<RankedGroup>,
    n_positives: u64,
    n_negatives: u64,
}

impl Ranking {
    /// Ranks `(score, is_positive)` pairs, each of weight 1.
    ///
    /// # Errors
    ///
    /// When a score is NaN or infinite.
    pub fn new(examples: impl IntoIterator<Item = (f64, bool)>) -> Result<Self, EvalError> {
        Self::weighted(examples.into_iter().map(|(score, is_positive)| (score, is_positive, 1.0)))
    }

    /// Ranks `(score, is_positive, weight)` triples; the ranking leaves out examples of weight 0.
    ///
    /// # Errors
    ///
    /// When a score is NaN or infinite, or a weight is either or negative.
    pub fn weighted(examples: impl IntoIterator<Item = (f64, bool, f64)>) -> Result<Self, EvalError> {
        // The sign of the weight is the label. A pair takes half the memory of a padded triple, which matters at ten
        // million examples.
        let mut entries: Vec<(f64, f64)> = Vec::new();
        let (mut n_positives, mut n_negatives) = (0, 0);
        for (position, (score, is_positive, weight)) in examples.into_iter().enumerate() {
            if !score.is_finite() {
                return Err(Kind::Score { position, score }.into());
            }
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(Kind::Weight { position, weight }.into());
            }
            if weight > 0.0 {
                *(if is_positive { &mut n_positives } else { &mut n_negatives }) += 1;
                // Adding zero makes a negative zero positive, so that the two tie.
                entries.push((score + 0.0, if is_positive { weight } else { -weight }));
            }
        }
        // Weights are part of the order, so that sums do not depend on the order of the input.
        entries.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
        let groups = entries
            .chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq())
            .map(|ties| {
                let mut group = RankedGroup { score: ties[0].0, positives: 0.0, negatives: 0.0 };
                for &(_, signed_weight) in ties {
                    if signed_weight > 0.0 {
                        group.positives += signed_weight;
                    } else {
                        group.negatives -= signed_weight;
                    }
                }
                group
            })
            .collect();
        Ok(Self { groups, n_positives, n_negatives })
    }

    /// The ranking with only these thresholds, which descend. Groups between two thresholds become one, and so do the
    /// groups below the last. Cost: `O(n_groups)`.
    #[must_use]
    pub fn at_thresholds(&self, thresholds: &[f64]) -> Self {
        let mut groups: Vec<RankedGroup> = Vec::new();
        let mut is_open = false;
        let mut left = thresholds;
        for &group in &self.groups {
            while let [threshold, lower @ ..] = left
                && group.score < *threshold
            {
                (left, is_open) = (lower, false);
            }
            match groups.last_mut().filter(|_| is_open) {
                Some(last) => {
                    last.score = group.score;
                    last.positives += group.positives;
                    last.negatives += group.negatives;
                }
                None => groups.push(group),
            }
            is_open = true;
        }
        Self { groups, ..*self }
    }

    /// The ranking with `n_positives` more positives of weight 1, which tie with the examples of the lowest score. A
    /// filter left them out, so only the threshold that calls all examples positive finds them.
    #[must_use]
    pub fn with_last_positives(mut self, n_positives: usize) -> Self {
        if let Some(last) = self.groups.last_mut() {
            #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
            let weight = n_positives as f64;
            last.positives += weight;
            self.n_positives += n_positives as u64;
        }
        self
    }

    /// The groups, highest score first.
    #[must_use]
    pub fn groups(&self) -> &[RankedGroup] {
        &self.groups
    }

    /// How many positives of positive weight were ranked.
    #[must_use]
    pub const fn n_positives(&self) -> u64 {
        self.n_positives
    }

    /// How many negatives of positive weight were ranked.
    #[must_use]
    pub const fn n_negatives(&self) -> u64 {
        self.n_negatives
    }

    /// The sums of the weights of positives and of negatives. Cost: `O(n_groups)`.
    #[must_use]
    pub fn class_weights(&self) -> (f64, f64) {
        let add =
            |sums: (f64, f64), group: &RankedGroup| (sums.0 + group.positives, sums.1 + group.negatives);
        self.groups.iter().fold((0.0, 0.0), add)
    }

    /// The mean weights of a positive and of a negative; 1 for a class without examples.
    #[must_use]
    pub fn example_weights(&self) -> [f64; 2] {
        let (positives, negatives) = self.class_weights();
        #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
        let mean = |weight: f64, n: u64| if n == 0 { 1.0 } else { weight / n as f64 };
        [mean(positives, self.n_positives), mean(negatives, self.n_negatives)]
    }

    /// `π = P / (P + N)` by weight, in `[0, 1]`: the expected precision, and PR area, of a random
    /// ranking; `None` without examples. Source: `[GLEANER §2.2.4]`. Cost: `O(n_groups)`.
    #[must_use]
    pub fn prevalence(&self) -> Option<f64> {
        let (positives, negatives) = self.class_weights();
        (!self.groups.is_empty()).then(|| positives / (positives + negatives))
    }
}

#[cfg(test)]
mod tests;
