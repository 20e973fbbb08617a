//! Frequent queries, with what they cover of each class.

use serde::Serialize;

use crate::base::{Counts, StopReason, Totals};
use crate::mining::{Level, Mined};
use crate::ml::Contingency;
use crate::problem::Problem;
use crate::program::display::clause_text;

/// What was mined.
#[derive(Clone, Debug, Serialize)]
pub struct MineAnswer {
    /// Positives among the examples.
    pub positives: usize,
    /// Negatives.
    pub negatives: usize,
    /// Frequent queries found.
    pub frequent: usize,
    /// How many are written.
    pub written: usize,
    /// What came of each length.
    pub levels: Vec<Level>,
    /// What stopped mining before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The queries that are written, by length and then in canonical order.
    #[serde(skip)]
    pub queries: Vec<QuerySupport>,
}

/// A query with what it covers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuerySupport {
    /// It as a clause of the target.
    pub query: String,
    /// Its literals, without what object identity demands.
    pub length: usize,
    /// Positives that it covers.
    pub positives: usize,
    /// Negatives that it covers.
    pub negatives: usize,
    /// Its mutual information with the class, in nats.
    pub information: f64,
}

impl MineAnswer {
    /// The answer with all queries, or with those of each class that tell most of it: `best` of each.
    #[must_use]
    pub fn of(problem: &Problem, mined: &Mined, totals: Totals, best: Option<usize>) -> Self {
        let all: Vec<QuerySupport> = mined
            .queries
            .iter()
            .map(|query| QuerySupport {
                query: clause_text(&query.clause, &problem.symbols),
                length: query.length,
                positives: query.support.true_positives,
                negatives: query.support.false_positives,
                information: information(query.support, totals),
            })
            .collect();
        let frequent = all.len();
        let queries = match best {
            Some(best) => best_of_each_class(all, totals, best),
            None => all,
        };
        Self {
            positives: totals.n_positives,
            negatives: totals.n_negatives,
            frequent,
            written: queries.len(),
            levels: mined.levels.clone(),
            stop: mined.stop,
            queries,
        }
    }
}

fn information(support: Counts, totals: Totals) -> f64 {
    let n = totals.n_positives + totals.n_negatives;
    let table = Contingency::from_totals(support.true_positives, support.n_covered(), totals.n_positives, n);
    table.and_then(|table| table.mutual_information()).unwrap_or(0.0)
}

/// Queries speak for the class of which they cover the larger share.
fn best_of_each_class(all: Vec<QuerySupport>, totals: Totals, best: usize) -> Vec<QuerySupport> {
    let is_for_positive =
        |query: &QuerySupport| query.positives * totals.n_negatives >= query.negatives * totals.n_positives;
    let mut is_kept = vec![false; all.len()];
    for of_positive in [true, false] {
        let mut of_class: Vec<usize> =
            (0..all.len()).filter(|&at| is_for_positive(&all[at]) == of_positive).collect();
        of_class.sort_by(|&left, &right| all[right].information.total_cmp(&all[left].information));
        of_class.into_iter().take(best).for_each(|at| is_kept[at] = true);
    }
    all.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(query, _)| query).collect()
}

#[cfg(test)]
mod tests {
    use super::{QuerySupport, best_of_each_class, information};
    use crate::base::{Counts, NegativeWeight, Totals};

    const TOTALS: Totals = Totals { n_positives: 4, n_negatives: 8, negative_weight: NegativeWeight::ONE };

    fn query(name: &str, positives: usize, negatives: usize) -> QuerySupport {
        let support = Counts { true_positives: positives, false_positives: negatives };
        QuerySupport {
            query: name.to_owned(),
            length: 1,
            positives,
            negatives,
            information: information(support, TOTALS),
        }
    }

    /// `a` and `b` speak for the positives, `a` knows them all; `c` and `d` against, `d` of all negatives and no positive.
    #[test]
    fn the_best_of_each_class_are_kept_in_order() {
        let all = vec![query("b", 2, 2), query("c", 1, 4), query("a", 4, 0), query("d", 0, 8)];
        assert!((all[2].information - all[3].information).abs() < 1e-15);
        let names = |best: usize| -> Vec<String> {
            best_of_each_class(all.clone(), TOTALS, best).into_iter().map(|kept| kept.query).collect()
        };
        assert_eq!(names(1), ["a", "d"]);
        assert_eq!(names(2), ["b", "c", "a", "d"]);
    }
}
