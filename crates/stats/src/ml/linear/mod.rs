//! Linear classifiers over sparse features: support vector machines and logistic regression, with weighted rows.
//!
//! A classifier minimises `penalty(w) + C * sum_i weight_i * loss(y_i (w·x_i + b))` over the weights `w` of columns
//! and the intercept `b`, which no penalty holds. A [`Design`] has the rows. [`Newton`] takes the squared hinge and the
//! logistic loss under the L2 penalty; [`fit_primal`] takes them under either penalty, a column at a time, for a few rough
//! passes too; [`fit_hinge`] takes the hinge itself, a row at a time in the dual.

mod descent;
mod newton;

use std::sync::{Arc, OnceLock};

pub use descent::{Descent, Loss, Penalty, Problem, fit_hinge, fit_primal};
pub use newton::Newton;

/// A linear classifier: `w·x + b`, above 0 for positives.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LinearModel {
    /// `w`: a weight for each column.
    pub weights: Vec<f64>,
    /// `b`.
    pub intercept: f64,
}

impl LinearModel {
    /// The classifier with weights of 0 for `n_columns` columns.
    pub fn zero(n_columns: usize) -> Self {
        Self { weights: vec![0.0; n_columns], intercept: 0.0 }
    }

    /// `w·x + b` of every row, in order.
    pub fn scores(&self, design: &Design) -> Vec<f64> {
        let mut scores = vec![self.intercept; design.n_rows()];
        for (column, &weight) in self.weights.iter().enumerate() {
            if weight != 0.0 {
                design.column(column).for_each(|(row, value)| scores[row] += weight * value);
            }
        }
        scores
    }
}

/// A row: its weight, class and values.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignRow<V = Vec<(u32, f64)>> {
    /// How many examples it stands for, at least 0.
    pub weight: f64,
    /// Whether they are positive.
    pub is_positive: bool,
    /// Columns, ascending, with values other than 0.
    pub values: V,
}

/// Weighted rows of two classes over sparse columns.
///
/// **Shape**: `n_rows` by `n_columns`; either may be 0. **Memory**: 4 bytes for each value that is not 0 where all of
/// these are 1, else 12. The rows' lists take as much again once they are asked for. Designs that differ in weights and
/// scales alone share them.
#[derive(Clone, Debug)]
pub struct Design {
    weights: Vec<f64>,
    /// 1 for positives, -1 for negatives.
    classes: Arc<[f64]>,
    by_column: Arc<Compressed>,
    /// Made when they are asked for.
    by_row: Arc<OnceLock<Compressed>>,
    listed: Arc<OnceLock<Listed>>,
    /// The factor of each column.
    scales: Vec<f64>,
}

/// Lists one after the other; list `at` is `starts[at]..starts[at + 1]`.
#[derive(Debug, PartialEq)]
struct Compressed {
    starts: Vec<usize>,
    places: Vec<u32>,
    /// `None` where all are 1.
    values: Option<Vec<f64>>,
}

/// Places whose lists are written together: a few megabytes, about a second-level cache.
const PLACES_OF_BLOCK: usize = 8_192;

impl Compressed {
    fn list(&self, at: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[at]..self.starts[at + 1];
        let values = self.values.as_ref().map(|values| &values[range.clone()]);
        let value = move |at: usize| values.map_or(1.0, |values| values[at]);
        self.places[range].iter().enumerate().map(move |(at, &place)| (place as usize, value(at)))
    }

    /// The sum of a list's values, each times the factor of its place.
    fn product(&self, at: usize, factors: &[f64]) -> f64 {
        if self.values.is_some() {
            let mut sum = 0.0;
            self.visit(at, |place, value| sum += factors[place] * value);
            return sum;
        }
        let places = &self.places[self.starts[at]..self.starts[at + 1]];
        // Four sums at once: an addition need not wait for the one before it.
        let (fours, rest) = places.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            sums.iter_mut().zip(four).for_each(|(sum, &place)| *sum += factors[place as usize]);
        }
        let rest: f64 = rest.iter().map(|&place| factors[place as usize]).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }

    /// Visits a list's places with their values. The closure is compiled once for values that are all 1.
    #[inline]
    fn visit(&self, at: usize, mut visit: impl FnMut(usize, f64)) {
        let range = self.starts[at]..self.starts[at + 1];
        let places = &self.places[range.clone()];
        match &self.values {
            None => places.iter().for_each(|&place| visit(place as usize, 1.0)),
            Some(values) => {
                places.iter().zip(&values[range]).for_each(|(&place, &value)| visit(place as usize, value));
            }
        }
    }

    /// The transposed lists: one list, ascending, for each place below `n_places`. Lists of ones may be taken as their
    /// complements.
    fn transposed(&self, n_places: usize, is_complement: &[bool]) -> Self {
        let mut starts = vec![0; n_places + 1];
        self.each(n_places, is_complement, |_, place, _| starts[place + 1] += 1);
        for place in 0..n_places {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let n_values = starts[n_places];
        let mut places = vec![0; n_values];
        let mut values = self.values.as_ref().map(|_| vec![0.0; n_values]);
        self.each(n_places, is_complement, |list, place, value| {
            places[next[place]] = list;
            if let Some(values) = &mut values {
                values[next[place]] = value;
            }
            next[place] += 1;
        });
        Self { starts, places, values }
    }

    /// Visits each list's places with their values. Places are taken in blocks, each of all lists, so that what is written
    /// for neighbouring places lies together; within a block, lists ascend, and so do their places.
    fn each(&self, n_places: usize, is_complement: &[bool], mut visit: impl FnMut(u32, usize, f64)) {
        let mut next = self.starts[..is_complement.len()].to_vec();
        for first in (0..n_places).step_by(PLACES_OF_BLOCK) {
            let end = n_places.min(first + PLACES_OF_BLOCK);
            for ((list, &is_complement), next) in (0_u32..).zip(is_complement).zip(&mut next) {
                let start = std::mem::replace(next, self.end_below(list as usize, *next, end, n_places));
                let places = self.places[start..*next].iter().map(|&place| place as usize);
                if is_complement {
                    let mut held = places.peekable();
                    let absent = (first..end).filter(|&place| held.next_if_eq(&place).is_none());
                    absent.for_each(|place| visit(list, place, 1.0));
                } else {
                    let value = |at: usize| self.values.as_ref().map_or(1.0, |values| values[at]);
                    (start..).zip(places).for_each(|(at, place)| visit(list, place, value(at)));
                }
            }
        }
    }

    /// Where the places below `end` end in a list, sought from `start`.
    fn end_below(&self, list: usize, start: usize, end: usize, n_places: usize) -> usize {
        let whole = self.starts[list + 1];
        if end == n_places {
            return whole;
        }
        start + self.places[start..whole].partition_point(|&place| (place as usize) < end)
    }
}

