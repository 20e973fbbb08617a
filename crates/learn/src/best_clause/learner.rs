//! The best clause as a learner of the registry.

use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::record::{Own, OwnRecord, SearchRecord};
use crate::{RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::Settings;

use super::config::BestClauseConfig;
use super::model::{BestClauseModel, choose};
use super::search::{SeedFinalists, search};

/// The one clause of highest F1 on tune.
#[derive(Clone, Copy, Debug)]
pub struct BestClause;

impl Learner for BestClause {
    type Config = BestClauseConfig;
    type Found = Vec<SeedFinalists>;
    type Part = ();
    type Own = BestClauseRecord;
    type Saved = BestClauseModel<String>;

    const NAMES: &'static [LearnerName] =
        &[LearnerName { name: "best-clause", help: "the one clause of highest F1 on tune, a baseline" }];

    /// What the clause covers scores higher.
    fn keeps_order(_settings: &Settings) -> Result<(), Disorder> {
        Ok(())
    }

    fn same_search(left: &BestClauseConfig, right: &BestClauseConfig) -> bool {
        left.same_search(right)
    }

    fn search(
        task: &Task<'_>,
        config: &BestClauseConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Vec<SeedFinalists> {
        search(task, config, context, stores.train)
    }

    fn record(found: &Vec<SeedFinalists>) -> SearchRecord {
        SearchRecord {
            searches: found.iter().map(|seed| seed.search.clone()).collect(),
            n_told: found.len(),
            stop: None,
            density: None,
            own: Own::new(BestClauseRecord {
                finalists: found.iter().map(|seed| seed.finalists.len()).sum(),
            }),
        }
    }

    fn points(_config: &BestClauseConfig, found: &Vec<SeedFinalists>) -> Vec<CurvePoint<()>> {
        let n_evaluated = found.iter().map(|seed| seed.search.funnel.evaluated()).sum();
        vec![CurvePoint { name: WHOLE.to_owned(), n_evaluated, part: () }]
    }

    fn fit(
        config: &BestClauseConfig,
        found: &Vec<SeedFinalists>,
        (): &(),
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let mut model = choose(found, fitting)?;
        fitting.reduce(config.reduce_clauses, model.clause.iter_mut())?;
        Ok(Learnt::new(model))
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct BestClauseRecord {
    /// Clauses that tune chose from.
    pub finalists: usize,
}

impl OwnRecord for BestClauseRecord {
    fn lines(&self) -> String {
        format!("{} clauses for tune to choose from\n", self.finalists)
    }
}
