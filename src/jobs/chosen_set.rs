//! The examples that a job counts: all, or those of a run's set.

use crate::experiment::runs::split::{SetExamples, undivided};
use crate::experiment::settings::without_effect::Use;

use super::failure::Failure;
use super::listener::Listener;
use super::session::{FoldChoice, Session, chosen_split};

/// A set of the examples of one run of cross-validation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum RunSet {
    /// Clauses are found on these.
    Train,
    /// These choose thresholds.
    Tune,
    /// These are kept for test.
    #[default]
    Test,
}

/// All examples, or those of this set of the run of a fold.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChosenSet {
    /// The fold and the set.
    pub(crate) of_run: Option<(FoldChoice, RunSet)>,
}

impl ChosenSet {
    /// Warns of settings that divide examples for nothing, and gives the examples that are counted.
    pub(crate) fn examples(
        &self,
        session: &Session,
        listener: &dyn Listener,
    ) -> Result<SetExamples, Failure> {
        let use_of_examples = if self.of_run.is_some() { Use::Runs } else { Use::Undivided };
        session.warn_of_division(use_of_examples, listener);
        session.warn_without_train(listener);
        let Some((fold, set)) = &self.of_run else {
            return Ok(undivided(&session.problem, session.rng_seed));
        };
        let splits = session.splits()?;
        let split = chosen_split(&splits, fold)?;
        let [train, tune, test] = split.sets();
        Ok(match set {
            RunSet::Train => train,
            RunSet::Tune => tune,
            RunSet::Test => test,
        })
    }
}
