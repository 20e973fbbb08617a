//! Boolean columns over examples of any number of classes.

use std::ops::Range;

use gleaner_base::ExampleSet;
use gleaner_base::information::{information_on_classes, mutual_information};

/// Words of the columns whose examples are all of one class, with the weight of each example.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassBlock {
    /// The words.
    pub words: Range<usize>,
    /// The class.
    pub class: usize,
    /// How many examples of the population each example stands for.
    pub weight: f64,
}

/// Columns with the weight of each class that they hold.
///
/// **Shape**: blocks cover all words, and no two of them meet.
/// **Memory**: an eighth of a byte for each column and position.
#[derive(Clone, Debug)]
pub struct ClassTable {
    columns: Vec<ExampleSet>,
    blocks: Vec<ClassBlock>,
    /// The summed weight of the examples of each class.
    class_weights: Vec<f64>,
    /// For each column, the weight of each class that it holds.
    held: Vec<Vec<f64>>,
    /// The number of examples that each column holds, where all examples weigh alike.
    unweighted: Option<Unweighted>,
}

/// Terms that reduce the information of two columns to a few sums, where all examples weigh alike.
#[derive(Clone, Debug)]
struct Unweighted {
    /// `k ln k` for each `k` up to the number of examples.
    terms: Vec<f64>,
    /// For each column, the number of examples that it holds.
    held: Vec<usize>,
}

impl Unweighted {
    fn of(columns: &[ExampleSet], all: &ExampleSet, blocks: &[ClassBlock]) -> Option<Self> {
        let is_alike = blocks.iter().all(|block| block.weight.to_bits() == 1.0_f64.to_bits());
        is_alike.then(|| Self {
            terms: (0..=all.count()).map(times_log).collect(),
            held: columns.iter().map(ExampleSet::count).collect(),
        })
    }

    /// `I = ln n + (sum_ij t(n_ij) - sum_i t(n_i) - sum_j t(n_j)) / n` with `t(k) = k ln k`. Terms that cancel leave an
    /// error of 1e-15 of `ln n`, far below any gain that a search looks for.
    fn information(&self, left: usize, right: usize, together: usize) -> f64 {
        let t = |k: usize| self.terms[k];
        let n = self.terms.len() - 1;
        let (of_left, of_right) = (self.held[left], self.held[right]);
        let same = t(together) + t(n + together - of_left - of_right);
        let different = t(of_left - together) + t(of_right - together);
        let margins = (t(of_left) + t(of_right)) + (t(n - of_left) + t(n - of_right));
        ((same + different - margins + t(n)) / as_weight(n)).max(0.0)
    }
}

fn times_log(k: usize) -> f64 {
    if k == 0 { 0.0 } else { as_weight(k) * as_weight(k).ln() }
}

#[expect(clippy::cast_precision_loss, reason = "examples are fewer than 2^53")]
const fn as_weight(count: usize) -> f64 {
    count as f64
}

impl ClassTable {
    /// The table of these columns over the examples in `all`; it leaves out other examples of a column.
    ///
    /// # Panics
    ///
    /// When a column has another universe than `all`, or a block a class that is not below `n_classes`.
    #[must_use]
    pub fn new(
        mut columns: Vec<ExampleSet>,
        all: &ExampleSet,
        blocks: Vec<ClassBlock>,
        n_classes: usize,
    ) -> Self {
        columns.iter_mut().for_each(|column| column.intersect_with(all));
        let class_weights = weights_by_class(&blocks, n_classes, |words| all.count_words(words));
        let held = columns
            .iter()
            .map(|column| weights_by_class(&blocks, n_classes, |words| column.count_words(words)))
            .collect();
        let unweighted = Unweighted::of(&columns, all, &blocks);
        Self { columns, blocks, class_weights, held, unweighted }
    }

    /// How many columns there are.
    #[must_use]
    pub const fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// How many classes there are.
    #[must_use]
    pub const fn n_classes(&self) -> usize {
        self.class_weights.len()
    }

    /// A column.
    #[must_use]
    pub fn column(&self, column: usize) -> &ExampleSet {
        &self.columns[column]
    }

    /// The summed weight of the examples of each class.
    #[must_use]
    pub fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    /// The weight of each class that a column holds.
    #[must_use]
    pub fn held(&self, column: usize) -> &[f64] {
        &self.held[column]
    }

    /// The mutual information of a column and the class, in nats. Range: 0 to `ln 2`.
    #[must_use]
    pub fn relevance(&self, column: usize) -> f64 {
        information_on_classes(&self.held[column], &self.class_weights)
    }

    /// The mutual information of two columns, in nats. Range: 0 to `ln 2`. An exchange of both columns gives the same
    /// bits.
    /// **Cost**: a pass over their words.
    #[must_use]
    pub fn redundancy(&self, left: usize, right: usize) -> f64 {
        let (first, second) = (&self.columns[left], &self.columns[right]);
        if let Some(unweighted) = &self.unweighted {
            let together = first.count_both(second, 0..first.words().len());
            return unweighted.information(left, right, together);
        }
        let together: f64 = self
            .blocks
            .iter()
            .map(|block| weighed(first.count_both(second, block.words.clone()), block.weight))
            .sum();
        let [n_first, n_second] = [left, right].map(|column| self.held[column].iter().sum::<f64>());
        let n: f64 = self.class_weights.iter().sum();
        mutual_information(n_first, n_second, n, together * n - n_first * n_second)
    }
}

fn weighed(count: usize, weight: f64) -> f64 {
    as_weight(count) * weight
}

fn weights_by_class(
    blocks: &[ClassBlock],
    n_classes: usize,
    count: impl Fn(Range<usize>) -> usize,
) -> Vec<f64> {
    let mut weights = vec![0.0; n_classes];
    for block in blocks {
        weights[block.class] += weighed(count(block.words.clone()), block.weight);
    }
    weights
}
