//! Which examples a command counts: all, or those of a run's set.

use clap::{Args, ValueEnum};

use crate::jobs::FoldChoice;
use crate::jobs::chosen_set::{self, ChosenSet};

#[derive(Debug, Args)]
pub(super) struct SetFlags {
    /// Count only the examples that run FOLD of cv is tested on; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Count the run's examples of this set [default: test].
    #[arg(long, value_name = "SET", requires = "fold")]
    set: Option<Set>,
}

/// The examples of a run, by what they are for.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Set {
    Train,
    Tune,
    #[default]
    Test,
}

impl SetFlags {
    /// The examples that are counted.
    pub(super) fn chosen(&self) -> ChosenSet {
        let set = match self.set.unwrap_or_default() {
            Set::Train => chosen_set::Set::Train,
            Set::Tune => chosen_set::Set::Tune,
            Set::Test => chosen_set::Set::Test,
        };
        ChosenSet { of_run: self.fold.clone().map(|fold| (fold, set)) }
    }
}
