//! Boolean feature columns over labelled examples.

use roaring::RoaringBitmap;

use super::contingency::{Contingency, PairInformation};
use super::cursor::{Cursor, for_each_word};
use super::error::{FeatureError, Kind};
use super::labels::Labels;
use gleaner_base::{ExampleSet, FeatureId};

/// Boolean features of labelled examples: a compressed column for each feature.
///
/// **Shape**: `n_features` columns over `labels.n_positions()` positions; either may be 0.
/// **Invariant**: columns hold positions of examples only, which the constructor checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    labels: Labels,
    columns: Vec<RoaringBitmap>,
}

impl Features {
    /// The table of these columns, each the positions at which its feature holds.
    ///
    /// # Errors
    ///
    /// When a column holds a position that is outside the labels' or without an example.
    pub fn new(labels: Labels, columns: Vec<RoaringBitmap>) -> Result<Self, FeatureError> {
        let positions = labels.positives().iter().chain(labels.negatives().iter());
        let examples: RoaringBitmap = positions.filter_map(|position| u32::try_from(position).ok()).collect();
        for (feature, column) in columns.iter().enumerate() {
            if let Some(position) = (column - &examples).min() {
                return Err(Kind::NoExample { feature, position }.into());
            }
        }
        Ok(Self { labels, columns })
    }

    /// The classes of the examples.
    #[must_use]
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// How many features there are.
    #[must_use]
    pub const fn n_features(&self) -> usize {
        self.columns.len()
    }

    /// The columns, in the order of features.
    #[must_use]
    pub fn columns(&self) -> &[RoaringBitmap] {
        &self.columns
    }

    /// Chosen columns as dense words. Memory: `n_positions / 8` bytes each. Cost: a visit of each
    /// position that they hold.
    ///
    /// # Panics
    ///
    /// When there is no such feature.
    #[must_use]
    pub fn dense(&self, chosen: &[FeatureId]) -> DenseColumns<'_> {
        let column = |feature: &FeatureId| self.dense_column(*feature);
        let columns: Vec<ExampleSet> = chosen.iter().map(column).collect();
        let sizes = columns.iter().map(ExampleSet::count).collect();
        DenseColumns { labels: &self.labels, columns, sizes }
    }

    fn dense_column(&self, feature: FeatureId) -> ExampleSet {
        let mut column = ExampleSet::empty(self.labels.n_positions());
        let mut cursor = Cursor::new(&self.columns[feature.index()]);
        let positions = cursor.below(self.labels.n_positions());
        for_each_word(positions, |word, bits| column.set_word(word, bits));
        column
    }
}

/// Words of a column that are compared with the same words of all other columns before the next words. At 2 KB each,
/// hundreds of columns stay in the second cache.
const TILE: usize = 256;

/// Columns as dense words, to be counted against each other and against the class.
///
/// **Shape**: columns in the order in which they were chosen; a column's number is its place in this order.
#[derive(Clone, Debug)]
pub struct DenseColumns<'features> {
    labels: &'features Labels,
    columns: Vec<ExampleSet>,
    /// How many examples each column holds.
    sizes: Vec<usize>,
}

impl DenseColumns<'_> {
    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[ExampleSet] {
        &self.columns
    }

    /// The contingency table of two columns. `n10` counts the examples that the left column holds and the right one
    /// does not. Cost: one pass over their words.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    #[must_use]
    pub fn contingency(&self, left: usize, right: usize) -> Contingency {
        let (left_column, right_column) = (&self.columns[left], &self.columns[right]);
        let n_both = left_column.count_both(right_column, 0..left_column.words().len());
        self.table(n_both, left, right)
    }

    /// The contingency table of a column and the class. `n11` counts the column's positives, `n10` its negatives. Cost:
    /// one pass over its words.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    #[must_use]
    pub fn class_contingency(&self, column: usize) -> Contingency {
        let words = 0..self.columns[column].words().len();
        let n_both = self.columns[column].count_both(self.labels.positives(), words);
        Contingency::from_totals(
            n_both,
            self.sizes[column],
            self.labels.n_positives(),
            self.labels.n_examples(),
        )
        .expect("columns hold examples only")
    }

    fn table(&self, n_both: usize, left: usize, right: usize) -> Contingency {
        Contingency::from_totals(n_both, self.sizes[left], self.sizes[right], self.labels.n_examples())
            .expect("columns hold examples only")
    }

    /// The mutual information of all pairs of columns; `None` without examples.
    ///
    /// Cost: `O(n_columns^2 * n_words)`, words in tiles that stay in the second cache; memory
    /// `8 * n_columns^2` bytes.
    #[must_use]
    pub fn pair_information(&self) -> Option<PairInformation> {
        let pairs = || (0..self.columns.len()).flat_map(|left| (0..=left).map(move |right| (left, right)));
        let mut n_both = vec![0; pairs().count()];
        let n_words = self.columns.first().map_or(0, |column| column.words().len());
        for start in (0..n_words).step_by(TILE) {
            let words = start..n_words.min(start + TILE);
            for ((left, right), n_both) in pairs().zip(&mut n_both) {
                *n_both += self.columns[left].count_both(&self.columns[right], words.clone());
            }
        }
        let values: Option<Vec<f64>> = pairs()
            .zip(n_both)
            .map(|((left, right), n_both)| self.table(n_both, left, right).mutual_information())
            .collect();
        (self.labels.n_examples() > 0).then_some(())?;
        Some(PairInformation::new(values?))
    }
}

#[cfg(test)]
pub(crate) mod tests;
