//! Naive Bayes over bags of words as a learner of the registry.

use gleaner_base::{Budget, ConstantId, Counts, StopReason};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Symbols;

use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::network::NetworkModel;
use crate::record::{Own, OwnRecord, SearchRecord};
use crate::saved::CountedClause;
use crate::{RunContext, SetStores, Task};

use super::bags::{Bag, bags};
use super::config::BagOfWordsConfig;
use super::held_out::held_out;
use super::model::model;

/// Naive Bayes over bags of words.
#[derive(Clone, Copy, Debug)]
pub struct BagOfWords;

/// The words of a bag as clauses, with their counts on train.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedBag {
    /// The words of train.
    pub words: Vec<CountedClause>,
}

/// The words of train in a bag.
fn counted(bag: &Bag, task: &Task<'_>, budget: &Budget) -> Result<CountedBag, Interrupted> {
    let words = bag.words(task, task.train, budget)?;
    let on_tune = bag.words(task, task.tune, budget)?;
    let counted = |(word, train): (ConstantId, Counts)| {
        let tune = on_tune.get(&word).copied().unwrap_or(Counts::NONE);
        CountedClause { clause: bag.clause(word, task.modes), train, tune }
    };
    Ok(CountedBag { words: words.into_iter().map(counted).collect() })
}

/// What was counted on train.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountedBags {
    /// The bags that have words.
    pub bags: Vec<CountedBag>,
    /// Why not all bags were counted, if so.
    pub stop: Option<StopReason>,
}

impl Learner for BagOfWords {
    type Config = BagOfWordsConfig;
    type Found = CountedBags;
    type Part = ();
    type Own = BagsRecord;
    type Saved = NetworkModel<String>;

    const NAMES: &'static [LearnerName] =
        &[LearnerName { name: "bag-of-words", help: "naive Bayes over words, a baseline without relations" }];

    /// A word may speak against an example.
    const MAY_SPEAK_AGAINST: bool = true;

    fn same_search(left: &BagOfWordsConfig, right: &BagOfWordsConfig) -> bool {
        left.bags == right.bags
    }

    fn search(
        task: &Task<'_>,
        config: &BagOfWordsConfig,
        context: &RunContext<'_>,
        _stores: SetStores<'_, '_>,
    ) -> CountedBags {
        let mut found = CountedBags::default();
        let symbols: Option<&Symbols> = task.worlds.first().map(|world| &**world.symbols());
        let all = symbols.map(|symbols| bags(task.modes, &config.bags, symbols)).unwrap_or_default();
        for bag in all {
            match counted(&bag, task, context.budget) {
                Ok(counted) if counted.words.is_empty() => {}
                Ok(counted) => found.bags.push(counted),
                Err(Interrupted(stop)) => {
                    found.stop = Some(stop);
                    break;
                }
            }
        }
        found
    }

    fn record(found: &CountedBags) -> SearchRecord {
        let words = found.bags.iter().map(|bag| bag.words.len()).sum();
        SearchRecord {
            searches: Vec::new(),
            n_told: 0,
            stop: found.stop,
            density: None,
            own: Own::new(BagsRecord { bags: found.bags.len(), words }),
        }
    }

    fn points(_config: &BagOfWordsConfig, found: &CountedBags) -> Vec<CurvePoint<()>> {
        let n_evaluated = found.bags.iter().map(|bag| bag.words.len() as u64).sum();
        vec![CurvePoint { name: WHOLE.to_owned(), n_evaluated, part: () }]
    }

    fn fit(
        config: &BagOfWordsConfig,
        found: &CountedBags,
        (): &(),
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let totals = [fitting.train, fitting.tune].map(|covers| covers.universe().totals());
        let model = model(&found.bags, totals, config.m_estimate);
        // Without time for it, tune alone calibrates.
        let held_out = held_out(found, &model, config.m_estimate, fitting).unwrap_or(None);
        Ok(Learnt { held_out, ..Learnt::new(model) })
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BagsRecord {
    /// Bags with words in train.
    pub bags: usize,
    /// Their words.
    pub words: usize,
}

impl OwnRecord for BagsRecord {
    fn lines(&self) -> String {
        format!("{} words of train in {} bags\n", self.words, self.bags)
    }
}
