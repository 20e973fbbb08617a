//! Boolean columns counted together, two by two or by the class of their examples, and their mutual information.

use std::ops::Range;

use gleaner_base::ExampleSet;
use gleaner_base::statistics::{information_on_classes, mutual_information};

/// The numbers of examples for which both, one or none of two Boolean variables hold.
///
/// **Shape**: `n10` counts where the first holds and the second does not; of the class, the second
/// holds at positives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contingency {
    /// Both hold.
    pub n11: usize,
    /// Only the first holds.
    pub n10: usize,
    /// Only the second holds.
    pub n01: usize,
    /// Neither holds.
    pub n00: usize,
}

impl Contingency {
    /// The table in which the first variable holds `n_first` times of `n`, the second `n_second`, both
    /// `n_both`; `None` when no table has such totals.
    pub const fn from_totals(n_both: usize, n_first: usize, n_second: usize, n: usize) -> Option<Self> {
        let (Some(n10), Some(n01)) = (n_first.checked_sub(n_both), n_second.checked_sub(n_both)) else {
            return None;
        };
        let Some(rest) = n.checked_sub(n_first) else { return None };
        let Some(n00) = rest.checked_sub(n01) else { return None };
        Some(Self { n11: n_both, n10, n01, n00 })
    }

    /// How many examples were counted.
    pub const fn n(&self) -> usize {
        self.n11 + self.n10 + self.n01 + self.n00
    }

    /// The [mutual information](mutual_information) of the two in nats; divided by `ln 2` it is in bits.
    /// Range: 0 to `ln 2`; 0 exactly where the variables are independent; `None` of no examples. Equal, bit
    /// for bit, when the variables are exchanged.
    #[expect(clippy::cast_precision_loss, reason = "rounding once is within the documented precision")]
    pub fn mutual_information(&self) -> Option<f64> {
        let n = self.n();
        if n == 0 {
            return None;
        }
        let product = |left: usize, right: usize| left as u128 * right as u128;
        let (together, apart) = (product(self.n11, self.n00), product(self.n10, self.n01));
        let departure =
            if together >= apart { (together - apart) as f64 } else { -((apart - together) as f64) };
        let (first, second) = (self.n11 + self.n10, self.n11 + self.n01);
        Some(mutual_information(first as f64, second as f64, n as f64, departure))
    }
}

/// The mutual information of all pairs of some columns, in nats.
///
/// **Shape**: `n_columns * n_columns`, symmetric; the diagonal holds the columns' entropies.
#[derive(Clone, Debug, PartialEq)]
pub struct PairInformation {
    /// The lower triangle by rows, diagonal included.
    values: Vec<f64>,
}

impl PairInformation {
    pub(super) const fn new(values: Vec<f64>) -> Self {
        Self { values }
    }

