//! Evaluates the clauses of a text of any length.
//!
//! A table of examples by clauses: which clause covers which example.

use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, ExampleSet, StopReason};
use gleaner_data::Problem;
use gleaner_data::clauses::{ClauseFaults, ClauseReader, Next, ReadClause, Widening};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::universe::{Covered, cover_clauses};
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::Clause;
use gleaner_learn::Covers;
use rayon::prelude::*;
use roaring::RoaringBitmap;
use serde::Serialize;

/// Clauses evaluated between two writes; fewer where covered examples are written too.
const CLAUSES_AT_ONCE: usize = 4_096;
const LISTED_CLAUSES_AT_ONCE: usize = 64;
/// Clauses that one thread evaluates with one engine: enough to repay the cost of an engine, few enough that other
/// threads do not wait long.
const CLAUSES_OF_AN_ENGINE: std::ops::RangeInclusive<usize> = 8..=1_024;

/// One clause with the examples that it covers.
#[derive(Clone, Debug, Serialize)]
pub struct CoveredClause {
    /// The clause as it was written, on one line.
    pub clause: String,
    /// `TP`.
    #[serde(rename = "tp")]
    pub true_positives: usize,
    /// `FP`.
    #[serde(rename = "fp")]
    pub false_positives: usize,
    /// Precision, each negative counted for those it stands for; `None` where nothing is covered.
    pub precision: Option<f64>,
    /// `TP / P`.
    pub recall: Option<f64>,
    /// How many examples it covers: `TP + FP`.
    pub support: usize,
    /// The covered examples as atoms, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<String>>,
}

/// The totals of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct CoverAnswer {
    /// Positives that were counted.
    pub positives: usize,
    /// Negatives that were counted.
    pub negatives: usize,
    /// Clauses evaluated.
    pub clauses: u64,
    /// Why those after them were not.
    pub stop: Option<StopReason>,
}

/// Selects the covered examples that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// All.
    All,
    /// Positives alone.
    Positives,
    /// Negatives alone.
    Negatives,
}

impl Listed {
    fn holds(self, is_positive: bool) -> bool {
        self == Self::All || is_positive == (self == Self::Positives)
    }
}

/// The data, examples and limits that clauses are evaluated with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covering<'c> {
    pub(crate) problem: &'c Problem,
    pub(crate) universe: &'c Universe,
    pub(crate) listed: Option<Listed>,
    pub(crate) budget: &'c Budget,
    /// Bytes of covers that are kept for later clauses.
    pub(crate) cover_bytes: usize,
}

impl Covering<'_> {
    /// All blocks, until there is none or the budget ends. Covers are kept from clause to clause; a
    /// block with constants of its own begins them anew, for these are of the background too.
    ///
    /// `take` gets the clauses in the order of the text, and how many bytes of it are done with.
    ///
    /// # Errors
    ///
    /// Faults of the clauses, and those of `take`.
    pub(crate) fn run<F: From<ClauseFaults>>(
        &self,
        reader: &mut ClauseReader<'_>,
        take: &mut impl FnMut(&[CoveredClause], u64) -> Result<(), F>,
    ) -> Result<Option<StopReason>, F> {
        let mut waiting = None;
        loop {
            let revision = reader.revision();
            let worlds = Widening::new(self.problem, reader.names()).worlds(self.problem);
            let store = Arc::new(CoverStore::with_capacity(&worlds, self.universe, self.cover_bytes));
            loop {
                let clauses = match waiting.take() {
                    Some(clauses) => clauses,
                    None => match reader.next(self.budget)? {
                        Next::Clauses(clauses) => clauses,
                        Next::End => return Ok(None),
                        Next::Stopped(reason) => return Ok(Some(reason)),
                    },
                };
                if reader.revision() != revision {
                    waiting = Some(clauses);
                    break;
                }
                let n_bytes = reader.progress().0;
                if let Some(reason) = self.evaluate(&clauses, &store, &mut |found| take(found, n_bytes))? {
                    return Ok(Some(reason));
                }
            }
        }
    }

    /// These clauses, over the problem's symbols with their own constants; those before the first that a stop left open.
    ///
    /// # Errors
    ///
    /// Those of `take`.
    pub(crate) fn all<F>(
        &self,
        clauses: &[ReadClause],
        widening: &Widening,
        take: &mut impl FnMut(&[CoveredClause]) -> Result<(), F>,
    ) -> Result<Option<StopReason>, F> {
        let worlds = widening.worlds(self.problem);
        let store = Arc::new(CoverStore::with_capacity(&worlds, self.universe, self.cover_bytes));
        self.evaluate(clauses, &store, take)
    }

    /// Evaluates the clauses of a block and gives them away; those before the first that a stop left open.
    fn evaluate<F>(
        &self,
        clauses: &[ReadClause],
        store: &Arc<CoverStore<'_>>,
        take: &mut impl FnMut(&[CoveredClause]) -> Result<(), F>,
    ) -> Result<Option<StopReason>, F> {
        let at_once = if self.listed.is_some() { LISTED_CLAUSES_AT_ONCE } else { CLAUSES_AT_ONCE };
        for some in clauses.chunks(at_once) {
            let (least, most) = CLAUSES_OF_AN_ENGINE.into_inner();
            let of_engine = some.len().div_ceil(4 * rayon::current_num_threads()).clamp(least, most);
            let covered: Vec<Result<CoveredClause, Interrupted>> =
                some.par_chunks(of_engine).flat_map_iter(|clauses| self.cover(clauses, store)).collect();
            let mut stop = None;
            let found: Vec<CoveredClause> = covered
                .into_iter()
                .map_while(|covered| covered.map_err(|Interrupted(reason)| stop = Some(reason)).ok())
                .collect();
            take(&found)?;
            if stop.is_some() {
                return Ok(stop);
            }
        }
        Ok(None)
    }

    fn cover<'r>(
        &'r self,
        clauses: &'r [ReadClause],
        store: &Arc<CoverStore<'_>>,
    ) -> impl Iterator<Item = Result<CoveredClause, Interrupted>> + use<'r> {
        let plain: Vec<&Clause> = clauses.iter().map(|read| &read.clause).collect();
        let covered = cover_clauses(store, self.universe, &plain, self.listed.is_some(), self.budget);
        let rows = clauses.iter().zip(covered);
        rows.map(|(read, covered)| covered.map(|covered| self.row(&read.text, &covered)))
    }

    fn row(&self, clause: &str, covered: &Covered) -> CoveredClause {
        let (counts, totals) = (covered.counts, self.universe.totals());
        let listed = self.listed.zip(covered.examples.as_ref());
        CoveredClause {
            clause: clause.to_owned(),
            true_positives: counts.true_positives,
            false_positives: counts.false_positives,
            precision: counts.precision(totals.negative_weight),
            recall: counts.recall(totals),
            support: counts.n_covered(),
            examples: listed.map(|(listed, examples)| self.list(examples, listed)),
        }
    }

    /// The covered examples as atoms: positives first, each class in the problem's order.
    fn list(&self, covered: &ExampleSet, listed: Listed) -> Vec<String> {
        let is_listed = |&(position, id): &(usize, ExampleId)| {
            covered.contains(position) && listed.holds(self.problem.examples().is_positive(id))
        };
        self.universe.iter().filter(is_listed).map(|(_, id)| self.problem.example_text(id)).collect()
    }
}

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
