//! Calls that look at data and learn nothing: a description, and the examples that a user's clauses cover, counted or as a
//! table.

use crate::experiment::cover::CoveredClause;
use crate::experiment::features::FeatureMatrix;
use crate::experiment::inspect::ModesAnswer;
use crate::jobs::Failure;
use crate::jobs::chosen_set::ChosenSet;
use crate::jobs::cover::cover_texts;
use crate::jobs::features::{ClauseSource, Features};
use crate::jobs::inspect::{Inspect, Inspected};

use super::options::set_of_fold;
use super::{Answer, Dataset, Error, Learner, RunSet};

impl Dataset {
    /// Lists the relations, the examples, the modes and the folds, as `gleaner inspect` does.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data.
    pub fn inspect(&self) -> Result<Answer, Error> {
        let session = Learner::default().session(self)?;
        let found = self.context.run(|means| Inspect::default().run(&session, means))?;
        Ok(match found {
            Inspected::Data(answer) => Answer::of(&*answer),
            Inspected::Modes(modes) => Answer::of(&ModesAnswer { modes: &modes }),
        })
    }

    /// Makes a table of the examples that each clause covers: a row for each labelled example, a column for each
    /// clause.
    ///
    /// Clauses are texts, as for [`Dataset::evaluate`].
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`].
    pub fn features<I>(&self, clauses: I) -> Result<FeatureTable, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.feature_table(clauses, ChosenSet::default())
    }

    /// As [`Dataset::features`], with a row for each example of a set of the run of a fold: its number from 1, or its name.
    /// The run is that of cross-validation with the usual settings and the seed 1.
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`]; a fold that there is not.
    pub fn features_in_fold<I>(&self, clauses: I, fold: &str, set: RunSet) -> Result<FeatureTable, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.feature_table(clauses, set_of_fold(fold, set)?)
    }

    fn feature_table<I>(&self, clauses: I, set: ChosenSet) -> Result<FeatureTable, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let texts: Vec<String> = clauses.into_iter().map(|clause| clause.as_ref().to_owned()).collect();
        let session = Learner::default().session(self)?;
        let job = Features { source: ClauseSource::Texts(texts), set };
        Ok(FeatureTable::of(&self.context.run(|means| job.run(session, means))?))
    }
}

/// The examples that clauses cover, as a table.
///
/// **Shape**: a row for each labelled example of the data set, in its order; a column for each clause, in the order given.
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
    columns: Vec<Vec<u32>>,
}

impl FeatureTable {
    pub(super) fn of(matrix: &FeatureMatrix) -> Self {
        Self {
            examples: matrix.examples.iter().map(|row| row.example.clone()).collect(),
            labels: matrix.examples.iter().map(|row| row.label == Some(true)).collect(),
            weights: matrix.examples.iter().map(|row| row.weight).collect(),
            clauses: matrix.clauses.clone(),
            columns: matrix.columns.iter().map(|rows| rows.iter().collect()).collect(),
        }
    }

    /// The rows that a clause covers, ascending.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    #[must_use]
    pub fn covered(&self, column: usize) -> &[u32] {
        &self.columns[column]
    }

    /// The table row by row: 1 where the clause covers the example, else 0. There are `examples.len() * clauses.len()`
    /// values.
    #[must_use]
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
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
    pub fn precision(&self) -> Option<f64> {
        let covered = self.true_positives + self.false_positives;
        (covered > 0).then(|| self.true_positives as f64 / covered as f64)
    }

    /// `TP / P`; `None` without positives.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
    pub fn recall(&self) -> Option<f64> {
        (self.positives > 0).then(|| self.true_positives as f64 / self.positives as f64)
    }
}

impl Dataset {
    /// Counts the examples that each clause covers, in the order given.
    ///
    /// Clauses are texts, as `advisedby(A,B) :- publication(C,A), publication(C,B).`, with the target as their head.
    /// They are evaluated in parallel, and exactly. Constants that the data lack cover nothing.
    ///
    /// **Cost**: as of `gleaner cover`: a pass over the examples for each part of a clause that no clause before had.
    ///
    /// # Errors
    ///
    /// A clause that cannot be read, has another head, uses a predicate without facts or rules, or has a variable
    /// without a value. One with `;` or `=\=`, which is several clauses. Data of many classes. A context that ends the call.
    pub fn evaluate<I>(&self, clauses: I) -> Result<Vec<ClauseCounts>, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let texts: Vec<String> = clauses.into_iter().map(|clause| clause.as_ref().to_owned()).collect();
        let problem = &self.labelled_problem();
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
