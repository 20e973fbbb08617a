//! The settings of a generated shop, and the sizes that follow from them.

use crate::generated::{GenerateError, nearest};

/// The settings of a generated shop.
#[derive(Clone, Debug, PartialEq)]
pub struct ShopConfig {
    /// Rows of `lines.csv`. Range: 4,000 to 50,000,000. Default 100,000.
    pub lines: usize,
    /// The fraction of the positives that are exchanged for random negatives. Range: 0 to 0.5. Default 0.05.
    pub noise: f64,
    /// Seed of the random streams of cells and labels; any number. Default 1.
    pub seed: u64,
    /// The seed of random names of tables and columns, and of the order of columns. Default: none, and plain names.
    pub random_names: Option<u64>,
}

impl Default for ShopConfig {
    fn default() -> Self {
        Self { lines: 100_000, noise: 0.05, seed: 1, random_names: None }
    }
}

impl ShopConfig {
    /// Checks every setting.
    ///
    /// # Errors
    ///
    /// The first setting out of its range, with its value and the range.
    pub fn check(&self) -> Result<(), GenerateError> {
        GenerateError::check_count("lines", self.lines, 4_000, 50_000_000)?;
        GenerateError::check_fraction("noise", self.noise, 0.0, 0.5)
    }

    /// How many rows the tables have that are drawn row by row.
    pub(super) fn sizes(&self) -> Sizes {
        let lines = self.lines;
        let products = (lines / 200).clamp(50, 5_000);
        Sizes {
            shoppers: lines / 8,
            orders: nearest(lines as f64 / 2.5),
            lines,
            products,
            suppliers: (products / 20).max(20),
        }
    }
}

/// How many rows the tables have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) shoppers: usize,
    /// Never more than `lines`: every order has a line.
    pub(super) orders: usize,
    pub(super) lines: usize,
    pub(super) products: usize,
    pub(super) suppliers: usize,
}
