//! Relational trees as a learner of the registry.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::Totals;
use crate::coverage::component::Interrupted;
use crate::learn::alignment::Alignment;
use crate::learn::explanation::Noun;
use crate::learn::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt};
use crate::learn::pooled_sets::PooledSets;
use crate::learn::ranked::deciding_threshold;
use crate::learn::record::{Own, OwnRecord, SearchRecord};
use crate::learn::{RunContext, SetStores, Task};

use super::booster::{Forest, TreesFound, boost};
use super::config::{TreeConfig, TreeVariant};
use super::model::TreeModel;
use super::saved::SavedTrees;

/// A relational tree, and boosted ones.
#[derive(Clone, Copy, Debug)]
pub struct Trees;

/// The first rounds of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRounds {
    /// How many.
    pub n_rounds: usize,
    /// Whether they were learnt again from train and tune.
    pub is_refitted: bool,
}

impl Learner for Trees {
    type Config = TreeConfig;
    type Found = TreesFound;
    type Part = FirstRounds;
    type Own = TreesRecord;
    type Saved = SavedTrees;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "rdn-boost", help: "boosted relational regression trees" },
        LearnerName { name: "tree", help: "one relational tree" },
    ];

    const MAY_SPEAK_AGAINST: bool = true;

    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] =
        &[("rounds", "20"), ("refit", "train-and-tune"), ("negation", "modes")];

    /// A single tree has no others to make up for tests that nobody proposed.
    fn own_defaults_of(name: &str) -> &'static [(&'static str, &'static str)] {
        if name == TreeVariant::Single.word() {
            &[("refit", "train-and-tune"), ("node-sample", "20"), ("negation", "modes")]
        } else {
            Self::OWN_DEFAULTS
        }
    }

    fn same_search(left: &TreeConfig, right: &TreeConfig) -> bool {
        left.same_search(right)
    }

    fn search(
        task: &Task<'_>,
        config: &TreeConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> TreesFound {
        boost(task, config, context, stores)
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

    fn points(config: &TreeConfig, found: &TreesFound) -> Vec<CurvePoint<FirstRounds>> {
        let n_rounds = found.of_train.rounds.len();
        let is_refitted = found.of_both.is_some();
        let point = |n_rounds: usize| CurvePoint {
            name: format!("{n_rounds} rounds"),
            n_evaluated: found.n_evaluated(n_rounds),
            part: FirstRounds { n_rounds, is_refitted: false },
        };
        let sizes = config.curve_rounds.iter().copied().filter(|size| (1..n_rounds).contains(size));
        let mut points: Vec<CurvePoint<FirstRounds>> = sizes.map(point).collect();
        points.push(point(n_rounds));
        if is_refitted {
            points.push(CurvePoint {
                name: format!("{n_rounds} rounds refit"),
                n_evaluated: found.n_evaluated_in_all(),
                part: FirstRounds { n_rounds, is_refitted },
            });
        }
        points
    }

    fn fit(
        config: &TreeConfig,
        found: &TreesFound,
        part: &FirstRounds,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let mut of_train = model(&found.of_train, part.n_rounds, tune.totals());
        let tune_scores = of_train.scores(fitting.tune, fitting.budget)?;
        let Some(forest) = found.of_both.as_ref().filter(|_| part.is_refitted) else {
            of_train.threshold = deciding_threshold(tune, &tune_scores, config.operating_point);
            return Ok(Learnt::new(of_train));
        };
        let of_both = model(forest, forest.rounds.len(), tune.totals());
        // What the trees of train say of tune, on the scale of the trees of both.
        let before = of_train.scores(fitting.train, fitting.budget)?;
        let after = of_both.scores(fitting.train, fitting.budget)?;
        let sets = PooledSets::of(train, tune);
        let mut weights = vec![0.0; train.len()];
        for of in sets.examples.iter().filter(|of| !of.is_tune) {
            weights[of.position] = sets.weight_of(*of);
        }
        let alignment = Alignment::fit(&before, &after, &weights);
        let held_out: Vec<(usize, f64)> = (sets.examples.iter().enumerate())
            .filter(|(_, of)| of.is_tune)
            .map(|(example, of)| (example, alignment.at(tune_scores[of.position])))
            .collect();
        let (threshold, chosen_on) = sets.threshold(&held_out, config.operating_point);
        of_train.threshold = deciding_threshold(tune, &tune_scores, config.operating_point);
        Ok(Learnt {
            model: Arc::new(TreeModel { threshold, chosen_on, ..of_both }),
            before_tune: Some(Arc::new(of_train)),
            held_out: Some(sets.held_out(&held_out)),
        })
    }
}

/// The first rounds as a model that decides nothing yet.
fn model(forest: &Forest, n_rounds: usize, chosen_on: Totals) -> TreeModel {
    let trees = forest.rounds[..n_rounds].iter().flat_map(|round| {
        let n_forests = u32::try_from(round.len()).expect("the setting's range");
        let share = 1.0 / f64::from(n_forests);
        round.iter().map(move |grown| grown.tree.scaled(share))
    });
    TreeModel { base: forest.base, trees: trees.collect(), threshold: None, chosen_on }
}

/// What growing trees came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreesRecord {
    /// Rounds learnt from train, each of a tree of each forest.
    pub rounds: usize,
    /// Rounds learnt again from train and tune: those of the model.
    pub refitted_rounds: Option<usize>,
    /// Trees of train in all.
    pub trees: usize,
    /// Tests of nodes that were evaluated.
    pub tests_evaluated: u64,
}

impl TreesRecord {
    fn of(found: &TreesFound) -> Self {
        Self {
            rounds: found.of_train.rounds.len(),
            refitted_rounds: found.of_both.as_ref().map(|forest| forest.rounds.len()),
            trees: found.of_train.rounds.iter().map(Vec::len).sum(),
            tests_evaluated: found.n_evaluated_in_all(),
        }
    }
}

impl OwnRecord for TreesRecord {
    fn lines(&self) -> String {
        let Self { rounds, refitted_rounds, trees, tests_evaluated } = *self;
        let trees = Noun { one: "tree", many: "trees" }.counted(trees);
        let rounds = Noun { one: "round", many: "rounds" }.counted(rounds);
        let again = match refitted_rounds {
            Some(_) => ", and as many again from train and tune",
            None => "",
        };
        format!("{trees} in {rounds} from train{again}; {tests_evaluated} tests evaluated\n")
    }

    fn has_searched(&self) -> bool {
        false
    }
}
