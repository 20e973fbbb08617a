//! Boosting for rankings: RankBoost, and PRankBoost for the precision-recall curve. [PRANKBOOST §2, §3]
//!
//! 1. [`climb`]: from a seed's most general clause literal by literal to the rule of the highest weighted area.
//! 2. [`mod@booster`]: round after round a rule, its weight `alpha`, and weights of examples that make the next rule
//!    look where this one fails.
//! 3. [`model`]: the rounds, whose weighted sum ranks examples, and the threshold that decides.

pub mod booster;
pub mod climb;
pub mod model;
pub mod weights;

use std::fmt::Write;
use std::sync::Arc;

use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt};
use crate::record::{OwnRecord, SearchRecord};
use crate::reduction::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{CURVE_ROUNDS, OPERATING_POINT, REFIT, ROUNDS, Refit};
use crate::shown::Noun;
use crate::{OperatingPoint, RunContext, SetStores, Task};
use gleaner_base::Totals;
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::{CLAUSES, MAX_LITERALS, MIN_POSITIVES, REDUNDANT_CLAUSES, RedundantClauses};
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, Given, Group, LEARNER, Setting, Settings, Source, Word, settings, words,
};

pub use booster::{Boosting, BoostingEnd, GrownRound, boost};
pub use model::{BoostModel, Round, Rule};
pub use weights::{BoostWeights, Normalisers, Objective, Step, alpha_of};

/// The rules that a round keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hypothesis {
    /// The best rule alone: 1 for the examples that it covers, else 0.
    Clause,
    /// All rules from the most general to the best. The most specific one that covers an example says which share of
    /// the area lies at its recall and beyond.
    Path,
}

/// The objective of a round, and the hypothesis that it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RoundKind {
    /// The area that it maximises.
    pub objective: Objective,
    /// The rules that it keeps.
    pub hypothesis: Hypothesis,
}

words! {
    /// The learners of this room.
    pub enum BoostVariant {
        /// RankBoost.B: the weighted ROC area, one clause a round. [PRANKBOOST §1, §5]
        RankBoost = "rankboost",
        /// The area of the best rule alone, and that rule. [PRANKBOOST §3]
        PRankBoostClause = "prankboost-clause",
        /// The area of all rules on the way, and all of them. [PRANKBOOST §3]
        PRankBoostPath = "prankboost-path",
        /// The area of all rules on the way, and the best one. [PRANKBOOST §6]
        Mix1 = "mix1",
        /// The area of the best rule alone, and all rules on the way. [PRANKBOOST §6]
        Mix2 = "mix2",
        /// Clause and Path in turn. [PRANKBOOST §6]
        Mix3 = "mix3",
        /// Clause first, then Mix1. [PRANKBOOST §7]
        TwoStage = "two-stage",
    }
}

impl BoostVariant {
    fn of(given: &Given<'_>) -> Self {
        Self::of_word(&given.settings.learner()).expect("a learner of this room is asked for")
    }

    /// The kind of a round; rounds count from 0.
    pub const fn round(self, round_idx: usize, n_first_rounds: usize) -> RoundKind {
        let clause = RoundKind { objective: Objective::Single, hypothesis: Hypothesis::Clause };
        let path = RoundKind { objective: Objective::Path, hypothesis: Hypothesis::Path };
        let mix1 = RoundKind { objective: Objective::Path, hypothesis: Hypothesis::Clause };
        match self {
            Self::RankBoost => RoundKind { objective: Objective::Roc, ..clause },
            Self::PRankBoostClause => clause,
            Self::PRankBoostPath => path,
            Self::Mix1 => mix1,
            Self::Mix2 => RoundKind { objective: Objective::Single, ..path },
            Self::Mix3 if round_idx.is_multiple_of(2) => clause,
            Self::Mix3 => path,
            Self::TwoStage if round_idx < n_first_rounds => clause,
            Self::TwoStage => mix1,
        }
    }
}

