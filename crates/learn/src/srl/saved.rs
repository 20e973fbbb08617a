//! Saved clauses with the network that scores examples by them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::model::{ScoredClause, SrlModel};
use crate::Model;
use crate::Saved;
use crate::network::{Network, check_network};
use crate::saved::{Contradiction, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

/// A saved model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSrl {
    /// `C`, if the classifier has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Positives and negatives of the examples that chose the threshold.
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples.
    pub threshold: Option<(f64, Counts)>,
    /// The network that scores examples; its numbers are in the order of the clauses.
    pub network: Network,
    /// The clauses, in order.
    pub clauses: Vec<SavedClause>,
}

/// A saved clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedClause {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
}

impl SavedSrl {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &SrlModel, symbols: &Symbols) -> Self {
        let saved = |scored: &ScoredClause| SavedClause {
            clause: clause_text(&scored.clause, symbols),
            train: scored.train,
        };
        Self {
            cost: model.cost,
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            network: model.network.clone(),
            clauses: model.clauses.iter().map(saved).collect(),
        }
    }
}

impl Saved for SavedSrl {
    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.threshold)?;
        check_weight(self.negative_weight)?;
        Ok(())
    }

    fn clause_texts(&self) -> Vec<String> {
        self.clauses.iter().map(|saved| saved.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let scored = |(saved, clause): (&SavedClause, Clause)| ScoredClause { clause, train: saved.train };
        Arc::new(SrlModel {
            clauses: self.clauses.iter().zip(loaded).map(scored).collect(),
            network: self.network.clone(),
            cost: self.cost,
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
