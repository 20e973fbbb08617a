//! Naive Bayes over Boolean columns [GLEANER §8.1; Davis et al. 2005], with smoothed frequencies, so that no estimate
//! is 0 or 1.
//!
//! Naive Bayes of any number of classes over Boolean columns, and its score for one of the classes. [MLYNX §2]

use serde::{Deserialize, Serialize};

use gleaner_base::{ClassWeights, Classes, ExampleSet};

use super::contingency::ClassTable;

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
fn smoothed(count: f64, total: f64) -> f64 {
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

/// A discriminant for each class: `ln p(c) + sum_i ln p(f_i | c)` over the columns, where `f_i` holds or not.
///
/// **Shape**: `base` has a number for each class, `added` a list for each class with a number for each column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassBayes {
    /// By class: the discriminant of an example that no column holds.
    pub base: Vec<f64>,
    /// By class: the term that each column adds for the examples that it holds.
    pub added: Vec<Vec<f64>>,
}

impl ClassBayes {
    /// Fits some of a table's columns. A class without examples has the discriminant of none. **Cost**: constant for each column.
    pub fn fit(table: &ClassTable, columns: &[usize], smoothing: PseudoCounts) -> Self {
        let weights = table.class_weights();
        let all: f64 = weights.iter().sum();
        let mut base = Vec::with_capacity(weights.len());
        let mut added = Vec::with_capacity(weights.len());
        for (class, &total) in weights.iter().enumerate() {
            let logs = columns.iter().map(|&column| {
                let held = smoothing.frequency(table.held(column)[class], total, all);
                (held.ln(), (1.0 - held).ln())
            });
            let logs: Vec<(f64, f64)> = logs.collect();
            let prior = (total / all).max(f64::MIN_POSITIVE).ln();
            base.push(prior + logs.iter().map(|(_, without)| without).sum::<f64>());
            added.push(logs.iter().map(|(with, without)| with - without).collect());
        }
        Self { base, added }
    }

    /// The discriminants of each position, by class, from the columns in their order.
    pub fn scores(&self, len: usize, columns: &[&ExampleSet]) -> Vec<Vec<f64>> {
        let of_class = |(&base, added): (&f64, &Vec<f64>)| {
            let mut scores = vec![base; len];
            for (column, added) in columns.iter().zip(added) {
                column.iter().for_each(|position| scores[position] += added);
            }
            scores
        };
        self.base.iter().zip(&self.added).map(of_class).collect()
    }
}

/// The log-odds of one class against all others: `d(c) - ln sum_{k != c} exp d(k)` of the classes' discriminants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneOfMany {
    /// The class.
    pub own: usize,
    /// The discriminants of all classes.
    pub bayes: ClassBayes,
}

impl OneOfMany {
    /// The score of each position; a column holds for the positions in its set.
    pub fn scores(&self, len: usize, columns: &[&ExampleSet]) -> Vec<f64> {
        let of_classes = self.bayes.scores(len, columns);
        let mut at_position = vec![0.0; of_classes.len()];
        (0..len)
            .map(|position| {
                at_position.iter_mut().zip(&of_classes).for_each(|(at, scores)| *at = scores[position]);
                log_odds(&at_position, self.own)
            })
            .collect()
    }

    /// The score of an example for which these columns hold. It has the same bits as that of [`Self::scores`].
    pub fn score_of(&self, row: &[bool]) -> f64 {
        let discriminant = |(&base, added): (&f64, &Vec<f64>)| {
            let held = added.iter().zip(row).filter(|(_, holds)| **holds);
            held.fold(base, |sum, (added, _)| sum + added)
        };
        let discriminants: Vec<f64> =
            self.bayes.base.iter().zip(&self.bayes.added).map(discriminant).collect();
        log_odds(&discriminants, self.own)
    }

    /// For each column, the loss of score if it did not hold; 0 for columns that do not hold.
    pub fn parts_of(&self, row: &[bool]) -> Vec<f64> {
        let score = self.score_of(row);
        let mut without = row.to_vec();
        let part = |(column, &holds): (usize, &bool)| {
            if !holds {
                return 0.0;
            }
            without[column] = false;
            let lost = score - self.score_of(&without);
            without[column] = true;
            lost
        };
        row.iter().enumerate().map(part).collect()
    }

    /// How many columns there are.
    pub fn n_columns(&self) -> usize {
        self.bayes.added.first().map_or(0, Vec::len)
    }