settings! {
    /// Settings of boosting.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BoostConfig {
        /// The learner.
        pub variant: BoostVariant = Computed(BoostVariant::of),
        /// `T`: rounds.
        pub n_rounds: usize = &ROUNDS,
        /// Rounds of the first stage of two.
        pub n_first_rounds: usize = Setting::auto("first-rounds", 0..=1_000_000, |given| {
            ROUNDS.read(given) / 2
        })
            .only(LEARNER, const { &[BoostVariant::TwoStage.word()] })
            .unit("rounds")
            .help(
                "Rounds of ⁅learner=two-stage⁆ in its first stage, as prankboost-clause; the others are as mix1; \
                 auto: half",
            )
            .source("our own; [PRANKBOOST §7] names the mixture"),
        /// Rounds without a higher area on tune after which boosting ends, with the rounds up to the highest; `None`
        /// for all rounds.
        pub patience: Option<usize> = Setting::auto("patience", 1..=1_000_000, |_| None)
            .unit("rounds")
            .help(
                "Rounds without a higher area on tune after which boosting ends, and keeps the best; for two-stage, \
                 in its second stage; auto: never",
            )
            .source("our own; [PRANKBOOST §5]: all rounds"),
        /// Seed examples of each round: the rule of the best climb is kept. The paper has one.
        pub n_round_seeds: usize = Setting::auto("round-seeds", 1..=100_000, |given| of_clauses(given, 10, 1))
            .unit("seed examples")
            .help(
                "Seed examples that each round of boosting climbs from; the best rule is kept; \
                 auto: 10 for prankboost-clause, else 1",
            )
            .source("by experiment; [PRANKBOOST §3]: 1"),
        /// Share of a bottom clause's literals that a climb may use, drawn anew for each climb; above 0. The paper has
        /// all.
        pub literal_share: f64 = Setting::auto("literal-share", 0.01..=1.0, |given| of_clauses(given, 0.5, 1.0))
            .unit("share")
            .help(
                "Share of a bottom clause's literals that a climb of boosting may use, drawn anew for each; \
                 auto: 0.5 for prankboost-clause, else 1",
            )
            .source("by experiment; [PRANKBOOST §3]: all"),
        /// Literals that a climb tries together where no single one gains. The paper does not say.
        pub lookahead: usize = Setting::auto("lookahead", 1..=2, |given| of_clauses(given, 2, 1))
            .unit("literals")
            .help(
                "Literals that a climb of boosting adds together if no single one gains; auto: 2 for \
                 prankboost-clause, else 1",
            )
            .source("by experiment; [PRANKBOOST §3]: 1"),
        /// Whether rounds are learnt again once tune has chosen them.
        pub refit: Refit = &REFIT,
        /// Numbers of rounds, ascending, at which the metrics are noted too.
        pub curve_rounds: Vec<usize> = &CURVE_ROUNDS,
        /// Most clauses evaluated in one climb.
        pub clauses: u64 = &CLAUSES,
        /// Fewest train positives of a rule.
        pub min_positives: usize = &MIN_POSITIVES,
        /// Most literals of a rule, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Whether rules that facts make redundant are evaluated, or their counts are inferred.
        pub redundant: RedundantClauses = &REDUNDANT_CLAUSES,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// Whether clauses are reduced before they vote.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
        /// The threshold that `predict` decides by.
        pub operating_point: OperatingPoint = &OPERATING_POINT,
    }
}

/// The one value for the learner whose climbs were compared on inner folds of eleven data sets, the paper's for the others.
fn of_clauses<T>(given: &Given<'_>, of_clauses: T, of_paper: T) -> T {
    if given.settings.learner() == BoostVariant::PRankBoostClause.word() { of_clauses } else { of_paper }
}

/// `RankBoost` and the `PRankBoost`s.
#[derive(Clone, Copy, Debug)]
pub struct Boost;

/// The first rounds of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstRounds {
    /// The number of rounds.
    pub n_rounds: usize,
    /// Whether they are learnt again from train and tune.
    is_refitted: bool,
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
        let read_alike = BoostConfig {
            curve_rounds: left.curve_rounds.clone(),
            reduce_clauses: left.reduce_clauses,
            operating_point: left.operating_point,
            ..right.clone()
        };
        read_alike == *left
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
        let own = BoostingRecord { boosting: RoundsRecord::of(found) };
        SearchRecord::new(found.searches.clone(), found.stop, own)
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
    failed_seeds: usize,
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
fn refitted(boosting: &Boosting, tune: Totals) -> Option<BoostModel> {
    boosting.refitted.as_deref().map(|rounds| model(rounds, tune))
}

fn model(rounds: &[GrownRound], tune: Totals) -> BoostModel {
    let rounds = rounds.iter().map(|grown| grown.round.clone()).collect();
    BoostModel { decision: ChosenThreshold::none(tune), rounds }
}
