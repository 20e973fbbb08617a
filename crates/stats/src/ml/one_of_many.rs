//! Naive Bayes of any number of classes over Boolean columns, and its score for one of the classes. [MLYNX §2]

use serde::{Deserialize, Serialize};

use gleaner_base::ExampleSet;

use super::contingency::ClassTable;
use super::naive_bayes::PseudoCounts;

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
    use gleaner_base::ExampleSet;

    use super::super::contingency::{ClassBlock, ClassTable};
    use super::super::naive_bayes::PseudoCounts;
    use super::{ClassBayes, OneOfMany, log_odds};

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
