//! mLynx as a learner of the registry.

use std::borrow::Cow;
use std::sync::Arc;

use crate::alignment::Alignment;
use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt};
use crate::mining_record::MiningRecord;
use crate::pooled_sets::{HeldOutParts, PooledSets};
use crate::record::{Own, SearchRecord};
use crate::srl::model::{ScoredClause, SrlModel};
use crate::{Model, RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::mining::MiningConfig;
use gleaner_lang::program::Clause;
use gleaner_lang::program::settings::{Declaration, SettingGroup, Settings};

use super::columns::QueryColumns;
use super::config::MlynxConfig;
use super::search::{MlynxFound, search};
use super::selection::{MeanBayes, Selection};

/// mLynx.
#[derive(Clone, Copy, Debug)]
pub struct Mlynx;

/// The parts that name random streams: all examples, those of train, then the inner folds.
const ALL: u64 = 0;
const OF_TRAIN: u64 = 1;
const FIRST_FOLD: u64 = 2;

impl Learner for Mlynx {
    type Config = MlynxConfig;
    type Found = MlynxFound;
    type Part = usize;
    type Own = MiningRecord;
    type Saved = SrlModel<String>;

    const NAMES: &'static [LearnerName] = &[LearnerName {
        name: "mlynx",
        help: "mLynx: frequent queries, chosen by mutual information, and naive Bayes over them",
    }];

    const MAY_SPEAK_AGAINST: bool = true;

    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] =
        &[("object-identity", "on"), ("negation", "modes")];

    const FINDS_FOR_ALL_CLASSES: bool = true;

    fn same_search(left: &MlynxConfig, right: &MlynxConfig) -> bool {
        left.mining == right.mining
    }

    fn only_of_search(_settings: &Settings) -> Option<Vec<&'static dyn Declaration>> {
        Some(MiningConfig::declarations())
    }

    fn search(
        task: &Task<'_>,
        config: &MlynxConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> MlynxFound {
        search(task, &config.mining, context, stores)
    }

    fn record(found: &MlynxFound) -> SearchRecord {
        SearchRecord {
            searches: Vec::new(),
            n_told: 0,
            stop: found.stop.filter(|stop| stop.is_outer()),
            density: None,
            own: Own::new(found.record()),
        }
    }

    fn points(_config: &MlynxConfig, found: &MlynxFound) -> Vec<CurvePoint<usize>> {
        vec![first_queries(found, found.queries.len())]
    }

    fn lesser(_config: &MlynxConfig, found: &MlynxFound) -> Vec<CurvePoint<usize>> {
        let sizes = std::iter::successors(Some(FEWEST_QUERIES), |&n| n.checked_mul(4));
        sizes.take_while(|&n| n < found.queries.len()).map(|n| first_queries(found, n)).collect()
    }

    fn fit(
        config: &MlynxConfig,
        found: &MlynxFound,
        &n_queries: &usize,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let queries: Cow<'_, [Clause]> = match fitting.labels.classes() {
            Some(list) => found.queries[..n_queries].iter().map(|query| list.with_own_head(query)).collect(),
            None => Cow::Borrowed(&found.queries[..n_queries]),
        };
        let own = fitting.labels.classes().map_or(0, |list| list.own.index());
        let columns = QueryColumns::of(&queries, fitting)?;
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let sets = match fitting.labels.classes() {
            Some(list) => PooledSets::of_classes(train, tune, list.len()),
            None => PooledSets::of(train, tune),
        };
        let selection = Selection {
            columns: &columns,
            sets: &sets,
            config,
            path: fitting.stream,
            budget: fitting.budget,
            own,
        };
        let choosing =
            Choosing { selection: &selection, found, has_classes: fitting.labels.classes().is_some() };
        let of_all = choosing.fit(ALL, |_| true)?;
        let of_train = choosing.fit(OF_TRAIN, |example| !sets.examples[example].is_tune)?;
        let held_out = held_out(&choosing, &of_all, &of_train, fitting)?;
        let model = |mean: MeanBayes| SrlModel {
            cost: None,
            decision: ChosenThreshold::none(tune.totals()),
            clauses: mean.columns.iter().map(|&column| scored(&columns, column)).collect(),
            network: mean.network(own),
        };
        let mut learnt = model(of_all);
        fitting.reduce(config.reduce_clauses, learnt.clauses.iter_mut().map(|scored| &mut scored.clause))?;
        let before_tune: Arc<dyn Model> = Arc::new(model(of_train));
        Ok(Learnt {
            model: Arc::new(learnt),
            before_tune: Some(before_tune),
            held_out: Some(sets.held_out(&held_out)),
        })
    }
}

fn scored(columns: &QueryColumns<'_>, column: usize) -> ScoredClause {
    ScoredClause { clause: columns.queries[column].clone(), train: columns.on_train[column] }
}

/// How sets are chosen: once for all classes.
#[derive(Clone, Copy)]
struct Choosing<'a> {
    selection: &'a Selection<'a>,
    found: &'a MlynxFound,
    has_classes: bool,
}

impl Choosing<'_> {
    fn fit(&self, part: u64, is_learnt_from: impl Fn(usize) -> bool) -> Result<MeanBayes, Interrupted> {
        let Self { selection, found, has_classes } = *self;
        if has_classes {
            found.chosen(selection.config, part, || selection.fit(part, is_learnt_from))
        } else {
            selection.fit(part, is_learnt_from)
        }
    }
}

/// Examples by their numbers, each with its score by sets that were chosen without it, on the scale of the last sets.
fn held_out(
    choosing: &Choosing<'_>,
    of_all: &MeanBayes,
    of_train: &MeanBayes,
    fitting: &Fitting<'_>,
) -> Result<Vec<(usize, f64)>, Interrupted> {
    let selection = choosing.selection;
    let sets = selection.sets;
    let parts = sets.held_out_parts(HeldOutParts::TuneOrFolds, fitting.stream);
    let is_tune_alone = parts.len() == 1 && parts[0].len() == sets.n_tune();
    let last = selection.scores(of_all);
    let mut held_out = Vec::with_capacity(sets.examples.len());
    for (stream_part, part) in (FIRST_FOLD..).zip(&parts) {
        let scores = if is_tune_alone {
            selection.scores(of_train)
        } else {
            selection.scores(&choosing.fit(stream_part, |example| part.binary_search(&example).is_err())?)
        };
        let position = |example: usize| selection.columns.position(sets.examples[example]);
        let mut weights = vec![0.0; scores.len()];
        for (example, of) in sets.examples.iter().enumerate() {
            if part.binary_search(&example).is_err() {
                weights[position(example)] = sets.weight_of(*of);
            }
        }
        let alignment = Alignment::fit(&scores, &last, &weights);
        held_out.extend(part.iter().map(|&example| (example, alignment.at(scores[position(example)]))));
    }
    held_out.sort_by_key(|&(example, _)| example);
    Ok(held_out)
}

/// The fewest queries of the model that is made when there is no time to combine all.
const FEWEST_QUERIES: usize = 32;

/// The first so many queries, the shortest ones.
fn first_queries(found: &MlynxFound, n: usize) -> CurvePoint<usize> {
    let n_evaluated = found.levels.iter().map(|level| level.n_candidates).sum();
    CurvePoint { name: format!("{n} queries"), n_evaluated, part: n }
}
