//! Relational regression trees: one, or boosted. (RDNBOOST, SOFTMARGIN, TILDE)

pub mod booster;
pub mod grow;
pub mod loss;
pub mod model;
pub mod numbers;
mod objective;
pub mod proposed;
pub mod proposing;
pub mod splits;
pub mod tree;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt};
use crate::model::Ranker;
use crate::pooled_sets::PooledSets;
use crate::record::{OwnRecord, SearchRecord, Tries};
use crate::shared_config::{CURVE_ROUNDS, OPERATING_POINT, REFIT, ROUNDS, Refit};
use crate::shown::Noun;
use crate::{OperatingPoint, RunContext, SetStores, Task};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, Given, Group, LEARNER, Setting, Settings, Word, settings, words,
};

use booster::{TreesFound, boost};
use loss::{Goal, Loss, LossName, Margins};
use model::{TreeModel, model};

words! {
    /// The learners of this room.
    pub enum TreeVariant {
        /// Trees one after the other, each fitted to what those before it miss. (RDNBOOST)
        Boosted = "rdn-boost",
        /// One tree. (TILDE)
        Single = "tree",
    }
}

impl TreeVariant {
    fn of(given: &Given<'_>) -> Self {
        Self::of_word(&given.settings.learner()).expect("a learner of this room is asked for")
    }
}

words! {
    /// The amount that a leaf adds to the log-odds.
    pub enum LeafStep {
        /// The mean gradient of its examples. (RDNBOOST)
        Mean = "mean",
        /// The step by Newton's method: the sum of gradients over the sum of second derivatives.
        Newton = "newton",
    }
}

impl LeafStep {
    fn by_modes(given: &Given<'_>) -> Self {
        if given.data.has_thresholds { Self::Newton } else { Self::Mean }
    }
}

words! {
    /// The literals that tests of trees are made of.
    pub enum TestLiterals {
        /// Those of all modes.
        All = "all",
        /// Those of modes that give one answer at most: each has one value for an example, as aggregates have.
        Determinate = "determinate",
    }
}

/// The learners that read settings of boosted trees alone.
const BOOSTED: &[&str] = &[TreeVariant::Boosted.word()];

