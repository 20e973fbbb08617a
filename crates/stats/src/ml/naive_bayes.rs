//! Naive Bayes over Boolean columns [GLEANER §8.1; Davis et al. 2005], with smoothed frequencies, so that no estimate
//! is 0 or 1.

use gleaner_base::{ClassWeights, Classes, ExampleSet};

/// The pseudo-counts added to the counts of a two-valued event within each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PseudoCounts {
    /// One for each cell, as Laplace does. On skewed classes, an event without evidence then speaks for the smaller
    /// class. With 10 positives and 400 negatives, all without the event, it adds `ln((1/12) / (1/402))`, which is 3.5.
    #[default]
    One,
    /// [`M`] in proportion to the class sizes P and N: `m P / (P + N)` for each cell of the positives, and
    /// `m N / (P + N)` for each cell of the negatives. An event without evidence then speaks for neither class.
    ClassSizes,
}

/// The number of examples, of both classes together, that [`PseudoCounts::ClassSizes`] adds to each value of an event.
pub const M: f64 = 2.0;

impl PseudoCounts {
    /// The log-odds of an event: `ln` of its smoothed frequency among all positives, divided by that among all
    /// negatives. Counts may be sums of weights; in a class without examples the frequency is 1/2.
    pub fn log_odds(self, with_event: ClassWeights, all: ClassWeights) -> f64 {
        let frequency = |count: f64, total: f64| self.frequency(count, total, all.sum());
        let positives = frequency(with_event.positives, all.positives);
        (positives / frequency(with_event.negatives, all.negatives)).ln()
    }
}

impl PseudoCounts {
    /// The log-odds of the classes. [`PseudoCounts::ClassSizes`] does not change them, unless a class has no example.
    pub fn prior(self, all: ClassWeights) -> f64 {
        match self {
            Self::ClassSizes if all.positives > 0.0 && all.negatives > 0.0 => {
                (all.positives / all.negatives).ln()
            }
            Self::ClassSizes | Self::One => {
                (smoothed(all.positives, all.sum()) / smoothed(all.negatives, all.sum())).ln()
            }
        }
    }

    /// The smoothed frequency of an event that holds for `count` of a class's `total` examples; all classes together
    /// have `all`. Range: above 0, below 1; 1/2 for a class without examples.
    pub fn frequency(self, count: f64, total: f64, all: f64) -> f64 {
        match self {
            Self::One => smoothed(count, total),
            Self::ClassSizes if total > 0.0 => {
                let added = M * total / all;
                (count + added) / (total + 2.0 * added)
            }
            Self::ClassSizes => 0.5,
        }
    }
}

