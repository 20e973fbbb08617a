//! Where a search spent its evaluations: clauses counted over precision and recall. [GLEANER §6.2]

use gleaner_base::{Counts, Totals};

/// Cells of each axis.
const N_CELLS: usize = 100;

/// How many clauses have each whole percent of precision and of recall; 65.2 and 65.9 are both 65, and 100
/// counts with 99.
///
/// **Shape**: `N_CELLS²` counts once anything was added, row by row of recall.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Density {
    totals: Totals,
    cells: Vec<u64>,
}

/// One cell that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DensityCell {
    /// Percent of recall, 0 to 99.
    pub recall: usize,
    /// Percent of precision, 0 to 99.
    pub precision: usize,
    /// Clauses.
    pub n_clauses: u64,
}

impl Density {
    /// Nothing counted yet.
    pub const fn new(totals: Totals) -> Self {
        Self { totals, cells: Vec::new() }
    }

    /// Counts a clause; one that covers nothing has no precision, and is not counted.
    pub fn add(&mut self, counts: Counts) {
        let weight = self.totals.negative_weight;
        let covered = counts.in_parts(weight);
        if covered == 0 || self.totals.n_positives == 0 {
            return;
        }
        let percent = Counts { false_positives: 0, ..counts }.in_parts(weight) * N_CELLS as u128 / covered;
        let precision = usize::try_from(percent).map_or(N_CELLS, |percent| percent).min(N_CELLS - 1);
        let recall = (counts.true_positives * N_CELLS / self.totals.n_positives).min(N_CELLS - 1);
        self.cells.resize(N_CELLS * N_CELLS, 0);
        self.cells[recall * N_CELLS + precision] += 1;
    }

    /// Adds another search's counts.
    pub fn merge(&mut self, other: &Self) {
        if !other.cells.is_empty() {
            self.cells.resize(N_CELLS * N_CELLS, 0);
            self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += other);
        }
    }

    /// The cells that are not empty, by recall and then precision.
    pub fn cells(&self) -> impl Iterator<Item = DensityCell> + '_ {
        self.cells
            .iter()
            .enumerate()
            .filter(|(_, n_clauses)| **n_clauses > 0)
            .map(|(at, &n_clauses)| DensityCell { recall: at / N_CELLS, precision: at % N_CELLS, n_clauses })
    }
}

#[cfg(test)]
mod tests {
    use super::{Density, DensityCell};
    use gleaner_base::{Counts, NegativeWeight, Totals};

    #[test]
    fn percents_are_cut_and_a_hundred_counts_with_ninety_nine() {
        let totals = Totals { n_positives: 3, n_negatives: 9, negative_weight: NegativeWeight::ONE };
        let mut density = Density::new(totals);
        for (true_positives, false_positives) in [(2, 1), (2, 1), (3, 0), (0, 0)] {
            density.add(Counts { true_positives, false_positives });
        }
        let cell = |recall, precision, n_clauses| DensityCell { recall, precision, n_clauses };
        assert_eq!(density.cells().collect::<Vec<_>>(), [cell(66, 66, 2), cell(99, 99, 1)]);
    }
}
