//! Naive Bayes over Boolean columns, smoothed. [GLEANER §8.1; Davis et al. 2005]

use gleaner_base::{ClassWeights, Classes, ExampleSet};

use super::smoothing::PseudoCounts;

/// Naive Bayes: columns are independent given the class.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NaiveBayes {
    /// The log-odds of an example that no column holds.
    pub base: f64,
    /// The log-odds that each column adds to the examples that it holds.
    pub added: Vec<f64>,
}

impl NaiveBayes {
    /// Fits columns over one universe. Cost: a pass over each column.
    #[must_use]
    pub fn fit(classes: Classes, columns: &[ExampleSet], smoothing: PseudoCounts) -> Self {
        let all = classes.totals.weighted();
        let mut model = Self::of_classes(all, smoothing);
        for column in columns {
            model.add(all, classes.counts(column).weighted(classes.totals.negative_weight), smoothing);
        }
        model
    }

    /// The model without columns: its score is the log-odds of the classes.
    #[must_use]
    pub fn of_classes(all: ClassWeights, smoothing: PseudoCounts) -> Self {
        Self { base: smoothing.prior(all), added: Vec::new() }
    }

    /// Adds a column that holds the weights `held` of the weights `all`. Cost: constant.
    pub fn add(&mut self, all: ClassWeights, held: ClassWeights, smoothing: PseudoCounts) {
        self.base += smoothing.log_odds(all.minus(held), all);
        self.added.push(Self::added_by(all, held, smoothing));
    }

    /// The log-odds that a column adds to its examples, given the weights `held` of the weights `all`. Cost: constant.
    #[must_use]
    pub fn added_by(all: ClassWeights, held: ClassWeights, smoothing: PseudoCounts) -> f64 {
        smoothing.log_odds(held, all) - smoothing.log_odds(all.minus(held), all)
    }

    /// The log-odds of each position, from the columns that hold it. Log-odds of padding mean nothing.
    #[must_use]
    pub fn scores(&self, len: usize, columns: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.base; len];
        for (column, added) in columns.iter().zip(&self.added) {
            column.iter().for_each(|position| scores[position] += added);
        }
        scores
    }

    /// The log-odds of a row of the columns' values, with the same bits as those of [`Self::scores`].
    #[must_use]
    pub fn score_of(&self, row: &[bool]) -> f64 {
        let held = self.added.iter().zip(row).filter(|(_, is_held)| **is_held);
        held.fold(self.base, |score, (added, _)| score + added)
    }

    /// Whether all of its numbers are below a bound; numbers from a file may not be.
    #[must_use]
    pub fn is_below(&self, bound: f64) -> bool {
        self.base.abs() < bound && self.added.iter().all(|added| added.abs() < bound)
    }
}
