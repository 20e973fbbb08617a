//! Naive Bayes over Boolean columns, smoothed. [GLEANER §8.1; Davis et al. 2005]

use crate::base::{Classes, ExampleSet};

use super::smoothing::{PseudoCounts, prior};

/// Naive Bayes: columns are independent given the class.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NaiveBayes {
    /// The log-odds of an example that no column holds.
    pub base: f64,
    /// What each column adds for those it holds.
    pub added: Vec<f64>,
}

impl NaiveBayes {
    /// Fits columns over one universe. Cost: a pass over each column.
    #[must_use]
    pub fn fit(classes: Classes, columns: &[ExampleSet], smoothing: PseudoCounts) -> Self {
        let all = classes.totals.weighted();
        let mut base = prior(all);
        let mut added = Vec::with_capacity(columns.len());
        for column in columns {
            let with = classes.counts(column).weighted(classes.totals.negative_weight);
            let (held, not_held) = (smoothing.log_odds(with, all), smoothing.log_odds(all.minus(with), all));
            base += not_held;
            added.push(held - not_held);
        }
        Self { base, added }
    }

    /// The log-odds of each position, by the columns that hold it; those of padding mean nothing.
    #[must_use]
    pub fn scores(&self, len: usize, columns: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.base; len];
        for (column, added) in columns.iter().zip(&self.added) {
            column.iter().for_each(|position| scores[position] += added);
        }
        scores
    }
}
