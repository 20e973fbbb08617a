//! The facts that the examples of a run see: those of the data, and what follows from the run's train examples.

use gleaner_data::Problem;

use crate::experiment::runs::known_target::with_known_target;
use crate::experiment::runs::split::Split;
use crate::experiment::runs::train_facts::with_train_facts;

/// The problem as a run sees it; `None` where all runs see the same. Bodies that know the target do not go with rules about
/// train examples, so at most one of the two changes the problem.
///
/// **Cost**: that of [`with_known_target`] or of [`with_train_facts`].
pub fn with_facts_of_run(problem: &Problem, split: &Split) -> Option<Problem> {
    with_known_target(problem, split).or_else(|| with_train_facts(problem, split))
}
