//! Settings that all learners read alike.

use crate::program::settings::Settings;

/// The positives from which on the thesis's minimum of 7 train and 2 tune positives is the default.
pub const MANY_POSITIVES: usize = 500;

/// The fewest positives that a clause must cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinPositives {
    /// On train.
    pub train: usize,
    /// On tune.
    pub tune: usize,
}

impl MinPositives {
    /// The default: the thesis's 7 and 2 where there are many train positives, else 2 and 0. [GLEANER §3.2]
    #[must_use]
    pub const fn default_for(n_train_positives: usize) -> Self {
        if n_train_positives >= MANY_POSITIVES {
            Self { train: 7, tune: 2 }
        } else {
            Self { train: 2, tune: 0 }
        }
    }

    /// What is set, and where that is `auto` the default.
    #[must_use]
    pub fn of(settings: &Settings, n_train_positives: usize) -> Self {
        let default = Self::default_for(n_train_positives);
        Self {
            train: settings.size("min-pos").unwrap_or(default.train),
            tune: settings.size("min-tune-pos").unwrap_or(default.tune),
        }
    }
}
