//! A table of examples by clauses: which clause covers which example.

use roaring::RoaringBitmap;
use serde::Serialize;

use gleaner_base::{Budget, ExampleId};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_learn::Covers;

/// A table of Boolean features.
///
/// **Shape**: a row for each example, ascending as the problem numbers them; a column for each clause, in order.
#[derive(Clone, Debug)]
pub struct FeatureMatrix {
    /// The examples.
    pub examples: Vec<FeatureRow>,
    /// The clauses as texts.
    pub clauses: Vec<String>,
    /// The rows that each clause covers.
    pub columns: Vec<RoaringBitmap>,
    /// Whether negatives are a sample, so that examples have weights.
    pub is_weighted: bool,
}

/// An example of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureRow {
    /// The example as an atom.
    pub example: String,
    /// The class of the example; none where the data do not give it.
    pub label: Option<bool>,
    /// How many examples of the population it stands for.
    pub weight: f64,
}

/// The size of a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FeaturesAnswer {
    /// Rows.
    pub examples: usize,
    /// Columns.
    pub clauses: usize,
    /// How often a clause covers an example.
    pub covered: u64,
}

impl FeatureMatrix {
    /// The table of some clauses over the universe of `covers`.
    ///
    /// **Cost**: the covers, a block at a time. **Memory**: that of compressed columns.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ended first.
    ///
    /// # Panics
    ///
    /// When there are 2^32 examples.
    pub fn of(
        problem: &Problem,
        covers: &Covers<'_>,
        clauses: &[&Clause],
        texts: Vec<String>,
        budget: &Budget,
    ) -> Result<Self, Interrupted> {
        let universe = covers.universe();
        let weight = universe.negative_weight();
        let mut placed: Vec<(ExampleId, usize)> =
            universe.iter().map(|(position, id)| (id, position)).collect();
        placed.sort_unstable();
        let mut row_of = vec![0_u32; universe.len()];
        for (row, &(_, position)) in (0_u32..).zip(&placed) {
            row_of[position] = row;
        }
        let row = |&(id, _): &(ExampleId, usize)| {
            let label = problem.examples().is_labelled(id).then(|| problem.examples().is_positive(id));
            let weight = if label == Some(false) { weight.ratio() } else { 1.0 };
            FeatureRow { example: problem.example_text(id), label, weight }
        };
        let mut columns = Vec::with_capacity(clauses.len());
        covers.visit(clauses, budget, |_, block| {
            columns.extend(
                block.iter().map(|cover| cover.iter().map(|at| row_of[at]).collect::<RoaringBitmap>()),
            );
        })?;
        Ok(Self {
            examples: placed.iter().map(row).collect(),
            clauses: texts,
            columns,
            is_weighted: !weight.is_one(),
        })
    }

    /// The columns that cover each row, ascending.
    pub fn rows(&self) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); self.examples.len()];
        for (number, column) in (0_u32..).zip(&self.columns) {
            column.iter().for_each(|row| rows[row as usize].push(number));
        }
        rows
    }

    /// Its size.
    pub fn answer(&self) -> FeaturesAnswer {
        FeaturesAnswer {
            examples: self.examples.len(),
            clauses: self.clauses.len(),
            covered: self.columns.iter().map(RoaringBitmap::len).sum(),
        }
    }
}
