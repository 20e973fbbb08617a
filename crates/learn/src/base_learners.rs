//! The learners that learn by themselves: one line each.

use gleaner_lang::program::settings::{DataSummary, Settings};

use super::learner::{AnyLearner, Configured, LearnerName};

/// The learners that learn by themselves, in the order of the help.
pub(super) static BASE_LEARNERS: &[&dyn AnyLearner] = &[
    &super::gleaner::Gleaner,
    &super::srl::Srl,
    &super::covering::Covering,
    &super::boost::Boost,
    &super::best_clause::BestClause,
    &super::sayu::Sayu,
    &super::mlynx::Mlynx,
    &super::trees::Trees,
    &super::bag_of_words::BagOfWords,
    &super::text_hmm::TextHmm,
];

/// The base learner of this name.
pub(crate) fn base_learner_named(name: &str) -> Option<&'static dyn AnyLearner> {
    BASE_LEARNERS.iter().copied().find(|learner| learner.has_name(name))
}

/// Their names.
pub(crate) fn base_learner_names() -> impl Iterator<Item = &'static LearnerName> {
    BASE_LEARNERS.iter().flat_map(|learner| learner.names())
}

/// The base learner that is set, with its settings; `auto` settings depend on the data.
///
/// # Panics
///
/// When the settings name none of them, which is a bug.
pub(crate) fn configured_base_learner(settings: &Settings, data: DataSummary) -> Box<dyn Configured> {
    base_learner_named(&settings.learner()).expect("settings name a learner").configured(settings, data)
}
