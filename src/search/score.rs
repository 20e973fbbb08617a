//! Scores of a clause from its counts.

use crate::coverage::Counts;

/// A clause's score; higher is better. `P` and `N` are the numbers of positives and negatives.
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
    pub fn of(
        self,
        counts: Counts,
        n_positives: usize,
        n_negatives: usize,
        n_literals: usize,
    ) -> Option<f64> {
        let (tp, fp) = (counts.true_positives as f64, counts.false_positives as f64);
        let (p, n) = (n_positives as f64, n_negatives as f64);
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
}

#[cfg(test)]
mod tests {
    use super::Score;
    use crate::coverage::Counts;

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
            let found = score.of(counts, 10, 30, 3).expect("defined");
            assert!((found - value).abs() < 1e-12, "{score:?}: {found} is not {value}");
        }
    }

    #[test]
    fn a_clause_that_covers_nothing_has_no_precision() {
        let nothing = Counts { true_positives: 0, false_positives: 0 };
        assert_eq!(Score::Precision.of(nothing, 10, 30, 3), None);
        assert_eq!(Score::PrecisionRecall.of(nothing, 10, 30, 3), None);
        assert_eq!(Score::Laplace.of(nothing, 10, 30, 3), Some(0.5));
    }
}
