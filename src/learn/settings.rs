//! The settings of all learners: each learner's are those that its configuration declares.

use crate::program::settings::{
    Declaration, Form, LEARNER, OwnDefault, Refusal, Setting, SettingGroup, SettingType, Word,
};

use super::boost::{BoostConfig, BoostVariant};
use super::covering::config::{CoveringConfig, CoveringVariant, OWN_DEFAULTS};
use super::gleaner::GleanerConfig;

/// Which learner learns.
static LEARNER_NAME: Setting<LearnerName> = Setting::new(LEARNER, "gleaner")
    .help("What learns: Gleaner, one covering theory as Aleph's, an ensemble of them, or boosted rules")
    .source("[GLEANER §3.1, §3.2], [PRANKBOOST]");

/// Learners of one configuration.
struct Family {
    names: fn() -> Vec<&'static str>,
    declarations: fn() -> Vec<&'static dyn Declaration>,
    /// Defaults other than the settings' own: setting and default.
    own_defaults: &'static [(&'static str, &'static str)],
}

impl Family {
    fn has(&self, setting: &str) -> bool {
        (self.declarations)().iter().any(|declaration| declaration.about().name == setting)
    }
}

/// All learners, in the order of the help.
static FAMILIES: [Family; 3] = [
    Family { names: || vec!["gleaner"], declarations: GleanerConfig::declarations, own_defaults: &[] },
    Family {
        names: words::<CoveringVariant>,
        declarations: CoveringConfig::declarations,
        own_defaults: OWN_DEFAULTS,
    },
    Family { names: words::<BoostVariant>, declarations: BoostConfig::declarations, own_defaults: &[] },
];

fn words<T: Word>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

/// Every learner's name, in the order of the help.
fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| (family.names)())
}

/// The name of a learner that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnerName(pub &'static str);

impl SettingType for LearnerName {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "WORD";
    const IS_LISTED: bool = true;

    fn accepted((): &()) -> String {
        names().collect::<Vec<_>>().join(", ")
    }

    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        names().find(|name| *name == text).map(Self).ok_or(Refusal::NotAccepted)
    }
}

/// The settings of all learners: which one learns, then those that several share, then those that single learners
/// read; some of these are named several times.
#[must_use]
pub fn declarations() -> Vec<&'static dyn Declaration> {
    let all = || FAMILIES.iter().flat_map(|family| (family.declarations)());
    let first: &'static dyn Declaration = &LEARNER_NAME;
    std::iter::once(first)
        .chain(all().filter(|declaration| is_shared(declaration.about().name)))
        .chain(all().filter(|declaration| !is_shared(declaration.about().name)))
        .collect()
}

/// Whether learners of several configurations read a setting.
#[must_use]
pub fn is_shared(setting: &str) -> bool {
    FAMILIES.iter().filter(|family| family.has(setting)).count() > 1
}

/// Whether a learner reads a setting, by their names.
#[must_use]
pub fn is_read_by(learner: &str, setting: &str) -> bool {
    FAMILIES.iter().filter(|family| (family.names)().contains(&learner)).any(|family| family.has(setting))
}

/// Whether some learner reads a setting; others are about the examples.
#[must_use]
pub fn is_of_learners(setting: &str) -> bool {
    FAMILIES.iter().any(|family| family.has(setting))
}

/// What single learners have as default where it differs from the settings' own.
#[must_use]
pub fn own_defaults() -> Vec<OwnDefault> {
    let of_family = |family: &'static Family| {
        (family.names)().into_iter().flat_map(|learner| {
            family.own_defaults.iter().map(move |&(setting, default)| OwnDefault {
                learner,
                setting,
                default,
            })
        })
    };
    FAMILIES.iter().flat_map(of_family).collect()
}
