//! Errors of this room: labels and columns that do not fit together.

/// Labels or columns from which no table can be made; the message holds what does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct FeatureError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Kind {
    #[error(
        "positives are among {n_positive_positions} positions but negatives among {n_negative_positions}; \
         both classes need the same positions"
    )]
    Universes { n_positive_positions: usize, n_negative_positions: usize },
    #[error("position {position} (from 0) is positive and negative; an example has one class")]
    TwoClasses { position: usize },
    #[error("{n_positions} positions are too many; accepted are fewer than 2^32")]
    TooMany { n_positions: usize },
    #[error("feature {feature} (from 0) holds position {position} (from 0), where there is no example")]
    NoExample { feature: usize, position: u32 },
}

impl From<Kind> for FeatureError {
    fn from(kind: Kind) -> Self {
        Self { kind }
    }
}
