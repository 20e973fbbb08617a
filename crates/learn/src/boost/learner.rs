//! Boosting as a learner of the registry.

use std::fmt::Write;
use std::sync::Arc;

use crate::decision::ChosenThreshold;
use crate::explanation::Noun;
use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt};
use crate::record::{Own, OwnRecord, SearchRecord};
use crate::{RunContext, SetStores, Task};
use gleaner_base::Totals;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::Settings;

use super::booster::{Boosting, BoostingEnd, GrownRound, boost};
use super::config::BoostConfig;
use super::model::BoostModel;

/// `RankBoost` and the `PRankBoost`s.
#[derive(Clone, Copy, Debug)]
pub struct Boost;

/// The first rounds of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRounds {
    /// The number of rounds.
    pub n_rounds: usize,
    /// Whether they are learnt again from train and tune.
    pub is_refitted: bool,
}

impl Learner for Boost {
    type Config = BoostConfig;
    type Found = Boosting;
    type Part = FirstRounds;
    type Own = BoostingRecord;
    type Saved = BoostModel<String>;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "rankboost", help: "boosted rules, each of the highest weighted ROC area" },
        LearnerName {
            name: "prankboost-clause",
            help: "boosted rules, each of the highest weighted PR area",
        },
        LearnerName {
            name: "prankboost-path",
            help: "boosted climbs: all rules on the way, by their common area",
        },
        LearnerName {
            name: "mix1",
            help: "boosted rules: the best of each climb, by the area of the whole climb",
        },
        LearnerName {
            name: "mix2",
            help: "boosted climbs: all rules on the way, by the area of the best rule",
        },
        LearnerName { name: "mix3", help: "rounds of prankboost-clause and prankboost-path in turn" },
        LearnerName { name: "two-stage", help: "rounds of prankboost-clause first, then of mix1" },
    ];

    /// A rule that climbs to the best of all thresholds is less general than one with a seed's own value.
    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] = &[("number-thresholds", "seed")];

    /// Rounds weigh 0 or more. A rule later on a climb has a value of at least that of those before it.
    fn keeps_order(_settings: &Settings) -> Result<(), Disorder> {
        Ok(())
    }

    fn same_search(left: &BoostConfig, right: &BoostConfig) -> bool {
        left.same_search(right)
    }

    fn search(
        task: &Task<'_>,
        config: &BoostConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Boosting {
        boost(task, config, context, stores)
    }

    fn record(found: &Boosting) -> SearchRecord {
        SearchRecord {
            searches: found.searches.clone(),
            n_told: found.searches.len(),
            stop: found.stop,
            density: None,
            own: Own::new(BoostingRecord { boosting: RoundsRecord::of(found) }),
        }
    }

    /// Numbers of rounds, and all of them.
    fn points(config: &BoostConfig, found: &Boosting) -> Vec<CurvePoint<FirstRounds>> {
        let n_rounds = found.rounds.len();
        let point = |n_rounds: usize, n_evaluated: u64| CurvePoint {
            name: format!("{n_rounds} rounds"),
            n_evaluated,
            part: FirstRounds { n_rounds, is_refitted: false },
        };
        let is_refitted = found.refitted.is_some();
        let most = if is_refitted { n_rounds + 1 } else { n_rounds };
        let of_size = |size: usize| point(size, found.rounds[size - 1].n_evaluated);
        let mut sizes: Vec<usize> =
            config.curve_rounds.iter().copied().filter(|size| (1..most).contains(size)).collect();
        if is_refitted && sizes.last() != Some(&n_rounds) {
            sizes.push(n_rounds);
        }
        let mut points: Vec<CurvePoint<FirstRounds>> = sizes.into_iter().map(of_size).collect();
        // The whole, with the seeds after the last round.
        let whole = point(n_rounds, found.funnel().evaluated());
        points.push(if is_refitted {
            let part = FirstRounds { n_rounds, is_refitted };
            CurvePoint { name: format!("{} refit", whole.name), part, ..whole }
        } else {
            whole
        });
        points
    }

    fn fit(
        config: &BoostConfig,
        found: &Boosting,
        part: &FirstRounds,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let tune = fitting.tune.universe().totals();
        let model = learn_from(found, part.n_rounds, tune);
        let again = if part.is_refitted { refitted(found, tune) } else { None };
        let reduced = |mut model: BoostModel| {
            let rules = model.rounds.iter_mut().flat_map(|round| &mut round.rules);
            fitting.reduce(config.reduce_clauses, rules.map(|rule| &mut rule.clause))?;
            Ok(model)
        };
        Ok(match again {
            Some(again) => Learnt { before_tune: Some(Arc::new(model)), ..Learnt::new(reduced(again)?) },
            None => Learnt::new(reduced(model)?),
        })
    }
}

/// The record that only boosting has of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct BoostingRecord {
    /// The rounds.
    pub boosting: RoundsRecord,
}

/// The number of rounds, and why there are no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RoundsRecord {
    /// Rounds learnt from train.
    pub rounds: usize,
    /// Why there are no more.
    pub end: Option<BoostingEnd>,
    /// Seeds of rounds in which no rule was found that ranks.
    #[serde(rename = "fruitless_seeds")]
    pub failed_seeds: usize,
    /// Rounds learnt again from train and tune: those of the model.
    pub refitted_rounds: Option<usize>,
}

impl RoundsRecord {
    fn of(found: &Boosting) -> Self {
        Self {
            rounds: found.rounds.len(),
            end: found.end,
            failed_seeds: found.n_failed_draws,
            refitted_rounds: found.refitted.as_ref().map(Vec::len),
        }
    }
}

impl OwnRecord for BoostingRecord {
    /// Rounds from train, why there are no more, and whether they were learnt again.
    fn lines(&self) -> String {
        let RoundsRecord { rounds, end, failed_seeds, refitted_rounds } = self.boosting;
        let end = match end {
            Some(BoostingEnd::Fruitless) => "ten draws of seeds in a row gave no rule",
            Some(BoostingEnd::Patience) => "the area on tune stopped rising",
            Some(BoostingEnd::Stopped) => "stopped",
            Some(BoostingEnd::Rounds) | None => "all that were requested",
        };
        let mut text = format!(
            "{rounds} rounds of boosting, {end}; {} gave no rule\n",
            Noun::SEEDS.counted(failed_seeds)
        );
        if let Some(again) = refitted_rounds {
            let _ = writeln!(
                text,
                "{again} rounds learnt again from train and tune; tune figures are those of the rounds before"
            );
        }
        text
    }

    /// A climb ends where no literal gains.
    fn tells_ends(&self) -> bool {
        true
    }
}

/// The model of the first rounds, or of as many of them as are best on tune.
pub fn learn_from(boosting: &Boosting, n_rounds: usize, tune: Totals) -> BoostModel {
    model(boosting.best_on_tune(n_rounds), tune)
}

/// The model learnt again from train and tune, if there is one.
pub fn refitted(boosting: &Boosting, tune: Totals) -> Option<BoostModel> {
    boosting.refitted.as_deref().map(|rounds| model(rounds, tune))
}

fn model(rounds: &[GrownRound], tune: Totals) -> BoostModel {
    let rounds = rounds.iter().map(|grown| grown.round.clone()).collect();
    BoostModel { decision: ChosenThreshold::none(tune), rounds }
}
