//! The rows that a linear classifier learns from.

/// A row: how much it counts, its class, and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignRow {
    /// How many examples it stands for; above 0.
    pub weight: f64,
    /// Whether they are positive.
    pub is_positive: bool,
    /// Columns, ascending, with values other than 0.
    pub values: Vec<(u32, f64)>,
}

/// Weighted rows of two classes over sparse columns.
///
/// **Shape**: `n_rows` by `n_columns`; either may be 0. **Memory**: 24 bytes for each value that is not 0, as both the rows and
/// the columns are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    weights: Vec<f64>,
    /// 1 for positives, -1 for negatives.
    classes: Vec<f64>,
    by_row: Compressed,
    by_column: Compressed,
}

/// Lists one after the other; list `at` is `starts[at]..starts[at + 1]`.
#[derive(Clone, Debug, PartialEq)]
struct Compressed {
    starts: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
}

impl Compressed {
    fn list(&self, at: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[at]..self.starts[at + 1];
        self.places[range.clone()].iter().map(|&place| place as usize).zip(self.values[range].iter().copied())
    }
}

impl Design {
    /// The rows, in order, over `n_columns` columns.
    ///
    /// **Cost**: linear in the values.
    ///
    /// # Panics
    ///
    /// When a row has a column that is not below `n_columns`.
    #[must_use]
    pub fn new(n_columns: usize, rows: &[DesignRow]) -> Self {
        let n_values = rows.iter().map(|row| row.values.len()).sum();
        let mut by_row = Compressed {
            starts: Vec::with_capacity(rows.len() + 1),
            places: Vec::with_capacity(n_values),
            values: Vec::with_capacity(n_values),
        };
        by_row.starts.push(0);
        for row in rows {
            by_row.places.extend(row.values.iter().map(|&(column, _)| column));
            by_row.values.extend(row.values.iter().map(|&(_, value)| value));
            by_row.starts.push(by_row.places.len());
        }
        Self {
            weights: rows.iter().map(|row| row.weight).collect(),
            classes: rows.iter().map(|row| if row.is_positive { 1.0 } else { -1.0 }).collect(),
            by_column: by_row.transposed(n_columns),
            by_row,
        }
    }

    /// How many rows there are.
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.weights.len()
    }

    /// How many columns there are.
    #[must_use]
    pub const fn n_columns(&self) -> usize {
        self.by_column.starts.len() - 1
    }

    /// How many examples each row stands for.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The class of each row: 1 or -1.
    #[must_use]
    pub fn classes(&self) -> &[f64] {
        &self.classes
    }

    /// The columns of a row with a value, ascending.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        self.by_row.list(row)
    }

    /// The rows of a column with a value, ascending.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> {
        self.by_column.list(column)
    }

    /// The rows with these weights instead; those of weight 0 count for nothing.
    ///
    /// # Panics
    ///
    /// When there is not a weight for each row.
    #[must_use]
    pub fn reweighted(&self, weights: Vec<f64>) -> Self {
        assert_eq!(weights.len(), self.n_rows(), "a weight for each row");
        Self { weights, ..self.clone() }
    }
}

impl Compressed {
    /// Lists by place: those of places below `n_places`.
    fn transposed(&self, n_places: usize) -> Self {
        let mut starts = vec![0; n_places + 1];
        for &place in &self.places {
            starts[place as usize + 1] += 1;
        }
        for place in 0..n_places {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut places = vec![0; self.places.len()];
        let mut values = vec![0.0; self.values.len()];
        for list in 0..self.starts.len() - 1 {
            for (place, value) in self.list(list) {
                places[next[place]] = u32::try_from(list).expect("fewer than 2^32 rows");
                values[next[place]] = value;
                next[place] += 1;
            }
        }
        Self { starts, places, values }
    }
}
