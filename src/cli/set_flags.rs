//! Which examples a command counts: all, or those of a run's set.

use clap::Args;

use crate::jobs::FoldChoice;
use crate::jobs::chosen_set::{ChosenSet, RunSet};

#[derive(Debug, Args)]
pub(super) struct SetFlags {
    /// Count only the examples that run FOLD of cv is tested on; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Count the run's examples of this set [default: test].
    #[arg(long, value_name = "SET", requires = "fold")]
    set: Option<RunSet>,
}

impl SetFlags {
    /// The examples that are counted.
    pub(super) fn chosen(&self) -> ChosenSet {
        let set = self.set.unwrap_or_default();
        ChosenSet { of_run: self.fold.clone().map(|fold| (fold, set)) }
    }
}