    /// Whether its lists fit together, and all numbers are finite and below `bound` in size.
    pub fn is_below(&self, bound: f64) -> bool {
        let ClassBayes { base, added } = &self.bayes;
        let n_columns = self.n_columns();
        base.len() >= 2
            && self.own < base.len()
            && added.len() == base.len()
            && added.iter().all(|added| added.len() == n_columns)
            && base.iter().chain(added.iter().flatten()).all(|number| number.abs() < bound)
    }
}

/// The log-odds of a class, from the logarithms of all classes' probabilities up to a common term.
pub fn log_odds(discriminants: &[f64], own: usize) -> f64 {
    let others = || discriminants.iter().enumerate().filter(|&(class, _)| class != own).map(|(_, of)| *of);
    let greatest = others().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = others().map(|of| (of - greatest).exp()).sum();
    discriminants[own] - greatest - sum.ln()
}

#[cfg(test)]
mod tests {
    use gleaner_base::{ClassWeights, ExampleSet};

    use super::super::contingency::{ClassBlock, ClassTable};
    use super::{ClassBayes, OneOfMany, PseudoCounts, log_odds};

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

    /// Three classes of 2, 3 and 1 examples, the last of weight 2, so 7 in all. The column holds 1, 3 and 0 of them. With one
    /// added to each count its frequencies are 2/4, 4/5 and 1/4.
    #[test]
    fn discriminants_by_hand() {
        let set = |positions: &[usize]| ExampleSet::from_positions(192, positions.iter().copied());
        let block = |class: usize, weight: f64| ClassBlock { words: class..class + 1, class, weight };
        let blocks = vec![block(0, 1.0), block(1, 1.0), block(2, 2.0)];
        let column = set(&[1, 64, 65, 66, 70]);
        let table = ClassTable::new(vec![column.clone()], &set(&[0, 1, 64, 65, 66, 128]), blocks, 3);
        assert_eq!(table.held(0), [1.0, 3.0, 0.0]);
        let bayes = ClassBayes::fit(&table, &[0], PseudoCounts::One);
        let without = [2.0 / 7.0 * 0.5, 3.0 / 7.0 * 0.2, 2.0 / 7.0 * 0.75];
        let with = [2.0 / 7.0 * 0.5, 3.0 / 7.0 * 0.8, 2.0 / 7.0 * 0.25];
        let scores = bayes.scores(192, &[&column]);
        for class in 0..3 {
            assert!((scores[class][0] - f64::ln(without[class])).abs() < 1e-12);
            assert!((scores[class][1] - f64::ln(with[class])).abs() < 1e-12);
        }
    }

    fn model(own: usize) -> OneOfMany {
        let bayes = ClassBayes {
            base: vec![-1.0, -2.0, -0.5],
            added: vec![vec![0.5, -1.0], vec![2.0, 0.25], vec![0.0, -0.75]],
        };
        OneOfMany { own, bayes }
    }

    #[test]
    fn odds_are_those_of_the_softmax() {
        let discriminants = [0.3_f64, -1.2, 2.0];
        let sum: f64 = discriminants.iter().map(|of| of.exp()).sum();
        for own in 0..3 {
            let p = discriminants[own].exp() / sum;
            assert!((log_odds(&discriminants, own) - (p / (1.0 - p)).ln()).abs() < 1e-12);
        }
        // Two classes: the difference.
        assert!((log_odds(&[700.0, -900.0], 0) - 1600.0).abs() < 1e-9);
    }

    /// The first column holds at positions 0 and 1, the second at 1.
    #[test]
    fn scores_are_of_the_rows() {
        let columns =
            [vec![0, 1], vec![1]].map(|positions: Vec<usize>| ExampleSet::from_positions(3, positions));
        let columns: Vec<&ExampleSet> = columns.iter().collect();
        for own in 0..3 {
            let model = model(own);
            let scores = model.scores(3, &columns);
            let rows = [[true, false], [true, true], [false, false]];
            assert_eq!(scores, rows.map(|row| model.score_of(&row)));
            let parts = model.parts_of(&rows[1]);
            assert!((parts[1] - (scores[1] - scores[0])).abs() < 1e-12);
            assert_eq!(model.parts_of(&rows[2]), [0.0, 0.0]);
        }
        let sum: f64 = (0..3).map(|own| 1.0 / (1.0 + (-model(own).score_of(&[true, true])).exp())).sum();
        assert!((sum - 1.0).abs() < 1e-12, "the probabilities of all classes");
        assert!(model(2).is_below(1e15) && !model(3).is_below(1e15));
    }
}