/// The rows' lists, with the complements of the Boolean columns that most rows have.
#[derive(Debug)]
struct Listed {
    by_row: Compressed,
    is_complement: Vec<bool>,
}

impl Design {
    /// The rows, in order, over `n_columns` columns.
    ///
    /// **Cost**: linear in the values.
    ///
    /// # Panics
    ///
    /// When a row has a column that is not below `n_columns`, or there are 2^32 rows.
    pub fn new<V: IntoIterator<Item = (u32, f64)>>(
        n_columns: usize,
        rows: impl IntoIterator<Item = DesignRow<V>>,
    ) -> Self {
        let mut by_row = Compressed { starts: vec![0], places: Vec::new(), values: Some(Vec::new()) };
        let (mut weights, mut classes, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_boolean = true;
        for row in rows {
            weights.push(row.weight);
            classes.push(if row.is_positive { 1.0 } else { -1.0 });
            for (column, value) in row.values {
                by_row.places.push(column);
                is_boolean &= (value - 1.0).abs() < f64::EPSILON;
                if !is_boolean {
                    values.resize(by_row.places.len() - 1, 1.0);
                    values.push(value);
                }
            }
            by_row.starts.push(by_row.places.len());
        }
        values.resize(by_row.places.len(), 1.0);
        by_row.values = (!is_boolean).then_some(values);
        let n_rows = u32::try_from(weights.len()).expect("fewer than 2^32 rows") as usize;
        Self {
            weights,
            classes: classes.into(),
            by_column: Arc::new(by_row.transposed(n_columns, &vec![false; n_rows])),
            by_row: Arc::default(),
            listed: Arc::default(),
            scales: vec![1.0; n_columns],
        }
    }

    /// How many rows there are.
    pub const fn n_rows(&self) -> usize {
        self.weights.len()
    }

    /// Whether all values that are not 0 are 1.
    pub fn is_boolean(&self) -> bool {
        !self.has_values() && self.scales.iter().all(|&scale| (scale - 1.0).abs() < f64::EPSILON)
    }

    /// How many columns there are.
    pub const fn n_columns(&self) -> usize {
        self.scales.len()
    }

    /// How many examples each row stands for.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The class of each row: 1 or -1.
    pub fn classes(&self) -> &[f64] {
        &self.classes
    }

    /// The factor of each column.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// The columns of a row with a value, ascending.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let by_row = self
            .by_row
            .get_or_init(|| self.by_column.transposed(self.n_rows(), &vec![false; self.n_columns()]));
        by_row.list(row).map(|(column, value)| (column, value * self.scales[column]))
    }

    /// The rows of a column with a value, ascending.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> {
        let scale = self.scales[column];
        self.by_column.list(column).map(move |(row, value)| (row, value * scale))
    }

    /// Whether values are stored; they are not where all are 1.
    fn has_values(&self) -> bool {
        self.by_column.values.is_some()
    }

    /// The rows of a column with a value, ascending, not multiplied by its scale.
    fn stored_column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> {
        self.by_column.list(column)
    }

    /// See [`Listed`]. The values are not multiplied by the columns' scales.
    ///
    /// **Cost**: at first a pass over the values.
    fn listed(&self) -> &Listed {
        self.listed.get_or_init(|| {
            let n_rows = self.n_rows();
            let is_dense = |lists: &[usize]| !self.has_values() && 2 * (lists[1] - lists[0]) > n_rows;
            let is_complement: Vec<bool> = self.by_column.starts.windows(2).map(is_dense).collect();
            let by_row = self.by_column.transposed(n_rows, &is_complement);
            Listed { by_row, is_complement }
        })
    }

    /// The same rows with other weights; rows of weight 0 count for nothing. Both designs share the stored values.
    ///
    /// # Panics
    ///
    /// When there is not a weight for each row.
    pub fn reweighted(&self, weights: Vec<f64>) -> Self {
        assert_eq!(weights.len(), self.n_rows(), "a weight for each row");
        Self { weights, ..self.clone() }
    }

    /// The same columns with other factors. Both designs share the stored values.
    ///
    /// # Panics
    ///
    /// When there is not a scale for each column.
    pub fn scaled(&self, scales: Vec<f64>) -> Self {
        assert_eq!(scales.len(), self.n_columns(), "a scale for each column");
        Self { scales, ..self.clone() }
    }
}

#[cfg(test)]
mod tests;
