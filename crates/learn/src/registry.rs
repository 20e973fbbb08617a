//! All learners: those that learn by themselves, and those that learn by them.

use gleaner_lang::program::settings::{DataSummary, Settings};

use super::base_learners::BASE_LEARNERS;
use super::learner::{AnyLearner, Configured, LearnerName};

/// All learners, in the order of the help.
pub fn learners() -> impl Iterator<Item = &'static dyn AnyLearner> {
    const BY_OTHERS: &[&dyn AnyLearner] = &[&super::auto::Auto];
    BY_OTHERS.iter().chain(BASE_LEARNERS).copied()
}

/// The learner that has this name.
pub fn learner_named(name: &str) -> Option<&'static dyn AnyLearner> {
    learners().find(|learner| learner.has_name(name))
}

/// The names of all learners.
pub fn learner_names() -> impl Iterator<Item = &'static LearnerName> {
    learners().flat_map(|learner| learner.names())
}

/// Whether some learner writes a table of this name into the folder of a run.
pub fn is_table_of_a_learner(name: &str) -> bool {
    learners().any(|learner| learner.tables().contains(&name))
}

/// The learner that is set, with its settings; `auto` ones depend on the data.
///
/// # Panics
///
/// When the settings name no learner of the registry, which is a bug.
pub fn configured_learner(settings: &Settings, data: DataSummary) -> Box<dyn Configured> {
    let learner = learner_named(&settings.learner()).expect("settings name a learner of the registry");
    learner.configured(settings, data)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::learner_names;

    #[test]
    fn no_two_learners_have_one_name() {
        let names: Vec<&str> = learner_names().map(|known| known.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
