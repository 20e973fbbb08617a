//! Settings of boosting, checked.

use crate::bias::SaturationConfig;
use crate::learn::OperatingPoint;
use crate::learn::shared_config::MinPositives;
use crate::program::settings::{Settings, parse_integers};

use super::objective::Objective;

/// Which rules a round keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hypothesis {
    /// The best rule alone: 1 for what it covers, else 0.
    Clause,
    /// All rules from the most general to the best: the most specific one that covers an example says which
    /// share of the area lies at its recall and beyond.
    Path,
}

/// What a round maximises, and what it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundKind {
    /// What it maximises.
    pub objective: Objective,
    /// What it keeps.
    pub hypothesis: Hypothesis,
}

/// The learners of this room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoostVariant {
    /// RankBoost.B: the weighted ROC area, one clause a round. [PRANKBOOST §1, §5]
    RankBoost,
    /// The area of the best rule alone, and that rule. [PRANKBOOST §3]
    PRankBoostClause,
    /// The area of all rules on the way, and all of them. [PRANKBOOST §3]
    PRankBoostPath,
    /// The area of all rules on the way, and the best one. [PRANKBOOST §6]
    Mix1,
    /// The area of the best rule alone, and all rules on the way. [PRANKBOOST §6]
    Mix2,
    /// Clause and Path in turn. [PRANKBOOST §6]
    Mix3,
    /// Clause first, then Mix1. [PRANKBOOST §7]
    TwoStage,
}

impl BoostVariant {
    /// All of them, with the learner's name.
    pub const NAMED: [(&'static str, Self); 7] = [
        ("rankboost", Self::RankBoost),
        ("prankboost-clause", Self::PRankBoostClause),
        ("prankboost-path", Self::PRankBoostPath),
        ("mix1", Self::Mix1),
        ("mix2", Self::Mix2),
        ("mix3", Self::Mix3),
        ("two-stage", Self::TwoStage),
    ];

    /// The variant of a learner's name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, variant)| *variant)
    }

    /// What a round maximises, and what it keeps; rounds count from 0.
    #[must_use]
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

/// Settings of boosting.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostConfig {
    /// Which learner.
    pub variant: BoostVariant,
    /// `T`: rounds.
    pub n_rounds: usize,
    /// Rounds of the first stage of two.
    pub n_first_rounds: usize,
    /// Rounds without a higher area on tune after which boosting ends, with the rounds up to the highest; `None`
    /// for all rounds.
    pub patience: Option<usize>,
    /// Seed examples of each round: the rule of the best climb is kept. The paper has one.
    pub n_round_seeds: usize,
    /// Share of a bottom clause's literals that a climb may use, drawn anew for each; above 0. The paper has all.
    pub literal_share: f64,
    /// Whether the rounds that tune chose are learnt again, from train and tune.
    pub refits: bool,
    /// Most clauses evaluated in one climb.
    pub clauses: u64,
    /// Whether a climb tries two literals together where no single one gains. The paper does not say.
    pub looks_ahead: bool,
    /// Fewest train positives of a rule.
    pub min_positives: usize,
    /// Most literals of a rule, head included.
    pub max_literals: usize,
    /// Limits of saturation.
    pub saturation: SaturationConfig,
    /// Numbers of rounds, ascending, at which the metrics are noted too.
    pub curve_rounds: Vec<usize>,
    /// What `predict` decides by.
    pub operating_point: OperatingPoint,
}

impl BoostConfig {
    /// The configuration that the settings name; `auto` settings depend on the number of train positives.
    ///
    /// # Panics
    ///
    /// When a setting holds a value outside the table's range, which its constructor rules out, or the learner is no
    /// boosting one.
    #[must_use]
    pub fn of(settings: &Settings, n_train_positives: usize) -> Self {
        let min_positives = MinPositives::of(settings, n_train_positives);
        let size = |name: &str| settings.size(name).expect("the setting has a default");
        let curve = parse_integers(&settings.word("curve-rounds")).expect("checked when it was set");
        let n_rounds = size("rounds");
        Self {
            variant: BoostVariant::named(&settings.word("learner"))
                .expect("the settings name a boosting learner"),
            n_rounds,
            n_first_rounds: settings.size("first-rounds").unwrap_or(n_rounds / 2),
            patience: settings.size("patience"),
            n_round_seeds: size("round-seeds"),
            literal_share: settings.real("literal-share"),
            looks_ahead: settings.integer("lookahead") == Some(2),
            refits: settings.word("refit") == "train-and-tune",
            clauses: settings.integer("clauses").expect("the setting has a default"),
            min_positives: min_positives.train,
            max_literals: size("max-literals"),
            saturation: SaturationConfig::of(settings),
            curve_rounds: curve.into_iter().filter_map(|size| usize::try_from(size).ok()).collect(),
            operating_point: OperatingPoint::of(settings),
        }
    }

    /// Whether rounds found by the other settings are ones by these: they differ at most in what decides.
    #[must_use]
    pub fn same_search(&self, other: &Self) -> bool {
        *self
            == Self {
                curve_rounds: self.curve_rounds.clone(),
                operating_point: self.operating_point,
                ..other.clone()
            }
    }
}
