//! Saved weighted clauses.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::model::{SrlModel, WeightedClause};
use crate::base::{Counts, NegativeWeight};
use crate::learn::Model;
use crate::learn::saved::{Contradiction, Saved, check_counts, check_weight, tune_totals};
use crate::program::display::clause_text;
use crate::program::{Clause, Symbols};

/// Weights, and thresholds, are below this; so sums of them stay finite.
const MOST: f64 = 1e15;

/// Saved weighted clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSrl {
    /// The score of an example that no clause covers.
    pub intercept: f64,
    /// `C`.
    pub cost: f64,
    /// Positives and negatives of the examples that chose the threshold.
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples.
    pub threshold: Option<(f64, Counts)>,
    /// The clauses, in order.
    pub clauses: Vec<SavedClause>,
}

/// A saved clause with its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedClause {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// What it adds to the score of an example that it covers.
    pub weight: f64,
}

impl SavedSrl {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &SrlModel, symbols: &Symbols) -> Self {
        let saved = |weighted: &WeightedClause| SavedClause {
            clause: clause_text(&weighted.clause, symbols),
            train: weighted.train,
            weight: weighted.weight,
        };
        Self {
            intercept: model.intercept,
            cost: model.cost,
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            clauses: model.clauses.iter().map(saved).collect(),
        }
    }
}

impl Saved for SavedSrl {
    fn check(&self) -> Result<(), Contradiction> {
        let is_small = |value: f64| value.abs() < MOST;
        if !(is_small(self.intercept) && self.clauses.iter().all(|saved| is_small(saved.weight))) {
            return Err(Contradiction("a clause weighs no number"));
        }
        if self.threshold.is_some_and(|(least, _)| !is_small(least)) {
            return Err(Contradiction("its threshold is no number"));
        }
        check_weight(self.negative_weight)?;
        check_counts(self.clauses.iter().map(|saved| saved.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.clauses.iter().map(|saved| saved.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let weighted = |(saved, clause): (&SavedClause, Clause)| WeightedClause {
            clause,
            train: saved.train,
            weight: saved.weight,
        };
        Arc::new(SrlModel {
            clauses: self.clauses.iter().zip(loaded).map(weighted).collect(),
            intercept: self.intercept,
            cost: self.cost,
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
