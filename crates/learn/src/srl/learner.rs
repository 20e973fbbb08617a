//! GleanerSRL as a learner of the registry.

use std::sync::Arc;

use crate::gleaner::learner::{DIVERSITY, GatheringRecord};
use crate::gleaner::{GatheredPart, GatheringConfig, Gleaner};
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt};
use crate::record::{Own, SearchRecord};
use crate::{RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::mining::MiningConfig;
use gleaner_lang::program::settings::{DataSummary, Declaration, Given, SettingGroup, Settings, Source};

use super::clauses::{SrlPart, feature_clauses};
use super::config::{CostSet, FEATURE_SEEDS, FeatureKind, FeatureSeeds, SrlConfig};
use super::found::{SrlFound, SrlRecord};
use super::model::{SrlLearnt, SrlModel, learn_from};
use super::search::search;

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
