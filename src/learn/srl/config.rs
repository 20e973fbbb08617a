//! Settings of GleanerSRL.

use crate::learn::OperatingPoint;
use crate::learn::gleaner::GatheringConfig;
use crate::learn::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::learn::shared_config::OPERATING_POINT;
use crate::program::settings::{Group, Setting, settings, words};

words! {
    /// What the columns are. [GLEANERSRL §2.2]
    pub enum FeatureKind {
        /// A column for each distinct coverage: 1 where it covers the example.
        Boolean = "boolean",
        /// A column for each bin: the sum of the precisions of its clauses that cover the example.
        Binned = "binned",
        /// The same over the greatest sum of the column on train.
        Normalised = "normalised",
    }
}

words! {
    /// How alike two examples are that a clause covers. [GLEANERSRL §2.3, Table 1]
    pub enum Kernel {
        /// The square of `TP / (TP + FP + 3)` or, of clauses that cover a larger share of the negatives than of the positives,
        /// of `0.3 (FPR - TPR) / (FPR + TPR)`, if that is greater.
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
    }
}

words! {
    /// What weighs the columns.
    pub enum Classifier {
        /// A support vector machine with the squared hinge loss.
        Svm = "svm",
        /// The same with the L1 penalty, by which most weights are 0.
        SparseSvm = "l1-svm",
        /// The C-SVM: the hinge loss.
        CSvm = "c-svm",
        /// Logistic regression.
        Logistic = "logistic",
        /// The same with the L1 penalty.
        SparseLogistic = "l1-logistic",
    }
}

words! {
    /// How much an example of each class counts when weights are fitted.
    pub enum ClassWeights {
        /// As much as one of the other.
        None = "none",
        /// So much that both classes count the same.
        Balanced = "balanced",
    }
}

words! {
    /// What clauses are searched from.
    pub enum FeatureSeeds {
        /// Positives.
        Positives = "positives",
        /// Positives, and as many negatives, with the classes exchanged: a clause that covers negatives alone speaks against
        /// an example.
        Both = "both",
    }
}

words! {
    /// The examples that `C` is chosen on.
    pub enum CostSet {
        /// Tune, or inner folds where tune has fewer than 50 positives.
        TuneOrFolds = "tune-or-folds",
        /// Tune, by classifiers of train.
        Tune = "tune",
        /// The given folds of train and tune, or else five that are made of both, each by a classifier of the others.
        InnerFolds = "inner-folds",
    }
}

/// What clauses are searched from.
pub static FEATURE_SEEDS: Setting<FeatureSeeds> = Setting::new("feature-seeds", "both")
    .help("What the clauses are searched from: positives, or negatives too, for evidence against")
    .source("our own, by experiment; positives: [GLEANERSRL §2.1]");

impl FeatureSeeds {
    /// How many times the seeds are searched from.
    #[must_use]
    pub const fn n_gatherings(self) -> u64 {
        match self {
            Self::Positives => 1,
            Self::Both => 2,
        }
    }
}

settings! {
    /// Settings of GleanerSRL.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SrlConfig {
        /// How clauses are found.
        pub gathering: GatheringConfig = Group,
        /// What they are found from.
        pub feature_seeds: FeatureSeeds = &FEATURE_SEEDS,
        /// What the columns are.
        pub feature_kind: FeatureKind = Setting::new("features", "boolean")
            .help("A column for each clause, or for each bin the sum of its clauses' precisions")
            .source("[GLEANERSRL §2.2]"),
        /// How alike two examples are that a clause covers.
        pub kernel: Kernel = Setting::new("kernel", "evidence")
            .only("features", &["boolean"])
            .help("How alike two examples are that a clause covers")
            .source("our own, by experiment; others: [GLEANERSRL §2.3]"),
        /// What weighs the columns.
        pub classifier: Classifier = Setting::new("classifier", "svm")
            .help("What weighs the columns")
            .source("our own, by experiment; [GLEANERSRL §2.3]"),
        /// How much the classes count.
        pub class_weights: ClassWeights = Setting::new("class-weights", "none")
            .help("Whether the rarer class counts more when weights are fitted, as much as the other in all")
            .source("our own"),
        /// What `C` is chosen on.
        pub cost_set: CostSet = Setting::new("cost-set", "tune-or-folds")
            .help("The examples that C is chosen on: tune, or inner folds, or these where tune has fewer than 50 positives")
            .source("our own, by experiment; tune: [GLEANERSRL §3]"),
        /// Whether clauses are reduced.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// What `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}
