//! Folds as calls name them.

use crate::jobs::FoldChoice;
use crate::jobs::chosen_set::{ChosenSet, RunSet};

use super::Error;

/// A set of the run of a fold.
pub(super) fn set_of_fold(fold: &str, set: RunSet) -> Result<ChosenSet, Error> {
    Ok(ChosenSet { of_run: Some((fold_named(fold)?, set)) })
}

/// A fold by its number from 1, or its name.
pub(super) fn fold_named(fold: &str) -> Result<FoldChoice, Error> {
    fold.parse().map_err(|takes: String| Error::bad_value("fold", fold, takes))
}
