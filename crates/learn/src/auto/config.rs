//! Settings of the choice among learners, checked.

use crate::OperatingPoint;
use crate::base_learners::{base_learner_named, base_learner_names};
use crate::shared_config::OPERATING_POINT;
use gleaner_lang::program::order::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, DataSummary, Declaration, Form, Given, LEARNER, Refusal, Setting, SettingType, Settings,
    Source, Value, settings, words,
};

/// The learner's name.
pub const AUTO: &str = "auto";

/// More candidates have too many means.
const MOST_CANDIDATES: usize = 6;

words! {
    /// The choice to take among those within one standard error.
    pub enum Prefer {
        /// The mean of most learners.
        Accuracy = "accuracy",
        /// The one that is easier to read: of fewer learners, then the one named first.
        Readable = "readable",
    }
}

/// Learners that are tried, each once: those that are easier to read first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateLearners(pub Vec<&'static str>);

impl SettingType for CandidateLearners {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted((): &()) -> String {
        format!(
            "up to {MOST_CANDIDATES} other learners separated by commas, as gleaner,rdn-boost: {}",
            Self::words().join(", ")
        )
    }

    fn words() -> Vec<&'static str> {
        base_learner_names().map(|known| known.name).collect()
    }

    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        let known = Self::words();
        let mut names = Vec::new();
        for part in text.split(',') {
            let name = known.iter().find(|&&name| name == part.trim()).ok_or(Refusal::NotAccepted)?;
            if names.contains(name) {
                return Err(Refusal::NotAccepted);
            }
            names.push(*name);
        }
        if names.len() <= MOST_CANDIDATES { Ok(Self(names)) } else { Err(Refusal::NotAccepted) }
    }

    /// The names without blanks.
    fn kept(&self, _: &str) -> Value {
        Value::Word(self.0.join(","))
    }
}

/// The settings and data that candidates are configured by.
#[derive(Clone, Debug, PartialEq)]
pub struct ForCandidates {
    /// All settings as the user made them.
    pub settings: Settings,
    /// The data that `auto` settings depend on.
    pub data: DataSummary,
}

const CANDIDATE_LEARNERS: &str = "candidate-learners";

static CANDIDATES: Setting<CandidateLearners> = Setting::new(CANDIDATE_LEARNERS, "aleph,tree,rdn-boost,srl")
    .help(
        "Learners that ⁅learner=auto⁆ chooses among, the easiest to read first; of tables of a database: \
               prankboost-clause,rdn-boost",
    )
    .source("our own, by experiment");

/// The candidates for a database, where the user names none: clauses say what single rows are like, and trees what
/// aggregates come to. Both cost little.
const OF_DATABASE: [&str; 2] = ["prankboost-clause", "rdn-boost"];

/// The candidates; where scores keep an order, those that keep it. If none does, a job refuses the settings.
struct ThatKeepOrder;

impl Source<CandidateLearners> for ThatKeepOrder {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(&CANDIDATES);
    }

    fn read(&self, given: &Given<'_>) -> CandidateLearners {
        let CandidateLearners(mut asked) = CANDIDATES.read(given);
        if given.data.is_database && !given.settings.is_set(CANDIDATE_LEARNERS) {
            asked = OF_DATABASE.to_vec();
        }
        let kept: Vec<&'static str> =
            asked.iter().copied().filter(|name| keeps_order(name, given.settings)).collect();
        CandidateLearners(if kept.is_empty() { asked } else { kept })
    }
}

/// The candidates that are left out, as their scores do not keep the order that is asked for.
pub fn left_out_by_order(settings: &Settings) -> Vec<&'static str> {
    let CandidateLearners(asked) = CANDIDATES.read(&Given { settings, data: DataSummary::default() });
    asked.into_iter().filter(|name| !keeps_order(name, settings)).collect()
}

/// Whether a candidate keeps the order that is asked for, if one is.
fn keeps_order(name: &str, settings: &Settings) -> bool {
    let mut own = settings.clone();
    let asks = !MONOTONE.read(&Given { settings, data: DataSummary::default() }).0.is_empty();
    let is_kept = own.set(LEARNER, name).is_ok()
        && base_learner_named(name).is_some_and(|learner| learner.keeps_order(&own).is_ok());
    !asks || is_kept
}

settings! {
    /// Settings of the choice.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AutoConfig {
        /// The choice to take among those within one standard error.
        pub prefer: Prefer = Setting::new("prefer", "accuracy")
            .help("Choice of ⁅learner=auto⁆ within one standard error of the best: the mean of most learners, or \
                 the easiest to read")
            .source("our own, by experiment"),
        /// The learners that are tried.
        pub candidates: CandidateLearners = ThatKeepOrder,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// The settings and data that candidates are configured by.
        pub of_candidates: ForCandidates = Computed(for_candidates),
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

fn for_candidates(given: &Given<'_>) -> ForCandidates {
    ForCandidates { settings: given.settings.clone(), data: given.data }
}