settings! {
    /// Settings of relational trees.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TreeConfig {
        /// The learner.
        pub variant: TreeVariant = Computed(TreeVariant::of),
        /// Trees.
        pub n_rounds: usize = &ROUNDS,
        /// Forests that know nothing of each other, whose scores are averaged.
        pub n_forests: usize = Setting::within("forests", 1..=1_000, "5")
            .only(LEARNER, BOOSTED)
            .unit("forests")
            .help("Forests of boosted trees, each from its own samples; their scores are averaged")
            .source("our own"),
        /// Most negatives for each positive that a tree grows on.
        pub tree_negatives: f64 = Setting::within("tree-negatives", 0.01..=1e9, "30")
            .only(LEARNER, BOOSTED)
            .unit("for each positive")
            .help("Most negatives for each positive on which a boosted tree grows; each tree draws anew")
            .source("by experiment; BoostSRL: 2"),
        /// Most leaves of a tree.
        pub max_leaves: usize = Setting::within("leaves", 2..=10_000, "8")
            .unit("leaves")
            .help("Most leaves of a relational tree")
            .source("RDNBOOST"),
        /// Most tests on a way to a leaf.
        pub max_depth: usize = Setting::within("tree-depth", 1..=100, "4")
            .unit("tests")
            .help("Most tests on the way to a leaf of a relational tree")
            .source("our own"),
        /// Fewest examples of a leaf.
        pub min_leaf: usize = Setting::within("min-leaf", 1..=1_000_000, "3")
            .unit("examples")
            .help("Fewest train examples of a leaf of a relational tree")
            .source("our own"),
        /// Literals that a test may have.
        pub test_length: u32 = Setting::within("test-length", 1..=2, "2")
            .unit("literals")
            .help("Most literals of a test of a relational tree")
            .source("TILDE: lookahead"),
        /// The literals that tests are made of.
        pub test_literals: TestLiterals = Setting::new("test-literals", "all")
            .help("Modes that tests of relational trees are made of: all, or those with at most one answer (determinate)")
            .source("determinate: GOLEM [Muggleton and Feng 1990]")
            .recorded_where_changed(),
        /// Examples of each class whose facts give the tests of a node.
        pub n_sampled: usize = Setting::within("node-sample", 1..=1_000_000, "1")
            .unit("examples of each class")
            .help("Examples of each class, drawn anew at each node of a relational tree, whose facts give its tests")
            .source("our own; the known system samples modes"),
        /// Quantiles that a test draws as thresholds.
        pub n_drawn_thresholds: usize = Setting::within("drawn-thresholds", 1..=512, "2")
            .only(LEARNER, BOOSTED)
            .unit("thresholds")
            .help("Thresholds of which a test of a boosted tree takes the best, drawn from the quantiles")
            .source("by experiment, as extremely randomized trees [Geurts, Ernst and Wehenkel 2006]")
            .recorded_where_changed(),
        /// The amount that a leaf adds.
        pub leaf_step: LeafStep = Setting::auto("leaf-step", (), LeafStep::by_modes)
            .only(LEARNER, BOOSTED)
            .help(
                "What a leaf of a boosted tree adds to the log-odds: the mean gradient, or Newton's step; \
                 auto: newton where modes ask for thresholds, else mean",
            )
            .source("mean: RDNBOOST; newton: as trees of numbers do, by experiment"),
        /// The greatest step of a leaf, either way.
        pub most_step: f64 = Setting::within("most-step", 0.001..=100.0, "4")
            .only(LEARNER, BOOSTED)
            .unit("log-odds")
            .help("The most that a leaf of a boosted tree adds to the log-odds, either way")
            .source("our own"),
        /// The share of each step that is taken.
        pub shrinkage: f64 = Setting::within("shrinkage", 0.001..=1.0, "1")
            .only(LEARNER, BOOSTED)
            .unit("share")
            .help("Share of each leaf's step that boosted trees take")
            .source("our own; RDNBOOST: 1"),
        /// Margins for missed positives and false positives.
        pub alpha: f64 = Setting::within("soft-margin-positives", -20.0..=20.0, "0")
            .only(LEARNER, BOOSTED)
            .unit("log-odds")
            .help("How far positives are to lie above even odds before boosted trees are content with them")
            .source("SOFTMARGIN: alpha"),
        /// The margin of negatives.
        pub beta: f64 = Setting::within("soft-margin-negatives", -20.0..=20.0, "0")
            .only(LEARNER, BOOSTED)
            .unit("log-odds")
            .help("How far negatives are to lie below even odds before boosted trees are content with them")
            .source("SOFTMARGIN: beta"),
        /// The loss of a number.
        pub loss_name: LossName = Setting::new("loss", "squared")
            .help("What trees of a number lessen: squared errors, the Poisson deviance of counts, or the errors of a quantile")
            .source("Friedman 2001")
            .recorded_where_changed(),
        /// The quantile that is predicted.
        pub quantile: f64 = Setting::within("quantile", 0.001..=0.999, "0.5")
            .only("loss", &["quantile"])
            .unit("share")
            .help("The quantile that trees of a number predict: 0.5 is the median")
            .source("Koenker and Bassett 1978")
            .recorded_where_changed(),
        /// The metric that decides.
        pub goal: Goal = Setting::new("goal", "mae")
            .help("The metric of numbers that is reported first, and that the number of trees and auto go by")
            .source("our own")
            .recorded_where_changed(),
        /// Whether trees are learnt again once tune has been used.
        pub refit: Refit = &REFIT,
        /// Numbers of trees at which the metrics are noted too.
        pub curve_rounds: Vec<usize> = &CURVE_ROUNDS,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

impl TreeConfig {
    /// Both margins.
    pub const fn margins(&self) -> Margins {
        Margins { positives: self.alpha, negatives: self.beta }
    }

    /// The loss of a number.
    pub const fn loss(&self) -> Loss {
        Loss { name: self.loss_name, quantile: self.quantile }
    }
}

/// A relational tree, and boosted ones.
#[derive(Clone, Copy, Debug)]
pub struct Trees;

impl Learner for Trees {
    type Config = TreeConfig;
    type Found = TreesFound;
    /// The number of rounds.
    type Part = usize;
    type Own = TreesRecord;
    type Saved = TreeModel<String>;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "rdn-boost", help: "boosted relational regression trees" },
        LearnerName { name: "tree", help: "one relational tree" },
    ];

    const MAY_SPEAK_AGAINST: bool = true;

    const LEARNS_NUMBERS: bool = true;

    /// Each split has an order, and each tree keeps it (`splits`).
    fn keeps_order(_settings: &Settings) -> Result<(), Disorder> {
        Ok(())
    }

    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] = &[
        ("rounds", "20"),
        ("refit", "train-and-tune"),
        ("negation", "modes"),
        ("object-identity", "proposed"),
    ];

    /// A single tree has no others to make up for tests that nobody proposed.
    fn own_defaults_of(name: &str) -> &'static [(&'static str, &'static str)] {
        if name == TreeVariant::Single.word() {
            &[
                ("refit", "train-and-tune"),
                ("node-sample", "20"),
                ("negation", "modes"),
                ("object-identity", "proposed"),
            ]
        } else {
            Self::OWN_DEFAULTS
        }
    }

    fn same_search(left: &TreeConfig, right: &TreeConfig) -> bool {
        let read_alike = TreeConfig {
            curve_rounds: left.curve_rounds.clone(),
            goal: left.goal,
            operating_point: left.operating_point,
            ..right.clone()
        };
        read_alike == *left
    }

    fn is_cross_fitted(config: &TreeConfig) -> bool {
        config.refit == Refit::TrainAndTune
    }

    fn search(
        task: &Task<'_>,
        config: &TreeConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> TreesFound {
        match config.test_literals {
            TestLiterals::All => boost(task, config, context, stores),
            TestLiterals::Determinate => {
                let mut modes = task.modes.clone();
                // A mode without outputs asks about what is known: it has one answer, whatever its limit.
                modes.body.retain(|mode| mode.instantiation_limit == Some(1) || !mode.has_outputs());
                boost(&Task { modes: &modes, ..*task }, config, context, stores)
            }
        }
    }

    fn record(found: &TreesFound) -> SearchRecord {
        SearchRecord::new(Vec::new(), found.stop, TreesRecord::of(found))
    }

    fn points(config: &TreeConfig, found: &TreesFound) -> Vec<CurvePoint<usize>> {
        let n_rounds = found.rounds.len();
        let point = |n_rounds: usize| CurvePoint {
            name: format!("{n_rounds} rounds"),
            n_evaluated: found.n_evaluated(n_rounds),
            part: n_rounds,
        };
        let sizes = config.curve_rounds.iter().copied().filter(|size| (1..n_rounds).contains(size));
        sizes.chain([n_rounds]).map(point).collect()
    }

    fn fit(
        config: &TreeConfig,
        found: &TreesFound,
        &n_rounds: &usize,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        if let Some(list) = fitting.labels.numbers() {
            return numbers::fit(config, found, n_rounds, list, fitting);
        }
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let model = |forests: &[usize]| model(found, forests, n_rounds, tune.totals());
        let whole = model(&found.of_model());
        if found.parts.is_empty() {
            return Ok(Learnt::new(whole));
        }
        let sets = PooledSets::of(train, tune);
        let scores = |model: &TreeModel| -> Result<Vec<f64>, Interrupted> {
            let of_train = model.scores(fitting.train, fitting.budget)?;
            Ok(sets.by_number(&of_train, &model.scores(fitting.tune, fitting.budget)?))
        };
        let last = scores(&whole)?;
        let mut held_out: Vec<(usize, f64)> = Vec::with_capacity(last.len());
        for (at, part) in found.parts.iter().enumerate() {
            held_out.extend(sets.aligned(part, &scores(&model(&found.without(at)))?, &last));
        }
        held_out.sort_by_key(|&(number, _)| number);
        Ok(Learnt { model: Arc::new(whole), before_tune: None, held_out: Some(sets.held_out(&held_out)) })
    }
}

