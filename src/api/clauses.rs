//! The examples that a user's clauses cover, counted or as a table; and queries that were mined.

use std::fmt;

use crate::experiment::clauses::cover::CoveredClause;
use crate::experiment::clauses::mine::{MineAnswer, QuerySupport};
use crate::jobs::Failure;
use crate::jobs::cover::cover_texts;
use crate::jobs::features::{ClauseSource, Features};
use crate::report::mine::clauses;

use super::options::set_of_run;
use super::{Dataset, Error, Learner, RunSet};

impl Dataset {
    /// Makes a table of the examples that each clause covers, with a row for each labelled example; or of a set of the run of a
    /// fold, its number from 1 or its name. The run is that of cross-validation with the usual settings and the seed 1.
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`]; a fold that there is not.
    pub fn features(
        &self,
        clauses: impl IntoIterator<Item = impl AsRef<str>>,
        of_run: Option<(&str, RunSet)>,
    ) -> Result<FeatureTable, Error> {
        let session = Learner::default().session(self)?;
        let job = Features { source: ClauseSource::Texts(texts(clauses)), set: set_of_run(of_run)? };
        let matrix = self.context.run(|means| job.run(session, means))?;
        Ok(FeatureTable {
            examples: matrix.examples.iter().map(|row| row.example.clone()).collect(),
            labels: matrix.examples.iter().map(|row| row.label == Some(true)).collect(),
            weights: matrix.examples.iter().map(|row| row.weight).collect(),
            columns: matrix.columns.iter().map(|rows| rows.iter().collect()).collect(),
            clauses: matrix.clauses,
        })
    }

    /// Counts the examples that each clause covers, in the order given.
    ///
    /// Clauses are texts, as `advisedby(A,B) :- publication(C,A), publication(C,B).`, with the target as their head.
    /// They are evaluated in parallel, and exactly. Constants that the data lack cover nothing.
    ///
    /// **Cost**: a pass over the examples for each part of a clause that no clause before had.
    ///
    /// # Errors
    ///
    /// A clause that cannot be read, has another head, uses a predicate without facts or rules, or has a variable
    /// without a value. One with `;` or `=\=`, which is several clauses. Data of many classes. A context that ends the call.
    pub fn evaluate(
        &self,
        clauses: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Vec<ClauseCounts>, Error> {
        let (texts, problem) = (texts(clauses), &self.labelled_problem());
        let (all, covered) = self.context.run(|means| cover_texts(problem, 1, &texts, means))?;
        if let Some(reason) = all.stop {
            return Err(Failure::stopped(reason, "all clauses were counted").into());
        }
        let counts = |of: CoveredClause| ClauseCounts {
            true_positives: of.true_positives,
            false_positives: of.false_positives,
            positives: all.positives,
            negatives: all.negatives,
        };
        Ok(covered.into_iter().map(counts).collect())
    }
}

fn texts(clauses: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<String> {
    clauses.into_iter().map(|clause| clause.as_ref().to_owned()).collect()
}

/// The examples that clauses cover, as a table.
///
/// **Shape**: a row for each labelled example, in the order of the data set; a column for each clause, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureTable {
    /// The examples as atoms.
    pub examples: Vec<String>,
    /// Whether each example is positive.
    pub labels: Vec<bool>,
    /// How many examples of the population each stands for; more than 1 for negatives that are a sample.
    pub weights: Vec<f64>,
    /// The clauses as texts.
    pub clauses: Vec<String>,
    /// By clause, the rows that it covers, ascending.
    pub columns: Vec<Vec<u32>>,
}

impl FeatureTable {
    /// The table row by row: 1 where the clause covers the example, else 0. There are `examples.len() * clauses.len()`
    /// values.
    pub fn dense(&self) -> Vec<u8> {
        let n_columns = self.clauses.len();
        let mut values = vec![0; self.examples.len() * n_columns];
        for (column, rows) in self.columns.iter().enumerate() {
            for &row in rows {
                values[row as usize * n_columns + column] = 1;
            }
        }
        values
    }
}

/// How many labelled examples a clause covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseCounts {
    /// Positives that it covers: `TP`.
    pub true_positives: usize,
    /// Negatives that it covers: `FP`.
    pub false_positives: usize,
    /// All positives of the data set: `P`.
    pub positives: usize,
    /// All negatives of the data set: `N`.
    pub negatives: usize,
}

impl ClauseCounts {
    /// `TP / (TP + FP)`; `None` for a clause that covers nothing.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// `TP / P`; `None` without positives.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positives, self.positives)
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
fn share(part: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

/// A query that enough examples satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct MinedQuery {
    /// The query as a clause of the target.
    pub query: String,
    /// How many literals it has.
    pub length: usize,
    /// The classes with the number of their examples that the query covers; two classes are `positives` and
    /// `negatives`.
    pub covered: Vec<(String, usize)>,
    /// The mutual information of the query with the class, in nats, 0 or more.
    pub information: f64,
}

/// The queries that enough examples satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct MinedQueries {
    /// The queries, by length.
    pub queries: Vec<MinedQuery>,
    /// Whether mining ended before all lengths were looked at: by a limit, or because it was cancelled.
    pub is_cut_short: bool,
    text: String,
}

impl MinedQueries {
    pub(super) fn of(answer: &MineAnswer) -> Self {
        let query = |found: &QuerySupport| MinedQuery {
            query: found.query.clone(),
            length: found.length,
            covered: found.covered.0.clone(),
            information: found.information,
        };
        let queries = answer.queries.iter().map(query).collect();
        Self { queries, is_cut_short: answer.stop.is_some(), text: clauses(answer) }
    }
}

impl fmt::Display for MinedQueries {
    /// The file of clauses that `gleaner mine` writes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
