//! Settings of GleanerSRL.

use crate::OperatingPoint;
use crate::gleaner::GatheringConfig;
use crate::pooled_sets::HeldOutParts;
use crate::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{OPERATING_POINT, SMOOTHING, Smoothing, VOTE_SET, VoteSet};
use gleaner_engine::mining::MiningConfig;
use gleaner_engine::mining::config::MINED_OR_SEARCHED;
use gleaner_lang::program::settings::{Given, Group, Setting, Source, settings, words};

words! {
    /// The form of the columns. [GLEANERSRL §2.2]
    pub enum FeatureKind {
        /// A column for each distinct coverage: 1 where it covers the example.
        Boolean = "boolean",
        /// A column for each bin: the sum of the precisions of its clauses that cover the example.
        Binned = "binned",
        /// The sum over the greatest sum of the column on train.
        Normalised = "normalised",
    }
}

words! {
    /// How alike two examples are that a clause covers. [GLEANERSRL §2.3, Table 1]
    pub enum Kernel {
        /// The square of the greater of two numbers: `TP / (TP + FP + 3)` and `0.3 (FPR - TPR) / (FPR + TPR)`. The
        /// second is for clauses that cover a larger share of the negatives than of the positives.
        ///
        /// DIVERGENCE from the paper's kernels: these give clauses of one or two positives the most weight, and clauses that
        /// cover negatives alone none.
        Evidence = "evidence",
        /// The square of the clause's precision.
        BothPositive = "both-pos",
        /// Its precision.
        Precision = "precision",
        /// 1 less its recall.
        Recall = "recall",
        /// 1.
        DotProduct = "dot",
        /// The information in the fact that the examples are both covered, one alone or neither, in bits. By it, two
        /// examples may be more alike than either is to itself.
        Info = "info",
        /// How many clauses cover both examples or neither.
        Hamming = "hamming",
        /// `exp(-d / n)` where `d` of `n` clauses cover one of the examples alone.
        Gaussian = "gaussian",
    }
}

impl Kernel {
    /// Whether it is a sum over the clauses that cover both examples. Then a column for each clause, with a factor,
    /// stands for it.
    pub const fn is_product(self) -> bool {
        match self {
            Self::Evidence | Self::BothPositive | Self::Precision | Self::Recall | Self::DotProduct => true,
            Self::Info | Self::Hamming | Self::Gaussian => false,
        }
    }
}

words! {
    /// The classifier that weighs the columns.
    pub enum Classifier {
        /// A support vector machine with the squared hinge loss.
        Svm = "svm",
        /// The support vector machine with the L1 penalty, by which most weights are 0.
        SparseSvm = "l1-svm",
        /// The C-SVM: the hinge loss.
        CSvm = "c-svm",
        /// Logistic regression.
        Logistic = "logistic",
        /// Logistic regression with the L1 penalty.
        SparseLogistic = "l1-logistic",
        /// The 1-norm support vector machine: a weight for the likeness to each example of train; most weights are 0.
        LinearProgram = "linear-program",
        /// Naive Bayes.
        NaiveBayes = "naive-bayes",
        /// Naive Bayes in which each clause depends on at most one other.
        TreeAugmented = "tan",
    }
}

impl Classifier {
    /// Whether it has a `C`.
    pub const fn has_cost(self) -> bool {
        !matches!(self, Self::NaiveBayes | Self::TreeAugmented)
    }
}

words! {
    /// The weight of an example of each class when weights are fitted.
    pub enum ClassWeights {
        /// Each example counts as much as one of the other class.
        None = "none",
        /// An example counts so much that both classes count the same.
        Balanced = "balanced",
    }
}

words! {
    /// The seeds that clauses are searched from, or queries in place of a search.
    pub enum FeatureSeeds {
        /// Positives.
        Positives = "positives",
        /// Positives, and as many negatives, with the classes exchanged: a clause that covers negatives alone speaks against
        /// an example.
        Both = "both",
        /// Nothing: frequent queries are mined on train instead. [MLYNX §2]
        Queries = "queries",
    }
}

words! {
    /// The examples that `C` is chosen on.
    pub enum CostSet {
        /// The given folds of train and tune, at most five together, or else five that are made of both. Each is scored
        /// by a classifier whose clauses were searched for, and weighed, without it.
        CrossFitted = "cross-fitted",
        /// Tune, or inner folds where tune has fewer than 50 positives.
        TuneOrFolds = "tune-or-folds",
        /// Tune, by classifiers of train.
        Tune = "tune",
        /// The given folds of train and tune, or else five that are made of both. Each is scored by a classifier of the
        /// others.
        InnerFolds = "inner-folds",
    }
}

impl CostSet {
    /// The examples that are held out.
    pub const fn parts(self) -> HeldOutParts {
        match self {
            Self::TuneOrFolds => HeldOutParts::TuneOrFolds,
            Self::Tune => HeldOutParts::Tune,
            Self::InnerFolds | Self::CrossFitted => HeldOutParts::InnerFolds,
        }
    }
}

/// The seeds that clauses are searched from, or queries in place of a search.
pub static FEATURE_SEEDS: Setting<FeatureSeeds> = Setting::new(MINED_OR_SEARCHED, "both")
    .help(
        "Seeds of the clauses: positives, or also negatives for evidence against; queries: mined instead of \
         searched",
    )
    .source("our own, by experiment; positives: [GLEANERSRL §2.1]");

impl FeatureSeeds {
    /// The number of times that seeds are searched from.
    pub const fn n_gatherings(self) -> u64 {
        match self {
            Self::Queries => 0,
            Self::Positives => 1,
            Self::Both => 2,
        }
    }
}

