//! Settings of covering theories, checked.

use crate::bias::SaturationConfig;
use crate::learn::OperatingPoint;
use crate::learn::shared_config::MinPositives;
use crate::program::settings::{Settings, parse_integers};
use crate::search::{SearchConfig, SearchLimits};

use super::weights::TheoryWeights;

/// How a theory covers, as Aleph's commands of these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Induction {
    /// Positives that are covered are removed: they count for no later clause.
    Induce,
    /// Positives that are covered are no seeds any more, but count for later clauses.
    InduceCover,
    /// Every positive is a seed, and counts for every clause.
    InduceMax,
}

/// Settings of covering theories.
#[derive(Clone, Debug, PartialEq)]
pub struct CoveringConfig {
    /// `N`: theories, each from seeds of its own.
    pub n_theories: usize,
    /// `C`: most clauses of a theory; `None` for as many as cover.
    pub max_clauses: Option<usize>,
    /// How a theory covers.
    pub induction: Induction,
    /// Limits of each seed's search; `clauses` are Aleph's nodes.
    pub limits: SearchLimits,
    /// The search for one clause.
    pub search: SearchConfig,
    /// Limits of saturation.
    pub saturation: SaturationConfig,
    /// Most literals of a clause, head included.
    pub max_literals: usize,
    /// Fewest tune positives of a clause.
    pub min_tune_positives: usize,
    /// Whether theories vote, rather than the clauses of one.
    pub is_ensemble: bool,
    /// Numbers of clauses in a theory, ascending, at which the area of smaller theories is noted too.
    pub curve_clauses: Vec<usize>,
    /// How the clauses of one theory score an example.
    pub weights: TheoryWeights,
    /// What `predict` decides by.
    pub operating_point: OperatingPoint,
}

impl CoveringConfig {
    /// The configuration that the settings name; `auto` settings depend on the number of train positives.
    ///
    /// # Panics
    ///
    /// When a setting holds a value outside the table's range, which its constructor rules out.
    #[must_use]
    pub fn of(settings: &Settings, n_train_positives: usize) -> Self {
        let is_ensemble = settings.word("learner") == "aleph-ensemble";
        let min_positives = MinPositives::of(settings, n_train_positives);
        let size = |name: &str| settings.size(name).expect("the setting has a default");
        let curve = parse_integers(&settings.word("curve-clauses")).expect("checked when it was set");
        let limits = SearchLimits::of(settings, min_positives.train);
        let clauses = settings.integer("theory-nodes").unwrap_or(limits.clauses);
        Self {
            n_theories: if is_ensemble { size("ensemble-size") } else { 1 },
            max_clauses: settings.size("theory-clauses"),
            induction: match settings.word("induction").as_str() {
                "induce-cover" => Induction::InduceCover,
                "induce-max" => Induction::InduceMax,
                _ => Induction::Induce,
            },
            limits: SearchLimits { clauses, ..limits },
            search: SearchConfig::of(settings),
            saturation: SaturationConfig::of(settings),
            max_literals: size("max-literals"),
            min_tune_positives: min_positives.tune,
            is_ensemble,
            curve_clauses: curve.into_iter().filter_map(|size| usize::try_from(size).ok()).collect(),
            weights: TheoryWeights::named(&settings.word("theory-weights"))
                .expect("the table lists the weights that exist"),
            operating_point: OperatingPoint::of(settings),
        }
    }

    /// Whether theories grown by the other settings are ones by these: they differ at most in how clauses
    /// score.
    #[must_use]
    pub fn same_search(&self, other: &Self) -> bool {
        let scored_alike =
            Self { weights: self.weights, operating_point: self.operating_point, ..other.clone() };
        scored_alike == *self
    }
}