/// `(count + 1) / (total + 2)`: the probability of a two-valued event that happened `count` times of `total`. Both may
/// be sums of weights. Range: above 0, below 1.
pub fn smoothed(count: f64, total: f64) -> f64 {
    (count + 1.0) / (total + 2.0)
}

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
    pub fn fit(classes: Classes, columns: &[ExampleSet], smoothing: PseudoCounts) -> Self {
        let all = classes.totals.weighted();
        let mut model = Self::of_classes(all, smoothing);
        for column in columns {
            model.add(all, classes.counts(column).weighted(classes.totals.negative_weight), smoothing);
        }
        model
    }

    /// The model without columns: its score is the log-odds of the classes.
    pub fn of_classes(all: ClassWeights, smoothing: PseudoCounts) -> Self {
        Self { base: smoothing.prior(all), added: Vec::new() }
    }

    /// Adds a column that holds the weights `held` of the weights `all`. Cost: constant.
    pub fn add(&mut self, all: ClassWeights, held: ClassWeights, smoothing: PseudoCounts) {
        self.base += smoothing.log_odds(all.minus(held), all);
        self.added.push(Self::added_by(all, held, smoothing));
    }

    /// The log-odds that a column adds to its examples, given the weights `held` of the weights `all`. Cost: constant.
    pub fn added_by(all: ClassWeights, held: ClassWeights, smoothing: PseudoCounts) -> f64 {
        smoothing.log_odds(held, all) - smoothing.log_odds(all.minus(held), all)
    }

    /// The log-odds of each position, from the columns that hold it. Log-odds of padding mean nothing.
    pub fn scores(&self, len: usize, columns: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.base; len];
        for (column, added) in columns.iter().zip(&self.added) {
            column.iter().for_each(|position| scores[position] += added);
        }
        scores
    }

    /// The log-odds of a row of the columns' values, with the same bits as those of [`Self::scores`].
    pub fn score_of(&self, row: &[bool]) -> f64 {
        let held = self.added.iter().zip(row).filter(|(_, is_held)| **is_held);
        held.fold(self.base, |score, (added, _)| score + added)
    }

    /// Whether all of its numbers are below a bound; numbers from a file may not be.
    pub fn is_below(&self, bound: f64) -> bool {
        self.base.abs() < bound && self.added.iter().all(|added| added.abs() < bound)
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::ClassWeights;

    use super::PseudoCounts;

    const fn weights(positives: f64, negatives: f64) -> ClassWeights {
        ClassWeights { positives, negatives }
    }

    /// 3 of 4 positives, 1 of 6 negatives: (4/6) / (2/8) = 8/3.
    #[test]
    fn odds_by_hand() {
        let odds = PseudoCounts::One.log_odds(weights(3.0, 1.0), weights(4.0, 6.0));
        assert!((odds - (8.0_f64 / 3.0).ln()).abs() < 1e-15);
        let nothing = PseudoCounts::One.log_odds(weights(0.0, 0.0), weights(5.0, 5.0));
        assert_eq!(nothing.to_bits(), 0.0_f64.to_bits());
    }

    /// 10 positives and 400 negatives: of `m = 2` the positives have 2/41, the negatives 80/41. The event of 1 positive
    /// and no negative: (43/41) / (414/41) over (80/41) / (16560/41) is (43/414) / (80/16560) = 43/2 (3.07); of 5 and 5:
    /// (207/414) / (285/16560) = 552/19 (3.37); of 0 and 5: (2/414) / (285/16560) = 16/57 (-1.27).
    #[test]
    fn what_has_no_evidence_speaks_for_no_class() {
        let all = weights(10.0, 400.0);
        let odds =
            |positives, negatives| PseudoCounts::ClassSizes.log_odds(weights(positives, negatives), all);
        assert!(odds(0.0, 0.0).abs() < 1e-12 && odds(10.0, 400.0).abs() < 1e-12);
        let cases = [((1.0, 0.0), 43.0 / 2.0), ((5.0, 5.0), 552.0 / 19.0), ((0.0, 5.0), 16.0 / 57.0_f64)];
        for ((positives, negatives), ratio) in cases {
            assert!((odds(positives, negatives) - f64::ln(ratio)).abs() < 1e-12, "{positives}, {negatives}");
        }
        assert!((PseudoCounts::One.log_odds(weights(0.0, 0.0), all) - (402.0_f64 / 12.0).ln()).abs() < 1e-12);
    }

    /// 10 positives and 400 negatives: Laplace has 11/401, class sizes 10/400; of no positive both have 1/401.
    #[test]
    fn the_classes_are_smoothed_as_events_are() {
        for (smoothing, positives, odds) in [
            (PseudoCounts::One, 10.0, 11.0 / 401.0_f64),
            (PseudoCounts::ClassSizes, 10.0, 10.0 / 400.0),
            (PseudoCounts::One, 0.0, 1.0 / 401.0),
            (PseudoCounts::ClassSizes, 0.0, 1.0 / 401.0),
        ] {
            let prior = smoothing.prior(weights(positives, 400.0));
            assert!((prior - odds.ln()).abs() < 1e-12, "{smoothing:?} {positives}");
        }
    }

    #[test]
    fn a_class_without_examples_says_nothing() {
        let odds = |with, all| PseudoCounts::ClassSizes.log_odds(with, all);
        assert!(odds(weights(0.0, 0.0), weights(0.0, 0.0)).abs() < 1e-15);
        // 5 of 5 negatives: 1/2 over 7/9.
        assert!((odds(weights(0.0, 5.0), weights(0.0, 5.0)) - (9.0_f64 / 14.0).ln()).abs() < 1e-12);
        // 1 of 1 positive: 3/5 over 1/2.
        assert!((odds(weights(1.0, 0.0), weights(1.0, 0.0)) - (6.0_f64 / 5.0).ln()).abs() < 1e-12);
    }
}
