//! Settings of covering theories, checked.

use crate::bias::SaturationConfig;
use crate::learn::gleaner::OperatingPoint;
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
    /// Whether theories grown by the other settings are ones by these: they differ at most in how clauses
    /// score.
    #[must_use]
    pub fn grows_as(&self, other: &Self) -> bool {
        let scored_alike =
            Self { weights: self.weights, operating_point: self.operating_point, ..other.clone() };
        scored_alike == *self
    }
}
