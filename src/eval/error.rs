//! What the room refuses: numbers that no ranking, curve or fold can be made of.

use std::fmt;

/// A score, weight, point or fraction that cannot be evaluated; the message holds its value.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Score { position: usize, score: f64 },
    Weight { position: usize, weight: f64 },
    Point { position: usize, true_positives: f64, false_positives: f64, totals: (f64, f64) },
    Totals { n_positives: f64, n_negatives: f64 },
    Threshold { position: usize, threshold: f64 },
    Lengths { n_labels: usize, n_groups: usize },
    Fraction { fraction: f64 },
}

impl From<Kind> for EvalError {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Score { position, score } => {
                write!(f, "score {score} of example {position} (from 0) is not a finite number")
            }
            Kind::Weight { position, weight } => {
                write!(
                    f,
                    "weight {weight} of example {position} (from 0) is not a finite number of at least 0"
                )
            }
            Kind::Point { position, true_positives, false_positives, totals: (n_positives, n_negatives) } => {
                write!(
                    f,
                    "point {position} (from 0) has {true_positives} true and {false_positives} false positives; \
                     accepted are 0 to {n_positives} and 0 to {n_negatives}"
                )
            }
            Kind::Totals { n_positives, n_negatives } => write!(
                f,
                "{n_positives} positives and {n_negatives} negatives are not finite numbers of at least 0"
            ),
            Kind::Threshold { position, threshold } => {
                write!(f, "threshold {threshold} at {position} (from 0) is not a number")
            }
            Kind::Lengths { n_labels, n_groups } => {
                write!(f, "{n_labels} labels but {n_groups} groups; each example needs one group")
            }
            Kind::Fraction { fraction } => write!(f, "fraction {fraction} is not between 0 and 1"),
        }
    }
}

impl std::error::Error for EvalError {}
