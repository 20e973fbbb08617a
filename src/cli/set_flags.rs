//! Which examples a command counts: all, or those of a run's set.

use clap::{Args, ValueEnum};

use crate::experiment::split::{SetExamples, undivided};
use crate::experiment::without_effect::Use;

use super::failure::Failure;
use super::flags::FoldChoice;
use super::output::Output;
use super::session::{Session, chosen_split};

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
    /// Warns of settings that divide examples for nothing.
    pub(super) fn warn(&self, session: &Session, output: &Output) {
        session.warn_of_division(if self.fold.is_some() { Use::Runs } else { Use::Undivided }, output);
    }

    /// The examples that are counted.
    pub(super) fn chosen(&self, session: &Session) -> Result<SetExamples, Failure> {
        let Some(fold) = &self.fold else {
            return Ok(undivided(&session.problem, session.rng_seed));
        };
        let splits = session.splits()?;
        let split = chosen_split(&splits, fold)?;
        let [train, tune, test] = split.sets();
        Ok(match self.set.unwrap_or_default() {
            Set::Train => train,
            Set::Tune => tune,
            Set::Test => test,
        })
    }
}