    /// `I` of two columns, in nats.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    pub fn of(&self, left: usize, right: usize) -> f64 {
        let (high, low) = (left.max(right), left.min(right));
        self.values[high * (high + 1) / 2 + low]
    }
}

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
    pub const fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// How many classes there are.
    pub const fn n_classes(&self) -> usize {
        self.class_weights.len()
    }

    /// A column.
    pub fn column(&self, column: usize) -> &ExampleSet {
        &self.columns[column]
    }

    /// The summed weight of the examples of each class.
    pub fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    /// The weight of each class that a column holds.
    pub fn held(&self, column: usize) -> &[f64] {
        &self.held[column]
    }

    /// The mutual information of a column and the class, in nats. Range: 0 to `ln 2`.
    pub fn relevance(&self, column: usize) -> f64 {
        information_on_classes(&self.held[column], &self.class_weights)
    }

    /// The mutual information of two columns, in nats. Range: 0 to `ln 2`. An exchange of both columns gives the same
    /// bits.
    /// **Cost**: a pass over their words.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::Contingency;

    const fn table(n11: usize, n10: usize, n01: usize, n00: usize) -> Contingency {
        Contingency { n11, n10, n01, n00 }
    }

    fn assert_near(table: Contingency, expected: f64, relative: f64) {
        let value = table.mutual_information().expect("there are examples");
        assert!(
            (value - expected).abs() <= relative * expected.abs(),
            "{table:?}: {value:e}, not {expected:e}"
        );
    }

    #[test]
    fn information_by_hand() {
        let ln2 = std::f64::consts::LN_2;
        // Equal and opposite variables: the entropy, one bit.
        assert_near(table(10, 0, 0, 10), ln2, 1e-15);
        assert_near(table(0, 3, 3, 0), ln2, 1e-15);
        // p = (1/2, 0, 1/4, 1/4): I = 1/2 ln(1/2 / (1/2 * 3/4)) + 1/4 ln(1/4 / (1/2 * 3/4)) + 1/4 ln(1/4 / (1/2 * 1/4)).
        let by_hand = 0.5 * (4.0_f64 / 3.0).ln() + 0.25 * (2.0_f64 / 3.0).ln() + 0.25 * ln2;
        assert_near(table(2, 0, 1, 1), by_hand, 1e-15);
        // Independent: exactly 0, also where a variable is constant.
        for independent in
            [table(5, 5, 5, 5), table(1, 2, 3, 6), table(1, 0, 0, 0), table(2, 0, 5, 0), table(0, 0, 4, 9)]
        {
            assert_eq!(independent.mutual_information().map(f64::to_bits), Some(0));
        }
        assert_eq!(table(0, 0, 0, 0).mutual_information(), None);
    }

    /// `mutual_info_score` of scikit-learn 1.9.1 on the same tables.
    #[test]
    fn information_as_of_scikit_learn() {
        assert_near(table(3, 1, 2, 4), 0.086_304_621_735_534_49, 1e-14);
        // 0.693147180559945.
        assert_near(table(10, 0, 0, 10), std::f64::consts::LN_2, 1e-14);
        assert_near(table(0, 7, 9, 0), 0.685_314_207_276_458_1, 1e-14);
        assert_near(table(150, 1_623, 4_000, 275_267), 0.000_513_883_815_872_187_2, 1e-11);
        assert_near(table(70_000, 70_520, 70_260, 70_260), 1.711_757_158_018_301e-6, 1e-9);
    }

    /// The textbook's sum in decimals of 60 digits, rounded; near independence scikit-learn 1.9.1 gives
    /// 1.701226782195456e-11, 1.2434497875801753e-13 and NaN for the last three.
    #[test]
    fn information_keeps_its_digits_near_independence() {
        assert_near(table(150, 1_623, 4_000, 275_267), 5.138_838_158_737_692e-4, 1e-14);
        assert_near(table(70_000, 70_520, 70_260, 70_260), 1.711_757_158_137_77e-6, 1e-14);
        assert_near(table(1, 1_772, 158, 279_109), 1.701_386_401_158_973e-11, 1e-14);
        assert_near(table(1_000_001, 999_999, 1_000_000, 1_000_000), 1.250_000_000_000_364_5e-13, 1e-14);
        let half = 1 << 31;
        assert_near(table(half, half - 1, half, half + 1), 2.710_505_431_213_761e-20, 1e-14);
    }

    #[test]
    fn totals_that_no_table_has() {
        assert_eq!(Contingency::from_totals(1, 3, 2, 6), Some(table(1, 2, 1, 2)));
        for (n_both, n_first, n_second, n) in [(4, 3, 5, 9), (4, 5, 3, 9), (1, 5, 5, 8), (0, 3, 0, 2)] {
            assert_eq!(Contingency::from_totals(n_both, n_first, n_second, n), None);
        }
    }

    proptest! {
        #[test]
        fn information_obeys_its_laws(n11 in 0_usize..300, n10 in 0_usize..300, n01 in 0_usize..300, n00 in 1_usize..300) {
            let information = |table: Contingency| table.mutual_information().expect("there are examples");
            let value = information(table(n11, n10, n01, n00));
            prop_assert!((0.0..=std::f64::consts::LN_2 + 1e-15).contains(&value));
            prop_assert_eq!(value.to_bits(), information(table(n11, n01, n10, n00)).to_bits());
            let negated = information(table(n01, n00, n11, n10));
            prop_assert!((value - negated).abs() <= 1e-13 * value);
            // The slow twin: the definition.
            let n = (n11 + n10 + n01 + n00) as f64;
            let (first, second) = ((n11 + n10) as f64, (n11 + n01) as f64);
            let term = |count: usize, margin: f64, other: f64| {
                let count = count as f64;
                if count == 0.0 { 0.0 } else { count / n * (count * n / (margin * other)).ln() }
            };
            let plain = term(n11, first, second) + term(n10, first, n - second)
                + term(n01, n - first, second) + term(n00, n - first, n - second);
            prop_assert!((value - plain).abs() < 1e-14, "{} {}", value, plain);
        }
    }
}
