//! Naive Bayes of any number of classes over Boolean columns. [MLYNX §2]

use serde::{Deserialize, Serialize};

use super::class_table::ClassTable;
use super::smoothing::PseudoCounts;
use gleaner_base::ExampleSet;

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
    #[must_use]
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
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::ClassBayes;
    use crate::ml::class_table::{ClassBlock, ClassTable};
    use crate::ml::smoothing::PseudoCounts;
    use gleaner_base::ExampleSet;

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
}
