//! The settings of all learners. Each learner has the settings that its configuration declares.
//!
//! Settings that several learners share.

use gleaner_engine::search::MANY_POSITIVES;
use gleaner_lang::program::settings::{
    DataSummary, Declaration, Form, Given, LARGE, LEARNER, OwnDefault, Refusal, Setting, SettingType,
    Settings, Source, words,
};
use gleaner_stats::ml::PseudoCounts;

use super::deciding::OperatingPoint;
use super::learner::AnyLearner;
use super::registry::{learner_named, learner_names, learners};
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

/// Seed examples that clauses are searched from.
pub static SEEDS: Setting<usize> = Setting::within("seeds", 1..=1_000_000, "50")
    .unit("seed examples")
    .help("Seed examples searched from (K)")
    .source("[GLEANER §5.6]");

/// Fewest tune positives of a clause that votes: 2 as in the thesis where there are many train positives, else 0.
pub static MIN_TUNE_POSITIVES: Setting<usize> = Setting::auto("min-tune-pos", 0..=LARGE, |given| {
    if given.data.n_train_positives >= MANY_POSITIVES { 2 } else { 0 }
})
.unit("examples")
.help("Fewest tune positives of a clause that votes; auto: 2 from 500 train positives on, else 0")
.source("[GLEANER §3.2]");

/// Numbers of clauses at which the metrics of smaller models are noted too.
pub static CURVE_CLAUSES: Setting<Vec<usize>> = Setting::new("curve-clauses", "1,5,10,15,20,25,50")
    .unit("clauses")
    .help("Clauses of each theory, or of a network, at which the areas are also recorded")
    .source("[GLEANER §5.2]");

/// The weight of what is known without data, where shares are estimated.
pub static M_ESTIMATE: Setting<f64> = Setting::within("m-estimate", 0.001..=1000.0, "1")
    .unit("examples")
    .help("Examples that the equal shares of all words count as, for bag-of-words and text-hmm")
    .source("[GLEANER §5.7]")
    .recorded_where_changed();

/// The threshold that `predict` decides by.
pub static OPERATING_POINT: Setting<OperatingPoint> = Setting::new("operating-point", "mean-f1")
    .help(
        "How predict decides, by figures expected from the probabilities: mean-f1 of both classes, best-f1, \
         recall=R (the nearest to R), \
         precision=P, f-beta=B, accuracy, cost=FP:FN",
    )
    .source("our own, by experiment; best-f1 on tune: [GLEANER §5.4]");

words! {
    /// The pseudo-counts that naive Bayes and its kin add to counts.
    pub enum Smoothing {
        /// Two examples of both classes together, shared as the classes are.
        ///
        /// DIVERGENCE from the thesis: if classes are skewed, one added to each count speaks for the positive class
        /// without any evidence.
        ClassSizes = "class-sizes",
        /// One to each count, as Laplace.
        AddOne = "add-one",
    }
}

impl Smoothing {
    /// The pseudo-counts that are added.
    pub const fn pseudo_counts(self) -> PseudoCounts {
        match self {
            Self::ClassSizes => PseudoCounts::ClassSizes,
            Self::AddOne => PseudoCounts::One,
        }
    }
}

/// The pseudo-counts that naive Bayes, TAN and votes by naive Bayes add to counts.
pub static SMOOTHING: Setting<Smoothing> = Setting::new("smoothing", "class-sizes")
    .only("votes", &["naive-bayes"])
    .only("theory-weights", &["naive-bayes", "tan"])
    .only("network", &["naive-bayes", "tan"])
    .only("classifier", &["naive-bayes", "tan"])
    .help("What naive Bayes and TAN add to counts: two examples shared as the classes are, or one to each count")
    .source("our own; add-one: [GLEANER §8.1]");

words! {
    /// The examples whose counts say how precise a clause is, where votes or sums of clauses go by precision.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VoteSet {
        /// Train, on which clauses were searched for.
        Train = "train",
        /// Tune. A clause that covers no positive of tune has no vote.
        Tune = "tune",
    }
}

/// The examples whose counts weigh votes, and the clauses of binned features.
pub static VOTE_SET: Setting<VoteSet> = Setting::new("vote-set", "train")
    .only("votes", &["precision", "shared"])
    .only("features", &["binned", "normalised"])
    .recorded_where_changed()
    .help("Examples whose counts give the precision that weighs a vote, or a clause of binned features")
    .source("[GLEANER §7.2.2, §8.3]: train, and tune recommended");

/// Rounds of boosting.
pub static ROUNDS: Setting<usize> = Setting::within("rounds", 1..=1_000_000, "100")
    .unit("rounds")
    .help("Rounds of boosting (T), each of a clause or of a tree")
    .source("[PRANKBOOST §5]; trees: RDNBOOST");

/// Numbers of rounds, ascending, at which the metrics are noted too.
pub static CURVE_ROUNDS: Setting<Vec<usize>> =
    Setting::new("curve-rounds", "1,2,5,10,15,20,25,30,40,50,60,75,100,150,200,300,500,1000")
        .unit("rounds")
        .help("Rounds of boosting at which the areas are also recorded")
        .source("[PRANKBOOST §5]");

words! {
    /// Whether rounds are learnt again once tune has chosen them.
    pub enum Refit {
        /// Nothing.
        None = "none",
        /// As many rounds, from train and tune.
        TrainAndTune = "train-and-tune",
    }
}

/// Whether rounds are learnt again once tune has chosen them, or been scored.
pub static REFIT: Setting<Refit> = Setting::new("refit", "none")
    .help("Whether boosting, once tune has been used, learns as many rounds again from train and tune; rdn-boost and tree do by default")
    .source("our own");
