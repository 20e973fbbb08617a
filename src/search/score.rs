//! Scores of a clause from its counts.

use crate::base::NegativeWeight;
use crate::coverage::{Counts, Universe};

/// What counts are relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// `P`.
    pub n_positives: usize,
    /// The negatives there are.
    pub n_negatives: usize,
    /// How many negatives each stands for: `N` is so many times `n_negatives`, `FP` likewise.
    pub negative_weight: NegativeWeight,
}

impl Totals {
    /// Those of a universe.
    #[must_use]
    pub fn of(universe: &Universe) -> Self {
        Self {
            n_positives: universe.n_positives(),
            n_negatives: universe.n_negatives(),
            negative_weight: universe.negative_weight(),
        }
    }
}

/// A clause's score; higher is better. `P` and `N` are the numbers of positives and negatives, where these
/// are a sample those of the population.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// precision × recall, Gleaner's own. [GLEANER §3.1.1]
    PrecisionRecall,
    /// `TP / (TP + FP)`.
    Precision,
    /// F-beta as the thesis writes it, `(1 + b)·p·r / (b·p + r)`, here with `b = 1`. [GLEANER §2.2.1]
    F1,
    /// `TP - FP`. [GLEANER §3.2]
    Coverage,
    /// `TP - FP - L`, `L` the number of literals, head included. [GLEANER §3.2]
    Compression,
    /// `(TP + 1) / (TP + FP + 2)`. [GLEANER §3.2]
    Laplace,
    /// `(TP + m·P/(P+N)) / (TP + FP + m)` with `m = 2`. [Cestnik 1990]
    MEstimate,
    /// `(TP + TN) / (P + N)`.
    Accuracy,
    /// Weighted relative accuracy, `(TP+FP)/(P+N) · (TP/(TP+FP) - P/(P+N))`. [Lavrač 1999]
    WeightedRelativeAccuracy,
}

/// The `m` of the m-estimate.
const M_ESTIMATE_M: f64 = 2.0;

impl Score {
    /// Every score with its name on the command line.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("precision-recall", Self::PrecisionRecall),
        ("precision", Self::Precision),
        ("f1", Self::F1),
        ("coverage", Self::Coverage),
        ("compression", Self::Compression),
        ("laplace", Self::Laplace),
        ("m-estimate", Self::MEstimate),
        ("accuracy", Self::Accuracy),
        ("wracc", Self::WeightedRelativeAccuracy),
    ];

    /// The score's value; `None` where it is undefined (0/0), which ranks below every number.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
    pub fn of(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64> {
        let weight = totals.negative_weight.ratio();
        let (tp, fp) = (counts.true_positives as f64, counts.false_positives as f64 * weight);
        let (p, n) = (totals.n_positives as f64, totals.n_negatives as f64 * weight);
        let value = match self {
            Self::PrecisionRecall => (tp / (tp + fp)) * (tp / p),
            Self::Precision => tp / (tp + fp),
            // 2pr / (p + r) without the division by zero at TP = 0 of a non-empty cover.
            Self::F1 => 2.0 * tp / (tp + fp + p),
            Self::Coverage => tp - fp,
            Self::Compression => tp - fp - n_literals as f64,
            Self::Laplace => (tp + 1.0) / (tp + fp + 2.0),
            Self::MEstimate => (tp + M_ESTIMATE_M * p / (p + n)) / (tp + fp + M_ESTIMATE_M),
            Self::Accuracy => (tp + n - fp) / (p + n),
            Self::WeightedRelativeAccuracy => {
                let covered = tp + fp;
                covered / (p + n) * (tp / covered - p / (p + n))
            }
        };
        value.is_finite().then_some(value)
    }

    /// The most that a specialisation of a clause with these counts and literals can score; `None` where
    /// no bound is known. A specialisation covers no more positives and no more negatives, and has more
    /// literals.
    #[must_use]
    pub fn bound(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64> {
        // All of these rise with TP and fall with FP and L.
        self.of(Counts { false_positives: 0, ..counts }, totals, n_literals + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Score, Totals};
    use crate::base::NegativeWeight;
    use crate::coverage::Counts;

    const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 30, negative_weight: NegativeWeight::ONE };

    /// 15 of 30 negatives, one of the two that are covered: the same numbers, and the same scores.
    #[test]
    fn a_sample_scores_as_its_population() {
        let all = Counts { true_positives: 6, false_positives: 2 };
        let sampled = Counts { true_positives: 6, false_positives: 1 };
        let totals = Totals { n_negatives: 15, negative_weight: NegativeWeight::new(30, 15), ..TOTALS };
        for (_, score) in Score::NAMES {
            assert_eq!(score.of(sampled, totals, 3), score.of(all, TOTALS, 3), "{score:?}");
        }
    }

    /// TP = 6, FP = 2, P = 10, N = 30, L = 3, worked by hand.
    #[test]
    fn each_score_by_hand() {
        let counts = Counts { true_positives: 6, false_positives: 2 };
        let expected = [
            (Score::PrecisionRecall, 0.75 * 0.6),
            (Score::Precision, 0.75),
            (Score::F1, 2.0 * 0.75 * 0.6 / (0.75 + 0.6)),
            (Score::Coverage, 4.0),
            (Score::Compression, 1.0),
            (Score::Laplace, 7.0 / 10.0),
            (Score::MEstimate, (6.0 + 2.0 * 0.25) / 10.0),
            (Score::Accuracy, 34.0 / 40.0),
            (Score::WeightedRelativeAccuracy, 0.2 * 0.5),
        ];
        for (score, value) in expected {
            let found = score.of(counts, TOTALS, 3).expect("defined");
            assert!((found - value).abs() < 1e-12, "{score:?}: {found} is not {value}");
        }
    }

    #[test]
    fn a_clause_that_covers_nothing_has_no_precision() {
        let nothing = Counts { true_positives: 0, false_positives: 0 };
        assert_eq!(Score::Precision.of(nothing, TOTALS, 3), None);
        assert_eq!(Score::PrecisionRecall.of(nothing, TOTALS, 3), None);
        assert_eq!(Score::Laplace.of(nothing, TOTALS, 3), Some(0.5));
    }
}
