//! A saved network over clauses.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::network::{Network, check_network};
use crate::saved::{Contradiction, check_counts, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::model::{Feature, SayuModel};

/// A saved network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSayu {
    /// Positives and negatives of the examples that chose the threshold.
    #[serde(alias = "n_tune")]
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples.
    pub threshold: Option<(f64, Counts)>,
    /// The network; its numbers are in the order of the clauses.
    pub network: Network,
    /// The clauses, in the order kept.
    pub clauses: Vec<SavedFeature>,
}

/// A clause of a saved network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedFeature {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

impl SavedSayu {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &SayuModel, symbols: &Symbols) -> Self {
        let saved = |feature: &Feature| SavedFeature {
            clause: clause_text(&feature.clause, symbols),
            train: feature.train,
            tune: feature.tune,
        };
        Self {
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            network: model.network.clone(),
            clauses: model.features.iter().map(saved).collect(),
        }
    }
}

impl Saved for SavedSayu {
    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.threshold)?;
        check_weight(self.negative_weight)?;
        check_counts(self.clauses.iter().map(|feature| feature.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.clauses.iter().map(|saved| saved.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let feature = |(saved, clause): (&SavedFeature, Clause)| Feature {
            clause,
            train: saved.train,
            tune: saved.tune,
        };
        Arc::new(SayuModel {
            features: self.clauses.iter().zip(loaded).map(feature).collect(),
            network: self.network.clone(),
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
