//! The settings that several learners share.

use gleaner_engine::search::MANY_POSITIVES;
use gleaner_lang::program::settings::{LARGE, Setting, words};
use gleaner_stats::ml::PseudoCounts;

use super::deciding::OperatingPoint;

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
