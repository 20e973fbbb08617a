//! A saved best clause.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::saved::{Contradiction, check_counts, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::model::BestClauseModel;
use super::search::Finalist;

/// A saved best clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBestClause {
    /// Positives and negatives of the tune set.
    pub n_tune: [usize; 2],
    /// How many negatives each of tune stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The clause as text.
    pub clause: Option<String>,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

impl SavedBestClause {
    pub(super) fn new(model: &BestClauseModel, symbols: &Symbols) -> Self {
        Self {
            n_tune: model.tune.numbers(),
            negative_weight: model.tune.negative_weight,
            clause: model.best.as_ref().map(|best| clause_text(&best.clause, symbols)),
            train: model.best.as_ref().map_or(Counts::NONE, |best| best.train),
            tune: model.counts,
        }
    }
}

impl Saved for SavedBestClause {
    fn check(&self) -> Result<(), Contradiction> {
        check_weight(self.negative_weight)?;
        check_counts(self.clause.iter().map(|_| self.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.clause.iter().cloned().collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let best = loaded.next().filter(|_| self.clause.is_some());
        Arc::new(BestClauseModel {
            best: best.map(|clause| Finalist { clause, train: self.train }),
            counts: self.tune,
            tune: tune_totals(self.n_tune, self.negative_weight),
        })
    }
}
