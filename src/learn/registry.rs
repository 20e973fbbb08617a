//! All learners: one line each.

use crate::program::settings::{DataSummary, Settings};

use super::learner::{AnyLearner, Configured, LearnerName};

/// All learners, in the order of the help.
pub static LEARNERS: &[&dyn AnyLearner] = &[
    &super::auto::Auto,
    &super::gleaner::Gleaner,
    &super::srl::Srl,
    &super::covering::Covering,
    &super::boost::Boost,
    &super::best_clause::BestClause,
    &super::sayu::Sayu,
    &super::mlynx::Mlynx,
    &super::trees::Trees,
];

/// The learner that has this name.
#[must_use]
pub fn learner_named(name: &str) -> Option<&'static dyn AnyLearner> {
    let has_name = |learner: &&dyn AnyLearner| learner.names().iter().any(|known| known.name == name);
    LEARNERS.iter().copied().find(has_name)
}

/// The names of all learners.
pub fn learner_names() -> impl Iterator<Item = &'static LearnerName> {
    LEARNERS.iter().flat_map(|learner| learner.names())
}

/// Whether some learner writes a table of this name into the folder of a run.
#[must_use]
pub fn is_table_of_a_learner(name: &str) -> bool {
    LEARNERS.iter().any(|learner| learner.tables().contains(&name))
}

/// The learner that is set, with its settings; `auto` ones depend on the data.
///
/// # Panics
///
/// When the settings name no learner of the registry, which is a bug.
#[must_use]
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
