//! Settings of boosting, checked.

use crate::OperatingPoint;
use crate::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::{CURVE_ROUNDS, OPERATING_POINT, REFIT, ROUNDS, Refit};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::{CLAUSES, MAX_LITERALS, MIN_POSITIVES, REDUNDANT_CLAUSES, RedundantClauses};
use gleaner_lang::program::order::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{
    Computed, Given, Group, LEARNER, Setting, Source, Word, settings, words,
};

use super::objective::Objective;

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

impl BoostConfig {
    /// Whether the other settings find the same rounds as these. They differ at most in whether rules are reduced, and
    /// in what decides.
    pub fn same_search(&self, other: &Self) -> bool {
        *self
            == Self {
                curve_rounds: self.curve_rounds.clone(),
                reduce_clauses: self.reduce_clauses,
                operating_point: self.operating_point,
                ..other.clone()
            }
    }
}