/// The name of the setting for the classifier that weighs the columns.
const CLASSIFIER: &str = "classifier";

const BOOLEAN: &[&str] = &[FeatureKind::Boolean.word()];
const NETWORKS: &[&str] = &[Classifier::NaiveBayes.word(), Classifier::TreeAugmented.word()];
const WITH_KERNELS: &[&str] = &[
    "auto",
    Classifier::Svm.word(),
    Classifier::SparseSvm.word(),
    Classifier::CSvm.word(),
    Classifier::Logistic.word(),
    Classifier::SparseLogistic.word(),
    Classifier::LinearProgram.word(),
];
const WITH_ANY_KERNEL: &[&str] = &[Classifier::LinearProgram.word()];
const WITHOUT_COLUMNS: &[&str] = &[Kernel::Info.word(), Kernel::Hamming.word(), Kernel::Gaussian.word()];

/// The classifier that takes the kernel.
fn usual_classifier(given: &Given<'_>) -> Classifier {
    if SrlConfig::kernel().read(given).is_product() { Classifier::Svm } else { Classifier::LinearProgram }
}

/// The hinge is least where each example is put into the class that most examples like it have. Where positives are
/// few, that is the negative class wherever the example lies.
fn usual_class_weights(given: &Given<'_>) -> ClassWeights {
    match SrlConfig::classifier().read(given) {
        Classifier::CSvm | Classifier::LinearProgram => ClassWeights::Balanced,
        Classifier::Svm
        | Classifier::SparseSvm
        | Classifier::Logistic
        | Classifier::SparseLogistic
        | Classifier::NaiveBayes
        | Classifier::TreeAugmented => ClassWeights::None,
    }
}

/// The values of `C` that are tried: nine, as in [GLEANERSRL §3].
///
/// DIVERGENCE: from 0.001 to 10, two in each decade, where the paper has one in each from 0.0001 to 10,000. On UW-CSE, over five
/// seeds and five ways to multiply columns, the best for given folds was from 0.01 to 0.1 each of 125 times.
const COSTS: [f64; 9] = [1e-3, 3.2e-3, 1e-2, 3.2e-2, 1e-1, 3.2e-1, 1.0, 3.2, 1e1];

/// The costs for the linear program, by the measure of its classifiers: ten times as large. On UW-CSE the best was from
/// 0.1 on.
const COSTS_OF_PROGRAM: [f64; 9] = [1e-2, 3.2e-2, 1e-1, 3.2e-1, 1.0, 3.2, 1e1, 3.2e1, 1e2];

fn usual_costs(given: &Given<'_>) -> Vec<f64> {
    match SrlConfig::classifier().read(given) {
        Classifier::LinearProgram => COSTS_OF_PROGRAM.to_vec(),
        _ => COSTS.to_vec(),
    }
}

settings! {
    /// Settings of GleanerSRL.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SrlConfig {
        /// How clauses are found.
        pub gathering: GatheringConfig = Group,
        /// How queries are mined in their place.
        pub mining: MiningConfig = Group,
        /// The seeds that clauses are searched from, or queries in place of a search.
        pub feature_seeds: FeatureSeeds = &FEATURE_SEEDS,
        /// The form of the columns.
        pub feature_kind: FeatureKind = Setting::new("features", "boolean")
            .help("A column for each clause, or for each bin the sum of its clauses' precisions")
            .source("[GLEANERSRL §2.2]"),
        /// The examples whose counts say how precise a clause of a bin is.
        pub vote_set: VoteSet = &VOTE_SET,
        /// How alike two examples are that a clause covers.
        pub kernel: Kernel = Setting::new("kernel", "evidence")
            .only("features", BOOLEAN)
            .only(CLASSIFIER, WITH_KERNELS)
            .needs(WITHOUT_COLUMNS, CLASSIFIER, WITH_ANY_KERNEL)
            .help("How alike two examples are that a clause covers")
            .source("our own, by experiment; others: [GLEANERSRL §2.3]"),
        /// The classifier that weighs the columns.
        pub classifier: Classifier = Setting::auto(CLASSIFIER, (), usual_classifier)
            .needs(NETWORKS, "features", BOOLEAN)
            .help("Classifier that weighs the columns; auto: linear-program for the kernels info, hamming and \
                 gaussian, else svm")
            .source("our own, by experiment; [GLEANERSRL §2.3]"),
        /// The pseudo-counts that naive Bayes and TAN add to counts.
        pub smoothing: Smoothing = &SMOOTHING,
        /// The weight of the classes.
        pub class_weights: ClassWeights = Setting::auto("class-weights", (), usual_class_weights)
            .only(CLASSIFIER, WITH_KERNELS)
            .help(
                "Whether the rarer class counts as much in all as the other when weights are fitted; auto: balanced \
                 for linear-program and c-svm, else none",
            )
            .source("our own"),
        /// The examples that `C` is chosen on.
        pub cost_set: CostSet = Setting::new("cost-set", "cross-fitted")
            .only(CLASSIFIER, WITH_KERNELS)
            .help("Examples on which C is chosen: inner folds kept from search and weights, inner folds kept from \
                 weights only, or tune")
            .source("our own, by experiment; tune: [GLEANERSRL §3]"),
        /// The values of `C` that are tried.
        pub costs: Vec<f64> = Setting::auto("costs", 1e-9..=1e9, usual_costs)
            .only(CLASSIFIER, WITH_KERNELS)
            .recorded_where_changed()
            .help(
                "Values of C that are tried, in ascending order; auto: 0.001 to 10, two in each decade, ten times as \
                 large for linear-program",
            )
            .source("our own, by experiment; 0.0001 to 10000: [GLEANERSRL §3]"),
        /// Whether clauses are reduced.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}
