//! Settings of networks over clauses, checked.

use crate::OperatingPoint;
use crate::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{CURVE_CLAUSES, MIN_TUNE_POSITIVES, OPERATING_POINT, SEEDS, SMOOTHING, Smoothing};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::{MAX_LITERALS, SearchConfig, SearchLimits};
use gleaner_lang::program::settings::{Group, LARGE, Setting, settings, words};

words! {
    /// The network that scores examples by the clauses that cover them.
    pub enum NetworkKind {
        /// Naive Bayes: clauses are independent given the class.
        NaiveBayes = "naive-bayes",
        /// Naive Bayes in which each clause depends on at most one other.
        Tan = "tan",
        /// A support vector machine with the linear kernel.
        Svm = "svm",
        /// A support vector machine with the kernel `(1 + x·x')²`.
        PolynomialSvm = "polynomial-svm",
    }
}

words! {
    /// The score that a clause must raise.
    pub enum NetworkScore {
        /// The area under the precision-recall curve of tune.
        TuneAucPr = "tune-auc-pr",
        /// The area under the precision-recall curve of train.
        TrainAucPr = "train-auc-pr",
        /// The conditional log-likelihood of the classes of train, by the logistic of the score.
        TrainLikelihood = "train-likelihood",
        /// The same of tune: the highest where the mean cross entropy of tune is the least. [GLEANER §7.3]
        TuneLikelihood = "tune-likelihood",
    }
}

words! {
    /// The clause of a seed that is kept.
    pub enum Adoption {
        /// The first that raises the score enough; the search of its seed then ends.
        Eager = "eager",
        /// The clause that raises the score most.
        Best = "best",
    }
}

words! {
    /// The measure that the search for a clause maximises.
    pub enum Guide {
        /// The score of the clause alone.
        Score = "score",
        /// The score of the network with the clause.
        Network = "network",
    }
}

words! {
    /// The examples that the numbers of the last network are estimated on.
    pub enum NetworkFit {
        /// Train.
        Train = "train",
        /// Train and tune together.
        TrainAndTune = "train-and-tune",
    }
}

/// The name of the setting for the kind of network.
pub const NETWORK: &str = "network";

const SVMS: &[&str] = &[NetworkKind::Svm.word(), NetworkKind::PolynomialSvm.word()];

settings! {
    /// Settings of networks over clauses.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SayuConfig {
        /// The network that scores examples.
        pub network: NetworkKind = Setting::new(NETWORK, "naive-bayes")
            .help("Model that scores examples by clauses: naive Bayes, its tree-augmented form, a support vector \
                 machine")
            .source("[SAYU], [NFOIL], [KFOIL]"),
        /// The score that a clause must raise.
        pub score: NetworkScore = Setting::new("network-score", "tune-auc-pr")
            .help("What a clause must raise to be kept: an area, or the likelihood of the classes")
            .source("[SAYU]: tune-auc-pr; [NFOIL]: train-likelihood; [GLEANER §7.3]: cross entropy"),
        /// The least rise, as a share of the score before.
        pub least_rise: f64 = Setting::within("least-rise", 0.0..=1_000.0, "0.02")
            .unit("share")
            .help("How much a clause must raise the network's score, as a share of the score before")
            .source("[SAYU]: 0.02; [NFOIL]: 0.001"),
        /// The clause of a seed that is kept.
        pub adoption: Adoption = Setting::new("adoption", "eager")
            .help("Which clause of a seed is kept: the first that raises the score enough, or the best")
            .source("[SAYU]: eager; [NFOIL]: best"),
        /// The measure that the search for a clause maximises.
        pub guide: Guide = Setting::new("guide", "score")
            .help("What the search for a clause maximises: ⁅score⁆ of the clause, or the network's score with it")
            .source("[SAYU]: score; [NFOIL]: network"),
        /// Most clauses of the network, `None` for any number.
        pub max_clauses: Option<usize> = Setting::auto("network-clauses", 1..=LARGE, |_| None)
            .unit("clauses")
            .help("Most clauses of a network; auto: any number")
            .source("[NFOIL]: 25"),
        /// The weight of mistakes beside the weights' squares.
        pub cost: f64 = Setting::within("network-cost", 1e-9..=1e9, "1")
            .only(NETWORK, SVMS)
            .unit("weight")
            .help("C: weight of mistakes in a network that is a support vector machine")
            .source("our own"),
        /// The examples that the numbers of the last network are estimated on.
        pub fit: NetworkFit = Setting::new("network-fit", "train")
            .help("Examples on which the network's numbers are estimated")
            .source("our own"),
        /// Numbers of clauses, ascending, at which the area of smaller networks is noted too.
        pub curve_clauses: Vec<usize> = &CURVE_CLAUSES,
        /// The pseudo-counts that naive Bayes and TAN add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// Seed examples searched from.
        pub n_seeds: usize = &SEEDS,
        /// Limits of each seed's search.
        pub limits: SearchLimits = Group,
        /// The search for one clause.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// Most literals of a clause, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Fewest tune positives of a clause.
        pub min_tune_positives: usize = &MIN_TUNE_POSITIVES,
        /// Whether clauses are reduced before they vote.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

/// SAYU's defaults that differ from the settings' own. Numbers of clauses, least precision and cost, here and below,
/// were chosen on generated problems, two universities and two of sentences, and on tune areas of UW-CSE. No source
/// names them.
pub const SAYU_DEFAULTS: &[(&str, &str)] = &[("clauses", "1000"), ("min-precision", "0.1")];

/// nFOIL's defaults that differ from the settings' own.
pub const NFOIL_DEFAULTS: &[(&str, &str)] = &[
    ("network-score", "train-likelihood"),
    ("least-rise", "0.001"),
    ("adoption", "best"),
    ("guide", "network"),
    ("network-clauses", "25"),
    ("search", "beam"),
    ("beam-width", "5"),
    ("clauses", "1000"),
    ("min-precision", "0.1"),
];

/// kFOIL's defaults that differ from the settings' own.
pub const KFOIL_DEFAULTS: &[(&str, &str)] = &[
    ("network", "svm"),
    ("network-score", "train-auc-pr"),
    ("network-cost", "0.01"),
    ("least-rise", "0.001"),
    ("adoption", "best"),
    ("guide", "network"),
    ("network-clauses", "25"),
    ("search", "beam"),
    ("beam-width", "5"),
    ("clauses", "300"),
    ("min-precision", "0.1"),
];

impl SayuConfig {
    /// Whether these settings find the same as the other ones. They may differ in the last network's numbers, in what
    /// is noted, in how clauses are reduced, and in what decides.
    pub fn same_search(&self, other: &Self) -> bool {
        let fitted_alike = Self {
            fit: self.fit,
            curve_clauses: self.curve_clauses.clone(),
            reduce_clauses: self.reduce_clauses,
            operating_point: self.operating_point,
            ..other.clone()
        };
        fitted_alike == *self
    }
}
