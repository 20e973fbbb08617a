//! Queries that were mined.

use std::fmt;

use crate::experiment::mine::MineAnswer;
use crate::report::mine::clauses;

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
        let query = |found: &crate::experiment::mine::QuerySupport| MinedQuery {
            query: found.query.clone(),
            length: found.length,
            covered: found.covered.0.clone(),
            information: found.information,
        };
        Self {
            queries: answer.queries.iter().map(query).collect(),
            is_cut_short: answer.stop.is_some(),
            text: clauses(answer),
        }
    }
}

impl fmt::Display for MinedQueries {
    /// The file of clauses that `gleaner mine` writes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