/// The settings that serve a target that is a number best, where nobody makes them: setting and value.
pub fn number_defaults(learner: &str) -> &'static [(&'static str, &'static str)] {
    if learner == TreeVariant::Single.word() { &[] } else { NUMBER_DEFAULTS }
}

/// By experiment.
const NUMBER_DEFAULTS: &[(&str, &str)] = &[("rounds", "100"), ("shrinkage", "0.2")];

/// The numbers of rounds, trees and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreesRecord {
    /// Rounds, each of a tree of each forest.
    pub rounds: usize,
    /// Trees in all.
    pub trees: usize,
    /// Parts of train and tune that were left out in turn.
    #[serde(default)]
    pub parts: usize,
    /// Tests of nodes that were evaluated.
    tests_evaluated: u64,
}

impl TreesRecord {
    fn of(found: &TreesFound) -> Self {
        Self {
            rounds: found.rounds.len(),
            trees: found.rounds.iter().map(Vec::len).sum(),
            parts: found.parts.len(),
            tests_evaluated: found.n_evaluated(found.rounds.len()),
        }
    }
}

impl OwnRecord for TreesRecord {
    fn lines(&self) -> String {
        let Self { rounds, trees, parts, tests_evaluated } = *self;
        let trees = Noun { one: "tree", many: "trees" }.counted(trees);
        let rounds = Noun { one: "round", many: "rounds" }.counted(rounds);
        let left_out = match parts {
            0 => String::new(),
            _ => format!(", {parts} parts of the examples left out in turn"),
        };
        format!("{trees} in {rounds}{left_out}; {tests_evaluated} tests evaluated\n")
    }

    fn tries(&self) -> Tries {
        Tries::Tests
    }
}
