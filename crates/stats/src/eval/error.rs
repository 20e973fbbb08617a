//! Errors of scores and weights.

/// A score, weight, point or fraction that cannot be evaluated; the message holds its value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct EvalError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Kind {
    #[error("score {score} of example {position} (from 0) is not a finite number")]
    Score { position: usize, score: f64 },
    #[error("weight {weight} of example {position} (from 0) is not a finite number of at least 0")]
    Weight { position: usize, weight: f64 },
    #[error(
        "point {position} (from 0) has {true_positives} true and {false_positives} false positives; \
         accepted are 0 to {} and 0 to {}", .totals.0, .totals.1
    )]
    Point { position: usize, true_positives: f64, false_positives: f64, totals: (f64, f64) },
    #[error("{n_positives} positives and {n_negatives} negatives are not finite numbers of at least 0")]
    Totals { n_positives: f64, n_negatives: f64 },
    #[error("{n_labels} labels but {n_groups} groups; each example needs one group")]
    Lengths { n_labels: usize, n_groups: usize },
    #[error("fraction {fraction} is not between 0 and 1")]
    Fraction { fraction: f64 },
}

impl From<Kind> for EvalError {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}
