//! GleanerSRL: clauses are features, a classifier weighs them. [GLEANERSRL §2]
//!
//! 1. [`mod@search`]: Gleaner's first stage gathers clauses, from positives, and from negatives with the classes exchanged.
//!    Given clauses take their place. Of the bins' clauses of one coverage one is kept.
//! 2. [`columns`]: what they cover on train and tune, as distinct rows, and rows as columns of numbers: Boolean, or sums for
//!    each bin.
//! 3. [`classifiers`]: what weighs columns.
//! 4. [`fitting`]: `C` is chosen on examples that the classifier did not learn from; their scores calibrate, on the scale of
//!    the last classifier.
//! 5. [`model`]: the clauses, and what ranks examples by them.

pub mod classifiers;
pub mod columns;
pub mod fitting;
pub mod model;
pub mod search;

use std::sync::Arc;

use crate::gleaner::{DIVERSITY, GatheredPart, GatheringConfig, GatheringRecord, Gleaner};
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt};
use crate::pooled_sets::HeldOutParts;
use crate::record::{Own, SearchRecord};
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{OPERATING_POINT, SMOOTHING, Smoothing, VOTE_SET, VoteSet};
use crate::{OperatingPoint, RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::mining::{MINED_OR_SEARCHED, MiningConfig};
use gleaner_lang::program::settings::{
    DataSummary, Declaration, Given, Group, Setting, SettingGroup, Settings, Source, settings, words,
};

use model::{SrlLearnt, learn_from};
use search::{SrlFound, SrlPart, SrlRecord, feature_clauses, search};

pub use model::SrlModel;

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
    const fn is_product(self) -> bool {
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
    const fn has_cost(self) -> bool {
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

/// The fewest clauses of the model that is made when there is no time to combine all.
const FEWEST_CLAUSES: usize = 16;

/// GleanerSRL.
#[derive(Clone, Copy, Debug)]
pub struct Srl;

impl Learner for Srl {
    type Config = SrlConfig;
    type Found = SrlFound;
    type Part = SrlPart;
    type Own = SrlRecord;
    type Saved = SrlModel<String>;

    const NAMES: &'static [LearnerName] = &[LearnerName {
        name: "srl",
        help: "GleanerSRL: Gleaner's clauses are features, a linear classifier weighs them",
    }];

    const MAY_SPEAK_AGAINST: bool = true;

    const TABLES: &'static [&'static str] = &[DIVERSITY];

    fn same_search(left: &SrlConfig, right: &SrlConfig) -> bool {
        match (left.feature_seeds, right.feature_seeds) {
            (FeatureSeeds::Queries, FeatureSeeds::Queries) => {
                (&left.mining, left.gathering.n_bins) == (&right.mining, right.gathering.n_bins)
                    && left.gathering.partition == right.gathering.partition
            }
            (left_seeds, right_seeds) => {
                let is_cross_fitted = |config: &SrlConfig| config.cost_set == CostSet::CrossFitted;
                left_seeds == right_seeds
                    && left.gathering == right.gathering
                    && is_cross_fitted(left) == is_cross_fitted(right)
            }
        }
    }

    fn is_cross_fitted(config: &SrlConfig) -> bool {
        config.cost_set == CostSet::CrossFitted && config.feature_seeds != FeatureSeeds::Queries
    }

    /// Bins still make columns of the given clauses, where there is a column for each.
    fn only_of_search(settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        let given = Given { settings, data: DataSummary::default() };
        let has_bins = SrlConfig::feature_kind().read(&given) != FeatureKind::Boolean;
        let mut list = GatheringConfig::declarations();
        list.retain(|setting| !(has_bins && ["bins", "partition"].contains(&setting.about().name)));
        list.extend(MiningConfig::declarations());
        list.push(&FEATURE_SEEDS);
        Some(list)
    }

    fn search(
        task: &Task<'_>,
        config: &SrlConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> SrlFound {
        search(task, config, context, stores)
    }

    fn record(found: &SrlFound) -> SearchRecord {
        let mut record = Gleaner::record(&found.from_positives);
        let seeds = found.from_negatives.iter().flat_map(|gathering| &gathering.seeds);
        record.searches.extend(seeds.map(|seed| seed.search.clone()));
        record.n_told = record.searches.len();
        record.stop = found.stop;
        record.own = Own::new(SrlRecord {
            gathered: GatheringRecord::of(&found.from_positives),
            given_clauses: found.given.as_ref().filter(|_| found.mined.is_none()).map(Vec::len),
            mined: found.mined.clone(),
        });
        record
    }

    fn points(_config: &SrlConfig, found: &SrlFound) -> Vec<CurvePoint<SrlPart>> {
        let mut points = found.from_positives.points();
        if let Some(given) = &found.given {
            for point in &mut points {
                let (what, n_evaluated) = match &found.mined {
                    Some(mined) => ("queries", mined.levels.iter().map(|level| level.n_candidates).sum()),
                    None => ("given clauses", given.len() as u64),
                };
                point.name = format!("{} {what}", given.len());
                point.n_evaluated = n_evaluated;
            }
        }
        for point in &mut points {
            let part = found.part_from_negatives(point.part);
            point.n_evaluated += part.map_or(0, |(gathering, part)| gathering.n_evaluated(part));
        }
        let whole = |CurvePoint { name, n_evaluated, part: gathered }: CurvePoint<GatheredPart>| CurvePoint {
            name,
            n_evaluated,
            part: SrlPart { gathered, most_clauses: None },
        };
        points.into_iter().map(whole).collect()
    }

    fn lesser(config: &SrlConfig, found: &SrlFound) -> Vec<CurvePoint<SrlPart>> {
        let Some(CurvePoint { n_evaluated, part, .. }) = Self::points(config, found).pop() else {
            return Vec::new();
        };
        let n_clauses = feature_clauses(found, part.gathered, config.gathering.n_bins).len();
        let sizes = std::iter::successors(Some(FEWEST_CLAUSES), |&n: &usize| n.checked_mul(4));
        let point = |most_clauses: usize| CurvePoint {
            name: format!("{most_clauses} of {n_clauses} clauses"),
            n_evaluated,
            part: SrlPart { most_clauses: Some(most_clauses), ..part },
        };
        sizes.take_while(|&n| n < n_clauses).map(point).collect()
    }

    fn fit(
        config: &SrlConfig,
        found: &SrlFound,
        part: &SrlPart,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let SrlLearnt { mut model, held_out } = learn_from(found, *part, config, fitting)?;
        fitting
            .reduce(config.reduce_clauses, model.clauses.iter_mut().map(|weighted| &mut weighted.clause))?;
        Ok(Learnt { model: Arc::new(model), before_tune: None, held_out: Some(held_out) })
    }
}
