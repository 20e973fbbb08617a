//! What the room refuses: labels and columns that do not fit together.

use std::fmt;

/// Labels or columns from which no table can be made; the message holds what does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Universes { n_positive_positions: usize, n_negative_positions: usize },
    TwoClasses { position: usize },
    TooMany { n_positions: usize },
    NoExample { feature: usize, position: u32 },
}

impl From<Kind> for FeatureError {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for FeatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Universes { n_positive_positions, n_negative_positions } => write!(
                f,
                "positives are among {n_positive_positions} positions but negatives among {n_negative_positions}; \
                 both classes need the same positions"
            ),
            Kind::TwoClasses { position } => {
                write!(f, "position {position} (from 0) is positive and negative; an example has one class")
            }
            Kind::TooMany { n_positions } => {
                write!(f, "{n_positions} positions are too many; accepted are fewer than 2^32")
            }
            Kind::NoExample { feature, position } => write!(
                f,
                "feature {feature} (from 0) holds position {position} (from 0), where there is no example"
            ),
        }
    }
}

impl std::error::Error for FeatureError {}
