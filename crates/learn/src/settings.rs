//! The settings of all learners. Each learner has the settings that its configuration declares.
//!
//! Settings that several learners share.

use gleaner_lang::program::settings::{
    DataSummary, Declaration, Form, Given, LEARNER, OwnDefault, Refusal, Setting, SettingType, Settings,
    Source,
};

use super::learner::AnyLearner;
use super::registry::{learner_named, learner_names, learners};
use super::shared_config::SEEDS;
use super::srl::FEATURE_SEEDS;

/// Which learner learns.
static LEARNER_NAME: Setting<LearnerName> = Setting::new(LEARNER, "auto")
    .help("The learner: several of the others, tried on inner folds; Gleaner, one covering theory as Aleph's, an \
         ensemble of them, boosted rules, a network over clauses, or frequent queries")
    .source("[GLEANER §3.1, §3.2], [PRANKBOOST], [SAYU], [NFOIL], [KFOIL], [MLYNX]");

/// The name of a learner that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnerName(pub &'static str);

impl SettingType for LearnerName {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "WORD";
    const IS_LISTED: bool = true;

    fn accepted((): &()) -> String {
        Self::words().join(", ")
    }

    fn words() -> Vec<&'static str> {
        learner_names().map(|known| known.name).collect()
    }

    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        learner_names()
            .find(|known| known.name == text)
            .map(|known| Self(known.name))
            .ok_or(Refusal::NotAccepted)
    }
}

/// The settings of all learners. First the choice of the learner, then settings that several share, then those that
/// single learners read; some of these are named several times.
pub fn declarations() -> Vec<&'static dyn Declaration> {
    let all = || learners().flat_map(|learner| learner.declarations());
    let first: &'static dyn Declaration = &LEARNER_NAME;
    std::iter::once(first)
        .chain(all().filter(|declaration| is_shared(declaration.about().name)))
        .chain(all().filter(|declaration| !is_shared(declaration.about().name)))
        .collect()
}

/// Whether learners of several configurations declare a setting.
pub fn is_shared(setting: &str) -> bool {
    learners().filter(|learner| declares(*learner, setting)).count() > 1
}

/// Whether a learner reads a setting, both by name. A learner that learns by others may read any of their settings.
pub fn is_read_by(learner: &str, setting: &str) -> bool {
    let reads = |learner: &dyn AnyLearner| {
        declares(learner, setting) || (learner.learns_by_others() && is_of_learners(setting))
    };
    learner_named(learner).is_some_and(reads)
}

/// Whether a learner declares a setting; both are given by name.
pub fn is_declared_by(learner: &str, setting: &str) -> bool {
    learner_named(learner).is_some_and(|learner| declares(learner, setting))
}

/// The settings of the base learners that do the learning: those that the set learner learns by, or the set learner
/// itself.
pub fn of_learning(settings: &Settings) -> Vec<Settings> {
    let others = learner_named(&settings.learner()).map(|learner| learner.others(settings));
    match others {
        Some(others) if !others.is_empty() => others,
        Some(_) | None => vec![settings.clone()],
    }
}

/// Whether some learner reads a setting; the other settings are about the examples.
pub fn is_of_learners(setting: &str) -> bool {
    learners().any(|learner| declares(learner, setting))
}

/// The defaults of single learners that differ from the settings' own.
pub fn own_defaults() -> Vec<OwnDefault> {
    let of_learner = |learner: &'static dyn AnyLearner| {
        learner.names().iter().flat_map(move |known| {
            learner.own_defaults(known.name).iter().map(move |&(setting, default)| OwnDefault {
                learner: known.name,
                setting,
                default,
            })
        })
    };
    learners().flat_map(of_learner).collect()
}

fn declares(learner: &dyn AnyLearner, setting: &str) -> bool {
    learner.declarations().iter().any(|declaration| declaration.about().name == setting)
}

/// How many seeds one run searches from; `None` where the learner does not read `--seeds`.
pub fn n_seeds(settings: &Settings) -> Option<u64> {
    let is_read = |name| is_declared_by(&settings.learner(), name);
    let given = Given { settings, data: DataSummary::default() };
    let n_gatherings =
        if is_read(FEATURE_SEEDS.about().name) { FEATURE_SEEDS.read(&given).n_gatherings() } else { 1 };
    is_read(SEEDS.about().name).then(|| n_gatherings * SEEDS.read(&given) as u64)
}
