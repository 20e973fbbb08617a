//! Which positions hold an example, and its class.

use super::error::{FeatureError, Kind};
use gleaner_base::ExampleSet;

/// The classes of the examples at `n_positions` positions; a position may hold none.
///
/// **Invariant**: no position is of both classes; there are fewer than `2^32` positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    positives: ExampleSet,
    negatives: ExampleSet,
    n_positives: usize,
    n_negatives: usize,
}

impl Labels {
    /// The labels of these examples; positions in neither set hold no example.
    ///
    /// # Errors
    ///
    /// When the sets have different universes, share a position, or have `2^32` positions or more.
    pub fn new(positives: ExampleSet, negatives: ExampleSet) -> Result<Self, FeatureError> {
        let (n_positive_positions, n_negative_positions) = (positives.universe(), negatives.universe());
        if n_positive_positions != n_negative_positions {
            return Err(Kind::Universes { n_positive_positions, n_negative_positions }.into());
        }
        if u32::try_from(n_positive_positions).is_err() {
            return Err(Kind::TooMany { n_positions: n_positive_positions }.into());
        }
        let mut both = positives.clone();
        both.intersect_with(&negatives);
        if let Some(position) = both.iter().next() {
            return Err(Kind::TwoClasses { position }.into());
        }
        let (n_positives, n_negatives) = (positives.count(), negatives.count());
        Ok(Self { positives, negatives, n_positives, n_negatives })
    }

    /// The positions of positives.
    #[must_use]
    pub const fn positives(&self) -> &ExampleSet {
        &self.positives
    }

    /// The positions of negatives.
    #[must_use]
    pub const fn negatives(&self) -> &ExampleSet {
        &self.negatives
    }

    /// The number of positions, those without an example included.
    #[must_use]
    pub const fn n_positions(&self) -> usize {
        self.positives.universe()
    }

    /// `P`.
    #[must_use]
    pub const fn n_positives(&self) -> usize {
        self.n_positives
    }

    /// `N`.
    #[must_use]
    pub const fn n_negatives(&self) -> usize {
        self.n_negatives
    }

    /// `P + N`.
    #[must_use]
    pub const fn n_examples(&self) -> usize {
        self.n_positives + self.n_negatives
    }
}
