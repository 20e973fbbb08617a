//! Relational trees as a learner of the registry.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::explanation::Noun;
use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt};
use crate::pooled_sets::PooledSets;
use crate::ranked::Ranker;
use crate::record::{Own, OwnRecord, SearchRecord, Tries};
use crate::shared_config::Refit;
use crate::{RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::Settings;

use super::booster::{TreesFound, boost};
use super::config::{TestLiterals, TreeConfig, TreeVariant};
use super::forests::model;
use super::model::TreeModel;
use super::number_fit;

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

    /// Each split has an order, and each tree keeps it (`split_order`).
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
        left.same_search(right)
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
        SearchRecord {
            searches: Vec::new(),
            n_told: 0,
            stop: found.stop,
            density: None,
            own: Own::new(TreesRecord::of(found)),
        }
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
            return number_fit::fit(config, found, n_rounds, list, fitting);
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
    pub tests_evaluated: u64,
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
