//! A sparse matrix, by rows and by columns, as flat lists. A step of the method consists of its products.

use ndarray::Array2;
use rayon::prelude::*;

/// A sparse matrix. **Memory**: 24 bytes for each value that is not 0.
pub(super) struct Sparse {
    by_row: Lists,
    by_column: Lists,
}

/// Lists of places, ascending, with values.
struct Lists {
    /// List `at` is `starts[at]..starts[at + 1]`.
    starts: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
}

impl Lists {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn list(&self, at: usize) -> (&[u32], &[f64]) {
        let range = self.starts[at]..self.starts[at + 1];
        (&self.places[range.clone()], &self.values[range])
    }

    /// Each list times a vector.
    fn times(&self, vector: &[f64], min_len: usize) -> Vec<f64> {
        let dot = |at: usize| {
            let (places, values) = self.list(at);
            places.iter().zip(values).map(|(&place, value)| value * vector[place as usize]).sum()
        };
        (0..self.len()).into_par_iter().with_min_len(min_len).map(dot).collect()
    }

    fn transposed(&self, n_lists: usize) -> Self {
        let mut starts = vec![0; n_lists + 1];
        self.places.iter().for_each(|&place| starts[place as usize + 1] += 1);
        (0..n_lists).for_each(|at| starts[at + 1] += starts[at]);
        let mut next = starts.clone();
        let (mut places, mut values) = (vec![0; self.places.len()], vec![0.0; self.values.len()]);
        for (list, name) in (0..self.len()).zip(0_u32..) {
            let (own_places, own_values) = self.list(list);
            for (&place, &value) in own_places.iter().zip(own_values) {
                let at = &mut next[place as usize];
                (places[*at], values[*at]) = (name, value);
                *at += 1;
            }
        }
        Self { starts, places, values }
    }
}

impl Sparse {
    /// The matrix of these rows; each row has ascending columns with values.
    pub(super) fn new<R: IntoIterator<Item = (u32, f64)>>(
        n_columns: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let mut by_row = Lists { starts: vec![0], places: Vec::new(), values: Vec::new() };
        for row in rows {
            for (place, value) in row {
                by_row.places.push(place);
                by_row.values.push(value);
            }
            by_row.starts.push(by_row.places.len());
        }
        Self { by_column: by_row.transposed(n_columns), by_row }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.by_row.len()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.by_column.len()
    }

    /// The columns of a row, and its values there.
    pub(super) fn row(&self, row: usize) -> (&[u32], &[f64]) {
        self.by_row.list(row)
    }

    /// The sum of each column.
    pub(super) fn column_sums(&self) -> Vec<f64> {
        (0..self.n_columns()).map(|column| self.by_column.list(column).1.iter().sum()).collect()
    }

    /// The matrix times a vector.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.by_row.times(vector, 256)
    }

    /// Its transpose times a vector.
    pub(super) fn transposed_times(&self, vector: &[f64]) -> Vec<f64> {
        self.by_column.times(vector, 16)
    }

    /// `X' diag(weights) X`. **Cost**: half the squared values of each row.
    pub(super) fn squared(&self, weights: &[f64]) -> Array2<f64> {
        let n = self.n_columns();
        let lower = |column: usize| {
            let mut sums = vec![0.0; column + 1];
            let (rows, values) = self.by_column.list(column);
            for (&row, value) in rows.iter().zip(values) {
                let factor = value * weights[row as usize];
                let (others, values) = self.row(row as usize);
                let end = others.partition_point(|&other| other as usize <= column);
                for (&other, value) in others[..end].iter().zip(values) {
                    sums[other as usize] += factor * value;
                }
            }
            sums
        };
        let lower: Vec<Vec<f64>> = (0..n).into_par_iter().map(lower).collect();
        Array2::from_shape_fn((n, n), |(row, column)| lower[row.max(column)][row.min(column)])
    }

    /// The product of the chosen rows with another matrix.
    pub(super) fn chosen_times(&self, chosen: &[usize], matrix: &Array2<f64>) -> Array2<f64> {
        let mut result = Array2::zeros((chosen.len(), matrix.ncols()));
        let targets: Vec<_> = result.outer_iter_mut().collect();
        targets.into_par_iter().zip(chosen).for_each(|(mut target, &row)| {
            let (places, values) = self.row(row);
            for (&place, &value) in places.iter().zip(values) {
                target.scaled_add(value, &matrix.row(place as usize));
            }
        });
        result
    }

    /// `x matrix x'` of each row `x`.
    pub(super) fn rows_around(&self, matrix: &Array2<f64>) -> Vec<f64> {
        let around = |row: usize| {
            let (places, values) = self.row(row);
            let of = |(&place, value): (&u32, &f64)| {
                let inner = matrix.row(place as usize);
                let terms = places.iter().zip(values).map(|(&other, value)| inner[other as usize] * value);
                value * terms.sum::<f64>()
            };
            places.iter().zip(values).map(of).sum()
        };
        (0..self.n_rows()).into_par_iter().with_min_len(16).map(around).collect()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, arr2};

    use super::Sparse;

    /// Rows (1 0 2), (0 3 0) and (0 0 0), by hand.
    #[test]
    fn products_are_those_worked_by_hand() {
        let rows = [vec![(0, 1.0), (2, 2.0)], vec![(1, 3.0)], vec![]];
        let sparse = Sparse::new(3, rows);
        assert_eq!((sparse.n_rows(), sparse.n_columns()), (3, 3));
        assert_eq!(sparse.column_sums(), [1.0, 3.0, 2.0]);
        assert_eq!(sparse.times(&[1.0, 10.0, 100.0]), [201.0, 30.0, 0.0]);
        assert_eq!(sparse.transposed_times(&[1.0, 10.0, 100.0]), [1.0, 30.0, 2.0]);
        let squared = sparse.squared(&[2.0, 5.0, 7.0]);
        assert_eq!(squared, arr2(&[[2.0, 0.0, 4.0], [0.0, 45.0, 0.0], [4.0, 0.0, 8.0]]));
        let matrix = Array2::from_shape_fn((3, 3), |(row, column)| if row <= column { 1.0 } else { 0.0 });
        assert_eq!(sparse.chosen_times(&[1, 0], &matrix), arr2(&[[0.0, 3.0, 3.0], [1.0, 1.0, 3.0]]));
        assert_eq!(sparse.rows_around(&matrix), [1.0 + 2.0 + 4.0, 9.0, 0.0]);
    }
}
