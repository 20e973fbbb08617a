//! Likeness to examples of train, by the clauses that cover both.

use serde::{Deserialize, Serialize};

use gleaner_base::{ExampleSet, FixedMap};
use gleaner_stats::ml::kernel_svm::KernelModel;
use gleaner_stats::ml::linear::{Design, DesignRow};

/// A classifier by similarity, over clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Similarity(pub KernelModel);

/// Distinct rows that are compared with the examples at once: 8 bytes for each pair.
const BLOCK: usize = 4096;

impl Similarity {
    /// The score of each position, by the clauses that cover it; equal to that of [`Self::score_of`] to the bit.
    ///
    /// **Cost**: the distinct rows times the examples that they are compared with.
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        let mut covering: Vec<Vec<u32>> = vec![Vec::new(); len];
        for (clause, cover) in (0..).zip(covers) {
            cover.iter().for_each(|position| covering[position].push(clause));
        }
        let mut known: FixedMap<Vec<u32>, usize> = FixedMap::default();
        let mut distinct: Vec<Vec<u32>> = Vec::new();
        let row_of: Vec<usize> = covering
            .into_iter()
            .map(|row| {
                *known.entry(row).or_insert_with_key(|row| {
                    distinct.push(row.clone());
                    distinct.len() - 1
                })
            })
            .collect();
        let scores: Vec<f64> = distinct.chunks(BLOCK).flat_map(|rows| self.scores_of_rows(rows)).collect();
        row_of.into_iter().map(|row| scores[row]).collect()
    }

    /// The score of an example that these clauses cover.
    pub fn score_of(&self, row: &[bool]) -> f64 {
        let covering = (0..).zip(row).filter(|&(_, &covers)| covers).map(|(clause, _)| clause).collect();
        self.scores_of_rows(&[covering])[0]
    }

    fn scores_of_rows(&self, rows: &[Vec<u32>]) -> Vec<f64> {
        let row = |clauses: &Vec<u32>| DesignRow {
            weight: 1.0,
            is_positive: true,
            values: clauses.iter().map(|&clause| (clause, 1.0)).collect::<Vec<_>>(),
        };
        self.0.scores(&Design::new(self.n_clauses(), rows.iter().map(row)))
    }

    /// The amount that the score loses without each of the clauses that cover an example.
    pub fn parts_of(&self, row: &[bool]) -> Vec<f64> {
        let score = self.score_of(row);
        let mut without = row.to_vec();
        let mut parts = vec![0.0; row.len()];
        for (clause, part) in parts.iter_mut().enumerate().filter(|(clause, _)| row[*clause]) {
            without[clause] = false;
            *part = score - self.score_of(&without);
            without[clause] = true;
        }
        parts
    }

    /// The number of clauses that it compares examples by.
    pub fn n_clauses(&self) -> usize {
        self.0.function.n_features()
    }

    /// Whether all of its numbers are below a bound and its examples have its clauses alone; those of a file may not.
    pub fn is_below(&self, bound: f64) -> bool {
        let KernelModel { function, support, coefficients, intercept } = &self.0;
        let is_known =
            |&(clause, value): &(u32, f64)| (clause as usize) < function.n_features() && value.abs() < bound;
        function.is_sound()
            && support.len() == coefficients.len()
            && coefficients.iter().chain([intercept]).all(|value| value.abs() < bound)
            && support.iter().flatten().all(is_known)
    }
}
