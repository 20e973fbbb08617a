//! Saved covering theories and ensembles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::saved::{Contradiction, check_counts, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::model::{CoveringModel, Member};
use super::weights::Scorer;

/// A saved covering theory or ensemble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedCovering {
    /// Positives and negatives of the examples that chose the threshold.
    #[serde(alias = "n_tune")]
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples.
    pub threshold: Option<(f64, Counts)>,
    /// How examples are scored.
    pub scorer: Scorer,
    /// The theories, their clauses in the order they were added.
    pub theories: Vec<Vec<SavedMember>>,
}

/// A clause of a saved covering theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedMember {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

impl SavedCovering {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &CoveringModel, symbols: &Symbols) -> Self {
        let saved = |member: &Member| SavedMember {
            clause: clause_text(&member.clause, symbols),
            train: member.train,
            tune: member.tune,
        };
        Self {
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            scorer: model.scorer.clone(),
            theories: model.theories.iter().map(|theory| theory.iter().map(saved).collect()).collect(),
        }
    }
}

impl Saved for SavedCovering {
    fn check(&self) -> Result<(), Contradiction> {
        let n_clauses = self.theories.iter().map(Vec::len).sum::<usize>();
        if self.scorer.n_clauses().is_some_and(|fitted| fitted != n_clauses) {
            return Err(Contradiction("its scorer was fitted to other clauses"));
        }
        if !self.scorer.is_sound() || self.threshold.is_some_and(|(least, _)| !least.is_finite()) {
            return Err(Contradiction("its scorer cannot score"));
        }
        check_weight(self.negative_weight)?;
        check_counts(self.theories.iter().flatten().map(|member| member.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.theories.iter().flatten().map(|saved| saved.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let member =
            |(saved, clause): (&SavedMember, Clause)| Member { clause, train: saved.train, tune: saved.tune };
        let theories = self.theories.iter();
        Arc::new(CoveringModel {
            theories: theories.map(|saved| saved.iter().zip(&mut *loaded).map(member).collect()).collect(),
            scorer: self.scorer.clone(),
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
